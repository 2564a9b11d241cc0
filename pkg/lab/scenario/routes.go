package scenario

import (
	"fmt"
	"net/http"

	"github.com/coldsplit/coldsplit/pkg/lab"
)

// makeArms names every route and tells the resolver where it leads.
func (w *World) makeArms() error {
	for _, name := range w.routeNames() {
		if err := w.makeArm(name); err != nil {
			return fmt.Errorf("route %q: %w", name, err)
		}
	}
	return nil
}

func (w *World) makeArm(name string) error {
	r, d := w.route(name), w.worlds[w.worldOf(name)]
	host, target := w.hostName(name), d.target(r)
	arm := Arm{
		Name: name, Role: r.Role, About: r.About, URL: "https://" + host + r.path(),
		Method: r.method(), Header: r.header(), HTTP: r.protocol(), Compressed: r.Compressed,
	}
	if r.Body != "" {
		arm.Body = []byte(r.Body)
	}
	dnsName := host
	if r.Via {
		arm.Via = viaName(target, d.name)
		dnsName = arm.Via
	}
	d.front[target] = append(d.front[target], host, dnsName)
	w.arms = append(w.arms, arm)
	return d.publish(dnsName, target)
}

// target is the service a route asks.
func (d *deployment) target(r *routeSpec) string {
	if r.To != "" {
		return r.To
	}
	return d.spec.services[0]
}

// publish tells the resolver a front door's addresses.
func (d *deployment) publish(name, service string) error {
	f := d.spec.Services[service].front()
	answer := lab.Answer{TTL: f.TTL}
	if f.ServFails {
		answer.Rcode = "SERVFAIL"
	}
	door := d.doorOf(service)
	if err := d.w.dns.SetHost(name, door, answer); err != nil {
		return err
	}
	if f.SlowAAAA == 0 && !f.LostAAAA {
		return nil
	}
	answer.Delay, answer.Drop = f.SlowAAAA, f.LostAAAA
	if addr, ok := door.Addr(6); ok {
		answer.Records = []string{addr.String()}
	}
	return d.w.dns.Set(name, "AAAA", answer)
}

func (s *serviceSpec) front() frontSpec {
	if s.Front == nil {
		return frontSpec{}
	}
	return *s.Front
}

func (w *World) hostOfArm(i int) string { return w.hostName(w.arms[i].Name) }

func (r *routeSpec) path() string {
	if r.Path == "" {
		return "/"
	}
	return r.Path
}

func (r *routeSpec) method() string {
	switch {
	case r.Method != "":
		return r.Method
	case r.Body != "":
		return http.MethodPost
	}
	return http.MethodGet
}

func (r *routeSpec) protocol() string {
	if r.HTTP == "" {
		return "auto"
	}
	return r.HTTP
}

func (r *routeSpec) header() http.Header {
	h := http.Header{}
	for name, value := range r.Header {
		h.Set(name, value)
	}
	return h
}
