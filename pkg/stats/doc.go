// Package stats turns samples of nanoseconds into ranks, intervals, tests and
// the split of a percentile into its columns.
//
// It knows order statistics: nearest-rank percentiles, distribution-free
// limits, the change of a percentile between two samples, exact rank tests,
// the local straight line that makes a ledger add up, and how many
// observations a question needs. It refuses to know what a column means,
// which outcomes count, what is worth telling, and where numbers come from:
// it reads no clock, file or environment, and draws random numbers only from
// generators seeded by the sample's own content.
//
// The one rule a caller must hold: an argument named sorted is ascending (see
// [Sort]), an argument named rows or in send order is not reordered. Times go
// in and come out as int64 nanoseconds; float64 lives inside and in weights,
// probabilities and ratios, exact below 2^53 ns (104 days).
//
// Degenerate samples (empty, one value, all equal) yield a defined result:
// a missing limit says so, a p-value is then 1, and no NaN is ever returned.
// All functions are safe for concurrent use; none changes its arguments but
// Sort.
package stats
