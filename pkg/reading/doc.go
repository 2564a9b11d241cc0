// Package reading turns recorded facts into what can be said about them: it takes the wait of every
// exchange apart from what its response reported, tells places apart by role, and lays the
// exchanges of each arm out in columns for statistics.
//
// It knows what a reported figure may be used for. It refuses to know percentiles and verdicts, and
// it never changes a fact: every reading can be recomputed from the run file by another version.
//
// The rule a caller must hold: columns hold ok exchanges only, in send order, and [Absent] in a
// column is not a zero.
package reading
