package ledger

import (
	"encoding/json"
	"math"
	"os"
	"testing"

	"github.com/coldsplit/coldsplit/pkg/segment"
	"github.com/coldsplit/coldsplit/pkg/stats"
)

// The reference values name the rows of the fixtures so; edge is wait that nothing reports.
var vectorKeys = map[string]segment.Key{
	"dns": segment.DNS, "tcp": segment.TCP, "tls": segment.TLS, "edge": segment.WaitUnattributed,
	"pre_forward": segment.WaitPreForward, "upstream": segment.WaitUpstream, "transfer": segment.Transfer,
}

type shownVector struct {
	Old   map[string]int64   `json:"shown_old"`
	New   map[string]int64   `json:"shown_new"`
	Delta map[string]int64   `json:"shown_delta"`
	Exact map[string]float64 `json:"delta"`
}

type moverVector struct {
	Delta, Lo, Hi float64
}

type tailVector struct {
	N        int                `json:"n_tail"`
	Total    float64            `json:"excess_total"`
	Share    map[string]float64 `json:"share"`
	Dominant []string           `json:"dominant"`
}

type vectors struct {
	Tail struct {
		A    tailVector `json:"A_far_above_p90"`
		B    tailVector `json:"B_above_p90"`
		Five tailVector `json:"five_above_p90"`
	} `json:"tail_attribution"`
	Ledger struct {
		AB      shownVector `json:"A_to_B_p50"`
		BC      shownVector `json:"B_to_C_p50"`
		BC90    shownVector `json:"B_to_C_p90"`
		Five    shownVector `json:"five_requests_p50"`
		MoverAB moverVector `json:"A_to_B_delta_p50_mover"`
		MoverBC moverVector `json:"B_to_C_delta_p50_mover"`
		Holm    struct {
			AB map[string]float64 `json:"A_to_B"`
			BC map[string]float64 `json:"B_to_C"`
		} `json:"per_segment_holm"`
		Confirmed struct {
			AB []string `json:"A_to_B"`
			BC []string `json:"B_to_C"`
		} `json:"expected_confirmed"`
	}
}

func readVectors(t *testing.T) vectors {
	t.Helper()
	text, err := os.ReadFile("../../testdata/stats-vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	var v vectors
	if err := json.Unmarshal(text, &v); err != nil {
		t.Fatal(err)
	}
	return v
}

// shownMS rounds the column of one side to whole milliseconds that add up.
func shownMS(entries []Entry, of func(Entry) int64) map[segment.Key]int64 {
	parts, total := make([]float64, len(entries)), 0.0
	for i, e := range entries {
		parts[i] = float64(of(e)) / 1e6
		total += parts[i]
	}
	out := map[segment.Key]int64{}
	for i, v := range stats.LargestRemainder(parts, int64(math.Round(total))) {
		out[entries[i].Key] = v
	}
	return out
}

func checkShown(t *testing.T, entries []Entry, want shownVector) {
	t.Helper()
	before := shownMS(entries, func(e Entry) int64 { return e.Before })
	after := shownMS(entries, func(e Entry) int64 { return e.After })
	for name, k := range vectorKeys {
		if before[k] != want.Old[name] || after[k] != want.New[name] || after[k]-before[k] != want.Delta[name] {
			t.Errorf("%s: got %d -> %d, want %d -> %d (%+d)", name, before[k], after[k], want.Old[name], want.New[name], want.Delta[name])
		}
	}
}

func TestLedgerOfTheThreeRuns(t *testing.T) {
	v := readVectors(t).Ledger
	a, b, c := fixture(t, "ledger-A.jsonl", 0), fixture(t, "ledger-B.jsonl", 0), fixture(t, "ledger-C.jsonl", 0)
	for _, test := range []struct {
		name          string
		before, after Arm
		shown         shownVector
		mover         moverVector
		holm          map[string]float64
		confirmed     []string
	}{
		{"A to B", a, b, v.AB, v.MoverAB, v.Holm.AB, v.Confirmed.AB},
		{"B to C", b, c, v.BC, v.MoverBC, v.Holm.BC, v.Confirmed.BC},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := Compare(test.before, test.after)
			if got.Verdict != Faster || got.Interleaved {
				t.Errorf("verdict %v, interleaved %v, want faster from separate runs", got.Verdict, got.Interleaved)
			}
			checkShown(t, got.Entries, test.shown)
			checkNear(t, "lower limit", float64(got.Total.Lo)/1e6, test.mover.Lo, 1e-6)
			checkNear(t, "upper limit", float64(got.Total.Hi)/1e6, test.mover.Hi, 1e-6)
			for name, p := range test.holm {
				checkNear(t, name+" Holm p", entryOf(t, got, vectorKeys[name]).Adjusted, p, 1e-9)
			}
			checkConfirmed(t, got, test.confirmed)
			checkNear(t, "offset ratio", got.Offset.Value, offsetOver(test.shown.Exact, test.confirmed), 1e-6)
		})
	}
}

