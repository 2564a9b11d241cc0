package load

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"

	"github.com/coldsplit/coldsplit/pkg/reading"
	"github.com/coldsplit/coldsplit/pkg/record"
	"github.com/coldsplit/coldsplit/pkg/summary"
)

// IsRamp reports whether a run was sent in stages.
func IsRamp(run *record.Run) bool { return run.Order == Order }

// Read reads a whole run file.
func Read(r *record.Reader, opt reading.Options) (*Ramp, error) {
	b := NewBuilder(*r.Run(), opt)
	var ex record.Exchange
	for {
		err := r.Next(&ex)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		if err := b.Add(&ex); err != nil {
			return nil, err
		}
	}
	end, complete := r.End()
	ramp := b.Finish(end, complete)
	if w := r.Warnings(); len(w) > 0 {
		ramp.Warnings = w // they say more of a file that was cut off
	}
	return ramp, nil
}

// Builder collects the exchanges of a ramp.
type Builder struct {
	ramp   Ramp
	opt    reading.Options
	roles  map[string]string // role by route
	rows   map[int][]*row    // by stage as sent
	wholes map[int]*reading.Builder
	health []int64
	left   remainders

	protocols, tls, resolvers reading.Tally
}

// NewBuilder starts a ramp with the routes of run.
func NewBuilder(run record.Run, opt reading.Options) *Builder {
	b := &Builder{
		ramp: Ramp{Run: run, Plan: ParsePlan(run.Plan)}, opt: opt, roles: map[string]string{},
		rows: map[int][]*row{}, wholes: map[int]*reading.Builder{}, left: remainders{},
	}
	for _, route := range run.Routes {
		b.roles[route.Name] = route.Role
		if route.Role == "health" {
			b.ramp.Health.URL = route.URL
		}
	}
	return b
}

// Add reads one exchange; the exchange may be reused afterwards. An exchange of a route the run does
// not list is an error.
func (b *Builder) Add(ex *record.Exchange) error {
	role, known := b.roles[ex.Route]
	if !known {
		return fmt.Errorf("exchange %d is of the route %q, which the run does not list", ex.Seq, ex.Route)
	}
	b.span(ex)
	if ex.Prime {
		return nil
	}
	switch {
	case role == "health":
		b.addHealth(ex)
		return nil
	case !ex.HasStage:
		b.addAfter(ex)
	default:
		b.addStaged(ex)
	}
	b.ramp.Requests++
	b.protocols.Add(ex.Protocol)
	if ex.TLS != nil {
		b.tls.Add(ex.TLS.Version)
	}
	if ex.DNS != nil {
		b.resolvers.Add(ex.DNS.Server)
	}
	b.left.add(ex.Headers)
	return nil
}

func (b *Builder) span(ex *record.Exchange) {
	if b.ramp.Began.IsZero() || ex.Started.Before(b.ramp.Began) {
		b.ramp.Began = ex.Started
	}
	if end := ex.Started.Add(ex.Total); end.After(b.ramp.Ended) {
		b.ramp.Ended = end
	}
}

// stageRoute is the one route of each stage's own reading.
const stageRoute = "stage"

func (b *Builder) addStaged(ex *record.Exchange) {
	r := rowOf(ex)
	b.rows[ex.Stage] = append(b.rows[ex.Stage], &r)
	whole := b.wholes[ex.Stage]
	if whole == nil {
		run := record.Run{Vantage: b.ramp.Run.Vantage, Routes: []record.Route{{Name: stageRoute}}}
		whole = reading.NewBuilder(run, b.opt)
		b.wholes[ex.Stage] = whole
	}
	staged := *ex
	staged.Route = stageRoute
	if err := whole.Add(&staged); err != nil {
		panic("load: a stage refuses its own route: " + err.Error())
	}
}

func (b *Builder) addHealth(ex *record.Exchange) {
	h := &b.ramp.Health
	h.Counts.Asked++
	h.Counts.Add(ex.Outcome)
	if ex.Outcome == record.OK {
		b.health = append(b.health, int64(ex.Total))
		return
	}
	if h.FirstBad == nil && ex.Outcome != record.Invalid {
		h.FirstBad = &Bad{At: ex.Started, Stage: -1, Status: ex.Status}
		if ex.HasStage {
			h.FirstBad.Stage = ex.Stage
		}
		if ex.Error != nil {
			h.FirstBad.Class = ex.Error.Class
		}
	}
}

func (b *Builder) addAfter(ex *record.Exchange) {
	r := rowOf(ex)
	b.ramp.After = append(b.ramp.After, Afterward{
		Outcome: ex.Outcome, Status: ex.Status, Total: ex.Total, FirstText: r.firstText.d, HasText: r.firstText.ok,
	})
}

