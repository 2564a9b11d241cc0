package main

import (
	"path/filepath"
	"strings"
	"testing"
)

// A name mistyped was a row that was not there, and nothing said why.
func TestAMistypedNameIsTold(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.jsonl")
	if _, errs, code := cli(t, "probe", sites(t), "-n", "6", "--interval", "1ms", "--save", path); code != exitDone {
		t.Fatal(errs)
	}
	for _, test := range []struct{ flag, value, want string }{
		{"--map", "pre_forward=nosuch", "--map pre_forward=nosuch: no recorded response has it"},
		{"--place", "state=x", "--place state=x: no recorded response has it"},
		{"--by", "header:x-nope", "--by header:x-nope: no recorded response has it"},
		{"--place", "state=header:cf-ray", ""},
		{"--by", "place.accepted", ""},
	} {
		for _, args := range [][]string{{"report", path}, {"compare", path, path}} {
			out, errs, _ := cli(t, append(args, test.flag, test.value)...)
			has := strings.Contains(strings.Join(strings.Fields(out), " "), "no recorded response")
			if has != (test.want != "") || !strings.Contains(strings.Join(strings.Fields(out), " "), test.want) {
				t.Errorf("%v %s %s: does not say %q: %s\n%s", args[0], test.flag, test.value, test.want, errs, out)
			}
		}
	}
	if _, errs, code := cli(t, "report", path, "--at-rtt", "0"); code != exitUsage || !strings.Contains(errs, "--at-rtt takes a round trip above 0") {
		t.Errorf("--at-rtt 0: exit %d %s", code, errs)
	}
}

// "San Jose" was accepted and nothing printed which of them it was taken for.
func TestThePlaceThatANameWasTakenForIsPrinted(t *testing.T) {
	out, errs, code := cli(t, "probe", sites(t), "-n", "2", "--interval", "1ms", "--no-save", "--from", "San Jose")
	if code != exitDone || !strings.Contains(out, "San Jose is taken as San Jose, ") {
		t.Errorf("exit %d %s\n%s", code, errs, out)
	}
}

// A Server header alone was a field that "says where time went".
func TestSoftwareSaysNothingOfTime(t *testing.T) {
	out, _, _ := piped(t, "server: nginx\nvia: 1.1 varnish\nx-cache: HIT\n", "explain")
	if !strings.Contains(out, "Nothing in the response says where time went") {
		t.Errorf("got\n%s", out)
	}
}

// A metric without a rule was lost, and the line it stood in called unknown.
func TestAnUnknownMetricIsListed(t *testing.T) {
	out, _, _ := piped(t, "server-timing: db;dur=5, asn;desc=\"12\", edge;desc=\"NRT\"\n", "explain")
	if !strings.Contains(out, "server-timing asn") || strings.Contains(out, "No rule speaks of: server-timing") {
		t.Errorf("got\n%s", out)
	}
}
