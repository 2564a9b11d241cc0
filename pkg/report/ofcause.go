package report

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"time"

	"github.com/coldsplit/coldsplit/pkg/diagnosis"
	"github.com/coldsplit/coldsplit/pkg/reading"
	"github.com/coldsplit/coldsplit/pkg/segment"
)

// explain adds to a probe why arms brought nothing, what was not sent because of it, and what to do.
func explain(p *Probe, set *reading.Set) {
	arms := shownArms(set)
	for i, a := range arms {
		if t := troubleFrom(diagnosis.Of(set, a)); t != nil {
			p.Arms[i].Trouble = t
		}
		if ex := a.Example(); ex != nil && ex.DNS != nil && ex.DNS.HTTPS != "" {
			p.Arms[i].Notes = appendNew(p.Arms[i].Notes, "its HTTPS record offers "+ex.DNS.HTTPS+"; told, not followed")
		}
		if issuer, yes := diagnosis.Inspected(set, a); yes {
			p.Warnings = appendNew(p.Warnings, Inspected(p.Arms[i].Host, issuer))
		}
	}
	if sent := onlyLooked(set, arms); sent != "" {
		p.Run.Sent, p.Run.Stopped = sent, nil
	}
	p.Run.AddressFrom, p.Run.Proxy = addressFrom(arms), proxyOf(arms)
	for _, a := range p.Arms {
		for _, h := range hintsFor(a, len(p.Arms) == 1) {
			p.Hints = appendNew(p.Hints, h)
		}
	}
}

// shownArms are the arms a report has; health checks are none.
func shownArms(set *reading.Set) []*reading.Arm {
	var out []*reading.Arm
	for _, a := range set.Arms {
		if a.Route.Role != "health" {
			out = append(out, a)
		}
	}
	return out
}

func appendNew(list []string, s string) []string {
	if slices.Contains(list, s) {
		return list
	}
	return append(list, s)
}

// troubleFrom is a cause as a report tells it, nil for none.
func troubleFrom(cause diagnosis.Cause) Trouble {
	switch c := cause.(type) {
	case diagnosis.NoAnswer:
		return NoAnswer(c)
	case diagnosis.Refused:
		return Refused(c)
	case diagnosis.Blocked:
		return Blocked(c)
	case diagnosis.WrongCertificate:
		return WrongCertificate(c)
	case diagnosis.Impostor:
		return Impostor(c)
	case diagnosis.NoAddress:
		return NoAddress(c)
	case diagnosis.NoResolver:
		return NoResolver(c)
	case diagnosis.NoRoute:
		return NoRoute(c)
	case diagnosis.NoQUIC:
		return NoQUIC(c)
	}
	return nil
}

// onlyLooked says what was sent when the first look was enough to give every arm up, "" otherwise.
func onlyLooked(set *reading.Set, arms []*reading.Arm) string {
	requests := 0
	for _, a := range arms {
		if a.Ending.Stop != "fatal" || a.N() > 0 {
			return ""
		}
		requests += a.Counts.Done() + a.Counts.Priming
	}
	if requests == 0 {
		return ""
	}
	sent := Plural(requests, "request", "requests")
	if _, looked := diagnosis.LookupOf(set.End); looked {
		sent += " and 1 look-up of a reserved name"
	}
	return sent
}

// addressFrom names the option that gave the address of every arm, "" when one was looked up, needed
// no look-up, or was the proxy's to find.
func addressFrom(arms []*reading.Arm) string {
	from := ""
	for i, a := range arms {
		this := addressOption(a)
		if i > 0 && this != from {
			return ""
		}
		from = this
	}
	return from
}

// proxyOf is the proxy all arms went through, "" when there is no such one.
func proxyOf(arms []*reading.Arm) string {
	for _, a := range arms {
		if a.Route.Proxy != arms[0].Route.Proxy {
			return ""
		}
	}
	if len(arms) == 0 {
		return ""
	}
	return arms[0].Route.Proxy
}

func addressOption(a *reading.Arm) string {
	ex := a.Example()
	if ex == nil && len(a.Failures) > 0 {
		ex = &a.Failures[0].Example
	}
	switch {
	case ex == nil || ex.DNS != nil || a.Route.Proxy != "":
		return ""
	case a.Route.Via != "":
		return "--via"
	case isLiteral(hostOfURL(a.Route.URL)):
		return ""
	}
	return "--resolve"
}

func isLiteral(host string) bool {
	if _, err := netip.ParseAddrPort(host); err == nil {
		return true
	}
	_, err := netip.ParseAddr(strings.Trim(host, "[]"))
	return err == nil
}

// hintsFor is what to do about an arm's trouble, most useful first.
func hintsFor(a Arm, alone bool) []string {
	switch t := a.Trouble.(type) {
	case NoAnswer:
		return []string{silenceHint(t)}
	case Blocked:
		return []string{
			"allow this agent from your address, or send what visitors send, with -A",
			fmt.Sprintf("if %d is the very answer you want to time: --ok %d", t.Status, t.Status),
		}
	case WrongCertificate:
		if a.Via != "" && !t.NameFits {
			return []string{fmt.Sprintf("add %s at the CDN first; -k measures anyway, marked on top", t.Name)}
		}
		return []string{"-k measures anyway, marked on top"}
	case Impostor:
		return []string{"log in to the network, or try --resolver " + otherResolver}
	case NoAddress:
		return []string{nameHint(t)}
	case NoResolver:
		return []string{"--resolver asks another resolver, --resolve gives the address"}
	case NoRoute:
		return []string{fmt.Sprintf("-%d uses the other family only", 10-t.Family)}
	case NoQUIC:
		return []string{"--http 2 measures the same host over TCP"}
	}
	if alone && a.N() > 0 {
		return paceHint(a.Throttling)
	}
	return nil
}

func silenceHint(t NoAnswer) string {
	if t.Segment == segment.TLS {
		return "the port may not speak TLS, or something on the way drops the handshake by its server name"
	}
	return "a filter usually stays silent like this; a host without the service resets"
}

func nameHint(t NoAddress) string {
	switch {
	case t.Family != 0:
		return fmt.Sprintf("-%d uses the other family only", 10-t.Family)
	case t.Part == diagnosis.TheProxy:
		return "--proxy takes an address as well"
	case t.Part == diagnosis.TheVia:
		return "--via takes an address as well"
	}
	return "--resolver asks another resolver, --via gives the address"
}

// otherResolver is a resolver outside of the network at hand, over TLS, so that nobody on the way can
// answer in its place.
const otherResolver = "tls://9.9.9.9"

// paceHint is the interval under which nothing would have been throttled, as far as the requests
// between two refusals tell: those fitted into the time the service asked to wait.
func paceHint(t *Throttling) []string {
	if t == nil || !t.HasRetryAfter || t.RetryAfter <= 0 || len(t.Seqs) < 2 {
		return nil
	}
	fit := 0
	for i := 1; i < len(t.Seqs); i++ {
		if n := t.Seqs[i] - t.Seqs[i-1] - 1; i == 1 || n < fit {
			fit = n
		}
	}
	if fit < 1 {
		return nil
	}
	each := t.RetryAfter / time.Duration(fit)
	step := 100 * time.Millisecond
	if each >= time.Second {
		step = time.Second
	}
	each = (each + step - 1).Truncate(step)
	return []string{fmt.Sprintf("%s to fit into %s here: --interval %s",
		Plural(fit, "request seems", "requests seem"), InWords(t.RetryAfter), each)}
}
