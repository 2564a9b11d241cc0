package report

import (
	"fmt"
	"strings"

	"github.com/coldsplit/coldsplit/pkg/ledger"
	"github.com/coldsplit/coldsplit/pkg/reading"
	"github.com/coldsplit/coldsplit/pkg/record"
)

// warnings stand above the sentence: reasons not to believe it.
func (v *view) warnings() []string {
	out := clipWarnings(v.in.Warnings)
	for i, set := range v.c.Sets {
		if i == 1 && v.c.Sets[0] == set {
			continue
		}
		for _, w := range set.Warnings {
			out = addNew(out, Clip(w, 4*clipText))
		}
		facts := runFactsOf(set)
		if set.Run.Projected && facts.Projected == "" {
			facts.Projected = "another place"
		}
		out = addNew(out, probeWarnings(Probe{Run: facts})...)
	}
	if !v.bothOK() {
		return out
	}
	if w := v.answerWarning(); w != "" {
		out = append(out, w)
	}
	if w := v.differenceWarning(); w != "" {
		out = append(out, w)
	}
	return out
}

// answerWarning says that the two routes do not serve the same thing.
func (v *view) answerWarning() string {
	a := v.c.SameAnswer
	if !a.Known || a.Same {
		return ""
	}
	head := "NOT THE SAME ANSWER: "
	switch {
	case a.Status:
		head += fmt.Sprintf("%s answers %d, %s %d%s.", v.names[0], a.Before.Status, v.names[1], a.After.Status, titleOf(a.After))
	case a.Size:
		head += fmt.Sprintf("%s sends %s, %s %s%s.", v.names[0], Plural(int(a.Before.Decoded), "byte", "bytes"), v.names[1],
			Thousands(a.After.Decoded), titleOf(a.After))
	default:
		head += fmt.Sprintf("both send %s, but not the same ones.", Plural(int(a.Before.Decoded), "byte", "bytes"))
	}
	return head + fmt.Sprintf("\nThe times below compare two different %s.", thing(a.Before, a.After))
}

func titleOf(a reading.Answer) string {
	if a.Title == "" {
		return ""
	}
	return fmt.Sprintf(" (\"%s\")", Clip(a.Title, clipName))
}

func thing(answers ...reading.Answer) string {
	for _, a := range answers {
		if a.Title != "" || strings.HasPrefix(a.Type, "text/html") {
			return "pages"
		}
	}
	return "answers"
}

// differenceWarning says in what else the arms differ. Where it bars a comparison, there is no verdict.
func (v *view) differenceWarning() string {
	var parts []string
	for _, d := range v.c.Unasked() {
		parts = append(parts, differenceWords(v.names, d, len(parts) == 0))
	}
	switch {
	case len(parts) == 0 || v.c.Identical:
		return ""
	case v.c.Verdict == ledger.NotComparable:
		return "NOT COMPARABLE: " + AndList(parts) + "."
	}
	return "NOT ALIKE: " + AndList(parts) + ". The verdict includes what that does."
}

// differenceWords are "before was measured with h2, after with h3" for the first, shorter for the rest.
func differenceWords(names [2]string, d ledger.Difference, first bool) string {
	before, after := Clip(d.Before, clipName), Clip(d.After, clipName)
	if d.What == "family" {
		before, after = "IPv"+before, "IPv"+after
	}
	if d.What == "kind of run" {
		return fmt.Sprintf("%s is %s, %s is %s", names[0], before, names[1], after)
	}
	if first {
		return fmt.Sprintf("%s was measured %s %s, %s %s %s", names[0], preposition(d.What), before, names[1], preposition(d.What), after)
	}
	return fmt.Sprintf("with another %s (%s, %s)", d.What, before, after)
}

func preposition(what string) string {
	switch what {
	case "vantage":
		return "from"
	case "state":
		return "in state"
	case "proxy":
		return "through proxy"
	case "family":
		return "over"
	case "resolver":
		return "with resolver"
	}
	return "with"
}

