package report

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/coldsplit/coldsplit/pkg/reading"
)

// RoundTrips is what set-up spent on the network, for exchanges that spent alike.
type RoundTrips struct {
	TCP, TLS, QUIC int
	Reasons        []string // why each further one was needed, in words
	N, Of          int
	Setup          time.Duration // the shortest set-up among them
	RTT            time.Duration // the smallest round trip among them, 0 unknown
}

func (r RoundTrips) sum() int { return r.TCP + r.TLS + r.QUIC }

func roundTripsOf(a *reading.Arm) []RoundTrips {
	var out []RoundTrips
	for _, t := range a.Trips {
		r := RoundTrips{TCP: t.TCP, TLS: t.TLS, QUIC: t.QUIC, N: t.N, Of: a.N(), Setup: t.Setup, RTT: t.RTT}
		for _, e := range reading.Extras() {
			if t.Extra&e != 0 {
				r.Reasons = append(r.Reasons, extraWords(e, t.Chain))
			}
		}
		out = append(out, r)
	}
	return out
}

func extraWords(e reading.Extra, chain int) string {
	switch e {
	case reading.ExtraTLS12:
		return "TLS 1.2 takes two"
	case reading.ExtraHRR:
		return "the server asked for another key share (HelloRetryRequest)"
	case reading.ExtraChain:
		return fmt.Sprintf("%s of certificates exceed TCP's first flight", Bytes(int64(chain)))
	case reading.ExtraRetry:
		return "QUIC Retry"
	case reading.ExtraVersion:
		return "QUIC version negotiation"
	}
	return "certificates exceed what QUIC may send to an unproven address"
}

// mostTrips is how many ways of setting up text shows; the rest is counted together.
const mostTrips = 3

// tripBlocks is one line for each way connections were set up.
func tripBlocks(a Arm) []Block {
	var lines []string
	rest := 0
	for i, r := range a.RoundTrips {
		if i >= mostTrips {
			rest += r.N
			continue
		}
		lines = append(lines, tripLine(r))
	}
	if rest > 0 {
		lines = append(lines, Share(rest, a.N())+" in other ways")
	}
	if lines == nil {
		return nil
	}
	return []Block{KeyValue{Width: labels, Entries: []Entry{{"setup", lines}}}}
}

// roundTripFrom is the round trip below which a set-up is work and no travel.
const roundTripFrom = time.Millisecond

func tripLine(r RoundTrips) string {
	text := Plural(r.sum(), "round trip", "round trips") + " (" + tripParts(r) + ")"
	if r.N < r.Of {
		text += ", " + Share(r.N, r.Of)
	}
	if r.RTT >= roundTripFrom {
		s := ScaleFor(r.Setup)
		text += fmt.Sprintf("; at the shortest %s ms, %s times edge_rtt", trimZero(s.MS(r.Setup)),
			strconv.FormatFloat(float64(r.Setup)/float64(r.RTT), 'f', 1, 64))
	}
	if len(r.Reasons) > 0 {
		text += "; one more each: " + strings.Join(r.Reasons, ", ")
	}
	return text
}

func tripParts(r RoundTrips) string {
	var parts []string
	for _, p := range []struct {
		name string
		n    int
	}{{"tcp", r.TCP}, {"tls", r.TLS}, {"quic", r.QUIC}} {
		if p.n > 0 {
			parts = append(parts, fmt.Sprintf("%s %d", p.name, p.n))
		}
	}
	return strings.Join(parts, ", ")
}

type jsonTrips struct {
	TCP     int           `json:"tcp,omitempty"`
	TLS     int           `json:"tls,omitempty"`
	QUIC    int           `json:"quic,omitempty"`
	Sum     int           `json:"sum"`
	Reasons []string      `json:"reasons,omitempty"`
	N       int           `json:"n"`
	Of      int           `json:"of"`
	Setup   time.Duration `json:"least_setup_ns"`
	RTT     time.Duration `json:"least_rtt_ns,omitempty"`
}

func tripsJSON(list []RoundTrips) []jsonTrips {
	var out []jsonTrips
	for _, r := range list {
		out = append(out, jsonTrips{r.TCP, r.TLS, r.QUIC, r.sum(), r.Reasons, r.N, r.Of, r.Setup, r.RTT})
	}
	return out
}
