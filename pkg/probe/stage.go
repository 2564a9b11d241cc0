package probe

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"fmt"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/netip"
	"time"

	"github.com/quic-go/quic-go"
	"github.com/quic-go/quic-go/http3"
)

// stage is the loopback server of a rehearsal, over TCP and QUIC.
type stage struct {
	tcp, udp netip.AddrPort
	roots    *x509.CertPool
	closers  []func() error
	serving  []chan struct{}
}

func newStage() (*stage, error) {
	cert, roots, err := throwawayCertificate()
	if err != nil {
		return nil, err
	}
	s := &stage{roots: roots}
	if err := s.serveTCP(cert); err != nil {
		s.close()
		return nil, err
	}
	if err := s.serveQUIC(cert); err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

func (s *stage) serveTCP(cert tls.Certificate) error {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	server := &http.Server{
		Handler: http.HandlerFunc(bow), ErrorLog: log.New(io.Discard, "", 0),
		TLSConfig: &tls.Config{Certificates: []tls.Certificate{cert}}, ReadHeaderTimeout: time.Second,
	}
	s.tcp = l.Addr().(*net.TCPAddr).AddrPort()
	s.serve(func() { server.ServeTLS(l, "", "") }, server.Close)
	return nil
}

func (s *stage) serveQUIC(cert tls.Certificate) error {
	socket, err := net.ListenUDP("udp", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		return err
	}
	transport := &quic.Transport{Conn: quiet(socket, &firstDatagram{})}
	config := http3.ConfigureTLSConfig(&tls.Config{Certificates: []tls.Certificate{cert}})
	l, err := transport.ListenEarly(config, nil)
	if err != nil {
		socket.Close()
		return err
	}
	server := &http3.Server{Handler: http.HandlerFunc(bow)}
	s.udp = socket.LocalAddr().(*net.UDPAddr).AddrPort()
	s.serve(func() { server.ServeListener(l) }, server.Close, l.Close, transport.Close, socket.Close)
	return nil
}

func (s *stage) serve(run func(), closers ...func() error) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		run()
	}()
	s.closers = append(s.closers, closers...)
	s.serving = append(s.serving, done)
}

// close ends both servers and waits for them.
func (s *stage) close() {
	for _, c := range s.closers {
		c()
	}
	for _, done := range s.serving {
		<-done
	}
}

// bow answers with a little content.
func bow(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "ready") }

// throwawayCertificate is a root and a leaf for loopback, valid for an hour: two certificates, so that
// the rehearsal verifies a chain as a real exchange does.
func throwawayCertificate() (tls.Certificate, *x509.CertPool, error) {
	root := throwaway("coldsplit prewarm")
	root.KeyUsage, root.IsCA, root.BasicConstraintsValid = x509.KeyUsageCertSign, true, true
	root, rootKey, err := issue(root, nil, nil)
	if err != nil {
		return tls.Certificate{}, nil, fmt.Errorf("throwaway root: %w", err)
	}
	leaf := throwaway("localhost")
	leaf.KeyUsage, leaf.ExtKeyUsage = x509.KeyUsageDigitalSignature, []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}
	leaf.IPAddresses = []net.IP{net.IPv4(127, 0, 0, 1)}
	leaf, leafKey, err := issue(leaf, root, rootKey)
	if err != nil {
		return tls.Certificate{}, nil, fmt.Errorf("throwaway certificate: %w", err)
	}
	pool := x509.NewCertPool()
	pool.AddCert(root)
	return tls.Certificate{Certificate: [][]byte{leaf.Raw, root.Raw}, PrivateKey: leafKey}, pool, nil
}

func throwaway(name string) *x509.Certificate {
	now := time.Now()
	return &x509.Certificate{
		SerialNumber: big.NewInt(now.UnixNano()), Subject: pkix.Name{CommonName: name},
		NotBefore: now.Add(-time.Hour), NotAfter: now.Add(time.Hour),
	}
}

// issue signs template with a new key of its own, or with the parent's.
func issue(template, parent *x509.Certificate, parentKey *ecdsa.PrivateKey) (*x509.Certificate, *ecdsa.PrivateKey, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, nil, err
	}
	if parent == nil {
		parent, parentKey = template, key
	}
	der, err := x509.CreateCertificate(rand.Reader, template, parent, &key.PublicKey, parentKey)
	if err != nil {
		return nil, nil, err
	}
	cert, err := x509.ParseCertificate(der)
	return cert, key, err
}
