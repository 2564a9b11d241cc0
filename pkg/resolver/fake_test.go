package resolver_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"net/netip"
	"sync"
	"testing"
	"time"

	"github.com/miekg/dns"

	"github.com/coldsplit/coldsplit/pkg/resolver"
)

// script says what a made-up server does with a question: how long it waits and what it answers;
// nil is silence.
type script func(q dns.Question) (time.Duration, *dns.Msg)

// memory is a network inside the test: each Dial is a pipe to the server scripted for the address.
// A pipe keeps the boundaries of writes, so that it stands for a datagram socket as well.
type memory struct {
	resolvers []netip.AddrPort
	servers   map[string]script // by "udp 192.0.2.53:53"

	mu    sync.Mutex // guards dials
	dials []string
}

func (m *memory) Resolver() []netip.AddrPort { return m.resolvers }

func (m *memory) Dial(_ context.Context, network string, addr netip.AddrPort) (net.Conn, error) {
	key := fmt.Sprintf("%s %s", network, addr)
	m.mu.Lock()
	m.dials = append(m.dials, key)
	m.mu.Unlock()
	serve, ok := m.servers[key]
	if !ok {
		return nil, fmt.Errorf("dial %s: connection refused", addr)
	}
	client, server := net.Pipe()
	go serveConn(server, network == "tcp", serve)
	return client, nil
}

func (m *memory) dialled() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return append([]string(nil), m.dials...)
}

func serveConn(conn net.Conn, framed bool, serve script) {
	defer conn.Close()
	for {
		in, err := readMessage(conn, framed)
		if err != nil {
			return
		}
		delay, out := serve(in.Question[0])
		if out == nil {
			continue
		}
		time.Sleep(delay)
		out = out.Copy()
		out.Id, out.Response, out.Question = in.Id, true, in.Question
		if writeMessage(conn, framed, out) != nil {
			return
		}
	}
}

func readMessage(conn net.Conn, framed bool) (*dns.Msg, error) {
	buf := make([]byte, 65535)
	size := 0
	var err error
	if framed {
		var head [2]byte
		if _, err := io.ReadFull(conn, head[:]); err != nil {
			return nil, err
		}
		size, err = io.ReadFull(conn, buf[:binary.BigEndian.Uint16(head[:])])
	} else {
		size, err = conn.Read(buf)
	}
	if err != nil {
		return nil, err
	}
	m := new(dns.Msg)
	return m, m.Unpack(buf[:size])
}

func writeMessage(conn net.Conn, framed bool, m *dns.Msg) error {
	wire, err := m.Pack()
	if err != nil {
		return err
	}
	if framed {
		wire = append(binary.BigEndian.AppendUint16(nil, uint16(len(wire))), wire...)
	}
	_, err = conn.Write(wire)
	return err
}

// zone answers from records in zone-file form; a type without records is "no address".
func zone(t *testing.T, records ...string) func(dns.Question) *dns.Msg {
	t.Helper()
	var all []dns.RR
	for _, line := range records {
		rr, err := dns.NewRR(line)
		if err != nil {
			t.Fatalf("record %q: %v", line, err)
		}
		all = append(all, rr)
	}
	return func(q dns.Question) *dns.Msg {
		m := new(dns.Msg)
		for _, rr := range all {
			if rtype := rr.Header().Rrtype; rtype == q.Qtype || rtype == dns.TypeCNAME {
				m.Answer = append(m.Answer, rr)
			}
		}
		return m
	}
}

func rcode(code int) *dns.Msg { return &dns.Msg{MsgHdr: dns.MsgHdr{Rcode: code}} }

func at(delay time.Duration, answer func(dns.Question) *dns.Msg) script {
	return func(q dns.Question) (time.Duration, *dns.Msg) { return delay, answer(q) }
}

func always(m *dns.Msg) script { return func(dns.Question) (time.Duration, *dns.Msg) { return 0, m } }

func silence(dns.Question) (time.Duration, *dns.Msg) { return 0, nil }

func parse(t *testing.T, s string) resolver.Spec {
	t.Helper()
	spec, err := resolver.ParseSpec(s)
	if err != nil {
		t.Fatal(err)
	}
	return spec
}
