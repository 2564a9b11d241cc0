package ledger

import (
	"slices"

	"github.com/coldsplit/coldsplit/pkg/reading"
	"github.com/coldsplit/coldsplit/pkg/record"
)

// Difference is something besides the route in which the arms differ.
type Difference struct {
	What          string // "protocol", "state", "family", "method", "proxy", "resolver", "kind of run", "vantage"
	Before, After string
	// Asked tells that one run set out to measure just this: then it is what is being compared.
	Asked bool
	// Bars tells that two runs which differ in it are not subtracted. A difference that does not
	// bar, or that was met within one run, is said above the verdict.
	Bars bool
}

// differences lists what else differs. What an arm of one run was told to use is what the user
// asked to compare; what it merely met (the protocol agreed, the family that won) is not, and
// between two runs nothing is.
func differences(before, after Arm, oneRun bool) []Difference {
	var out []Difference
	add := func(what, b, a string, asked, bars bool) {
		if b != a && b != "" && a != "" {
			out = append(out, Difference{What: what, Before: b, After: a, Asked: asked && oneRun, Bars: bars && !oneRun})
		}
	}
	rb, ra := &before.Route, &after.Route
	add("protocol", before.Protocols.Main(), after.Protocols.Main(), rb.Protocol != ra.Protocol, true)
	add("state", rb.State, ra.State, true, true)
	add("method", rb.Method, ra.Method, true, true)
	add("family", before.Families.Main(), after.Families.Main(), rb.Family != ra.Family, false)
	add("proxy", orDirect(rb.Proxy), orDirect(ra.Proxy), true, true)
	add("resolver", resolverOf(before.Arm), resolverOf(after.Arm), rb.Resolver != ra.Resolver, false)
	add("kind of run", kindOf(before.Set.Run), kindOf(after.Set.Run), false, true)
	add("vantage", before.Set.Run.Vantage.From, after.Set.Run.Vantage.From, false, true)
	return out
}

// kindOf tells what was measured on a network from what was rehearsed or computed.
func kindOf(r record.Run) string {
	switch {
	case r.Rehearsed:
		return "rehearsed"
	case r.Projected:
		return "projected"
	}
	return "measured"
}

func orDirect(proxy string) string {
	if proxy == "" {
		return "none"
	}
	return proxy
}

// resolverOf is the resolver that answered, else the one the arm was told to use.
func resolverOf(a *reading.Arm) string {
	if main := a.Resolvers.Main(); main != "" {
		return main
	}
	return a.Route.Resolver
}

// Unasked lists the differences nobody asked to compare.
func (c *Comparison) Unasked() []Difference {
	return slices.DeleteFunc(slices.Clone(c.Differences), func(d Difference) bool { return d.Asked })
}

func (c *Comparison) barred() bool {
	return slices.ContainsFunc(c.Differences, func(d Difference) bool { return d.Bars })
}
