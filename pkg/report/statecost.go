package report

import (
	"fmt"
	"strings"
	"time"

	"github.com/coldsplit/coldsplit/pkg/segment"
)

// stateCosts says what several states of one route amount to: what set-up costs, and what resumption
// or early data would save of it. The differences are of the p50s as printed; nothing was tested. It is
// "" unless the arms are states of one route with a cold one among them.
func stateCosts(arms []Arm, s Scale) string {
	if len(arms) < 2 || differ(arms, armHost) || differ(arms, func(a Arm) string { return a.URL }) {
		return ""
	}
	byState := map[string]Arm{}
	for _, a := range arms {
		byState[orCold(a.State)] = a
	}
	cold, any := byState["cold"]
	if !any || len(byState) != len(arms) {
		return ""
	}
	var parts []string
	for _, c := range stateClaims {
		if other, measured := byState[c.state]; measured {
			parts = append(parts, c.say(s, cold, other))
		}
	}
	return strings.Join(parts, " ") + " Differences of two p50s, not tested."
}

func orCold(state string) string {
	if state == "" {
		return "cold"
	}
	return state
}

// stateClaims are what each state says beside a cold one.
var stateClaims = []struct {
	state string
	say   func(s Scale, cold, other Arm) string
}{
	{"warm", func(s Scale, cold, warm Arm) string {
		figures := fmt.Sprintf("%s cold, %s on an open connection.", p50Of(cold, s), p50Of(warm, s))
		if units := savedBy(s, cold, warm); units > 0 {
			return fmt.Sprintf("Set-up, look-up included, costs %s ms of a cold request: %s", s.text(units), figures)
		}
		return "Set-up, look-up included, costs nothing that shows: " + figures
	}},
	{"resumed", func(s Scale, cold, resumed Arm) string {
		return fmt.Sprintf("Resumption would %s: %s cold, %s resumed.", saving(s, cold, resumed), p50Of(cold, s), p50Of(resumed, s))
	}},
	{"early", func(s Scale, cold, early Arm) string {
		return fmt.Sprintf("0-RTT would %s: %s cold, %s with early data.", saving(s, cold, early), p50Of(cold, s), p50Of(early, s))
	}},
}

// saving is what another state does to a cold request: "save 38 ms", "save nothing", "cost 0.3 ms more".
func saving(s Scale, cold, other Arm) string {
	switch units := savedBy(s, cold, other); {
	case units > 0:
		return "save " + s.text(units) + " ms"
	case units < 0:
		return "cost " + s.text(-units) + " ms more"
	}
	return "save nothing"
}

// savedBy is the difference of the two numbers as they are printed, in units.
func savedBy(s Scale, cold, other Arm) int64 {
	of := func(a Arm) time.Duration { return time.Duration(figuresOf(a)[segment.Total].P50.Value) }
	return s.units(of(cold)) - s.units(of(other))
}
