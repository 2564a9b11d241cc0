package main

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
)

// piped runs the program with text on standard input.
func piped(t *testing.T, text string, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	var out, errs bytes.Buffer
	s := streams{in: strings.NewReader(text), out: &out, err: &errs, getenv: func(string) string { return "" }}
	code = run(t.Context(), args, s)
	return out.String(), errs.String(), code
}

const pastedHead = `* Connected
< HTTP/2 301
< location: /en
<
HTTP/2 200
< server: cloudflare
cf-ray: 8f0123456789abcd-NRT
CF-Placement: remote-IAD
Server-Timing: cfEdge;dur=4, cfOrigin;dur=27
x-evil: ` + "\x1b[31mred" + `
`

func TestExplainReadsAPastedHead(t *testing.T) {
	out, errs, code := piped(t, pastedHead, "explain")
	if code != exitDone {
		t.Fatalf("exit %d: %s", code, errs)
	}
	for _, want := range []string{"accepted at NRT, Tokyo, JP", "pre_forward of at most 4 ms", "upstream of 27 ms",
		"accepted and compute are 10,000 km or more apart", "No rule speaks of: x-evil."} {
		if !strings.Contains(out, want) {
			t.Errorf("output does not say %q:\n%s", want, out)
		}
	}
	if strings.Contains(out, "location") {
		t.Errorf("the head before the last is explained too:\n%s", out)
	}
}

func TestExplainTakesAMapping(t *testing.T) {
	out, _, code := piped(t, "x-gate: 12\nserver-timing: pod;dur=65\n", "explain", "--map", "pre_forward=header:x-gate", "--map", "upstream=pod", "-f", "json")
	var got struct {
		Schema string            `json:"schema"`
		Used   map[string]string `json:"used"`
	}
	if err := json.Unmarshal([]byte(out), &got); err != nil || code != exitDone {
		t.Fatalf("exit %d, %v: %s", code, err, out)
	}
	if got.Schema != "coldsplit.explain/1" || got.Used["wait.pre_forward"] != "x-gate" || got.Used["wait.upstream"] != "server-timing: pod" {
		t.Errorf("got %+v", got)
	}
}

func TestExplainAsksAURLOnce(t *testing.T) {
	var asked atomic.Int32
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		w.Header().Set("Server-Timing", "pre_forward;dur=12")
		w.Header().Set("Set-Cookie", "session=s3cret")
	}))
	defer srv.Close()
	out, errs, code := cli(t, "explain", srv.URL)
	if code != exitDone || asked.Load() != 1 || !strings.Contains(out, "wait.pre_forward") || strings.Contains(out, "s3cret") {
		t.Errorf("exit %d, asked %d times, %s\n%s", code, asked.Load(), errs, out)
	}
}

func TestExplainSaysWhatItNeeds(t *testing.T) {
	if _, errs, code := piped(t, "no field here\n", "explain"); code != exitUsage || !strings.Contains(errs, "paste a response head") {
		t.Errorf("exit %d: %s", code, errs)
	}
	if _, errs, code := piped(t, strings.Repeat("x", maxHead+1), "explain"); code != exitUsage || !strings.Contains(errs, "longer than") {
		t.Errorf("exit %d: %s", code, errs)
	}
}

// sites answers from two of them in turn, the second seldom, with a mapping of its own.
func sites(t *testing.T) (url string) {
	t.Helper()
	var n atomic.Int32
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		site := "NRT"
		turn := int(n.Add(1))
		if turn%5 == 0 {
			site = "HKG"
		}
		w.Header().Set("Cf-Ray", "8f0123456789abcd-"+site)
		w.Header().Set("X-Backend", strings.Repeat("b", 1+turn%2))
		w.Header().Set("X-Gate", "0.25ms")
	}))
	t.Cleanup(srv.Close)
	return srv.URL
}

