package main

import (
	"fmt"
	"os"
	"slices"

	"github.com/coldsplit/coldsplit/pkg/ledger"
	"github.com/coldsplit/coldsplit/pkg/reading"
	"github.com/coldsplit/coldsplit/pkg/record"
	"github.com/coldsplit/coldsplit/pkg/report"
)

// demoStory is what the demo measured: one comparison for every move, and how many of state-1's
// answers came from its fallback.
type demoStory struct {
	moves            []*ledger.Comparison
	fallback, asked1 int
}

// answeredBy is the header by which the scenario's function says who gave the answer.
const answeredBy = "x-answered-by"

// readStory compares each state with the one before it.
func readStory(path string, reader reading.Options, s streams) (*demoStory, error) {
	set, err := readRun(path, s, reader)
	if err != nil {
		return nil, err
	}
	var story demoStory
	for i := 1; i < len(demoStates); i++ {
		before, okB := set.Arm(demoStates[i-1])
		after, okA := set.Arm(demoStates[i])
		if !okB || !okA || before.N() == 0 || after.N() == 0 {
			return nil, fmt.Errorf("measure %s and %s: not one exchange was ok", demoStates[i-1], demoStates[i])
		}
		story.moves = append(story.moves, ledger.Compare(ledger.Arm{Arm: before, Set: set}, ledger.Arm{Arm: after, Set: set}))
	}
	return &story, story.countFallbacks(path)
}

func (d *demoStory) countFallbacks(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("read run: %w", err)
	}
	defer f.Close()
	r, err := record.NewReader(f, record.ReadOptions{Name: path})
	if err != nil {
		return err
	}
	defer r.Close()
	for x, err := range r.All() {
		if err != nil {
			return err
		}
		if x.Route != demoStates[1] || x.Outcome != record.OK {
			continue
		}
		d.asked1++
		if slices.Contains(x.Headers[answeredBy], "fallback") {
			d.fallback++
		}
	}
	return nil
}

// chapter is what the demo says before and after one table.
type chapter struct{ before, after string }

var demoChapters = []chapter{
	{
		`1. The pod moves from the US to Taiwan, nearer to its users. The device is in Tokyo and its edge says Tokyo.`,
		`The function never ran in Tokyo: its edge accepts there (cf-ray), it runs in San Jose (cf-placement). wait.unattributed is that haul, which no header counts, and the pod is now an ocean away from the function. It misses its deadline so often that a fallback gave %d of %d answers.`,
	},
	{
		`2. So the function moves to Tokyo. The pod is near now, and the dashboard for upstream is green.`,
		`wait.upstream fell as promised, and most of it was lost again before one byte went to the pod: the function asks a switch whether the pod is healthy, and the switch stayed in the US when everything else moved. The haul from the edge to the function is gone from wait.unattributed too; with the rows nobody confirmed it closes the sum.`,
	},
	{
		`3. The switch is made anew in Tokyo, under a new name. Nothing else changes.`,
		`One round trip in pre_forward explains most of it. The rest was in wait.unattributed: a second trip to the same switch, which nobody had measured. A ledger that hides such a row would have kept it.`,
	},
}

// demoNext are the three commands to try next.
var demoNext = []string{
	"coldsplit https://your.host.example/            # where a cold request's time goes",
	"coldsplit compare OLD_URL NEW_URL --from CITY   # who won, and who paid for it",
	"coldsplit lab run my.yaml --set edge.city=Tokyo # a move, rehearsed; see lab run --help",
}

// demoJSON is what demo -f json prints: one comparison for every move.
type demoJSON struct {
	Schema    string `json:"schema"`
	Rehearsed bool   `json:"rehearsed"`
	Moves     []any  `json:"moves"`
}

// document tells the moves: a sentence, three tables, what to quote and what to try.
func (d *demoStory) document() report.Document {
	doc := report.Document{
		Title:    "Every segment won, the whole did not",
		Warnings: []string{"REHEARSED: measured in the lab inside this process; nothing was sent to a network."},
		Sentence: fmt.Sprintf("Three moves across an ocean, %d cold requests a state, side by side; ms at p50. "+
			"saved, lost: confirmed; with a question mark: suggested; noise: cannot be told from nothing.", d.asked1),
	}
	told := demoJSON{Schema: "coldsplit.demo/1", Rehearsed: true, Moves: []any{}}
	quotes := report.List{Title: "to quote"}
	for i, c := range d.moves {
		one := report.CompareDocument(report.Compare{Result: c, Names: routeNamesOf(c)})
		doc.Blocks = append(doc.Blocks, d.chapter(i, one)...)
		if i > 0 {
			quotes.Items = append(quotes.Items, one.Sentence)
		}
		told.Moves = append(told.Moves, one.JSON)
		doc.Records.Columns = one.Records.Columns
		doc.Records.Rows = append(doc.Records.Rows, one.Records.Rows...)
	}
	doc.JSON = told
	doc.Blocks = append(doc.Blocks, quotes, report.Group{report.Paragraph{Text: "next, on your own hosts"}, report.Code{Lines: demoNext}})
	return doc
}

// chapter is one move: what is done, the ledger, and what it shows.
func (d *demoStory) chapter(i int, one report.Document) []report.Block {
	text := demoChapters[i]
	if i == 0 {
		text.after = fmt.Sprintf(text.after, d.fallback, d.asked1)
	}
	blocks := []report.Block{report.Paragraph{Text: text.before}}
	blocks = append(blocks, firstTable(one)...)
	return append(blocks, report.Paragraph{Text: text.after})
}

// firstTable is the ledger of a comparison.
func firstTable(doc report.Document) []report.Block {
	for _, b := range doc.Blocks {
		if t, ok := b.(report.Table); ok {
			return []report.Block{t}
		}
	}
	return nil
}
