package report

import (
	"fmt"
	"slices"

	"github.com/coldsplit/coldsplit/pkg/load"
)

// mostHosts is how many hosts of a mixture a sentence names.
const mostHosts = 2

// rampHosts are the hosts the load went to, in the order of the routes.
func rampHosts(r *load.Ramp) []string {
	var hosts []string
	for _, route := range r.Run.Routes {
		host := Clip(hostOfURL(route.URL), clipName)
		if route.Role != "health" && !slices.Contains(hosts, host) {
			hosts = append(hosts, host)
		}
	}
	return hosts
}

// subjectOf is who a sentence is about: "llm.example.net", "a.example and b.example", "3 hosts".
func subjectOf(hosts []string) string {
	if len(hosts) > mostHosts {
		return fmt.Sprintf("%d hosts", len(hosts))
	}
	return AndList(hosts)
}

// they is "they" for a ramp over several hosts.
func (v *rampView) they() string {
	if len(v.hosts) > 1 {
		return "they"
	}
	return "it"
}

// were is "were" for a ramp over several hosts.
func (v *rampView) were() string {
	if len(v.hosts) > 1 {
		return "were"
	}
	return "was"
}

// failedHosts are the hosts at which failures happened, nil when the ramp went to one alone.
func (v *rampView) failedHosts(failures ...load.Failure) []string {
	if len(v.hosts) < 2 {
		return nil
	}
	var hosts []string
	for _, route := range v.r.Run.Routes {
		host := Clip(hostOfURL(route.URL), clipName)
		at := slices.ContainsFunc(failures, func(f load.Failure) bool { return slices.Contains(f.Routes, route.Name) })
		if at && !slices.Contains(hosts, host) {
			hosts = append(hosts, host)
		}
	}
	return hosts
}

// failedAt is ", all at cut.example" when a ramp over several hosts failed at some of them alone.
func (v *rampView) failedAt() string {
	at := v.failedHosts(v.r.All.Failures...)
	if len(at) == 0 || len(at) == len(v.hosts) || len(at) > mostHosts {
		return ""
	}
	return ", all at " + AndList(at)
}
