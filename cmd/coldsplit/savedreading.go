package main

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/coldsplit/coldsplit/pkg/provider"
	"github.com/coldsplit/coldsplit/pkg/reading"
	"github.com/coldsplit/coldsplit/pkg/record"
)

// asMeasured reads a run the way it was read when it was measured: what the user says now of timings
// or of places wins over what the run's plan says of the same.
func asMeasured(run *record.Run, opt reading.Options) reading.Options {
	var p plan
	if json.Unmarshal(run.Plan, &p) != nil {
		return opt
	}
	saved, err := provider.ParseMapping(p.values("map"), p.values("place"))
	if err == nil {
		opt.Mapping = opt.Mapping.Or(saved)
	}
	return opt
}

// values are those the plan gives a flag.
func (p plan) values(flag string) []string {
	var out []string
	for _, a := range p.Args {
		if a == "--" {
			break
		}
		if v, ok := strings.CutPrefix(a, "--"+flag+"="); ok {
			out = append(out, v)
		}
	}
	return out
}

// withPlaces is the plan with places a scenario's headers tell in words of its own, unless the user
// named places: whoever reads the run later has no scenario to ask.
func (p plan) withPlaces(places []string) plan {
	if len(p.values("place")) > 0 {
		return p
	}
	end := slices.Index(p.Args, "--")
	if end < 0 {
		return p
	}
	var flags []string
	for _, text := range places {
		flags = append(flags, "--place="+text)
	}
	p.Args = slices.Concat(p.Args[:end], flags, p.Args[end:])
	return p
}
