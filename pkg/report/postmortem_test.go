package report

import (
	"bytes"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/coldsplit/coldsplit/pkg/segment"
)

// keyed makes the first cell of each row a key; a note follows it after two blanks.
func keyed(rows []Row) []Row {
	for _, row := range rows {
		text, note, _ := strings.Cut(row.Cells[0].Text, "  ")
		row.Cells[0] = Cell{Text: text, Note: note, Key: true}
	}
	return rows
}

func TestPostmortemMarkdownIsDrawnAsThePictureHasIt(t *testing.T) {
	columns := compareColumns("before", "after")
	columns[4].Align = Right
	d := Document{
		Title: "api.example.com from lagos: 816 -> 351 ms at p50 (-57 %)",
		Sentence: "From lagos, after is 465 ms faster at p50: 816 -> 351 ms (95 %: 458 to 479; 25 cold requests each, " +
			"one week apart). All of it is set-up: 500 -> 27 ms.",
		Blocks: []Block{
			Table{Columns: columns, Rows: keyed(rowsOf("dns|30|37|+7||noise", "tcp|248|11|-237|-239 to -236|saved",
				"#total|816|351|-465|-479 to -458|faster", ".setup  (tcp + tls)|500|27|-473|-476 to -471|", ".ttfb|814|350|-464|-479 to -459|"))},
			Paragraph{"Rows down to " + Codes("transfer") + " add up to " + Codes("total") + "; " + Codes("setup") + " and " +
				Codes("ttfb") + " are part of it."},
			List{Title: "Doubts", Items: []string{
				"Before: one SYN was lost (1,834 ms). " + Codes("p90") + " and " + Codes("p99") + " are not tested.",
				"One place, one minute a run. Other cities were not measured.",
			}},
			Details{"How it was measured, and how to repeat it", []Block{
				Table{Columns: []Column{{}, {Head: "before"}, {Head: "after"}}, Rows: rowsOf("day (UTC)|2026-11-23|2026-11-30")},
				Code{[]string{"coldsplit compare before.jsonl after.jsonl -f md"}},
			}},
		},
	}
	want := strings.TrimPrefix(`
### api.example.com from lagos: 816 -> 351 ms at p50 (-57 %)

> From lagos, after is 465 ms faster at p50: 816 -> 351 ms (95 %: 458 to 479;
> 25 cold requests each, one week apart). All of it is set-up: 500 -> 27 ms.

| ms at p50 | before | after | change | 95 % | |
|:--|--:|--:|--:|--:|:--|
| ~dns~ | 30 | 37 | +7 | | noise |
| ~tcp~ | 248 | 11 | -237 | -239 to -236 | saved |
| **~total~** | **816** | **351** | **-465** | **-479 to -458** | **faster** |
| ~setup~ (tcp + tls) | 500 | 27 | -473 | -476 to -471 | |
| ~ttfb~ | 814 | 350 | -464 | -479 to -459 | |

Rows down to ~transfer~ add up to ~total~; ~setup~ and ~ttfb~ are part of it.

**Doubts**

- Before: one SYN was lost (1,834 ms). ~p90~ and ~p99~ are not tested.
- One place, one minute a run. Other cities were not measured.

<details><summary>How it was measured, and how to repeat it</summary>

| | before | after |
|:--|:--|:--|
| day (UTC) | 2026-11-23 | 2026-11-30 |

    coldsplit compare before.jsonl after.jsonl -f md

</details>
`, "\n")
	var got bytes.Buffer
	if err := Markdown(&got, d); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.ReplaceAll(want, "~", "`"), got.String()); diff != "" {
		t.Errorf("picture differs (-want +got):\n%s", diff)
	}
}

func TestEveryTroubleEscapesWhatItQuotes(t *testing.T) {
	long := strings.Repeat("\u202e|<`x", 20_000)
	for _, trouble := range []Trouble{
		NoAnswer{Address: long, Segment: segment.Wait, Count: 3, Of: 3, Each: time.Second},
		Refused{Address: long, Count: 3, Of: 3, After: ms, Lo: ms, Hi: ms},
		Blocked{Status: 403, Count: 3, Of: 3, Type: long, Title: long, Headers: []string{long, esc}, UserAgent: long},
		WrongCertificate{Address: long, Name: long, Presented: []string{long}, Reason: long, Chain: esc},
		Impostor{Host: long, Address: esc, Resolver: long, ProbeName: long, ProbeAddr: esc, CertName: long},
		NoAddress{Host: long, Count: 1, Of: 1, Resolver: long, Answer: esc},
		NoRoute{Address: long, Family: 6, Count: 1, Of: 1},
		NoQUIC{Address: long, Count: 1, Of: 1, Each: time.Second},
	} {
		t.Run(trouble.kind(), func(t *testing.T) {
			p := failedRun(failedArm("api.example.com", trouble), RunFacts{Sent: "1 request"}, esc)
			d := ProbeDocument(p)
			checkText(t, d)
			checkMachine(t, d)
			checkSourceRows(t, trouble.kind(), rendered(t, p, ".md"))
			if n := len(rendered(t, p, ".json")); n > 6_000 {
				t.Errorf("JSON has %d bytes: something was not cut", n)
			}
		})
	}
}

func TestOneDocumentRendersInManyPlacesAtOnce(t *testing.T) {
	d := ProbeDocument(oneArmRun(mixedArm(), runFacts))
	want := textOf(t, d)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			var b bytes.Buffer
			if err := Text(&b, d, TextOptions{}); err != nil || b.String() != want {
				t.Errorf("a report rendered beside others differs (%v)", err)
			}
		})
	}
	wg.Wait()
}
