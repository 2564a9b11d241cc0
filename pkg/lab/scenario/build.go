package scenario

import (
	"context"
	"fmt"
	"hash/fnv"
	"strings"
	"sync"
	"time"

	"github.com/coldsplit/coldsplit/pkg/lab"
	"github.com/coldsplit/coldsplit/pkg/lab/actor"
)

// build makes the network, one deployment for every set of settings, and the arms.
func (w *World) build() error {
	for _, step := range []func() error{w.makeNetwork, w.makeWorlds, w.makeArms, w.startAll, w.warm} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// defaultResolver is the round trip to a resolver of the client's own provider.
const defaultResolver = 4 * time.Millisecond

func (w *World) makeNetwork() error {
	var err error
	if w.internet, err = lab.New(lab.Config{Seed: w.seed}); err != nil {
		return err
	}
	w.closers = append(w.closers, w.internet)
	if w.ca, err = lab.NewCA("coldsplit lab root"); err != nil {
		return err
	}
	spec := w.doc.spec
	if w.client, err = w.internet.AddHost(clientName, lab.HostOptions{Place: spec.Client.City}); err != nil {
		return err
	}
	resolver, err := w.internet.AddHost("resolver", lab.HostOptions{Place: spec.Client.City})
	if err != nil {
		return err
	}
	rtt := spec.Client.Resolver
	if rtt == 0 {
		rtt = defaultResolver
	}
	w.internet.Connect(w.client, resolver, lab.PathRTT(rtt))
	w.client.SetResolver(resolver.AddrPort(53))
	if w.dns, err = lab.ServeDNS(resolver); err != nil {
		return err
	}
	w.closers = append(w.closers, w.dns)
	return nil
}

// deployment is the document's services once, under one set of settings.
type deployment struct {
	w     *World
	name  string
	spec  *spec
	hosts map[string]*lab.Host // by service, and by service and doorSuffix
	front map[string][]string  // host names served by each service clients ask
	peers []*actor.Peer        // to be warmed
	warm  map[*actor.Peer]int
}

// makeWorlds makes a deployment for every route that has settings of its own, and
// one for all that have none.
func (w *World) makeWorlds() error {
	for _, name := range w.routeNames() {
		r := w.route(name)
		key := w.worldOf(name)
		if w.worlds[key] != nil {
			continue
		}
		doc, err := w.doc.With(w.route(key).Set...)
		if err != nil {
			return fmt.Errorf("route %q: %w", name, err)
		}
		if w.worlds[key], err = w.deploy(key, doc.spec); err != nil {
			return fmt.Errorf("route %q of %q: %w", name, r.Of, err)
		}
	}
	return nil
}

// onlyRoute is what a document without routes has.
const onlyRoute = "now"

func (w *World) routeNames() []string {
	if len(w.doc.spec.routes) == 0 {
		return []string{onlyRoute}
	}
	return w.doc.spec.routes
}

func (w *World) route(name string) *routeSpec {
	if r := w.doc.spec.Routes[name]; r != nil {
		return r
	}
	return &routeSpec{}
}

// worldOf is the route whose settings make the world another is asked in: itself,
// the one it names, or the first without settings for all of those.
func (w *World) worldOf(name string) string {
	r := w.route(name)
	if r.Of != "" {
		return r.Of
	}
	if len(r.Set) > 0 {
		return name
	}
	for _, other := range w.routeNames() {
		if o := w.route(other); len(o.Set) == 0 && o.Of == "" {
			return other
		}
	}
	return name
}

func (w *World) deploy(name string, s *spec) (*deployment, error) {
	d := &deployment{w: w, name: name, spec: s, hosts: map[string]*lab.Host{},
		front: map[string][]string{}, warm: map[*actor.Peer]int{}}
	for _, service := range s.services {
		if err := d.addHosts(service, s.Services[service]); err != nil {
			return nil, err
		}
	}
	d.connect()
	return d, nil
}

func (d *deployment) addHosts(name string, s *serviceSpec) error {
	if err := d.addHost(name, s.City, s); err != nil {
		return err
	}
	if s.Accepts == "" || samePlace(s.Accepts, s.City) {
		return nil
	}
	return d.addHost(name+doorSuffix, s.Accepts, s)
}

func (d *deployment) addHost(name, city string, s *serviceSpec) error {
	opts := lab.HostOptions{Place: city, IPv4Only: s.Front != nil && s.Front.IPv4Only}
	h, err := d.w.internet.AddHost(d.name+"/"+name, opts)
	d.hosts[name] = h
	return err
}

// connect sets the way between any two of the hosts and the client.
func (d *deployment) connect() {
	names := []string{clientName}
	hosts := []*lab.Host{d.w.client}
	for name, h := range d.hosts {
		names, hosts = append(names, name), append(hosts, h)
	}
	for i := range hosts {
		for j := range i {
			p := d.spec.path(names[i], names[j], d.seed(names[i]+names[j]))
			d.w.internet.Connect(hosts[i], hosts[j], p)
		}
	}
}

// seed keeps every distribution's stream apart from the others.
func (d *deployment) seed(purpose string) uint64 {
	h := fnv.New64a()
	fmt.Fprintf(h, "%d %s %s", d.w.seed, d.name, purpose)
	return h.Sum64()
}

// doorOf returns the host that ends a client's connection to a service.
func (d *deployment) doorOf(service string) *lab.Host {
	if h := d.hosts[service+doorSuffix]; h != nil {
		return h
	}
	return d.hosts[service]
}

// startAll starts every service of every world.
func (w *World) startAll() error {
	for _, key := range w.routeNames() {
		d := w.worlds[key]
		if d == nil {
			continue
		}
		for _, name := range d.spec.services {
			if err := d.start(name, d.spec.Services[name]); err != nil {
				return fmt.Errorf("start %q: %w", name, err)
			}
		}
	}
	return nil
}

// warmLimit bounds how long opening a world may wait for its pools.
const warmLimit = 30 * time.Second

// warm fills the pools between the servers, all side by side.
func (w *World) warm() error {
	ctx, cancel := context.WithTimeout(context.Background(), warmLimit)
	defer cancel()
	var wg sync.WaitGroup
	var mu sync.Mutex // guards first
	var first error
	for _, d := range w.worlds {
		for _, p := range d.peers {
			wg.Go(func() {
				if err := p.Warm(ctx, d.warm[p]); err != nil {
					mu.Lock()
					first = err
					mu.Unlock()
				}
			})
		}
	}
	wg.Wait()
	return first
}

// hostName is the name a route is reached under.
func (w *World) hostName(route string) string {
	if h := w.route(route).Host; h != "" {
		return h
	}
	return route + ".example"
}

// viaName is the name of one service of a world, for routes that go there instead.
func viaName(service, world string) string {
	return strings.Join([]string{service, world, "example"}, ".")
}
