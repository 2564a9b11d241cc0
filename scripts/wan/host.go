//go:build linux

package wan

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"os/exec"
	"sync"
	"syscall"
	"time"
)

// Host is one machine of a network: its own interfaces, addresses, ports and routes, and the file
// system and processes of the machine it runs on. It is safe for concurrent use.
type Host struct {
	V4, V6 netip.Addr

	net  *Net
	ns   *namespace
	port int

	mu      sync.Mutex // guards servers
	servers []*server
}

func (h *Host) start(addrs []netip.Addr) (err error) {
	if h.ns, err = newNamespace(); err != nil {
		return err
	}
	defer func() {
		if err != nil {
			h.ns.close()
		}
	}()
	fd := -1
	err = h.ns.do(func() (err error) {
		fd, err = openTUN()
		return err
	})
	if err != nil {
		return err
	}
	h.port = h.net.router.attach(fd, addrs)
	return h.ns.configure(deviceSetup(addrs)...)
}

// deviceSetup brings the interfaces up. Duplicate address detection would hold up IPv6 for a second.
func deviceSetup(addrs []netip.Addr) []string {
	lines := []string{"link set lo up", "link set " + device + " up"}
	for _, a := range addrs {
		line := fmt.Sprintf("addr add %s/%d dev %s", a, a.BitLen(), device)
		if a.Is6() {
			line += " nodad"
		}
		lines = append(lines, line)
	}
	return append(lines, "route add 0.0.0.0/0 dev "+device, "route add ::/0 dev "+device)
}

// Do runs f on the caller's goroutine with its thread inside the host: sockets that f opens and
// processes that it starts belong to the host. Calls may nest.
func (h *Host) Do(f func() error) error { return h.ns.do(f) }

// Run starts cmd on the host and waits for its end.
func (h *Host) Run(cmd *exec.Cmd) error {
	if err := h.launch(cmd); err != nil {
		return err
	}
	return cmd.Wait()
}

// Serve starts cmd on the host in the background. It is stopped by [Net.Close] or by the function
// returned, which asks it to end, kills it after 3 s and may be called more than once.
func (h *Host) Serve(cmd *exec.Cmd) (stop func(), err error) {
	if err := h.launch(cmd); err != nil {
		return nil, err
	}
	s := &server{cmd: cmd, ended: make(chan struct{})}
	go func() {
		defer close(s.ended)
		cmd.Wait()
	}()
	h.mu.Lock()
	h.servers = append(h.servers, s)
	h.mu.Unlock()
	return s.stop, nil
}

// launch puts cmd into a process group of its own, which the kernel kills with this process.
func (h *Host) launch(cmd *exec.Cmd) error {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	if err := h.Do(cmd.Start); err != nil {
		return fmt.Errorf("start %s: %w", cmd.Path, err)
	}
	return nil
}

func (h *Host) stop() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, s := range h.servers {
		s.stop()
	}
	h.servers = nil
}

// server is a process in the background.
type server struct {
	cmd   *exec.Cmd
	ended chan struct{}
}

func (s *server) stop() {
	select {
	case <-s.ended:
		return
	default:
	}
	syscall.Kill(-s.cmd.Process.Pid, syscall.SIGTERM)
	select {
	case <-s.ended:
	case <-time.After(3 * time.Second):
		syscall.Kill(-s.cmd.Process.Pid, syscall.SIGKILL)
		<-s.ended
	}
}

// Dial connects from the host to a literal address over "tcp" or "udp".
func (h *Host) Dial(ctx context.Context, network string, addr netip.AddrPort) (conn net.Conn, err error) {
	err = h.Do(func() (err error) {
		dialer := net.Dialer{FallbackDelay: -1}
		conn, err = dialer.DialContext(ctx, network, addr.String())
		return err
	})
	return conn, err
}

// Await waits until something on the host accepts TCP connections at addr, for up to 15 s.
func (h *Host) Await(addr netip.AddrPort) error {
	ctx, cancel := context.WithTimeout(context.Background(), 15*time.Second)
	defer cancel()
	for {
		conn, err := h.Dial(ctx, "tcp", addr)
		if err == nil {
			return conn.Close()
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("nothing accepts connections on %s: %w", addr, err)
		case <-time.After(10 * time.Millisecond):
		}
	}
}
