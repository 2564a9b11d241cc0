package summary

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/coldsplit/coldsplit/pkg/reading"
	"github.com/coldsplit/coldsplit/pkg/record"
	"github.com/coldsplit/coldsplit/pkg/segment"
	"github.com/coldsplit/coldsplit/pkg/stats"
)

func fixture(t *testing.T, name string) *reading.Arm {
	t.Helper()
	file, err := os.Open(filepath.Join("../../testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	r, err := record.NewReader(file, record.ReadOptions{Name: name})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	set, err := reading.Read(r, reading.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return set.Arms[0]
}

// made reads exchanges that edit shapes; each starts as 100 ms of wait after 20 ms of tcp.
func made(t *testing.T, n int, edit func(i int, x *record.Exchange)) *reading.Arm {
	t.Helper()
	b := reading.NewBuilder(record.Run{Routes: []record.Route{{Name: "route"}}}, reading.Options{})
	for i := range n {
		x := record.Exchange{Route: "route", Seq: i, Outcome: record.OK, Status: 200, First: i == 0}
		x.Segments.Set(segment.TCP, 20*time.Millisecond)
		x.Segments.Set(segment.Wait, time.Duration(100+i%7)*time.Millisecond)
		edit(i, &x)
		x.Total = x.Segments.Sum()
		if err := b.Add(&x); err != nil {
			t.Fatal(err)
		}
	}
	return b.Finish(record.End{}, true).Arms[0]
}

func TestColumnAtP50AddsUp(t *testing.T) {
	for _, name := range []string{"ledger-A.jsonl", "ledger-B.jsonl", "ledger-C.jsonl", "ledger-completion.jsonl"} {
		s := Of(fixture(t, name))
		sum, wait := int64(0), int64(0)
		for _, l := range s.Lines {
			sum += s.At[l.Key]
			if l.Key == segment.Wait || l.Key > segment.Transfer && l.Key <= segment.WaitUnattributed {
				wait += s.At[l.Key]
			}
		}
		if sum != s.At[segment.Total] || sum != s.Total().Value {
			t.Errorf("%s: lines sum to %d, total %d, p50 %d", name, sum, s.At[segment.Total], s.Total().Value)
		}
		if wait != s.At[segment.Wait] {
			t.Errorf("%s: parts of wait sum to %d, wait is %d", name, wait, s.At[segment.Wait])
		}
		if got, want := s.At[segment.Setup], s.At[segment.TCP]+s.At[segment.TLS]; got != want {
			t.Errorf("%s: setup %d, tcp and tls %d", name, got, want)
		}
		if got, want := s.At[segment.TTFB], s.At[segment.Total]-s.At[segment.Transfer]; got != want {
			t.Errorf("%s: ttfb %d, want %d", name, got, want)
		}
	}
}

func TestCompletionTimes(t *testing.T) {
	f := Of(fixture(t, "ledger-completion.jsonl")).Figures[segment.Total]
	for _, test := range []struct {
		p    stats.Percentile
		want int64 // ms
	}{{stats.P10, 1885}, {stats.P50, 2345}, {stats.P90, 3035}, {stats.P99, 3051}} {
		if got, ok := f.At(test.p); !ok || got.Value != test.want*int64(time.Millisecond) {
			t.Errorf("%s = %d, want %d ms", test.p, got.Value, test.want)
		}
	}
	if _, ok := f.At(stats.P95); ok {
		t.Error("p95 is given though no table shows it")
	}
}

// A part of wait that some exchange near the p50 lacks is no line: it would mix 0 with unknown.
func TestAPartThatIsNotAlwaysReportedIsNoLine(t *testing.T) {
	reports := func(when func(int) bool) []segment.Key {
		arm := made(t, 30, func(i int, x *record.Exchange) {
			if when(i) {
				x.Headers = record.Fields{"server-timing": {"upstream;dur=60"}}
			}
		})
		var keys []segment.Key
		for _, l := range Lines(arm, stats.P50) {
			keys = append(keys, l.Key)
		}
		return keys
	}
	always := reports(func(int) bool { return true })
	if !slices.Contains(always, segment.WaitUpstream) || !slices.Contains(always, segment.WaitUnattributed) {
		t.Errorf("reported always: lines %v", always)
	}
	mostly := reports(func(i int) bool { return i%3 > 0 })
	if slices.Contains(mostly, segment.WaitUpstream) {
		t.Errorf("reported by two in three: lines %v", mostly)
	}
}

func TestRowsTileEveryTotal(t *testing.T) {
	for _, name := range []string{"ledger-A.jsonl", "ledger-B.jsonl"} {
		arm := fixture(t, name)
		rows := Rows(arm, Lines(arm, stats.P50))
		for i, total := range rows.Total {
			sum := int64(0)
			for _, col := range rows.Columns {
				sum += col[i]
			}
			if sum != total {
				t.Fatalf("%s: row %d sums to %d of %d", name, i, sum, total)
			}
		}
	}
}

func TestSlowRequestsAndTheirCause(t *testing.T) {
	arm := made(t, 30, func(i int, x *record.Exchange) {
		x.TCP = &record.TCP{MinRTT: 19 * time.Millisecond}
		switch i {
		case 0:
			x.Segments.Set(segment.Wait, 400*time.Millisecond)
		case 11:
			x.TCP.TotalRetrans = 1
			x.Segments.Set(segment.TCP, 1020*time.Millisecond)
		case 20:
			x.TCP.TotalRetrans = 1
			x.Segments.Set(segment.Wait, 325*time.Millisecond)
		}
	})
	s := Of(arm)
	if len(s.Slow) != 3 {
		t.Fatalf("slow %+v, want three", s.Slow)
	}
	for i, want := range []struct {
		seq       int
		segment   segment.Key
		resembles Signature
		mark      reading.Mark
	}{
		{0, segment.WaitUnattributed, Unknown, reading.First},
		{11, segment.TCP, SYNTimeout, reading.SYNLost},
		{20, segment.WaitUnattributed, RTO, reading.Retransmit},
	} {
		got := s.Slow[i]
		if got.Seq != want.seq || got.Segment != want.segment && got.Segment != segment.Wait || got.Resembles != want.resembles || got.Marks&want.mark == 0 {
			t.Errorf("slow %d: %+v, want %+v", i, got, want)
		}
	}
}

// Of five requests the slowest was missing from slow: nothing lies above p90 below ten.
func TestTheSlowestOfFiveIsListed(t *testing.T) {
	took := []time.Duration{884, 487, 470, 1452, 464}
	s := Of(made(t, len(took), func(i int, x *record.Exchange) { x.Segments.Set(segment.Wait, took[i]*time.Millisecond) }))
	var seqs []int
	for _, slow := range s.Slow {
		seqs = append(seqs, slow.Seq)
	}
	if !slices.Equal(seqs, []int{0, 3}) {
		t.Errorf("slow %v, want the first and the fourth", seqs)
	}
}

func TestSignatureOfRetransmissionTimers(t *testing.T) {
	for _, test := range []struct {
		name  string
		slow  Slow
		above time.Duration
		want  Signature
	}{
		{"one SYN", Slow{Segment: segment.TCP}, 1010 * time.Millisecond, SYNTimeout},
		{"two SYNs, doubling", Slow{Segment: segment.TCP}, 3 * time.Second, SYNTimeout},
		{"no step of a SYN", Slow{Segment: segment.TCP}, 500 * time.Millisecond, Unknown},
		{"resolver timeout", Slow{Segment: segment.DNS}, 5 * time.Second, StubRetry},
		{"race", Slow{Segment: segment.Race}, 250 * time.Millisecond, Attempt},
		{"a retransmission the kernel saw", Slow{Segment: segment.TLS, Marks: reading.Retransmit}, 210 * time.Millisecond, RTO},
		{"the same without one", Slow{Segment: segment.TLS}, 210 * time.Millisecond, Unknown},
		{"work, whatever it took", Slow{Segment: segment.WaitPreForward}, 200 * time.Millisecond, Unknown},
	} {
		test.slow.Above = int64(test.above)
		if got := signature(test.slow, int64(15*time.Millisecond)); got != test.want {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
}

func TestNoAnswerMakesAnEmptySummary(t *testing.T) {
	s := Of(made(t, 3, func(_ int, x *record.Exchange) {
		x.Outcome, x.Error = record.Failed, &record.Error{Class: record.ClassTimeout, Segment: segment.Wait, Text: "timeout"}
	}))
	if s.N() != 0 || s.Lines != nil || s.Slow != nil || s.Total().N != 0 {
		t.Errorf("summary of failures only: %+v", s)
	}
}

func TestDriftIsToldFromTenExchangesOn(t *testing.T) {
	slower := func(n int) *Summary {
		return Of(made(t, n, func(i int, x *record.Exchange) {
			x.Segments.Set(segment.Wait, time.Duration(100+10*i)*time.Millisecond)
		}))
	}
	if s := slower(9); s.Drift.Known || s.Drift.Drifts() {
		t.Errorf("nine exchanges: %+v", s.Drift)
	}
	if s := slower(12); !s.Drift.Drifts() || s.Drift.Trend.Tau < 0.9 {
		t.Errorf("twelve exchanges, each slower: %+v", s.Drift)
	}
}
