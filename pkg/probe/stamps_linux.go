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

// The kernel's software timestamps of one socket (Linux, Documentation/networking/timestamping.rst):
// when packets were received, and with departures on, when the last byte of each write was handed to
// the device, numbered by the byte's place in the stream. They need no privilege.
const (
	stampArrivals = unix.SOF_TIMESTAMPING_SOFTWARE | unix.SOF_TIMESTAMPING_RX_SOFTWARE |
		unix.SOF_TIMESTAMPING_OPT_ID | unix.SOF_TIMESTAMPING_OPT_TSONLY
	stampDepartures = stampArrivals | unix.SOF_TIMESTAMPING_TX_SOFTWARE
)

// maxStampAge bounds how old a stamp may be; an older one came from a clock that was set meanwhile.
const maxStampAge = time.Minute

// stamps reads one TCP socket together with the kernel's stamps. One read at a time.
type stamps struct {
	conn *net.TCPConn
	raw  syscall.RawConn

	into []byte // of the read under way
	n    int
	err  error
	oob  [128]byte
	last time.Time // arrival of the latest bytes, zero when the kernel gave no stamp

	mu   sync.Mutex // guards left
	left []leaving
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
	s := &stamps{conn: conn, raw: raw}
	if !s.set(stampArrivals) {
		return nil
	}
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
	s.into = b
	err := s.raw.Read(s.receive)
	s.into = nil
	switch {
	case err != nil:
		return 0, readError(err)
	case s.err != nil:
		return 0, &net.OpError{Op: "read", Net: "tcp", Source: s.conn.LocalAddr(), Addr: s.conn.RemoteAddr(), Err: os.NewSyscallError("recvmsg", s.err)}
	case s.n == 0:
		return 0, io.EOF
	}
	return s.n, nil
}

// readError calls what package net names after its mechanism by what was done.
func readError(err error) error {
	var op *net.OpError
	if errors.As(err, &op) && op.Op == "raw-read" {
		op.Op = "read"
	}
	return err
}

// receive is one attempt to read; false waits for more.
func (s *stamps) receive(fd uintptr) bool {
	for {
		n, oobn, _, _, err := unix.Recvmsg(int(fd), s.into, s.oob[:], unix.MSG_DONTWAIT)
		switch err {
		case unix.EINTR:
			continue
		case unix.EAGAIN:
			return false
		}
		s.n, s.err, s.last = n, err, time.Time{}
		if err == nil {
			s.last = stampOf(s.oob[:oobn])
		}
		return true
	}
}

// departures turns stamps of writes on or off. Off leaves none behind: while the socket's error queue
// holds anything poll reports an error, and one that fills up takes room from the data.
func (s *stamps) departures(on bool) {
	if on {
		s.mu.Lock()
		s.left = s.left[:0] // of earlier requests on this connection
		s.mu.Unlock()
		s.set(stampDepartures)
		return
	}
	s.set(stampArrivals)
	s.drain(nil)
}

// departed is when the byte at offset left for the first time.
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
	const most = 64
	var oob [256]byte
	var none [1]byte // of no buffer at all package unix would ask the socket's type each time
	s.mu.Lock()
	defer s.mu.Unlock()
	s.raw.Control(func(fd uintptr) {
		for range most {
			_, n, _, _, err := unix.Recvmsg(int(fd), none[:], oob[:], unix.MSG_ERRQUEUE|unix.MSG_DONTWAIT)
			if err != nil {
				return
			}
			l, ok := departureOf(oob[:n])
			if !ok {
				continue
			}
			s.left = append(s.left, l)
			if enough != nil && enough(l) {
				return
			}
		}
	})
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
