package scenario

import (
	"errors"
	"regexp"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"github.com/coldsplit/coldsplit/pkg/geo"
	"github.com/coldsplit/coldsplit/pkg/lab/actor"
)

// checker looks for what is well formed and cannot be meant; it stops at the first.
type checker struct {
	*spec
	*tree
}

// check returns the first mistake in a document, with its place.
func check(s *spec, t *tree) error {
	c := checker{s, t}
	for _, rule := range []func() error{c.client, c.allServices, c.cycles, c.allPaths, c.allRoutes, c.allVariants} {
		if err := rule(); err != nil {
			return t.located(err)
		}
	}
	return nil
}

func (c checker) client() error {
	if c.Client.City == "" {
		return wrong(c.root, "no client: say where requests come from, as in client: Lagos")
	}
	node := c.node("client")
	if city := find(node, "city"); city != nil {
		node = city
	}
	return c.city(node, c.Client.City)
}

func (c checker) city(node ast.Node, name string) error {
	_, err := geo.Find(name)
	var unknown *geo.UnknownPlaceError
	if errors.As(err, &unknown) {
		return wrong(node, "%s", err.Error())
	}
	return err
}

func (c checker) allServices() error {
	switch n := len(c.services); {
	case n == 0:
		return wrong(c.root, "no services: the first one is what the client asks")
	case n > maxServices:
		return wrong(c.node("services"), "%d services; at most %d", n, maxServices)
	}
	for _, name := range c.services {
		if err := c.service(name, c.Services[name]); err != nil {
			return err
		}
	}
	return nil
}

// serviceName keeps names fit for host names and for --set.
var serviceName = regexp.MustCompile(`^[a-z0-9]([a-z0-9-]*[a-z0-9])?$`)

func (c checker) service(name string, s *serviceSpec) error {
	node := c.node("services", name)
	switch {
	case name == clientName || !serviceName.MatchString(name):
		return wrong(node, "%q is no name for a service; want small letters, digits and hyphens, and not client", name)
	case s == nil || s.City == "":
		return wrong(node, "service %q has no city", name)
	case len(s.blocks()) > 1:
		return wrong(node, "service %q is %s at once; want one of them", name, strings.Join(s.blocks(), " and "))
	case s.Content < 0 || s.Content > maxContent:
		return wrong(c.node("services", name, "content"), "content must be 0 to %d bytes, got %d", maxContent, s.Content)
	case s.Provider != "" && !slices.Contains(actor.Dialects(), actor.Dialect(s.Provider)):
		return wrong(c.node("services", name, "provider"), "unknown provider %q; want one of %v", s.Provider, actor.Dialects())
	}
	return c.parts(name, s)
}

// parts checks what a service names: cities and other services.
func (c checker) parts(name string, s *serviceSpec) error {
	if err := c.city(c.node("services", name, "city"), s.City); err != nil {
		return err
	}
	if s.Accepts != "" {
		if err := c.city(c.node("services", name, "accepts"), s.Accepts); err != nil {
			return err
		}
	}
	for _, r := range s.refs() {
		if c.Services[r.to] != nil {
			continue
		}
		node := r.node
		if node == nil {
			node = c.node(append([]string{"services", name}, r.path...)...)
		}
		return wrong(node, "service %q names %q, which is no service; there are %s", name, r.to, strings.Join(c.services, ", "))
	}
	return c.special(name, s)
}

func (c checker) special(name string, s *serviceSpec) error {
	at := func(path ...string) ast.Node { return c.node(append([]string{"services", name}, path...)...) }
	switch {
	case s.Breaker != nil && s.Breaker.Deadline <= 0:
		return wrong(at("breaker"), "the breaker of %q needs a deadline", name)
	case s.Breaker != nil && c.Services[s.Breaker.State].Switch == nil:
		return wrong(at("breaker", "state"), "%q is no switch: give it a switch block", s.Breaker.State)
	case s.Gateway != nil && (len(s.Gateway.Weights) == 0 || s.Gateway.Lanes < 1 || len(s.Takes.values) == 0):
		return wrong(at("gateway"), "the gateway %q needs weights, one a machine, lanes, and a takes beside it", name)
	case s.Gateway != nil && s.Gateway.machines() > maxMachines:
		return wrong(at("gateway"), "the gateway %q has up to %d machines; at most %d", name, s.Gateway.machines(), maxMachines)
	case s.Tide != nil && s.Tide.Day <= 0:
		return wrong(at("tide"), "the tide of %q needs a day", name)
	}
	return nil
}

// ref is a service named by another: where its name stands, by node or by path.
type ref struct {
	to   string
	node ast.Node
	path []string
}

// refs lists every service a service names.
func (s *serviceSpec) refs() []ref {
	var out []ref
	for _, step := range s.Calls {
		for _, call := range step {
			out = append(out, ref{to: call.To, node: call.node})
		}
	}
	for _, to := range s.Spread {
		out = append(out, ref{to: to, path: []string{"spread"}})
	}
	if b := s.Breaker; b != nil {
		out = append(out,
			ref{to: b.State, path: []string{"breaker", "state"}},
			ref{to: b.To, path: []string{"breaker", "to"}},
			ref{to: b.Fallback, path: []string{"breaker", "fallback"}})
	}
	if s.CDN != nil {
		out = append(out, ref{to: s.CDN.Origin, path: []string{"cdn", "origin"}})
	}
	return out
}

// machines is how many there may be at once.
func (g *gatewaySpec) machines() int {
	if g.Autostart == nil {
		return len(g.Weights)
	}
	return max(len(g.Weights), g.Autostart.Max)
}

func (s *serviceSpec) blocks() []string {
	var out []string
	for _, b := range []struct {
		name string
		set  bool
	}{
		{"breaker", s.Breaker != nil}, {"switch", s.Switch != nil}, {"spread", len(s.Spread) > 0},
		{"cdn", s.CDN != nil}, {"origin", s.Origin != nil}, {"gateway", s.Gateway != nil},
	} {
		if b.set {
			out = append(out, b.name)
		}
	}
	return out
}

// cycles refuses services that end up asking themselves: such a request never ends.
func (c checker) cycles() error {
	state := map[string]int{} // 1: on the way, 2: done
	var visit func(name string, trail []string) error
	visit = func(name string, trail []string) error {
		trail = append(trail, name)
		if state[name] == 1 {
			return wrong(c.node("services", name), "services call each other in a circle: %s", strings.Join(trail, " -> "))
		}
		if state[name] == 2 {
			return nil
		}
		state[name] = 1
		for _, r := range c.Services[name].refs() {
			if err := visit(r.to, trail); err != nil {
				return err
			}
		}
		state[name] = 2
		return nil
	}
	for _, name := range c.services {
		if err := visit(name, nil); err != nil {
			return err
		}
	}
	return nil
}

// maxServices and maxMachines bound what a document may start: every one is a host
// with a stack of its own.
const (
	maxServices = 64
	maxMachines = 32
)

// maxContent bounds a page, in bytes.
const maxContent = 16 << 20
