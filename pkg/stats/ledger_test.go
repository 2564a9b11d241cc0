package stats

import (
	"fmt"
	"slices"
	"testing"
)

type splitReference struct {
	Rank, H, K     int
	Q              int64
	Weights, Split []float64
	WindowRequests []int32 `json:"window_requests"`
}

type changeReference struct {
	ShownOld   map[string]int64   `json:"shown_old"`
	ShownNew   map[string]int64   `json:"shown_new"`
	ShownDelta map[string]int64   `json:"shown_delta"`
	Delta      map[string]float64 `json:"delta"`
	DeltaTotal float64            `json:"delta_total"`
	Gain       float64            `json:"gross_gain"`
	Loss       float64            `json:"gross_loss"`
	Offset     float64            `json:"offset_ratio"`
	Old, New   splitReference
	Confirmed  *struct {
		Segments []string
		Gain     float64 `json:"gross_gain"`
		Loss     float64 `json:"gross_loss"`
		Offset   float64 `json:"offset_ratio"`
	}
}

type ledgerReference struct {
	Segments    []string
	Runs        map[string][][]int64
	AtoB        changeReference      `json:"A_to_B_p50"`
	BtoC        changeReference      `json:"B_to_C_p50"`
	BtoCp90     changeReference      `json:"B_to_C_p90"`
	Five        changeReference      `json:"five_requests_p50"`
	MoverAtoB   moverReference       `json:"A_to_B_delta_p50_mover"`
	MoverBtoC   moverReference       `json:"B_to_C_delta_p50_mover"`
	MannWhitney map[string]segmentPs `json:"per_segment_mann_whitney"`
	Holm        map[string]segmentPs `json:"per_segment_holm"`
	Expected    map[string][]string  `json:"expected_confirmed"`
}

type (
	segmentPs     map[string]float64
	segmentLimits map[string][2]float64
)

// rowsOf turns a reference run into rows, in nanoseconds.
func rowsOf(run [][]int64) Rows {
	rows := Rows{Columns: make([][]int64, len(run[0]))}
	for _, row := range run {
		total := int64(0)
		for j, v := range row {
			rows.Columns[j] = append(rows.Columns[j], v*unit)
			total += v * unit
		}
		rows.Total = append(rows.Total, total)
	}
	return rows
}

func wantSplit(t *testing.T, name string, rows Rows, p Percentile, want splitReference) Split {
	t.Helper()
	order := rows.Order()
	s := rows.SplitAt(order, p)
	if s.Rank != want.Rank || s.Half != want.H || len(s.Weights) != want.K || s.Value != want.Q*unit {
		t.Errorf("%s: rank %d, half %d, window %d, value %d, want %+v", name, s.Rank, s.Half, len(s.Weights), s.Value, want)
		return s
	}
	for i, weight := range want.Weights {
		wantNear(t, fmt.Sprintf("%s weight %d", name, i), s.Weights[i], weight)
	}
	for j, part := range want.Split {
		wantNear(t, fmt.Sprintf("%s part %d", name, j), s.Parts[j]/unit, part)
	}
	// Ties inside a window stand in another order than in the reference.
	window := slices.Sorted(slices.Values(order[s.Rank-1-s.Half : s.Rank+s.Half]))
	if slices.Sort(want.WindowRequests); !slices.Equal(window, want.WindowRequests) {
		t.Errorf("%s window = %v, want %v", name, window, want.WindowRequests)
	}
	return s
}

func TestSplitReference(t *testing.T) {
	v := vector[ledgerReference](t, "ledger")
	a, b, c := v.Runs["A_far"], v.Runs["B_moved_closer"], v.Runs["C_fixed"]
	for _, test := range []struct {
		name     string
		old, new [][]int64
		p        Percentile
		want     changeReference
	}{
		{"A to B", a, b, P50, v.AtoB}, {"B to C", b, c, P50, v.BtoC}, {"B to C at p90", b, c, P90, v.BtoCp90}, {"five", a[:5], b[:5], P50, v.Five},
	} {
		old := wantSplit(t, test.name+" before", rowsOf(test.old), test.p, test.want.Old)
		new := wantSplit(t, test.name+" after", rowsOf(test.new), test.p, test.want.New)
		shownOld, shownNew := shownMs(old), shownMs(new)
		for j, segment := range v.Segments {
			wantNear(t, test.name+" "+segment, (new.Parts[j]-old.Parts[j])/unit, test.want.Delta[segment])
			if shownOld[j] != test.want.ShownOld[segment] || shownNew[j] != test.want.ShownNew[segment] || shownNew[j]-shownOld[j] != test.want.ShownDelta[segment] {
				t.Errorf("%s %s shown %d -> %d, want %d -> %d", test.name, segment, shownOld[j], shownNew[j], test.want.ShownOld[segment], test.want.ShownNew[segment])
			}
		}
		change := SplitChangeOf(rowsOf(test.old), rowsOf(test.new), test.p, nil)
		wantOffset(t, test.name, change.Offset(0, 1, 2, 3, 4, 5, 6), test.want.Gain, test.want.Loss, test.want.Offset)
		if set := test.want.Confirmed; set != nil {
			wantOffset(t, test.name+" confirmed", change.Offset(columnsOf(v.Segments, set.Segments)...), set.Gain, set.Loss, set.Offset)
		}
		wantNear(t, test.name+" total", change.Delta()/unit, test.want.DeltaTotal)
	}
}

