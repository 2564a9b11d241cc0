package report

import (
	"time"

	"github.com/coldsplit/coldsplit/pkg/record"
	"github.com/coldsplit/coldsplit/pkg/segment"
	"github.com/coldsplit/coldsplit/pkg/stats"
)

// Probe is what probe and report tell: one or several arms measured alike, and how. Strings may be
// untrusted; sequence numbers count from 1, as a report shows them.
type Probe struct {
	Command  string // names the JSON schema: "probe" (also when empty) or "report"
	From     string // the vantage as the user named it, "" when not said
	Warnings []string
	Arms     []Arm
	Chain    *Chain // of -L: the arms are its hops
	Run      RunFacts
	Hints    []string
	Repeat   []string // command lines that repeat the measurement; in Markdown only
}

// Arm is one route under one protocol and one state.
type Arm struct {
	Name     string // unique; what a reader calls it
	Host     string
	URL      string
	Protocol string // as agreed, else as asked: "h2"
	State    string // "cold", "warm", "resumed", "early"; "" is cold
	Via      string // dialled instead of the host, "" when not
	Hop      int

	Counts  record.Counts
	Figures []Figure // in any order; keys nobody had are missing
	First   *First   // the run's first exchange of this arm, when it is ok

	Slow       []Slow
	SlowCount  int          // how many were slow, when more than listed
	Places     []Place      // in the order accepted, tier, compute, state
	Told       []Told       // what stands beside the table, the weightiest first
	RoundTrips []RoundTrips // what set-up spent on the network, the most frequent way first
	Interims   []Interim    // 1xx responses before the final one, by status
	Capped     int          // ok exchanges whose body was read up to --max-body and no further
	RTTSource  string       // of wait.edge_rtt, in words; "" when there is none
	Answer     Answer

	Throttling *Throttling
	Failures   []Failure
	Dry        int // of the failed: answered 402, the account ran dry
	Invalid    []Failure
	Trouble    Trouble // why nothing of this arm could be measured, when more is known than Failures tell
	Notes      []string
	OwnWork    *OwnWork // nil when it is not known
}

// N is the number of exchanges the statistics are over.
func (a Arm) N() int { return a.Counts.OK }

// Figure is what the ok exchanges of an arm have of one key.
type Figure struct {
	Key      segment.Key
	N        int // exchanges that have the key
	AtP50    time.Duration
	HasAtP50 bool // AtP50 is known: how a request that takes exactly the p50 spends its time
	P10, P50 stats.PercentileInterval
	P90, P99 stats.PercentileInterval
}

// First is the first exchange of a run: what stays warm behind a cold connection was coldest then.
type First struct {
	Seq   int
	Total time.Duration
}

// Slow is an exchange that stands out, with the segment that made it slow and why.
type Slow struct {
	Seq   int
	Total time.Duration
	Key   segment.Key
	Took  time.Duration // what Key took; 0 when no one segment is to blame
	Cause string        // one or more sentences, "" when nothing is known
}

// Place is where one role of the route was seen. An unknown place has no Site.
type Place struct {
	Role     string // "accepted", "tier", "compute", "state"
	Site     string
	Seen, Of int
	Evidence string // what says so
}

// Interim is what the ok exchanges had of one 1xx status. wait goes on until the final response.
type Interim struct {
	Status    int
	N         int           // exchanges that had it
	Responses int           // in all of them
	First     time.Duration // p50 of the time from the start of wait to the first of them
}

// Answer is what came back, the same for all ok exchanges or the most frequent.
type Answer struct {
	TLS      string // "1.3", "" without TLS
	Remotes  []string
	Status   int
	Decoded  int64
	Wire     int64
	Encoding string // "" for identity
	Kinds    int    // different answers seen, 0 and 1 when all were alike
}

// Chain is what following redirects cost as a whole.
type Chain struct {
	Hops  int
	Total stats.PercentileInterval // p50
}

// Throttling is what the service's "not now" amounted to.
type Throttling struct {
	Seqs          []int
	Status        int
	Reason        string
	RetryAfter    time.Duration // as first told
	HasRetryAfter bool
	Wait          time.Duration // p50 of the time to the throttling answer, counted in wait
	HasWait       bool
	Pauses        []Pause
	Stopped       string // why the run ended: "stopped at the third"; "" when it went on
}

// Pause is a wait the service asked for.
type Pause struct {
	After int // the exchange it followed
	For   time.Duration
}

// Failure groups exchanges that failed alike, or were invalid for the same reason.
type Failure struct {
	Segment segment.Key
	Class   record.Class // "" for an invalid exchange
	Count   int
	Seqs    []int
	Text    string
}

// RunFacts is how it was measured.
type RunFacts struct {
	Started, Ended time.Time
	Interval       time.Duration
	Spread         time.Duration // of --spread, else 0
	Resolver       string        // "system", an address or URL; "" when nothing was resolved
	Proxy          string        // the proxy of every arm, without credentials; it resolves the host
	AddressFrom    string        // the option that gave the address: "--via", "--resolve"; else ""
	Order          string        // in words when several arms took turns, else ""
	Tool           string        // "coldsplit 0.1.0 go1.26.8 linux/amd64"
	CutOff         int           // exchanges read before a file broke off, 0 when it is complete
	Stopped        *Stopped
	Sent           string // what was sent when it was less than a run: "1 request and 1 look-up of a reserved name"
	Rehearsed      bool   // measured in the lab
	Projected      string // "a round trip of 250 ms": computed for it, not measured; "" when measured
	Notes          []string
}

// Stopped tells that a run ended because going on was pointless.
type Stopped struct {
	After, Asked int
	Alike        int // the last ones that were alike; 0 and After are all of them
}
