package main

import (
	"context"
	"crypto/rand"
	"crypto/x509"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"net/http"
	"net/url"
	"sync"
	"time"

	"github.com/coldsplit/coldsplit/pkg/probe"
	"github.com/coldsplit/coldsplit/pkg/provider"
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

	mu    sync.Mutex // guards what follows: in a ramp exchanges end side by side
	seq   int
	first map[string]bool
	hops  map[string][]*url.URL // where each chain of redirects led
}

// exchange sends one request of an arm and returns what became of it; the caller records it.
func (m *measurement) exchange(ctx context.Context, armIndex, pair int) probe.Result {
	a := m.arms[armIndex]
	seq := m.nextSeq()
	t := newExpansion(seq).target(a.target)
	res := m.prober.Do(ctx, t)
	m.stamp(&res, seq, pair)
	return res
}

func (m *measurement) nextSeq() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	seq := m.seq
	m.seq++
	return seq
}

// stamp gives an exchange, and the priming one before it, their places in the run.
func (m *measurement) stamp(res *probe.Result, seq, pair int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, ex := range []*record.Exchange{res.Prime, &res.Exchange} {
		if ex == nil {
			continue
		}
		ex.Seq, ex.Pair = seq, pair
		ex.First = !m.first[ex.Route] && !ex.Prime
		if !ex.Prime {
			m.first[ex.Route] = true
		}
	}
}

// write records an exchange; a priming one first.
func (m *measurement) write(res *probe.Result) error {
	if res.Prime != nil {
		res.Prime.Prime = true
		if err := m.file.w.Exchange(res.Prime); err != nil {
			return fmt.Errorf("record the run: %w", err)
		}
	}
	if err := m.file.w.Exchange(&res.Exchange); err != nil {
		return fmt.Errorf("record the run: %w", err)
	}
	return nil
}

// keep chooses the header fields that enter the record.
func (m *measurement) keep(h http.Header) record.Fields {
	kept, _, _ := m.keeper.Keep(h, nil)
	return kept
}

// prepare gives every target what the run as a whole decided: roots, what is kept.
func (m *measurement) prepare(roots *x509.CertPool) {
	for i := range m.arms {
		t := m.arms[i].target
		t.Keep = m.keep
		if t.RootCAs == nil {
			t.RootCAs = roots
		}
	}
}

func newRunID() string {
	var b [8]byte
	rand.Read(b[:])
	return hex.EncodeToString(b[:])
}

// newRun is the head of the run file.
func newRun(r *runFlags, arms []arm, p plan, started time.Time) (record.Run, error) {
	vantage, err := vantageOf(r.from)
	if err != nil {
		return record.Run{}, err
	}
	run := record.Run{
		ID: newRunID(), Tool: toolName(), Started: started.UTC(), Vantage: vantage,
		Resolver: arms[0].route.Resolver, Order: "random-pairs", Seed: r.seed,
		Interval: time.Duration(r.interval), Timeout: arms[0].target.MaxTime, Plan: p.raw(),
	}
	if run.Resolver == "" {
		run.Resolver = "system"
	}
	for _, a := range arms {
		run.Routes = append(run.Routes, a.route)
	}
	return run, nil
}

// newMeasurement makes everything ready that needs no network.
func newMeasurement(r *runFlags, read *readFlags, arms []arm, p plan, network probe.Network, s streams) (*measurement, error) {
	if r.seed == 0 {
		r.seed = randomSeed()
	}
	started := time.Now()
	run, err := newRun(r, arms, p, started)
	if err != nil {
		return nil, err
	}
	m := &measurement{
		arms: arms, prober: &probe.Prober{Network: network}, run: run,
		keeper: record.NewKeeper(append(provider.Headers(), r.keep...)...), first: map[string]bool{},
	}
	m.file, err = createRunFile(r, s.getenv, started, arms[0].target.URL.Hostname())
	return m, err
}

func randomSeed() uint64 {
	var b [4]byte
	rand.Read(b[:])
	return uint64(binary.LittleEndian.Uint32(b[:])) + 1
}

func (m *measurement) measure(ctx context.Context, r *runFlags, s streams) error {
	m.prepare(nil)
	if err := m.file.w.Run(m.run); err != nil {
		return err
	}
	plan := schedule.Pairs{Seed: r.seed, Interval: time.Duration(r.interval), Jitter: schedule.DefaultJitter}
	for _, a := range m.arms {
		plan.Arms = append(plan.Arms, schedule.Arm{Name: a.route.Name, N: r.n})
	}
	var counts record.Counts
	for _, step := range plan.Steps() {
		time.Sleep(step.After)
		res := m.exchange(ctx, step.Slots[0].Arm, step.Slots[0].Pair)
		if err := m.write(&res); err != nil {
			return err
		}
		counts.Add(res.Exchange.Outcome)
	}
	counts.Asked = counts.Done()
	if err := m.file.w.End(record.End{Counts: counts}); err != nil {
		return err
	}
	return m.file.close()
}
