package servertiming_test

import (
	"encoding/json"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/coldsplit/coldsplit/pkg/servertiming"
)

// plain is a metric as the case table writes it, where a browser's view makes
// every dur that is there but no number 0.
type plain struct {
	Name string   `json:"name"`
	Dur  *float64 `json:"dur,omitempty"`
	Desc *string  `json:"desc,omitempty"`
}

// deliberate holds the two rows where web-platform-tests stops at junk after a
// name and drops the rest of the field, while the specification's prose
// (w3c/server-timing issue 51) goes on to the next parameter or metric.
var deliberate = map[string][]plain{
	"wpt-67": {{Name: "metric", Dur: ptr(123.4)}},
	"wpt-68": {{Name: "metric1"}, {Name: "metric2"}},
}

func ptr[T any](v T) *T { return &v }

func TestCaseTable(t *testing.T) {
	rows := caseRows(t)
	if len(rows) != 91 {
		t.Fatalf("case table has %d rows, want 91", len(rows))
	}
	differ := 0
	for _, row := range rows {
		t.Run(row.id, func(t *testing.T) {
			got := plainly(t, servertiming.Parse(row.header))
			want := row.want
			if ours, ok := deliberate[row.id]; ok {
				if cmp.Equal(got, want) {
					t.Errorf("%q no longer differs from the table; drop it from the list", row.header)
				}
				differ++
				want = ours
			}
			if d := cmp.Diff(want, got); d != "" {
				t.Errorf("Parse(%q) (-want +got):\n%s", row.header, d)
			}
		})
	}
	if differ != len(deliberate) {
		t.Errorf("met %d of %d deliberate differences", differ, len(deliberate))
	}
}

type caseRow struct {
	id, header string
	want       []plain
}

func caseRows(t *testing.T) []caseRow {
	t.Helper()
	data, err := os.ReadFile("../../testdata/server-timing-cases.tsv")
	if err != nil {
		t.Fatal(err)
	}
	var rows []caseRow
	for _, line := range strings.Split(strings.TrimSpace(string(data)), "\n")[1:] {
		cells := strings.Split(line, "\t")
		row := caseRow{id: cells[0]}
		if err := json.Unmarshal([]byte(cells[1]), &row.header); err != nil {
			t.Fatalf("%s: header: %v", row.id, err)
		}
		if err := json.Unmarshal([]byte(cells[2]), &row.want); err != nil {
			t.Fatalf("%s: expected: %v", row.id, err)
		}
		rows = append(rows, row)
	}
	return rows
}

func plainly(t *testing.T, f servertiming.Field) []plain {
	t.Helper()
	out := []plain{}
	for _, m := range f.Metrics {
		p := plain{Name: m.Name}
		if m.Dur.State != servertiming.DurAbsent {
			p.Dur = ptr(0.0)
		}
		if m.Dur.State == servertiming.DurValue {
			v, err := strconv.ParseFloat(m.Dur.Number.String(), 64)
			if err != nil {
				t.Fatal(err)
			}
			p.Dur = &v
		}
		if m.Described {
			p.Desc = ptr(m.Desc)
		}
		out = append(out, p)
	}
	return out
}
