package report

// The JSON form of compare, schema coldsplit.compare/1. Times are integer nanoseconds in keys ending in
// _ns and not rounded, absent is a missing key, changes are after minus before.
type (
	jsonCompare struct {
		Schema      string           `json:"schema"`
		Sentence    string           `json:"sentence"`
		Warnings    []string         `json:"warnings,omitempty"`
		From        string           `json:"from,omitempty"`
		Unit        int64            `json:"text_unit_ns"`
		Names       [2]string        `json:"names"`
		Arms        []jsonArm        `json:"arms"`
		Change      *jsonChange      `json:"change,omitempty"`
		Verdict     *jsonVerdict     `json:"verdict,omitempty"`
		Ledger      *jsonLedger      `json:"ledger,omitempty"`
		Percentiles []jsonPercentile `json:"percentiles,omitempty"`
		Findings    []jsonFinding    `json:"findings"`
		Doubts      []string         `json:"doubts,omitempty"`
		Tails       [2]*jsonTail     `json:"tails"` // above p90 of before, after; null where there is none
		Shares      []jsonShare      `json:"shares,omitempty"`
		Steadiness  *jsonTwo         `json:"p10_to_p50,omitempty"`
		Drift       *jsonDrift       `json:"drift,omitempty"`
		Control     *jsonControl     `json:"control,omitempty"`
		ControlSent int              `json:"control_requests,omitempty"` // of a live run, in no arm
		Answers     jsonAnswers      `json:"answers"`
		Differences []jsonDifference `json:"differences,omitempty"`
		Gate        []jsonGate       `json:"gate,omitempty"`
		Run         []jsonRun        `json:"run"`
		Hints       []string         `json:"hints,omitempty"`
	}
	jsonChange struct {
		Key        string   `json:"of"`
		Percentile string   `json:"percentile"`
		Before     int64    `json:"before_ns"`
		After      int64    `json:"after_ns"`
		Change     int64    `json:"change_ns"`
		Lo         *int64   `json:"lo_ns,omitempty"`
		Hi         *int64   `json:"hi_ns,omitempty"`
		Confidence float64  `json:"confidence,omitempty"`
		Rho        float64  `json:"pairing_term"`
		Ratio      *float64 `json:"ratio,omitempty"`
		RatioLo    *float64 `json:"ratio_lo,omitempty"`
		RatioHi    *float64 `json:"ratio_hi,omitempty"`
	}
	jsonVerdict struct {
		Word        string       `json:"word"`
		Delta       int64        `json:"nobody_notices_ns"`
		P           float64      `json:"p"`
		Interleaved bool         `json:"interleaved"`
		Pairs       int          `json:"pairs,omitempty"`
		PairsAsked  int          `json:"pairs_asked,omitempty"` // when more were added while a --max was undecided
		Identical   bool         `json:"identical,omitempty"`
		WithoutDNS  bool         `json:"without_dns,omitempty"`
		Gap         int64        `json:"apart_ns,omitempty"`
		Short       string       `json:"short,omitempty"`
		Needed      []jsonNeeded `json:"needed,omitempty"`
	}
	jsonNeeded struct {
		Detect int64 `json:"detect_ns"`
		N      int   `json:"per_arm"`
	}
	jsonLedger struct {
		P50    []jsonEntry `json:"p50"`
		P90    []jsonEntry `json:"p90,omitempty"`
		Folds  []string    `json:"folded,omitempty"`
		Offset *jsonOffset `json:"offset,omitempty"`
	}
	jsonEntry struct {
		Key      string     `json:"segment"`
		Of       []string   `json:"of,omitempty"`
		Before   int64      `json:"before_ns"`
		After    int64      `json:"after_ns"`
		Change   int64      `json:"change_ns"`
		Lo       *int64     `json:"lo_ns,omitempty"`
		Hi       *int64     `json:"hi_ns,omitempty"`
		P        *float64   `json:"p,omitempty"`
		Adjusted *float64   `json:"p_holm,omitempty"`
		Standing string     `json:"standing"`
		Parts    []jsonPart `json:"parts,omitempty"`
	}
	jsonPart struct {
		Key    string `json:"segment"`
		Before *int64 `json:"before_ns,omitempty"`
		After  *int64 `json:"after_ns,omitempty"`
	}
	jsonOffset struct {
		Gain  int64    `json:"gain_ns"`
		Loss  int64    `json:"loss_ns"`
		Ratio *float64 `json:"ratio,omitempty"`
		Lo    *float64 `json:"lo,omitempty"`
		Hi    *float64 `json:"hi,omitempty"`
	}
	jsonPercentile struct {
		jsonChange
		Extreme string `json:"extreme,omitempty"`
	}
	jsonFinding struct {
		Kind    string  `json:"kind"`
		Segment string  `json:"segment,omitempty"`
		Before  *int64  `json:"before_ns,omitempty"`
		After   *int64  `json:"after_ns,omitempty"`
		P       float64 `json:"p,omitempty"`
		Text    string  `json:"text"`
	}
	jsonTail struct {
		N        int                `json:"n"`
		Excess   int64              `json:"mean_over_p50_ns"`
		Shares   map[string]float64 `json:"shares"`
		Dominant map[string]int     `json:"dominant"` // how many of the n each row made slow
	}
	jsonShare struct {
		What   string     `json:"what"`
		Before [2]int     `json:"before_of"` // how many of how many
		After  [2]int     `json:"after_of"`
		Lo     [2]float64 `json:"before_range"`
		Hi     [2]float64 `json:"after_range"`
		P      float64    `json:"fisher_p"`
	}
	jsonTwo struct {
		Before int64 `json:"before_ns"`
		After  int64 `json:"after_ns"`
	}
	jsonDrift struct {
		Drifts      bool       `json:"drifts"`
		Before      jsonTrend  `json:"before"`
		After       jsonTrend  `json:"after"`
		Pairs       *jsonTrend `json:"pairs,omitempty"`
		OrderEffect *float64   `json:"order_effect_p,omitempty"`
		VIF         [2]float64 `json:"variance_inflation"`
		Effective   [2]float64 `json:"effective_n"`
	}
	jsonTrend struct {
		Tau   float64 `json:"kendall_tau"`
		P     float64 `json:"p"`
		Early int64   `json:"first_third_p50_ns"`
		Late  int64   `json:"last_third_p50_ns"`
	}
	jsonControl struct {
		Name   string      `json:"name"`
		N      int         `json:"n"`
		Moved  bool        `json:"moved"`
		Change *jsonChange `json:"change,omitempty"`
		Trend  *jsonTrend  `json:"trend,omitempty"`
	}
	jsonAnswers struct {
		Known bool   `json:"known"`
		Same  bool   `json:"same"`
		Text  string `json:"text"`
	}
	jsonDifference struct {
		What   string `json:"what"`
		Before string `json:"before"`
		After  string `json:"after"`
		Asked  bool   `json:"asked"`
		Bars   bool   `json:"bars"`
	}
	jsonGate struct {
		Rule    string   `json:"rule"`
		Outcome string   `json:"outcome"`
		Unit    string   `json:"unit"` // "ratio" (change as a share of before), "share" or "ns"
		Value   *float64 `json:"value,omitempty"`
		Lo      *float64 `json:"lo,omitempty"`
		Hi      *float64 `json:"hi,omitempty"`
		Needed  int      `json:"needed,omitempty"`
		Why     string   `json:"why,omitempty"`
		Blame   string   `json:"most_of_it_in,omitempty"`
	}
)
