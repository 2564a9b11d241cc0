package main

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/coldsplit/coldsplit/pkg/probe/probetest"
)

// lanes is a service that holds a number of streams at once on each of its machines and says "not now"
// to the rest.
type lanes struct {
	each  int           // streams a machine holds; 0 is no bound
	takes time.Duration // from request to the end of the stream
	spent int           // requests the balance pays for; 0 is no bound

	mu       sync.Mutex // guards all below
	held     [2]int
	next     int
	requests int
	paths    []string
	headers  []http.Header
	bodies   []string
}

func (l *lanes) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/health" {
		io.WriteString(w, "well")
		return
	}
	machine, status := l.enter(r)
	w.Header().Set("X-Machine", fmt.Sprintf("m%d", machine+1))
	switch status {
	case http.StatusPaymentRequired:
		http.Error(w, `{"error":{"code":"balance"}}`, status)
	case http.StatusTooManyRequests:
		w.Header().Set("Retry-After", "2")
		http.Error(w, `{"error":{"code":"lane_full"}}`, status)
	default:
		l.stream(w)
		l.mu.Lock()
		l.held[machine]--
		l.mu.Unlock()
	}
}

// enter finds a machine in turn; a machine that is full refuses though the other may have room.
func (l *lanes) enter(r *http.Request) (machine, status int) {
	body, _ := io.ReadAll(r.Body)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.requests++
	l.paths = append(l.paths, r.Method+" "+r.URL.Path)
	l.headers = append(l.headers, r.Header.Clone())
	l.bodies = append(l.bodies, string(body))
	machine = l.next % 2
	l.next++
	switch {
	case l.spent > 0 && l.requests > l.spent:
		return machine, http.StatusPaymentRequired
	case l.each > 0 && l.held[machine] >= l.each:
		return machine, http.StatusTooManyRequests
	}
	l.held[machine]++
	return machine, http.StatusOK
}

func (l *lanes) stream(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "text/event-stream")
	say := func(after time.Duration, text string) {
		time.Sleep(after)
		io.WriteString(w, text)
		w.(http.Flusher).Flush()
	}
	say(0, ": keep alive\n\n")
	say(l.takes/2, `data: {"object":"chat.completion.chunk","choices":[{"delta":{"content":"Hi"}}]}`+"\n\n")
	say(l.takes/2, "data: [DONE]\n\n")
}

// rampJSON is what the tests read of the JSON form.
type rampJSON struct {
	Schema   string
	Sentence string
	Warnings []string
	Stages   []struct {
		Parallel int
		Rate     float64
		Order    int
		Counts   struct {
			Asked, OK, Throttled, Failed, Invalid int
			NotSent                               int `json:"not_sent"`
		}
		Figures map[string]struct {
			N   int
			P50 time.Duration `json:"p50_ns"`
			P95 time.Duration `json:"p95_ns"`
		}
		Throttled *struct {
			Count   int
			Latency struct {
				P50 time.Duration `json:"p50_ns"`
			}
		}
		Start *struct {
			Max time.Duration `json:"skew_max_ns"`
		}
		InFlight int `json:"in_flight"`
		Doubts   []string
	}
	All struct {
		Dry int `json:"payment_required"`
	}
	Templates []struct {
		Name   string
		Counts struct{ OK int }
	}
	Instances []struct {
		Name          string
		OK, Throttled int
	}
	Health *struct{ Counts struct{ OK, Asked int } }
	After  []struct{ Outcome string }
	Run    struct {
		Stop     string
		Unsent   []int
		Reserved float64
	}
	Against *struct{ Stages []struct{ Verdict string } }
}

func (b *bubble) ramp(l *lanes, args ...string) (rampJSON, string) {
	b.t.Helper()
	b.host("llm.test", "192.0.2.1", probetest.Origin{Handler: l})
	stdout, stderr, _ := b.run(append([]string{"ramp", "-f", "json", "--save", b.path("ramp.jsonl")}, args...)...)
	var out rampJSON
	if err := json.Unmarshal([]byte(stdout), &out); err != nil {
		b.t.Fatalf("%v\n%s%s", err, stdout, stderr)
	}
	return out, stderr
}