func shownMs(s Split) []int64 {
	shown := make([]float64, len(s.Parts))
	for j, part := range s.Parts {
		shown[j] = part / unit
	}
	return LargestRemainder(shown, s.Value/unit)
}

func wantOffset(t *testing.T, name string, got Offset, gain, loss, ratio float64) {
	t.Helper()
	wantNear(t, name+" gain", got.Gain/unit, gain)
	wantNear(t, name+" loss", got.Loss/unit, loss)
	wantNear(t, name+" offset", got.Value, ratio)
}

func columnsOf(segments, names []string) []int {
	var columns []int
	for _, name := range names {
		columns = append(columns, slices.Index(segments, name))
	}
	return columns
}

func TestLedgerReferenceIntervals(t *testing.T) {
	v := vector[ledgerReference](t, "ledger")
	reference := vector[struct {
		Bootstrap struct {
			AtoB segmentLimits `json:"A_to_B"`
			BtoC segmentLimits `json:"B_to_C"`
		} `json:"bootstrap_95_reference"`
	}](t, "ledger").Bootstrap
	a, b, c := rowsOf(v.Runs["A_far"]), rowsOf(v.Runs["B_moved_closer"]), rowsOf(v.Runs["C_fixed"])
	for _, test := range []struct {
		name      string
		old, new  Rows
		mover     moverReference
		limits    segmentLimits
		confirmed []string
	}{
		{"A_to_B", a, b, v.MoverAtoB, reference.AtoB, v.Expected["A_to_B"]},
		{"B_to_C", b, c, v.MoverBtoC, reference.BtoC, v.Expected["B_to_C"]},
	} {
		wantChange(t, test.name, ChangeOf(Sorted(test.old.Total), Sorted(test.new.Total), P50, ChangeOptions{}), &test.mover)
		change := SplitChangeOf(test.old, test.new, P50, nil)
		var ps []float64
		for j, segment := range v.Segments {
			wantWithin(t, test.name+" "+segment, change.Interval(j), test.limits[segment])
			p := MannWhitney(test.old.Columns[j], test.new.Columns[j]).P
			wantNear(t, test.name+" p of "+segment, p, v.MannWhitney[test.name][segment])
			ps = append(ps, p)
		}
		var confirmed []string
		for j, p := range Holm(ps) {
			wantNear(t, test.name+" adjusted p of "+v.Segments[j], p, v.Holm[test.name][v.Segments[j]])
			if p < alpha && change.Interval(j).ExcludesZero() {
				confirmed = append(confirmed, v.Segments[j])
			}
		}
		if slices.Sort(confirmed); !slices.Equal(confirmed, test.confirmed) {
			t.Errorf("%s confirms %v, want %v", test.name, confirmed, test.confirmed)
		}
		wantTotalNear(t, test.name, change, test.limits["total"])
		if limits, ok := test.limits["offset_ratio_confirmed"]; ok {
			o := change.Offset(columnsOf(v.Segments, confirmed)...)
			if !o.HasInterval || diff(o.Lo, limits[0]) > 0.03 || diff(o.Hi, limits[1]) > 0.03 {
				t.Errorf("%s offset %v..%v, want %v within .03", test.name, o.Lo, o.Hi, limits)
			}
		}
	}
}

// The reference is random itself and holds to 3 ms.
func wantWithin(t *testing.T, name string, got Interval, want [2]float64) {
	t.Helper()
	if !got.Complete() || diff(float64(got.Lo)/unit, want[0]) > 3 || diff(float64(got.Hi)/unit, want[1]) > 3 {
		t.Errorf("%s: %.1f..%.1f, want %v within 3", name, float64(got.Lo)/unit, float64(got.Hi)/unit, want)
	}
}

// The resampled p50 is always one of the observations, which lie up to 5 ms
// apart here; so do the limits.
func wantTotalNear(t *testing.T, name string, change *SplitChange, want [2]float64) {
	t.Helper()
	got := change.Interval()
	if diff(float64(got.Lo)/unit, want[0]) > 5 || diff(float64(got.Hi)/unit, want[1]) > 5 {
		t.Errorf("%s total: %.1f..%.1f, want %v", name, float64(got.Lo)/unit, float64(got.Hi)/unit, want)
	}
}

func diff(a, b float64) float64 { return max(a-b, b-a) }

