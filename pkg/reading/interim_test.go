package reading

import (
	"testing"
	"time"

	"github.com/coldsplit/coldsplit/pkg/record"
	"github.com/coldsplit/coldsplit/pkg/segment"
)

// armOfMade reads n ok exchanges of 20 ms tcp and 100 ms wait that edit shapes.
func armOfMade(t *testing.T, n int, edit func(i int, x *record.Exchange)) *Arm {
	t.Helper()
	b := NewBuilder(record.Run{Routes: []record.Route{{Name: "route"}}}, Options{})
	for i := range n {
		x := record.Exchange{Route: "route", Seq: i, Outcome: record.OK, Status: 200}
		x.Segments.Set(segment.TCP, 20*time.Millisecond)
		x.Segments.Set(segment.Wait, 100*time.Millisecond)
		edit(i, &x)
		x.Total = x.Segments.Sum()
		if err := b.Add(&x); err != nil {
			t.Fatal(err)
		}
	}
	return b.Finish(record.End{}, true).Arms[0]
}

// Interim responses were in the file and in no reading.
func TestInterimResponsesAreCountedFromTheStartOfWait(t *testing.T) {
	a := armOfMade(t, 3, func(i int, x *record.Exchange) {
		switch i {
		case 0:
			x.Interim = []record.Interim{{Status: 103, At: 25 * time.Millisecond}, {Status: 103, At: 80 * time.Millisecond}}
		case 2:
			x.Segments.Set(segment.Transfer, 7*time.Millisecond)
			x.Interim = []record.Interim{{Status: 100, At: 21 * time.Millisecond}, {Status: 103, At: 30 * time.Millisecond}}
		}
	})
	if len(a.Interims) != 2 || a.Interims[0].Status != 100 || a.Interims[1].Status != 103 {
		t.Fatalf("interims %+v", a.Interims)
	}
	hints := a.Interims[1]
	if hints.N != 2 || hints.Responses != 3 || hints.First[0] != 5e6 || hints.First[1] != 10e6 {
		t.Errorf("103: %+v", hints)
	}
}

func TestABodyCutAtTheCapIsCounted(t *testing.T) {
	a := armOfMade(t, 3, func(i int, x *record.Exchange) { x.Bytes.Capped = i > 0 })
	if a.Capped != 2 {
		t.Errorf("%d capped, want 2", a.Capped)
	}
}

// The worst lateness grows with the length of an exchange, so 20 ms of it beside 380 ms of excess
// explain nothing.
func TestLatenessIsACauseOnlyWhenItIsComparableToTheExcess(t *testing.T) {
	lag := []time.Duration{0, 4, 20, 63, 130}
	a := armOfMade(t, len(lag), func(i int, x *record.Exchange) { x.SchedLag, x.HasLag = lag[i]*time.Millisecond, true })
	for row, test := range []struct {
		excess time.Duration
		want   bool
	}{{380, false}, {6, false}, {380, false}, {380, false}, {380, true}} {
		if got := a.BusyMade(int32(row), test.excess*time.Millisecond); got != test.want {
			t.Errorf("late by %s, excess %s: made by lateness %v", a.LateBy(int32(row)), test.excess*time.Millisecond, got)
		}
	}
	if !a.BusyMade(2, 60*time.Millisecond) || a.BusyMade(2, 61*time.Millisecond) || a.BusyMade(4, time.Millisecond) {
		t.Error("a third of the excess is the border, and nothing explains an excess that is none")
	}
}
