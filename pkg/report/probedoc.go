package report

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/coldsplit/coldsplit/pkg/segment"
)

// ProbeDocument lays out what probe or report measured. One arm has its table; one exchange is drawn
// as a waterfall; several arms stand side by side, without a verdict; an arm that never answered has
// a sentence with the cause and the evidence, never a table of zeros. Fewer than ten exchanges have
// columns fastest and slowest where ten have p10, p90 and p99.
func ProbeDocument(p Probe) Document {
	s := probeScale(p)
	d := Document{
		Title:    probeTitle(p, s),
		Warnings: probeWarnings(p),
		Hints:    clipAll(p.Hints),
		Records:  probeRecords(p),
	}
	switch {
	case len(p.Arms) == 0:
		d.Sentence = "Nothing was measured: there is no route in the run."
	case len(p.Arms) == 1:
		d.Sentence = armSentence(p.Arms[0], p.From, s)
		d.Blocks = oneArm(p, s)
	default:
		d.Sentence = manySentence(p, s)
		d.Blocks = manyArms(p, s)
	}
	d.Blocks = append(d.Blocks, repeatBlock(p)...)
	d.Footnotes = markNotes(p.Arms)
	d.JSON = probeJSON(p, d, s)
	return d
}

func clipAll(items []string) []string {
	var out []string
	for _, item := range items {
		out = append(out, Clip(item, clipText))
	}
	return out
}

// probeScale is one for all arms, so that their figures compare.
func probeScale(p Probe) Scale {
	var totals []time.Duration
	for _, a := range p.Arms {
		f := figuresOf(a)[segment.Total]
		totals = append(totals, time.Duration(f.P50.Value), f.AtP50)
	}
	return ScaleFor(totals...)
}

func probeTitle(p Probe, s Scale) string {
	if len(p.Arms) == 0 {
		return "Nothing measured"
	}
	ok, _ := split(p.Arms)
	title := destination(p.Arms[0]) + fromPlace(p.From)
	switch {
	case len(ok) == 0:
		return title + ": nothing measured"
	case len(p.Arms) > 1:
		return fmt.Sprintf("%s: %s side by side", title, Plural(len(p.Arms), "arm", "arms"))
	case ok[0].N() == 1:
		return fmt.Sprintf("%s: %s ms, once", title, p50Of(ok[0], s))
	}
	return fmt.Sprintf("%s: %s ms at p50", title, p50Of(ok[0], s))
}

func probeWarnings(p Probe) []string {
	warnings := clipWarnings(p.Warnings)
	if p.Run.Rehearsed {
		warnings = append(warnings, "REHEARSED: measured in the lab inside this process; nothing was sent to a network.")
	}
	if notVerified(p.Run) {
		warnings = append(warnings, "CERTIFICATES WERE NOT VERIFIED (-k): whoever answered need not be the host.")
	}
	warnings = append(warnings, dryWarnings(p.Arms)...)
	if p.Run.Projected != "" {
		warnings = append(warnings, fmt.Sprintf("PROJECTED: computed for %s, not measured.", Clip(p.Run.Projected, clipName)))
	}
	return warnings
}

// dryWarnings tell of each host that asked to be paid: the rest of the run was about the balance.
func dryWarnings(arms []Arm) []string {
	var out []string
	for _, host := range hostsOf(arms) {
		dry, of := 0, 0
		for _, a := range arms {
			if a.Host == host {
				dry, of = dry+a.Dry, of+a.Counts.Done()
			}
		}
		if dry > 0 {
			out = append(out, fmt.Sprintf("THE ACCOUNT RAN DRY: %s answered 402 to %s; they are in no figure.",
				Clip(host, clipName), shareOf(dry, of, "request", "requests")))
		}
	}
	return out
}

// paymentRequired is the status of an account without means (RFC 9110 section 15.5.3).
const paymentRequired = 402

func hostsOf(arms []Arm) []string {
	var hosts []string
	for _, a := range arms {
		hosts = appendNew(hosts, a.Host)
	}
	return hosts
}

// notVerified reports whether certificates were not looked at: any network could have answered.
func notVerified(r RunFacts) bool {
	return slices.ContainsFunc(r.Notes, func(note string) bool { return strings.Contains(note, "not verified") })
}

func clipWarnings(items []string) []string {
	var out []string
	for _, item := range items {
		out = append(out, Clip(item, 4*clipText))
	}
	return out
}

// oneArm is the report below the sentence for one route.
func oneArm(p Probe, s Scale) []Block {
	a := p.Arms[0]
	if a.N() == 0 {
		return troubleBlocks(p)
	}
	blocks := noted(armBlocks(a, s), a, s)
	if a.N() == 1 && a.Counts.Asked <= 1 && p.Run.CutOff == 0 && len(a.Notes)+len(p.Run.Notes) == 0 {
		return blocks
	}
	return append(blocks, runBlocks(p)...)
}

// armBlocks are an arm's table or picture, what stood out and where it was.
func armBlocks(a Arm, s Scale) []Block {
	if a.N() == 1 {
		return append(append(onceBlocks(a, s), interimBlocks(a)...), toldBlocks(a)...)
	}
	blocks := append([]Block{probeTable(a, s)}, slowBlocks(a, s)...)
	blocks = append(blocks, interimBlocks(a)...)
	return append(blocks, asideBlocks(a)...)
}

