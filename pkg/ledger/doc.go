// Package ledger compares two arms: which route is faster end to end, by how much and how sure, and
// a ledger of segments that closes on the change.
//
// It knows what may be subtracted from what. It refuses to know how anything is printed, and it
// draws no dice but the seeded ones of pkg/stats. It is arithmetic: the same two arms give the same
// comparison, swapped arms its exact mirror image.
//
// The rule a caller must hold: end to end decides. The verdict is on the total, a segment's win is
// never a win of the route, and what must not be subtracted ([Comparison.Differences], answers that
// differ) is said before any number.
package ledger
