package record

import (
	"net/netip"
	"net/url"
	"strconv"
	"strings"
)

// Redactor replaces addresses, host names and cities by aliases - addr-1, host-1, city-1 - numbered
// as they come up, so that one output keeps telling two hosts apart without naming them. It learns
// names from the structured fields of runs and exchanges and replaces them there and wherever they
// stand in texts: notes, errors, header values, route names. In a text, an address is recognised by
// its form, a host name when it is known or shares its last two labels with one that is, a city when
// it is known. Loopback addresses stay; they name nobody.
//
// It is for what leaves the machine. A redacted run cannot be measured again or located: its plan,
// coordinates and certificate hashes are gone. The zero Redactor is ready; one Redactor serves one
// output and is not safe for concurrent use.
type Redactor struct {
	hosts, addrs, cities aliases
}

type aliases struct {
	names map[string]string
}

// of returns the alias of key, making one when it is new.
func (a *aliases) of(kind, key string) string {
	if a.names == nil {
		a.names = map[string]string{}
	}
	alias, ok := a.names[key]
	if !ok {
		alias = kind + "-" + strconv.Itoa(len(a.names)+1)
		a.names[key] = alias
	}
	return alias
}

// City learns a place - a name, a site code, the words after --from - and returns its alias; "" stays.
func (r *Redactor) City(place string) string {
	place = strings.ToLower(strings.TrimSpace(place))
	if place == "" {
		return ""
	}
	return r.cities.of("city", place)
}

// Host learns a host name, with or without a port, and returns it replaced; an address is replaced
// as one, "" stays.
func (r *Redactor) Host(name string) string {
	r.learnHost(name)
	return r.Text(name)
}

func (r *Redactor) learnHost(name string) {
	name = strings.TrimPrefix(strings.ToLower(strings.TrimSpace(name)), "*.")
	if host, port, ok := strings.Cut(name, ":"); ok && isPort(port) {
		name = host
	}
	name = strings.TrimSuffix(name, ".")
	if name == "" || name == "localhost" || name == "system" || strings.ContainsAny(name, ":/ []") {
		return
	}
	if _, err := netip.ParseAddr(name); err == nil {
		return
	}
	r.hosts.of("host", name)
}

func (r *Redactor) learnURL(raw string) {
	if u, err := url.Parse(raw); err == nil && u.Host != "" {
		r.learnHost(u.Hostname())
		return
	}
	r.learnHost(raw)
}

// Run returns a redacted copy of run.
func (r *Redactor) Run(run *Run) Run {
	c := run.Clone()
	for _, route := range c.Routes {
		r.learnURL(route.URL)
		r.learnURL(route.Via)
		r.learnURL(route.Proxy)
		r.learnURL(route.Resolver)
	}
	r.learnURL(c.Resolver)
	c.Plan = nil
	c.Vantage.From = r.City(c.Vantage.From)
	c.Vantage.Lat, c.Vantage.Lon, c.Vantage.Located = 0, 0, false
	c.Resolver = r.Text(c.Resolver)
	for i := range c.Routes {
		route := &c.Routes[i]
		r.texts(&route.Name, &route.URL, &route.Via, &route.Proxy, &route.Resolver)
	}
	r.all(c.Notes)
	return c
}

// Exchange returns a redacted copy of x. Redact the run first: it tells most names.
func (r *Redactor) Exchange(x *Exchange) Exchange {
	c := x.Clone()
	r.learn(&c)
	r.texts(&c.Route, &c.Remote, &c.Instance, &c.Title)
	if c.DNS != nil {
		r.texts(&c.DNS.Name, &c.DNS.Server, &c.DNS.HTTPS)
		r.all(c.DNS.CNAME)
		r.all(c.DNS.Addrs)
	}
	for i := range c.Attempts {
		r.texts(&c.Attempts[i].Addr, &c.Attempts[i].Err)
	}
	r.tls(c.TLS)
	r.tls(c.ProxyTLS)
	if c.Throttle != nil {
		r.texts(&c.Throttle.Reason, &c.Throttle.Limit)
	}
	for _, fields := range []Fields{c.Headers, c.Trailers} {
		for _, name := range fieldNames(fields) {
			r.all(fields[name])
		}
	}
	r.all(c.Notes)
	if c.Error != nil {
		r.texts(&c.Error.Text)
	}
	return c
}

// End returns a redacted copy of end.
func (r *Redactor) End(end *End) End {
	c := end.Clone()
	for i := range c.Arms {
		r.texts(&c.Arms[i].Route, &c.Arms[i].Failure)
	}
	r.all(c.Notes)
	return c
}

func (r *Redactor) learn(x *Exchange) {
	if x.DNS != nil {
		r.learnURL(x.DNS.Server)
		for _, name := range append([]string{x.DNS.Name}, x.DNS.CNAME...) {
			r.learnHost(name)
		}
	}
	for _, t := range []*TLS{x.TLS, x.ProxyTLS} {
		if t == nil {
			continue
		}
		for _, name := range append([]string{t.ServerName, t.Subject}, t.Names...) {
			r.learnHost(name)
		}
	}
}

func (r *Redactor) tls(t *TLS) {
	if t == nil {
		return
	}
	r.texts(&t.Issuer, &t.Subject, &t.ServerName)
	r.all(t.Names)
	t.CertSHA = "" // public logs find the names by it
}

func (r *Redactor) texts(fields ...*string) {
	for _, f := range fields {
		*f = r.Text(*f)
	}
}

func (r *Redactor) all(values []string) {
	for i := range values {
		values[i] = r.Text(values[i])
	}
}
