package report

import (
	"fmt"
	"time"

	"github.com/coldsplit/coldsplit/pkg/diagnosis"
	"github.com/coldsplit/coldsplit/pkg/ledger"
	"github.com/coldsplit/coldsplit/pkg/reading"
	"github.com/coldsplit/coldsplit/pkg/record"
)

// CompareOf is what a comparison's runs tell beside its figures: why an arm is silent, why there are
// fewer requests than asked for, and what to do about either. Names and rules are the caller's to add.
func CompareOf(c *ledger.Comparison) Compare {
	out := Compare{Result: c}
	for i, arm := range []*reading.Arm{c.Before.Arm, c.After.Arm} {
		set := c.Sets[i]
		if t := troubleFrom(diagnosis.Of(set, arm)); t != nil {
			out.Trouble[i] = t
		}
		if issuer, yes := diagnosis.Inspected(set, arm); yes {
			out.Warnings = appendNew(out.Warnings, Inspected(hostOfURL(arm.Route.URL), issuer))
		}
		shown := Arm{Trouble: out.Trouble[i], Via: arm.Route.Via}
		for _, h := range hintsFor(shown, false) {
			out.Hints = appendNew(out.Hints, h)
		}
	}
	out.Short = shortOf(c)
	if hint := paceHintFor(c); hint != "" {
		out.Hints = appendNew(out.Hints, hint)
	}
	return out
}

// shortOf says why a run measured fewer requests than it was asked for, "" when it did not.
func shortOf(c *ledger.Comparison) string {
	for _, set := range c.Sets {
		switch end := set.End; end.Stop {
		case "long-pause":
			p := end.Pauses[len(end.Pauses)-1]
			return fmt.Sprintf("the %s request was throttled for %s (429)", ordinal(p.After+1), anHour(p.For))
		case "throttled":
			return "the service said not now three times"
		case "cancelled":
			return fmt.Sprintf("stopped by hand after %d of %d", end.Done(), end.Asked)
		}
	}
	return ""
}

// paceHintFor is an interval at which a run that was throttled for long would have fitted.
func paceHintFor(c *ledger.Comparison) string {
	end := c.Sets[0].End
	if end.Stop != "long-pause" || end.OK == 0 {
		return ""
	}
	pause := end.Pauses[len(end.Pauses)-1].For
	every := (pause / time.Duration(end.OK)).Round(time.Second)
	pairs := askedPairs(end)
	fit := fmt.Sprintf("%d requests seem to fit into %s here", end.OK, InWords(pause))
	if pause == time.Hour {
		fit = fmt.Sprintf("%d an hour fit", end.OK)
	}
	return fmt.Sprintf("%s: --interval %s takes %s for %d pairs", fit, flagDuration(every), InWords(every*time.Duration(end.Asked)), pairs)
}

// anHour is a pause in words.
func anHour(d time.Duration) string {
	if d == time.Hour {
		return "an hour"
	}
	return InWords(d)
}

func askedPairs(end record.End) int {
	if len(end.Arms) == 0 {
		return end.Asked
	}
	return end.Arms[0].Counts.Asked
}

// ordinal is 1st, 2nd, 3rd, 4th, 11th, 21st.
func ordinal(n int) string {
	suffix := "th"
	if n%100 < 11 || n%100 > 13 {
		switch n % 10 {
		case 1:
			suffix = "st"
		case 2:
			suffix = "nd"
		case 3:
			suffix = "rd"
		}
	}
	return fmt.Sprintf("%d%s", n, suffix)
}
