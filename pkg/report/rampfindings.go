package report

import (
	"fmt"
	"time"

	"github.com/coldsplit/coldsplit/pkg/load"
	"github.com/coldsplit/coldsplit/pkg/segment"
)

// findings are what stood out, the limit first.
func (v *rampView) findings() []string {
	var items []string
	for _, find := range []func() string{v.unevenFinding, v.kneeFinding, v.limitFinding, v.seenFinding, v.recoveryFinding} {
		items = add(items, find())
	}
	return items
}

func (v *rampView) unevenFinding() string {
	u, found := v.r.Uneven()
	if !found {
		return ""
	}
	at, full, room := number(&v.r.Stages[u.Stage]), short(u.Full, clipSite), short(u.Room, clipSite)
	if u.Alike {
		return fmt.Sprintf("%s and %s were never seen to hold more than %d: at %s %s throttled %d while %s had %d of %d free. "+
			"The limit is each machine's, and the spread is uneven.", full, room, u.Held, at, full, u.Throttled, room, u.Held-u.RoomHeld, u.Held)
	}
	return fmt.Sprintf("At %s %s held %d and throttled %d while %s held %d and throttled none: the limit looks like each machine's, "+
		"and the spread is uneven.", at, full, u.Held, u.Throttled, room, u.RoomHeld)
}

func (v *rampView) kneeFinding() string {
	k, found := v.r.Knee()
	if !found {
		return ""
	}
	what := "total"
	if k.Key == segment.FirstText {
		what = "first text"
	}
	below, at := &v.r.Stages[k.Below], &v.r.Stages[k.At]
	text := fmt.Sprintf("The knee lies above %s and at or below %s: the p50 of %s rises %s -> %s ms", number(below), v.atWords(at), what,
		v.s.MS(durationOf(k.Change.Before.Value)), v.s.MS(durationOf(k.Change.After.Value)))
	if k.Change.Complete() {
		return text + fmt.Sprintf(" (%s: %s, against all stages below).", Level(k.Change.Confidence),
			v.s.ChangeRange(durationOf(k.Change.Lo), durationOf(k.Change.Hi)))
	}
	return text + " against all stages below; by how much is not pinned down by so few."
}

// limitFinding tells what headers that count down a limit said.
func (v *rampView) limitFinding() string {
	if len(v.r.Remaining) == 0 {
		return ""
	}
	least := v.r.Remaining[0]
	for _, r := range v.r.Remaining {
		if r.Least < least.Least {
			least = r
		}
	}
	name := Codes(Clip(least.Header, clipName))
	if least.Least > 0 {
		return fmt.Sprintf("No sign of a limit over time: %s never fell below %s.", name, Thousands(least.Least))
	}
	return fmt.Sprintf("A limit over time was used up: %s fell to %s. More quiet between stages would tell it from a limit in parallel.",
		name, Thousands(least.Least))
}

// seenFinding tells that instances came during the ramp.
func (v *rampView) seenFinding() string {
	if len(v.r.Instances) == 0 {
		return ""
	}
	late := ""
	count := 0
	for i := range v.r.Instances {
		in := &v.r.Instances[i]
		if at := firstStage(in); at > 0 && in.FirstSeen.Sub(v.r.Began) > time.Second {
			count++
			late = add2(late, fmt.Sprintf("%s at %s (%s)", short(in.Name, clipSite), number(&v.r.Stages[at]), in.FirstSeen.UTC().Format(time.TimeOnly)))
		}
	}
	if count == 0 || count > mostReasons {
		return ""
	}
	return fmt.Sprintf("%s seen; first seen later: %s. A small stage asks too few to meet every one.",
		Plural(len(v.r.Instances), "instance was", "instances were"), late)
}

func add2(list, item string) string {
	if list == "" {
		return item
	}
	return list + ", " + item
}

// firstStage is the position of the first stage an instance answered in.
func firstStage(in *load.Instance) int {
	for i, s := range in.Stages {
		if s.Counts.Asked > 0 {
			return i
		}
	}
	return 0
}

func (v *rampView) recoveryFinding() string {
	bad := 0
	for _, a := range v.r.After {
		if a.Outcome != "ok" {
			bad++
		}
	}
	if bad == 0 {
		return ""
	}
	return fmt.Sprintf("It did not recover at once: %s were not ok once the load was gone.", Share(bad, len(v.r.After)))
}
