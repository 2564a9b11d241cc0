package main

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/coldsplit/coldsplit/pkg/probe/probetest"
)

func TestASavedRampIsMeasuredAgain(t *testing.T) {
	inBubble(t, func(b *bubble) {
		l := &lanes{takes: 100 * ms}
		b.host("llm.test", "192.0.2.1", probetest.Origin{Handler: l})
		s := streams{getenv: func(name string) string {
			return map[string]string{"LLM_KEY": "sk-very-secret", "XDG_STATE_HOME": b.dir}[name]
		}}
		if out, errs, code := b.runWith(s, "ramp", llmURL, "-H", "Authorization: Bearer {{env.LLM_KEY}}", "--stages", "1,3", "--gap", "1s", "--save", b.path("a.jsonl")); code != 0 {
			b.t.Fatal(out, errs)
		}
		if file := readFile(b.t, b.path("a.jsonl")); strings.Contains(file, "sk-very-secret") || !strings.Contains(file, "{{env.LLM_KEY}}") {
			b.t.Error("the plan should keep the variable's name and not its value")
		}
		out, errs, code := b.runWith(s, "again", b.path("a.jsonl"), "-f", "json", "--save", b.path("b.jsonl"))
		var got rampJSON
		if err := json.Unmarshal([]byte(out), &got); err != nil || code != 0 || len(got.Stages) != 2 || got.Stages[1].Counts.OK != 3 {
			b.t.Fatalf("%v code %d\n%s%s", err, code, out, errs)
		}
		if l.requests != 8 || l.headers[7].Get("Authorization") != "Bearer sk-very-secret" {
			b.t.Errorf("%d requests, last with %q", l.requests, l.headers[7].Get("Authorization"))
		}
	})
}

func TestTheChartIsForATerminal(t *testing.T) {
	inBubble(t, func(b *bubble) {
		b.host("llm.test", "192.0.2.1", probetest.Origin{Handler: &lanes{takes: 100 * ms}})
		for _, tty := range []bool{true, false} {
			out, _, _ := b.runWith(streams{outTTY: tty}, "ramp", llmURL, "--stages", "1,2", "--gap", "0", "--no-save", "--color", "never")
			if strings.Contains(out, "accepted =  throttled x") != tty {
				b.t.Errorf("terminal %v:\n%s", tty, out)
			}
		}
	})
}

func TestRedactedRampNamesNobody(t *testing.T) {
	inBubble(t, func(b *bubble) {
		b.ramp(&lanes{takes: 100 * ms}, llmURL, "--stages", "1,2", "--gap", "1s", "--cost", "2", "--budget", "6")
		out, errs, code := b.run("report", b.path("ramp.jsonl"), "--redact")
		if code != 0 || strings.Contains(out, "llm.test") || !strings.Contains(out, "3 requests x 2 = 6 of 6 reserved") || !strings.Contains(out, "     sum     3") {
			b.t.Errorf("code %d\n%s%s", code, out, errs)
		}
	})
}

func TestTextPathTellsTextInProbeToo(t *testing.T) {
	inBubble(t, func(b *bubble) {
		b.host("own.test", "192.0.2.1", probetest.Origin{Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			for i, text := range []string{`data: {"t":""}`, `data: {"t":"Hi"}`, "event: END\ndata: x"} {
				time.Sleep(time.Duration(i) * 40 * ms)
				io.WriteString(w, text+"\n\n")
				w.(http.Flusher).Flush()
			}
		})})
		out, errs, code := b.probe("own.jsonl", "https://own.test/", "-n", "1", "--text-path", "t", "--terminal-event", "END", "-f", "json")
		var got struct {
			Arms []struct {
				Segments map[string]struct {
					P50 time.Duration `json:"p50_ns"`
				}
			}
		}
		if err := json.Unmarshal([]byte(out), &got); err != nil || code != 0 {
			b.t.Fatalf("%v code %d\n%s%s", err, code, out, errs)
		}
		if s := got.Arms[0].Segments; s["transfer.before_text"].P50 != 40*ms || s["transfer.text"].P50 != 80*ms {
			b.t.Errorf("segments %+v", s)
		}
		_, errs, code = b.run("probe", "https://own.test/", "--text-path", "a[")
		if code != 2 || !strings.Contains(errs, "--text-path") {
			b.t.Errorf("code %d, %q", code, errs)
		}
	})
}
