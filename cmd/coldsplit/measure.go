package main

import (
	"context"
	"crypto/x509"
	"fmt"
	"time"

	"github.com/coldsplit/coldsplit/pkg/probe"
	"github.com/coldsplit/coldsplit/pkg/record"
	"github.com/coldsplit/coldsplit/pkg/schedule"
)

// measurement is everything one invocation sends and where it is kept.
type measurement struct {
	arms   []arm
	prober *probe.Prober
	file   *runFile
	run    record.Run
	keeper *record.Keeper
}

// exchange sends one request and gives what came of it its place in the run.
func (m *measurement) exchange(ctx context.Context, slot schedule.Slot) schedule.Result {
	a := m.arms[slot.Arm]
	t := newExpansion(slot.Seq).target(a.target)
	slot.Release()
	res := m.prober.Do(ctx, t)
	if res.Canceled {
		return schedule.Result{Outcome: record.Invalid, Failure: "interrupted"}
	}
	var all []*record.Exchange
	if res.Prime != nil {
		res.Prime.Prime = true
		all = append(all, res.Prime)
	}
	all = append(all, &res.Exchange)
	for _, ex := range all {
		ex.Seq, ex.Pair = slot.Seq, slot.Pair
		ex.First = slot.First && !ex.Prime
	}
	return schedule.Of(fatal, all...)
}

// fatal names failures that no repetition would change.
func fatal(ex *record.Exchange) string {
	if ex.Error != nil && ex.Error.Class == record.ClassTLS && ex.TLS != nil && len(ex.TLS.Names) > 0 {
		return "certificate"
	}
	return ""
}

// store is the sink: every exchange is on disk before the next one starts.
func (m *measurement) store(_ schedule.Slot, r schedule.Result) error {
	for _, ex := range r.Exchanges {
		if err := m.file.w.Exchange(ex); err != nil {
			return err
		}
	}
	return nil
}

// prepare gives every target what the run as a whole decided: roots, what is kept.
func (m *measurement) prepare(roots *x509.CertPool) {
	for i := range m.arms {
		t := m.arms[i].target
		t.Keeper = m.keeper
		if t.RootCAs == nil {
			t.RootCAs = roots
		}
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
		m.file.close()
		return err
	}
	return m.end(report)
}

// begin prewarms this process and writes the head of the file. A prewarm that did not work out is
// told, and the run goes on.
func (m *measurement) begin(ctx context.Context, r *runFlags) error {
	if r.noPrewarm {
		m.run.Notes = append(m.run.Notes, "not prewarmed: the first exchange holds this process's own start-up")
		m.prepare(nil)
		return m.file.w.Run(m.run)
	}
	warm, roots, err := probe.Prewarm(ctx)
	if err != nil {
		m.run.Notes = append(m.run.Notes, fmt.Sprintf("prewarmed in part only: %v", err))
	}
	m.run.Prewarm = &warm
	m.prepare(roots)
	return m.file.w.Run(m.run)
}

func (m *measurement) end(r schedule.Report) error {
	err := m.file.w.End(endOf(m.arms, r))
	if cerr := m.file.close(); err == nil {
		err = cerr
	}
	if err != nil {
		return fmt.Errorf("keep the run: %w", err)
	}
	return nil
}

// endOf is the end line of a run.
func endOf(arms []arm, r schedule.Report) record.End {
	end := record.End{Counts: r.Counts, Stop: string(r.Stop)}
	for i, a := range r.Arms {
		end.Arms = append(end.Arms, record.ArmEnd{
			Route: arms[i].route.Name, Counts: a.Counts, Stop: string(a.Stop), Failure: a.Failure, Alike: a.Alike,
		})
	}
	for _, p := range r.Pauses {
		end.Pauses = append(end.Pauses, record.Pause{After: p.Seq, For: p.For, Granted: p.Granted})
	}
	return end
}

// pairsPlan is the plan of probe and compare: one exchange at a time, arms interleaved.
func pairsPlan(arms []arm, r *runFlags) (schedule.Pairs, schedule.Policy) {
	pairs := schedule.Pairs{
		Seed: r.seed, Interval: time.Duration(r.interval), Jitter: schedule.DefaultJitter, Spread: time.Duration(r.spread),
	}
	for _, a := range arms {
		pairs.Arms = append(pairs.Arms, schedule.Arm{
			Name: a.route.Name, N: r.n, Requests: requestsOf(a), Optional: a.route.Role == "control",
		})
	}
	policy := schedule.Policy{KeepGoing: r.keepGoing, MaxPause: time.Duration(r.maxPause)}
	if r.maxPause == 0 {
		policy.MaxPause = -1
	}
	return pairs, policy
}

// requestsOf is how many requests one exchange takes: the other states need a priming one.
func requestsOf(a arm) int {
	if a.target.State == probe.Cold {
		return 1
	}
	return 2
}
