package report

import (
	"time"

	"github.com/coldsplit/coldsplit/pkg/segment"
)

// onceBlocks draw an arm's only exchange.
func onceBlocks(a Arm, s Scale) []Block {
	fs := figuresOf(a)
	blocks := []Block{waterfallOf(a, fs, s)}
	if len(fs.children(segment.Wait)) == 0 {
		return blocks
	}
	note := "Inside " + Codes("wait") + " only the lengths are known, not the order"
	if fs.has(segment.WaitEdgeRTT) {
		note += "; edge_rtt is an estimate"
	}
	return append(blocks, Paragraph{note + "."})
}

func waterfallOf(a Arm, fs figures, s Scale) Waterfall {
	c := fs.atP50(s)
	w := Waterfall{
		Tail: answerLine(a, false),
		Total: Bar{
			Label: Cell{Text: segment.Total.String(), Key: true},
			Value: c.text(s, segment.Total), Length: int64(fs[segment.Total].AtP50),
		},
	}
	starts := fs.starts()
	for _, k := range fs.rows() {
		if k.Derived() {
			continue
		}
		bar := Bar{
			Label: Cell{Text: k.String(), Key: true}, Depth: k.Depth(),
			Value: c.text(s, k), Start: int64(starts[k]), Length: int64(fs[k].AtP50),
		}
		if k == segment.WaitEdgeRTT {
			bar.Label.Note = "(est.)"
		}
		w.Bars = append(w.Bars, bar)
	}
	return w
}

// starts are the offsets of all rows when each follows the one before, parts from the start of their
// parent.
func (fs figures) starts() map[segment.Key]time.Duration {
	starts := map[segment.Key]time.Duration{}
	var lay func(keys []segment.Key, at time.Duration)
	lay = func(keys []segment.Key, at time.Duration) {
		for _, k := range keys {
			starts[k] = at
			lay(fs.children(k), at)
			at += fs[k].AtP50
		}
	}
	lay(fs.leaves(), 0)
	return starts
}

// manyArms are the p50s side by side, then each arm with its own table.
func manyArms(p Probe, s Scale) []Block {
	ok, _ := split(p.Arms)
	var blocks []Block
	if len(ok) > 1 {
		blocks = append(blocks, comparison(ok, s), Paragraph{comparisonNote(p)})
	}
	if costs := stateCosts(ok, s); costs != "" {
		blocks = append(blocks, Paragraph{costs})
	}
	explained := false
	for _, a := range p.Arms {
		section := armSection(a, s)
		if a.N() > 1 && !explained {
			section, explained = noted(section, a, s), true
		}
		blocks = append(blocks, section...)
	}
	return append(blocks, runBlocks(p)...)
}

func comparisonNote(p Probe) string {
	note := "Each figure is a p50 of its own; setup and ttfb are parts of total and do not add up to it. "
	if p.Chain != nil {
		return note + "Nor do the hops' p50s add up to the chain's."
	}
	return note + "Which of the arms is faster is for compare to say."
}

// armSection is one arm below its name.
func armSection(a Arm, s Scale) []Block {
	title := KeyValue{Entries: []Entry{{Key: Clip(a.Name, clipName), Lines: add(nil, answerLine(a, true))}}}
	if a.N() == 0 {
		sentence, evidence := troubleOf(a).tell(a)
		blocks := append([]Block{Group{title, Paragraph{sentence}}}, evidence...)
		return append(blocks, throttleBlocks(a)...)
	}
	blocks := armBlocks(a, s)
	blocks[0] = Group{title, blocks[0]}
	if b, any := outcomeBlock(a); any {
		blocks = append(blocks, b)
	}
	return blocks
}
