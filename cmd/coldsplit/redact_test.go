package main

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/coldsplit/coldsplit/pkg/probe/probetest"
)

func TestRedactedOutputNamesNobody(t *testing.T) {
	secret := regexp.MustCompile(`(?i)example|203\.0\.113|198\.51\.100|sao|paulo|\bGRU\b|\bIAD\b|2001:db8`)
	inBubble(t, func(b *bubble) {
		answer := probetest.Origin{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			pause(r, 20*ms)
			w.Header().Set("Cf-Ray", "8f2b1c3d4e5f6a7b-GRU")
			w.Header().Set("Cf-Placement", "remote-IAD")
		})}
		b.host("blue.example.com", "203.0.113.1", answer)
		b.host("green.example.com", "203.0.113.2", answer)
		urls := []string{"https://blue.example.com/", "https://green.example.com/"}
		b.run(append([]string{"probe", "--save", b.path("run.jsonl"), "-n", "6", "--from", "sao paulo"}, urls...)...)
		b.net.Silence("203.0.113.9")
		b.run("probe", "--save", b.path("dead.jsonl"), "--via", "203.0.113.9", urls[0])
		for name, args := range map[string][]string{
			"probe":     append([]string{"probe", "--no-save", "-n", "6", "--from", "sao paulo"}, urls...),
			"report":    {"report", b.path("run.jsonl")},
			"two files": {"report", b.path("run.jsonl"), b.path("dead.jsonl")},
			"failure":   {"report", b.path("dead.jsonl")},
			"compare":   {"compare", b.path("run.jsonl") + "#blue.example.com", b.path("run.jsonl") + "#green.example.com"},
			"live":      append([]string{"compare", "--no-save", "-n", "6", "--from", "sao paulo"}, urls...),
			"size":      {"sample-size", b.path("run.jsonl") + "#blue.example.com"},
		} {
			for _, format := range []string{"text", "md", "csv", "json"} {
				out, errs, code := b.run(append(args, "--redact", "-f", format)...)
				if code != exitDone && name != "failure" {
					t.Errorf("%s %s: exit %d %s", name, format, code, errs)
				}
				if found := secret.FindString(out); found != "" {
					t.Errorf("%s %s names %q:\n%s", name, format, found, out)
				}
			}
		}
		for name, args := range map[string][]string{
			"unsafe":   {"probe", "--no-save", "-n", "1", "-d", "x", urls[0]},
			"ramp":     {"ramp", "--no-save", "--stages", "1,2", "--gap", "0", urls[0]},
			"dry run":  {"ramp", "--no-save", "--stages", "1,2", "--dry-run", urls[0]},
			"terminal": {"probe", "--save", b.path("tty.jsonl"), "-n", "2", urls[0]},
		} {
			out, errs, code := b.runWith(streams{errTTY: true}, append(args, "--redact")...)
			if found := secret.FindString(out + errs); found != "" || code != exitDone || errs == "" && name != "dry run" {
				t.Errorf("%s: exit %d, names %q on the way:\n%s%s", name, code, found, out, errs)
			}
		}
		out, _, _ := b.run("report", b.path("run.jsonl"))
		if !secret.MatchString(out) {
			t.Errorf("nothing to hide in\n%s", out)
		}
		out, _, _ = b.run("report", b.path("run.jsonl"), "--redact")
		for _, want := range []string{"host-1", "host-2", "addr-1", "city-1"} {
			if !strings.Contains(out, want) {
				t.Errorf("lacks %s in\n%s", want, out)
			}
		}
	})
}
