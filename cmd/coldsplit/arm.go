package main

import (
	"net/http"
	"strings"
	"time"

	"github.com/coldsplit/coldsplit/pkg/probe"
	"github.com/coldsplit/coldsplit/pkg/record"
)

// arm is one route of a run: what probe needs to send a request, and what the file says of it.
type arm struct {
	target *probe.Target
	route  record.Route
	given  string   // the name a configuration gives it, "" for none
	notes  []string // what held for all of it: an environment's proxy that was used, or was not
}

// armBuilder turns flags into arms. It reads files the flags name and sends nothing.
type armBuilder struct {
	in     *inputs
	getenv func(string) string
}

// build makes one arm per protocol, way and state asked for.
func (b *armBuilder) build(r *routeFlags, rawURL string) ([]arm, error) {
	base, err := b.base(r, rawURL)
	if err != nil {
		return nil, err
	}
	protocols, err := parseProtocols(r.http)
	if err != nil {
		return nil, err
	}
	states, err := parseStates(r.states)
	if err != nil {
		return nil, err
	}
	var arms []arm
	for _, via := range orNone(r.via) {
		for _, protocol := range protocols {
			for _, state := range states {
				t := *base
				t.Via, t.Protocol, t.State = via, protocol, state
				if err := t.Check(); err != nil {
					return nil, usagef("%s: %v", rawURL, err)
				}
				arms = append(arms, arm{target: &t, route: routeOf(&t, r), notes: b.proxyNotes(r, &t)})
			}
		}
	}
	return arms, nil
}

// base is the target without the three things an arm may vary: way, protocol, state.
func (b *armBuilder) base(r *routeFlags, rawURL string) (*probe.Target, error) {
	u, err := parseTargetURL(rawURL)
	if err != nil {
		return nil, err
	}
	t := &probe.Target{
		URL: u, Insecure: r.insecure, ServerName: r.sni, Compressed: r.compressed,
		MaxTime: time.Duration(r.maxTime), ConnectTimeout: time.Duration(r.connectTime),
		MaxBody: r.maxBody, UserAgent: userAgent,
	}
	for _, set := range []func(*routeFlags, *probe.Target) error{
		b.setRequest, b.setWay, b.setTrust, b.setJudgement, b.setStream,
	} {
		if err := set(r, t); err != nil {
			return nil, err
		}
	}
	return t, nil
}

// setRequest fills method, header and content.
func (b *armBuilder) setRequest(r *routeFlags, t *probe.Target) error {
	header, host, err := r.header(b.in)
	if err != nil {
		return err
	}
	body, mediaType, err := r.content(b.in)
	if err != nil {
		return err
	}
	if mediaType != "" && header.Get("Content-Type") == "" {
		header.Set("Content-Type", mediaType)
	}
	if mediaType == jsonType && header.Get("Accept") == "" {
		header.Set("Accept", jsonType)
	}
	t.Header, t.Host, t.Body = header, host, body
	t.Method, err = r.chosenMethod()
	return err
}

// chosenMethod is -X, else what the other flags imply.
func (r *routeFlags) chosenMethod() (string, error) {
	switch {
	case r.head && r.hasContent():
		return "", usagef("--head and --data exclude each other")
	case r.method != "":
		if !isToken(r.method) {
			return "", usagef("--request: %q is no method", r.method)
		}
		if r.method == http.MethodConnect {
			return "", usagef("--request CONNECT asks for a tunnel and gets no answer to measure; --proxy measures through one")
		}
		return r.method, nil
	case r.head:
		return http.MethodHead, nil
	case r.hasContent():
		return http.MethodPost, nil
	}
	return http.MethodGet, nil
}

// isToken is RFC 9110 section 5.6.2.
func isToken(s string) bool {
	return s != "" && strings.Trim(s, "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") == ""
}

// setWay fills everything between here and the address that is dialled.
func (b *armBuilder) setWay(r *routeFlags, t *probe.Target) error {
	if r.ipv4 && r.ipv6 {
		return usagef("-4 and -6 exclude each other")
	}
	if r.ipv4 {
		t.Family = 4
	}
	if r.ipv6 {
		t.Family = 6
	}
	for _, via := range r.via {
		if _, _, err := parseVia("via", via); err != nil {
			return err
		}
	}
	if r.sni != "" && !plausibleHost(r.sni) {
		return usagef("--sni: expected the NAME of a server, like edge.example.net, got %q", r.sni)
	}
	var err error
	if t.Resolve, err = parseResolve(r.resolve); err != nil {
		return err
	}
	if t.ConnectTo, err = parseConnectTo(r.connectTo); err != nil {
		return err
	}
	return b.setProxyAndResolver(r, t)
}

func orNone(list []string) []string {
	if len(list) == 0 {
		return []string{""}
	}
	return list
}

// routeOf is what the run file says of an arm; its name comes later, from what tells arms apart.
func routeOf(t *probe.Target, r *routeFlags) record.Route {
	route := record.Route{
		URL: record.SafeURL(t.URL.String()), Method: t.Method, Protocol: string(t.Protocol), Via: t.Via,
		State: string(t.State), Family: t.Family, Resolver: record.SafeURL(r.resolver),
	}
	if t.Proxy != nil {
		route.Proxy = record.SafeURL(t.Proxy.String())
	}
	return route
}
