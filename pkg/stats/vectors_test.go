package stats

import (
	"encoding/json"
	"math"
	"os"
	"testing"
)

// unit scales the vectors' small integers to nanoseconds, so that rounding a
// limit to one nanosecond stays far below their tolerance of 1e-9.
const unit = 1_000_000_000

// vector decodes one section of the reference values, which were computed by
// an independent program and cross-checked against R and scipy.
func vector[T any](t testing.TB, section string) T {
	t.Helper()
	text, err := os.ReadFile("../../testdata/stats-vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	var sections map[string]json.RawMessage
	if err := json.Unmarshal(text, &sections); err != nil {
		t.Fatal(err)
	}
	var v T
	if err := json.Unmarshal(sections[section], &v); err != nil {
		t.Fatalf("section %s: %v", section, err)
	}
	return v
}

func scaled(values []int64) []int64 {
	out := make([]int64, len(values))
	for i, v := range values {
		out[i] = v * unit
	}
	return out
}

func near(got, want float64) bool {
	return math.Abs(got-want) <= 1e-9*max(1, math.Abs(want))
}

func wantNear(t *testing.T, what string, got, want float64) {
	t.Helper()
	if !near(got, want) {
		t.Errorf("%s = %.15g, want %.15g", what, got, want)
	}
}

// wantLimit compares a limit in nanoseconds with a reference value in units,
// nil where there is none.
func wantLimit(t *testing.T, what string, has bool, got int64, want *float64) {
	t.Helper()
	switch {
	case has != (want != nil):
		t.Errorf("%s exists: %v, want %v", what, has, want != nil)
	case has:
		wantNear(t, what, float64(got)/unit, *want)
	}
}

func mustParse(t testing.TB, text string) Percentile {
	t.Helper()
	p, err := ParsePercentile(text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func orZero(v *int) int {
	if v == nil {
		return 0
	}
	return *v
}
