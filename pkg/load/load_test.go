package load

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/coldsplit/coldsplit/pkg/reading"
	"github.com/coldsplit/coldsplit/pkg/record"
	"github.com/coldsplit/coldsplit/pkg/segment"
)

const ms = time.Millisecond

// began is when every made-up ramp starts.
var began = time.Date(2026, 11, 30, 2, 10, 0, 0, time.UTC)

// ramped makes the exchanges of a ramp, stage after stage.
type ramped struct {
	plan Plan
	all  []record.Exchange
	at   time.Time
	end  record.End
}

func newRamped(p Plan) *ramped { return &ramped{plan: p, at: began} }

// one is an exchange as a test needs it.
type one struct {
	outcome  record.Outcome
	total    time.Duration
	skew     time.Duration
	lag      time.Duration
	late     time.Duration
	instance string
	template string
	status   int
	text     time.Duration
}

// stage adds exchanges that leave at one instant, and a gap.
func (r *ramped) stage(index int, ones ...one) {
	for _, o := range ones {
		r.add(index, 0, o)
	}
	r.at = r.at.Add(time.Minute)
}

func (r *ramped) add(index, pair int, o one) {
	ex := record.Exchange{
		Route: "target", Seq: len(r.all), Pair: pair, Started: r.at.Add(o.skew), Outcome: o.outcome, Status: o.status,
		Total: o.total, StartSkew: o.skew, SchedLag: o.lag, HasLag: true, Intended: -o.late, Stage: index, HasStage: index >= 0,
		Instance: o.instance, Template: o.template, Protocol: "h2",
	}
	var t segment.Timeline
	t.End(segment.TCP, 20*ms)
	t.End(segment.TLS, 60*ms)
	t.End(segment.Send, 60*ms)
	t.End(segment.Wait, min(100*ms, o.total))
	t.End(segment.Transfer, o.total)
	ex.Segments = t.Split()
	if o.text > 0 {
		ex.Stream = &record.Stream{HasText: true, FirstText: o.text, Texts: 5, GapP50: 20 * ms, Stall: 7 * o.text}
	}
	switch o.outcome {
	case record.Throttled:
		ex.Throttle = &record.Throttle{Reason: "bench_lane_full", RetryAfter: 2 * time.Second, HasRetryAfter: true}
	case record.Failed:
		ex.Error = &record.Error{Class: record.ClassStatus, Segment: segment.Wait, Text: fmt.Sprint("status ", o.status)}
	}
	r.all = append(r.all, ex)
}

func (r *ramped) run() record.Run {
	raw, err := json.Marshal(map[string]any{"command": "ramp", "ramp": r.plan})
	if err != nil {
		panic(err)
	}
	return record.Run{ID: "1", Started: began, Order: Order, Plan: raw, Routes: []record.Route{
		{Name: "target", URL: "https://llm.example.net/v1/chat/completions", Protocol: "auto", State: "cold"},
		{Name: "health", URL: "https://llm.example.net/health", Role: "health"},
	}}
}

func (r *ramped) read(t *testing.T) *Ramp {
	t.Helper()
	b := NewBuilder(r.run(), reading.Options{})
	for i := range r.all {
		if err := b.Add(&r.all[i]); err != nil {
			t.Fatal(err)
		}
	}
	return b.Finish(r.end, true)
}

// many repeats an exchange with totals from lo upwards in steps.
func many(n int, lo, step time.Duration, o one) []one {
	var out []one
	for i := range n {
		o.total = lo + time.Duration(i)*step
		out = append(out, o)
	}
	return out
}

func ok(total time.Duration) one { return one{outcome: record.OK, total: total, status: 200} }

func throttled(after time.Duration) one {
	return one{outcome: record.Throttled, total: after, status: 429}
}

