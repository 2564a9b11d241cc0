package reading

import (
	"net"
	"slices"
	"strconv"

	"github.com/coldsplit/coldsplit/pkg/record"
	"github.com/coldsplit/coldsplit/pkg/segment"
)

// tally counts the facts of one ok exchange that should be the same in all of them.
func (a *Arm) tally(ex *record.Exchange, parts *Parts) {
	if a.example == nil {
		example := ex.Clone()
		a.example = &example
	}
	a.EdgeRTTSource.Add(parts.EdgeSrc)
	a.Protocols.Add(ex.Protocol)
	a.Remotes.Add(hostOf(ex.Remote))
	if ex.Family != 0 {
		a.Families.Add(strconv.Itoa(ex.Family))
	}
	if ex.TLS != nil {
		a.TLSVersions.Add(ex.TLS.Version)
	}
	if ex.DNS != nil {
		a.Resolvers.Add(ex.DNS.Server)
	}
	a.addAnswer(ex)
	a.tallyTold(ex.Seq, parts)
	for _, n := range ex.Notes {
		a.Notes.Add(n)
	}
}

// tallyTold counts what the response said beside the parts of its wait.
func (a *Arm) tallyTold(seq int, parts *Parts) {
	for i := range parts.doubts[:parts.numDoubts] {
		a.doubts.add(parts.doubts[i].doubt(), seq)
	}
	if parts.told == nil {
		return
	}
	for i := range parts.told.places {
		a.places.add(&parts.told.places[i])
	}
	for _, d := range parts.told.doubts {
		a.doubts.add(d, seq)
	}
	for _, s := range parts.told.limits {
		a.limits.add(s)
	}
}

// finish completes the arm once all exchanges are in.
func (a *Arm) finish() {
	a.dropSeconds()
	a.Places, a.Doubts, a.Limits = a.places.sorted(), a.doubts.sorted(), a.limits.list
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
