package ledger

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/coldsplit/coldsplit/pkg/segment"
	"github.com/coldsplit/coldsplit/pkg/stats"
)

// twoArms are 30 pairs in which after saves upstream and loses pre_forward.
func twoArms(t *testing.T) (before, after side) {
	t.Helper()
	moved := with(with(typical, segment.WaitUpstream, 60), segment.WaitPreForward, 45)
	return side{rows: noisy(30, 1, typical)}, side{rows: noisy(30, 2, moved)}
}

func TestSwappedArmsMirrorTheResult(t *testing.T) {
	sb, sa := twoArms(t)
	for name, pair := range map[string]func() (Arm, Arm){
		"interleaved": func() (Arm, Arm) { return live(t, sb, sa) },
		"separate":    func() (Arm, Arm) { return saved(t, sb), saved(t, sa) },
	} {
		t.Run(name, func(t *testing.T) {
			before, after := pair()
			there, back := Compare(before, after), Compare(after, before)
			checkMirror(t, "total", there.Total.Interval, back.Total.Interval, there.Total.Delta, back.Total.Delta)
			if there.Test.P != back.Test.P {
				t.Errorf("p %v and %v", there.Test.P, back.Test.P)
			}
			if there.Verdict != Faster || back.Verdict != Slower {
				t.Errorf("verdicts %v and %v", there.Verdict, back.Verdict)
			}
			for i, e := range there.Entries {
				m := back.Entries[i]
				checkMirror(t, e.Key.String(), e.Interval, m.Interval, e.Change, m.Change)
				if e.Standing != m.Standing || e.Before != m.After || e.Adjusted != m.Adjusted {
					t.Errorf("%s: %+v is not the mirror of %+v", e.Key, m, e)
				}
			}
		})
	}
}

func checkMirror(t *testing.T, what string, x, y stats.Interval, dx, dy int64) {
	t.Helper()
	if dx != -dy || x.Lo != -y.Hi || x.Hi != -y.Lo {
		t.Errorf("%s: %d (%d to %d) and %d (%d to %d) are no mirror images", what, dx, x.Lo, x.Hi, dy, y.Lo, y.Hi)
	}
}

func TestAConstantMovesOnlyItsRow(t *testing.T) {
	sb, sa := twoArms(t)
	later := side{rows: make([]row, len(sa.rows))}
	for i, r := range sa.rows {
		later.rows[i] = with(r, segment.TLS, r[segment.TLS]+40)
	}
	before, after := live(t, sb, sa)
	plain := Compare(before, after)
	before, after = live(t, sb, later)
	shifted := Compare(before, after)
	for i, e := range plain.Entries {
		want := e.Change
		if e.Key == segment.TLS {
			want += int64(ms(40))
		}
		if got := shifted.Entries[i].Change; max(got-want, want-got) > 1 {
			t.Errorf("%s: change %d, want %d", e.Key, got, want)
		}
	}
	if shifted.Total.Delta != plain.Total.Delta+int64(ms(40)) || shifted.Total.Lo != plain.Total.Lo+int64(ms(40)) {
		t.Errorf("total %+v is not %+v and 40 ms", shifted.Total, plain.Total)
	}
}

func TestScaleScalesAndKeepsEveryStanding(t *testing.T) {
	sb, sa := twoArms(t)
	tenfold := func(s side) side {
		out := side{rows: make([]row, len(s.rows))}
		for i, r := range s.rows {
			out.rows[i] = row{}
			for k, v := range r {
				out.rows[i][k] = 10 * v
			}
		}
		return out
	}
	before, after := live(t, sb, sa)
	small := Compare(before, after)
	before, after = live(t, tenfold(sb), tenfold(sa))
	large := Compare(before, after)
	for i, e := range small.Entries {
		l := large.Entries[i]
		if l.Standing != e.Standing || max(l.Change-10*e.Change, 10*e.Change-l.Change) > 100 {
			t.Errorf("%s: %d %v, ten times %d %v expected", e.Key, l.Change, l.Standing, e.Change, e.Standing)
		}
	}
}

func TestOrderWithinAnArmChangesNoRow(t *testing.T) {
	sb, sa := twoArms(t)
	shuffled := side{rows: slices.Clone(sa.rows)}
	rand.New(rand.NewPCG(3, 3)).Shuffle(len(shuffled.rows), func(i, j int) {
		shuffled.rows[i], shuffled.rows[j] = shuffled.rows[j], shuffled.rows[i]
	})
	before := saved(t, sb)
	plain, mixed := Compare(before, saved(t, sa)), Compare(before, saved(t, shuffled))
	if plain.Total.Delta != mixed.Total.Delta || plain.Test != mixed.Test {
		t.Errorf("total %v %v, shuffled %v %v", plain.Total.Delta, plain.Test, mixed.Total.Delta, mixed.Test)
	}
	for i, e := range plain.Entries {
		m := mixed.Entries[i]
		if e.Before != m.Before || e.After != m.After || e.Interval != m.Interval || e.P != m.P || e.Standing != m.Standing {
			t.Errorf("%s: %+v, shuffled %+v", e.Key, e, m)
		}
	}
}

func TestAFileAgainstItselfIsUnchangedAndFindsNothing(t *testing.T) {
	for n := 5; n < 40; n += 7 {
		arm := saved(t, side{rows: noisy(n, uint64(n), typical)})
		c := Compare(arm, arm)
		if c.Verdict != Unchanged || !c.Identical || len(c.Findings()) > 0 {
			t.Errorf("n %d: verdict %v, findings %v", n, c.Verdict, c.Findings())
		}
		for _, e := range c.Entries {
			if e.Change != 0 || e.Standing != Noise || e.P != 1 {
				t.Errorf("n %d: %s changed by %d (%v, p %v)", n, e.Key, e.Change, e.Standing, e.P)
			}
		}
	}
}

// Rows sum to total to the nanosecond, before and after, whatever was folded.
func TestColumnsCloseExactly(t *testing.T) {
	for name, c := range foldCases(t) {
		for side, total := range []int64{c.Total.Before.Value, c.Total.After.Value} {
			sum := int64(0)
			for _, e := range c.Entries {
				figure := []int64{e.Before, e.After}[side]
				sum += figure
				if figure < 0 && e.Key != segment.WaitUnattributed {
					t.Errorf("%s: negative cell %s %d", name, e.Key, figure)
				}
				checkParts(t, name, e, side, figure)
			}
			if sum != total {
				t.Errorf("%s: rows of side %d sum to %d, total is %d", name, side, sum, total)
			}
		}
	}
}

func checkParts(t *testing.T, name string, e Entry, side int, figure int64) {
	t.Helper()
	if e.Parts == nil {
		return
	}
	sum := int64(0)
	for _, p := range e.Parts {
		if part := []int64{p.Before, p.After}[side]; p.Has[side] {
			sum += part
		} else if part != 0 {
			t.Errorf("%s: %s is absent and shows %d", name, p.Key, part)
		}
	}
	if sum != figure {
		t.Errorf("%s: parts of %s sum to %d, the row shows %d", name, e.Key, sum, figure)
	}
}
