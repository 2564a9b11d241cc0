package scenario

import (
	"fmt"
	"net/http"

	"github.com/coldsplit/coldsplit/pkg/lab"
	"github.com/coldsplit/coldsplit/pkg/lab/actor"
)

// start makes a service's actor and its server, and its door where it has one.
func (d *deployment) start(name string, s *serviceSpec) error {
	handler, err := d.handler(name, s)
	if err != nil {
		return err
	}
	opts, err := d.serverOptions(name, s)
	if err != nil {
		return err
	}
	door := d.hosts[name+doorSuffix]
	if door == nil {
		return d.serve(d.hosts[name], handler, opts)
	}
	if err := d.serve(d.hosts[name], handler, actor.ServerOptions{}); err != nil {
		return err
	}
	front := &actor.Door{To: d.peer(door, name, s, actor.PeerOptions{}), Signs: d.signs(s)}
	return d.serve(door, front.Handler(), opts)
}

func (d *deployment) serve(h *lab.Host, handler http.Handler, opts actor.ServerOptions) error {
	server, err := actor.Serve(h, handler, opts)
	if err != nil {
		return err
	}
	d.w.closers = append(d.w.closers, server)
	return nil
}

// serverOptions gives a certificate to whatever a client or a CDN asks over TLS.
func (d *deployment) serverOptions(name string, s *serviceSpec) (actor.ServerOptions, error) {
	opts := actor.ServerOptions{Idle: s.Idle}
	names := append([]string{d.internalName(name)}, d.front[name]...)
	if len(d.front[name]) == 0 && !d.behindCDN(name) {
		return opts, nil
	}
	f := s.front()
	cert, err := d.w.ca.Issue(lab.CertOptions{Names: names, Key: lab.ECDSAP256, ChainBytes: f.Chain})
	if err != nil {
		return opts, err
	}
	opts.Cert, opts.H3, opts.Retry = &cert, f.H3 == nil || *f.H3, f.Retry
	return opts, nil
}

// internalName is what servers call each other by in certificates.
func (d *deployment) internalName(service string) string { return service + ".internal" }

func (d *deployment) behindCDN(name string) bool {
	for _, s := range d.spec.Services {
		if s.CDN != nil && s.CDN.Origin == name {
			return true
		}
	}
	return false
}

// defaultWarm is how many connections a pool is given before the first request.
const defaultWarm = 4

// peer returns the way from a host to a service, and has it warmed.
func (d *deployment) peer(from *lab.Host, to string, caller *serviceSpec, opts actor.PeerOptions) *actor.Peer {
	p := actor.NewPeer(from, d.hosts[to], opts)
	d.w.closers = append(d.w.closers, p)
	warm := defaultWarm
	if caller.Warm != nil {
		warm = *caller.Warm
	}
	if warm > 0 {
		d.peers = append(d.peers, p)
		d.warm[p] = warm
	}
	return p
}

// signs are the headers by which an edge tells where it stands.
func (d *deployment) signs(s *serviceSpec) *actor.Signs {
	accepted := s.Accepts
	if accepted == "" {
		accepted = s.City
	}
	return &actor.Signs{Dialect: actor.Dialect(s.Provider), Accepted: code(accepted), Compute: code(s.City)}
}

func (d *deployment) takes(name string, s *serviceSpec) actor.Latency {
	l := s.Takes.latency(d.seed(name + " takes"))
	if s.Tide == nil {
		return l
	}
	if l == nil {
		l = actor.Fixed(0)
	}
	return actor.Tide{Latency: l, Start: d.w.started, Day: s.Tide.Day, Swing: s.Tide.Swing}
}

// handler makes the actor a service's block asks for.
func (d *deployment) handler(name string, s *serviceSpec) (http.Handler, error) {
	switch {
	case s.Switch != nil:
		return d.state(name, s).Handler(), nil
	case s.CDN != nil:
		return d.cdn(name, s).Handler(), nil
	case s.Origin != nil:
		return d.origin(name, s).Handler()
	case s.Gateway != nil:
		return d.gateway(name, s)
	}
	return d.service(name, s).Handler(), nil
}

func (d *deployment) state(name string, s *serviceSpec) *actor.State {
	return &actor.State{
		Generation: s.Switch.Generation, Place: code(s.City),
		Reads:    s.Takes.latency(d.seed(name + " reads")),
		Writes:   s.Switch.Writes.latency(d.seed(name + " writes")),
		Failures: s.Switch.Failures, Rest: s.Switch.Rest,
	}
}

func (d *deployment) cdn(name string, s *serviceSpec) *actor.CDN {
	from := d.hosts[name]
	c := &actor.CDN{
		Origin: d.peer(from, s.CDN.Origin, s, actor.PeerOptions{
			Roots: d.w.ca.Pool(), ServerName: d.internalName(s.CDN.Origin), Idle: s.CDN.Idle,
		}),
		Key: []byte(s.CDN.Key), Brotli: s.CDN.Brotli, Signs: d.signs(s),
	}
	c.Signs.Compute = ""
	if s.CDN.Cache {
		c.Store = actor.NewStore()
	}
	if s.CDN.StripHost {
		c.OriginHost = d.internalName(s.CDN.Origin)
	}
	return c
}

func (d *deployment) origin(name string, s *serviceSpec) *actor.Origin {
	o := &actor.Origin{
		Takes: d.takes(name, s), Tenants: map[string][]byte{}, Home: page("home", s.Content),
		Hops: s.Origin.Hops, Key: []byte(s.Origin.Key), EdgeOnly: s.Origin.EdgeOnly,
		Limit: s.Origin.Limit, Window: s.Origin.Window, Cacheable: s.Origin.Cacheable,
	}
	for host, size := range s.Origin.Tenants {
		o.Tenants[host] = page(host, size)
	}
	return o
}

func (d *deployment) service(name string, s *serviceSpec) *actor.Service {
	forward, steps := s.forward()
	out := &actor.Service{
		Takes: d.takes(name, s), EarlyHints: s.Hints,
		Content: page(name, s.Content), ContentType: "application/json",
	}
	if s.edge() {
		out.Signs = d.signs(s)
	}
	for _, step := range steps {
		out.Steps = append(out.Steps, d.step(name, s, step))
	}
	if forward {
		out.Forward = d.forwarder(name, s)
	}
	return out
}

func (d *deployment) step(name string, s *serviceSpec, step stepSpec) actor.Step {
	var out actor.Step
	for i, c := range step {
		call := &actor.Call{To: d.peer(d.hosts[name], c.To, s, actor.PeerOptions{}), Times: c.Times, Share: c.Share}
		call.Stagger(d.seed(fmt.Sprint(name, c.To, i)))
		out = append(out, call)
	}
	return out
}

func (d *deployment) forwarder(name string, s *serviceSpec) actor.Forwarder {
	from := d.hosts[name]
	to := func(service string) *actor.Peer { return d.peer(from, service, s, actor.PeerOptions{}) }
	if b := s.Breaker; b != nil {
		return &actor.Breaker{State: to(b.State), To: to(b.To), Fallback: to(b.Fallback), Deadline: b.Deadline}
	}
	if len(s.Spread) > 0 {
		relay := &actor.Relay{Turn: actor.NewTurn(make([]int, len(s.Spread))...)}
		for _, service := range s.Spread {
			relay.To = append(relay.To, to(service))
		}
		return relay
	}
	return &actor.Relay{To: []*actor.Peer{to(s.Calls[len(s.Calls)-1][0].To)}}
}
