package main

import (
	"fmt"
	"net/http"

	"github.com/coldsplit/coldsplit/pkg/probe"
)

// rampBuilder turns flags, templates or a scenario's routes into requests.
type rampBuilder struct {
	armBuilder
	o       *rampOptions
	secrets []string // values taken from the environment: they must never be recorded
}

// requests are what a stage sends, one or several templates.
func (b *rampBuilder) requests(s streams) ([]rampRequest, error) {
	found, err := b.found(s)
	if err != nil {
		return nil, err
	}
	for i := range found {
		if err := b.finish(&found[i]); err != nil {
			return nil, err
		}
	}
	return found, nil
}

func (b *rampBuilder) found(s streams) ([]rampRequest, error) {
	switch {
	case b.o.load.templates != "":
		return b.fromTemplates()
	case s.inLab():
		return b.fromScenario(s)
	}
	a, err := b.single(&b.o.route, b.o.args[0])
	if err != nil {
		return nil, err
	}
	arms := []arm{a}
	nameArms(arms)
	return []rampRequest{{arm: arms[0], weight: 1}}, nil
}

// single builds the one arm a ramp goes over.
func (b *rampBuilder) single(r *routeFlags, rawURL string) (arm, error) {
	built, err := b.build(r, rawURL)
	if err != nil {
		return arm{}, err
	}
	if len(built) != 1 {
		return arm{}, usagef("ramp takes one protocol, way and state: what differs between two is a comparison's question")
	}
	if state := built[0].target.State; state != probe.Cold && state != probe.Warm {
		return arm{}, usagef("--state %s: ramp sends cold requests, or warm ones with a kept connection a worker", state)
	}
	return built[0], nil
}

// fromScenario mixes the scenario's routes, or those the arguments name.
func (b *rampBuilder) fromScenario(s streams) ([]rampRequest, error) {
	arms, err := b.arms(&b.o.route, b.o.args, s)
	if err != nil {
		return nil, err
	}
	var out []rampRequest
	for _, a := range arms {
		if a.route.Role != "" && a.route.Role != "before" {
			continue // a ramp loads one route of a comparison
		}
		a.route.Role = ""
		out = append(out, rampRequest{arm: a, weight: 1})
	}
	if len(out) == 0 {
		return nil, usagef("--lab %s: the scenario has no route to load", b.o.run.lab)
	}
	for i := range out {
		if len(out) > 1 {
			out[i].label = out[i].route.Name
		}
	}
	return out, nil
}

// finish fills in the environment's values and checks what is left to expand.
func (b *rampBuilder) finish(r *rampRequest) error {
	if err := b.fillEnvironment(r.target); err != nil {
		return err
	}
	if err := checkTargetTemplates(r.target); err != nil {
		return err
	}
	if err := r.target.Check(); err != nil {
		return usagef("%s: %v", r.route.URL, err)
	}
	return nil
}

// healthArm asks the health URL the way the load goes, but for the request itself.
func (b *rampBuilder) healthArm(first rampRequest) (*arm, error) {
	if b.o.load.health == "" {
		return nil, nil
	}
	u, err := parseTargetURL(b.o.load.health)
	if err != nil {
		return nil, fmt.Errorf("--health: %w", err)
	}
	r := b.o.route
	r.method, r.head, r.headers, r.user, r.cookie = http.MethodGet, false, nil, "", ""
	r.json, r.data, r.dataRaw, r.dataBinary, r.states = nil, nil, nil, nil, nil
	if u.Host != first.target.URL.Host {
		r.via, r.connectTo, r.sni = nil, nil, ""
	}
	a, err := b.single(&r, b.o.load.health)
	if err != nil {
		return nil, fmt.Errorf("--health: %w", err)
	}
	a.route.Role = "health"
	a.name(uniqueName([]string{first.route.Name}, "health"))
	return &a, nil
}

// labelled names requests by their templates; labels are unique.
func labelled(requests []rampRequest) {
	var names []string
	for i := range requests {
		requests[i].label = uniqueName(names, requests[i].label)
		names = append(names, requests[i].label)
		requests[i].name(requests[i].label)
	}
}
