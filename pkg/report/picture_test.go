package report

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// textOf renders blocks at 80 columns without colour.
func textOf(t *testing.T, d Document) string {
	t.Helper()
	var b bytes.Buffer
	if err := Text(&b, d, TextOptions{}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// checkPicture compares with a picture that starts with a line end for legibility.
func checkPicture(t *testing.T, d Document, want string) {
	t.Helper()
	if diff := cmp.Diff(strings.TrimPrefix(want, "\n"), textOf(t, d)); diff != "" {
		t.Errorf("picture differs (-want +got):\n%s", diff)
	}
}

// cellsOf makes cells of words separated by bars; the first is a key.
func cellsOf(line string) []Cell {
	var cells []Cell
	for _, text := range strings.Split(line, "|") {
		cells = append(cells, Cell{Text: text})
	}
	return cells
}

func rowsOf(lines ...string) []Row {
	var rows []Row
	for _, line := range lines {
		depth := len(line) - len(strings.TrimLeft(line, "."))
		ruled := strings.HasPrefix(line, "#")
		rows = append(rows, Row{Depth: depth, Ruled: ruled, Cells: cellsOf(strings.TrimLeft(line, ".#"))})
	}
	return rows
}

func compareColumns(before, after string) []Column {
	return []Column{
		{Head: "ms at p50", Min: 27},
		{Head: before, Align: Right, Min: 6, Gap: 2},
		{Head: after, Align: Right, Min: 5, Gap: 3},
		{Head: "change", Align: Right, Gap: 3},
		{Head: "95 %    ", Align: Right, Min: 12, Gap: 2},
		{},
	}
}

func TestCompareTableIsDrawnAsThePictureHasIt(t *testing.T) {
	d := Document{
		Sentence: "From sao-paulo, green is 117 ms faster than blue at p50: 382 -> 265 ms (95 %: 111 to 120; " +
			"25 cold pairs). It saved 232 ms and lost 119 of them (51 %) in wait.pre_forward.",
		Blocks: []Block{
			Table{Columns: compareColumns("blue", "green"), Rule: 72, Rows: rowsOf(
				"dns|4|3|-1||noise", "tcp|7|7|0||noise", "tls|15|14|-1||noise", "send|0|0|0||noise",
				"wait|354|239|-115||", ".wait.edge_rtt  (est.)|6|6|0||noise",
				".wait.pre_forward|8|127|+119|+117 to +121|lost", ".wait.upstream|218|102|-116||",
				"..wait.upstream.network|119|5|-114|-114 to -113|saved", "..wait.upstream.origin|99|97|-2||noise",
				".wait.unattributed|122|4|-118|-119 to -116|saved", "transfer|2|2|0||noise",
				"#total|382|265|-117|-120 to -111|faster", ".setup  (tcp + tls)|22|21|-1||",
				".ttfb   (all but transfer)|380|263|-117||",
			)},
			Paragraph{"Each column is how a request that takes exactly the p50 spends its time, so the rows add up. " +
				"saved, lost: confirmed (Holm over the 9 rows that vary, and the interval excludes 0). " +
				"noise: what 25 pairs cannot tell from nothing."},
			List{Title: "findings", Numbered: true, Items: []string{
				"wait.pre_forward rose 8 -> 127 ms. Accepted and compute are both GRU now, so the function waits for " +
					"something else before it forwards: work, or a place up to 12,900 km away (one round trip of 127 ms). " +
					"State created before the move is the usual one; nothing here reports where it is.",
				"wait.unattributed fell 122 -> 4 ms. blue ran in IAD behind GRU: that haul needs at least 75 ms in " +
					"fibre and no header counted it.",
			}},
			Table{Columns: []Column{
				{Head: "where", Min: 14}, {Head: "blue", Min: 12, Gap: 3}, {Head: "green", Min: 12, Gap: 3}, {},
			}, Rows: rowsOf("  accepted|GRU 25/25|GRU 25/25|cf-ray", "  compute|IAD 25/25|GRU 25/25|cf-placement",
				"  state|unknown|unknown")},
			Group{
				Table{Columns: []Column{
					{Head: "ms", Min: 9}, {Min: 6}, {Head: "p10", Align: Right, Min: 9}, {Head: "p50", Align: Right, Min: 5, Gap: 3},
					{Head: "p90", Align: Right, Min: 5, Gap: 3}, {Head: "p99*", Align: Right, Min: 5, Gap: 3}, {Gap: 5},
				}, Rows: rowsOf("setup|blue|19|22|23|24", "|green|19|21|22|1033", "ttfb|blue|370|379|456|583",
					"|green|255|263|322|1280", "total|blue|372|382|458|584", "|green|257|265|324|1282",
					"|change|-115|-117|-134|+698|p90, p99 not tested")},
				KeyValue{Width: 11, Entries: []Entry{{"tail", []string{"green #14: one SYN lost, +1 s. 1 of 25 is 0.1 to " +
					"20 %: no difference from blue's 0 of 25 can be claimed (Fisher p 1.0)."}}}},
			},
			KeyValue{Width: 11, Entries: []Entry{
				{"answers", []string{"same: 200, 4,310 bytes, one body hash in 50 of 50"}},
				{"run", []string{
					"50 asked: 50 ok, 0 throttled, 0 failed, 0 invalid",
					"25 pairs, order in each pair by coin (seed 7), 200 ms apart",
				}},
			}},
		},
		Footnotes: []Entry{
			{"*", []string{"p99 of 25 is the slowest one; a p99 needs 100 an arm"}},
			{"(est.)", []string{"smallest round trip of the connection, from the kernel, not reported"}},
		},
	}
	checkPicture(t, d, `
From sao-paulo, green is 117 ms faster than blue at p50: 382 -> 265 ms (95 %:
111 to 120; 25 cold pairs). It saved 232 ms and lost 119 of them (51 %) in
wait.pre_forward.

ms at p50                      blue   green   change      95 %
dns                               4       3       -1                noise
tcp                               7       7        0                noise
tls                              15      14       -1                noise
send                              0       0        0                noise
wait                            354     239     -115
  wait.edge_rtt  (est.)           6       6        0                noise
  wait.pre_forward                8     127     +119  +117 to +121  lost
  wait.upstream                 218     102     -116
    wait.upstream.network       119       5     -114  -114 to -113  saved
    wait.upstream.origin         99      97       -2                noise
  wait.unattributed             122       4     -118  -119 to -116  saved
transfer                          2       2        0                noise
------------------------------------------------------------------------
total                           382     265     -117  -120 to -111  faster
  setup  (tcp + tls)             22      21       -1
  ttfb   (all but transfer)     380     263     -117

Each column is how a request that takes exactly the p50 spends its time, so the
rows add up. saved, lost: confirmed (Holm over the 9 rows that vary, and the
interval excludes 0). noise: what 25 pairs cannot tell from nothing.

findings
  1  wait.pre_forward rose 8 -> 127 ms. Accepted and compute are both GRU now,
     so the function waits for something else before it forwards: work, or a
     place up to 12,900 km away (one round trip of 127 ms). State created before
     the move is the usual one; nothing here reports where it is.
  2  wait.unattributed fell 122 -> 4 ms. blue ran in IAD behind GRU: that haul
     needs at least 75 ms in fibre and no header counted it.

where            blue           green
  accepted       GRU 25/25      GRU 25/25     cf-ray
  compute        IAD 25/25      GRU 25/25     cf-placement
  state          unknown        unknown

ms                       p10     p50     p90    p99*
setup      blue           19      22      23      24
           green          19      21      22    1033
ttfb       blue          370     379     456     583
           green         255     263     322    1280
total      blue          372     382     458     584
           green         257     265     324    1282
           change       -115    -117    -134    +698     p90, p99 not tested
tail       green #14: one SYN lost, +1 s. 1 of 25 is 0.1 to 20 %: no difference
           from blue's 0 of 25 can be claimed (Fisher p 1.0).

answers    same: 200, 4,310 bytes, one body hash in 50 of 50
run        50 asked: 50 ok, 0 throttled, 0 failed, 0 invalid
           25 pairs, order in each pair by coin (seed 7), 200 ms apart
*          p99 of 25 is the slowest one; a p99 needs 100 an arm
(est.)     smallest round trip of the connection, from the kernel, not reported
`)
}

func TestRampTablesAreDrawnAsThePictureHasThem(t *testing.T) {
	right := func(head, over string, gap, least int) Column {
		return Column{Head: head, Over: over, Align: Right, Gap: gap, Min: least}
	}
	stages := Table{Rule: 70, Columns: []Column{
		right("parallel", "", 0, 8), right("ok", "", 4, 2), right("throttled", "", 2, 9), right("failed", "", 2, 6),
		right("setup", "", 2, 5), right("p50", "", 3, 4), right("p95*", "first text", 3, 4), right("p50", "", 4, 4),
		right("p95*", "total  ", 3, 4),
	}, Rows: rowsOf("1|1|0|0|65|496|496|1690|1690", "4|4|0|0|63|600|628|1730|1763", "8|8|0|0|61|750|931|1799|2160",
		"16|13|3|0|61|969|1604|2402|2964", "32|15|16|1|62|1117|1788|2602|3182")}
	instances := Table{Columns: []Column{
		{Over: "instance", Min: 8}, right("ok", "", 4, 2), right("throttled", "at 16  ", 2, 9), right("ok", "", 6, 2),
		right("throttled", "at 32  ", 2, 9), right("ok", "", 6, 2), right("throttled", "all   ", 2, 9), right("failed", "", 2, 6),
	}, Rows: rowsOf("m-a1|8|3|8|9|23|12|0", "m-b7|5|0|7|7|18|7|1")}
	sum := Row{Ruled: true, Cells: cellsOf("sum|41|19|1"), Tail: strings.Repeat(" ", 18) + "61 sent, none twice"}
	stages.Rows = append(stages.Rows, sum)
	d := Document{Blocks: []Block{
		stages,
		KeyValue{Width: 15, Entries: []Entry{
			{"throttled 19", []string{"429, Retry-After 2, error.code bench_full; after 113 ms (p50)"}},
			{"failed     1", []string{"stream: 200, then cut after 41 texts, no [DONE]  (m-b7, at 32)"}},
		}},
		instances,
	}}
	checkPicture(t, d, `
                                            first text        total
parallel    ok  throttled  failed  setup    p50   p95*     p50   p95*
       1     1          0       0     65    496    496    1690   1690
       4     4          0       0     63    600    628    1730   1763
       8     8          0       0     61    750    931    1799   2160
      16    13          3       0     61    969   1604    2402   2964
      32    15         16       1     62   1117   1788    2602   3182
----------------------------------------------------------------------
     sum    41         19       1                    61 sent, none twice

throttled 19   429, Retry-After 2, error.code bench_full; after 113 ms (p50)
failed     1   stream: 200, then cut after 41 texts, no [DONE]  (m-b7, at 32)

instance          at 16              at 32               all
            ok  throttled      ok  throttled      ok  throttled  failed
m-a1         8          3       8          9      23         12       0
m-b7         5          0       7          7      18          7       1
`)
}
