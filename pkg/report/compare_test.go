package report

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/coldsplit/coldsplit/pkg/ledger"
	"github.com/coldsplit/coldsplit/pkg/segment"
)

func TestComparisonsAreThoseReviewed(t *testing.T) {
	for name, in := range compareCases(t) {
		d := CompareDocument(in)
		for ending, render := range renderers {
			t.Run(name+ending, func(t *testing.T) { checkGolden(t, "compare-"+name+ending, d, render) })
		}
	}
}

func TestComparisonsByValueAreThoseReviewed(t *testing.T) {
	by := byCase(t)
	for ending, render := range renderers {
		t.Run(ending, func(t *testing.T) {
			checkGolden(t, "compare-by"+ending, CompareByDocument(by, Compare{}), render)
		})
	}
}

func byCase(t *testing.T) *ledger.By {
	t.Helper()
	var groups []ledger.Group
	for _, value := range []string{"main", "fallback"} {
		after := plainTook
		if value == "fallback" {
			after = changed(plainTook, segment.WaitUnattributed, 140)
		}
		set := measured(t, 12, madeStart, route{Route: way("before", ""), typical: plainTook, spread: 0.05}, route{Route: way("after", "edge.example.net"), typical: after, spread: 0.05})
		groups = append(groups, ledger.Group{Value: value, Before: ledger.Arm{Arm: set.Arms[0], Set: set}, After: ledger.Arm{Arm: set.Arms[1], Set: set}})
	}
	return ledger.CompareBy("header:x-backend", groups)
}

func TestCompareTextFitsAnOldTerminalAndIsASCII(t *testing.T) {
	for name, in := range compareCases(t) {
		for i, line := range strings.Split(textOf(t, CompareDocument(in)), "\n") {
			if len(line) > 80 {
				t.Errorf("%s: line %d has %d columns: %s", name, i+1, len(line), line)
			}
			if at := strings.IndexFunc(line, func(r rune) bool { return r > '~' }); at >= 0 {
				t.Errorf("%s: line %d is not ASCII: %s", name, i+1, line)
			}
		}
	}
}

// ledgerLine is a row of the text's ledger: depth, name, before, after, change.
var ledgerLine = regexp.MustCompile(`^( *)([a-z_.]+(?: \+ [a-z_]+)?)(?:  +\([^)]*\))? +(-?[\d.]+) +(-?[\d.]+) +([+-]?[\d.]+)(?: |$)`)

type printedRow struct {
	depth         int
	name          string
	before, after float64
	change        float64
}

// printedLedger reads the ledger back from the text, as a reader with a pencil would.
func printedLedger(t *testing.T, text string) []printedRow {
	t.Helper()
	_, table, found := strings.Cut(text, "ms at p50")
	if !found {
		return nil
	}
	table, _, _ = strings.Cut(table, "\n\n")
	var rows []printedRow
	for _, line := range strings.Split(table, "\n") {
		m := ledgerLine.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		number := func(s string) float64 { v, _ := strconv.ParseFloat(s, 64); return v }
		rows = append(rows, printedRow{len(m[1]) / 2, m[2], number(m[3]), number(m[4]), number(m[5])})
	}
	return rows
}

func TestPrintedLedgerAddsUp(t *testing.T) {
	for name, in := range compareCases(t) {
		rows := printedLedger(t, textOf(t, CompareDocument(in)))
		if len(rows) == 0 {
			continue
		}
		var sum, total printedRow
		for _, r := range rows {
			if r.change != r.after-r.before {
				t.Errorf("%s: %s: %v -> %v is not %v", name, r.name, r.before, r.after, r.change)
			}
			switch {
			case r.name == "total":
				total = r
			case r.depth == 0:
				sum.before, sum.after, sum.change = sum.before+r.before, sum.after+r.after, sum.change+r.change
			}
		}
		if sum.before != total.before || sum.after != total.after || sum.change != total.change {
			t.Errorf("%s: rows add up to %v, %v, %v; total is %v, %v, %v", name, sum.before, sum.after, sum.change, total.before, total.after, total.change)
		}
		checkParts(t, name, rows)
	}
}

