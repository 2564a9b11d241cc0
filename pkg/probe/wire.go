package probe

import (
	"net"
	"sync"
	"time"

	"github.com/coldsplit/coldsplit/pkg/record"
)

// wire is the raw TCP connection under everything else. It notes when bytes were handed to and
// taken from the network, and keeps the network's own view of the connection at its first Close:
// at EOF the socket may be gone already, and HTTP/2 closes twice.
type wire struct {
	net.Conn

	mu        sync.Mutex // guards all below
	sealed    bool       // later writes are not the request
	inFlight  bool       // a write begun before that byte has not returned
	began     time.Time  // first write since the request began
	wrote     time.Time  // end of the last write begun before the first response byte
	lastRead  time.Time  // when the last bytes came
	firstRead time.Time  // when the first bytes came since the request began
	closed    bool
	connected *record.TCP // the network's view, refreshed at the first Close
}

func newWire(conn net.Conn) *wire {
	w := &wire{Conn: conn}
	w.connected = w.snapshot()
	return w
}

// begin opens the books of the next request on this connection.
func (w *wire) begin() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.sealed, w.inFlight = false, false
	w.began, w.wrote, w.firstRead, w.lastRead = time.Time{}, time.Time{}, time.Time{}, time.Time{}
}

// seal ends the request: the first byte of the response was seen, or the connection is given up.
func (w *wire) seal() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.sealed = true
}

func (w *wire) Write(b []byte) (int, error) {
	counted := w.beginWrite()
	n, err := w.Conn.Write(b)
	if counted {
		w.endWrite()
	}
	return n, err
}

func (w *wire) beginWrite() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.sealed {
		return false
	}
	if w.began.IsZero() {
		w.began = time.Now()
	}
	w.inFlight = true
	return true
}

func (w *wire) endWrite() {
	now := time.Now()
	w.mu.Lock()
	defer w.mu.Unlock()
	w.inFlight = false
	w.wrote = now
}

// SetWriteDeadline ends the request as well: crypto/tls sets one before it says goodbye, and its alert
// is no part of the request.
func (w *wire) SetWriteDeadline(at time.Time) error {
	w.seal()
	return w.Conn.SetWriteDeadline(at)
}

func (w *wire) Read(b []byte) (int, error) {
	n, err := w.Conn.Read(b)
	if n > 0 {
		now := w.readTime()
		w.mu.Lock()
		w.lastRead = now
		if w.firstRead.IsZero() {
			w.firstRead = now
		}
		w.mu.Unlock()
	}
	return n, err
}

func (w *wire) readTime() time.Time {
	if s, ok := w.Conn.(ReadStamper); ok {
		if at := s.LastRead(); !at.IsZero() {
			return at
		}
	}
	return time.Now()
}

// Close keeps the network's view before it closes, the first time.
func (w *wire) Close() error {
	w.mu.Lock()
	if !w.closed {
		w.closed = true
		if info := w.snapshot(); info != nil {
			w.connected = info
		}
	}
	w.mu.Unlock()
	return w.Conn.Close()
}

func (w *wire) snapshot() *record.TCP {
	if informer, ok := w.Conn.(TCPInformer); ok {
		return tcpFacts(informer)
	}
	return nil
}

func tcpFacts(informer TCPInformer) *record.TCP {
	rtt, minRTT, retrans, ok := informer.TCPInfo()
	if !ok {
		return nil
	}
	return &record.TCP{ConnectRTT: rtt, MinRTT: minRTT, TotalRetrans: int(retrans)}
}

// tcp is the network's latest view, nil when it offers none.
func (w *wire) tcp() *record.TCP {
	w.mu.Lock()
	defer w.mu.Unlock()
	if info := w.snapshot(); !w.closed && info != nil {
		w.connected = info
	}
	return w.connected
}

// requestWrites is what the wire knows of the request's way out.
type requestWrites struct {
	began, wrote        time.Time
	firstRead, lastRead time.Time
	inFlight            bool
}

func (w *wire) writes() requestWrites {
	w.mu.Lock()
	defer w.mu.Unlock()
	return requestWrites{began: w.began, wrote: w.wrote, firstRead: w.firstRead, lastRead: w.lastRead, inFlight: w.inFlight}
}
