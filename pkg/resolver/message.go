package resolver

import (
	"net/netip"
	"strings"
	"time"

	"github.com/miekg/dns"
)

// question is a record type that can be asked for.
type question uint16

const (
	questionA     = question(dns.TypeA)
	questionAAAA  = question(dns.TypeAAAA)
	questionHTTPS = question(dns.TypeHTTPS)
)

func (q question) String() string { return dns.TypeToString[uint16(q)] }

// udpSize is the largest answer we take in one datagram: what crosses nearly every path without
// fragments (DNS flag day 2020; RFC 9715 section 3.2).
const udpSize = 1232

// query builds the one message of a question; extended adds the EDNS record (RFC 6891) that says
// how much we can take.
func query(host string, q question, extended bool) *dns.Msg {
	m := new(dns.Msg).SetQuestion(dns.Fqdn(host), uint16(q))
	if extended {
		m.SetEdns0(udpSize, false)
	}
	return m
}

// answers reports whether in is an answer to out and not a stray or forged one.
func answers(in, out *dns.Msg) bool {
	if !in.Response || in.Id != out.Id || len(in.Question) != 1 {
		return false
	}
	got, want := in.Question[0], out.Question[0]
	return got.Qtype == want.Qtype && got.Qclass == want.Qclass && strings.EqualFold(got.Name, want.Name)
}

// read takes the answer section apart. The chain of aliases starts at the name asked for and is
// followed at most once per record, so a circle ends.
func read(m *dns.Msg, q question) reply {
	r := reply{}
	owner := m.Question[0].Name
	for range m.Answer {
		alias, ok := aliasOf(m.Answer, owner)
		if !ok {
			break
		}
		owner = alias.Target
		r.cname = append(r.cname, strings.TrimSuffix(owner, "."))
		r.keep(alias.Hdr.Ttl)
	}
	for _, rr := range m.Answer {
		r.take(rr, q)
	}
	return r
}

func aliasOf(section []dns.RR, owner string) (*dns.CNAME, bool) {
	for _, rr := range section {
		if alias, ok := rr.(*dns.CNAME); ok && strings.EqualFold(alias.Hdr.Name, owner) {
			return alias, true
		}
	}
	return nil, false
}

func (r *reply) take(rr dns.RR, q question) {
	if rr.Header().Rrtype != uint16(q) {
		return
	}
	switch rr := rr.(type) {
	case *dns.A:
		r.takeAddr(rr.A, rr.Hdr.Ttl)
	case *dns.AAAA:
		r.takeAddr(rr.AAAA, rr.Hdr.Ttl)
	case *dns.HTTPS:
		r.takeHints(rr)
	}
}

func (r *reply) takeAddr(ip []byte, ttl uint32) {
	addr, ok := netip.AddrFromSlice(ip)
	if !ok {
		return
	}
	r.addrs = append(r.addrs, addr.Unmap())
	r.keep(ttl)
}

// takeHints reads the ALPN identifiers of the first service-mode record (RFC 9460 sections 2.4.3
// and 7.1); a record without any stands for the scheme's default, http/1.1.
func (r *reply) takeHints(rr *dns.HTTPS) {
	if rr.Priority == 0 || r.alpn != "" {
		return
	}
	r.alpn = "http/1.1"
	for _, kv := range rr.Value {
		if alpn, ok := kv.(*dns.SVCBAlpn); ok && len(alpn.Alpn) > 0 {
			r.alpn = strings.Join(alpn.Alpn, ",")
		}
	}
}

func (r *reply) keep(seconds uint32) {
	ttl := time.Duration(seconds) * time.Second
	if !r.hasTTL || ttl < r.ttl {
		r.ttl, r.hasTTL = ttl, true
	}
}
