package report

import (
	"net/netip"
	"strings"

	"github.com/coldsplit/coldsplit/pkg/ledger"
	"github.com/coldsplit/coldsplit/pkg/record"
)

// clipHead is the longest name of an arm in the head of a ledger: with two of them and every column
// at its widest the table still fits 80 columns.
const clipHead = 9

// armNames are what prose and tables call the arms: what the caller chose, else what tells them apart
// (the host, the protocol or state that was asked for), else before and after. A route's own name is
// a choice unless it merely repeats where the route leads. A name too long for a head is before or
// after there.
func armNames(c *ledger.Comparison, arms [2]Arm, given [2]string) (names, heads [2]string) {
	names = [2]string{"before", "after"}
	if asked, ok := askedNames(c); ok {
		names = asked
	} else if arms[0].Host != arms[1].Host {
		names = shortened(arms[0].Host, arms[1].Host)
	}
	routes := [2]record.Route{c.Before.Arm.Route, c.After.Arm.Route}
	chosen := false
	for i := range given {
		chosen = chosen || given[i] != "" && !repeats(given[i], arms[i]) && !askedAuto(given[i], routes[i])
	}
	for i := range names {
		if chosen && given[i] != "" && given[0] != given[1] && !askedAuto(given[i], routes[i]) {
			names[i] = given[i]
		}
		names[i] = Clip(names[i], clipName)
		heads[i] = names[i]
	}
	if max(len(ASCII(heads[0])), len(ASCII(heads[1]))) > clipHead {
		heads = [2]string{"before", "after"}
	}
	return names, heads
}

// repeats reports whether a name says no more than the arm's host or way.
func repeats(name string, a Arm) bool {
	host, _, _ := strings.Cut(a.Host, ":")
	return name == a.Host || name == host || name == a.Via
}

// askedAuto reports whether a name merely says that the protocol was left open: what was agreed then
// is the better name.
func askedAuto(name string, r record.Route) bool { return name == "auto" && r.Protocol == "auto" }

// askedNames names arms by protocol or state when one run set out to compare just that.
func askedNames(c *ledger.Comparison) (names [2]string, ok bool) {
	for _, d := range c.Differences {
		if !d.Asked {
			continue
		}
		if ok || d.What != "protocol" && d.What != "state" {
			return names, false
		}
		names, ok = [2]string{d.Before, d.After}, true
	}
	sameHost := hostOfURL(c.Before.Arm.Route.URL) == hostOfURL(c.After.Arm.Route.URL)
	return names, ok && sameHost
}

// shortened cuts host names to their first label where that still tells them apart.
func shortened(before, after string) [2]string {
	b, _, okB := strings.Cut(before, ".")
	a, _, okA := strings.Cut(after, ".")
	if !okB || !okA || b == a || isAddress(before) || isAddress(after) {
		return [2]string{before, after}
	}
	return [2]string{b, a}
}

func isAddress(host string) bool {
	_, err := netip.ParseAddr(strings.Trim(host, "[]"))
	return err == nil || strings.Contains(host, ":")
}

// called reports whether the arms are merely before and after: then "than before" says nothing.
func (v *view) called() bool { return v.names != [2]string{"before", "after"} }
