package main

import (
	"bufio"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"strings"

	"github.com/coldsplit/coldsplit/pkg/probe"
	"github.com/coldsplit/coldsplit/pkg/probe/probetest"
	"github.com/quic-go/quic-go/http3"
)

// serve prints its addresses and its root certificate, and serves until its input ends.
func serve([]string) error {
	ca := probetest.NewAuthority()
	certificate := ca.Issue("127.0.0.1")
	config := &tls.Config{Certificates: []tls.Certificate{certificate}}
	handler := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "hello world") })
	secure, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	plain, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	socket, err := net.ListenUDP("udp", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		return err
	}
	go (&http.Server{Handler: handler, TLSConfig: config}).ServeTLS(secure, "", "")
	go http.Serve(plain, handler)
	go (&http3.Server{Handler: handler, TLSConfig: config.Clone()}).Serve(socket)
	fmt.Println(secure.Addr(), plain.Addr(), socket.LocalAddr())
	pem.Encode(os.Stdout, &pem.Block{Type: "CERTIFICATE", Bytes: certificate.Certificate[1]})
	os.Stdout.Close()
	_, err = io.Copy(io.Discard, os.Stdin)
	return err
}

// server is a serve helper as its client sees it.
type server struct {
	secure, plain, quic string
	roots               *x509.CertPool
	root                []byte // of roots, PEM
	stop                func() error
}

func startServer() (*server, error) {
	cmd := exec.Command(os.Args[0], "serve")
	cmd.Stderr = os.Stderr
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	text := bufio.NewReader(stdout)
	line, err := text.ReadString('\n')
	if err != nil {
		return nil, err
	}
	root, err := io.ReadAll(text)
	if err != nil {
		return nil, err
	}
	addrs := strings.Fields(line)
	s := &server{secure: addrs[0], plain: addrs[1], quic: addrs[2], roots: x509.NewCertPool(), root: root}
	s.stop = func() error { stdin.Close(); return cmd.Wait() }
	s.roots.AppendCertsFromPEM(root)
	return s, nil
}

// target returns where a protocol is served.
func (s *server) target(protocol probe.Protocol, scheme string) *probe.Target {
	at := s.secure
	switch {
	case scheme == "http":
		at = s.plain
	case protocol == probe.HTTP3:
		at = s.quic
	}
	return &probe.Target{URL: &url.URL{Scheme: scheme, Host: at, Path: "/"}, Protocol: protocol, RootCAs: s.roots}
}
