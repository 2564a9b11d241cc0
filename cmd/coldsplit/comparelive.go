package main

import (
	"context"

	"github.com/coldsplit/coldsplit/pkg/ledger"
	"github.com/coldsplit/coldsplit/pkg/probe"
	"github.com/coldsplit/coldsplit/pkg/schedule"
)

// liveSides are two routes measured now, in pairs.
type liveSides struct{ arms []arm }

// mostPairs is how far --undecided more goes on.
const mostPairs = 100

func newLiveSides(o *compareOptions, s streams, first, second string) (sides, error) {
	if o.run.n < 1 {
		return nil, usagef("-n must be at least 1, got %d", o.run.n)
	}
	if o.run.location {
		return nil, usagef("compare does not follow redirects: compare the URLs they lead to")
	}
	if second == "" {
		second = first
	}
	b := armBuilder{in: &inputs{stdin: s.in}, getenv: s.getenv}
	before, err := o.liveArm(&b, "before-", first)
	if err != nil {
		return nil, err
	}
	after, err := o.liveArm(&b, "after-", second)
	if err != nil {
		return nil, err
	}
	arms := []arm{before, after}
	o.namePair(arms)
	if arms, err = o.withControl(&b, arms); err != nil {
		return nil, err
	}
	return liveSides{arms}, checkSafe(arms, o.nGiven)
}

// newLabSides are two routes of a scenario: its own before and after, or the ones named.
func newLabSides(o *compareOptions, s streams) (sides, error) {
	b := armBuilder{in: &inputs{stdin: s.in}, getenv: s.getenv}
	arms, err := b.arms(&o.common, o.args, s)
	if err != nil {
		return nil, err
	}
	if len(o.args) == 0 {
		arms = withRoles(arms)
	} else if len(arms) == 2 {
		arms[0].route.Role, arms[1].route.Role = "before", "after"
	}
	if len(arms) < 2 {
		return nil, usagef("the scenario compares nothing by itself: name two of its routes: %s", routeNames(s.world.scenario))
	}
	return liveSides{arms}, checkSafe(arms, true)
}

// withRoles keeps the arms a scenario gave a part in the comparison, the before first.
func withRoles(arms []arm) []arm {
	var out []arm
	for _, role := range []string{"before", "after", "control"} {
		for _, a := range arms {
			if a.route.Role == role {
				out = append(out, a)
			}
		}
	}
	return out
}

// liveArm is the one arm of a side.
func (o *compareOptions) liveArm(b *armBuilder, prefix, url string) (arm, error) {
	r, err := overlay(o.flags, prefix)
	if err != nil {
		return arm{}, err
	}
	built, err := b.build(r, url)
	if err != nil {
		return arm{}, err
	}
	if len(built) != 1 {
		return arm{}, usagef("compare takes one protocol, way and state an arm: use --before-http and --after-http, --before-via and --after-via, --before-state and --after-state")
	}
	built[0].route.Role = prefix[:len(prefix)-1]
	return built[0], nil
}

// namePair names the arms: by host where hosts differ, else by what the user varied, else before and
// after; a flag wins.
func (o *compareOptions) namePair(arms []arm) {
	names := []string{"before", "after"}
	for _, part := range []func(arm) string{armHost, armProtocol, armState} {
		if varies(arms, part) {
			names = shortHosts([]string{part(arms[0]), part(arms[1])})
			break
		}
	}
	for i, flag := range []string{o.beforeName, o.afterName} {
		if flag != "" {
			names[i] = flag
		}
		arms[i].name(uniqueName(names[:i], names[i]))
	}
}

func (o *compareOptions) withControl(b *armBuilder, arms []arm) ([]arm, error) {
	if o.control == "" {
		return arms, nil
	}
	built, err := b.build(&o.common, o.control)
	if err != nil {
		return nil, err
	}
	control := built[0]
	control.route.Role = "control"
	control.name(uniqueName([]string{arms[0].route.Name, arms[1].route.Name}, armHost(control)))
	return append(arms, control), nil
}

func (v liveSides) compare(ctx context.Context, o *compareOptions, s streams) error {
	m, err := newMeasurement(&o.run, v.arms, o.plan, probe.System{}, s)
	if err != nil {
		return err
	}
	defer m.file.discard()
	pairs, policy := pairsPlan(v.arms, &o.run)
	policy.Together = true
	plan := schedule.Plan{Arms: pairs.Arms, Steps: pairs.Steps(), Policy: policy}
	more := func(done int) []schedule.Step { return o.morePairs(m, pairs, done) }
	if err := m.measureOn(ctx, plan, more, &o.run, s); err != nil {
		return err
	}
	c, err := o.readComparison(m.file.path, s)
	if err != nil {
		return err
	}
	if o.by.Set() {
		err = o.concludeBy(c, [2]string{m.file.path, m.file.path}, s)
	} else {
		err = o.conclude(c, s)
	}
	m.tellWhereSaved(s)
	return m.outcome(err)
}

// readComparison compares the before and the after of a live run's file.
func (o *compareOptions) readComparison(path string, s streams) (*ledger.Comparison, error) {
	set, err := readRun(path, s, o.reader)
	if err != nil {
		return nil, err
	}
	before, _ := roleArm(set, "before")
	after, _ := roleArm(set, "after")
	c := ledger.Compare(before, after)
	c.Control = controlOf(set, set)
	return c, nil
}

// morePairs plans further pairs while a rule is undecided and the user lets it go on.
func (o *compareOptions) morePairs(m *measurement, pairs schedule.Pairs, done int) []schedule.Step {
	if len(o.rules) == 0 || o.undecided != "" && o.undecided != "more" || done >= mostPairs {
		return nil
	}
	c, err := o.readComparison(m.file.path, streams{getenv: noEnvironment})
	if err != nil || ledger.Worst(c.Gate(o.rules)) != ledger.GateUndecided {
		return nil
	}
	return pairs.More(done, min(o.run.n, mostPairs-done))
}

func noEnvironment(string) string { return "" }
