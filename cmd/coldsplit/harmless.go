package main

import (
	"fmt"
	"os"
	"slices"

	"github.com/coldsplit/coldsplit/pkg/probe"
	"github.com/coldsplit/coldsplit/pkg/tunnel"
)

// announce says how many requests that may change something will be sent, before the first.
func (m *measurement) announce(r *runFlags, s streams) {
	hintTemplates(m.arms, s)
	for _, a := range m.arms {
		if slices.Contains(safeMethods, a.target.Method) {
			continue
		}
		n := r.n * requestsOf(a)
		word := "requests"
		if n == 1 {
			word = "request"
		}
		priming := ""
		if n > r.n {
			priming = fmt.Sprintf(", %d of them priming", n-r.n)
		}
		fmt.Fprintf(s.err, "will send %d %s %s to %s%s\n", n, a.target.Method, word, s.aliased(a.target.URL.Host), priming)
	}
}

// hintTemplates tells of a template in the content that is sent as it stands: it may be somebody else's,
// or a slip of the pen.
func hintTemplates(arms []arm, s streams) {
	for _, a := range arms {
		if word := foreignTemplate(string(a.target.Body)); word != "" {
			fmt.Fprintf(s.err, "hint: %s in the content is sent as it stands; {{seq}} and {{uuid}} are filled in\n", word)
			return
		}
	}
}

// checkLocation keeps -L to what one chain of hops can show.
func (r *runFlags) checkLocation(arms []arm) error {
	switch {
	case !r.location:
		return nil
	case len(arms) != 1:
		return usagef("--location follows one URL over one protocol, way and state: its hops are the arms")
	case arms[0].target.State != probe.Cold:
		return usagef("--location measures cold hops, not state %s: each may be another host", arms[0].target.State)
	}
	return nil
}

// proxyNotes say what became of the environment's proxy settings.
func (b *armBuilder) proxyNotes(r *routeFlags, t *probe.Target) []string {
	if r.proxy != "" && r.proxy != "env" {
		return nil
	}
	found, err := tunnel.ProxyFromEnvironment(t.URL, b.getenv)
	switch {
	case r.proxy == "env" && t.Proxy == nil:
		return []string{"the environment names no proxy for " + t.URL.Host}
	case r.proxy == "env":
		return []string{"proxy " + tunnel.Name(t.Proxy) + ", from the environment"}
	case err == nil && found == nil:
		return nil
	}
	return []string{"environment proxy ignored; --proxy env uses it"}
}

// openKeyLog creates the file of --keylog, readable by its owner alone, and says loudly what it is.
func openKeyLog(name string, s streams) (*os.File, error) {
	if name == "" {
		return nil, nil
	}
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err == nil {
		err = f.Chmod(0o600)
	}
	if err != nil {
		return nil, usagef("--keylog: %v", err)
	}
	fmt.Fprintf(s.err, "WARNING: --keylog writes the TLS secrets of this run to %s: whoever has them can read its traffic\n", name)
	return f, nil
}
