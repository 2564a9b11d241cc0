// Package summary says what one arm's exchanges amount to: percentiles and their limits for every
// segment, how a request that takes exactly the p50 spends its time, and which requests were slow
// and why.
//
// It knows one arm. It refuses to know a second one (that is pkg/ledger) and how anything is printed.
//
// The rule a caller must hold: the parts at the p50 add up, the percentiles of segments do not, and
// the two must never stand in one column.
package summary