// noted puts the paragraph that explains the columns below the first block. A run that throttling
// ended keeps to what it is about.
func noted(blocks []Block, a Arm, s Scale) []Block {
	if a.N() == 1 || aboutThrottling([]Arm{a}) {
		return blocks
	}
	note := columnNote
	if fs := figuresOf(a); fs.bent(fs.atP50(s), s) {
		note += bentNote
	}
	return append([]Block{blocks[0], Paragraph{note}}, blocks[1:]...)
}

// bentNote is for a column with a cell that its row alone would have rounded differently.
const bentNote = " Its cells are rounded so that they do; one may differ by a unit from its row's."

const columnNote = "The column \"at p50\" adds up: it is how a request that takes exactly the p50 spends its time. " +
	"The others are each row's own percentiles and do not add up."

// runBlocks are what was left out and how it was measured: one block in text, the latter folded away
// in Markdown.
func runBlocks(p Probe) []Block {
	out, run := Group{}, runBlock(p)
	if len(p.Arms) == 1 {
		if b, any := outcomeBlock(p.Arms[0]); any {
			out, run.Width = append(out, b), labels+2
		}
	}
	return []Block{
		Only{FormatText, []Block{append(out, run)}},
		Only{FormatMarkdown, []Block{out, Details{Summary: "How it was measured", Blocks: []Block{run}}}},
	}
}

// troubleBlocks are the evidence and what was not sent.
func troubleBlocks(p Probe) []Block {
	a := p.Arms[0]
	_, blocks := troubleOf(a).tell(a)
	blocks = append(blocks, throttleBlocks(a)...)
	if b, any := stoppedBlock(p); any {
		return append(blocks, b)
	}
	return append(blocks, KeyValue{Width: labels + 2, Entries: []Entry{{"run", countLines(a.Counts)}}})
}

// throttleBlocks tell of an arm without figures what the service said.
func throttleBlocks(a Arm) []Block {
	if a.Throttling == nil {
		return nil
	}
	return []Block{KeyValue{Entries: []Entry{{fmt.Sprintf("throttled %d ", a.Counts.Throttled), throttleLines(a.Throttling)}}}}
}

func slowBlocks(a Arm, s Scale) []Block {
	if len(a.Slow) == 0 {
		return nil
	}
	count := max(a.SlowCount, len(a.Slow))
	table := Table{Columns: []Column{{Min: 5}, {Align: Right, Min: 4, Gap: 3}, {Gap: 3}}}
	for _, slow := range a.Slow {
		table.Rows = append(table.Rows, slowRow(slow, s))
	}
	return []Block{Group{
		KeyValue{Width: labels, Entries: []Entry{{"slow", []string{Share(count, a.N())}}}}, table,
	}}
}

func slowRow(slow Slow, s Scale) Row {
	var words []string
	if slow.Took > 0 {
		words = append(words, fmt.Sprintf("%s %s.", Codes(slow.Key.String()), s.MS(slow.Took)))
	}
	words = add(words, Clip(slow.Cause, 2*clipText))
	if len(words) == 0 {
		words = []string{"nothing known explains it"}
	}
	return Row{Depth: 1, Cells: []Cell{
		{Text: fmt.Sprintf("#%d", slow.Seq), Key: true}, {Text: s.MS(slow.Total)}, {Text: strings.Join(words, " ")},
	}}
}

func placeBlocks(a Arm) []Block {
	if len(a.Places) == 0 {
		return nil
	}
	table := Table{Columns: []Column{{Min: 10}, {Gap: 3, Min: 14}, {Gap: 3}}}
	width := siteWidth(a.Places)
	role := ""
	for _, p := range a.Places {
		row := placeRow(p, width)
		if p.Role == role {
			row.Cells[0] = Cell{}
		}
		role = p.Role
		table.Rows = append(table.Rows, row)
	}
	return []Block{Group{KeyValue{Entries: []Entry{{Key: "where"}}}, table}}
}

const clipSite = 20 // the longest name of a site in the table; JSON has more of it

func siteWidth(places []Place) int {
	width := 0
	for _, p := range places {
		width = max(width, len(short(p.Site, clipSite)))
	}
	return width
}

// short is a name in ASCII that fits a column of limit characters: a longer one loses its middle,
// since names that are alike differ at either end.
func short(s string, limit int) string {
	s = ASCII(Clip(s, clipText))
	if len(s) <= limit {
		return s
	}
	tail := (limit - 3) / 2
	return s[:limit-3-tail] + "..." + s[len(s)-tail:]
}

func placeRow(p Place, width int) Row {
	site := "unknown"
	if p.Site != "" {
		site = short(p.Site, clipSite)
		site += strings.Repeat(" ", width-len(site)) + "   " + Share(p.Seen, p.Of)
	}
	return Row{Depth: 1, Cells: []Cell{{Text: Clip(p.Role, clipName)}, {Text: site}, {Text: Clip(p.Evidence, clipText)}}}
}

func repeatBlock(p Probe) []Block {
	if len(p.Repeat) == 0 {
		return nil
	}
	return []Block{Only{FormatMarkdown, []Block{
		Details{Summary: "How to repeat it", Blocks: []Block{Code{clipAll(p.Repeat)}}},
	}}}
}
