package diagnosis

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/coldsplit/coldsplit/pkg/reading"
	"github.com/coldsplit/coldsplit/pkg/record"
	"github.com/coldsplit/coldsplit/pkg/segment"
)

const ms = time.Millisecond

// failed is an exchange that ended in segment k after took, 12 ms after its start.
func failed(class record.Class, k segment.Key, took time.Duration, text string) record.Exchange {
	var tl segment.Timeline
	before := 12 * ms
	if k == segment.Wait {
		tl.End(segment.TCP, before)
	} else if k != segment.DNS {
		tl.End(segment.DNS, before)
	}
	tl.End(k, tl.At()+took)
	return record.Exchange{
		Route: "a", Outcome: record.Failed, State: "cold", Clock: "user", Segments: tl.Split(), Total: tl.At(),
		DNS:      &record.DNS{Server: "192.0.2.53", Addrs: []string{"203.0.113.9"}},
		Attempts: []record.Attempt{{Addr: "203.0.113.9:443", Err: text}},
		Error:    &record.Error{Class: class, Segment: k, Text: text},
	}
}

// setOf reads exchanges as a run of one route, ended with notes.
func setOf(t *testing.T, notes []string, exchanges ...record.Exchange) (*reading.Set, *reading.Arm) {
	t.Helper()
	run := record.Run{Routes: []record.Route{{Name: "a", URL: "https://api.example.com/v1/ping"}}, Resolver: "system"}
	b := reading.NewBuilder(run, reading.Options{})
	for i := range exchanges {
		exchanges[i].Seq = i
		if err := b.Add(&exchanges[i]); err != nil {
			t.Fatal(err)
		}
	}
	set := b.Finish(record.End{Notes: notes}, true)
	return set, set.Arms[0]
}

func certified(ex record.Exchange, tls record.TLS) record.Exchange {
	ex.TLS, ex.Remote = &tls, "203.0.113.9:443"
	ex.Started = time.Date(2026, 11, 30, 1, 2, 3, 0, time.UTC)
	return ex
}

