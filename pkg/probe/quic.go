package probe

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"sync"
	"time"

	"github.com/coldsplit/coldsplit/pkg/record"
	"github.com/coldsplit/coldsplit/pkg/segment"
	"github.com/quic-go/quic-go"
	"github.com/quic-go/quic-go/http3"
	"github.com/quic-go/quic-go/qlogwriter"
	"golang.org/x/net/ipv4"
)

// The receive windows of net/http's HTTP/2 client, used for HTTP/3 as well: quic-go's own begin eight
// times smaller, and on a long fat path h3 would lose for our own reasons.
const (
	streamWindow     = 4 << 20
	connectionWindow = 1 << 30
)

// quicEnd is our end of one QUIC connection, with a socket and a transport of its own.
type quicEnd struct {
	conn      *quic.Conn
	transport *quic.Transport
	socket    net.PacketConn
	watch     *handshake
	log       *quicLog
	first     firstDatagram
	before    record.QUIC // what had happened before the exchange under way
}

// openQUIC races the addresses and ends the segments race and quic. It never falls back to TCP. On
// false the exchange has ended.
func (x *exchange) openQUIC(ctx context.Context, addrs []netip.AddrPort) (*link, bool) {
	tried := attempted{}
	clock := x.startSetupClock()
	race := racer[*quicEnd]{
		now:    x.now,
		losers: &x.losers,
		drop:   (*quicEnd).close,
		dial: func(ctx context.Context, addr netip.AddrPort) (*quicEnd, error) {
			return x.dialQUIC(ctx, addr, &tried)
		},
	}.run(ctx, addrs)
	x.rec.Attempts, x.rec.SetupCPU = race.attempts, clock.stop()
	if race.winner < 0 {
		x.harvestFailed(tried.first())
		x.fail(ctx, segment.QUIC, race.err, x.now())
		return nil, false
	}
	x.dials++
	end := race.conn
	x.won(addrs, race.winner, segment.QUIC, race.attempts[race.winner].End)
	if !x.quicProven(end) {
		x.rec.QUIC = end.facts()
		end.close()
		return nil, false
	}
	return x.newQUICLink(end), true
}

func (x *exchange) newQUICLink(end *quicEnd) *link {
	transport := &http3.Transport{DisableCompression: true, MaxResponseHeaderBytes: maxResponseHeader}
	gone := func() error { return context.Cause(end.conn.Context()) }
	return &link{protocol: string(HTTP3), trip: transport.NewClientConn(end.conn), quic: end, gone: gone, rest: func() {}, shut: end.close}
}

// quicProven checks what must hold before a request is worth sending. In state early the handshake is
// still under way, and its proof waits for the end.
func (x *exchange) quicProven(end *quicEnd) bool {
	if x.state == Early {
		x.rec.Protocol = string(HTTP3)
		if !x.tickets.wasOffered() {
			x.invalidate(segment.QUIC, "not early: "+x.whyFull())
			return false
		}
		return true
	}
	state := end.conn.ConnectionState()
	end.watch.finish(state.TLS)
	x.rec.TLS = end.watch.facts()
	if !x.handshakeProven(state.TLS.NegotiatedProtocol, state.TLS.DidResume) {
		return false
	}
	switch {
	case state.Used0RTT:
		x.invalidate(segment.QUIC, "not cold: early data was used")
	case x.state == Cold && end.first.token.Load():
		x.invalidate(segment.QUIC, "not cold: an address validation token was offered")
	default:
		return true
	}
	return false
}

// proveEarly checks that the request left as early data and that the server took it.
func (x *exchange) proveEarly(end *quicEnd) {
	if !end.complete() {
		x.invalidate(segment.Send, "not early: the handshake is not complete")
		return
	}
	state := end.conn.ConnectionState()
	end.watch.finish(state.TLS)
	x.rec.TLS = end.watch.facts()
	switch {
	case !state.Used0RTT:
		x.invalidate(segment.Send, "not early: the server did not accept early data")
	case !end.log.sentEarly():
		x.invalidate(segment.Send, "not early: the request left after the handshake was complete")
	}
}

// attempted keeps the ends of attempts, so that a failure can tell what it saw.
type attempted struct {
	mu   sync.Mutex // guards ends
	ends []*quicEnd
}

func (a *attempted) add(end *quicEnd) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.ends = append(a.ends, end)
}

func (a *attempted) first() *quicEnd {
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.ends) == 0 {
		return nil
	}
	return a.ends[0]
}