func TestThrottledNeverEntersTheFiguresOfTheAccepted(t *testing.T) {
	r := newRamped(Plan{Stages: []int{4, 8}})
	r.stage(0, many(4, 2000*ms, 10*ms, ok(0))...)
	r.stage(1, append(many(6, 2400*ms, 10*ms, ok(0)), throttled(110*ms), throttled(130*ms))...)
	got := r.read(t)
	s := got.Stages[1]
	if s.Counts != (record.Counts{Asked: 8, OK: 6, Throttled: 2}) {
		t.Errorf("counts %+v", s.Counts)
	}
	if s.Total.N != 6 || s.Total.P50.Value != int64(2420*ms) || s.Total.P95.Value != int64(2450*ms) {
		t.Errorf("accepted %+v", s.Total)
	}
	th := s.Throttled
	if th.N != 2 || th.Latency.P50.Value != int64(110*ms) || th.RetryAfter != 2*time.Second || th.Reasons[0].Value != "bench_lane_full" || th.Statuses[0].Value != "429" {
		t.Errorf("throttled %+v", th)
	}
	if i, found := got.FirstThrottled(); !found || i != 1 {
		t.Errorf("first throttled %d %v", i, found)
	}
	if i, found := got.LastClean(); !found || i != 0 {
		t.Errorf("last clean %d %v", i, found)
	}
	if s.Summary == nil || s.Summary.N() != 6 {
		t.Errorf("segments of the accepted: %+v", s.Summary)
	}
}

func TestStallsOfStreamsAreToldByStage(t *testing.T) {
	r := newRamped(Plan{Stages: []int{2, 2}})
	r.stage(0, one{outcome: record.OK, total: time.Second, text: 30 * ms}, ok(time.Second))
	r.stage(1, one{outcome: record.OK, total: time.Second, text: 50 * ms}, one{outcome: record.OK, total: time.Second, text: 40 * ms})
	got := r.read(t)
	if s := got.Stages[0]; s.Gap.N != 1 || s.Stall.Max != int64(210*ms) {
		t.Errorf("first stage: gap %+v, stall %+v", s.Gap, s.Stall)
	}
	if got.All.Stall.Max != int64(350*ms) || got.All.Gap.P50.Value != int64(20*ms) {
		t.Errorf("all: gap %+v, stall %+v", got.All.Gap, got.All.Stall)
	}
}

func TestTheBalanceIsNamedApartFromTheCapacity(t *testing.T) {
	r := newRamped(Plan{Stages: []int{2}})
	r.stage(0, ok(1*time.Second), one{outcome: record.Failed, total: 200 * ms, status: 402})
	got := r.read(t)
	if got.All.Dry != 1 || got.All.Counts.Failed != 1 || got.All.Failures[0].Status != 402 {
		t.Errorf("all %+v", got.All)
	}
}

func TestPlannedStagesThatWereNotSentAreNamed(t *testing.T) {
	r := newRamped(Plan{Stages: []int{1, 4, 8}, Rounds: 2})
	r.stage(0, ok(1*time.Second), ok(1*time.Second))
	r.stage(1, many(4, 1000*ms, 0, ok(0))...)
	got := r.read(t)
	if diff := cmp.Diff([]int{8}, got.Unsent); diff != "" {
		t.Error(diff)
	}
	if c := got.Stages[1].Counts; c.Asked != 8 || c.NotSent != 4 {
		t.Errorf("second stage %+v: its second round was never sent", c)
	}
}

func TestASearchIsShownByNumber(t *testing.T) {
	r := newRamped(Plan{Stages: []int{1, 4}, Find: true})
	r.stage(0, ok(time.Second))
	r.stage(1, append(many(3, 1000*ms, 0, ok(0)), throttled(100*ms))...)
	r.stage(2, ok(time.Second), ok(time.Second))
	r.stage(3, ok(time.Second), ok(time.Second), ok(time.Second))
	var numbers []int
	for _, s := range r.read(t).Stages {
		numbers = append(numbers, s.Parallel)
	}
	if diff := cmp.Diff([]int{1, 2, 3, 4}, numbers); diff != "" {
		t.Error(diff)
	}
}

