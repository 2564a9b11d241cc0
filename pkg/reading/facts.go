package reading

import (
	"net"
	"strconv"

	"github.com/coldsplit/coldsplit/pkg/record"
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
	for _, n := range ex.Notes {
		a.Notes.Add(n)
	}
}

// hostOf is the address of a remote without its port.
func hostOf(remote string) string {
	host, _, err := net.SplitHostPort(remote)
	if err != nil {
		return remote
	}
	return host
}
