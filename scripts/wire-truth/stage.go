//go:build linux

package main

import (
	"fmt"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/coldsplit/coldsplit/scripts/wan"
)

// stage is the network that everything is measured over: a client, and a server that Caddy serves on, by
// plain HTTP/1.1, by TLS with HTTP/1.1 and HTTP/2, and by QUIC.
type stage struct {
	dir            string
	net            *wan.Net
	client, server *wan.Host
	ca             string // certificate to trust, PEM
	keys           string // file for TLS secrets
}

// The two answers served: one packet, and many.
const (
	smallPath = "/"
	bigPath   = "/big"
	bigSize   = 200_000
)

func newStage(dir string) (*stage, error) {
	n, err := wan.New(1)
	if err != nil {
		return nil, err
	}
	s := &stage{dir: dir, net: n, ca: filepath.Join(dir, "ca.pem"), keys: filepath.Join(dir, "keys.log")}
	if err := s.populate(); err != nil {
		n.Close()
		return nil, err
	}
	return s, nil
}

// lanes is how many stages there are.
const lanes = 2

// newStages makes networks that know nothing of each other, alike but for their folders below dir.
func newStages(dir string) (stages []*stage, closeAll func(), err error) {
	closeAll = func() {
		for _, s := range stages {
			s.close()
		}
	}
	for i := range lanes {
		below := filepath.Join(dir, fmt.Sprint("stage", i))
		if err := os.Mkdir(below, 0o755); err != nil {
			closeAll()
			return nil, nil, err
		}
		s, err := newStage(below)
		if err != nil {
			closeAll()
			return nil, nil, err
		}
		stages = append(stages, s)
	}
	return stages, closeAll, nil
}

func (s *stage) populate() (err error) {
	if s.client, err = s.net.Host(); err != nil {
		return err
	}
	if s.server, err = s.net.Host(); err != nil {
		return err
	}
	s.setRTT(0)
	if err := writeCertificate(s.dir, s.server.V4); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(s.dir, "big"), []byte(strings.Repeat("x", bigSize)), 0o644); err != nil {
		return err
	}
	return s.serve()
}

// setRTT makes every round trip between the two hosts take as long as given.
func (s *stage) setRTT(rtt time.Duration) {
	s.net.Connect(s.client, s.server, wan.Path{Delay: rtt / 2})
}

// serve starts Caddy and waits until it answers.
func (s *stage) serve() error {
	conf := filepath.Join(s.dir, "Caddyfile")
	if err := os.WriteFile(conf, []byte(s.caddyfile()), 0o644); err != nil {
		return err
	}
	cmd := exec.Command("caddy", "run", "--adapter", "caddyfile", "--config", conf)
	cmd.Env = append(os.Environ(), "HOME="+s.dir, "XDG_DATA_HOME="+s.dir, "XDG_CONFIG_HOME="+s.dir)
	log, err := os.Create(filepath.Join(s.dir, "caddy.log"))
	if err != nil {
		return err
	}
	defer log.Close()
	cmd.Stderr = log
	if _, err := s.server.Serve(cmd); err != nil {
		return err
	}
	for _, port := range []uint16{80, 443} {
		if err := s.client.Await(netip.AddrPortFrom(s.server.V4, port)); err != nil {
			return fmt.Errorf("caddy: %w", err)
		}
	}
	return nil
}

func (s *stage) caddyfile() string {
	const site = `	root * %[1]s
	handle %[2]s {
		file_server
	}
	handle {
		respond "hello"
	}
`
	body := fmt.Sprintf(site, s.dir, bigPath)
	return fmt.Sprintf(`{
	admin off
	auto_https off
	default_sni %[1]s
}
http://%[1]s {
%[2]s}
https://%[1]s {
	tls %[3]s/cert.pem %[3]s/key.pem
%[2]s}
`, s.server.V4, body, s.dir)
}

// url is where the answer at path is served under a scheme.
func (s *stage) url(scheme, path string) string {
	return scheme + "://" + s.server.V4.String() + path
}

func (s *stage) close() error { return s.net.Close() }
