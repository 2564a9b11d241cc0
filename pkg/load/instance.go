package load

import (
	"cmp"
	"slices"
	"time"

	"github.com/coldsplit/coldsplit/pkg/record"
)

// Instance is what one machine behind the service did.
type Instance struct {
	Name      string // as its answers say; untrusted
	Counts    record.Counts
	Stages    []InstanceStage // one a stage, in their order
	Held      int             // the most accepted exchanges it had under way at once in one stage
	FirstSeen time.Time
}

// InstanceStage is one instance's share of one stage.
type InstanceStage struct {
	Counts record.Counts
	Held   int
}

// instancesOf groups rows by the instance that answered. Answers without a name are left out.
func instancesOf(rows []*row, stages int) []Instance {
	grouped := map[string][][]*row{}
	for _, r := range rows {
		if r.instance == "" || r.stage < 0 {
			continue
		}
		if grouped[r.instance] == nil {
			grouped[r.instance] = make([][]*row, stages)
		}
		grouped[r.instance][r.stage] = append(grouped[r.instance][r.stage], r)
	}
	var out []Instance
	for name, byStage := range grouped {
		out = append(out, instanceOf(name, byStage))
	}
	slices.SortFunc(out, func(a, b Instance) int { return cmp.Compare(a.Name, b.Name) })
	return out
}

func instanceOf(name string, byStage [][]*row) Instance {
	in := Instance{Name: name}
	for _, rows := range byStage {
		var s InstanceStage
		var held []*row
		for _, r := range rows {
			s.Counts.Asked++
			s.Counts.Add(r.outcome)
			if r.outcome == record.OK {
				held = append(held, r)
			}
			if in.FirstSeen.IsZero() || r.started.Before(in.FirstSeen) {
				in.FirstSeen = r.started
			}
		}
		s.Held = mostAtOnce(held)
		in.Held = max(in.Held, s.Held)
		in.Counts = sum(in.Counts, s.Counts)
		in.Stages = append(in.Stages, s)
	}
	return in
}

// Uneven is a stage in which one instance throttled while another had room, by what each was seen to
// hold over the whole ramp.
type Uneven struct {
	Stage     int    // position
	Full      string // the instance that throttled
	Held      int    // the most it ever held, reached in this stage
	Throttled int
	Room      string // one that throttled nothing there
	RoomHeld  int    // what that one held there, fewer than Held
	Alike     bool   // it was seen to hold as many as Held elsewhere, and never more
}

// Uneven returns the first stage that shows an uneven spread under what looks like a limit of each
// machine's own, and false when none does.
func (r *Ramp) Uneven() (Uneven, bool) {
	for stage := range r.Stages {
		for i := range r.Instances {
			full := &r.Instances[i]
			here := full.Stages[stage]
			if here.Counts.Throttled == 0 || here.Held == 0 || here.Held < full.Held {
				continue
			}
			if u, found := r.withRoom(full, stage); found {
				return u, true
			}
		}
	}
	return Uneven{}, false
}

// withRoom finds the instance with the most room while full throttled.
func (r *Ramp) withRoom(full *Instance, stage int) (Uneven, bool) {
	u := Uneven{Stage: stage, Full: full.Name, Held: full.Held, Throttled: full.Stages[stage].Counts.Throttled, RoomHeld: full.Held}
	for _, room := range r.Instances {
		s := room.Stages[stage]
		if room.Name != full.Name && s.Counts.Throttled == 0 && room.Counts.Asked > 0 && s.Held < u.RoomHeld {
			u.Room, u.RoomHeld, u.Alike = room.Name, s.Held, room.Held == full.Held
		}
	}
	return u, u.Room != ""
}

func sum(a, b record.Counts) record.Counts {
	a.Asked += b.Asked
	a.OK += b.OK
	a.Throttled += b.Throttled
	a.Failed += b.Failed
	a.Invalid += b.Invalid
	a.NotSent += b.NotSent
	return a
}