func TestCauses(t *testing.T) {
	liar := Lookup{Name: "q7zk2.invalid", Resolver: "192.0.2.53", Address: "192.0.2.1"}
	honest := Lookup{Name: "q7zk2.invalid", Resolver: "192.0.2.53", Said: "no such name"}
	badName := certified(failed(record.ClassTLS, segment.TLS, 29*ms, "x509: certificate is valid for *.edge.example.net"),
		record.TLS{Names: []string{"*.edge.example.net"}, ServerName: "api.example.com", Issuer: "Example CA 3",
			NotAfter: time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC)})
	expired := certified(failed(record.ClassTLS, segment.TLS, 29*ms, "x509: certificate has expired"),
		record.TLS{Names: []string{"*.example.com"}, ServerName: "api.example.com", Issuer: "Example CA 3",
			NotAfter: time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)})
	portal := certified(failed(record.ClassTLS, segment.TLS, 29*ms, "x509: certificate is valid for login"),
		record.TLS{Names: []string{"login.portal.example.net"}, ServerName: "api.example.com",
			Issuer: "login.portal.example.net", Subject: "login.portal.example.net"})
	silentQUIC := failed(record.ClassTimeout, segment.QUIC, 10*time.Second, "timeout: no recent network activity")
	heardQUIC := silentQUIC
	heardQUIC.QUIC = &record.QUIC{MinRTT: 20 * ms}
	for _, c := range []struct {
		name  string
		notes []string
		ex    []record.Exchange
		want  Cause
	}{
		{"silence", nil, []record.Exchange{
			failed(record.ClassTimeout, segment.TCP, 10*time.Second, "i/o timeout"),
			failed(record.ClassTimeout, segment.TCP, 10*time.Second, "i/o timeout"),
		}, NoAnswer{Address: "203.0.113.9:443", Segment: segment.TCP, Count: 2, Of: 2, Each: 10 * time.Second}},
		{"refused", nil, []record.Exchange{
			failed(record.ClassReset, segment.TCP, 186*ms, "connection refused"),
			failed(record.ClassReset, segment.TCP, 188*ms, "connection refused"),
			failed(record.ClassReset, segment.TCP, 187*ms, "connection refused"),
		}, Refused{Address: "203.0.113.9:443", Count: 3, Of: 3, After: 187 * ms, Lo: 186 * ms, Hi: 188 * ms}},
		{"no such name", nil, []record.Exchange{failed(record.ClassDNS, segment.DNS, 12*ms, "api.example.com: no such name")},
			NoAddress{Host: "api.example.com", Count: 1, Of: 1, Resolver: "192.0.2.53", Answer: "no such name"}},
		{"a name the resolver could not ask about", nil, []record.Exchange{failed(record.ClassDNS, segment.DNS, 12*ms, "resolve api.example.com (A) at 192.0.2.53: no connection: connection refused")},
			NoResolver{Resolver: "192.0.2.53", Host: "api.example.com", Count: 1, Of: 1, Answer: "no connection"}},
		{"words nobody knows", nil, []record.Exchange{failed(record.ClassDNS, segment.DNS, 12*ms, "oops")}, nil},
		{"silence after TCP", nil, []record.Exchange{failed(record.ClassTimeout, segment.TLS, 10*time.Second, "tls handshake: i/o timeout")},
			NoAnswer{Address: "203.0.113.9:443", Segment: segment.TLS, Count: 1, Of: 1, Each: 10 * time.Second}},
		{"no route", nil, []record.Exchange{failed(record.ClassConnect, segment.TCP, 0, "connect: network is unreachable")},
			NoRoute{Address: "203.0.113.9:443", Family: 4, Count: 1, Of: 1}},
		{"a network that says unreachable after a while", nil,
			[]record.Exchange{failed(record.ClassConnect, segment.TCP, 80*ms, "connect: network is unreachable")}, nil},
		{"no QUIC", nil, []record.Exchange{silentQUIC},
			NoQUIC{Address: "203.0.113.9:443", Count: 1, Of: 1, Each: 10 * time.Second}},
		{"QUIC that was heard", nil, []record.Exchange{heardQUIC}, nil},
		{"another name", nil, []record.Exchange{badName}, WrongCertificate{
			Address: "203.0.113.9:443", Name: "api.example.com", Presented: []string{"*.edge.example.net"},
			Reason: "name does not match", Chain: "issuer Example CA 3", After: 29 * ms}},
		{"expired", nil, []record.Exchange{expired}, WrongCertificate{
			Address: "203.0.113.9:443", Name: "api.example.com", Presented: []string{"*.example.com"}, NameFits: true,
			Reason: "expired on 2026-11-01", Chain: "issuer Example CA 3", After: 29 * ms}},
		{"portal", []string{liar.Note()}, []record.Exchange{portal}, Impostor{
			Host: "api.example.com", Address: "203.0.113.9", Resolver: "192.0.2.53", ProbeName: "q7zk2.invalid",
			ProbeAddr: "192.0.2.1", CertName: "login.portal.example.net", SelfSigned: true}},
		{"a bad certificate behind an honest resolver", []string{honest.Note()}, []record.Exchange{badName}, WrongCertificate{
			Address: "203.0.113.9:443", Name: "api.example.com", Presented: []string{"*.edge.example.net"},
			Reason: "name does not match", Chain: "issuer Example CA 3", After: 29 * ms}},
		{"failures that differ", nil, []record.Exchange{
			failed(record.ClassTimeout, segment.TCP, 10*time.Second, "i/o timeout"),
			failed(record.ClassReset, segment.TCP, 9*ms, "connection refused"),
		}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			set, arm := setOf(t, c.notes, c.ex...)
			if diff := cmp.Diff(c.want, Of(set, arm)); diff != "" {
				t.Errorf("cause (-want +got):\n%s", diff)
			}
		})
	}
}

// TestCauseNamesWhatWasReallyAskedFor: through a proxy or --via it is not the URL's host that has no
// address, or where nobody listens.
func TestCauseNamesWhatWasReallyAskedFor(t *testing.T) {
	unknown := failed(record.ClassDNS, segment.DNS, 12*ms, "resolve proxy.example.net at 192.0.2.53: no such name")
	unknown.DNS.Name = "proxy.example.net"
	refused := failed(record.ClassReset, segment.TCP, 9*ms, "connection refused")
	silent := failed(record.ClassTimeout, segment.TLS, 9*ms, "timeout")
	noFamily := failed(record.ClassDNS, segment.DNS, 12*ms, "resolve api.example.com (AAAA) at 192.0.2.53: no address")
	const url = "https://api.example.com/"
	proxied, via := record.Route{Name: "a", URL: url, Proxy: "http://proxy.example.net:3128"}, record.Route{Name: "a", URL: url, Via: "proxy.example.net"}
	for name, c := range map[string]struct {
		route record.Route
		ex    record.Exchange
		want  Cause
	}{
		"name of the proxy": {proxied, unknown, NoAddress{Host: "proxy.example.net", Count: 1, Of: 1, Resolver: "192.0.2.53", Answer: "no such name", Part: TheProxy}},
		"name of --via":     {via, unknown, NoAddress{Host: "proxy.example.net", Count: 1, Of: 1, Resolver: "192.0.2.53", Answer: "no such name", Part: TheVia}},
		"port of the proxy": {proxied, refused, Refused{Address: "203.0.113.9:443", Count: 1, Of: 1, After: 9 * ms, Lo: 9 * ms, Hi: 9 * ms, Part: TheProxy}},
		"TLS through it":    {proxied, silent, NoAnswer{Address: "api.example.com", Segment: segment.TLS, Count: 1, Of: 1, Each: 9 * ms, Part: ThroughProxy}},
		"one family":        {record.Route{Name: "a", URL: url, Family: 6}, noFamily, NoAddress{Host: "api.example.com", Count: 1, Of: 1, Resolver: "192.0.2.53", Answer: "no address", Family: 6}},
	} {
		t.Run(name, func(t *testing.T) {
			b := reading.NewBuilder(record.Run{Routes: []record.Route{c.route}}, reading.Options{})
			if err := b.Add(&c.ex); err != nil {
				t.Fatal(err)
			}
			set := b.Finish(record.End{}, true)
			if diff := cmp.Diff(c.want, Of(set, set.Arms[0])); diff != "" {
				t.Errorf("cause (-want +got):\n%s", diff)
			}
		})
	}
}

