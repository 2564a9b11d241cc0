package reading

import (
	"fmt"
	"strings"
	"time"

	"github.com/coldsplit/coldsplit/pkg/record"
)

// Set is a run, read: one arm per route, in the order the run lists them.
type Set struct {
	Run      record.Run
	Arms     []*Arm
	End      record.End
	Complete bool     // the file had its end line
	Warnings []string // what a reader of any table has to know

	AtRTT     time.Duration // the round trip the set was computed for, 0 when it was measured
	Projected int           // of AtRTT: exchanges that were computed; the others stand as measured
	Slowly    int           // of AtRTT: exchanges whose transfer was given round trips of slow start
}

// Arm returns the arm of the route named.
func (s *Set) Arm(name string) (*Arm, bool) {
	for _, a := range s.Arms {
		if a.Route.Name == name {
			return a, true
		}
	}
	return nil, false
}

// Route returns what the run says of the route named.
func (s *Set) Route(name string) (record.Route, bool) {
	for _, r := range s.Run.Routes {
		if r.Name == name {
			return r, true
		}
	}
	return record.Route{}, false
}

// Read reads a whole run file. It keeps 8 bytes a row and segment, and 2 more a row; 4 more where send
// order does not go up evenly, as many where rounds do not, and 16 for a row during which this machine
// ran late.
func Read(r *record.Reader, opt Options) (*Set, error) {
	b := NewBuilder(*r.Run(), opt)
	b.reader = r
	err := r.Each(
		func() func(*record.Exchange) any {
			ahead := newReader(opt)
			return func(ex *record.Exchange) any { return ahead.told(ex) }
		},
		func(ex *record.Exchange, prepared any) error { return b.add(ex, prepared.(*told)) },
	)
	if err != nil {
		return nil, err
	}
	end, complete := r.End()
	set := b.Finish(end, complete)
	set.Warnings = append(set.Warnings, r.Doubts()...)
	return set, nil
}

// Builder collects exchanges into a [Set].
type Builder struct {
	set    Set
	read   *reader
	byName map[string]*Arm
	asked  asked
	reader *record.Reader // of the exchanges, nil when they come from elsewhere
}

// NewBuilder starts a set with the routes of run.
func NewBuilder(run record.Run, opt Options) *Builder {
	b := &Builder{set: Set{Run: run}, read: newReader(opt), byName: make(map[string]*Arm)}
	for _, r := range run.Routes {
		b.addArm(r)
	}
	return b
}

// addArm makes the arm of a route. When a dimension splits routes it only stands for the route; the
// arms of its groups are made as they are met.
func (b *Builder) addArm(r record.Route) {
	a := b.newArm(r)
	b.byName[r.Name] = a
	if !b.read.by.Set() {
		b.set.Arms = append(b.set.Arms, a)
	}
}

func (b *Builder) newArm(r record.Route) *Arm {
	a := &Arm{Route: r}
	a.expect(b.expected)
	return a
}

// expected is about how many rows there will be of something of which so many were read.
func (b *Builder) expected(rows int) int {
	if b.reader == nil {
		return 0
	}
	return rows * b.reader.Expected() / max(1, b.reader.Counts().Done())
}

// Add reads one exchange; the exchange may be reused afterwards. An exchange of a route the run
// does not list is an error.
func (b *Builder) Add(ex *record.Exchange) error { return b.add(ex, b.read.told(ex)) }

func (b *Builder) add(ex *record.Exchange, told *told) error {
	a, ok := b.byName[ex.Route]
	if !ok {
		return fmt.Errorf("exchange %d is of the route %q, which the run does not list", ex.Seq, strings.Clone(ex.Route))
	}
	if b.read.project != nil {
		ex = b.read.project.of(ex)
	}
	b.asked.see(ex, told)
	parts := b.read.parts(ex, told)
	if b.read.by.Set() {
		a = b.armFor(a, b.groupOf(ex, parts.told))
	}
	a.add(ex, parts)
	return nil
}

// Finish completes the set. A run that was cut off carries a warning and no counts of what was not sent.
func (b *Builder) Finish(end record.End, complete bool) *Set {
	b.set.End, b.set.Complete = end, complete
	b.orderGroups()
	for _, a := range b.set.Arms {
		a.Counts.Asked = a.Counts.Done()
	}
	b.finishProjection()
	b.set.Warnings = append(b.set.Warnings, b.asked.missing(b.read, &b.set.Run)...)
	for _, a := range b.set.Arms {
		a.Projected = b.read.project != nil
		a.finish(vantage(b.read.from, b.set.Run.Vantage))
	}
	for _, e := range end.Arms {
		if a, ok := b.byName[e.Route]; ok && !b.read.by.Set() {
			a.Counts.Asked, a.Counts.NotSent = e.Counts.Asked, e.Counts.NotSent
			a.Ending = e
		}
	}
	if !complete {
		b.set.Warnings = append(b.set.Warnings, "the run file is cut off: it has no end line, and what came after is not in here")
	}
	return &b.set
}

func (b *Builder) finishProjection() {
	p := b.read.project
	if p == nil {
		return
	}
	b.set.AtRTT, b.set.Projected, b.set.Slowly, b.set.Run.Projected = p.rtt, p.moved, p.bodies, true
	b.set.Warnings = append(b.set.Warnings, p.warnings()...)
}
