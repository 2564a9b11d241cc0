package reading

import (
	"net"
	"slices"
	"strconv"
	"strings"

	"github.com/coldsplit/coldsplit/pkg/geo"
	"github.com/coldsplit/coldsplit/pkg/provider"
	"github.com/coldsplit/coldsplit/pkg/record"
	"github.com/coldsplit/coldsplit/pkg/segment"
)

// tally counts the facts of one ok exchange that should be the same in all of them.
func (a *Arm) tally(ex *record.Exchange, parts *Parts) {
	if a.example == nil {
		example := ex.Clone()
		a.example = &example
	}
	a.addInterims(ex)
	if ex.Bytes.Capped {
		a.Capped++
	}
	a.EdgeRTTSource.Add(parts.EdgeSrc)
	a.Protocols.Add(ex.Protocol)
	if ex.Remote != a.remote {
		a.remote = strings.Clone(ex.Remote)
		a.host = hostOf(a.remote)
	}
	a.Remotes.Add(a.host)
	if ex.Family != 0 {
		a.Families.Add(strconv.Itoa(ex.Family))
	}
	if ex.TLS != nil {
		a.TLSVersions.Add(ex.TLS.Version)
	}
	if ex.DNS != nil {
		a.Resolvers.Add(ex.DNS.Server)
	}
	a.OwnWork.add(ex.SetupCPU)
	a.addAnswer(ex)
	a.tallyTold(ex, parts)
	rtt, _ := parts.Get(segment.WaitEdgeRTT)
	a.trips.add(ex, rtt)
	for _, n := range ex.Notes {
		a.Notes.Add(n)
	}
}

// tallyTold counts what the response said beside the parts of its wait.
func (a *Arm) tallyTold(ex *record.Exchange, parts *Parts) {
	for i := range parts.doubts[:parts.numDoubts] {
		a.doubts.add(parts.doubts[i].doubt(), ex.Seq)
	}
	a.Tolerance = max(a.Tolerance, parts.tolerance)
	if parts.told == nil {
		return
	}
	for i := range parts.told.places {
		if p := a.places.add(&parts.told.places[i]); p != nil && p.Role == provider.Accepted {
			p.nearer(ex, parts)
		}
	}
	a.signs.add(ex, parts)
	for _, d := range parts.told.doubts {
		a.doubts.add(d, ex.Seq)
	}
	for _, s := range parts.told.limits {
		a.limits.add(s)
	}
}

// finish completes the arm once all exchanges are in.
func (a *Arm) finish(from *geo.Place) {
	a.t.finish()
	a.Seq.finish()
	a.Pair.finish()
	a.Marks = a.marks.join()
	a.dropSeconds()
	a.Places, a.Doubts, a.Limits, a.Trips = a.places.sorted(), a.doubts.sorted(), a.limits.list, a.trips.list
	slices.SortStableFunc(a.Trips, func(x, y TripShare) int { return y.N - x.N })
	if !a.Projected {
		a.Findings = a.findings(from)
	}
}

// dropSeconds takes a part out of the table when every exchange that has it looks like seconds;
// when only some do, it was chance and is not mentioned.
func (a *Arm) dropSeconds() {
	a.doubts.list = slices.DeleteFunc(a.doubts.list, func(d Doubt) bool {
		if d.Kind != Seconds {
			return false
		}
		col := a.t.cols[d.Key]
		if col == nil || d.N < len(col.Present()) {
			return true
		}
		a.t.cols[d.Key] = nil
		if d.Key != segment.WaitPreForward {
			a.t.cols[segment.WaitUpstreamNetwork], a.t.cols[segment.WaitUpstreamOrigin] = nil, nil
		}
		return false
	})
}

// hostOf is the address of a remote without its port.
func hostOf(remote string) string {
	host, _, err := net.SplitHostPort(remote)
	if err != nil {
		return remote
	}
	return host
}