func TestAStageThatIsNotWhatItClaimsIsDoubted(t *testing.T) {
	for name, c := range map[string]struct {
		ones []one
		want []Doubt
	}{
		"all at once": {many(4, 1000*ms, 0, one{outcome: record.OK, skew: 1 * ms}), nil},
		"starts far apart": {[]one{
			{outcome: record.OK, total: time.Second, skew: 60 * ms}, {outcome: record.OK, total: time.Second, skew: 70 * ms},
			{outcome: record.OK, total: time.Second, skew: 80 * ms}, {outcome: record.OK, total: time.Second, skew: 90 * ms}}, []Doubt{Skewed}},
		"one after the other": {[]one{
			{outcome: record.OK, total: 5 * ms}, {outcome: record.OK, total: 5 * ms, skew: 1 * ms},
			{outcome: record.OK, total: 5 * ms, skew: 6 * ms}, {outcome: record.OK, total: 5 * ms, skew: 7 * ms}}, []Doubt{Short}},
		"no processor left": {many(4, 1000*ms, 0, one{outcome: record.OK, lag: 80 * ms}), []Doubt{Starved}},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRamped(Plan{Stages: []int{4}})
			r.stage(0, c.ones...)
			if diff := cmp.Diff(c.want, r.read(t).Stages[0].Doubts); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestSkewOfAHoldIsThatOfItsFirstBurst(t *testing.T) {
	r := newRamped(Plan{Stages: []int{2}, Hold: 3 * time.Second})
	r.add(0, 0, one{outcome: record.OK, total: time.Second, skew: 1 * ms})
	r.add(0, 0, one{outcome: record.OK, total: time.Second, skew: 3 * ms})
	r.at = r.at.Add(time.Second)
	r.add(0, 1, one{outcome: record.OK, total: time.Second, skew: 500 * ms})
	s := r.read(t).Stages[0]
	if s.Start.N != 2 || s.Start.Max != 3*ms || s.Parallel != 2 || s.Counts.NotSent != 0 {
		t.Errorf("start %+v of %d in parallel, counts %+v", s.Start, s.Parallel, s.Counts)
	}
}

func TestIntendedLatencyHoldsTheWaitForAPlace(t *testing.T) {
	r := newRamped(Plan{Rates: []float64{2}, Hold: 2 * time.Second})
	r.stage(0, one{outcome: record.OK, total: 100 * ms}, one{outcome: record.OK, total: 100 * ms, late: 900 * ms},
		one{outcome: record.OK, total: 100 * ms, late: 1900 * ms}, one{outcome: record.OK, total: 100 * ms, late: 1400 * ms})
	s := r.read(t).Stages[0]
	if s.Rate != 2 || s.Parallel != 0 || s.Total.P95.Value != int64(100*ms) || s.Intended.P95.Value != int64(2*time.Second) {
		t.Errorf("stage %+v", s.Group)
	}
}

func TestOneMachineFullAndOneWithRoom(t *testing.T) {
	r := newRamped(Plan{Stages: []int{16}, Instance: "header:x-machine"})
	on := func(name string, o one) one { o.instance = name; return o }
	var ones []one
	for i := range 16 {
		switch {
		case i < 8:
			ones = append(ones, on("m-a1", ok(2*time.Second)))
		case i < 11:
			ones = append(ones, on("m-a1", throttled(100*ms)))
		default:
			ones = append(ones, on("m-b7", ok(2*time.Second)))
		}
	}
	r.stage(0, ones...)
	r.stage(1, append(many(8, time.Second, 0, on("m-b7", ok(0))), many(8, time.Second, 0, on("m-a1", ok(0)))...)...)
	got := r.read(t)
	u, found := got.Uneven()
	if want := (Uneven{Stage: 0, Full: "m-a1", Held: 8, Throttled: 3, Room: "m-b7", RoomHeld: 5, Alike: true}); !found || u != want {
		t.Errorf("got %+v %v, want %+v", u, found, want)
	}
	if got.Instances[0].Counts.OK != 16 || got.Instances[1].Stages[0].Held != 5 {
		t.Errorf("instances %+v", got.Instances)
	}
}

func TestKneeIsWhereTheAcceptedBecomeSlower(t *testing.T) {
	flat := newRamped(Plan{Stages: []int{4, 8, 16}})
	flat.stage(0, many(4, 1000*ms, 3*ms, ok(0))...)
	flat.stage(1, many(8, 1001*ms, 1*ms, ok(0))...)
	flat.stage(2, many(16, 999*ms, 1*ms, ok(0))...)
	if k, found := flat.read(t).Knee(); found {
		t.Errorf("a knee in a flat ramp: %+v", k)
	}
	bent := newRamped(Plan{Stages: []int{4, 8, 16}})
	bent.stage(0, many(4, 1000*ms, 3*ms, ok(0))...)
	bent.stage(1, many(8, 1001*ms, 1*ms, ok(0))...)
	bent.stage(2, many(16, 1500*ms, 4*ms, ok(0))...)
	k, found := bent.read(t).Knee()
	if !found || k.Below != 1 || k.At != 2 || !k.Change.Complete() || k.Change.Lo < int64(480*ms) {
		t.Errorf("knee %+v %v", k, found)
	}
}

func TestHealthAndAfterStandApart(t *testing.T) {
	r := newRamped(Plan{Stages: []int{1}, After: 1})
	r.stage(0, ok(time.Second))
	r.add(-1, 0, one{outcome: record.OK, total: 512 * ms, text: 400 * ms})
	for i, o := range []record.Outcome{record.OK, record.Failed, record.OK} {
		r.add(0, 0, one{outcome: o, total: time.Duration(30+i) * ms, status: 503})
		r.all[len(r.all)-1].Route = "health"
	}
	got := r.read(t)
	if got.All.Counts.Asked != 1 || got.Requests != 2 || len(got.After) != 1 || got.After[0].FirstText != 400*ms {
		t.Errorf("all %+v, after %+v", got.All.Counts, got.After)
	}
	h := got.Health
	if h.Counts.OK != 2 || h.Counts.Asked != 3 || h.FirstBad == nil || h.FirstBad.Status != 503 || h.Total.P95.Value != int64(32*ms) {
		t.Errorf("health %+v", h)
	}
}

func TestRampsAreComparedStageByStage(t *testing.T) {
	old, now := newRamped(Plan{Stages: []int{8, 16}}), newRamped(Plan{Stages: []int{8, 16, 32}})
	old.stage(0, many(8, 1000*ms, 2*ms, ok(0))...)
	old.stage(1, append(many(8, 2000*ms, 2*ms, ok(0)), many(8, 100*ms, 0, throttled(0))...)...)
	now.stage(0, many(8, 1001*ms, 2*ms, ok(0))...)
	now.stage(1, many(16, 1000*ms, 2*ms, ok(0))...)
	now.stage(2, many(32, 1100*ms, 2*ms, ok(0))...)
	c := Compare(old.read(t), now.read(t))
	if len(c.Steps) != 2 || c.Steps[0].Verdict() != Noise || c.Steps[1].Verdict() != Faster || c.Steps[1].PThrottled > 0.01 {
		t.Errorf("steps %+v", c.Steps)
	}
	if diff := cmp.Diff([2][]int{nil, {32}}, c.Alone); diff != "" {
		t.Error(diff)
	}
	back := Compare(now.read(t), old.read(t))
	if back.Steps[1].Verdict() != Slower || back.Steps[1].Change.Delta != -c.Steps[1].Change.Delta {
		t.Errorf("swapped: %+v", back.Steps[1].Change)
	}
}

func TestARunFileGivesTheRampAgain(t *testing.T) {
	r := newRamped(Plan{Stages: []int{2}, Cost: 25, Budget: 100})
	r.stage(0, ok(time.Second), throttled(100*ms))
	var file bytes.Buffer
	w, err := record.NewWriter(&file, record.WriteOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range []func() error{
		func() error { return w.Run(r.run()) }, func() error { return w.Exchange(&r.all[0]) }, func() error { return w.Exchange(&r.all[1]) },
	} {
		if err := step(); err != nil {
			t.Fatal(err)
		}
	}
	cut := file.String()
	if err := w.End(record.End{Counts: record.Counts{Asked: 2, OK: 1, Throttled: 1}}); err != nil {
		t.Fatal(err)
	}
	want := r.read(t)
	got := readFile(t, file.Bytes())
	if diff := cmp.Diff(want.Stages[0].Counts, got.Stages[0].Counts); diff != "" || got.Plan.Budget != 100 || len(got.Warnings) != 0 {
		t.Errorf("%s plan %+v warnings %q", diff, got.Plan, got.Warnings)
	}
	if half := readFile(t, []byte(cut)); half.Complete || len(half.Warnings) != 1 || len(half.Stages) != 1 {
		t.Errorf("cut off: %+v", half.Warnings)
	}
}

func readFile(t *testing.T, file []byte) *Ramp {
	t.Helper()
	r, err := record.NewReader(bytes.NewReader(file), record.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if !IsRamp(r.Run()) {
		t.Error("not recognised as a ramp")
	}
	ramp, err := Read(r, reading.Options{})
	if err != nil && err != io.EOF {
		t.Fatal(err)
	}
	return ramp
}
