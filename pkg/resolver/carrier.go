package resolver

import (
	"context"
	"crypto/tls"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"net/netip"
	"strconv"
	"time"

	"github.com/miekg/dns"
)

// carrier returns how queries travel to the resolver.
func (s Spec) carrier(n Network) carry {
	switch s.Scheme {
	case TCP:
		return overTCP(n)
	case TLS:
		return overTLS(n, s.tlsConfig())
	case HTTPS:
		return overHTTPS(n, s)
	}
	return overUDP(n)
}

// label names a server in answers and errors. Plain DNS needs only its address.
func (s Spec) label(server netip.AddrPort) string {
	addr := server.Addr().String()
	switch {
	case s.Scheme == UDP && server.Port() == 53:
		return addr
	case s.Scheme == UDP:
		return server.String()
	case s.Host != addr:
		return s.String() + " (" + addr + ")"
	}
	return s.String()
}

func (s Spec) tlsConfig() *tls.Config {
	return &tls.Config{ServerName: s.Host, RootCAs: s.RootCAs, MinVersion: tls.VersionTLS12}
}

func (s Spec) authority() string { return net.JoinHostPort(s.Host, strconv.Itoa(int(s.Port))) }

// overUDP asks by datagram, and again by TCP when the answer did not fit (RFC 1035 section 4.2.1).
func overUDP(n Network) carry {
	stream := overTCP(n)
	return func(ctx context.Context, server netip.AddrPort, out *dns.Msg) (*dns.Msg, error) {
		in, err := datagram(ctx, n, server, out)
		if err == nil && in.Truncated {
			return stream(ctx, server, out)
		}
		return in, err
	}
}

func datagram(ctx context.Context, n Network, server netip.AddrPort, out *dns.Msg) (*dns.Msg, error) {
	conn, err := n.Dial(ctx, "udp", server)
	if err != nil {
		return nil, err
	}
	defer bound(ctx, conn)()
	wire, err := out.Pack()
	if err != nil {
		return nil, err
	}
	if _, err := conn.Write(wire); err != nil {
		return nil, ended(ctx, err)
	}
	return awaitDatagram(ctx, conn, out)
}

// awaitDatagram skips what does not answer the query: a stray or forged datagram must not end the
// wait for the true one.
func awaitDatagram(ctx context.Context, conn net.Conn, out *dns.Msg) (*dns.Msg, error) {
	buf := make([]byte, dns.MaxMsgSize)
	for {
		size, err := conn.Read(buf)
		if err != nil {
			return nil, ended(ctx, err)
		}
		in := new(dns.Msg)
		if err := in.Unpack(buf[:size]); (err == nil || in.Truncated) && answers(in, out) {
			return in, nil
		}
	}
}

func overTCP(n Network) carry {
	return func(ctx context.Context, server netip.AddrPort, out *dns.Msg) (*dns.Msg, error) {
		conn, err := n.Dial(ctx, "tcp", server)
		if err != nil {
			return nil, err
		}
		defer bound(ctx, conn)()
		in, err := framed(conn, out)
		return in, ended(ctx, err)
	}
}

func overTLS(n Network, config *tls.Config) carry {
	return func(ctx context.Context, server netip.AddrPort, out *dns.Msg) (*dns.Msg, error) {
		raw, err := n.Dial(ctx, "tcp", server)
		if err != nil {
			return nil, err
		}
		defer bound(ctx, raw)()
		conn := tls.Client(raw, config)
		if err := conn.HandshakeContext(ctx); err != nil {
			return nil, ended(ctx, err)
		}
		in, err := framed(conn, out)
		return in, ended(ctx, err)
	}
}

// framed exchanges one message over a byte stream: two bytes of length before each (RFC 1035
// section 4.2.2), written at once so that they leave in one packet (RFC 7766 section 8).
func framed(conn net.Conn, out *dns.Msg) (*dns.Msg, error) {
	wire, err := out.Pack()
	if err != nil {
		return nil, err
	}
	message := binary.BigEndian.AppendUint16(make([]byte, 0, len(wire)+2), uint16(len(wire)))
	if _, err := conn.Write(append(message, wire...)); err != nil {
		return nil, err
	}
	var size [2]byte
	if _, err := io.ReadFull(conn, size[:]); err != nil {
		return nil, closedEarly(err)
	}
	buf := make([]byte, binary.BigEndian.Uint16(size[:]))
	if _, err := io.ReadFull(conn, buf); err != nil {
		return nil, closedEarly(err)
	}
	return unpack(buf, out)
}

func closedEarly(err error) error {
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return fmt.Errorf("connection closed before the answer")
	}
	return err
}

func unpack(buf []byte, out *dns.Msg) (*dns.Msg, error) {
	in := new(dns.Msg)
	if err := in.Unpack(buf); err != nil || !answers(in, out) {
		return nil, errBadAnswer
	}
	return in, nil
}

// bound ends whatever conn is blocked in when ctx ends. The deadline is not set beforehand: it
// would fire beside the context's own timer, and which of the two came first would pick the words
// of the error. The function returned closes conn.
func bound(ctx context.Context, conn net.Conn) func() {
	stop := context.AfterFunc(ctx, func() { _ = conn.SetDeadline(time.Unix(1, 0)) })
	return func() {
		stop()
		_ = conn.Close()
	}
}

// ended says that ctx ended when that is why err happened: the deadline we set speaks for it.
func ended(ctx context.Context, err error) error {
	if err != nil && ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}
