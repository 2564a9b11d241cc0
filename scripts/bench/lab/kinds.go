//go:build unix

package main

import (
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"

	"github.com/quic-go/quic-go"
	"github.com/quic-go/quic-go/http3"

	"github.com/coldsplit/coldsplit/pkg/lab"
	"github.com/coldsplit/coldsplit/pkg/lab/actor"
)

const siteName = "site.example"

// kind is one sort of exchange; do makes it once and returns the timed part.
type kind struct {
	name  string
	trips int // round trips the timed part takes at least
	do    func() (time.Duration, error)
}

// bench is a client and a server one path apart.
type bench struct {
	rtt            time.Duration
	net            *lab.Internet
	client, server *lab.Host
	trust          *tls.Config
	site           *actor.Server
	echo           net.PacketConn
}

func newBench(rtt time.Duration) (*bench, error) {
	n, err := lab.New(lab.Config{RTT: func(_, _ *lab.Host) time.Duration { return rtt }})
	if err != nil {
		return nil, err
	}
	b := &bench{rtt: rtt, net: n}
	if err := b.build(); err != nil {
		b.close()
		return nil, err
	}
	return b, nil
}

func (b *bench) build() error {
	var err error
	if b.client, err = b.net.AddHost("client", lab.HostOptions{}); err != nil {
		return err
	}
	if b.server, err = b.net.AddHost("server", lab.HostOptions{}); err != nil {
		return err
	}
	ca, err := lab.NewCA("bench")
	if err != nil {
		return err
	}
	cert, err := ca.Issue(lab.CertOptions{Names: []string{siteName}, Key: lab.ECDSAP256})
	if err != nil {
		return err
	}
	b.trust = &tls.Config{RootCAs: ca.Pool(), ServerName: siteName}
	service := &actor.Service{Content: []byte("hello")}
	if b.site, err = actor.Serve(b.server, service.Handler(), actor.ServerOptions{Cert: &cert, H3: true}); err != nil {
		return err
	}
	if b.echo, err = b.server.ListenUDP(7); err != nil {
		return err
	}
	go echoAll(b.echo)
	return nil
}

func (b *bench) close() {
	if b.site != nil {
		_ = b.site.Close()
	}
	_ = b.net.Close()
}

func echoAll(pc net.PacketConn) {
	buf := make([]byte, 1500)
	for {
		n, from, err := pc.ReadFrom(buf)
		if err != nil {
			return
		}
		_, _ = pc.WriteTo(buf[:n], from)
	}
}

// all measures every kind n times.
func (b *bench) all(n int) ([]result, error) {
	var out []result
	for _, k := range []kind{
		{"datagram and its echo", 1, b.datagram},
		{"TCP handshake", 1, b.connect},
		{"TLS handshake, TCP done", 1, b.handshake},
		{"QUIC handshake", 1, b.quic},
		{"cold HTTPS exchange, h2", 3, b.h2},
		{"cold HTTPS exchange, h3", 2, b.h3},
	} {
		r, err := sample(k, n, b.rtt)
		if err != nil {
			return nil, err
		}
		out = append(out, r)
	}
	return out, nil
}

const limit = 10 * time.Second

func (b *bench) dial(network string, port uint16) (net.Conn, error) {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	return b.client.Dial(ctx, network, b.server.AddrPort(port))
}

func (b *bench) datagram() (time.Duration, error) {
	c, err := b.dial("udp", 7)
	if err != nil {
		return 0, err
	}
	defer c.Close()
	start := time.Now()
	if _, err := c.Write([]byte("ping")); err != nil {
		return 0, err
	}
	_, err = c.Read(make([]byte, 16))
	return time.Since(start), err
}

func (b *bench) connect() (time.Duration, error) {
	start := time.Now()
	c, err := b.dial("tcp", 443)
	took := time.Since(start)
	if err == nil {
		_ = c.Close()
	}
	return took, err
}

func (b *bench) handshake() (time.Duration, error) {
	c, err := b.dial("tcp", 443)
	if err != nil {
		return 0, err
	}
	defer c.Close()
	start := time.Now()
	err = tls.Client(c, b.trust).Handshake()
	return time.Since(start), err
}

func (b *bench) dialQUIC(ctx context.Context, trust *tls.Config) (*quic.Conn, func(), error) {
	pc, err := b.client.ListenPacket(ctx, "udp4")
	if err != nil {
		return nil, nil, err
	}
	tr := &quic.Transport{Conn: pc}
	done := func() {
		_ = tr.Close()
		_ = pc.Close()
	}
	c, err := tr.Dial(ctx, net.UDPAddrFromAddrPort(b.server.AddrPort(443)), trust, nil)
	if err != nil {
		done()
	}
	return c, done, err
}

func (b *bench) quic() (time.Duration, error) {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	trust := b.trust.Clone()
	trust.NextProtos = []string{http3.NextProtoH3}
	start := time.Now()
	c, done, err := b.dialQUIC(ctx, trust)
	if err != nil {
		return 0, err
	}
	defer done()
	took := time.Since(start)
	return took, c.CloseWithError(0, "")
}

func (b *bench) h2() (time.Duration, error) {
	tr := &http.Transport{ForceAttemptHTTP2: true, TLSClientConfig: b.trust,
		DialContext: func(context.Context, string, string) (net.Conn, error) { return b.dial("tcp", 443) }}
	defer tr.CloseIdleConnections()
	return fetch(tr)
}

func (b *bench) h3() (time.Duration, error) {
	var done func()
	tr := &http3.Transport{TLSClientConfig: b.trust,
		Dial: func(ctx context.Context, _ string, trust *tls.Config, _ *quic.Config) (c *quic.Conn, err error) {
			c, done, err = b.dialQUIC(ctx, trust)
			return c, err
		}}
	took, err := fetch(tr)
	_ = tr.Close()
	if done != nil {
		done()
	}
	return took, err
}

// fetch asks once and reads the answer to its end.
func fetch(rt http.RoundTripper) (time.Duration, error) {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "https://"+siteName+"/", nil)
	if err != nil {
		return 0, err
	}
	start := time.Now()
	res, err := rt.RoundTrip(req)
	if err != nil {
		return 0, err
	}
	defer res.Body.Close()
	if _, err := io.Copy(io.Discard, res.Body); err != nil {
		return 0, err
	}
	if res.StatusCode != http.StatusOK {
		return 0, fmt.Errorf("status %d", res.StatusCode)
	}
	return time.Since(start), nil
}