// offsetOver is the loss over the gain among the confirmed rows, never among all: pure noise would
// read as a loss.
func offsetOver(delta map[string]float64, confirmed []string) float64 {
	gain, loss := 0.0, 0.0
	for _, name := range confirmed {
		gain, loss = gain+max(0, -delta[name]), loss+max(0, delta[name])
	}
	return loss / gain
}

func checkNear(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if math.Abs(got-want) > tolerance {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

func checkConfirmed(t *testing.T, c *Comparison, want []string) {
	t.Helper()
	wanted := map[segment.Key]bool{}
	for _, name := range want {
		wanted[vectorKeys[name]] = true
	}
	for _, e := range c.Entries {
		if (e.Standing == Confirmed) != wanted[e.Key] {
			t.Errorf("%s is %v, confirmed in the reference: %v", e.Key, e.Standing, wanted[e.Key])
		}
	}
}

// The offset's limits come from seeded resamples; the reference allows 3 points.
func TestOffsetLimitsOfTheMovedFunction(t *testing.T) {
	c := Compare(fixture(t, "ledger-A.jsonl", 0), fixture(t, "ledger-B.jsonl", 0))
	checkNear(t, "lower limit", c.Offset.Lo, 0.586, 0.03)
	checkNear(t, "upper limit", c.Offset.Hi, 0.788, 0.03)
}

func TestNothingIsLostWhenTheStateFollows(t *testing.T) {
	c := Compare(fixture(t, "ledger-B.jsonl", 0), fixture(t, "ledger-C.jsonl", 0))
	if !c.Offset.HasValue || c.Offset.Value != 0 {
		t.Errorf("offset %v, want 0 %%", c.Offset)
	}
}

func TestLedgerAtP90HasFiguresAndNoIntervals(t *testing.T) {
	c := Compare(fixture(t, "ledger-B.jsonl", 0), fixture(t, "ledger-C.jsonl", 0))
	checkShown(t, c.P90, readVectors(t).Ledger.BC90)
	for _, e := range c.P90 {
		if e.Standing != Untested || e.Interval.HasLo || e.Interval.HasHi {
			t.Errorf("%s at p90: standing %v, interval %v, want neither", e.Key, e.Standing, e.Interval)
		}
	}
}

// Seven rows of five against five cannot be confirmed: 7 * 2/252 is above .05 (statistics, Holm).
func TestFiveRequestsSuggestAndConfirmNothing(t *testing.T) {
	c := Compare(fixture(t, "ledger-A.jsonl", 5), fixture(t, "ledger-B.jsonl", 5))
	checkShown(t, c.Entries, readVectors(t).Ledger.Five)
	for _, k := range []segment.Key{segment.WaitPreForward, segment.WaitUpstream} {
		if e := entryOf(t, c, k); e.Standing != Suggested {
			t.Errorf("%s is %v with Holm p %v, want suggested", k, e.Standing, e.Adjusted)
		}
	}
	if c.Offset.HasValue {
		t.Errorf("offset %v without a confirmed row, want none", c.Offset.Value)
	}
}

func TestTailsAreAttributedToRows(t *testing.T) {
	v := readVectors(t).Tail
	c := Compare(fixture(t, "ledger-A.jsonl", 0), fixture(t, "ledger-B.jsonl", 0))
	for i, want := range []tailVector{v.A, v.B} {
		tail := c.Tails[i]
		if len(tail.Rows) != want.N {
			t.Fatalf("arm %d: %d above p90, want %d", i, len(tail.Rows), want.N)
		}
		checkNear(t, "excess, ms", tail.ExcessTotal/1e6, want.Total, 1e-6)
		for j, e := range c.Entries {
			for name, k := range vectorKeys {
				if k == e.Key {
					checkNear(t, name+" share", tail.Share(j), want.Share[name], 1e-9)
				}
			}
		}
		for j, row := range tail.Rows {
			if got := c.Entries[row.Dominant].Key; got != vectorKeys[want.Dominant[j]] {
				t.Errorf("arm %d, slow request %d: %s, want %s", i, j, got, want.Dominant[j])
			}
		}
	}
	if five := Compare(fixture(t, "ledger-A.jsonl", 5), fixture(t, "ledger-B.jsonl", 5)); len(five.Tails[0].Rows) != v.Five.N {
		t.Errorf("five requests have a tail of %d", len(five.Tails[0].Rows))
	}
}
