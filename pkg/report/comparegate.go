package report

import (
	"fmt"
	"math"

	"github.com/coldsplit/coldsplit/pkg/ledger"
	"github.com/coldsplit/coldsplit/pkg/stats"
)

// gateBlocks are the last lines: one word, the rule as written, and what it rests on.
func (v *view) gateBlocks() []Block {
	if len(v.in.Gate) == 0 {
		return nil
	}
	t := Table{Columns: []Column{{Min: 9}, {Min: 14, Gap: 3}, {Gap: 3}}}
	for _, g := range v.in.Gate {
		t.Rows = append(t.Rows, Row{Cells: []Cell{
			{Text: g.Outcome.String(), Tone: gateTone(g.Outcome)}, {Text: Clip(g.Text, clipName), Key: true}, {Text: v.gateText(g)},
		}})
	}
	return []Block{t}
}

func gateTone(o ledger.GateOutcome) Tone {
	switch o {
	case ledger.Holds:
		return Good
	case ledger.Crossed:
		return Bad
	}
	return Plain
}

func (v *view) gateText(g ledger.GateResult) string {
	switch g.Outcome {
	case ledger.NotRun:
		return v.notRun(g)
	case ledger.Crossed:
		return v.gateValue(g) + ", all of it above" + v.blame(g)
	case ledger.GateUndecided:
		return v.gateValue(g) + v.undecided(g)
	}
	return v.gateValue(g)
}

func (v *view) notRun(g ledger.GateResult) string {
	for i := range v.arms {
		if a := v.named(i); a.N() == 0 {
			return a.Name + " " + v.became(i)
		}
	}
	return g.Why
}

func (v *view) undecided(g ledger.GateResult) string {
	noun := "requests an arm"
	if v.c.Interleaved {
		noun = "pairs"
	}
	text := ""
	switch {
	case g.Why != "" && g.Needed > 0:
		text = fmt.Sprintf("; %s, %s %s give it one", g.Why, Thousands(int64(g.Needed)), noun)
	case g.Why != "":
		text = "; " + g.Why
	case g.Needed > 0:
		text = fmt.Sprintf(", about %s %s would settle it", Thousands(int64(g.Needed)), noun)
	}
	return text + "; --undecided pass | fail | more changes this"
}

// blame names the row that carries most of a crossed rule: by its change, or by what it takes where
// the limit is on after alone.
func (v *view) blame(g ledger.GateResult) string {
	if g.Blame == nil {
		return ""
	}
	sh, entries := &v.shown, v.c.Entries
	if g.Percentile == stats.P90 && len(v.c.P90) > 0 {
		sh, entries = &v.shown9, v.c.P90
	}
	for i := range entries {
		if &entries[i] != g.Blame {
			continue
		}
		row := "; most of it in " + Codes(entryName(g.Blame)) + ": "
		if g.Kind == ledger.Level {
			return row + v.s.text(sh.rows[i][1]) + " ms"
		}
		return row + v.s.text(sh.rows[i][0]) + " -> " + v.s.text(sh.rows[i][1]) + " ms"
	}
	return ""
}

// gateValue is the figure with its limits in the unit of the rule.
func (v *view) gateValue(g ledger.GateResult) string {
	if !g.HasValue {
		return "no figure"
	}
	write, unit := v.gateUnit(g)
	if !g.Interval {
		return write(g.Value) + unit
	}
	return fmt.Sprintf("%s%s (%s: %s to %s)", write(g.Value), unit, Level(g.Confidence), write(g.Lo), write(g.Hi))
}

// gateUnit chooses how the figures of a rule are written: percent with a decimal where whole ones
// would hide on which side of the limit they lie.
func (v *view) gateUnit(g ledger.GateResult) (write func(float64) string, unit string) {
	whole := func(of func(int64) string) func(float64) string {
		return func(x float64) string { return of(v.s.units(ns(int64(math.Round(x))))) }
	}
	switch g.Kind {
	case ledger.Absolute:
		return whole(v.s.signed), " ms"
	case ledger.Level:
		return whole(v.s.text), " ms"
	case ledger.Share:
		return func(x float64) string { return shareText(x) }, " %"
	}
	decimals := 0
	if max(math.Abs(g.Value), math.Abs(g.Lo), math.Abs(g.Hi)) < 0.0995 || hides(g) {
		decimals = 1
	}
	return func(x float64) string {
		text := signedPercent(x, decimals)
		return text[:len(text)-2]
	}, " %"
}

// hides reports whether a limit of the interval rounds to the rule's own.
func hides(g ledger.GateResult) bool {
	for _, x := range []float64{g.Lo, g.Hi} {
		if math.Round(100*x) == math.Round(100*g.Rule.Share) {
			return true
		}
	}
	return false
}
