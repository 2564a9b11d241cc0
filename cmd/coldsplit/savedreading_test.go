package main

import (
	"path/filepath"
	"strings"
	"testing"
)

// The rows and places of a mapping were gone when the saved run was read again, without a word.
func TestASavedRunReadsBackAsItWasMapped(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.jsonl")
	url := sites(t)
	measured, errs, code := cli(t, "probe", url, "-n", "6", "--interval", "1ms", "--save", path,
		"--map", "pre_forward=header:x-gate", "--place", "state=header:x-backend")
	again, _, _ := cli(t, "report", path)
	for name, out := range map[string]string{"probe": measured, "report": again} {
		if code != exitDone || !strings.Contains(out, "wait.pre_forward") || !strings.Contains(out, "x-backend") {
			t.Errorf("%s: exit %d %s\n%s", name, code, errs, out)
		}
	}
	if out, _, _ := cli(t, "compare", path, path); !strings.Contains(out, "wait.pre_forward") {
		t.Errorf("compare:\n%s", out)
	}
	if out, _, _ := cli(t, "report", path, "--map", "upstream=header:x-gate"); strings.Contains(out, "wait.pre_forward") || !strings.Contains(out, "wait.upstream") || !strings.Contains(out, "x-backend") {
		t.Errorf("a mapping given now does not win, or takes the places with it:\n%s", out)
	}
}

func TestASavedRampReadsBackAsItWasMapped(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ramp.jsonl")
	measured, errs, code := cli(t, "ramp", sites(t), "--stages", "2,2", "--gap", "1ms", "--after", "0", "--save", path,
		"--map", "pre_forward=header:x-gate")
	again, _, _ := cli(t, "report", path)
	for name, out := range map[string]string{"ramp": measured, "report": again} {
		if code != exitDone || !strings.Contains(out, "pre_forward") {
			t.Errorf("%s: exit %d %s\n%s", name, code, errs, out)
		}
	}
}

// A scenario's own words for places were known while it ran and not afterwards.
func TestASavedLabRunKeepsItsPlaces(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.jsonl")
	measured, errs, code := cli(t, "probe", "--lab", "stranded-state", "state-2", "-n", "2", "--save", path)
	again, _, _ := cli(t, "report", path)
	for name, out := range map[string]string{"probe": measured, "report": again} {
		if code != exitDone || !strings.Contains(out, "state      LAX") {
			t.Errorf("%s: exit %d %s\n%s", name, code, errs, out)
		}
	}
}