// Finish completes the ramp. One that was cut off carries a warning.
func (b *Builder) Finish(end record.End, complete bool) *Ramp {
	r := &b.ramp
	r.End, r.Complete = end, complete
	order := b.order()
	var all []*row
	for at, index := range order {
		rows := b.rows[index]
		for _, one := range rows {
			one.stage = at
		}
		all = append(all, rows...)
	}
	for _, index := range order {
		r.Stages = append(r.Stages, b.stage(index))
	}
	r.All = groupOf("", all)
	r.All.Open = len(r.Plan.Rates) > 0
	for _, s := range r.Stages {
		r.All.Counts.Asked += s.Counts.NotSent
		r.All.Counts.NotSent += s.Counts.NotSent
	}
	r.Templates = templatesOf(all)
	r.Instances = instancesOf(all, len(r.Stages))
	r.Health.Total = figureOf(b.health)
	b.placeFirstBad(order)
	r.Remaining = b.left.list()
	r.Unsent = b.unsent()
	r.Protocol, r.TLS, r.Resolver = b.protocols.Main(), b.tls.Main(), b.resolvers.Main()
	if !complete {
		r.Warnings = append(r.Warnings, "the run file is cut off: it has no end line, and what came after is not in here")
	}
	return r
}

// order lists the stages' own numbers as they are shown: as sent, those of a search by their number in
// parallel. Rows are put in send order on the way.
func (b *Builder) order() []int {
	order := slices.Sorted(maps.Keys(b.rows))
	for _, rows := range b.rows {
		slices.SortFunc(rows, func(x, y *row) int { return cmp.Compare(x.seq, y.seq) })
	}
	if b.ramp.Plan.Find {
		slices.SortStableFunc(order, func(x, y int) int { return cmp.Compare(b.parallel(x), b.parallel(y)) })
	}
	return order
}

// parallel is the number of a closed stage: as planned, else as many as its first burst sent.
func (b *Builder) parallel(index int) int {
	if b.ramp.Plan.rate(index) > 0 {
		return 0
	}
	first := 0
	for _, r := range b.rows[index] {
		if r.pair == b.rows[index][0].pair {
			first++
		}
	}
	return b.ramp.Plan.parallel(index, first)
}

func (b *Builder) stage(index int) Stage {
	rows := b.rows[index]
	s := Stage{
		Group: groupOf("", rows), Index: index, Parallel: b.parallel(index), Rate: b.ramp.Plan.rate(index),
		Began: rows[0].started, Took: lengthOf(rows), InFlight: mostAtOnce(rows), Lag: lagOf(rows), Templates: templatesOf(rows),
	}
	s.Open = s.Rate > 0
	if asked := b.ramp.Plan.asked(index, s.Parallel); asked > s.Counts.Asked {
		s.Counts.NotSent = asked - s.Counts.Asked
		s.Counts.Asked = asked
	}
	s.Cut = b.cut(&s)
	if s.Rate == 0 {
		s.Start = startOf(rows, b.ramp.Plan.Hold > 0)
		s.OKRate, s.HasOKRate = b.okRate(&s)
	} else {
		s.Sent, s.Late = sentOf(rows, s.Rate)
	}
	s.Doubts = doubtsOf(&s, rows)
	if s.Counts.OK > 0 {
		s.Summary = summary.Of(b.wholes[index].Finish(record.End{}, true).Arms[0])
	}
	return s
}

// templatesOf groups rows by template, nil when there are not several.
func templatesOf(rows []*row) []Group {
	byName := map[string][]*row{}
	for _, r := range rows {
		byName[r.template] = append(byName[r.template], r)
	}
	if len(byName) < 2 {
		return nil
	}
	var out []Group
	for _, name := range slices.Sorted(maps.Keys(byName)) {
		out = append(out, groupOf(name, byName[name]))
	}
	return out
}

// placeFirstBad turns the stage's own number into its position.
func (b *Builder) placeFirstBad(order []int) {
	if bad := b.ramp.Health.FirstBad; bad != nil && bad.Stage >= 0 {
		bad.Stage = slices.Index(order, bad.Stage)
	}
}

// unsent lists the numbers of planned stages of which nothing was sent.
func (b *Builder) unsent() []int {
	var out []int
	if b.ramp.Plan.Find {
		return nil
	}
	for i, n := range b.ramp.Plan.Stages {
		if len(b.rows[i]) == 0 {
			out = append(out, n)
		}
	}
	return out
}

func statusText(status int) string {
	if status == 0 {
		return ""
	}
	return strconv.Itoa(status)
}
