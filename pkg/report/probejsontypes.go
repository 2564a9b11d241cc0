package report

import (
	"time"

	"github.com/coldsplit/coldsplit/pkg/record"
)

// The JSON form of probe, schema coldsplit.probe/1. Times are integer nanoseconds in keys ending in
// _ns, absent is a missing key.
type (
	jsonProbe struct {
		Schema   string     `json:"schema"`
		Sentence string     `json:"sentence"`
		Warnings []string   `json:"warnings,omitempty"`
		From     string     `json:"from,omitempty"`
		Unit     int64      `json:"text_unit_ns"` // the last digit the text form shows
		Arms     []jsonArm  `json:"arms"`
		Chain    *jsonChain `json:"chain,omitempty"`
		Run      jsonRun    `json:"run"`
		Hints    []string   `json:"hints,omitempty"`
	}
	jsonArm struct {
		Name       string          `json:"name"`
		Route      jsonRoute       `json:"route"`
		Counts     record.Counts   `json:"counts"`
		Segments   jsonSegments    `json:"segments"`
		First      *jsonFirst      `json:"first,omitempty"`
		Slow       []jsonSlow      `json:"slow,omitempty"`
		SlowCount  int             `json:"slow_count"`
		Places     []jsonPlace     `json:"places,omitempty"`
		Told       []jsonTold      `json:"findings,omitempty"`
		RoundTrips []jsonTrips     `json:"round_trips,omitempty"`
		Interims   []jsonInterim   `json:"interim,omitempty"`
		Capped     int             `json:"capped,omitempty"` // bodies read up to --max-body and no further
		RTTSource  string          `json:"edge_rtt_source,omitempty"`
		Answer     *jsonAnswer     `json:"answer,omitempty"`
		Throttling *jsonThrottling `json:"throttling,omitempty"`
		Failures   []jsonFailure   `json:"failures,omitempty"`
		Invalid    []jsonFailure   `json:"invalid,omitempty"`
		Trouble    *jsonTrouble    `json:"trouble,omitempty"`
		Notes      []string        `json:"notes,omitempty"`
		OwnWork    *jsonOwnWork    `json:"own_work,omitempty"`
	}
	// jsonOwnWork is this machine's own processor time inside the handshake.
	jsonOwnWork struct {
		Segment string `json:"segment"`
		P50     int64  `json:"p50_ns"`
	}
	jsonRoute struct {
		URL      string `json:"url,omitempty"`
		Host     string `json:"host"`
		Protocol string `json:"protocol,omitempty"`
		State    string `json:"state"`
		Via      string `json:"via,omitempty"`
		Hop      int    `json:"hop,omitempty"`
	}
	jsonFigure struct {
		N        int                     `json:"n"`
		AtP50    *int64                  `json:"at_p50_ns,omitempty"`
		P10      *int64                  `json:"p10_ns,omitempty"`
		P50      *int64                  `json:"p50_ns,omitempty"`
		P90      *int64                  `json:"p90_ns,omitempty"`
		P99      *int64                  `json:"p99_ns,omitempty"`
		Rank     map[string]int          `json:"rank,omitempty"`
		Extreme  map[string]string       `json:"extreme,omitempty"`
		Interval map[string]jsonInterval `json:"interval,omitempty"`
	}
	jsonInterval struct {
		Lo         *int64  `json:"lo_ns,omitempty"`
		Hi         *int64  `json:"hi_ns,omitempty"`
		Confidence float64 `json:"confidence"`
	}
	jsonFirst struct {
		Seq   int           `json:"seq"`
		Total time.Duration `json:"total_ns"`
	}
	jsonSlow struct {
		Seq     int           `json:"seq"`
		Total   time.Duration `json:"total_ns"`
		Segment string        `json:"segment,omitempty"`
		Took    time.Duration `json:"took_ns,omitempty"`
		Cause   string        `json:"cause,omitempty"`
	}
	jsonPlace struct {
		Role     string `json:"role"`
		Site     string `json:"site,omitempty"`
		Seen     int    `json:"seen,omitempty"`
		Of       int    `json:"of,omitempty"`
		Evidence string `json:"evidence,omitempty"`
	}
	jsonAnswer struct {
		TLS      string   `json:"tls,omitempty"`
		Remotes  []string `json:"remotes,omitempty"`
		Status   int      `json:"status"`
		Decoded  int64    `json:"decoded"`
		Wire     int64    `json:"wire"`
		Encoding string   `json:"encoding,omitempty"`
		Kinds    int      `json:"kinds,omitempty"`
	}
	jsonThrottling struct {
		Seqs       []int          `json:"seqs"`
		Status     int            `json:"status"`
		Reason     string         `json:"reason,omitempty"`
		RetryAfter *time.Duration `json:"retry_after_ns,omitempty"`
		Wait       *time.Duration `json:"wait_p50_ns,omitempty"`
		Pauses     []jsonPause    `json:"pauses,omitempty"`
		Stopped    string         `json:"stopped,omitempty"`
	}
	jsonPause struct {
		After int           `json:"after_seq"`
		For   time.Duration `json:"for_ns"`
	}
	jsonFailure struct {
		Segment string `json:"segment,omitempty"`
		Class   string `json:"class,omitempty"`
		Count   int    `json:"count"`
		Seqs    []int  `json:"seqs,omitempty"`
		Text    string `json:"text,omitempty"`
	}
	jsonTrouble struct {
		Kind  string         `json:"kind"`
		Facts map[string]any `json:"facts"`
	}
	jsonChain struct {
		Hops  int        `json:"hops"`
		Total jsonFigure `json:"total"`
	}
	jsonRun struct {
		Started     *time.Time    `json:"started,omitempty"`
		Ended       *time.Time    `json:"ended,omitempty"`
		Interval    time.Duration `json:"interval_ns,omitempty"`
		Spread      time.Duration `json:"spread_ns,omitempty"`
		Resolver    string        `json:"resolver,omitempty"`
		Proxy       string        `json:"proxy,omitempty"`
		AddressFrom string        `json:"address_from,omitempty"`
		Order       string        `json:"order,omitempty"`
		Tool        string        `json:"tool,omitempty"`
		Percentiles string        `json:"percentiles"`
		CutOff      int           `json:"cut_off_after,omitempty"`
		Stopped     *jsonStopped  `json:"stopped,omitempty"`
		Sent        string        `json:"sent,omitempty"`
		Rehearsed   bool          `json:"rehearsed,omitempty"`
		Projected   string        `json:"projected,omitempty"`
		Notes       []string      `json:"notes,omitempty"`
	}
	jsonStopped struct {
		After int `json:"after"`
		Asked int `json:"asked"`
		Alike int `json:"alike,omitempty"`
	}
)
