package provider

import (
	"strconv"
	"strings"
	"time"
)

// meta: header read off responses. rtt is the edge's view of the client in
// milliseconds; what uplat counts is unclear.
func meta() family {
	return family{name: "meta", layer: LayerEdge,
		sign: hasHeader("x-fb-connection-quality"),
		rules: []rule{
			{header: "x-fb-connection-quality", peer: metaPeer, unit: "rtt in ms", evidence: Seen,
				meaning: "the edge's own measurement of the connection that reached it", caveat: "uplat and ullat are undocumented and used for no segment"},
		}}
}

func metaPeer(value string) (Peer, bool) {
	text, ok := subPart(value, "rtt")
	n, err := strconv.ParseUint(strings.TrimSpace(text), 10, 20)
	if !ok || err != nil {
		return Peer{}, false
	}
	return Peer{RTT: time.Duration(n) * time.Millisecond}, n > 0
}
