package reading

import (
	"testing"
	"time"
)

// TestOwnWorkIsKeptEvenly counts up, so that what is remembered tells which exchanges it is of.
func TestOwnWorkIsKeptEvenly(t *testing.T) {
	for _, n := range []int{0, 1, mostOwn, mostOwn + 1, 5000, 1 << 16} {
		var w OwnWork
		w.add(0) // not measured
		for i := range n {
			w.add(time.Duration(i + 1))
		}
		if len(w.Times) > mostOwn || len(w.Times) < min(n, mostOwn/2) {
			t.Errorf("of %d, %d are kept", n, len(w.Times))
		}
		for i, d := range w.Times {
			if want := time.Duration(i*w.apart + 1); d != want {
				t.Fatalf("of %d, the one kept at %d is that of exchange %d, not %d", n, i, d, want)
			}
		}
		if n > 0 && (len(w.Times)+1)*w.apart < n {
			t.Errorf("of %d, the last %d are not looked at", n, n-len(w.Times)*w.apart)
		}
	}
}
