package probetest

import (
	"context"
	"crypto/tls"
	"io"
	"log"
	"net"
	"net/http"

	"github.com/quic-go/quic-go"
	"github.com/quic-go/quic-go/http3"
)

// Origin is a web server on the network.
type Origin struct {
	// Handler answers; nil answers 200 with "ok".
	Handler http.Handler
	// TLS holds the certificate and what else the server insists on; nil serves cleartext,
	// HTTP/1.1 and HTTP/2 with prior knowledge. NextProtos nil offers h2 and http/1.1.
	TLS *tls.Config
	// Retry makes a QUIC origin validate addresses by Retry (RFC 9000 section 8.1.2).
	Retry bool
	// Allow0RTT lets a QUIC origin accept early data.
	Allow0RTT bool
}

// Serve answers HTTP/1.1 and HTTP/2 at addr until the returned function is called.
func (n *Network) Serve(addr string, o Origin) (stop func()) {
	server := &http.Server{Handler: o.handler(), ErrorLog: log.New(io.Discard, "", 0), TLSConfig: o.TLS.Clone()}
	server.Protocols = new(http.Protocols)
	server.Protocols.SetHTTP1(true)
	server.Protocols.SetHTTP2(o.TLS == nil || o.offers("h2"))
	server.Protocols.SetUnencryptedHTTP2(o.TLS == nil)
	l := n.Listen(addr)
	done := make(chan struct{})
	go func() {
		defer close(done)
		if o.TLS == nil {
			server.Serve(l)
		} else {
			server.ServeTLS(l, "", "")
		}
	}()
	return func() {
		server.Close()
		<-done
	}
}

func (o Origin) offers(protocol string) bool {
	for _, p := range o.TLS.NextProtos {
		if p == protocol {
			return true
		}
	}
	return o.TLS.NextProtos == nil
}

func (o Origin) handler() http.Handler {
	if o.Handler != nil {
		return o.Handler
	}
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "ok") })
}

// ServeQUIC answers HTTP/3 at addr until the returned function is called. It panics when the
// configuration is refused.
func (n *Network) ServeQUIC(addr string, o Origin) (stop func()) {
	socket := n.ListenUDP(addr)
	transport := &quic.Transport{Conn: silentBuffers{socket}}
	if o.Retry {
		transport.VerifySourceAddress = func(net.Addr) bool { return true }
	}
	l, err := transport.ListenEarly(http3.ConfigureTLSConfig(o.TLS), &quic.Config{Allow0RTT: o.Allow0RTT})
	if err != nil {
		panic(err)
	}
	server := &http3.Server{Handler: o.handler()}
	done := make(chan struct{})
	go func() {
		defer close(done)
		server.ServeListener(l)
	}()
	return func() {
		server.Close()
		l.Close()
		<-done
		transport.Close()
		socket.Close()
	}
}

// silentBuffers keeps quic-go from warning about kernel buffers that do not exist.
type silentBuffers struct{ net.PacketConn }

func (silentBuffers) SetReadBuffer(int) error  { return nil }
func (silentBuffers) SetWriteBuffer(int) error { return nil }

// Raw answers each connection to addr with a function, for servers that break the rules. The function
// closes its connection.
func (n *Network) Raw(addr string, serve func(context.Context, net.Conn)) (stop func()) {
	l := n.Listen(addr)
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go serve(ctx, conn)
		}
	}()
	return func() {
		cancel()
		l.Close()
		<-done
	}
}