func (x *exchange) harvestFailed(end *quicEnd) {
	if end != nil {
		x.rec.TLS = end.watch.facts()
		x.rec.QUIC = end.facts()
	}
}

// dialQUIC completes one handshake on a fresh socket.
func (x *exchange) dialQUIC(ctx context.Context, addr netip.AddrPort, tried *attempted) (*quicEnd, error) {
	socket, err := x.p.network().ListenPacket(ctx, udpFamily(addr))
	if err != nil {
		return nil, fmt.Errorf("open UDP socket: %w", err)
	}
	end := &quicEnd{socket: socket, watch: x.newHandshake(), log: &quicLog{}}
	end.transport = &quic.Transport{Conn: end.dress(socket)}
	tried.add(end)
	tlsConfig := end.watch.config(x.t, x.t.alpn())
	x.offerSession(tlsConfig)
	x.p.tamperTLS(tlsConfig)
	dial := end.transport.Dial
	if x.state == Early {
		dial = end.transport.DialEarly
	}
	end.conn, err = dial(ctx, net.UDPAddrFromAddrPort(addr), tlsConfig, x.quicConfig(end.log))
	if err != nil {
		end.close()
		return nil, fmt.Errorf("quic handshake with %s: %w", addr, err)
	}
	return end, nil
}

// dress makes the socket ready for quic-go and has its stamps kept where the kernel gives them.
func (q *quicEnd) dress(socket net.PacketConn) net.PacketConn {
	if udp, ok := socket.(*net.UDPConn); ok {
		if d := newDatagrams(udp); d.stamps != nil {
			q.log.datagrams = d
			return &stampedUDP{quietUDP: &quietUDP{UDPConn: udp, first: &q.first}, seen: d, batch: ipv4.NewPacketConn(udp)}
		}
	}
	return quiet(socket, &q.first)
}

func udpFamily(addr netip.AddrPort) string {
	if addr.Addr().Unmap().Is4() {
		return "udp4"
	}
	return "udp6"
}

// quicConfig lets the exchange's own deadline decide and keeps no token: TokenStore stays nil.
func (x *exchange) quicConfig(log *quicLog) *quic.Config {
	config := &quic.Config{
		Versions:                       []quic.Version{quic.Version1},
		HandshakeIdleTimeout:           x.t.maxTime() + time.Second,
		MaxIdleTimeout:                 x.t.maxTime() + time.Second,
		InitialStreamReceiveWindow:     streamWindow,
		MaxStreamReceiveWindow:         streamWindow,
		InitialConnectionReceiveWindow: connectionWindow,
		MaxConnectionReceiveWindow:     connectionWindow,
		Tracer: func(context.Context, bool, quic.ConnectionID) qlogwriter.Trace {
			return &quicTrace{log: log}
		},
	}
	x.p.tamperQUIC(config)
	return config
}

// facts are what the record keeps of the connection: its round trip, and what happened during the
// exchange under way.
func (q *quicEnd) facts() *record.QUIC {
	facts := q.log.facts()
	facts.Lost -= q.before.Lost
	facts.PTO -= q.before.PTO
	facts.Retry = facts.Retry && !q.before.Retry
	facts.VN = facts.VN && !q.before.VN
	facts.Stall = facts.Stall && !q.before.Stall
	if q.conn != nil {
		facts.MinRTT = q.conn.ConnectionStats().MinRTT
	}
	if q.complete() {
		facts.Used0RTT = q.conn.ConnectionState().Used0RTT
	}
	return &facts
}

// complete reports whether the handshake is; before, quic-go's connection state must not be read.
func (q *quicEnd) complete() bool {
	if q.conn == nil {
		return false
	}
	select {
	case <-q.conn.HandshakeComplete():
		return true
	default:
		return false
	}
}

// stream is the stream of the nth request: requests use the client's bidirectional streams 0, 4, 8, ...
// (RFC 9000 section 2.1).
func stream(request int) int64 { return int64(request-1) * 4 }

func (q *quicEnd) close() {
	if q.conn != nil {
		q.conn.CloseWithError(quic.ApplicationErrorCode(http3.ErrCodeNoError), "")
	}
	q.transport.Close()
	q.socket.Close()
}

// quicReset reports a connection or stream that the peer closed on purpose, or no longer knows.
func quicReset(err error) bool {
	var application *quic.ApplicationError
	var stream *quic.StreamError
	var stateless *quic.StatelessResetError
	return errors.As(err, &application) && application.Remote ||
		errors.As(err, &stream) && stream.Remote || errors.As(err, &stateless)
}
