//go:build unix

package probe_test

import (
	"context"
	"testing"

	"github.com/coldsplit/coldsplit/pkg/probe"
	"github.com/coldsplit/coldsplit/pkg/record"
)

// Exchanges that had ended were counted as under way, so that from the second on none was alone and none
// told its own work.
func TestEveryExchangeAloneTellsItsOwnWork(t *testing.T) {
	u, roots := startOrigin(t, true)
	for _, state := range []probe.State{probe.Cold, probe.Warm, probe.Resumed} {
		p := probe.Prober{}
		target := &probe.Target{URL: u, RootCAs: roots, State: state}
		for i := range 3 {
			result := p.Do(context.Background(), target)
			e := result.Exchange
			if e.Outcome != record.OK {
				t.Fatalf("%s, exchange %d: %s %+v", state, i, e.Outcome, e.Error)
			}
			if state == probe.Warm {
				e = *result.Prime // it shook hands
			}
			if e.SetupCPU <= 0 {
				t.Errorf("%s, exchange %d tells no processor time of its handshake", state, i)
			}
		}
	}
}