// checkParts holds wait and upstream against the rows below them.
func checkParts(t *testing.T, name string, rows []printedRow) {
	t.Helper()
	for i, parent := range rows {
		if parent.name != "wait" && parent.name != "wait.upstream" {
			continue
		}
		var sum printedRow
		parts := 0
		for _, r := range rows[i+1:] {
			if r.depth <= parent.depth {
				break
			}
			if r.depth == parent.depth+1 {
				sum.before, sum.after, parts = sum.before+r.before, sum.after+r.after, parts+1
			}
		}
		if parts > 0 && (sum.before != parent.before || sum.after != parent.after) {
			t.Errorf("%s: parts of %s add up to %v, %v; it shows %v, %v", name, parent.name, sum.before, sum.after, parent.before, parent.after)
		}
	}
}

// Gains, losses and their ratio are those of the rows a reader sees.
func TestTheSentenceTakesItsNumbersFromTheTable(t *testing.T) {
	said := regexp.MustCompile(`It saved ([\d.]+) ms and lost ([\d.]+) of them \((\d+) %\)`)
	for name, in := range compareCases(t) {
		d := CompareDocument(in)
		m := said.FindStringSubmatch(strings.Join(strings.Fields(plain(d.Sentence)), " "))
		if m == nil {
			continue
		}
		gain, loss := 0.0, 0.0
		text := textOf(t, d)
		for _, line := range strings.Split(text, "\n") {
			row := ledgerLine.FindStringSubmatch(line)
			if row == nil {
				continue
			}
			change, _ := strconv.ParseFloat(row[5], 64)
			switch {
			case strings.HasSuffix(line, " saved"):
				gain -= change
			case strings.HasSuffix(line, " lost"):
				loss += change
			}
		}
		wantGain, _ := strconv.ParseFloat(m[1], 64)
		wantLoss, _ := strconv.ParseFloat(m[2], 64)
		share, _ := strconv.ParseFloat(m[3], 64)
		if gain != wantGain || loss != wantLoss || share-100*loss/gain > 0.5 || 100*loss/gain-share > 0.5 {
			t.Errorf("%s: said %v, the table has %v saved and %v lost", name, m[0], gain, loss)
		}
	}
}

func TestFirstSentences(t *testing.T) {
	cases := compareCases(t)
	for name, want := range map[string]string{
		"moved":   "From sao-paulo, after is 70 ms faster at p50: 539 -> 469 ms (95 %: 45 to 114; 25 cold requests each, one week apart). It saved 224 ms and lost 155 of them (69 %) in wait.pre_forward.",
		"fixed":   "From sao-paulo, after is 217 ms faster at p50: 469 -> 252 ms (95 %: 188 to 238; 25 cold requests each, one week apart). Most of it is in wait.pre_forward: 175 -> 12 ms.",
		"self":    "Unchanged: both sides are the same 25 exchanges (p50 539 ms).",
		"unlike":  "setup and total are shown side by side; no verdict is given.",
		"tiny":    "No verdict from sao-paulo: 3 cold pairs, and a p50 has limits from 5 an arm on (252 -> 256 ms).",
		"blocked": "green answered 403 at the edge, 3 of 3, so there is nothing to compare. Its 403s were quick; that is not a win. blue alone takes 252 ms from sao-paulo (p50 of 3; no limits below 5 requests).",
	} {
		if got := plain(CompareDocument(cases[name]).Sentence); got != want {
			t.Errorf("%s:\n got %s\nwant %s", name, got, want)
		}
	}
	for name, want := range map[string]string{
		"live": "green is 1", "quic": "QUIC spent one round trip on setup where TCP and TLS spent two.", "open": "would settle",
		"same": "Unchanged from sao-paulo: p50 stayed within", "small": "less than anybody notices", "few": "on 5 cold pairs only: the 11th request",
		"pinned": "dns left out in both (only before resolved a name)", "cdn": "All of it is in setup: 500 -> 27 ms.", "slower": "after is 54 ms slower",
		"silent": "after would show your users a certificate error: the certificate is for *.edge.example.net, not for api.example.com.",
	} {
		if got := plain(CompareDocument(cases[name]).Sentence); !strings.Contains(got, want) {
			t.Errorf("%s: %q does not say %q", name, got, want)
		}
	}
}

func TestReasonsNotToBelieveItStandOnTop(t *testing.T) {
	cases := compareCases(t)
	for name, want := range map[string]string{
		"answers": `NOT THE SAME ANSWER: blue sends 4,310 bytes, green 51,208 ("Example home").`,
		"unlike":  "NOT COMPARABLE: before was measured with h2, after with h3 and with another resolver",
	} {
		if got := strings.Join(strings.Fields(textOf(t, CompareDocument(cases[name]))), " "); !strings.HasPrefix(got, want) {
			t.Errorf("%s starts with %.120q, want %q", name, got, want)
		}
	}
}