// refusal is a 403 whose wait was wait, over a connection whose round trip is rtt.
func refusal(wait, rtt time.Duration, headers record.Fields) record.Exchange {
	ex := failed(record.ClassStatus, segment.Wait, wait, "403 Forbidden")
	ex.Status, ex.Remote, ex.Headers, ex.Title = 403, "203.0.113.9:443", headers, "Access denied"
	ex.TCP = &record.TCP{MinRTT: rtt}
	ex.Bytes.Decoded = 4512
	ex.Notes = []string{AgentNote("coldsplit/0.1.0")}
	return ex
}

func TestRefusalAtTheEdgeNeedsItsEvidence(t *testing.T) {
	html := []string{"text/html; charset=utf-8"}
	for _, c := range []struct {
		name string
		ex   record.Exchange
		want bool
	}{
		{"one round trip and a telling header", refusal(9*ms, 8*ms, record.Fields{"content-type": html, "cf-mitigated": {"challenge"}}), true},
		{"one round trip", refusal(9*ms, 8*ms, record.Fields{"content-type": html}), true},
		{"long enough for a service", refusal(40*ms, 8*ms, record.Fields{"content-type": html}), false},
		{"an upstream time was told", refusal(9*ms, 8*ms, record.Fields{"x-envoy-upstream-service-time": {"1"}}), false},
		{"a service of this network", func() record.Exchange {
			ex := refusal(1*ms, ms/2, nil)
			ex.Remote = "10.0.0.7:443"
			return ex
		}(), false},
	} {
		t.Run(c.name, func(t *testing.T) {
			set, arm := setOf(t, nil, c.ex)
			got, ok := Of(set, arm).(Blocked)
			if ok != c.want {
				t.Fatalf("blocked %v, want %v (%+v)", ok, c.want, got)
			}
			if ok && (got.UserAgent != "coldsplit/0.1.0" || got.Type != "text/html" || got.Missing != "no upstream time, no cache status") {
				t.Errorf("evidence %+v", got)
			}
		})
	}
}

func TestLookupNoteIsReadBack(t *testing.T) {
	for _, want := range []Lookup{
		{Name: "q7zk2.invalid", Resolver: "192.0.2.53", Address: "192.0.2.1"},
		{Name: "a.invalid", Resolver: "tls://dns.example.net (192.0.2.53)", Said: "no such name"},
	} {
		got, ok := LookupOf(record.End{Notes: []string{"something else", want.Note()}})
		if !ok || got != want {
			t.Errorf("%q read as %+v, want %+v", want.Note(), got, want)
		}
	}
	if got, ok := LookupOf(record.End{Notes: []string{"looked up"}}); ok {
		t.Errorf("read %+v from nothing", got)
	}
}

func TestInspectionIsTheLocalIssuersWordOnly(t *testing.T) {
	ok := record.Exchange{Route: "a", Outcome: record.OK, State: "cold", Clock: "user", Remote: "203.0.113.9:443",
		TLS: &record.TLS{Issuer: "Example Corp Proxy CA", Verified: true}}
	inside := ok
	inside.Remote = "10.0.0.7:443"
	for _, c := range []struct {
		name string
		ex   record.Exchange
		note string
		want bool
	}{
		{"named", ok, "Example Corp Proxy CA", true},
		{"another issuer", ok, "Example CA 3", false},
		{"inside a private network", inside, "Example Corp Proxy CA", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			set, arm := setOf(t, []string{LocalIssuerNote(c.note)}, c.ex)
			issuer, got := Inspected(set, arm)
			if got != c.want || got && issuer != "Example Corp Proxy CA" {
				t.Errorf("inspected %v by %q, want %v", got, issuer, c.want)
			}
		})
	}
}
