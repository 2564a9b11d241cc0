// Package record holds what was observed: [Run], [Route], [Exchange], [End], and the run file they
// are stored in (schema coldsplit/1, JSON Lines, optionally zstd).
//
// It knows the facts of one exchange, which of them may be kept, and their encoding. It refuses to
// know how they came about (it has no network and no clock) and what they mean (parts of wait,
// percentiles and verdicts are readings).
//
// The rule a caller must hold: a secret never enters a record. Headers pass through a [Keeper] and
// URLs through [SafeURL] when the record is made, not when it is printed.
package record
