package probe

import (
	"encoding/binary"
	"errors"
	"io"
	"net"
	"os"
	"slices"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// The kernel's software timestamps of one socket (Linux, Documentation/networking/timestamping.rst): when
// packets were received, and when the last byte of a write was handed to the device, numbered by the byte's
// place in the stream or by the datagram: of every write, or of those that ask for it. They need no
// privilege.
const (
	stampArrivals = unix.SOF_TIMESTAMPING_SOFTWARE | unix.SOF_TIMESTAMPING_RX_SOFTWARE |
		unix.SOF_TIMESTAMPING_OPT_ID | unix.SOF_TIMESTAMPING_OPT_TSONLY
	stampDeparture  = unix.SOF_TIMESTAMPING_TX_SOFTWARE
	stampDepartures = stampArrivals | stampDeparture
)

// mostDepartures bounds what is taken from a socket's error queue at once, and what is remembered of it; the
// writes of a request that is stamped are far fewer.
const mostDepartures = 64

// maxStampAge bounds how old a stamp may be; an older one came from a clock that was set meanwhile.
const maxStampAge = time.Minute

// stamps is one socket with the kernel's stamps: a TCP one is read and written through it, one read at a
// time and one write.
type stamps struct {
	conn *net.TCPConn // nil over UDP
	raw  syscall.RawConn

	in, out transfer
	last    time.Time // arrival of the latest bytes, zero when the kernel gave no stamp
	asking  []byte    // with a write for its departure; nil once the kernel would not have it

	mu      sync.Mutex // guards all below
	errors  message
	awaited int // departures that writes asked for and nobody has taken in
	left    []leaving
}

// transfer is a read or a write under way.
type transfer struct {
	message
	b    []byte
	n    int
	err  error
	once func(fd uintptr) bool // one attempt; false waits for the socket
}

// leaving is when the byte at an offset left.
type leaving struct {
	offset uint32
	at     time.Time
}

// newStamps turns arrival stamps on; nil when the kernel has none. Nothing may have been written yet:
// offsets count from here.
func newStamps(conn *net.TCPConn, raw syscall.RawConn) *stamps {
	keepStamping()
	s := &stamps{conn: conn, raw: raw, asking: stampThis}
	if !s.set(stampArrivals) {
		return nil
	}
	s.in.once, s.out.once = s.receive, s.send
	return s
}

func (s *stamps) set(flags int) bool {
	var err error
	ctlErr := s.raw.Control(func(fd uintptr) {
		err = unix.SetsockoptInt(int(fd), unix.SOL_SOCKET, unix.SO_TIMESTAMPING_NEW, flags)
	})
	return ctlErr == nil && err == nil
}

func (s *stamps) read(b []byte) (int, error) {
	if len(b) == 0 {
		return 0, nil
	}
	in := &s.in
	in.b = b
	err := s.raw.Read(in.once)
	in.b = nil
	switch {
	case err != nil:
		return 0, named(err, "read")
	case in.err != nil:
		return 0, s.failure("read", "recvmsg", in.err)
	case in.n == 0:
		return 0, io.EOF
	}
	return in.n, nil
}

// named calls what package net names after its mechanism by what was done.
func named(err error, done string) error {
	var op *net.OpError
	if errors.As(err, &op) && op.Op == "raw-"+done {
		op.Op = done
	}
	return err
}

func (s *stamps) failure(done, call string, err error) error {
	return &net.OpError{Op: done, Net: "tcp", Source: s.conn.LocalAddr(), Addr: s.conn.RemoteAddr(), Err: os.NewSyscallError(call, err)}
}

// receive is one attempt to read; false waits for more.
func (s *stamps) receive(fd uintptr) bool {
	in := &s.in
	for {
		n, control, err := in.message.receive(fd, in.b, unix.MSG_DONTWAIT)
		switch err {
		case unix.EINTR:
			continue
		case unix.EAGAIN:
			return false
		}
		in.n, in.err, s.last = n, err, time.Time{}
		if err == nil {
			s.last = stampOf(control)
		}
		return true
	}
}

// write writes all of b and asks when its last byte leaves. That is told at once as a rule, and taken in
// at once: while the socket's error queue holds anything, poll reports an error and wakes who reads.
func (s *stamps) write(b []byte) (int, error) {
	out := &s.out
	out.b, out.n, out.err = b, 0, nil
	err := s.raw.Write(out.once)
	n := out.n
	out.b = nil
	switch {
	case err != nil:
		return n, named(err, "write")
	case out.err != nil:
		return n, s.failure("write", "sendmsg", out.err)
	}
	if s.asking != nil {
		s.drain(func(leaving) bool { return true })
	}
	return n, nil
}

// send is one attempt to write; false waits for room. A kernel in user space, as containers may run on,
// takes the option of the socket without a word and refuses a write that asks.
func (s *stamps) send(fd uintptr) bool {
	out := &s.out
	for out.n < len(out.b) {
		n, err := out.message.send(fd, out.b[out.n:], s.asking)
		switch {
		case err == nil:
			out.n += n
			s.await()
		case err == unix.EINVAL && s.asking != nil:
			s.asking = nil
		case err == unix.EAGAIN:
			return false
		case err != unix.EINTR:
			out.err = err
			return true
		}
	}
	return true
}

// await counts the departure just asked for.
func (s *stamps) await() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.asking != nil {
		s.awaited++
	}
}

