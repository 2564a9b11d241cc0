package main

import (
	"crypto/rand"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"slices"
	"time"

	"github.com/coldsplit/coldsplit/pkg/diagnosis"
	"github.com/coldsplit/coldsplit/pkg/probe"
	"github.com/coldsplit/coldsplit/pkg/provider"
	"github.com/coldsplit/coldsplit/pkg/record"
)

// newMeasurement makes everything ready that needs no network, and opens the run file.
func newMeasurement(r *runFlags, arms []arm, p plan, network probe.Network, s streams) (*measurement, error) {
	if err := r.checkSaving(); err != nil {
		return nil, err
	}
	if r.seed == 0 {
		r.seed = randomSeed()
	}
	if s.inLab() {
		p = p.withPlaces(s.world.scenario.Places())
	}
	started := time.Now()
	run, err := newRun(r, arms, p, started)
	if err != nil {
		return nil, err
	}
	m := &measurement{
		arms: arms, prober: &probe.Prober{Network: s.networkOf(network)}, run: run, world: s.world,
		keeper:   record.NewKeeper(slices.Concat(provider.Headers(), diagnosis.Headers(), r.keep)...),
		ownRoots: make(map[string]bool),
	}
	if s.inLab() {
		m.run.Rehearsed = true
		m.run.Notes = append(m.run.Notes, s.rehearsalNotes()...)
	}
	s.learn(arms)
	if r.location {
		m.run.Order = "hop-by-hop"
		m.chain = newChain(arms[0])
	}
	if m.keylog, err = openKeyLog(r.keylog, s); err != nil {
		return nil, err
	}
	if m.file, err = createRunFile(r, s.getenv, started, arms[0].target.URL.Hostname()); err != nil {
		return nil, err
	}
	m.tellUnkept(s)
	return m, nil
}

// tellUnkept warns of a run that nobody will find again, however quiet the rest is.
func (m *measurement) tellUnkept(s streams) {
	if m.file.unkept == nil {
		return
	}
	fmt.Fprintf(s.err, "warning: this run is not kept: %s; name a file with --save, or say --no-save\n", s.aliased(oneLine(m.file.unkept.Error())))
	m.run.Notes = append(m.run.Notes, "not kept: the folder for runs cannot be written")
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
	if r.spread > 0 {
		run.Interval = 0
		run.Notes = append(run.Notes, "requests spread evenly over "+time.Duration(r.spread).String()+", each somewhere in its share")
	}
	for _, a := range arms {
		run.Routes = append(run.Routes, a.route)
		for _, n := range a.notes {
			run.Notes = appendOnce(run.Notes, n)
		}
		if a.target.Insecure {
			run.Notes = appendOnce(run.Notes, "certificates were not verified (-k)")
		}
	}
	return run, nil
}

func appendOnce(list []string, s string) []string {
	for _, have := range list {
		if have == s {
			return list
		}
	}
	return append(list, s)
}

// randomSeed is small enough to be read out loud, and never 0.
func randomSeed() uint64 {
	var b [2]byte
	rand.Read(b[:])
	return uint64(binary.LittleEndian.Uint16(b[:])) + 1
}

func newRunID() string {
	var b [8]byte
	rand.Read(b[:])
	return hex.EncodeToString(b[:])
}
