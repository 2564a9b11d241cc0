package lab_test

import (
	"context"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/miekg/dns"

	"github.com/coldsplit/coldsplit/pkg/lab"
)

// withDNS adds a DNS server to an Internet and makes it the host's resolver.
func withDNS(t testing.TB, n *lab.Internet, hosts ...*lab.Host) *lab.DNS {
	t.Helper()
	h := addHost(t, n, "resolver", lab.HostOptions{})
	d, err := lab.ServeDNS(h)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.Close() })
	for _, asker := range hosts {
		asker.SetResolver(h.AddrPort(53))
	}
	return d
}

func set(t testing.TB, d *lab.DNS, name, qtype string, a lab.Answer) {
	t.Helper()
	if err := d.Set(name, qtype, a); err != nil {
		t.Fatal(err)
	}
}

// ask sends one question and returns the reply.
func ask(t testing.TB, h *lab.Host, network, name string, qtype uint16) *dns.Msg {
	t.Helper()
	c := dial(t, h, network, h.Resolver()[0])
	query := new(dns.Msg)
	query.SetQuestion(dns.Fqdn(name), qtype)
	client := dns.Client{Net: network, Timeout: 5 * time.Second}
	reply, _, err := client.ExchangeWithConn(query, &dns.Conn{Conn: c})
	if err != nil {
		t.Fatalf("ask %s over %s: %v", name, network, err)
	}
	return reply
}

func TestDNSAnswersPerType(t *testing.T) {
	t.Parallel()
	n, client, _ := twoHosts(t)
	d := withDNS(t, n, client)
	set(t, d, "api.example", "A", lab.Answer{Records: []string{"192.0.2.7"}, TTL: 300 * time.Second})
	set(t, d, "api.example", "AAAA", lab.Answer{Records: []string{"2001:db8::7"}, Delay: 30 * time.Millisecond})
	set(t, d, "api.example", "HTTPS", lab.Answer{Records: []string{`1 . alpn="h3,h2"`}})
	set(t, d, "old.example", "A", lab.Answer{Records: []string{"192.0.2.7"}, Alias: []string{"edge.example"}})
	set(t, d, "ill.example", "A", lab.Answer{Rcode: "SERVFAIL"})
	cases := []struct {
		name  string
		qtype uint16
		want  string
	}{
		{"api.example", dns.TypeA, "NOERROR api.example. 300 IN A 192.0.2.7"},
		{"API.example", dns.TypeA, "NOERROR API.example. 300 IN A 192.0.2.7"},
		{"api.example", dns.TypeAAAA, "NOERROR api.example. 60 IN AAAA 2001:db8::7"},
		{"api.example", dns.TypeHTTPS, `NOERROR api.example. 60 IN HTTPS 1 . alpn="h3,h2"`},
		{"api.example", dns.TypeMX, "NOERROR"},
		{"old.example", dns.TypeA, "NOERROR old.example. 60 IN CNAME edge.example.; edge.example. 60 IN A 192.0.2.7"},
		{"old.example", dns.TypeAAAA, "NOERROR"},
		{"no.example", dns.TypeA, "NXDOMAIN"},
		{"ill.example", dns.TypeA, "SERVFAIL"},
	}
	for _, network := range []string{"udp", "tcp"} {
		for _, c := range cases {
			if got := brief(ask(t, client, network, c.name, c.qtype)); got != c.want {
				t.Errorf("%s %s over %s: got %s, want %s", c.name, dns.TypeToString[c.qtype], network, got, c.want)
			}
		}
	}
}

func brief(m *dns.Msg) string {
	var records []string
	for _, rr := range m.Answer {
		records = append(records, strings.Join(strings.Fields(rr.String()), " "))
	}
	return strings.TrimSpace(dns.RcodeToString[m.Rcode] + " " + strings.Join(records, "; "))
}

func TestDNSDelayIsPerType(t *testing.T) {
	n, client, _ := twoHosts(t)
	d := withDNS(t, n, client)
	const slow = 100 * time.Millisecond
	set(t, d, "slow.example", "A", lab.Answer{Records: []string{"192.0.2.7"}})
	set(t, d, "slow.example", "AAAA", lab.Answer{Records: []string{"2001:db8::7"}, Delay: slow})
	start := time.Now()
	ask(t, client, "udp", "slow.example", dns.TypeA)
	atLeast(t, "A", start, rtt)
	start = time.Now()
	ask(t, client, "udp", "slow.example", dns.TypeAAAA)
	atLeast(t, "AAAA", start, rtt+slow)
}

func TestLookupAsksAgainAndFallsBackToTCP(t *testing.T) {
	t.Parallel()
	n, client, _ := twoHosts(t)
	d := withDNS(t, n, client)
	set(t, d, "far.example", "A", lab.Answer{Records: []string{"192.0.2.7"}, DropFirst: 1})
	set(t, d, "far.example", "AAAA", lab.Answer{Records: []string{"2001:db8::7"}, Truncate: true})
	start := time.Now()
	got, err := client.Lookup(context.Background(), "far.example")
	atLeast(t, "lookup with a lost question", start, time.Second)
	want := []netip.Addr{netip.MustParseAddr("192.0.2.7"), netip.MustParseAddr("2001:db8::7")}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("lookup: %v, %v; want %v", got, err, want)
	}
	heard := map[string]int{}
	for _, q := range d.Asked() {
		heard[q.Type+" "+q.Network]++
	}
	if fmt.Sprint(heard) != fmt.Sprint(map[string]int{"A udp": 2, "AAAA udp": 1, "AAAA tcp": 1}) {
		t.Errorf("server heard %v, want A udp twice, AAAA udp and tcp once", heard)
	}
}

func TestDNSRotates(t *testing.T) {
	n, client, _ := twoHosts(t)
	d := withDNS(t, n, client)
	set(t, d, "pair.example", "A", lab.Answer{Records: []string{"192.0.2.1", "192.0.2.2"}, Rotate: true})
	var firsts []string
	for range 4 {
		firsts = append(firsts, ask(t, client, "udp", "pair.example", dns.TypeA).Answer[0].(*dns.A).A.String())
	}
	if want := []string{"192.0.2.1", "192.0.2.2", "192.0.2.1", "192.0.2.2"}; !slices.Equal(firsts, want) {
		t.Errorf("first records %v, want %v", firsts, want)
	}
}

func TestDNSRefusesNonsense(t *testing.T) {
	n := newInternet(t)
	d := withDNS(t, n)
	cases := map[string]error{
		`set answer for "a.example": unknown type "B"`:           d.Set("a.example", "B", lab.Answer{}),
		`set answer for "a.example": unknown rcode "NOPE"`:       d.Set("a.example", "A", lab.Answer{Rcode: "NOPE"}),
		`set answer for "a.example": A record "not an address":`: d.Set("a.example", "A", lab.Answer{Records: []string{"not an address"}}),
	}
	for want, err := range cases {
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

func TestDialContextGoesByName(t *testing.T) {
	n, client, server := twoHosts(t)
	d := withDNS(t, n, client)
	if err := d.SetHost("server.example", server, lab.Answer{}); err != nil {
		t.Fatal(err)
	}
	serve(t, server, 80, echo)
	c, err := client.DialContext(context.Background(), "tcp", "server.example:80")
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	exchange(t, c, []byte("by name"))
	d.Forget("server.example")
	if _, err := client.DialContext(context.Background(), "tcp", "server.example:80"); err == nil {
		t.Error("dialed a name that was forgotten")
	}
}