// clear takes in what was asked for and is told by now: an error queue that fills up takes room from the
// data.
func (s *stamps) clear() {
	s.mu.Lock()
	awaited := s.awaited > 0
	s.mu.Unlock()
	if awaited {
		s.drain(nil)
	}
}

// everyWrite turns stamps of every write on or off. Off leaves none behind.
func (s *stamps) everyWrite(on bool) {
	if on {
		s.set(stampDepartures)
		return
	}
	s.set(stampArrivals)
	s.drain(nil)
}

// departed is when the byte or the datagram of that number left for the first time.
func (s *stamps) departed(offset uint32) time.Time {
	var at time.Time
	asked := func(l leaving) bool {
		if l.offset == offset {
			at = l.at
		}
		return l.offset == offset
	}
	s.mu.Lock()
	known := slices.ContainsFunc(s.left, asked)
	s.mu.Unlock()
	if !known {
		s.drain(asked)
	}
	return at
}

// drain empties the socket's error queue, where departures wait, up to the one that enough accepts.
func (s *stamps) drain(enough func(leaving) bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.raw.Control(func(fd uintptr) {
		for range mostDepartures {
			_, control, err := s.errors.receive(fd, nil, unix.MSG_ERRQUEUE|unix.MSG_DONTWAIT)
			if err != nil {
				return
			}
			l, ok := departureOf(control)
			if !ok {
				continue
			}
			s.keep(l)
			if enough != nil && enough(l) {
				return
			}
		}
	})
}

// keep remembers a departure, and forgets the older half when there are many: they are of requests that the
// connection carried before.
func (s *stamps) keep(l leaving) {
	if len(s.left) == mostDepartures {
		s.left = append(s.left[:0], s.left[mostDepartures/2:]...)
	}
	s.left = append(s.left, l)
	s.awaited = max(0, s.awaited-1)
}

// departureOf reads the stamp of a departure and the offset it belongs to.
func departureOf(oob []byte) (leaving, bool) {
	l := leaving{at: stampOf(oob)}
	found := false
	for len(oob) > 0 {
		h, data, rest, err := unix.ParseOneSocketControlMessage(oob)
		if err != nil {
			break
		}
		if isExtendedError(h) && len(data) >= 16 && data[4] == unix.SO_EE_ORIGIN_TIMESTAMPING {
			found = binary.NativeEndian.Uint32(data[8:]) == unix.SCM_TSTAMP_SND
			l.offset = binary.NativeEndian.Uint32(data[12:])
		}
		oob = rest
	}
	return l, found && !l.at.IsZero()
}

func isExtendedError(h unix.Cmsghdr) bool {
	return h.Level == unix.SOL_IP && h.Type == unix.IP_RECVERR ||
		h.Level == unix.SOL_IPV6 && h.Type == unix.IPV6_RECVERR
}

// stampOf finds the software stamp among control messages and puts it on the monotonic clock; zero when
// there is none, or none that can be true.
func stampOf(oob []byte) time.Time {
	for len(oob) > 0 {
		h, data, rest, err := unix.ParseOneSocketControlMessage(oob)
		if err != nil {
			return time.Time{}
		}
		if h.Level == unix.SOL_SOCKET && h.Type == unix.SO_TIMESTAMPING_NEW && len(data) >= 16 {
			return monotonic(data)
		}
		oob = rest
	}
	return time.Time{}
}

// monotonic reads a 64-bit timespec of the wall clock as the same instant on this process's clock.
func monotonic(timespec []byte) time.Time {
	seconds := int64(binary.NativeEndian.Uint64(timespec))
	nanos := int64(binary.NativeEndian.Uint64(timespec[8:]))
	now := time.Now()
	age := time.Duration(now.UnixNano() - seconds*int64(time.Second) - nanos)
	if seconds == 0 || age < 0 || age > maxStampAge {
		return time.Time{}
	}
	return now.Add(-age)
}
