package probe

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"time"

	"github.com/coldsplit/coldsplit/pkg/record"
	"github.com/coldsplit/coldsplit/pkg/segment"
)

// errSecondDial is the proof of "exactly one connection" at work.
var errSecondDial = errors.New("the transport asked for a second connection")

// maxResponseHeader bounds a response's header section.
const maxResponseHeader = 1 << 20

// openTCP connects, goes through the proxy and shakes hands. On false the exchange has ended.
func (x *exchange) openTCP(ctx context.Context, addrs []netip.AddrPort) (*link, bool) {
	w, ok := x.connectTCP(ctx, addrs)
	if !ok {
		return nil, false
	}
	conn, ok := x.tunnel(ctx, w)
	if !ok {
		w.Close()
		return nil, false
	}
	protocol := x.cleartextProtocol()
	if x.t.URL.Scheme == "https" {
		if !x.proxySecured() {
			w.startTLS()
		}
		if conn, protocol, ok = x.secure(ctx, w, conn); !ok {
			w.Close()
			x.rec.TCP = w.tcp()
			return nil, false
		}
	}
	x.rec.Protocol = protocol
	return x.newTCPLink(ctx, w, conn, protocol)
}

// cleartextProtocol is HTTP/2 with prior knowledge (RFC 9113 section 3.3) only when asked for.
func (x *exchange) cleartextProtocol() string {
	if x.t.Protocol == HTTP2 {
		return string(HTTP2)
	}
	return string(HTTP11)
}

// connectTCP races the addresses and ends the segments race and tcp.
func (x *exchange) connectTCP(ctx context.Context, addrs []netip.AddrPort) (*wire, bool) {
	network := x.p.network()
	race := racer[net.Conn]{
		now:    x.now,
		losers: &x.losers,
		drop:   func(c net.Conn) { c.Close() },
		dial: func(ctx context.Context, addr netip.AddrPort) (net.Conn, error) {
			return network.Dial(ctx, "tcp", addr)
		},
	}.run(ctx, addrs)
	x.rec.Attempts = race.attempts
	if race.winner < 0 {
		x.fail(ctx, segment.TCP, race.err, x.now())
		var informer TCPInformer
		if errors.As(race.err, &informer) {
			x.rec.TCP = tcpFacts(informer)
		}
		return nil, false
	}
	x.won(addrs, race.winner, segment.TCP, handshakeEnd(race.conn, race.attempts[race.winner]))
	if remote := race.conn.RemoteAddr(); remote != nil {
		x.rec.Remote = remote.String()
	}
	return newWire(race.conn), true
}

// handshakeEnd is when TCP's handshake was complete: after the round trip that the kernel measured, where
// it did. What it took to open the socket and to wake this process up belongs to the next segment.
func handshakeEnd(conn net.Conn, a record.Attempt) time.Duration {
	if k, ok := conn.(interface {
		handshakeRTT() (time.Duration, bool)
	}); ok {
		if rtt, ok := k.handshakeRTT(); ok {
			return min(a.Start+rtt, a.End)
		}
	}
	return a.End
}

// won ends race, when the first attempt did not win, and the connection's own segment at offset end.
func (x *exchange) won(addrs []netip.AddrPort, winner int, k segment.Key, end time.Duration) {
	a := x.rec.Attempts[winner]
	if winner > 0 {
		x.tl.End(segment.Race, a.Start)
	}
	x.tl.End(k, end)
	x.rec.Remote = a.Addr
	x.rec.Family = 6
	if addrs[winner].Addr().Is4() {
		x.rec.Family = 4
	}
}

// secure performs the origin's TLS handshake over conn, which w carries, and ends segment tls.
func (x *exchange) secure(ctx context.Context, w *wire, conn net.Conn) (*tls.Conn, string, bool) {
	watch := x.newHandshake()
	config := watch.config(x.t, x.t.alpn())
	x.offerSession(config)
	x.p.tamperTLS(config)
	secured := tls.Client(conn, config)
	clock := x.startSetupClock()
	err := handshakeUnder(ctx, secured, w)
	at := x.now()
	x.rec.SetupCPU = clock.stop()
	state := secured.ConnectionState()
	if err == nil {
		watch.finish(state)
	}
	x.rec.TLS = watch.facts()
	if err != nil {
		x.fail(ctx, segment.TLS, fmt.Errorf("tls handshake: %w", err), at)
		return nil, "", false
	}
	x.tl.End(segment.TLS, at)
	protocol := state.NegotiatedProtocol
	if protocol == "" {
		protocol = string(HTTP11)
	}
	return secured, protocol, x.handshakeProven(protocol, x.rec.TLS.Resumed)
}

