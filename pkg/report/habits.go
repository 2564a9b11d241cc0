package report

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"time"

	"github.com/coldsplit/coldsplit/pkg/reading"
	"github.com/coldsplit/coldsplit/pkg/record"
	"github.com/coldsplit/coldsplit/pkg/segment"
	"github.com/coldsplit/coldsplit/pkg/stats"
)

// Kinds of Told that text treats apart: a bound or a figure beside the cut, and a part of upstream
// reported without upstream, which is a note of the run and no finding.
const (
	kindLimit = "limit"
	kindAlone = "part_alone"
)

// habits are marks that explain a row of the typical request when most requests have them.
var habits = []struct {
	mark reading.Mark
	kind string
	key  segment.Key
	text func(*reading.Arm, *record.Exchange) string
}{
	{reading.RaceLost, "address_race", segment.Race, raceHabit},
	{reading.SlowAAAA, "slow_aaaa", segment.DNS, familiesHabit},
	{reading.SlowA, "slow_a", segment.DNS, familiesHabit},
}

// habitsOf says why a row of the typical request is long, where more than half of them have the reason.
func habitsOf(a *reading.Arm) []Told {
	var out []Told
	for _, h := range habits {
		n := 0
		for _, m := range a.Marks {
			if m&h.mark != 0 {
				n++
			}
		}
		if 2*n <= a.N() || a.Column(h.key) == nil {
			continue
		}
		took := medianOf(a, h.key)
		t := Told{Kind: h.kind, Segment: h.key.String(), Time: time.Duration(took), N: n, Of: a.N()}
		t.Text = fmt.Sprintf("%s (%s).", h.text(a, a.Example()), Share(n, t.Of))
		out = append(out, t)
	}
	return out
}

func medianOf(a *reading.Arm, k segment.Key) int64 {
	values := a.Column(k).Present()
	stats.Sort(values)
	return stats.QuantileOf(values, stats.P50).Value
}

// raceHabit names the family whose address was tried in vain, as the first request shows it.
func raceHabit(a *reading.Arm, ex *record.Exchange) string {
	race := medianOf(a, segment.Race)
	who := "An earlier address"
	if ex != nil && len(ex.Attempts) > 1 {
		who = familyOf(ex.Attempts[0].Addr)
	}
	return fmt.Sprintf("%s did not answer; the next address was tried after %s", who, InWords(time.Duration(race)))
}

func familyOf(address string) string {
	host := address
	if at, err := netip.ParseAddrPort(address); err == nil {
		host = at.Addr().String()
	}
	switch ip, err := netip.ParseAddr(host); {
	case err != nil:
		return Clip(host, clipName)
	case ip.Is6():
		return "IPv6 (" + host + ")"
	}
	return "IPv4 (" + host + ")"
}

// familiesHabit sets the two answers of the first request beside each other.
func familiesHabit(_ *reading.Arm, ex *record.Exchange) string {
	if ex == nil || ex.DNS == nil || !ex.DNS.HasA || !ex.DNS.HasAAAA {
		return "One of the A and AAAA answers came long after the other, and both are waited for"
	}
	slow, fast := "AAAA took "+InWords(ex.DNS.AAAA), "A "+InWords(ex.DNS.A)
	if ex.DNS.A > ex.DNS.AAAA {
		slow, fast = "A took "+InWords(ex.DNS.A), "AAAA "+InWords(ex.DNS.AAAA)
	}
	return slow + ", " + fast + " in the first request, and both are waited for"
}

// findingsOf are what a reader should not miss of an arm.
func findingsOf(a Arm) []Told {
	return slices.DeleteFunc(slices.Clone(a.Told), func(t Told) bool { return t.Kind == kindAlone })
}

// aloneNotes name, once for all arms, the parts of upstream that were reported without it.
func aloneNotes(arms []Arm) []string {
	var order []string
	most := map[string]time.Duration{}
	for _, a := range arms {
		for _, t := range a.Told {
			if t.Kind == kindAlone {
				name := t.Segment + "\n" + t.Source
				order, most[name] = appendNew(order, name), max(most[name], t.Time)
			}
		}
	}
	var out []string
	for _, name := range order {
		key, source, _ := strings.Cut(name, "\n")
		out = append(out, fmt.Sprintf("%s of up to %s, says %s, is no row: nothing reports the upstream it is part of",
			key, InWords(most[name]), source))
	}
	return out
}