func TestWindowHalfWidthReference(t *testing.T) {
	type row struct {
		N, Rank, H int
		P          string
	}
	for _, want := range vector[[]row](t, "window_half_width") {
		rank := mustParse(t, want.P).Rank(want.N)
		if got := HalfWidth(want.N, rank); rank != want.Rank || got != want.H {
			t.Errorf("n %d %s: rank %d, half width %d, want %+v", want.N, want.P, rank, got, want)
		}
	}
	for cube := range 200 {
		n := cube * cube * cube
		if got := HalfWidth(n, (n+1)/2); n >= 1000 && got != cube*cube {
			t.Errorf("n %d: half width %d, want %d", n, got, cube*cube)
		}
	}
}

func TestTailReference(t *testing.T) {
	type reference struct {
		Rank   int
		NTail  int     `json:"n_tail"`
		Rows   []int32 `json:"tail_requests"`
		Mean   float64 `json:"tail_mean_total"`
		Excess map[string]float64
		Total  float64 `json:"excess_total"`
		Share  map[string]float64
		Blamed []string `json:"dominant"`
	}
	runs, want := vector[ledgerReference](t, "ledger"), vector[map[string]reference](t, "tail_attribution")
	for name, run := range map[string][][]int64{
		"A_far_above_p90": runs.Runs["A_far"], "B_above_p90": runs.Runs["B_moved_closer"], "five_above_p90": runs.Runs["A_far"][:5],
	} {
		rows, want := rowsOf(run), want[name]
		order := rows.Order()
		tail := rows.TailAbove(order, P90, rows.SplitAt(order, P50))
		if len(tail.Rows) != want.NTail {
			t.Fatalf("%s: %d rows, want %d", name, len(tail.Rows), want.NTail)
		}
		wantNear(t, name+" mean", tail.MeanTotal/unit, want.Mean)
		wantNear(t, name+" excess", tail.ExcessTotal/unit, want.Total)
		for j, segment := range runs.Segments {
			wantNear(t, name+" "+segment, tail.Excess[j]/unit, want.Excess[segment])
			wantNear(t, name+" share of "+segment, tail.Share(j), want.Share[segment])
		}
		for i, row := range tail.Rows {
			if row.Row != want.Rows[i] || runs.Segments[row.Dominant] != want.Blamed[i] {
				t.Errorf("%s: row %d dominated by %s, want %d, %s", name, row.Row, runs.Segments[row.Dominant], want.Rows[i], want.Blamed[i])
			}
		}
	}
}

func TestPowerReference(t *testing.T) {
	want := vector[struct {
		Tau     float64
		PerSide map[int64]int `json:"n_per_side"`
	}](t, "power")
	pilot := rowsOf(vector[ledgerReference](t, "ledger").Runs["A_far"])
	tau, ok := Tau(IntervalOf(Sorted(pilot.Total), P50))
	if !ok {
		t.Fatal("no tau from 25 requests")
	}
	wantNear(t, "tau", tau/unit, want.Tau)
	for ms, n := range want.PerSide {
		if got := PerSide(tau, ms*unit); got != n {
			t.Errorf("requests a side for %d ms = %d, want %d", ms, got, n)
		}
	}
	if _, ok := Tau(IntervalOf(Sorted(pilot.Total), P99)); ok {
		t.Error("tau of a p99 without upper limit")
	}
	if n, none := PerSide(1e18, 1), PerSide(tau, 0); n != 1e9 || none != 0 {
		t.Errorf("hopeless wish costs %d, none %d", n, none)
	}
}

func TestChangeTellsWhatWouldSettleIt(t *testing.T) {
	x := make([]int64, 25)
	for i := range x {
		x[i] = int64(i) * unit
	}
	change := ChangeOf(x, x, P50, ChangeOptions{})
	tau, _ := Tau(IntervalOf(x, P50))
	// Two sides alike: both ways to ask are the same.
	if a, b := change.PerSide(3*unit), PerSide(tau, 3*unit); a != b || a == 0 {
		t.Errorf("by the change %d, by tau %d", a, b)
	}
	if half, whole := change.PerSide(2*unit), change.PerSide(4*unit); diff(float64(half), 4*float64(whole)) > 4 {
		t.Errorf("half the change needs %d, the whole %d, want four times as many", half, whole)
	}
	if a, b := ChangeOf(x[:4], x, P50, ChangeOptions{}).PerSide(unit), change.PerSide(0); a != 0 || b != 0 {
		t.Errorf("without an interval %d, for nothing %d, want 0", a, b)
	}
}

func TestLargestRemainderReference(t *testing.T) {
	type reference struct {
		Values []float64
		Total  int64
		Shown  []int64
	}
	for _, want := range vector[[]reference](t, "largest_remainder") {
		if got := LargestRemainder(want.Values, want.Total); !slices.Equal(got, want.Shown) {
			t.Errorf("%v to %d = %v, want %v", want.Values, want.Total, got, want.Shown)
		}
	}
}
