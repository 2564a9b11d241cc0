package lab

import (
	"context"
	"errors"
	"net"
	"slices"
	"strings"
	"time"

	"github.com/miekg/dns"
)

// Sizes of a DNS message: RFC 1035 section 4.2.1 without EDNS0, and the most there is.
const (
	dnsPlainSize = 512
	dnsMaxSize   = 65535
)

// negativeTTL is how long, in seconds, a client may remember that there is nothing.
const negativeTTL = 60

func (d *DNS) servePackets() {
	buf := make([]byte, dnsMaxSize)
	for {
		n, from, err := d.packets.ReadFrom(buf)
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil {
			continue
		}
		query := new(dns.Msg)
		if query.Unpack(buf[:n]) != nil || query.Response || len(query.Question) != 1 {
			continue
		}
		d.tasks.Go(func() {
			d.respond(query, "udp", from, func(b []byte) { _, _ = d.packets.WriteTo(b, from) })
		})
	}
}

func (d *DNS) serveStreams() {
	for {
		c, err := d.streams.Accept()
		if err != nil {
			return
		}
		d.tasks.Go(func() { d.serveStream(c) })
	}
}

func (d *DNS) serveStream(c net.Conn) {
	defer c.Close()
	stop := context.AfterFunc(d.ctx, func() { _ = c.Close() })
	defer stop()
	stream := &dns.Conn{Conn: c}
	for {
		query, err := stream.ReadMsg()
		if err != nil || query.Response || len(query.Question) != 1 {
			return
		}
		d.respond(query, "tcp", c.RemoteAddr(), func(b []byte) { _, _ = stream.Write(b) })
	}
}

// respond waits as the script says and sends what it says, if anything.
func (d *DNS) respond(query *dns.Msg, network string, from net.Addr, send func([]byte)) {
	reply, delay := d.answer(query, network, from)
	if reply == nil || !d.pause(delay) {
		return
	}
	if network == "udp" {
		reply.Truncate(udpSize(query))
	}
	if b, err := reply.Pack(); err == nil {
		send(b)
	}
}

func (d *DNS) pause(delay time.Duration) bool {
	if delay <= 0 {
		return true
	}
	t := time.NewTimer(delay)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-d.ctx.Done():
		return false
	}
}

// answer notes the question and looks up its script; a nil reply is silence.
func (d *DNS) answer(query *dns.Msg, network string, from net.Addr) (reply *dns.Msg, delay time.Duration) {
	q := query.Question[0]
	name := plainName(q.Name)
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.asked) < askedMax {
		d.asked = append(d.asked, Question{Name: name, Type: dns.TypeToString[q.Qtype], Network: network, From: from, At: time.Now()})
	}
	s := d.answers[dnsKey{name, q.Qtype}]
	if s == nil {
		return nothing(query, !d.names[name]), 0
	}
	s.times++
	if s.Drop || s.times <= s.DropFirst {
		return nil, 0
	}
	return s.reply(query, network), s.Delay
}

func (s *scripted) reply(query *dns.Msg, network string) *dns.Msg {
	if s.Rcode != "" {
		return dressed(query, dns.StringToRcode[s.Rcode])
	}
	if len(s.rrs)+len(s.alias) == 0 {
		return nothing(query, false)
	}
	r := dressed(query, dns.RcodeSuccess)
	if s.Truncate && network == "udp" {
		r.Truncated = true
		return r
	}
	for _, rr := range s.inTurn() {
		r.Answer = append(r.Answer, dns.Copy(rr))
	}
	for _, rr := range r.Answer {
		// In the case it was asked in, as resolvers that vary the case check.
		if strings.EqualFold(rr.Header().Name, query.Question[0].Name) {
			rr.Header().Name = query.Question[0].Name
		}
	}
	return r
}

// inTurn returns the aliases and then the records, turned if so scripted.
func (s *scripted) inTurn() []dns.RR {
	if !s.Rotate || len(s.rrs) == 0 {
		return slices.Concat(s.alias, s.rrs)
	}
	turn := (s.times - 1) % len(s.rrs)
	return slices.Concat(s.alias, s.rrs[turn:], s.rrs[:turn])
}

// nothing says that the name, or only the type, does not exist; the SOA record
// carries for how long (RFC 2308 section 3).
func nothing(query *dns.Msg, wholeName bool) *dns.Msg {
	rcode := dns.RcodeSuccess
	if wholeName {
		rcode = dns.RcodeNameError
	}
	r := dressed(query, rcode)
	r.Ns = []dns.RR{&dns.SOA{
		Hdr:    dns.RR_Header{Name: ".", Rrtype: dns.TypeSOA, Class: dns.ClassINET, Ttl: negativeTTL},
		Ns:     "ns.",
		Mbox:   "hostmaster.",
		Minttl: negativeTTL,
	}}
	return r
}

// dressed is a reply as a recursive resolver heads it.
func dressed(query *dns.Msg, rcode int) *dns.Msg {
	r := new(dns.Msg)
	r.SetRcode(query, rcode)
	r.RecursionAvailable = true
	if opt := query.IsEdns0(); opt != nil {
		r.SetEdns0(opt.UDPSize(), opt.Do())
	}
	return r
}

func udpSize(query *dns.Msg) int {
	if opt := query.IsEdns0(); opt != nil {
		return max(int(opt.UDPSize()), dnsPlainSize)
	}
	return dnsPlainSize
}
