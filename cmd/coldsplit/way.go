package main

import (
	"net"
	"net/netip"
	"strings"

	"github.com/coldsplit/coldsplit/pkg/probe"
	"github.com/coldsplit/coldsplit/pkg/resolver"
	"github.com/coldsplit/coldsplit/pkg/tunnel"
)

// parseProtocols reads --http values; none means auto.
func parseProtocols(values []string) ([]probe.Protocol, error) {
	var out []probe.Protocol
	for _, v := range orNone(values) {
		switch v {
		case "", "auto":
			out = append(out, probe.Auto)
		case "1.1", "http/1.1", "h1":
			out = append(out, probe.HTTP11)
		case "2", "h2":
			out = append(out, probe.HTTP2)
		case "3", "h3":
			out = append(out, probe.HTTP3)
		default:
			return nil, usagef("--http takes auto, 1.1, 2 or 3, got %q", v)
		}
	}
	return out, nil
}

func parseStates(values []string) ([]probe.State, error) {
	var out []probe.State
	for _, v := range orNone(values) {
		switch s := probe.State(v); s {
		case "":
			out = append(out, probe.Cold)
		case probe.Cold, probe.Warm, probe.Resumed, probe.Early:
			out = append(out, s)
		default:
			return nil, usagef("--state takes cold, warm, resumed or early, got %q", v)
		}
	}
	return out, nil
}

const resolveForm = "expected HOST:PORT:ADDR[,ADDR], like example.com:443:203.0.113.9"

// parseResolve reads --resolve values; IPv6 addresses may be bracketed.
func parseResolve(values []string) (map[string][]netip.Addr, error) {
	if len(values) == 0 {
		return nil, nil
	}
	pins := make(map[string][]netip.Addr)
	for _, v := range values {
		parts := strings.SplitN(v, ":", 3)
		if len(parts) != 3 || parts[0] == "" || checkPort(parts[1]) != nil {
			return nil, usagef("--resolve: %s, got %q", resolveForm, v)
		}
		key := net.JoinHostPort(parts[0], parts[1])
		for a := range strings.SplitSeq(parts[2], ",") {
			addr, err := netip.ParseAddr(strings.Trim(a, "[]"))
			if err != nil {
				return nil, usagef("--resolve: %s, got %q", resolveForm, v)
			}
			pins[key] = append(pins[key], addr)
		}
	}
	return pins, nil
}

const connectToForm = "expected HOST1:PORT1:HOST2:PORT2, each may be empty"

// parseConnectTo reads --connect-to values; IPv6 addresses are bracketed.
func parseConnectTo(values []string) (map[string]string, error) {
	if len(values) == 0 {
		return nil, nil
	}
	to := make(map[string]string)
	for _, v := range values {
		f := splitOutsideBrackets(v)
		if len(f) != 4 || checkPort(f[1]) != nil || checkPort(f[3]) != nil {
			return nil, usagef("--connect-to: %s, got %q", connectToForm, v)
		}
		to[f[0]+":"+f[1]] = f[2] + ":" + f[3]
	}
	return to, nil
}

func splitOutsideBrackets(s string) []string {
	depth, parts, start := 0, []string{}, 0
	for i, c := range s {
		switch {
		case c == '[':
			depth++
		case c == ']':
			depth--
		case c == ':' && depth == 0:
			parts, start = append(parts, s[start:i]), i+1
		}
	}
	return append(parts, s[start:])
}

// setProxyAndResolver fills the proxy and the resolver, each checked in its form.
func (b *armBuilder) setProxyAndResolver(r *routeFlags, t *probe.Target) error {
	var err error
	switch r.proxy {
	case "":
	case "env":
		if t.Proxy, err = tunnel.ProxyFromEnvironment(t.URL, b.getenv); err != nil {
			return usagef("--proxy env: %v", err)
		}
	default:
		if t.Proxy, err = tunnel.ParseProxy(r.proxy); err != nil {
			return usagef("--proxy: %v", err)
		}
	}
	if r.resolver == "" {
		return nil
	}
	if t.Resolver, err = resolver.ParseSpec(r.resolver); err != nil {
		return usagef("--resolver: %v", err)
	}
	t.Resolver.AskHTTPS = t.URL.Scheme == "https" && !t.Resolver.IsSystem()
	return nil
}