const llmURL = "https://llm.test/v1/chat"

func TestRampThrottlesApart(t *testing.T) {
	inBubble(t, func(b *bubble) {
		l := &lanes{each: 8, takes: 2 * time.Second}
		got, stderr := b.ramp(l, llmURL, "-X", "POST", "-d", "{}", "--stages", "1,8,24", "--gap", "5s",
			"--instance", "header:X-Machine", "--health", "https://llm.test/health", "--after", "2", "--cost", "25", "--budget", "5000")
		last := got.Stages[2]
		if last.Counts.OK != 16 || last.Counts.Throttled != 8 || last.Throttled.Latency.P50 > 100*ms || last.Figures["total"].P50 < 2*time.Second {
			b.t.Errorf("last stage %+v", last)
		}
		if last.Figures["first_text"].N != 16 || last.Figures["first_text"].P50-last.Figures["ttfb"].P50 != time.Second {
			b.t.Errorf("first text %+v", last.Figures)
		}
		if last.Start.Max != 0 || last.InFlight != 24 || len(last.Doubts) != 0 {
			b.t.Errorf("start %+v, in flight %d, doubts %v", last.Start, last.InFlight, last.Doubts)
		}
		if len(got.Instances) != 2 || got.Instances[0].OK+got.Instances[1].OK != 25 || got.Health == nil || got.Health.Counts.OK < 3 || len(got.After) != 2 {
			b.t.Errorf("instances %+v health %+v after %+v", got.Instances, got.Health, got.After)
		}
		if l.requests != 35 || got.Run.Reserved != 35*25 {
			b.t.Errorf("%d requests, %v reserved", l.requests, got.Run.Reserved)
		}
		for _, part := range []string{"will send   33 POST requests in 3 stages of 1, 8, 24 in parallel, then 2 more", "35 x 25 = 875 of 5,000", "2 gaps of 5 s"} {
			if !strings.Contains(stderr, part) {
				b.t.Errorf("the summary does not say %q:\n%s", part, stderr)
			}
		}
		text, _, _ := b.run("report", b.path("ramp.jsonl"))
		if !strings.Contains(text, "llm.test served 8 streams at once; of 24 it throttled 8 (429 lane_full).") {
			b.t.Errorf("report says\n%s", text)
		}
		again, _, _ := b.run("report", b.path("ramp.jsonl"), "-f", "json")
		var reread rampJSON
		if err := json.Unmarshal([]byte(again), &reread); err != nil {
			b.t.Fatal(err)
		}
		if diff := cmp.Diff(got, reread); diff != "" {
			b.t.Errorf("report of the file differs:\n%s", diff)
		}
	})
}

func TestDryRunSendsNothing(t *testing.T) {
	inBubble(t, func(b *bubble) {
		l := &lanes{takes: time.Second}
		b.host("llm.test", "192.0.2.1", probetest.Origin{Handler: l})
		stdout, stderr, code := b.run("ramp", llmURL, "--dry-run", "--stages", "1,4", "--rounds", "2", "--gap", "65s")
		picture(b.t, stdout, `
will send   10 requests in 2 stages of 1, 4 in parallel, 2 times each
will take   at least 3 min 15 s (3 gaps of 1 min 5 s); Ctrl-C drains and reports
`)
		if code != 0 || stderr != "" || l.requests != 0 || len(b.net.Dials()) != 0 {
			b.t.Errorf("code %d, stderr %q, %d requests", code, stderr, l.requests)
		}
	})
}

