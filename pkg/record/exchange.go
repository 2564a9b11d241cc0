package record

import (
	"time"

	"github.com/coldsplit/coldsplit/pkg/segment"
)

// Outcome says what became of an exchange.
type Outcome string

// The outcomes. Statistics are over OK only.
const (
	OK        Outcome = "ok"        // 2xx and 3xx, or what --ok says
	Throttled Outcome = "throttled" // 429, or 503 with Retry-After: the service said "not now"
	Failed    Outcome = "failed"    // everything else
	Invalid   Outcome = "invalid"   // not cold, wrong protocol, retried: never enters a statistic
)

// Class says how an exchange failed.
type Class string

// The failure classes.
const (
	ClassDNS     Class = "dns"
	ClassConnect Class = "connect"
	ClassProxy   Class = "proxy"
	ClassTLS     Class = "tls"
	ClassQUIC    Class = "quic"
	ClassReset   Class = "reset"
	ClassTimeout Class = "timeout"
	ClassStatus  Class = "status"
	ClassBody    Class = "body"
	ClassStream  Class = "stream"
)

// Exchange is one request on one connection: one line of a run file. Pointer and slice fields are
// nil when the fact does not apply or was not observed; zero durations inside them were observed.
// Offsets named At count from the exchange's start on its monotonic clock.
type Exchange struct {
	Route    string
	Seq      int // send order in the file
	Pair     int // the round
	Started  time.Time
	State    string
	Outcome  Outcome
	Status   int    // 0 when no final response came
	Protocol string // negotiated: "http/1.1", "h2", "h3"; "" when no connection was made
	Remote   string // address and port of the peer of the connection
	Total    time.Duration
	Clock    string // "kernel" or "user"
	Segments segment.Split

	First  bool // the route's first exchange of the run
	Family int  // 4 or 6 of the winning address
	Hop    int
	Prime  bool // the priming request of state resumed: sent, counted apart, in no statistic

	DNS      *DNS
	Attempts []Attempt
	TLS      *TLS
	ProxyTLS *TLS
	TCP      *TCP
	QUIC     *QUIC
	Interim  []Interim

	SchedLag  time.Duration // worst lateness of the scheduler seen during the exchange
	HasLag    bool
	SetupCPU  time.Duration // own CPU time inside tls or quic; 0 when not measured
	Intended  time.Duration // intended start minus actual start, for open arrival; never positive
	StartSkew time.Duration // connect call minus barrier release, in ramp
	Stream    *Stream
	Throttle  *Throttle
	Stage     int
	HasStage  bool
	Instance  string
	Template  string

	Bytes    Bytes
	BodySHA  string // SHA-256 of the decoded content, hex; "" when not hashed
	Title    string // title of an HTML answer, cut at 80 characters; for a failure report
	Headers  Fields // what the Keeper let through
	Trailers Fields
	Notes    []string
	Error    *Error
}

// DNS is what resolving told.
type DNS struct {
	Name    string        // what was looked up, "" for the host of the route's URL: a proxy, what --via names
	Server  string        // the resolver that answered; "system" when the system's stub did
	A       time.Duration // time to the A answer
	AAAA    time.Duration
	HasA    bool
	HasAAAA bool
	TTL     time.Duration // smallest TTL in the chain
	HasTTL  bool
	CNAME   []string // the chain, in order
	Addrs   []string
	HTTPS   string // ALPN hints of an HTTPS record, told and not followed
}

// Attempt is one connection attempt (RFC 8305). Offsets from the exchange's start.
type Attempt struct {
	Addr  string
	Start time.Duration
	End   time.Duration
	Err   string // "" for the winner; "canceled" for a loser still under way
}

// TLS is what the handshake settled and presented.
type TLS struct {
	Version    string // "1.2", "1.3"
	Cipher     string
	Group      string
	HRR        bool // HelloRetryRequest: one more round trip
	Resumed    bool
	ALPN       string
	Issuer     string
	Subject    string   // common name of the leaf
	Names      []string // DNS names of the leaf, 8 at most
	CertSHA    string
	NotAfter   time.Time
	ChainBytes int
	Verify     time.Duration // own time spent verifying; 0 when not measured
	ServerName string        // SNI sent
	Verified   bool          // the chain was verified against the roots
}

// TCP is the kernel's view of the connection (TCP_INFO); Linux and the lab have it.
type TCP struct {
	ConnectRTT   time.Duration // right after connect; 0 when unknown
	MinRTT       time.Duration // 0 when unknown
	TotalRetrans int           // segments sent again, SYN included
}

// QUIC is the transport's view of an HTTP/3 connection.
type QUIC struct {
	MinRTT   time.Duration
	Lost     int
	PTO      int
	Retry    bool // address validation by Retry: one more round trip
	VN       bool // Version Negotiation: one more round trip
	Stall    bool // the server hit the anti-amplification limit: one more round trip
	Used0RTT bool
}

// Interim is a 1xx response.
type Interim struct {
	Status int
	At     time.Duration
}

// Stream is what an event stream delivered. Offsets from the exchange's start.
type Stream struct {
	FirstEvent time.Duration
	FirstText  time.Duration
	LastEvent  time.Duration
	Events     int
	Texts      int
	HasText    bool
	GapP50     time.Duration // between text events
	GapP99     time.Duration
	Stall      time.Duration // the longest gap between text events
	Done       bool          // the terminal event came
}

// Throttle is how the service said "not now".
type Throttle struct {
	Reason        string
	RetryAfter    time.Duration
	HasRetryAfter bool
	Limit         string // which limit spoke, as far as rate-limit headers tell
}

// Bytes counts content: as received and after decoding.
type Bytes struct {
	Wire     int64
	Decoded  int64
	Sent     int64  // request content
	Encoding string // "" for identity
	Capped   bool   // reading stopped at the cap on body bytes
}

// Error is where and how a failed or invalid exchange ended.
type Error struct {
	Class   Class       // "" for an invalid exchange
	Segment segment.Key // the segment under way
	Text    string
}

// Fields are header or trailer fields: lower-case names, values in the order received.
type Fields map[string][]string
