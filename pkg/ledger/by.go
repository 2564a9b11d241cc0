package ledger

import "github.com/coldsplit/coldsplit/pkg/stats"

// Group is the exchanges of both arms that share one value of a dimension.
type Group struct {
	Value         string
	Before, After Arm
}

// By is a comparison for every value of a dimension. There is no pooled verdict: unequal counts per
// value would turn into a change nobody made (Simpson).
type By struct {
	Dimension string
	Values    []ByValue
	Shares    []ShareChange // of each value among an arm's ok exchanges: a fallback share
}

// ByValue is the comparison for one value.
type ByValue struct {
	Value string
	*Comparison
	// Adjusted is the p of total within the family of values (Holm); a verdict of faster or slower
	// stands only when it is below .05, see Stands.
	Adjusted float64
}

// Stands reports whether the verdict holds within the family of values. A verdict that claims no
// change needs no correction.
func (v *ByValue) Stands() bool {
	switch v.Verdict {
	case Faster, Slower, Small, Probably:
		return v.Adjusted < significance
	}
	return true
}

// CompareBy compares group by group, in the order given, and corrects for their number. Groups in
// which an arm has no ok exchange are compared as such and take no part in the family.
func CompareBy(dimension string, groups []Group) *By {
	out := &By{Dimension: dimension}
	var of [2]int
	var ps []float64
	var family []int
	for i, g := range groups {
		c := Compare(g.Before, g.After)
		out.Values = append(out.Values, ByValue{Value: g.Value, Comparison: c, Adjusted: 1})
		of[0], of[1] = of[0]+g.Before.N(), of[1]+g.After.N()
		if c.Verdict != TooFew {
			family, ps = append(family, i), append(ps, c.Test.P)
		}
	}
	for i, adjusted := range stats.Holm(ps) {
		out.Values[family[i]].Adjusted = adjusted
	}
	for _, g := range groups {
		out.Shares = appendShare(out.Shares, ShareChange{
			What: dimension + "=" + g.Value, Counts: [2]int{g.Before.N(), g.After.N()}, Of: of,
		})
	}
	return out
}

// Rest is the value under which rare values are pooled.
const Rest = "other"

// Pool maps every value of a dimension to the group it is compared in: its own, or [Rest] when an
// arm has fewer than 5 exchanges with it. The counts are ok exchanges by value, before and after.
func Pool(before, after map[string]int) map[string]string {
	groups := make(map[string]string, len(before)+len(after))
	for _, counts := range []map[string]int{before, after} {
		for v := range counts {
			groups[v] = v
			if min(before[v], after[v]) < leastForVerdict {
				groups[v] = Rest
			}
		}
	}
	return groups
}
