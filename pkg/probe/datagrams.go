package probe

import (
	"net"
	"slices"
	"sync"
	"time"

	"github.com/quic-go/quic-go/qlog"
)

// datagrams is what a UDP socket saw of the datagrams whose packets quic-go tells of. qlog events come
// when a packet was built or has been processed; the kernel's stamps say when it left and came.
type datagrams struct {
	stamps *stamps // nil when the kernel gives none

	mu       sync.Mutex // guards all below
	written  int64      // bytes handed over
	count    uint32     // datagrams handed over with stamps on
	leaving  []datagram
	stamping bool
	unread   []unread // arrived, and not yet told of by quic-go; in order
	latest   unread   // the one told of last, which may hold several packets
}

// unread is a datagram that arrived.
type unread struct {
	sum  qlog.DatagramPayloadChecksum // 0 when it holds a single packet with a short header
	size int
	at   time.Time
}

// datagram is one write on the socket.
type datagram struct {
	end    int64     // bytes handed over with it
	number uint32    // as the kernel counts
	began  time.Time // when it was handed over
}

// maxStampedDatagrams is maxStamped for a whole QUIC connection, with room for its handshake.
const maxStampedDatagrams = 2 * maxStamped

// maxUnread bounds the datagrams kept for packets that quic-go has not told of: some it drops in silence.
const maxUnread = 4096

// newDatagrams asks the kernel for stamps of everything that arrives at udp, and of what leaves it while
// that is little.
func newDatagrams(udp *net.UDPConn) *datagrams {
	d := &datagrams{}
	raw, err := udp.SyscallConn()
	if err != nil {
		return d
	}
	if d.stamps = newStamps(nil, raw); d.stamps != nil {
		d.stamping = true
		d.stamps.everyWrite(true)
	}
	return d
}

// leave performs a write and keeps when it was and which it is.
func (d *datagrams) leave(n int, write func() error) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.stamping && d.written+int64(n) > maxStampedDatagrams {
		d.stamping = false
		d.stamps.everyWrite(false)
	}
	began := time.Now()
	if err := write(); err != nil {
		return err
	}
	d.written += int64(n)
	if d.stamping {
		d.leaving = append(d.leaving, datagram{end: d.written, number: d.count, began: began})
		d.count++
	}
	return nil
}

// timesDepartures reports whether what leaves is stamped still.
func (d *datagrams) timesDepartures() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.stamping
}

// departed is when the datagram left that carried the byte at end, counted as leave counts; stamped tells
// whether by the kernel's clock. It is false for a long upload.
func (d *datagrams) departed(end int64) (at time.Time, stamped, ok bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, g := range d.leaving {
		if g.end < end {
			continue
		}
		if at := d.stamps.departed(g.number); !at.IsZero() {
			return at, true, true
		}
		return g.began, false, true
	}
	return time.Time{}, false, false
}

// arrive keeps when a datagram came in.
func (d *datagrams) arrive(payload []byte, at time.Time) {
	const longHeader = 0x80
	u := unread{size: len(payload), at: at}
	if len(payload) > 0 && payload[0]&longHeader != 0 {
		u.sum = qlog.CalculateDatagramPayloadChecksum(payload)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.unread) >= maxUnread {
		d.unread = d.unread[:0]
	}
	d.unread = append(d.unread, u)
}

// arrival is when the datagram of a packet came in; zero when the kernel did not say. quic-go tells the
// checksum of datagrams that begin with a long header, which may hold several packets; one with a short
// header is the whole datagram, and the earliest of its size is meant.
func (d *datagrams) arrival(sum qlog.DatagramPayloadChecksum, size int) time.Time {
	d.mu.Lock()
	defer d.mu.Unlock()
	i := slices.IndexFunc(d.unread, func(u unread) bool { return u.sum == sum && (sum != 0 || u.size == size) })
	if i >= 0 {
		d.latest = d.unread[i]
		d.unread = slices.Delete(d.unread, i, i+1)
		return d.latest.at
	}
	if sum != 0 && sum == d.latest.sum {
		return d.latest.at
	}
	return time.Time{}
}
