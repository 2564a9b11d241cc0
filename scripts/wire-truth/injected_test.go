//go:build linux

package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/coldsplit/coldsplit/pkg/probe"
	"github.com/coldsplit/coldsplit/pkg/record"
	"github.com/coldsplit/coldsplit/pkg/segment"
	"github.com/coldsplit/coldsplit/pkg/servertest"
	"github.com/coldsplit/coldsplit/scripts/wan"
)

// What is injected, and how far above it the median may be on a machine with other things to do.
const (
	injected = 60 * time.Millisecond
	slack    = 30 * time.Millisecond
	thinking = 40 * time.Millisecond
	tries    = 7
)

// world is a client, a resolver, an authority behind a slow path, a proxy and an origin that thinks.
type world struct {
	net                                        *wan.Net
	client, resolver, authority, proxy, origin *wan.Host
}

func newWorld(t *testing.T) *world {
	t.Helper()
	n, err := wan.New(1)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { n.Close() })
	w := &world{net: n}
	for _, h := range []**wan.Host{&w.client, &w.resolver, &w.authority, &w.proxy, &w.origin} {
		if *h, err = n.Host(); err != nil {
			t.Fatal(err)
		}
	}
	for _, h := range []*wan.Host{w.resolver, w.proxy, w.origin} {
		n.Connect(w.client, h, wan.Path{})
	}
	w.serveOrigin(t)
	return w
}

