package report

import "time"

// The JSON form of ramp, schema coldsplit.ramp/1. Positions count stages in the order listed, from 0.
type (
	jsonRamp struct {
		Schema         string          `json:"schema"`
		Sentence       string          `json:"sentence"`
		Warnings       []string        `json:"warnings,omitempty"`
		From           string          `json:"from,omitempty"`
		Unit           int64           `json:"text_unit_ns"`
		URL            string          `json:"url"`
		Protocol       string          `json:"protocol,omitempty"`
		State          string          `json:"state,omitempty"`
		Key            string          `json:"key"` // the figure the ramp is told by
		Stages         []jsonStage     `json:"stages"`
		All            jsonGroup       `json:"all"`
		LastClean      *int            `json:"last_clean,omitempty"`      // position
		FirstThrottled *int            `json:"first_throttled,omitempty"` // position
		Knee           *jsonKnee       `json:"knee,omitempty"`
		Templates      []jsonGroup     `json:"templates,omitempty"`
		Instances      []jsonInstance  `json:"instances,omitempty"`
		Health         *jsonHealth     `json:"health,omitempty"`
		After          []jsonAfter     `json:"after,omitempty"`
		Remaining      []jsonRemaining `json:"remaining,omitempty"`
		Findings       []string        `json:"findings,omitempty"`
		Footnotes      []string        `json:"footnotes,omitempty"`
		Run            jsonRampRun     `json:"run"`
		Hints          []string        `json:"hints,omitempty"`
		Against        *jsonAgainst    `json:"against,omitempty"` // an earlier ramp, compared with this one
	}
	jsonAgainst struct {
		Sentence string     `json:"sentence"`
		Key      string     `json:"key"`
		Files    [2]string  `json:"files"`
		Before   time.Time  `json:"before_started"`
		After    time.Time  `json:"after_started"`
		Steps    []jsonStep `json:"stages"`
		Differs  []string   `json:"differs,omitempty"`
		Doubts   []string   `json:"doubts,omitempty"`
	}
	jsonStep struct {
		Parallel   int           `json:"parallel,omitempty"`
		Rate       float64       `json:"rate,omitempty"`
		Before     any           `json:"before"`
		After      any           `json:"after"`
		BeforeP50  *int64        `json:"before_p50_ns,omitempty"`
		AfterP50   *int64        `json:"after_p50_ns,omitempty"`
		Change     *int64        `json:"change_ns,omitempty"`
		Interval   *jsonInterval `json:"interval,omitempty"`
		Verdict    string        `json:"verdict"`
		P          float64       `json:"p_holm"`
		PThrottled float64       `json:"throttled_p_holm"`
	}
	jsonGroup struct {
		Name      string                    `json:"name,omitempty"`
		Counts    any                       `json:"counts"`
		Dry       int                       `json:"payment_required,omitempty"`
		Figures   map[string]jsonLoadFigure `json:"figures"`
		Throttled *jsonLoadThrottled        `json:"throttled,omitempty"`
		Failures  []jsonLoadFailure         `json:"failures,omitempty"`
		Invalid   []jsonTally               `json:"invalid,omitempty"`
	}
	jsonStage struct {
		Parallel int       `json:"parallel,omitempty"`
		Rate     float64   `json:"rate,omitempty"`
		Sent     float64   `json:"sent_rate,omitempty"` // starts per second that came of it
		OKRate   *float64  `json:"ok_rate,omitempty"`   // accepted a second, of a number in parallel that was kept up
		Order    int       `json:"order"`               // in which it was sent
		Began    time.Time `json:"began"`
		jsonGroup
		Segments  jsonSegments        `json:"segments,omitempty"`
		Start     *jsonStart          `json:"start,omitempty"`
		InFlight  int                 `json:"in_flight"`
		Lag       time.Duration       `json:"lag_p50_ns"`
		Doubts    []string            `json:"doubts,omitempty"`
		Templates []jsonGroup         `json:"templates,omitempty"`
		Instances []jsonInstanceCount `json:"instances,omitempty"`
	}
	jsonStart struct {
		N       int           `json:"n"`
		P50     time.Duration `json:"skew_p50_ns"`
		Max     time.Duration `json:"skew_max_ns"`
		Connect time.Duration `json:"connect_spread_ns,omitempty"`
	}
	jsonLoadFigure struct {
		N        int                     `json:"n"`
		P50      int64                   `json:"p50_ns"`
		P95      int64                   `json:"p95_ns"`
		P99      *int64                  `json:"p99_ns,omitempty"`
		Max      int64                   `json:"max_ns"`
		Rank     map[string]int          `json:"rank,omitempty"`
		Extreme  map[string]string       `json:"extreme,omitempty"`
		Interval map[string]jsonInterval `json:"interval,omitempty"`
	}
	jsonLoadThrottled struct {
		Count         int            `json:"count"`
		Statuses      []jsonTally    `json:"statuses,omitempty"`
		Reasons       []jsonTally    `json:"reasons,omitempty"`
		Limits        []jsonTally    `json:"limits,omitempty"`
		RetryAfter    *time.Duration `json:"retry_after_ns,omitempty"`
		RetryAfterMax *time.Duration `json:"retry_after_max_ns,omitempty"`
		Latency       jsonLoadFigure `json:"latency"`
	}
	jsonLoadFailure struct {
		Class     string   `json:"class"`
		Segment   string   `json:"segment"`
		Status    int      `json:"status,omitempty"`
		Count     int      `json:"count"`
		Text      string   `json:"text,omitempty"`
		Instances []string `json:"instances,omitempty"`
		Stages    []int    `json:"stages,omitempty"`
	}
	jsonTally struct {
		Value string `json:"value"`
		Count int    `json:"count"`
	}
	jsonInstanceCount struct {
		Name      string `json:"name"`
		OK        int    `json:"ok"`
		Throttled int    `json:"throttled"`
		Failed    int    `json:"failed"`
		Held      int    `json:"held"` // the most accepted at once
	}
	jsonInstance struct {
		jsonInstanceCount
		FirstSeen  time.Time `json:"first_seen"`
		FirstStage int       `json:"first_stage"`
	}
	jsonHealth struct {
		URL      string          `json:"url"`
		Counts   any             `json:"counts"`
		Total    *jsonLoadFigure `json:"total,omitempty"`
		FirstBad *jsonBad        `json:"first_bad,omitempty"`
	}
	jsonBad struct {
		At     time.Time `json:"at"`
		Stage  int       `json:"stage"`
		Status int       `json:"status,omitempty"`
		Class  string    `json:"class,omitempty"`
	}
	jsonAfter struct {
		Outcome   string         `json:"outcome"`
		Status    int            `json:"status,omitempty"`
		Total     time.Duration  `json:"total_ns"`
		FirstText *time.Duration `json:"first_text_ns,omitempty"`
	}
	jsonKnee struct {
		Key      string        `json:"key"`
		Below    int           `json:"above_stage"` // position: the knee lies above this stage's number ..
		At       int           `json:"at_stage"`    // .. and at or below this one's
		Before   int64         `json:"before_p50_ns"`
		After    int64         `json:"after_p50_ns"`
		Change   int64         `json:"change_ns"`
		Interval *jsonInterval `json:"interval,omitempty"`
		P        float64       `json:"p_holm"`
	}
	jsonRemaining struct {
		Header string `json:"header"`
		Least  int64  `json:"least"`
		Count  int    `json:"count"`
	}
	jsonRampRun struct {
		Began       *time.Time    `json:"started,omitempty"`
		Ended       *time.Time    `json:"ended,omitempty"`
		Tool        string        `json:"tool,omitempty"`
		Resolver    string        `json:"resolver,omitempty"`
		TLS         string        `json:"tls,omitempty"`
		Percentiles string        `json:"percentiles"`
		Rounds      int           `json:"rounds"`
		Hold        time.Duration `json:"hold_ns,omitempty"`
		Gap         time.Duration `json:"gap_ns,omitempty"`
		Find        bool          `json:"find,omitempty"`
		Ceiling     int           `json:"parallel_limit,omitempty"`
		Requests    int           `json:"requests"`
		Cost        float64       `json:"cost,omitempty"`
		Budget      float64       `json:"budget,omitempty"`
		Reserved    float64       `json:"reserved,omitempty"`
		Stop        string        `json:"stop,omitempty"`
		Unsent      []int         `json:"unsent,omitempty"`
		AfterUnsent int           `json:"after_not_sent,omitempty"`
		Complete    bool          `json:"complete"`
		Rehearsed   bool          `json:"rehearsed,omitempty"`
		Notes       []string      `json:"notes,omitempty"`
	}
)