func TestByOnProbeReportAndCompare(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.jsonl")
	out, errs, code := cli(t, "probe", sites(t), "-n", "14", "--interval", "1ms", "--save", path,
		"--by", "place.accepted", "--map", "pre_forward=header:x-gate")
	if code != exitDone || !strings.Contains(out, "place.accepted NRT") || !strings.Contains(out, "place.accepted other") ||
		!strings.Contains(out, "wait.pre_forward") {
		t.Fatalf("probe: exit %d %s\n%s", code, errs, out)
	}
	out, errs, code = cli(t, "report", path, "--by", "header:x-backend")
	if code != exitDone || !strings.Contains(out, "header:x-backend b") || !strings.Contains(out, "header:x-backend bb") {
		t.Errorf("report: exit %d %s\n%s", code, errs, out)
	}
	out, errs, code = cli(t, "compare", path, path, "--by", "header:x-backend", "-f", "json")
	if code != exitDone || !json.Valid([]byte(out)) || !strings.Contains(out, `"bb"`) {
		t.Errorf("compare: exit %d %s\n%s", code, errs, out)
	}
	if _, errs, code = cli(t, "report", path, "--by", "colour"); code != exitUsage || !strings.Contains(errs, "place.accepted") {
		t.Errorf("an unknown dimension: exit %d %s", code, errs)
	}
}

func TestGroupsAreRedactedAsPlacesAre(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.jsonl")
	if out, errs, code := cli(t, "probe", sites(t), "-n", "25", "--interval", "1ms", "--save", path); code != exitDone {
		t.Fatalf("probe: exit %d %s\n%s", code, errs, out)
	}
	for _, args := range [][]string{{"report", path}, {"compare", path, path}} {
		out, errs, code := cli(t, append(args, "--by", "place.accepted", "--redact")...)
		if code != exitDone || strings.Contains(out, "NRT") || strings.Contains(out, "Tokyo") || !strings.Contains(out, "city-1") {
			t.Errorf("%s: exit %d %s\n%s", args[0], code, errs, out)
		}
	}
}

func TestMaxIsNotDecidedByDimension(t *testing.T) {
	a, b := "../../testdata/ledger-A.jsonl", "../../testdata/ledger-B.jsonl"
	out, _, code := cli(t, "compare", a, b, "--by", "family", "--max", "total.p50=1s")
	if code != exitUndecided || !strings.Contains(out, "--max was not held") {
		t.Errorf("exit %d\n%s", code, out)
	}
}

func TestReportAtRTT(t *testing.T) {
	file := "../../testdata/ledger-C.jsonl"
	for _, format := range []string{"text", "md", "csv", "json"} {
		out, errs, code := cli(t, "report", file, "--at-rtt", "250ms", "-f", format)
		if code != exitDone || !strings.Contains(out, "projected") {
			t.Errorf("%s: exit %d %s\n%s", format, code, errs, out)
		}
	}
	if _, errs, code := cli(t, "report", file, "--at-rtt", "1ms"); code != exitFailed || !strings.Contains(errs, "farther away") {
		t.Errorf("nearer than measured: exit %d %s", code, errs)
	}
}

// TestReportFromHoldsSignsAgainstLight: where the machine was can be said afterwards.
func TestReportFromHoldsSignsAgainstLight(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.jsonl")
	if out, errs, code := cli(t, "probe", sites(t), "-n", "5", "--interval", "1ms", "--save", path); code != exitDone {
		t.Fatalf("probe: exit %d %s\n%s", code, errs, out)
	}
	out, errs, code := cli(t, "report", path, "--from", "frankfurt")
	if code != exitDone || !strings.Contains(out, "Accepted at NRT (Tokyo, JP) cannot be true") {
		t.Errorf("exit %d %s\n%s", code, errs, out)
	}
	if _, errs, code = cli(t, "report", path, "--from", "nowhere at all"); code != exitUsage || !strings.Contains(errs, "--from") {
		t.Errorf("an unknown place: exit %d %s", code, errs)
	}
}
