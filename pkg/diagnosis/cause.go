package diagnosis

import (
	"time"

	"github.com/coldsplit/coldsplit/pkg/segment"
)

// Cause is why an arm brought nothing: one of [NoAnswer], [Refused], [Blocked], [WrongCertificate],
// [Impostor], [NoAddress], [NoResolver], [NoRoute], [NoQUIC]. Strings in it may be untrusted.
type Cause interface{ cause() }

// Part is what of the way a cause speaks of: "" for the URL's own host.
type Part string

// The parts of a way that are not the URL's host.
const (
	ThroughProxy Part = "through-proxy" // the URL's host, which a proxy was to reach
	TheProxy     Part = "proxy"
	TheVia       Part = "via" // what --via names
)

// NoAnswer is a peer that stayed silent while a connection was tried.
type NoAnswer struct {
	Address string
	Segment segment.Key
	Count   int
	Of      int
	Each    time.Duration // p50 of the time in Segment
	SYNs    int           // sent by each, 0 when unknown
	Part    Part
}

// Refused is a host that reset every connection attempt: it is up, and nothing listens there.
type Refused struct {
	Address string
	Count   int
	Of      int
	After   time.Duration // p50 of the time to the reset
	Lo, Hi  time.Duration // fastest and slowest
	Part    Part
}

// Blocked is a refusal given at the edge: it came after about one round trip, and nothing in it tells
// of an upstream.
type Blocked struct {
	Status    int
	Count     int
	Of        int
	Type      string // media type, "" when not kept
	Bytes     int64
	Title     string
	After     time.Duration // p50 of wait
	RTT       time.Duration
	Headers   []string // telling ones, "name: value"
	Missing   string   // what a response of the service would have: "no upstream time, no cache status"
	UserAgent string   // as sent, "" when not recorded
}

// WrongCertificate is a certificate that does not hold for the host.
type WrongCertificate struct {
	Address   string
	Name      string // SNI
	Presented []string
	Reason    string
	NameFits  bool
	Chain     string
	After     time.Duration // spent in tls or quic by the first
}

// Impostor is a network that answers in place of the host. A name that cannot exist (RFC 6761 section
// 6.4) had an address there.
type Impostor struct {
	Host       string
	Address    string
	Resolver   string
	ProbeName  string
	ProbeAddr  string
	CertName   string // of a certificate that did not verify, "" when none was shown
	SelfSigned bool
}

// NoAddress is a name that did not resolve.
type NoAddress struct {
	Host     string
	Count    int
	Of       int
	Resolver string
	Answer   string // the resolver's word: "no such name", "no address"
	Family   int    // 4 or 6 when only that was asked for
	Part     Part
}

// NoResolver is a resolver that told nothing about a name: it was not reached, or could not say.
type NoResolver struct {
	Resolver string
	Host     string
	Count    int
	Of       int
	Answer   string // "no connection", "no answer", "refused", "server failure", "unusable answer"
}

// NoRoute is an address of a family this machine cannot reach: it said so itself, at once.
type NoRoute struct {
	Address string
	Family  int
	Count   int
	Of      int
	Part    Part
}

// NoQUIC is a peer from which no QUIC packet came back.
type NoQUIC struct {
	Address string
	Count   int
	Of      int
	Each    time.Duration
	TCPOpen bool // another route of the run had a TCP connection to the same address and port
}

func (NoAnswer) cause()         {}
func (Refused) cause()          {}
func (Blocked) cause()          {}
func (WrongCertificate) cause() {}
func (Impostor) cause()         {}
func (NoAddress) cause()        {}
func (NoResolver) cause()       {}
func (NoRoute) cause()          {}
func (NoQUIC) cause()           {}
