package servertiming

import "time"

// Limits on what one field may make a reader keep. What lies beyond them is
// dropped with a warning, never shortened into another value.
const (
	MaxLine     = 16 << 10 // bytes of one field line that are read
	MaxLines    = 1000     // field lines of one response that are read
	MaxMetrics  = 1000     // metrics of one response that are kept
	MaxWarnings = 100      // warnings of one response that are kept
	maxQuote    = 64       // bytes of the field's text that a warning repeats
)

// DurState tells the four things a dur parameter can say apart. A browser's
// interface shows the first three as 0; here only a written zero is zero.
type DurState uint8

// The states of a dur parameter.
const (
	DurAbsent  DurState = iota // no dur parameter: "cdn-cache-miss"
	DurEmpty                   // dur without a value: "dur", "dur=", `dur=""`
	DurInvalid                 // a value that is no number: "dur=foo", "dur=NaN"
	DurValue                   // a number, zero and negative ones included
)

// String returns "absent", "empty", "invalid" or "value".
func (s DurState) String() string {
	switch s {
	case DurAbsent:
		return "absent"
	case DurEmpty:
		return "empty"
	case DurInvalid:
		return "invalid"
	case DurValue:
		return "value"
	}
	return "unknown"
}

// Dur is what a metric's first dur parameter says.
type Dur struct {
	State  DurState
	Number Number // set only in state DurValue
	Text   string // the value as written, quotes removed; "2132ms" stays whole
}

// Duration reads the number as milliseconds, the unit the W3C text recommends
// but does not demand. ok is false without a number or when it does not fit.
func (d Dur) Duration() (time.Duration, bool) {
	if d.State != DurValue {
		return 0, false
	}
	return d.Number.Duration(time.Millisecond)
}

// Metric is one entry of the field. The same name may occur any number of
// times and the order means nothing (W3C Server Timing, prose).
type Metric struct {
	Name      string // a token, case kept
	Dur       Dur
	Desc      string // quotes and escapes removed; "" when broken or empty
	Described bool   // a desc parameter was there, whatever its value
	Line      int    // index of the field line it came from
}

// WarningKind names one kind of departure from the grammar.
type WarningKind uint8

// The kinds of warnings. The first five are those of Chrome's DevTools.
const (
	DeprecatedSyntax      WarningKind = iota // "db=150": a value right after the name
	DuplicateParameter                       // the first one counts
	NoValue                                  // dur or desc without a value
	UnparsableDuration                       // dur is not a number
	UnrecognizedParameter                    // neither dur nor desc
	Junk                                     // text skipped up to the next ";" or ","
	UnclosedQuote                            // the rest of the line was swallowed
	TrailingUnit                             // text after the number in dur was ignored
	LineCut                                  // longer than MaxLine; the unfinished metric dropped
	MetricsCut                               // more than MaxMetrics
	LinesCut                                 // more than MaxLines
	WarningsCut                              // more than MaxWarnings
)

// String returns the warning in words, without the place it was found.
func (k WarningKind) String() string {
	if int(k) < len(warningWords) {
		return warningWords[k]
	}
	return "unknown warning"
}

var warningWords = [...]string{
	DeprecatedSyntax:      "deprecated syntax: a value right after the name is not read",
	DuplicateParameter:    "duplicate parameter: the first one counts",
	NoValue:               "no value for the parameter",
	UnparsableDuration:    "duration is not a number",
	UnrecognizedParameter: "unrecognized parameter",
	Junk:                  "unexpected text skipped",
	UnclosedQuote:         "quote never closed: the rest of the line is lost",
	TrailingUnit:          "text after the number ignored",
	LineCut:               "line too long: cut, the unfinished metric dropped",
	MetricsCut:            "too many metrics: the rest dropped",
	LinesCut:              "too many lines: the rest dropped",
	WarningsCut:           "too many warnings: the rest dropped",
}

// Warning is one departure from the grammar. Text is at most a few dozen bytes
// of the field, untrusted.
type Warning struct {
	Kind   WarningKind
	Metric string // the metric's name, "" outside one; cut like Text
	Param  string // the parameter's name as written, "" outside one; cut like Text
	Text   string // what was skipped or could not be read
	Line   int    // index of the field line
}

// Field is what the lines of one response say.
type Field struct {
	Metrics  []Metric
	Warnings []Warning
}