// handshakeUnder shakes hands in this goroutine; the end of ctx ends the connection.
func handshakeUnder(ctx context.Context, secured *tls.Conn, w *wire) error {
	stop := context.AfterFunc(ctx, func() { w.Close() })
	err := secured.Handshake()
	if !stop() {
		return ctx.Err() // whatever the handshake came to, the connection is gone
	}
	return err
}

// handshakeProven checks what must hold before a request is worth sending.
func (x *exchange) handshakeProven(protocol string, resumed bool) bool {
	x.rec.Protocol = protocol
	if !x.t.allows(protocol) {
		x.invalidate(x.readyKey(), fmt.Sprintf("asked for %s, the server agreed on %s", x.t.Protocol, protocol))
		return false
	}
	switch {
	case resumed && x.state == Cold:
		x.invalidate(x.readyKey(), "not cold: the TLS session was resumed")
	case !resumed && x.state == Resumed:
		x.invalidate(x.readyKey(), "not resumed: "+x.whyFull())
	default:
		return true
	}
	return false
}

// whyFull tells why a handshake that should have resumed was a full one.
func (x *exchange) whyFull() string {
	if x.tickets.wasOffered() {
		return "the server did not accept the session ticket"
	}
	return "the server gave no session ticket within " + ticketWait.String()
}

// readyKey is the segment that ends when the connection is ready.
func (x *exchange) readyKey() segment.Key {
	switch {
	case x.t.Protocol == HTTP3:
		return segment.QUIC
	case x.t.URL.Scheme == "https":
		return segment.TLS
	}
	return segment.TCP
}

// offerSession lets a session be resumed and stored; without tickets neither happens.
func (x *exchange) offerSession(config *tls.Config) {
	if x.tickets != nil {
		config.ClientSessionCache = x.tickets
	}
}

func (x *exchange) newHandshake() *handshake {
	return &handshake{roots: x.t.RootCAs, serverName: x.t.serverName(), insecure: x.t.Insecure}
}

// newTCPLink speaks the protocol agreed on over the ready connection.
func (x *exchange) newTCPLink(ctx context.Context, w *wire, conn net.Conn, protocol string) (*link, bool) {
	w.begin(len(x.t.Body))
	if protocol == string(HTTP2) {
		return x.newHTTP2Link(ctx, w, conn)
	}
	x.dials++
	client := newHTTP1(conn, w, x.forwardProxy())
	if !w.offers.stamped {
		client.rest() // what the server says before it is asked is seen only by who reads already
	}
	return &link{protocol: protocol, trip: client, wire: w, gone: client.Err, rest: client.rest, shut: func() { x.hangUp(w, conn) }}, true
}

// newHTTP2Link hands the connection to a transport of its own, which must take it and no other.
func (x *exchange) newHTTP2Link(ctx context.Context, w *wire, conn net.Conn) (*link, bool) {
	give := func(context.Context, string, string) (net.Conn, error) {
		if x.dials++; x.dials > 1 {
			return nil, errSecondDial
		}
		return conn, nil
	}
	transport := &http.Transport{
		DialContext: give, DialTLSContext: give, DisableCompression: true,
		MaxResponseHeaderBytes: maxResponseHeader, Protocols: onlyHTTP2(x.t.URL.Scheme),
	}
	host, port := hostPort(x.t.URL)
	client, err := transport.NewClientConn(ctx, x.t.URL.Scheme, net.JoinHostPort(host, port))
	if err != nil {
		w.Close()
		x.fail(ctx, segment.Send, err, x.now())
		return nil, false
	}
	return &link{protocol: string(HTTP2), trip: client, wire: w, gone: client.Err, rest: func() {}, shut: func() { x.hangUp(w, client) }}, true
}

// hangUp says goodbye and closes; to a peer that stopped reading it says none, for which crypto/tls would
// wait 5 s.
func (x *exchange) hangUp(w *wire, conn io.Closer) {
	if x.failed {
		w.Close()
	}
	conn.Close()
	w.Close()
}

// onlyHTTP2 names the one protocol already agreed on, so that nothing else gets configured.
func onlyHTTP2(scheme string) *http.Protocols {
	var p http.Protocols
	if scheme == "http" {
		p.SetUnencryptedHTTP2(true)
	} else {
		p.SetHTTP2(true)
	}
	return &p
}
