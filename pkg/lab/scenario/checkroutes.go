package scenario

import (
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"github.com/coldsplit/coldsplit/pkg/geo"
)

func (c checker) allPaths() error {
	for key, p := range c.Paths {
		node := c.node("paths", key)
		a, b, ok := strings.Cut(key, arrow)
		if !ok {
			return wrong(node, "path %q: want A -> B, two services or two cities", key)
		}
		for _, end := range []string{a, b} {
			if err := c.end(node, strings.TrimSpace(end)); err != nil {
				return err
			}
		}
		if err := p.check(node); err != nil {
			return err
		}
	}
	return nil
}

const arrow = "->"

func (c checker) end(node ast.Node, name string) error {
	if name == clientName || c.Services[strings.TrimSuffix(name, doorSuffix)] != nil {
		return nil
	}
	if _, err := geo.Find(name); err != nil {
		return wrong(node, "%q is neither a service nor a city; services are %s", name, strings.Join(c.services, ", "))
	}
	return nil
}

func (p *pathSpec) check(node ast.Node) error {
	switch {
	case p == nil:
		return wrong(node, "an empty path; want a round trip like 65ms")
	case p.RTT < 0 || p.Jitter < 0:
		return wrong(node, "times must not be negative")
	case p.Loss < 0 || p.Loss > 1 || p.SYNLoss < 0 || p.SYNLoss > 1:
		return wrong(node, "a loss must be between 0 and 1")
	}
	for _, d := range p.Drop {
		if drops[d] == nil {
			return wrong(node, "drop %q: want ipv6, quic or syn", d)
		}
	}
	return nil
}

// maxRoutes bounds the worlds of a document, each of which starts all services.
const maxRoutes = 16

func (c checker) allRoutes() error {
	if n := len(c.routes); n > maxRoutes {
		return wrong(c.node("routes"), "%d routes; at most %d", n, maxRoutes)
	}
	for _, name := range c.routes {
		if err := c.route(name, c.Routes[name]); err != nil {
			return err
		}
	}
	return nil
}

// roles are what a route can be in a comparison.
var roles = []string{"", "before", "after", "control"}

func (c checker) route(name string, r *routeSpec) error {
	at := func(key string) ast.Node { return c.node("routes", name, key) }
	switch {
	case !serviceName.MatchString(name):
		return wrong(at(""), "%q is no name for a route; want small letters, digits and hyphens", name)
	case r == nil:
		return nil
	case !slices.Contains(roles, r.Role):
		return wrong(at("role"), "unknown role %q; want before, after or control", r.Role)
	case r.To != "" && c.Services[r.To] == nil:
		return wrong(at("to"), "%q is no service; there are %s", r.To, strings.Join(c.services, ", "))
	case r.Of != "" && c.Routes[r.Of] == nil:
		return wrong(at("of"), "%q is no route; there are %s", r.Of, strings.Join(c.routes, ", "))
	case r.Path != "" && !strings.HasPrefix(r.Path, "/"):
		return wrong(at("path"), "path %q: want one that begins with /", r.Path)
	case r.HTTP != "" && !slices.Contains([]string{"auto", "1.1", "2", "3"}, r.HTTP):
		return wrong(at("http"), "unknown protocol %q; want auto, 1.1, 2 or 3", r.HTTP)
	}
	return nil
}

func (c checker) allVariants() error {
	for _, name := range c.variants {
		if !serviceName.MatchString(name) || c.Variants[name] == nil {
			return wrong(c.node("variants", name), "variant %q: want a name of small letters and a set list", name)
		}
	}
	return nil
}
