package report

import (
	"fmt"
	"time"

	"github.com/coldsplit/coldsplit/pkg/reading"
	"github.com/coldsplit/coldsplit/pkg/segment"
	"github.com/coldsplit/coldsplit/pkg/stats"
)

// OwnWork is the p50 of the processor time this machine itself spent inside the handshake.
type OwnWork struct {
	Key segment.Key // tls or quic
	P50 time.Duration
}

// ownWorkOf is nil for a rehearsal too: its servers run in the same process, so that their work is counted.
func ownWorkOf(set *reading.Set, a *reading.Arm) *OwnWork {
	key, one := handshakeOf(a)
	if set.Run.Rehearsed || a.Projected || len(a.OwnWork.Times) == 0 || !one {
		return nil
	}
	times := make([]int64, len(a.OwnWork.Times))
	for i, d := range a.OwnWork.Times {
		times[i] = int64(d)
	}
	stats.Sort(times)
	return &OwnWork{Key: key, P50: time.Duration(stats.QuantileOf(times, stats.P50).Value)}
}

// handshakeOf is the segment an arm's handshakes are in; false when some are in either, or there are none.
func handshakeOf(a *reading.Arm) (k segment.Key, one bool) {
	tls, quic := a.Column(segment.TLS) != nil, a.Column(segment.QUIC) != nil
	if quic {
		k = segment.QUIC
	} else {
		k = segment.TLS
	}
	return k, tls != quic
}

// ownWorkLines are a line an arm, with its name where there are several.
func ownWorkLines(arms []Arm) []string {
	var lines []string
	for _, a := range arms {
		if a.OwnWork == nil {
			continue
		}
		line := fmt.Sprintf("of %s, %s is this machine's own processor time (p50)", a.OwnWork.Key, InWords(a.OwnWork.P50))
		if len(arms) > 1 {
			line = a.Name + ": " + line
		}
		lines = append(lines, line)
	}
	return lines
}

// ownWorkLines are those of the arms there are, under the names the report gives them.
func (v *view) ownWorkLines() []string {
	var arms []Arm
	for i := range v.sides() {
		arms = append(arms, v.callee(i))
	}
	return ownWorkLines(arms)
}
