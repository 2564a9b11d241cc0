package main

import (
	"cmp"
	"context"
	"crypto/x509"
	"fmt"
	"os"
	"strings"

	"github.com/coldsplit/coldsplit/pkg/diagnosis"
	"github.com/coldsplit/coldsplit/pkg/probe"
	"github.com/coldsplit/coldsplit/pkg/record"
	"github.com/coldsplit/coldsplit/pkg/schedule"
	"github.com/coldsplit/coldsplit/pkg/segment"
)

// measurement is everything one invocation sends and where it is kept.
type measurement struct {
	arms   []arm
	prober *probe.Prober
	file   *runFile
	run    record.Run
	keeper *record.Keeper

	chain    *chain // of -L, nil when redirects are not followed
	noticed  suspicion
	world    *world          // nil on this machine's network
	keylog   *os.File        // nil without --keylog
	ownRoots map[string]bool // routes that trust authorities the user named

	kept   int   // exchanges in the file
	broken error // why the file could not be written to its end, nil when it could
}

// exchange sends one request and gives what came of it its place in the run.
func (m *measurement) exchange(ctx context.Context, slot schedule.Slot) schedule.Result {
	a := m.arms[slot.Arm]
	t := targetOf(a.target, slot.Seq)
	slot.Release()
	if m.chain != nil {
		return m.chain.walk(ctx, m.prober, t, slot)
	}
	res := m.prober.Do(ctx, t)
	if res.Canceled {
		interrupted(&res.Exchange)
	}
	var all []*record.Exchange
	if res.Prime != nil {
		res.Prime.Prime = true
		all = append(all, res.Prime)
	}
	noteAgent(&res.Exchange, t)
	all = append(all, &res.Exchange)
	for _, ex := range all {
		ex.Seq, ex.Pair = slot.Seq, slot.Pair
		ex.First = slot.First && !ex.Prime
	}
	return schedule.Of(fatal, all...)
}

// interrupted marks an exchange the user cut short: it was sent, and it says nothing about its route.
func interrupted(ex *record.Exchange) {
	ex.Outcome = record.Invalid
	at := segment.DNS
	if ex.Error != nil {
		at = ex.Error.Segment
	}
	ex.Error = &record.Error{Segment: at, Text: "interrupted by the user"}
}

// fatal names failures that no repetition would change.
func fatal(ex *record.Exchange) string {
	if diagnosis.IsCertificateFailure(ex) {
		return "certificate"
	}
	return ""
}

// noteAgent keeps which User-Agent was sent with a request that was refused: it may be the reason.
func noteAgent(ex *record.Exchange, t *probe.Target) {
	if ex.Error == nil || ex.Error.Class != record.ClassStatus {
		return
	}
	agent := t.UserAgent
	if own, given := t.Header["User-Agent"]; given {
		agent = strings.Join(own, ", ")
	}
	ex.Notes = append(ex.Notes, diagnosis.AgentNote(record.SafeText(agent)))
}

// store is the sink: every exchange is on disk before the next one starts.
func (m *measurement) store(_ schedule.Slot, r schedule.Result) error {
	if m.chain == nil || m.chain.settled {
		return m.write(r.Exchanges)
	}
	held := m.chain.hold(r.Exchanges)
	if held == nil {
		return nil
	}
	if err := m.writeHead(); err != nil {
		return err
	}
	return m.write(held)
}

// write keeps exchanges in the file. One that is refused does not take those behind it along.
func (m *measurement) write(exchanges []*record.Exchange) error {
	var first error
	for len(exchanges) > 0 {
		n, err := m.file.w.Exchanges(exchanges)
		m.note(exchanges[:n])
		first = cmp.Or(first, err)
		exchanges = exchanges[min(n+1, len(exchanges)):]
	}
	return first
}

// note keeps what the end of the run will be told from.
func (m *measurement) note(kept []*record.Exchange) {
	for _, ex := range kept {
		m.kept++
		m.noticed.note(ex, m.hostOf(ex.Route), m.trustsOwn(ex.Route))
		if m.chain != nil {
			m.chain.counts[ex.Hop].Add(ex.Outcome)
		}
	}
}

// trustsOwn reports whether a route trusts authorities the user named; the hops of a chain share them.
func (m *measurement) trustsOwn(route string) bool {
	return m.ownRoots[route] || m.chain != nil && len(m.ownRoots) > 0
}

// writeHead writes the file's first line, once the routes are known.
func (m *measurement) writeHead() error {
	if m.chain != nil {
		m.run.Routes = m.chain.routes()
	}
	return m.file.w.Run(m.run)
}

// prepare gives every target what the run as a whole decided: roots, what is kept.
func (m *measurement) prepare(roots *x509.CertPool) {
	for i := range m.arms {
		t := m.arms[i].target
		t.Keeper = m.keeper
		if m.keylog != nil {
			t.KeyLog = m.keylog
		}
		if t.RootCAs == nil {
			t.RootCAs, t.Resolver.RootCAs = roots, roots
			continue
		}
		m.ownRoots[m.arms[i].route.Name] = true
	}
}

// measure prewarms, writes the head of the file, sends the plan's steps and ends the file. A run
// that was stopped is no error: what was measured is in the file.
func (m *measurement) measure(ctx context.Context, plan schedule.Plan, r *runFlags, s streams) error {
	return m.measureOn(ctx, plan, nil, r, s)
}

// measureOn goes on after the plan's steps for as long as more returns further ones; it is given the
// number of rounds so far.
func (m *measurement) measureOn(ctx context.Context, plan schedule.Plan, more func(rounds int) []schedule.Step, r *runFlags, s streams) error {
	if err := m.begin(ctx, r); err != nil {
		return err
	}
	m.announce(r, s)
	bar := newProgress(s, m, plan)
	runner := schedule.NewRunner(plan, m.exchange, bar.watch(m.store))
	report, err := runner.Run(ctx, plan.Steps)
	for rounds := r.n; err == nil && report.Stop == "" && more != nil; {
		steps := more(rounds)
		if len(steps) == 0 {
			break
		}
		rounds += len(steps) / len(m.arms)
		bar.extend(len(steps))
		report, err = runner.Run(ctx, steps)
	}
	bar.stop()
	if err != nil {
		return m.breakOff(err)
	}
	return m.end(ctx, report)
}

// begin prepares the resolvers, prewarms this process and writes the head of the file. A prewarm that did
// not work out is told, and the run goes on.
func (m *measurement) begin(ctx context.Context, r *runFlags) error {
	if err := m.prepareResolvers(ctx); err != nil {
		m.file.abandon()
		return err
	}
	if m.world != nil {
		m.prepare(m.world.roots)
		return m.head()
	}
	if r.noPrewarm {
		m.run.Notes = append(m.run.Notes, "not prewarmed: the first exchange holds this process's own start-up")
		m.prepare(nil)
		return m.head()
	}
	warm, roots, err := probe.Prewarm(ctx)
	if err != nil {
		m.run.Notes = append(m.run.Notes, fmt.Sprintf("prewarmed in part only: %v", err))
	}
	m.run.Prewarm = &warm
	m.prepare(roots)
	return m.head()
}

// prepareResolvers looks up those given by name, and what the machine's own files list, before any clock
// starts.
func (m *measurement) prepareResolvers(ctx context.Context) error {
	for _, a := range m.arms {
		if err := m.prober.Prepare(ctx, a.target); err != nil {
			return err
		}
	}
	return nil
}

// head writes the file's first line at once, unless routes are still to be discovered.
func (m *measurement) head() error {
	if m.chain != nil {
		return nil
	}
	return m.writeHead()
}
