package ledger

import (
	"testing"

	"github.com/coldsplit/coldsplit/pkg/stats"
)

func TestADriftOfNothingIsNoDriftHoweverSure(t *testing.T) {
	for name, c := range map[string]struct {
		early, late int64
		want        bool
	}{
		"a thousandth": {100_000_000, 100_100_000, false},
		"two percent":  {100_000_000, 98_000_000, true},
		"a third":      {3_000_000, 2_000_000, true},
	} {
		trend := stats.Trend{P: 1e-9, Early: c.early, Late: c.late}
		pairs := Drift{Pairs: trend, Before: stats.Trend{P: 1}, After: stats.Trend{P: 1}}
		separate := Drift{Pairs: stats.Trend{P: 1}, Before: stats.Trend{P: 1}, After: trend}
		if pairs.Drifts() != c.want || separate.Drifts() != c.want {
			t.Errorf("%s: pairs %v, separate %v, want %v", name, pairs.Drifts(), separate.Drifts(), c.want)
		}
	}
}
