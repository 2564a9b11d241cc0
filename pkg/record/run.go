package record

import (
	"encoding/json"
	"time"
)

// Schema is the schema a writer declares; a reader refuses another major version.
const Schema = "coldsplit/1"

// Run is the first line of a run file: what one invocation set out to do and from where.
type Run struct {
	ID        string    // unique per run
	Tool      string    // "coldsplit 0.1.0 go1.26.8 linux/amd64"
	Started   time.Time // UTC
	Vantage   Vantage
	Resolver  string          // "system" or a resolver URL
	Order     string          // "random-pairs", "sequential", ...
	Seed      uint64          // of the run's order and jitter
	Interval  time.Duration   // between two starts, before jitter
	Timeout   time.Duration   // of one exchange
	Prewarm   *Prewarm        // nil when the process was not prewarmed
	Plan      json.RawMessage // what is needed to run the same again; secrets by reference
	Routes    []Route
	Notes     []string // what held for the whole run: "certificates not verified", "environment proxy ignored"
	Rehearsed bool     // measured in the lab: rehearsed, not measured
	Projected bool     // computed for another place, not measured
}

// Vantage is the machine that measured.
type Vantage struct {
	From      string // as the user named it, "" when not said
	Lat, Lon  float64
	Located   bool // Lat and Lon are known
	OS        string
	CPUs      int
	TimerTick time.Duration // resolution of the clock as measured at start; 0 when not measured
}

// Prewarm is what the process did to itself before the first exchange; it never touches a target.
type Prewarm struct {
	Roots     time.Duration // loading the system's certificate roots
	Resolver  time.Duration // loading the resolver configuration
	Protocols time.Duration // one throwaway exchange per protocol on loopback
}

// Route is one arm: a named way to a target under one protocol and one state. Names are unique in a run.
type Route struct {
	Name     string
	URL      string // userinfo and secret-looking query values replaced
	Method   string
	Protocol string // as asked: "auto", "http/1.1", "h2", "h3"
	Via      string // the address or name dialled instead of the URL's host
	Proxy    string // proxy URL without credentials
	State    string // "cold", "warm", "resumed", "early"
	Role     string // "", "before", "after", "control", "health"
	Family   int    // 4 or 6 when forced, else 0
	Resolver string // when it differs from the run's
	Hop      int    // position in a redirect chain, 0 for the first
}

// End is the last line of a complete run file.
type End struct {
	Counts
	Stop   string // why the run ended before its plan did: "cancelled", "failures", "throttled", ...; "" when it did not
	Arms   []ArmEnd
	Pauses []Pause
	Notes  []string
}

// ArmEnd is how one route ended.
type ArmEnd struct {
	Route   string
	Counts  Counts
	Stop    string // why this route stopped by itself, "" when it did not
	Failure string // what the failures that stopped it share
	Alike   int    // how many of them came in a row
}

// Pause is a wait the service asked for.
type Pause struct {
	After   int // send order of the throttled exchange
	For     time.Duration
	Granted bool // false: longer than the run was willing to wait
}

// Counts tells what became of the exchanges asked for. Asked = OK + Throttled + Failed + Invalid + NotSent
// for a run that ended; priming requests of state resumed are counted apart.
type Counts struct {
	Asked     int `json:"asked"`
	OK        int `json:"ok"`
	Throttled int `json:"throttled"`
	Failed    int `json:"failed"`
	Invalid   int `json:"invalid"`
	NotSent   int `json:"not_sent"`
	Priming   int `json:"priming,omitempty"`
}

// Add counts one exchange under its outcome.
func (c *Counts) Add(o Outcome) {
	switch o {
	case OK:
		c.OK++
	case Throttled:
		c.Throttled++
	case Failed:
		c.Failed++
	case Invalid:
		c.Invalid++
	}
}

// record counts x under its outcome, or as priming.
func (c *Counts) record(x *Exchange) {
	if x.Prime {
		c.Priming++
		return
	}
	c.Add(x.Outcome)
}

// Done is the number of exchanges that were sent and have an outcome.
func (c Counts) Done() int { return c.OK + c.Throttled + c.Failed + c.Invalid }
