package scenario

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/netip"
	"net/url"
	"strconv"
	"sync"
)

// ServeOptions says where a world's front doors open on this machine.
type ServeOptions struct {
	// Addr is the local address; the zero value means 127.0.0.1.
	Addr netip.Addr
	// FirstPort is the first door's port, the others follow; 0 takes free ones.
	FirstPort int
}

// FrontDoor is a local port, TCP and UDP, that leads to one server of a world.
type FrontDoor struct {
	// Local is the address and port here.
	Local netip.AddrPort
	// Host is the name to ask for: in TLS, in the Host field, and with curl's
	// --resolve HOST:PORT:ADDRESS.
	Host string
	// Routes are the arms that go through here, each with its URL on this port.
	Routes []FrontRoute
}

// FrontRoute is one arm behind a front door.
type FrontRoute struct {
	Name, URL string
}

// Resolve returns curl's --resolve argument for the door.
func (f FrontDoor) Resolve() string {
	return fmt.Sprintf("%s:%d:%s", f.Host, f.Local.Port(), f.Local.Addr())
}

// Served are the open front doors of a world.
type Served struct {
	// Doors are in the order of the arms.
	Doors []FrontDoor

	stop  context.CancelFunc
	ports map[string]int // door of each host and name connected to
	open  []io.Closer
	done  sync.WaitGroup
}

// Serve opens a world's front doors on this machine, for curl, browsers and other
// tools. What comes in walks the world's delays: DNS aside, which such a tool asks
// elsewhere, all of them but the TCP handshake's, which the local port accepts at
// once (connections to the world are opened ahead, so that TLS does not pay for
// it). It ends with ctx or Close, whichever is first; Close also waits.
func Serve(ctx context.Context, w *World, opts ServeOptions) (*Served, error) {
	ctx, stop := context.WithCancel(ctx)
	s := &Served{stop: stop, ports: map[string]int{}}
	for _, a := range w.arms {
		if err := s.admit(ctx, w, opts, a); err != nil {
			_ = s.Close()
			return nil, fmt.Errorf("serve %s: %w", w.doc.name, err)
		}
	}
	s.done.Go(func() {
		<-ctx.Done()
		s.shut()
	})
	return s, nil
}

// Close shuts the doors and waits until nothing goes through them.
func (s *Served) Close() error {
	s.stop()
	s.shut()
	s.done.Wait()
	return nil
}

func (s *Served) shut() {
	for _, c := range s.open {
		_ = c.Close()
	}
}

// admit adds an arm to the door of its server, opening it first if need be.
func (s *Served) admit(ctx context.Context, w *World, opts ServeOptions, a Arm) error {
	u, err := url.Parse(a.URL)
	if err != nil {
		return err
	}
	host, name := u.Hostname(), or(a.Via, u.Hostname())
	i, open := s.ports[host+" "+name]
	if !open {
		i = len(s.Doors)
		local, err := s.openDoor(ctx, w, opts.at(i), name)
		if err != nil {
			return err
		}
		s.ports[host+" "+name] = i
		s.Doors = append(s.Doors, FrontDoor{Local: local, Host: host})
	}
	d := &s.Doors[i]
	u.Host = net.JoinHostPort(host, strconv.Itoa(int(d.Local.Port())))
	d.Routes = append(d.Routes, FrontRoute{Name: a.Name, URL: u.String()})
	return nil
}

// at is where the door of that number opens.
func (o ServeOptions) at(number int) netip.AddrPort {
	addr := o.Addr
	if !addr.IsValid() {
		addr = netip.AddrFrom4([4]byte{127, 0, 0, 1})
	}
	port := o.FirstPort
	if port > 0 {
		port += number
	}
	return netip.AddrPortFrom(addr, uint16(port))
}

// openDoor finds the server behind a name and starts to carry bytes to it.
func (s *Served) openDoor(ctx context.Context, w *World, at netip.AddrPort, name string) (netip.AddrPort, error) {
	addrs, err := w.client.Lookup(ctx, name)
	if err != nil {
		return netip.AddrPort{}, err
	}
	to := netip.AddrPortFrom(addrs[0], 443)
	tcp, udp, err := listenBoth(at)
	if err != nil {
		return netip.AddrPort{}, err
	}
	s.open = append(s.open, tcp, udp)
	s.done.Go(func() { newCarrier(w.client, to).tcp(ctx, tcp) })
	s.done.Go(func() { newShuttle(w.client, to, udp).run(ctx) })
	return netip.MustParseAddrPort(tcp.Addr().String()), nil
}

// portTries is how often a free TCP port may turn out to be taken for UDP.
const portTries = 20

// listenBoth opens TCP and UDP on one port, because HTTP/3 is looked for on the
// port of HTTP/2.
func listenBoth(at netip.AddrPort) (tcp *net.TCPListener, udp *net.UDPConn, err error) {
	for range portTries {
		tcp, err = net.ListenTCP("tcp", net.TCPAddrFromAddrPort(at))
		if err != nil {
			return nil, nil, err
		}
		udp, err = net.ListenUDP("udp", net.UDPAddrFromAddrPort(netip.MustParseAddrPort(tcp.Addr().String())))
		if err == nil {
			return tcp, udp, nil
		}
		_ = tcp.Close()
	}
	return nil, nil, err
}
