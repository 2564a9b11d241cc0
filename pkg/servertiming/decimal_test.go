package servertiming

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"
)

// TestDecimalsRoundAsExactArithmeticDoes holds the short way against the exact one.
func TestDecimalsRoundAsExactArithmeticDoes(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	short := 0
	for range 20_000 {
		text := fmt.Sprintf("%.*f", rng.IntN(9), rng.Float64()*float64(rng.Uint64N(1_000_000)))
		n, rest, ok := ParseNumber(text)
		if !ok || rest != "" {
			t.Fatal(text)
		}
		for _, unit := range []time.Duration{time.Second, time.Millisecond, time.Microsecond} {
			got, ok := n.decimal(unit)
			if !ok {
				continue
			}
			short++
			if want, fits := n.exact(unit, false); !fits || got != want {
				t.Fatalf("%s of %s: %d, exact %d", text, unit, got, want)
			}
		}
	}
	if short < 30_000 {
		t.Errorf("only %d of 60000 went the short way", short)
	}
}
