package reading

import (
	"github.com/coldsplit/coldsplit/pkg/record"
	"github.com/coldsplit/coldsplit/pkg/segment"
)

// Options say how recorded exchanges are read.
type Options struct{}

// Parts takes the wait of one exchange apart.
func (o *Options) Parts(ex *record.Exchange) Parts {
	var p Parts
	if rtt, source := edgeRTT(ex); source != "" {
		p.set(segment.WaitEdgeRTT, rtt)
		p.EdgeSrc = source
	}
	return p
}
