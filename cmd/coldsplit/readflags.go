package main

import (
	"time"

	"github.com/spf13/pflag"

	"github.com/coldsplit/coldsplit/pkg/geo"
	"github.com/coldsplit/coldsplit/pkg/ledger"
	"github.com/coldsplit/coldsplit/pkg/provider"
	"github.com/coldsplit/coldsplit/pkg/reading"
)

// readFlags say how recorded exchanges are read; they need no network and apply to saved runs too.
type readFlags struct {
	maps   []string
	places []string
	by     string
	atRTT  interval
}

func (r *readFlags) bind(fs *pflag.FlagSet) {
	fs.StringArrayVar(&r.maps, "map", nil, "read a part of wait: `KEY=METRIC` or KEY=header:NAME[#sub], @s or @us for units other than ms, or a preset's name")
	fs.StringArrayVar(&r.places, "place", nil, "read a place: `ROLE=header:NAME[#sub]`, ROLE is accepted, tier, compute or state")
	fs.StringVar(&r.by, "by", "", "one table per value of `DIM`: place.accepted, header:NAME, family, protocol, from; fewer than 5 are pooled as other")
}

// bindProjection adds what only a saved run can be read with.
func (r *readFlags) bindProjection(fs *pflag.FlagSet) {
	fs.Var(&r.atRTT, "at-rtt", "compute the same requests for a user this `ROUND-TRIP` away from the edge: projected, not measured")
}

// options turns the flags into what a reader of exchanges needs.
func (r *readFlags) options() (reading.Options, error) {
	mapping, err := provider.ParseMapping(r.maps, r.places)
	if err != nil {
		return reading.Options{}, usagef("--%v", err)
	}
	by, err := reading.ParseBy(r.by)
	if err != nil {
		return reading.Options{}, usagef("--by: %v", err)
	}
	return reading.Options{Mapping: mapping, By: by, AtRTT: time.Duration(r.atRTT)}, nil
}

// optionsFrom adds where the measuring machine was, when the user says so afterwards.
func (r *readFlags) optionsFrom(from string) (reading.Options, error) {
	opt, err := r.options()
	if err != nil || from == "" {
		return opt, err
	}
	place, err := geo.Find(from)
	if err != nil {
		return opt, usagef("--from: %v", err)
	}
	opt.From = &place
	return opt, nil
}

// readByGroup reads a run and, when it is read by a dimension, pools the values that no route has
// often enough to stand for themselves.
func readByGroup(name string, s streams, opt reading.Options) (*reading.Set, error) {
	set, err := readRun(name, s, opt)
	if err != nil || !opt.By.Set() {
		return set, err
	}
	groups := map[string]string{}
	for _, route := range set.Run.Routes {
		counts := set.Counts(route.Name)
		for v, g := range ledger.Pool(counts, counts) {
			if groups[v] != v {
				groups[v] = g
			}
		}
	}
	if !standAlone(groups) {
		opt.Group = groups
		if set, err = readRun(name, s, opt); err != nil {
			return nil, err
		}
	}
	s.hideGroups(set)
	return set, nil
}

// hideGroups names the groups of a run read with --redact as its places are named already. It comes
// last: the runs are split by the true sites.
func (s streams) hideGroups(set *reading.Set) {
	if s.redactor == nil {
		return
	}
	for _, a := range set.Arms {
		for _, p := range a.Places {
			if a.By == "place."+p.Role.String() && a.Group != reading.Other && a.Group != reading.Unnamed {
				a.Group = p.Site
				break
			}
		}
	}
}

func standAlone(groups map[string]string) bool {
	for v, g := range groups {
		if v != g {
			return false
		}
	}
	return true
}
