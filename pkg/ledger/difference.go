package ledger

import "slices"

// Difference is something besides the route in which the arms differ.
type Difference struct {
	What          string // "protocol", "state", "family", "resolver", "vantage", "proxy", "method"
	Before, After string
	// Asked tells that one run set out to measure just this: then it is what is being compared.
	Asked bool
}

// differences lists what else differs. In one run the protocol, the state, the family, the
// resolver, the proxy or the method of an arm is what the user asked to compare; between two runs nothing is.
func differences(before, after Arm) []Difference {
	oneRun := before.Set == after.Set
	var out []Difference
	add := func(what, b, a string) {
		if b != a && b != "" && a != "" {
			out = append(out, Difference{What: what, Before: b, After: a, Asked: oneRun})
		}
	}
	add("protocol", before.Protocols.Main(), after.Protocols.Main())
	add("state", before.Route.State, after.Route.State)
	add("family", before.Families.Main(), after.Families.Main())
	add("method", before.Route.Method, after.Route.Method)
	add("proxy", orDirect(before.Route.Proxy), orDirect(after.Route.Proxy))
	if !oneRun {
		add("resolver", resolverOf(before), resolverOf(after))
		add("vantage", before.Set.Run.Vantage.From, after.Set.Run.Vantage.From)
	} else {
		add("resolver", before.Route.Resolver, after.Route.Resolver)
	}
	return out
}

func orDirect(proxy string) string {
	if proxy == "" {
		return "none"
	}
	return proxy
}

// resolverOf is the resolver that answered, else the one the run was told to use.
func resolverOf(a Arm) string {
	if main := a.Resolvers.Main(); main != "" {
		return main
	}
	return ""
}

// Unasked lists the differences nobody asked to compare.
func (c *Comparison) Unasked() []Difference {
	return slices.DeleteFunc(slices.Clone(c.Differences), func(d Difference) bool { return d.Asked })
}
