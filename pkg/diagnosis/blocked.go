package diagnosis

import (
	"net/netip"
	"slices"
	"strings"
	"time"

	"github.com/coldsplit/coldsplit/pkg/provider"
	"github.com/coldsplit/coldsplit/pkg/reading"
	"github.com/coldsplit/coldsplit/pkg/record"
	"github.com/coldsplit/coldsplit/pkg/segment"
)

// tellingHeaders are fields that firewalls and bot filters put on a refusal of their own.
var tellingHeaders = []string{
	"cf-mitigated", "x-amzn-waf-action", "x-datadome", "x-sucuri-block", "x-denied-reason", "x-vercel-mitigated",
	"x-iinfo", "x-akamai-denied", "x-block-reason",
}

// Headers are the names of response fields a diagnosis reads, in lower case. Whoever stores responses
// keeps these.
func Headers() []string { return slices.Clone(tellingHeaders) }

// agentNote begins the note that keeps the User-Agent of a refused exchange.
const agentNote = "user-agent sent: "

// AgentNote is the note on an exchange that keeps which User-Agent it sent.
func AgentNote(agent string) string { return agentNote + agent }

// blocked is a 403 that came too soon for anything behind the edge to have been asked.
func (s *scene) blocked() Cause {
	ex := s.example()
	if s.fail.Class != record.ClassStatus || s.fail.Status != 403 {
		return nil
	}
	after, _, _ := s.took()
	var opts reading.Options
	parts := opts.Parts(ex)
	rtt, known := parts.Get(segment.WaitEdgeRTT)
	told := provider.Read(ex.Headers, ex.Trailers)
	if !known || after > rtt+slack(rtt) || upstreamTold(told) || told.Cache.Hit || !s.edgeStands(told) {
		return nil
	}
	cause := Blocked{
		Status: s.fail.Status, Count: s.fail.N, Of: s.arm.Counts.Done(), Type: mediaType(ex.Headers),
		Bytes: ex.Bytes.Decoded, Title: ex.Title, After: after, RTT: rtt, Headers: telling(ex.Headers),
		Missing: "no upstream time", UserAgent: agentOf(ex.Notes),
	}
	if told.Cache.State == provider.CacheUnknown {
		cause.Missing += ", no cache status"
	}
	return cause
}

// slack is what an edge may think beyond one round trip: a quarter of it, 2 ms at least.
func slack(rtt time.Duration) time.Duration { return max(rtt/4, 2*time.Millisecond) }

// upstreamTold reports whether the response says that something behind the edge worked on it.
func upstreamTold(told provider.Reading) bool {
	behind := []provider.Role{provider.PreForward, provider.Upstream, provider.UpstreamNetwork, provider.UpstreamOrigin}
	return slices.ContainsFunc(behind, func(r provider.Role) bool { return told.Best(r) >= 0 })
}

// edgeStands reports whether there is an edge to speak of: something that names itself, or a peer out
// on the Internet. A service on this machine or in this network answers within any slack by itself.
func (s *scene) edgeStands(told provider.Reading) bool {
	if len(told.Providers) > 0 || len(telling(s.example().Headers)) > 0 {
		return true
	}
	peer, err := netip.ParseAddrPort(s.example().Remote)
	return err == nil && isPublic(peer.Addr())
}

func isPublic(a netip.Addr) bool {
	a = a.Unmap()
	return a.IsGlobalUnicast() && !a.IsPrivate()
}

func telling(headers record.Fields) []string {
	var out []string
	for _, name := range tellingHeaders {
		for _, v := range headers[name] {
			out = append(out, name+": "+v)
		}
	}
	return out
}

func mediaType(headers record.Fields) string {
	values := headers["content-type"]
	if len(values) == 0 {
		return ""
	}
	kind, _, _ := strings.Cut(values[0], ";")
	return strings.TrimSpace(kind)
}

func agentOf(notes []string) string {
	for _, n := range notes {
		if agent, ok := strings.CutPrefix(n, agentNote); ok {
			return agent
		}
	}
	return ""
}