func TestBudgetEndsARampBeforeItIsExceeded(t *testing.T) {
	inBubble(t, func(b *bubble) {
		l := &lanes{takes: time.Second}
		got, _ := b.ramp(l, llmURL, "--stages", "1,2,4,8", "--gap", "1s", "--cost", "25", "--budget", "180", "--after", "2")
		if l.requests != 7 || got.Run.Stop != "budget" || got.Run.Reserved != 175 || !slices.Equal(got.Run.Unsent, []int{8}) || len(got.Stages) != 3 {
			b.t.Errorf("%d requests, run %+v", l.requests, got.Run)
		}
	})
	inBubble(t, func(b *bubble) {
		l := &lanes{takes: time.Second}
		b.ramp(l, llmURL, "--stages", "1,2,4,8", "--gap", "1s", "--max-requests", "4")
		if l.requests != 3 {
			b.t.Errorf("%d requests: the stage of 4 would make it 7", l.requests)
		}
	})
}

func TestFindSearchesBetweenCleanAndThrottled(t *testing.T) {
	inBubble(t, func(b *bubble) {
		l := &lanes{each: 3, takes: time.Second} // 6 fit, spread evenly
		got, _ := b.ramp(l, llmURL, "--stages", "1,4,8,16", "--gap", "3s", "--find")
		var sent []int
		for range got.Stages {
			sent = append(sent, 0)
		}
		for _, s := range got.Stages {
			sent[s.Order] = s.Parallel
		}
		if diff := cmp.Diff([]int{1, 4, 8, 6, 7}, sent); diff != "" {
			b.t.Error(diff)
		}
		if !strings.Contains(got.Sentence, "served 6 streams at once; of 7 it throttled 1") {
			b.t.Error(got.Sentence)
		}
	})
}

// stopped is a server that does nothing for a while, as one that was sent SIGSTOP.
type stopped struct {
	from, until time.Time
	takes       time.Duration
}

func (s *stopped) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	if now := time.Now(); !now.Before(s.from) && now.Before(s.until) {
		time.Sleep(s.until.Sub(now))
	}
	time.Sleep(s.takes)
	io.WriteString(w, "ok")
}

func TestAStoppedServerShowsFromTheIntendedStart(t *testing.T) {
	inBubble(t, func(b *bubble) {
		now := time.Now()
		s := &stopped{from: now.Add(2 * time.Second), until: now.Add(4 * time.Second), takes: 20 * ms}
		b.host("llm.test", "192.0.2.1", probetest.Origin{Handler: s})
		args := []string{"ramp", "https://llm.test/", "--rate", "20/s", "--hold", "10s", "--parallel-limit", "4", "--save", b.path("rate.jsonl")}
		stdout, stderr, code := b.run(append(args, "-f", "json")...)
		var got rampJSON
		if err := json.Unmarshal([]byte(stdout), &got); err != nil || code != 0 {
			b.t.Fatalf("%v %d\n%s", err, code, stderr)
		}
		stage := got.Stages[0]
		if stage.Counts.OK != 200 || stage.InFlight != 4 {
			b.t.Errorf("stage %+v", stage)
		}
		// Four were in flight when it stopped: of 200 no more, so p95 of the service time does not know of it.
		if p95 := stage.Figures["total"].P95; p95 > 100*ms {
			b.t.Errorf("service time p95 %v", p95)
		}
		if p95 := stage.Figures["intended"].P95; p95 < 1500*ms {
			b.t.Errorf("p95 from the intended start %v: the stall of 2 s is hidden", p95)
		}
		text, _, _ := b.run("report", b.path("rate.jsonl"))
		for _, part := range []string{"from intended", "service time", "it holds the wait for a place"} {
			if !strings.Contains(text, part) {
				b.t.Errorf("the report does not say %q:\n%s", part, text)
			}
		}
	})
}