// silentSentence is for a comparison in which an arm has no figures.
func (v *view) silentSentence() string {
	var sentences []string
	for i := range v.arms {
		if a := v.named(i); a.N() == 0 {
			sentences = append(sentences, v.silence(i))
		}
	}
	for i := range v.arms {
		if a := v.named(i); a.N() > 0 {
			sentences = append(sentences, aloneSentence(a, v.from, v.s))
		}
	}
	return strings.Join(sentences, " ")
}

// named is an arm under the name the comparison gives it.
func (v *view) named(i int) Arm {
	a := v.arms[i]
	a.Name, a.Host = v.names[i], v.names[i]
	return a
}

// silence says why an arm has no figures. Errors that came quickly are no win.
func (v *view) silence(i int) string {
	a := v.named(i)
	if b, blocked := a.Trouble.(Blocked); blocked {
		return fmt.Sprintf("%s answered %d at the edge, %s, so there is nothing to compare. Its %ds were quick; that is not a win.",
			a.Name, b.Status, Share(b.Count, b.Of), b.Status)
	}
	if status := v.onlyStatus(i); status != 0 {
		return fmt.Sprintf("%s answered %d, %s, so there is nothing to compare.", a.Name, status, Share(a.Counts.Failed, a.Counts.Done()))
	}
	if a.Trouble == nil {
		return didNotAnswer(a)
	}
	sentence, _ := a.Trouble.tell(a)
	return sentence
}

// onlyStatus is the status when an arm failed with nothing but one status.
func (v *view) onlyStatus(i int) int {
	a := v.reading(i)
	if len(a.Failures) != 1 || a.Failures[0].Class != record.ClassStatus || a.Counts.Failed != a.Counts.Done() {
		return 0
	}
	return a.Failures[0].Status
}

// reading is an arm as it was read.
func (v *view) reading(i int) *reading.Arm { return [2]*reading.Arm{v.c.Before.Arm, v.c.After.Arm}[i] }

// silentBlocks are the evidence: both addresses and what became of them, and the table of the arm that
// has one.
func (v *view) silentBlocks() []Block {
	t := Table{Columns: []Column{{Min: 6}, {Head: "address", Gap: 3}, {Head: "what happened", Gap: 3}}}
	for i := range v.arms {
		t.Rows = append(t.Rows, Row{Depth: 1, Cells: []Cell{
			{Text: v.heads[i]}, {Text: v.address(i)}, {Text: v.became(i)},
		}})
	}
	blocks := []Block{t}
	for i := range v.arms {
		if a := v.named(i); a.N() == 0 && a.Trouble != nil {
			_, evidence := a.Trouble.tell(a)
			blocks = append(blocks, evidence...)
		}
	}
	for i := range v.arms {
		if a := v.arms[i]; a.N() > 1 {
			blocks = append(blocks, probeTable(a, v.s))
		}
	}
	run := KeyValue{Width: labels, Entries: []Entry{{"run", countLines(sumCounts(v.sides()))}}}
	return append(blocks, run)
}

func (v *view) address(i int) string {
	a := v.reading(i)
	if ex := a.Example(); ex != nil {
		return ex.Remote
	}
	for _, f := range a.Failures {
		if f.Example.Remote != "" {
			return f.Example.Remote
		}
		if tried := f.Example.Attempts; len(tried) > 0 {
			return tried[len(tried)-1].Addr
		}
	}
	return "-"
}

func (v *view) became(i int) string {
	a := v.arms[i]
	if a.N() > 0 {
		return fmt.Sprintf("ok %s", Share(a.N(), a.Counts.Done()))
	}
	if a.Counts.Done() == 0 {
		return "was not asked"
	}
	groups := append(append([]Failure{}, a.Failures...), a.Invalid...)
	if len(groups) == 0 {
		return Share(a.Counts.Throttled, a.Counts.Done()) + " throttled" + throttleWhy(a.Throttling)
	}
	text := Share(groups[0].Count, a.Counts.Done()) + " failed: " + failureWords(groups[0])
	if groups[0].Text != "" && groups[0].Class != "" {
		text += ", " + Clip(groups[0].Text, clipText)
	}
	return text
}
