//go:build linux

package main

import (
	"fmt"
	"slices"
	"time"
)

// times are the segments of one exchange by name: tcp, tls (the QUIC handshake included), wait, transfer,
// total. What was not seen or not reported is missing.
type times map[string]time.Duration

// columns is the order in which segments are shown.
var columns = []string{"tcp", "tls", "wait", "transfer", "total"}

// TLS handshake messages (RFC 8446 section 4) and the HTTP/2 frame that carries header fields (RFC 9113
// section 6.2).
const (
	clientHello   = 1
	finished      = 20
	headersFrame  = 1
	requestStream = 0 // QUIC stream of a connection's first request (RFC 9000 section 2.1)
)

// exchange is what crossed the wire for one connection.
type exchange struct {
	opened time.Duration // since the epoch
	times  times
	unread error // why its times could not be read
}

// truths are the true times of every connection in a capture, in the order the connections were opened.
//
//	tcp       SYN .. SYN-ACK
//	tls       ClientHello .. the packet that completes the server's last handshake message; over QUIC alike
//	wait      the request's last packet .. the first packet of the response's header section
//	transfer  that packet .. the response's last
//	total     the connection's first packet .. the response's last
func truths(packets []packet) []exchange {
	var order []string
	conns := map[string][]packet{}
	for _, p := range packets {
		if _, known := conns[p.conn]; !known {
			order = append(order, p.conn)
		}
		conns[p.conn] = append(conns[p.conn], p)
	}
	var list []exchange
	for _, name := range order {
		if c := (conn{packets: conns[name]}); c.find(isOpening) < 0 {
			continue // opened before the capture began
		}
		t, err := connTruth(conns[name])
		list = append(list, exchange{opened: conns[name][0].at, times: t, unread: err})
	}
	return list
}

// connTruth finds the boundaries of one connection's exchange.
func connTruth(packets []packet) (times, error) {
	c := conn{packets: packets}
	quic, done := packets[0].quic(), c.find(isFinished)
	t := times{}
	if !quic {
		syn, synack := c.find(isSYN), c.find(isSYNACK)
		if syn < 0 || synack < 0 {
			return nil, fmt.Errorf("no handshake seen")
		}
		t["tcp"] = c.at(synack) - c.at(syn)
	}
	if done >= 0 {
		t["tls"] = c.at(done) - c.at(c.start(c.hello()))
	} else if quic {
		return nil, fmt.Errorf("no end of the server's handshake could be read")
	}
	sent, first, last := c.find(isRequestEnd), c.find(isResponse), c.last(isResponseEnd(done >= 0))
	if sent < 0 || first < 0 || last < 0 {
		return nil, fmt.Errorf("request (%d), response (%d) or its end (%d) could not be read", sent, first, last)
	}
	begin := c.at(c.start(first))
	t["wait"] = begin - c.at(sent)
	t["transfer"] = max(0, c.at(last)-begin)
	t["total"] = c.at(last) - c.at(0)
	return t, nil
}

// conn is one connection's packets in the order they passed.
type conn struct{ packets []packet }

func (c conn) at(i int) time.Duration { return c.packets[i].at }

func (c conn) find(is func(packet) bool) int { return slices.IndexFunc(c.packets, is) }

func (c conn) last(is func(packet) bool) int {
	for i := len(c.packets) - 1; i >= 0; i-- {
		if is(c.packets[i]) {
			return i
		}
	}
	return -1
}

// hello is the packet in which the client's first message is complete; over QUIC its parts may come in
// any order, so the connection's first packet stands for it.
func (c conn) hello() int {
	if c.packets[0].quic() {
		return 0
	}
	return max(0, c.find(func(p packet) bool { return slices.Contains(p.handshake, clientHello) }))
}

// start is the first packet of the message completed in packet i.
func (c conn) start(i int) int {
	if len(c.packets[i].parts) == 0 {
		return i
	}
	first := slices.Min(c.packets[i].parts)
	if j := c.find(func(p packet) bool { return p.number == first }); j >= 0 {
		return j
	}
	return i
}

// isOpening reports a packet that only a connection's beginning has.
func isOpening(p packet) bool { return isSYN(p) || p.initial && !p.fromServer }

func isSYN(p packet) bool    { return p.syn && !p.ack }
func isSYNACK(p packet) bool { return p.syn && p.ack }

func isFinished(p packet) bool { return p.fromServer && slices.Contains(p.handshake, finished) }

func isRequestEnd(p packet) bool {
	return !p.fromServer && (p.request || p.endStream || endsStream(p))
}

func isResponse(p packet) bool {
	return p.fromServer && (p.response || slices.Contains(p.frames, headersFrame) || touchesStream(p))
}

// isResponseEnd finds packets that may be the response's last; the last such packet is. HTTP/1.1 and its
// content have no mark of their own end, so there it is any packet with content: over TLS one in which
// application data was decrypted, for a goodbye is no content.
func isResponseEnd(secure bool) func(packet) bool {
	return func(p packet) bool {
		switch {
		case !p.fromServer || p.again:
			return false
		case p.quic():
			return touchesStream(p)
		case len(p.frames) > 0:
			return p.endStream
		case secure:
			return p.readable
		}
		return p.length > 0
	}
}

func touchesStream(p packet) bool {
	return slices.ContainsFunc(p.streams, func(s streamPart) bool { return s.id == requestStream })
}

func endsStream(p packet) bool {
	return slices.ContainsFunc(p.streams, func(s streamPart) bool { return s.id == requestStream && s.fin })
}
