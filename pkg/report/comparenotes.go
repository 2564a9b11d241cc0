package report

import (
	"fmt"
	"strings"

	"github.com/coldsplit/coldsplit/pkg/ledger"
	"github.com/coldsplit/coldsplit/pkg/segment"
	"github.com/coldsplit/coldsplit/pkg/stats"
)

// tableNote says how to read the columns and what the words rest on.
func (v *view) tableNote() string {
	if !v.hasChange() {
		return "Each column is how a request that takes exactly the p50 spends its time, so the rows add up."
	}
	varying := 0
	for _, e := range v.c.Entries {
		if e.Varies {
			varying++
		}
	}
	note := "Each column is how a request that takes exactly the p50 spends its time, so the rows add up."
	if varying > 0 && !v.c.Identical {
		note += fmt.Sprintf(" saved, lost: confirmed (Holm over the %s, and the interval excludes 0).%s noise: what %s cannot tell from nothing.",
			Plural(varying, "row that varies", "rows that vary"), v.suggestedNote()+v.pettyNote(), v.howManyShort())
	}
	return note + v.offsetNote()
}

func (v *view) suggestedNote() string {
	for _, e := range v.c.Entries {
		if e.Standing == ledger.Suggested {
			return " With a question mark: suggested, by its own test only."
		}
	}
	return ""
}

func (v *view) pettyNote() string {
	for i := range v.c.Entries {
		if v.petty(&v.c.Entries[i]) {
			return " small: confirmed, and too little to show here."
		}
	}
	return ""
}

// offsetNote is the offset ratio with its limits, when losses ate into a gain. Of a slower route it would
// be over 100 % and say nothing.
func (v *view) offsetNote() string {
	o := v.c.Offset
	if !o.HasValue || o.Loss == 0 || !o.HasInterval || v.c.Total.Delta >= 0 {
		return ""
	}
	return fmt.Sprintf(" Of what was saved, %.0f %% was lost again (%s: %.0f to %.0f %%).", 100*v.shownOffset(), Level(stats.Level), 100*o.Lo, 100*o.Hi)
}

// shownOffset is the ratio of the figures shown.
func (v *view) shownOffset() float64 {
	g := v.gains()
	if g.gain == 0 {
		return v.c.Offset.Value
	}
	return float64(g.loss) / float64(g.gain)
}

func (v *view) howManyShort() string {
	if v.c.Interleaved {
		return Plural(v.c.Pairs, "pair", "pairs")
	}
	if b, a := v.arms[0].N(), v.arms[1].N(); b != a {
		return fmt.Sprintf("%d and %d requests", b, a)
	}
	return Plural(v.arms[0].N(), "request", "requests") + " each"
}

// foldNotes say what was compared whole, and what each arm's part of it is made of.
func (v *view) foldNotes() []string {
	var notes []string
	add := func(fold ledger.Fold, note string) {
		if v.c.Fold&fold != 0 && note != "" {
			notes = append(notes, note)
		}
	}
	add(ledger.FoldWait, v.waitNote())
	add(ledger.FoldEdgeRTT, fmt.Sprintf("%s differs by more than anybody overlooks: what one arm spends before its edge the other may "+
		"spend behind it, so the two are one row.%s", Codes("wait.edge_rtt"), v.estimateNote()))
	add(ledger.FoldEdgeOpen, v.openEdgeNote())
	add(ledger.FoldUpstream, fmt.Sprintf("Only one arm tells network and origin of %s apart, so it is compared whole.", Codes("wait.upstream")))
	add(ledger.FoldTransfer, fmt.Sprintf("Only one arm is an event stream, so %s is compared whole.", Codes("transfer")))
	return notes
}

// estimateNote says where an edge_rtt without a row of its own is from.
func (v *view) estimateNote() string {
	if source := v.rttSource(); source != "" {
		return " It is an estimate: " + source + "."
	}
	return ""
}

// openEdgeNote says why the round trip to the edge has no row of its own.
func (v *view) openEdgeNote() string {
	for i, a := range []string{v.c.Before.Arm.EdgeRTTSource.Main(), v.c.After.Arm.EdgeRTTSource.Main()} {
		if a == "" {
			return fmt.Sprintf("The round trip to the edge of %s is not known, so in both arms it is part of %s.", v.names[i], Codes("wait.unattributed"))
		}
	}
	return fmt.Sprintf("Nothing but %s itself tells the round trip to the edge, so it is part of %s.", Codes("tcp"), Codes("wait.unattributed"))
}

// waitNote prints the children of wait apart where they must not be subtracted.
func (v *view) waitNote() string {
	for i, e := range v.c.Entries {
		if e.Key != segment.Wait {
			continue
		}
		var sums []string
		for side, name := range v.names {
			if sum := v.partsSum(i, side); sum != "" {
				sums = append(sums, name+": "+sum)
			}
		}
		if len(sums) == 0 {
			return ""
		}
		return fmt.Sprintf("The arms do not report the same parts of %s, so only the whole is compared. %s.", Codes("wait"), strings.Join(sums, "; "))
	}
	return ""
}

// partsSum is "286 = wait.edge_rtt 10 (est.) + wait.upstream 269 + wait.unattributed 7".
func (v *view) partsSum(i, side int) string {
	var terms []string
	for j, p := range v.c.Entries[i].Parts {
		if !p.Has[side] || p.Key == segment.Wait {
			continue
		}
		term := Codes(p.Key.String()) + " " + v.s.text(v.shown.parts[i][j][side])
		if p.Key == segment.WaitEdgeRTT {
			term += " (est.)"
		}
		terms = append(terms, term)
	}
	if len(terms) < 2 {
		return ""
	}
	return v.s.text(v.shown.rows[i][side]) + " = " + strings.Join(terms, " + ")
}
