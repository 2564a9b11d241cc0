package scenario

import (
	"context"
	"errors"
	"io"
	"net"
	"net/netip"
	"sync"
	"time"

	"github.com/coldsplit/coldsplit/pkg/lab"
)

// carrier takes TCP connections from this machine into a world. It keeps a few
// connections there open ahead.
type carrier struct {
	from  *lab.Host
	to    netip.AddrPort
	spare chan net.Conn
	done  sync.WaitGroup
}

// spares is how many connections are open ahead of their use: a browser opens six
// at a time.
const spares = 6

func newCarrier(from *lab.Host, to netip.AddrPort) *carrier {
	return &carrier{from: from, to: to, spare: make(chan net.Conn)}
}

// tcp carries connections until the listener is closed, and waits for them.
func (c *carrier) tcp(ctx context.Context, l *net.TCPListener) {
	ctx, stop := context.WithCancel(ctx)
	for range spares {
		c.done.Go(func() { c.keepSpare(ctx) })
	}
	for {
		local, err := l.Accept()
		if err != nil {
			break
		}
		c.done.Go(func() { c.carry(ctx, local) })
	}
	stop()
	c.done.Wait()
}

// keepSpare holds one connection ready at any time.
func (c *carrier) keepSpare(ctx context.Context) {
	for ctx.Err() == nil {
		remote, err := c.from.Dial(ctx, "tcp", c.to)
		if err != nil {
			if !pause(ctx, time.Second) {
				return
			}
			continue
		}
		select {
		case c.spare <- remote:
		case <-ctx.Done():
			_ = remote.Close()
		}
	}
}

func pause(ctx context.Context, d time.Duration) bool {
	select {
	case <-time.After(d):
		return true
	case <-ctx.Done():
		return false
	}
}

// carry joins a local connection with a spare one until both directions have ended.
func (c *carrier) carry(ctx context.Context, local net.Conn) {
	defer local.Close()
	var remote net.Conn
	select {
	case remote = <-c.spare:
	case <-ctx.Done():
		return
	}
	defer remote.Close()
	stop := context.AfterFunc(ctx, func() {
		_ = local.Close()
		_ = remote.Close()
	})
	defer stop()
	var wg sync.WaitGroup
	wg.Go(func() { pour(remote, local) })
	wg.Go(func() { pour(local, remote) })
	wg.Wait()
}

// pour copies one direction and hands its end on.
func pour(to, from net.Conn) {
	_, _ = io.Copy(to, from)
	if half, ok := to.(interface{ CloseWrite() error }); ok {
		_ = half.CloseWrite()
	}
}

// shuttle takes datagrams from this machine into a world and back, with a socket in
// the world for every local sender.
type shuttle struct {
	from  *lab.Host
	to    netip.AddrPort
	local *net.UDPConn
	done  sync.WaitGroup

	mu      sync.Mutex // guards sockets
	sockets map[netip.AddrPort]net.Conn
}

// quietAfter is how long a sender's socket is kept after its last answer.
const quietAfter = time.Minute

// largestDatagram is the most UDP can carry.
const largestDatagram = 65535

func newShuttle(from *lab.Host, to netip.AddrPort, local *net.UDPConn) *shuttle {
	return &shuttle{from: from, to: to, local: local, sockets: map[netip.AddrPort]net.Conn{}}
}

// run carries datagrams until the local socket is closed, and waits for the rest.
func (s *shuttle) run(ctx context.Context) {
	buf := make([]byte, largestDatagram)
	for {
		n, sender, err := s.local.ReadFromUDPAddrPort(buf)
		if errors.Is(err, net.ErrClosed) {
			break
		}
		if err != nil {
			continue
		}
		if socket, err := s.socket(ctx, sender); err == nil {
			_, _ = socket.Write(buf[:n])
		}
	}
	s.closeAll()
	s.done.Wait()
}

// socket returns the sender's socket in the world, made on its first datagram.
func (s *shuttle) socket(ctx context.Context, sender netip.AddrPort) (net.Conn, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c := s.sockets[sender]; c != nil {
		return c, nil
	}
	c, err := s.from.Dial(ctx, "udp", s.to)
	if err != nil {
		return nil, err
	}
	s.sockets[sender] = c
	s.done.Go(func() { s.back(c, sender) })
	return c, nil
}

// back carries answers to their sender until the socket has been quiet for long.
func (s *shuttle) back(c net.Conn, sender netip.AddrPort) {
	buf := make([]byte, largestDatagram)
	for {
		_ = c.SetReadDeadline(time.Now().Add(quietAfter))
		n, err := c.Read(buf)
		if err != nil {
			break
		}
		_, _ = s.local.WriteToUDPAddrPort(buf[:n], sender)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.sockets, sender)
	_ = c.Close()
}

func (s *shuttle) closeAll() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range s.sockets {
		_ = c.Close()
	}
}
