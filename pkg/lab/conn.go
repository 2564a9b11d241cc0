package lab

import (
	"bytes"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"gvisor.dev/gvisor/pkg/tcpip"
	"gvisor.dev/gvisor/pkg/waiter"
)

// Conn is a TCP connection of a Host. It is a net.Conn in every respect, half-close
// included, and knows its round trips. Nagle's algorithm and keep-alive are off.
type Conn struct {
	socket
	host          *Host
	local, remote *net.TCPAddr
	flow          *flow // nil within one host
	lastRead      atomic.Pointer[time.Time]

	readMu  sync.Mutex // one reader at a time
	writeMu sync.Mutex // one writer at a time, so that writes do not mix
}

var _ net.Conn = (*Conn)(nil)

// newConn takes over a connected endpoint.
func newConn(h *Host, ep tcpip.Endpoint, wq *waiter.Queue) *Conn {
	c := &Conn{socket: newSocket(h, ep, wq), host: h}
	local, _ := ep.GetLocalAddress()
	remote, _ := ep.GetRemoteAddress()
	from, to := toAddrPort(local), toAddrPort(remote)
	c.local, c.remote = tcpAddr(from), tcpAddr(to)
	c.flow = h.meter.find(flowKey{from, to})
	ep.SocketOptions().SetDelayOption(false)
	return c
}

// Read implements net.Conn.
func (c *Conn) Read(b []byte) (int, error) {
	if len(b) == 0 {
		return 0, nil
	}
	c.readMu.Lock()
	defer c.readMu.Unlock()
	var got tcpip.ReadResult
	err := c.do(waiter.ReadableEvents, &c.read, func() (err tcpip.Error) {
		w := tcpip.SliceWriter(b)
		got, err = c.ep.Read(&w, tcpip.ReadOptions{})
		return err
	})
	if got.Count > 0 {
		now := time.Now()
		c.lastRead.Store(&now)
		c.ep.ModerateRecvBuf(got.Count)
	}
	return got.Count, opError("read", "tcp", c.local, c.remote, err)
}

// Write implements net.Conn. It returns when the stack has taken all of b.
func (c *Conn) Write(b []byte) (int, error) {
	c.writeMu.Lock()
	defer c.writeMu.Unlock()
	rest := bytes.NewReader(b)
	err := error(nil)
	for rest.Len() > 0 && err == nil {
		err = c.do(waiter.WritableEvents, &c.write, func() tcpip.Error {
			_, err := c.ep.Write(rest, tcpip.WriteOptions{})
			return err
		})
	}
	return len(b) - rest.Len(), opError("write", "tcp", c.local, c.remote, err)
}

// Close implements net.Conn: it sends FIN after what was written, or RST if data
// was left unread.
func (c *Conn) Close() error { return c.end("close", c.ep.Close) }

// Abort ends the connection with RST at once, whatever was written.
func (c *Conn) Abort() error { return c.end("abort", c.ep.Abort) }

func (c *Conn) end(op string, release func()) error {
	if !c.shut(release) {
		return opError(op, "tcp", c.local, c.remote, net.ErrClosed)
	}
	c.host.meter.forget(flowKey{c.local.AddrPort(), c.remote.AddrPort()})
	return nil
}

// CloseWrite sends FIN and leaves the reading side open.
func (c *Conn) CloseWrite() error {
	err := errno(c.ep.Shutdown(tcpip.ShutdownWrite))
	return opError("shutdown", "tcp", c.local, c.remote, err)
}

// CloseRead refuses further data from the peer.
func (c *Conn) CloseRead() error {
	err := errno(c.ep.Shutdown(tcpip.ShutdownRead))
	return opError("shutdown", "tcp", c.local, c.remote, err)
}

// LocalAddr implements net.Conn; it is a *net.TCPAddr.
func (c *Conn) LocalAddr() net.Addr { return c.local }

// RemoteAddr implements net.Conn; it is a *net.TCPAddr.
func (c *Conn) RemoteAddr() net.Addr { return c.remote }

// TCPInfo returns what a kernel would say of the connection: the round trip of its
// handshake (of the last SYN, if it was sent again), the least round trip of all
// its timed segments, and how many segments were sent again, SYNs included. It
// stays true after Close. ok is false as long as nothing was timed.
func (c *Conn) TCPInfo() (connectRTT, minRTT time.Duration, totalRetrans uint32, ok bool) {
	if c.flow != nil {
		connectRTT, minRTT, totalRetrans = c.flow.info()
		return connectRTT, minRTT, totalRetrans, connectRTT > 0
	}
	var info tcpip.TCPInfoOption
	if err := c.ep.GetSockOpt(&info); err != nil {
		return 0, 0, 0, false
	}
	return info.RTT, info.RTT, 0, info.RTT > 0
}

// LastRead returns when Read last returned data; the zero time before that.
func (c *Conn) LastRead() time.Time {
	if t := c.lastRead.Load(); t != nil {
		return *t
	}
	return time.Time{}
}