// What text shows as a figure of the ledger, JSON holds unrounded.
func TestCompareJSONHoldsWhatTextShows(t *testing.T) {
	for name, in := range compareCases(t) {
		d := CompareDocument(in)
		var b bytes.Buffer
		if err := JSON(&b, d); err != nil {
			t.Fatal(err)
		}
		var got struct {
			Schema string
			Arms   []json.RawMessage
			Ledger struct {
				P50 []struct {
					Segment string
					Before  int64 `json:"before_ns"`
					After   int64 `json:"after_ns"`
				}
			}
			Gate []struct{ Outcome string }
		}
		if err := json.Unmarshal(b.Bytes(), &got); err != nil {
			t.Fatal(err)
		}
		if got.Schema != "coldsplit.compare/1" || len(got.Arms) != 2 || len(got.Gate) != len(in.Gate) {
			t.Errorf("%s: schema %q, %d arms, %d rules", name, got.Schema, len(got.Arms), len(got.Gate))
		}
		sum := [2]int64{}
		for _, e := range got.Ledger.P50 {
			sum[0], sum[1] = sum[0]+e.Before, sum[1]+e.After
		}
		if len(got.Ledger.P50) > 0 && sum != [2]int64{in.Result.Total.Before.Value, in.Result.Total.After.Value} {
			t.Errorf("%s: ledger sums to %v", name, sum)
		}
	}
}

func TestCompareMarkdownIsWellFormed(t *testing.T) {
	for name, in := range compareCases(t) {
		var b bytes.Buffer
		if err := Markdown(&b, CompareDocument(in)); err != nil {
			t.Fatal(err)
		}
		checkSourceRows(t, name, b.String())
	}
}

// Names come from files and flags; none may act on a terminal or a page.
func TestHostileNamesAreEscaped(t *testing.T) {
	in := compareCases(t)["live"]
	in.Names = [2]string{"\x1b[31mold", "<script>|`new`"}
	in.Short = "=cmd()\x07"
	d := CompareDocument(in)
	checkText(t, d)
	checkMachine(t, d)
	if got, want := markdownNodes(t, d), markdownNodes(t, CompareDocument(compareCases(t)["live"])); got != want {
		t.Errorf("structure changed: %+v, want %+v", got, want)
	}
}

func markdownNodes(t *testing.T, d Document) nodes {
	t.Helper()
	var b bytes.Buffer
	if err := Markdown(&b, d); err != nil {
		t.Fatal(err)
	}
	return countNodes(t, b.Bytes())
}

func TestCompareNames(t *testing.T) {
	cases := compareCases(t)
	for _, test := range []struct {
		name  string
		given [2]string
		want  [2]string
	}{
		{"live", [2]string{}, [2]string{"blue", "green"}},
		{"live", [2]string{"old", "new"}, [2]string{"old", "new"}},
		{"live", [2]string{"blue.example.com", "green.example.com"}, [2]string{"blue", "green"}},
		{"quic", [2]string{}, [2]string{"h2", "h3"}},
		{"slower", [2]string{"api.example.com", "edge.example.net"}, [2]string{"before", "after"}},
		{"moved", [2]string{}, [2]string{"before", "after"}},
	} {
		in := cases[test.name]
		in.Names = test.given
		if got := newView(in).names; got != test.want {
			t.Errorf("%s, given %q: %q, want %q", test.name, test.given, got, test.want)
		}
	}
}

func TestPercentAndProbabilityWords(t *testing.T) {
	for _, test := range []struct {
		ratio    float64
		decimals int
		want     string
	}{{0.31, 0, "+31 %"}, {-0.0621, 1, "-6.2 %"}, {0.0004, 0, "0 %"}, {-0.0004, 1, "0.0 %"}} {
		if got := signedPercent(test.ratio, test.decimals); got != test.want {
			t.Errorf("signedPercent(%v, %d) = %q, want %q", test.ratio, test.decimals, got, test.want)
		}
	}
	for p, want := range map[float64]string{1: "1.0", 0.41: ".41", 0.0479: ".048", 0.00001: "< .001"} {
		if got := probability(p); got != want {
			t.Errorf("probability(%v) = %q, want %q", p, got, want)
		}
	}
}