func TestWarmWorkersKeepOneConnectionEach(t *testing.T) {
	inBubble(t, func(b *bubble) {
		l := &lanes{takes: 100 * ms}
		got, _ := b.ramp(l, llmURL, "--stages", "2,4", "--rounds", "3", "--gap", "1s", "--state", "warm")
		if n := len(b.net.Dials()); n != 6 {
			b.t.Errorf("%d connections for 2 and 4 workers", n)
		}
		for _, s := range got.Stages {
			if _, has := s.Figures["setup"]; has || s.Counts.OK != 3*s.Parallel {
				b.t.Errorf("stage %+v", s)
			}
		}
	})
}

func TestColdRequestsNeverShareAConnection(t *testing.T) {
	inBubble(t, func(b *bubble) {
		l := &lanes{takes: 100 * ms}
		b.ramp(l, llmURL, "--stages", "2,4", "--hold", "1s", "--gap", "1s")
		if n := len(b.net.Dials()); n != l.requests || n < 12 {
			b.t.Errorf("%d connections for %d requests", n, l.requests)
		}
	})
}

func TestA402IsTheBalanceNotTheCapacity(t *testing.T) {
	inBubble(t, func(b *bubble) {
		got, _ := b.ramp(&lanes{takes: 100 * ms, spent: 5}, llmURL, "--stages", "1,4,8", "--gap", "1s")
		if got.All.Dry != 8 || len(got.Warnings) == 0 || !strings.HasPrefix(got.Warnings[0], "THE ACCOUNT RAN DRY: 8 of 13 answered 402.") {
			b.t.Errorf("%d answered 402; warnings %q", got.All.Dry, got.Warnings)
		}
	})
}

func TestInterruptedRampDrainsAndReports(t *testing.T) {
	inBubble(t, func(b *bubble) {
		l := &lanes{takes: 2 * time.Second}
		b.host("llm.test", "192.0.2.1", probetest.Origin{Handler: l})
		ctx, cancel := context.WithTimeout(context.Background(), 500*ms)
		defer cancel()
		var out, errs bytes.Buffer
		s := streams{in: strings.NewReader(""), out: &out, err: &errs, getenv: func(string) string { return "" },
			world: &world{network: b.net, roots: b.ca.Roots()}}
		code := run(ctx, []string{"ramp", llmURL, "--stages", "4,8", "--save", b.path("cut.jsonl")}, s)
		if code != 0 || l.requests != 4 || !strings.Contains(out.String(), "stopped by the user; what was in flight was drained") ||
			!strings.Contains(out.String(), "4     4          0       0") {
			b.t.Errorf("code %d, %d requests\n%s%s", code, l.requests, out.String(), errs.String())
		}
	})
}

func TestRampsAreComparedWithAnEarlierOne(t *testing.T) {
	inBubble(t, func(b *bubble) {
		slow, quick := &lanes{takes: 2 * time.Second}, &lanes{takes: 500 * ms}
		b.ramp(slow, llmURL, "--stages", "8,16", "--gap", "1s")
		if err := os.Rename(b.path("ramp.jsonl"), b.path("before.jsonl")); err != nil {
			b.t.Fatal(err)
		}
		b.host("quick.test", "192.0.2.2", probetest.Origin{Handler: quick})
		stdout, stderr, _ := b.run("ramp", "https://quick.test/v1/chat", "-f", "json", "--stages", "8,16", "--gap", "1s",
			"--against", b.path("before.jsonl"), "--save", b.path("after.jsonl"))
		var got rampJSON
		if err := json.Unmarshal([]byte(stdout), &got); err != nil {
			b.t.Fatalf("%v\n%s", err, stderr)
		}
		if got.Against == nil || len(got.Against.Stages) != 2 || got.Against.Stages[1].Verdict != "faster" || !strings.Contains(strings.Join(got.Warnings, ""), "NOT THE SAME RAMP: URL") {
			b.t.Errorf("against %+v, warnings %q", got.Against, got.Warnings)
		}
		text, _, _ := b.run("report", b.path("before.jsonl"), b.path("after.jsonl"))
		if !strings.Contains(text, "8 -> 8") || !strings.Contains(text, "faster") {
			b.t.Errorf("report of two ramps:\n%s", text)
		}
	})
}

