package main

import (
	"encoding/json"
	"strings"
	"testing"
)

func rampInLab(t *testing.T, args ...string) rampJSON {
	t.Helper()
	if testing.Short() {
		t.Skip("the lab keeps real time: ten seconds")
	}
	stdout, stderr, code := cli(t, append([]string{"ramp", "--no-save", "-f", "json", "--seed", "7", "--gap", "1s"}, args...)...)
	var got rampJSON
	if err := json.Unmarshal([]byte(stdout), &got); err != nil || code != exitDone {
		t.Fatalf("%v, exit %d\n%s%s", err, code, stdout, stderr)
	}
	return got
}

func TestBenchLaneTakesTwelveOfSixteen(t *testing.T) {
	t.Parallel()
	got := rampInLab(t, "--lab", "bench-lane", "--stages", "8,16")
	at8, at16 := got.Stages[0].Counts, got.Stages[1].Counts
	if at8.OK != 8 || at16.OK != 12 || at16.Throttled != 4 || at16.Failed != 0 {
		t.Errorf("at 8 %+v, at 16 %+v", at8, at16)
	}
	if !strings.Contains(got.Sentence, "of 16 it throttled 4 (429 bench_lane_full)") {
		t.Error(got.Sentence)
	}
	if len(got.Instances) != 2 || got.Instances[0].OK == 0 || got.Instances[1].OK == 0 || got.Instances[0].OK+got.Instances[1].OK != 20 {
		t.Errorf("instances %+v", got.Instances)
	}
	if got.Health == nil || got.Health.Counts.OK == 0 || got.Health.Counts.OK != got.Health.Counts.Asked {
		t.Errorf("health %+v", got.Health)
	}
	if len(got.After) != 2 || got.After[0].Outcome != "ok" || got.After[1].Outcome != "ok" {
		t.Errorf("after %+v", got.After)
	}
	if len(got.Templates) != 4 {
		t.Errorf("templates %+v", got.Templates)
	}
}

func TestNormalLaneTakesAll(t *testing.T) {
	t.Parallel()
	got := rampInLab(t, "--lab", "bench-lane/normal", "--stages", "16,32,64", "--after", "0")
	for _, s := range got.Stages {
		if s.Counts.OK != s.Parallel {
			t.Errorf("%d at once: %+v", s.Parallel, s.Counts)
		}
	}
}
