package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/coldsplit/coldsplit/pkg/lab/scenario"
)

// enterLab opens the scenario --lab names. The streams it returns send requests into it; without
// --lab they are the ones it was given. close ends the scenario. Where the scenario's headers tell
// places in words of its own, read learns them.
func (r *runFlags) enterLab(read *readFlags, s streams) (inside streams, close func(), err error) {
	if r.lab == "" {
		return s, func() {}, nil
	}
	d, err := loadScenario(r.lab)
	if err == nil {
		inside, close, err = openWorld(d, r, read, s)
	}
	if err != nil {
		return s, nil, usagef("--lab: %v", err)
	}
	return inside, close, nil
}

func worldOf(w *scenario.World) *world {
	return &world{network: w.Client(), roots: w.RootCAs(), scenario: w}
}

// labOr lets a command do without arguments when --lab brings its own routes.
func labOr(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if f := cmd.Flags().Lookup("lab"); f != nil && f.Value.String() != "" && len(args) == 0 {
			return nil
		}
		return check(cmd, args)
	}
}

// inLab reports whether requests go into a scenario.
func (s streams) inLab() bool { return s.world != nil && s.world.scenario != nil }

// labRoutes are the scenario's routes the arguments name, all of them when there are none. An
// argument that is a URL is none of them.
func (s streams) labRoutes(args []string) ([]scenario.Arm, error) {
	w := s.world.scenario
	if len(args) == 0 {
		return w.Arms(), nil
	}
	var out []scenario.Arm
	for _, name := range args {
		if strings.Contains(name, "://") {
			out = append(out, scenario.Arm{URL: name})
			continue
		}
		a, ok := w.Arm(name)
		if !ok {
			return nil, usagef("the scenario has no route %q; it has %s", name, routeNames(w))
		}
		out = append(out, a)
	}
	return out, nil
}

func routeNames(w *scenario.World) string {
	var names []string
	for _, a := range w.Arms() {
		names = append(names, a.Name)
	}
	return strings.Join(names, ", ")
}

// buildLab makes the arms of one scenario route. What the user wrote wins over what the route says.
func (b *armBuilder) buildLab(r *routeFlags, route scenario.Arm) ([]arm, error) {
	own := *r
	if len(own.http) == 0 && route.HTTP != "" {
		own.http = []string{route.HTTP}
	}
	if len(own.via) == 0 && route.Via != "" {
		own.via = []string{route.Via}
	}
	if own.method == "" && !own.head && !own.hasContent() {
		own.method = route.Method
	}
	own.compressed = own.compressed || route.Compressed
	built, err := b.build(&own, route.URL)
	if err != nil {
		return nil, err
	}
	for i := range built {
		dressLab(&built[i], route, own.hasContent())
	}
	return built, nil
}

// dressLab adds the route's own header, content, role and name.
func dressLab(a *arm, route scenario.Arm, hasContent bool) {
	for name, values := range route.Header {
		if _, set := a.target.Header[name]; !set {
			a.target.Header[name] = slices.Clone(values)
		}
	}
	if !hasContent && route.Body != nil {
		a.target.Body = route.Body
	}
	a.route.Role = route.Role
	if route.Name != "" {
		a.name(route.Name)
	}
}

// arms are the arms the arguments ask for: URLs, or inside a scenario its routes.
func (b *armBuilder) arms(r *routeFlags, args []string, s streams) ([]arm, error) {
	if !s.inLab() {
		return b.ofURLs(r, args)
	}
	routes, err := s.labRoutes(args)
	if err != nil {
		return nil, err
	}
	var arms []arm
	for _, route := range routes {
		built, err := b.buildLab(r, route)
		if err != nil {
			return nil, err
		}
		arms = append(arms, built...)
	}
	nameLabArms(arms)
	return arms, nil
}

func (b *armBuilder) ofURLs(r *routeFlags, urls []string) ([]arm, error) {
	var arms []arm
	for _, u := range urls {
		built, err := b.build(r, u)
		if err != nil {
			return nil, err
		}
		arms = append(arms, built...)
	}
	nameArms(arms)
	return arms, nil
}

// nameLabArms keeps the scenario's names where they are unique and names the rest by what tells
// them apart.
func nameLabArms(arms []arm) {
	seen := map[string]bool{}
	for _, a := range arms {
		if a.route.Name == "" || seen[a.route.Name] {
			nameArms(arms)
			return
		}
		seen[a.route.Name] = true
	}
}

// rehearsalNotes are said of every run inside a scenario.
func (s streams) rehearsalNotes() []string {
	w := s.world.scenario
	own := fmt.Sprintf("rehearsed in the embedded internet (%s), not measured", w.Document().Name())
	return append([]string{own}, w.Notes()[1:]...) // the first says the same in the lab's words
}
