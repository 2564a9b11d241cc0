package actor

import (
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/quic-go/quic-go"
	"github.com/quic-go/quic-go/http3"

	"github.com/coldsplit/coldsplit/pkg/lab"
)

// ServerOptions says how a handler is offered on its host.
type ServerOptions struct {
	// Cert makes the server speak HTTP/1.1 and HTTP/2 on TCP port 443; nil leaves
	// plain HTTP/1.1 on port 80 alone, which is always there.
	Cert *tls.Certificate
	// H3 adds HTTP/3 on UDP port 443; it needs Cert.
	H3 bool
	// Retry makes QUIC validate every address first (RFC 9000 section 8.1.2).
	Retry bool
	// Idle closes a connection nobody used for so long; 0 never does.
	Idle time.Duration
}

// Server is a handler at work on a lab host.
type Server struct {
	tcp  *http.Server
	h3   *http3.Server
	quic *quic.Transport
	udp  net.PacketConn
}

// Serve starts a handler on a host. The error names the port that was taken.
func Serve(h *lab.Host, handler http.Handler, opts ServerOptions) (*Server, error) {
	s := &Server{tcp: &http.Server{
		Handler:     handler,
		IdleTimeout: opts.Idle,
		ErrorLog:    log.New(io.Discard, "", 0),
	}}
	if err := s.start(h, opts); err != nil {
		_ = s.Close()
		return nil, fmt.Errorf("serve on %q: %w", h.Name(), err)
	}
	return s, nil
}

func (s *Server) start(h *lab.Host, opts ServerOptions) error {
	if opts.Cert != nil { // before anything is served: serving reads and completes it
		s.tcp.TLSConfig = &tls.Config{Certificates: []tls.Certificate{*opts.Cert}, NextProtos: []string{"h2", "http/1.1"}}
	}
	plain, err := h.Listen("tcp", 80)
	if err != nil {
		return err
	}
	go func() { _ = s.tcp.Serve(plain) }()
	if opts.Cert == nil {
		return nil
	}
	secure, err := h.Listen("tcp", 443)
	if err != nil {
		return err
	}
	go func() { _ = s.tcp.ServeTLS(secure, "", "") }()
	if !opts.H3 {
		return nil
	}
	return s.startQUIC(h, opts)
}

func (s *Server) startQUIC(h *lab.Host, opts ServerOptions) error {
	udp, err := h.ListenUDP(443)
	if err != nil {
		return err
	}
	s.udp = udp
	s.quic = &quic.Transport{Conn: udp}
	if opts.Retry {
		s.quic.VerifySourceAddress = func(net.Addr) bool { return true }
	}
	s.h3 = &http3.Server{Handler: s.tcp.Handler, Logger: slog.New(slog.DiscardHandler)}
	trust := http3.ConfigureTLSConfig(&tls.Config{Certificates: []tls.Certificate{*opts.Cert}})
	listener, err := s.quic.ListenEarly(trust, &quic.Config{Allow0RTT: true})
	if err != nil {
		return err
	}
	go func() { _ = s.h3.ServeListener(listener) }()
	return nil
}

// Close ends the server and its connections at once.
func (s *Server) Close() error {
	errs := []error{s.tcp.Close()}
	if s.h3 != nil {
		errs = append(errs, s.h3.Close())
	}
	if s.quic != nil {
		errs = append(errs, s.quic.Close())
	}
	if s.udp != nil {
		errs = append(errs, s.udp.Close())
	}
	return errors.Join(errs...)
}
