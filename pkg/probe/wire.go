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
	written   int64      // bytes handed over since the connection opened
	request   requestWrites
	closed    bool
	connected *record.TCP   // the network's view, refreshed at the first Close
	asked     chan struct{} // closed when the request begins to leave; nil when nobody waits for that
}

// requestWrites is what the wire knows of one request and of what came back.
type requestWrites struct {
	sealed    bool      // later writes are not the request
	inFlight  bool      // a write begun before the first response byte has not returned
	began     time.Time // first write since the request began
	last      rawWrite  // the latest write begun before the first response byte
	late      int       // writes begun after that byte
	marked    rawWrite  // the latest write when HTTP/2 said that the request was written
	overtaken bool      // it said so after writes begun late
	from      int64     // bytes written before the request
	stamping  bool      // the network is asked when writes leave
	tooLong   bool      // stamps were given up: the request is longer than maxStamped
	firstRead time.Time // when the first bytes came since the request began
	latest    arrival   // the latest bytes that came
	first     arrival   // the latest bytes when the first response byte was seen
	got       int       // bytes that came since the request began
}

// rawWrite is one write on the socket.
type rawWrite struct {
	began, ended time.Time
	end          int64 // bytes written on the connection with it
}

// arrival is when raw bytes came in.
type arrival struct {
	at      time.Time
	stamped bool // by the network; otherwise by this process once it was running again
	got     int  // bytes since the request began, these included
}

// maxStamped bounds the bytes of a request whose departure the network is asked for. Past it the
// stamps' bookkeeping fills the socket's error queue, and an upload over a long path fails.
const maxStamped = 16 << 10

func newWire(conn net.Conn) *wire {
	w := &wire{Conn: conn}
	w.connected = w.snapshot()
	return w
}

// begin opens the books of the next request on this connection, whose content has the length given.
func (w *wire) begin(content int) {
	stamper, ok := w.Conn.(WriteStamper)
	stamping := ok && content < maxStamped
	if ok {
		stamper.StampWrites(stamping)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.request = requestWrites{from: w.written, stamping: stamping, tooLong: ok && !stamping}
}

// holdAnswers keeps what a server says before it is asked from the reader until the request begins to
// leave. net/http gives up a connection on which it finds such bytes a moment too early, so that the same
// server would fail now and then, in words of net/http's own.
func (w *wire) holdAnswers() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.asked = make(chan struct{})
}

// letAnswers hands over what was held back; w.mu is held.
func (w *wire) letAnswers() {
	if w.asked != nil {
		close(w.asked)
		w.asked = nil
	}
}

// seal ends the request: the first byte of the response was seen, or the connection is given up.
func (w *wire) seal() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.request.sealed {
		w.request.sealed, w.request.first = true, w.request.latest
	}
}

// mark keeps the write that carried the end of a request whose frames were flushed.
func (w *wire) mark() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.request.marked, w.request.overtaken = w.request.last, w.request.late > 0
}

func (w *wire) Write(b []byte) (int, error) {
	w.beginWrite(len(b))
	n, err := w.Conn.Write(b)
	w.endWrite(n)
	return n, err
}

func (w *wire) beginWrite(n int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.letAnswers()
	r := &w.request
	if r.stamping && w.written+int64(n)-r.from > maxStamped {
		r.stamping, r.tooLong = false, true
		w.Conn.(WriteStamper).StampWrites(false)
	}
	if r.sealed {
		r.late++
		return
	}
	now := time.Now()
	if r.began.IsZero() {
		r.began = now
	}
	r.inFlight = true
	r.last = rawWrite{began: now, end: w.written + int64(n)}
}

func (w *wire) endWrite(n int) {
	now := time.Now()
	w.mu.Lock()
	defer w.mu.Unlock()
	w.written += int64(n)
	if w.request.inFlight {
		w.request.inFlight, w.request.last.ended = false, now
	}
}

// departed is when the network says that the last byte of rw left.
func (w *wire) departed(rw rawWrite) (time.Time, bool) {
	stamper, ok := w.Conn.(WriteStamper)
	if !ok || rw.end == 0 {
		return time.Time{}, false
	}
	return stamper.Departed(rw.end)
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
		a := w.arrival()
		w.mu.Lock()
		w.arrived(a, n)
		asked := w.asked
		w.mu.Unlock()
		if asked != nil {
			<-asked
		}
	}
	return n, err
}

func (w *wire) arrived(a arrival, n int) {
	r := &w.request
	r.got += n
	a.got = r.got
	r.latest = a
	if r.firstRead.IsZero() {
		r.firstRead = a.at
	}
}

func (w *wire) arrival() arrival {
	if s, ok := w.Conn.(ReadStamper); ok {
		if at := s.LastRead(); !at.IsZero() {
			return arrival{at: at, stamped: true}
		}
	}
	return arrival{at: time.Now()}
}

// Close keeps the network's view before it closes, the first time.
func (w *wire) Close() error {
	w.mu.Lock()
	w.letAnswers()
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

// writes returns the books of the request under way.
func (w *wire) writes() requestWrites {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.request
}
