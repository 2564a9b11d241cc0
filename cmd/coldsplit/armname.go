package main

import (
	"net"
	"slices"
	"strconv"
	"strings"

	"github.com/coldsplit/coldsplit/pkg/record"
)

// nameArms gives every arm a name unique in the run, from what tells the arms apart: host, way,
// protocol, state, path. A single arm is named by its host.
func nameArms(arms []arm) {
	names := make([]string, len(arms))
	for _, part := range []func(arm) string{armHost, armVia, armProtocol, armState, armFamily, armPath} {
		if !varies(arms, part) {
			continue
		}
		for i, a := range arms {
			names[i] = joinName(names[i], part(a))
		}
	}
	for i := range arms {
		if names[i] == "" {
			names[i] = armHost(arms[i])
		}
		arms[i].name(uniqueName(names[:i], names[i]))
		names[i] = arms[i].route.Name
	}
}

func (a *arm) name(name string) { a.route.Name, a.target.Route = name, name }

func varies(arms []arm, part func(arm) string) bool {
	for _, a := range arms {
		if part(a) != part(arms[0]) {
			return true
		}
	}
	return false
}

func joinName(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "/" + b
}

func uniqueName(taken []string, name string) string {
	unique := name
	for i := 2; slices.Contains(taken, unique); i++ {
		unique = name + "-" + strconv.Itoa(i)
	}
	return unique
}

func armHost(a arm) string     { return a.target.URL.Host }
func armProtocol(a arm) string { return string(a.target.Protocol) }
func armState(a arm) string    { return string(a.target.State) }
func armPath(a arm) string     { return strings.TrimPrefix(record.SafeURL(a.target.URL.Path), "/") }
func armVia(a arm) string      { return a.target.Via }

func armFamily(a arm) string {
	switch a.target.Family {
	case 4:
		return "ipv4"
	case 6:
		return "ipv6"
	}
	return ""
}

// shortHosts shortens host names to their first label where that still tells them apart:
// blue.example.com and green.example.com become blue and green.
func shortHosts(hosts []string) []string {
	short := make([]string, len(hosts))
	seen := map[string]bool{}
	for i, h := range hosts {
		short[i] = firstLabel(h)
		if seen[short[i]] {
			return hosts
		}
		seen[short[i]] = true
	}
	return short
}

func firstLabel(host string) string {
	name, port, err := net.SplitHostPort(host)
	if err != nil {
		name, port = host, ""
	}
	if net.ParseIP(strings.Trim(name, "[]")) != nil || port != "" {
		return host
	}
	label, _, _ := strings.Cut(name, ".")
	return label
}
