package probetest

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"strings"
	"syscall"
	"time"

	"github.com/miekg/dns"
)

const errNoRoute = syscall.ENETUNREACH

// Zone is what the scripted resolver knows, by name without a final dot.
type Zone map[string]Records

// Records are the answers for one name. A delay adds to the round trip to the resolver.
type Records struct {
	A, AAAA           []string
	ADelay, AAAADelay time.Duration
	ASilent           bool // the question for A gets no answer
	AAAASilent        bool
	TTL               uint32
}

// answer sends the resolver's reply to query, unless the script keeps silent.
func (n *Network) answer(to netip.AddrPort, query []byte) {
	var msg dns.Msg
	if msg.Unpack(query) != nil || len(msg.Question) != 1 {
		return
	}
	n.mu.Lock()
	n.queries++
	socket := n.sockets[to]
	n.mu.Unlock()
	reply, delay, ok := n.Zone.reply(&msg)
	if !ok || socket == nil {
		return
	}
	data, err := reply.Pack()
	if err != nil {
		return
	}
	at := time.Now().Add(2*n.latency(resolverAddr.Addr()) + delay)
	socket.arrive(datagram{at: at, from: resolverAddr, data: data})
}

// Queries is the number of questions the resolver got.
func (n *Network) Queries() int {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.queries
}

func (z Zone) reply(query *dns.Msg) (*dns.Msg, time.Duration, bool) {
	q := query.Question[0]
	reply := new(dns.Msg)
	reply.SetReply(query)
	reply.RecursionAvailable = true
	records, known := z[strings.ToLower(strings.TrimSuffix(q.Name, "."))]
	if !known {
		reply.Rcode = dns.RcodeNameError
		return reply, 0, true
	}
	head := dns.RR_Header{Name: q.Name, Rrtype: q.Qtype, Class: dns.ClassINET, Ttl: records.TTL}
	switch q.Qtype {
	case dns.TypeA:
		for _, a := range records.A {
			reply.Answer = append(reply.Answer, &dns.A{Hdr: head, A: net.ParseIP(a)})
		}
		return reply, records.ADelay, !records.ASilent
	case dns.TypeAAAA:
		for _, a := range records.AAAA {
			reply.Answer = append(reply.Answer, &dns.AAAA{Hdr: head, AAAA: net.ParseIP(a)})
		}
		return reply, records.AAAADelay, !records.AAAASilent
	}
	return reply, 0, true
}

// SettleResolver performs one failing look-up outside every bubble. Without it the first pure-Go
// look-up inside a bubble poisons the process (golang/go#80903).
func SettleResolver() {
	r := &net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) {
		return nil, errors.New("no network")
	}}
	_, _ = r.LookupHost(context.Background(), "settle.invalid")
}
