package main

import (
	"encoding/json"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/coldsplit/coldsplit/pkg/probe/probetest"
)

// slowHost answers after two seconds, and throttles every second request when asked to.
func (b *bubble) slowHost(h http.HandlerFunc) {
	b.host("llm.test", "192.0.2.1", probetest.Origin{Handler: h})
}

func TestARateTheCeilingForbidsIsNotReportedAsReached(t *testing.T) {
	inBubble(t, func(b *bubble) {
		b.slowHost(func(w http.ResponseWriter, _ *http.Request) { time.Sleep(2 * time.Second) })
		stdout, stderr, code := b.run("ramp", llmURL, "--rate", "10/s", "--hold", "2s", "--parallel-limit", "4", "--no-save")
		text := strings.Join(strings.Fields(stdout), " ")
		if code != 0 || !strings.Contains(text, "10 a second was not reached: 2.35 a second were sent") || strings.Contains(text, "evenly") {
			b.t.Errorf("code %d\n%s%s", code, stdout, stderr)
		}
	})
}

func TestAHoldLeavesAThrottledPlaceEmptyAsAsked(t *testing.T) {
	inBubble(t, func(b *bubble) {
		sent := 0
		b.slowHost(func(w http.ResponseWriter, _ *http.Request) {
			sent++
			w.Header().Set("Retry-After", "1")
			http.Error(w, "full", http.StatusTooManyRequests)
		})
		_, stderr, _ := b.run("ramp", llmURL, "--stages", "1", "--hold", "3s", "--no-save")
		if sent != 3 || !strings.Contains(stderr, "a throttled place waits its Retry-After, or 1 s") {
			b.t.Errorf("%d requests in three seconds\n%s", sent, stderr)
		}
	})
}

func TestBoundsAreInTheSummaryBeforeAnythingIsSent(t *testing.T) {
	inBubble(t, func(b *bubble) {
		for want, args := range map[string][]string{
			"will cost   15 x 25 = 375 of 400; stops before":             {"--cost", "25", "--budget", "400"},
			"will stop   after 15 of these 31 requests: the next would":  {"--cost", "25", "--budget", "400"},
			"will stop   after 3 of these 31 requests":                   {"--max-requests", "6"},
			"will stop   after 12 of these 100 requests":                 {"--rate", "10/s", "--max-requests", "12"},
			"will cost   at most 16 x 25 = 400 of 400":                   {"--stages", "2", "--hold", "1s", "--cost", "25", "--budget", "400"},
			"will stop   once 16 requests are sent, whatever is planned": {"--stages", "2", "--hold", "1s", "--cost", "25", "--budget", "400"},
			"will cost   33 x 25 = 825 of 9,000":                         {"--after", "2", "--cost", "25", "--budget", "9000"},
		} {
			stdout, stderr, code := b.run(append([]string{"ramp", llmURL, "--dry-run"}, args...)...)
			if code != 0 || !strings.Contains(stdout, want) {
				b.t.Errorf("%v: code %d, not said: %q\n%s%s", args, code, want, stdout, stderr)
			}
		}
		for want, args := range map[string][]string{
			"--budget 20: nothing could be sent, the first stage is 1 request of 25, 25 together": {"--cost", "25", "--budget", "20"},
			"--max-requests 3: nothing could be sent, the first stage is 4 requests":              {"--stages", "4", "--max-requests", "3"},
			"--budget 1: nothing could be sent":                                                   {"--rate", "5/s", "--cost", "2", "--budget", "1"},
		} {
			for _, more := range [][]string{{"--dry-run"}, {"--no-save"}} {
				stdout, stderr, code := b.run(append(append([]string{"ramp", llmURL}, args...), more...)...)
				if code != 2 || stdout != "" || !strings.Contains(stderr, want) {
					b.t.Errorf("%v: code %d, %q, want %q", args, code, stdout+stderr, want)
				}
			}
		}
		if n := len(b.net.Dials()); n != 0 {
			b.t.Errorf("%d connections", n)
		}
	})
}

func TestAfterIsNotDroppedSilentlyByABound(t *testing.T) {
	inBubble(t, func(b *bubble) {
		b.slowHost(func(http.ResponseWriter, *http.Request) {})
		stdout, _, _ := b.run("ramp", llmURL, "--stages", "1,2,4", "--gap", "1s", "--after", "2", "--max-requests", "4", "--no-save")
		if !strings.Contains(stdout, "after     2 requests not sent, the ramp had ended before") {
			b.t.Error(stdout)
		}
	})
}

func TestTheFlagThatIsWrongIsNamed(t *testing.T) {
	inBubble(t, func(b *bubble) {
		for want, args := range map[string][]string{
			"--rounds: a rate has no bursts":               {"--rate", "5/s", "--rounds", "2"},
			"--rounds and --hold exclude each other":       {"--rounds", "3", "--hold", "2s"},
			"--health: ":                                   {"--health", "ftp://foo"},
			"--save keeps the run in a file ending in":     {"--save", b.path("foo.txt")},
			"--dry-run sends nothing, so there is no repo": {"--dry-run", "-f", "csv"},
		} {
			for _, more := range [][]string{nil, {"--dry-run"}} {
				stdout, stderr, code := b.run(append(append([]string{"ramp", llmURL}, args...), more...)...)
				if code != 2 || stdout != "" || !strings.Contains(stderr, want) {
					b.t.Errorf("%v: code %d, %q, want %q", args, code, stdout+stderr, want)
				}
				if want == "--dry-run sends nothing, so there is no repo" {
					break
				}
			}
		}
		if _, err := os.Stat(b.path("foo.txt")); err == nil {
			b.t.Error("a run was kept in foo.txt")
		}
	})
}

func TestADryRunAsJSONIsJSON(t *testing.T) {
	inBubble(t, func(b *bubble) {
		stdout, stderr, code := b.run("ramp", llmURL, "--dry-run", "-f", "json", "--stages", "1,4", "--after", "2", "--max-requests", "4")
		var got struct {
			Schema            string
			Planned, Sendable int
			Summary           []string
		}
		if err := json.Unmarshal([]byte(stdout), &got); err != nil || code != 0 {
			b.t.Fatalf("%v, code %d\n%s%s", err, code, stdout, stderr)
		}
		if got.Schema != "coldsplit.ramp-plan/1" || got.Planned != 7 || got.Sendable != 1 || len(got.Summary) != 3 {
			b.t.Errorf("%+v", got)
		}
	})
}