func TestARampIsNoSampleOfSingleRequests(t *testing.T) {
	inBubble(t, func(b *bubble) {
		b.ramp(&lanes{takes: 100 * ms}, llmURL, "--stages", "2", "--gap", "1s")
		file := b.path("ramp.jsonl")
		for _, args := range [][]string{{"compare", file, file}, {"sample-size", file}, {"report", file, "--by", "family"}, {"report", file, "--at-rtt", "1s"}} {
			stdout, stderr, code := b.run(args...)
			if code != 2 || stdout != "" || !strings.Contains(stderr, "ramp") {
				b.t.Errorf("%v: code %d\n%s%s", args, code, stdout, stderr)
			}
		}
	})
}

func TestRampUsage(t *testing.T) {
	inBubble(t, func(b *bubble) {
		for want, args := range map[string][]string{
			"needs a URL":                      {},
			"--stages: a stage of 65 is above": {llmURL, "--stages", "65"},
			"--stages takes numbers":           {llmURL, "--stages", "1,x"},
			"--rate and --stages exclude":      {llmURL, "--rate", "5/s", "--stages", "1"},
			"--rate takes starts per time":     {llmURL, "--rate", "5"},
			"--cost and --budget belong":       {llmURL, "--cost", "5"},
			"--find searches a number":         {llmURL, "--find", "--rate", "5/s"},
			"--instance takes header:NAME":     {llmURL, "--instance", "x-machine"},
			"--state resumed: ramp sends cold": {llmURL, "--state", "resumed"},
			"ramp takes one protocol":          {llmURL, "--http", "2", "--http", "3"},
			"the environment has no LLM_KEY":   {llmURL, "-H", "Authorization: Bearer {{env.LLM_KEY}}"},
			"--mix takes":                      {llmURL, "--mix", "shuffled"},
			"--by: a ramp is told by stage":    {llmURL, "--by", "family"},
			"no-such-file":                     {llmURL, "--against", "no-such-file.jsonl"},
			"unknown flag: --requests":         {llmURL, "--requests", "3"},
		} {
			stdout, stderr, code := b.run(append([]string{"ramp"}, args...)...)
			wanted := 2
			if want == "no-such-file" {
				wanted = 1
			}
			if code != wanted || stdout != "" || !strings.Contains(stderr, want) || strings.Count(stderr, "\n") != 1 {
				b.t.Errorf("%v: code %d, %q, want %q", args, code, stderr, want)
			}
		}
		if n := len(b.net.Dials()); n != 0 {
			b.t.Errorf("%d connections by wrong usage", n)
		}
	})
}

func TestRampOverHTTP3(t *testing.T) {
	inBubble(t, func(b *bubble) {
		l := &lanes{takes: time.Second, each: 2}
		b.net.Zone["quic.test"] = probetest.Records{A: []string{"192.0.2.9"}, TTL: 60}
		b.stops = append(b.stops, b.net.ServeQUIC("192.0.2.9:443", probetest.Origin{Handler: l, TLS: &tls.Config{Certificates: []tls.Certificate{b.ca.Issue("quic.test")}}}))
		for _, state := range []string{"cold", "warm"} {
			stdout, stderr, code := b.run("ramp", "https://quic.test/v1/chat", "--http", "3", "--state", state, "--stages", "2,8", "--gap", "3s", "-f", "json", "--no-save")
			var got rampJSON
			if err := json.Unmarshal([]byte(stdout), &got); err != nil || code != 0 {
				b.t.Fatalf("%s: %v, code %d\n%s", state, err, code, stderr)
			}
			s := got.Stages[1]
			if s.Counts.OK != 4 || s.Counts.Throttled != 4 || s.Start.Max != 0 || s.Figures["first_text"].N != 4 {
				b.t.Errorf("%s: %+v", state, s)
			}
		}
	})
}