// serveOrigin answers plain HTTP on port 80 after thinking.
func (w *world) serveOrigin(t *testing.T) {
	t.Helper()
	var l net.Listener
	err := w.origin.Do(func() (err error) {
		l, err = net.Listen("tcp", netip.AddrPortFrom(w.origin.V4, 80).String())
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: http.HandlerFunc(func(rw http.ResponseWriter, _ *http.Request) {
		time.Sleep(thinking)
		io.WriteString(rw, "hello")
	})}
	go server.Serve(l)
	t.Cleanup(func() { server.Close() })
}

// serve runs a real server on a host and waits until it accepts connections.
func serve(t *testing.T, h *wan.Host, at netip.AddrPort, path string, args ...string) {
	t.Helper()
	cmd := exec.Command(path, args...)
	log, err := os.Create(filepath.Join(t.TempDir(), "log"))
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	cmd.Stdout, cmd.Stderr = log, log
	if _, err := h.Serve(cmd); err != nil {
		t.Fatal(err)
	}
	if err := h.Await(at); err != nil {
		said, _ := os.ReadFile(log.Name())
		t.Fatalf("%v\n%s", err, said)
	}
}

// median performs a few exchanges and returns the median of segment k.
func (w *world) median(t *testing.T, target *probe.Target, k segment.Key) time.Duration {
	t.Helper()
	p := probe.Prober{Network: onHost{host: w.client, resolvers: []netip.AddrPort{netip.AddrPortFrom(w.resolver.V4, 53)}}}
	var list []time.Duration
	for range tries {
		e := p.Do(context.Background(), target).Exchange
		if e.Outcome != record.OK {
			t.Fatalf("%s: %+v", e.Outcome, e.Error)
		}
		d, _ := e.Segments.Get(k)
		list = append(list, d)
	}
	slices.Sort(list)
	return rank(list, 50)
}

func agrees(t *testing.T, k segment.Key, got, want time.Duration) {
	t.Helper()
	t.Logf("%s: %v injected, %v measured (median of %d)", k, want, got, tries)
	if got < want || got > want+slack {
		t.Errorf("%s is %v, want %v to %v", k, got, want, want+slack)
	}
}

// TestDNSShowsTheResolversDelay has unbound ask an authority far away for every look-up.
func TestDNSShowsTheResolversDelay(t *testing.T) {
	needs(t, "ip", "unbound", "dnsmasq")
	w := newWorld(t)
	w.net.Connect(w.resolver, w.authority, wan.Path{Delay: injected / 2})
	dir := t.TempDir()
	zone := servertest.Write(t, dir, "dnsmasq.conf", fmt.Sprintf(
		"listen-address=%s\nbind-interfaces\nno-resolv\nno-hosts\nuser=\ngroup=\npid-file=\nlocal-ttl=0\nlocal=/test/\nhost-record=far.test,%s\n", w.authority.V4, w.origin.V4))
	serve(t, w.authority, netip.AddrPortFrom(w.authority.V4, 53), servertest.Require(t, "dnsmasq"), "--keep-in-foreground", "-C", zone)
	conf := servertest.Write(t, dir, "unbound.conf", fmt.Sprintf(`server:
  do-daemonize: no
  username: ""
  chroot: ""
  directory: %q
  pidfile: ""
  use-syslog: no
  module-config: "iterator"
  interface: %s
  access-control: 0.0.0.0/0 allow
  local-zone: "test." nodefault
  cache-max-negative-ttl: 0
  outgoing-interface: %[2]s
forward-zone:
  name: "."
  forward-addr: %s
remote-control:
  control-enable: no
`, dir, w.resolver.V4, w.authority.V4))
	serve(t, w.resolver, netip.AddrPortFrom(w.resolver.V4, 53), servertest.Require(t, "unbound"), "-d", "-c", conf)
	agrees(t, segment.DNS, w.median(t, &probe.Target{URL: parsed(t, "http://far.test/"), Family: 4}, segment.DNS), injected)
}

// TestProxyShowsTheTunnelsDelay puts the path between the proxy and the origin into CONNECT.
func TestProxyShowsTheTunnelsDelay(t *testing.T) {
	needs(t, "ip", "tinyproxy", "caddy")
	w := newWorld(t)
	w.net.Connect(w.proxy, w.origin, wan.Path{Delay: injected / 2})
	dir := t.TempDir()
	if err := writeCertificate(dir, w.origin.V4); err != nil {
		t.Fatal(err)
	}
	site := servertest.Write(t, dir, "Caddyfile", fmt.Sprintf("{\n\tadmin off\n\tauto_https off\n\tdefault_sni %[1]s\n}\nhttps://%[1]s {\n\ttls %[2]s/cert.pem %[2]s/key.pem\n\trespond hello\n}\n", w.origin.V4, dir))
	serve(t, w.origin, netip.AddrPortFrom(w.origin.V4, 443), servertest.Require(t, "caddy"), "run", "--adapter", "caddyfile", "--config", site)
	conf := servertest.Write(t, dir, "tinyproxy.conf", fmt.Sprintf("Port 3128\nListen %s\nTimeout 60\nMaxClients 20\nLogLevel Error\n", w.proxy.V4))
	serve(t, w.proxy, netip.AddrPortFrom(w.proxy.V4, 3128), servertest.Require(t, "tinyproxy"), "-d", "-c", conf)
	target := &probe.Target{
		URL: parsed(t, "https://"+w.origin.V4.String()+"/"), RootCAs: trusted(t, filepath.Join(dir, "ca.pem")),
		Proxy: &url.URL{Scheme: "http", Host: netip.AddrPortFrom(w.proxy.V4, 3128).String()},
	}
	agrees(t, segment.Proxy, w.median(t, target, segment.Proxy), injected)
}

// TestWaitShowsTheServersThinking measures a server that thinks behind a short path.
func TestWaitShowsTheServersThinking(t *testing.T) {
	needs(t, "ip")
	w := newWorld(t)
	target := &probe.Target{URL: parsed(t, "http://"+w.origin.V4.String()+"/")}
	agrees(t, segment.Wait, w.median(t, target, segment.Wait), thinking)
	w.net.Connect(w.client, w.origin, wan.Path{Delay: injected / 2})
	agrees(t, segment.TCP, w.median(t, target, segment.TCP), injected)
}

// TestALostSYNShowsInTCPAlone loses exactly one packet: the kernel sends the SYN again after a second
// (RFC 6298 section 2).
func TestALostSYNShowsInTCPAlone(t *testing.T) {
	needs(t, "ip")
	w := newWorld(t)
	w.net.Route(w.client, w.origin, wan.Path{Drop: wan.DropFirst(1, wan.Packet.IsSYN)})
	p := probe.Prober{Network: onHost{host: w.client}}
	target := &probe.Target{URL: parsed(t, "http://"+w.origin.V4.String()+"/")}
	lost, next := p.Do(context.Background(), target).Exchange, p.Do(context.Background(), target).Exchange
	if lost.Outcome != record.OK || next.Outcome != record.OK {
		t.Fatalf("outcomes %s and %s", lost.Outcome, next.Outcome)
	}
	if lost.TCP == nil || lost.TCP.TotalRetrans != 1 || next.TCP == nil || next.TCP.TotalRetrans != 0 {
		t.Errorf("retransmissions: %+v, then %+v; want 1, then none", lost.TCP, next.TCP)
	}
	if d, _ := lost.Segments.Get(segment.TCP); d < time.Second || d > time.Second+500*time.Millisecond {
		t.Errorf("tcp %v, want a second and little more", d)
	}
	for _, k := range []segment.Key{segment.Send, segment.Wait, segment.Transfer} {
		if d, _ := lost.Segments.Get(k); d > time.Second/2 {
			t.Errorf("%s %v holds time of the lost SYN", k, d)
		}
	}
}
