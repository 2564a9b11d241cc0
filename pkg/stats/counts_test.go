package stats

import (
	"fmt"
	"math"
	"testing"
)

func TestHolmReference(t *testing.T) {
	v := vector[struct{ P, Adjusted []float64 }](t, "holm")
	for i, got := range Holm(v.P) {
		wantNear(t, fmt.Sprintf("adjusted p %d", i), got, v.Adjusted[i])
	}
	if got := Holm([]float64{math.NaN(), 0, 2, -1}); got[0] != 1 || got[1] != 0 || got[2] != 1 || got[3] != 0 {
		t.Errorf("Holm of values that are no p = %v", got)
	}
	if got := Holm(nil); len(got) != 0 {
		t.Errorf("Holm of nothing = %v", got)
	}
}

func TestHolmCannotConfirmSevenSegmentsAtFiveAgainstFive(t *testing.T) {
	smallest := 2.0 / 252
	seven, six := []float64{smallest, 1, 1, 1, 1, 1, 1}, []float64{smallest, 1, 1, 1, 1, 1}
	if got := Holm(seven)[0]; got < 0.05 {
		t.Errorf("seven segments: %v", got)
	}
	if got := Holm(six)[0]; got > 0.05 {
		t.Errorf("six segments: %v", got)
	}
}

func TestClopperPearsonReference(t *testing.T) {
	for text, want := range vector[map[string][2]float64](t, "clopper_pearson_95") {
		var k, n int
		if _, err := fmt.Sscanf(text, "%d/%d", &k, &n); err != nil {
			t.Fatal(err)
		}
		lo, hi := ClopperPearson(k, n)
		wantNear(t, text+" lo", lo, want[0])
		wantNear(t, text+" hi", hi, want[1])
	}
	for _, c := range [][2]int{{0, 0}, {3, 0}, {-1, -1}} {
		if lo, hi := ClopperPearson(c[0], c[1]); lo != 0 || hi != 1 {
			t.Errorf("%d of %d: %v..%v, want 0..1", c[0], c[1], lo, hi)
		}
	}
	if lo, hi := ClopperPearson(9, 5); lo == 0 || hi != 1 {
		t.Errorf("9 of 5 is not read as 5 of 5: %v..%v", lo, hi)
	}
}

func TestFisherReference(t *testing.T) {
	for text, want := range vector[map[string]float64](t, "fisher_two_sided") {
		var k1, n1, k2, n2 int
		if _, err := fmt.Sscanf(text, "%d/%d vs %d/%d", &k1, &n1, &k2, &n2); err != nil {
			t.Fatal(err)
		}
		wantNear(t, text, Fisher(k1, n1, k2, n2), want)
		wantNear(t, text+" mirrored", Fisher(k2, n2, k1, n1), want)
		wantNear(t, text+" complement", Fisher(n1-k1, n1, n2-k2, n2), want)
	}
	for _, c := range [][4]int{{0, 0, 0, 0}, {0, 25, 0, 25}, {25, 25, 25, 25}, {0, 0, 3, 5}, {-1, -2, 9, 3}, {10, 1000, 10, 1000}} {
		if p := Fisher(c[0], c[1], c[2], c[3]); !near(p, 1) {
			t.Errorf("Fisher%v = %v, want 1", c, p)
		}
	}
	if p := Fisher(1000, 1_000_000, 1200, 1_000_000); p > 1e-4 || p < 1e-6 {
		t.Errorf("a thousand against twelve hundred in a million: p = %v", p)
	}
}
