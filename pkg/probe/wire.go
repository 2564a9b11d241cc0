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
	offers offers

	mu        sync.Mutex // guards all below
	written   int64      // bytes handed over since the connection opened
	request   requestWrites
	incoming  framing
	reading   bool  // a read has begun and not returned
	taken     int64 // bytes read since the connection opened
	closed    bool
	connected *record.TCP // the network's view, refreshed at the first Close
}

// offers is what the connection below tells besides its bytes; what it does not offer is nil.
type offers struct {
	arrivals   ReadStamper
	departures WriteStamper
	informer   TCPInformer
	stamped    bool // it tells when bytes came in, however late they are read
	packet     int  // the most that one packet brings, 0 when unknown
}

func offersOf(conn net.Conn) offers {
	var o offers
	o.arrivals, o.stamped = conn.(ReadStamper)
	o.departures, _ = conn.(WriteStamper)
	o.informer, _ = conn.(TCPInformer)
	if c, ok := conn.(*systemConn); ok {
		o.stamped, o.packet = c.stamps != nil, c.mss
	}
	return o
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
	stamped   bool      // the network tells when reads came in
	packet    int       // the most that one packet brings, 0 when unknown
	stamping  bool      // the network is asked when writes leave
	tooLong   bool      // stamps were given up: the request is longer than maxStamped
	firstRead time.Time // when the first bytes came since the request began
	latest    arrival   // the latest bytes that came
	first     arrival   // the bytes that began what the first response byte came in
	together  int       // bytes that came with those, as far as the read after them tells
	starting  bool      // the latest read is the one that began it
	got       int       // bytes that came since the request began
}

// merged tells of a first byte whose packet the kernel had already merged with later ones.
func (r *requestWrites) merged() bool { return r.packet > 0 && r.together > r.packet }

// rawWrite is one write on the socket.
type rawWrite struct {
	began, ended time.Time
	end          int64 // bytes written on the connection with it
}

// arrival is when raw bytes came in.
type arrival struct {
	at      time.Time
	stamped bool // by the network; otherwise by this process once it was running again
}

// maxStamped bounds the bytes of a request whose departure the network is asked for. Past it the
// stamps' bookkeeping fills the socket's error queue, and an upload over a long path fails.
const maxStamped = 16 << 10

func newWire(conn net.Conn) *wire {
	w := &wire{Conn: conn, offers: offersOf(conn)}
	w.connected = w.snapshot()
	return w
}

// begin opens the books of the next request on this connection, whose content has the length given.
func (w *wire) begin(content int) {
	offered := w.offers.departures != nil
	stamping := offered && content < maxStamped
	w.mu.Lock()
	defer w.mu.Unlock()
	w.request = requestWrites{from: w.written, stamping: stamping, tooLong: offered && !stamping, stamped: w.offers.stamped, packet: w.offers.packet}
}

// waiting reports whether a read waits for bytes that are still to come, as far as the network tells.
func (w *wire) waiting() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	c, ok := w.Conn.(*systemConn)
	return w.reading && !(ok && c.unread(w.taken))
}

// seal ends the request: the first byte of the response was seen, or the connection is given up.
func (w *wire) seal() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.request.sealed = true
}

// mark keeps the write that carried the end of a request whose frames were flushed.
func (w *wire) mark() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.request.marked, w.request.overtaken = w.request.last, w.request.late > 0
}

func (w *wire) Write(b []byte) (int, error) {
	write := w.Conn.Write
	if w.beginWrite(len(b)) {
		write = w.offers.departures.WriteStamped
	}
	n, err := write(b)
	w.endWrite(n)
	return n, err
}

// beginWrite books a write of n bytes and reports whether its departure is to be asked for.
func (w *wire) beginWrite(n int) (stamped bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	r := &w.request
	if r.stamping && w.written+int64(n)-r.from > maxStamped {
		r.stamping, r.tooLong = false, true
	}
	if r.sealed {
		r.late++
		return false
	}
	now := time.Now()
	if r.began.IsZero() {
		r.began = now
	}
	r.inFlight = true
	r.last = rawWrite{began: now, end: w.written + int64(n)}
	return r.stamping
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
	if w.offers.departures == nil || rw.end == 0 {
		return time.Time{}, false
	}
	return w.offers.departures.Departed(rw.end)
}

// SetWriteDeadline ends the request as well: crypto/tls sets one before it says goodbye, and its alert
// is no part of the request.
func (w *wire) SetWriteDeadline(at time.Time) error {
	w.seal()
	return w.Conn.SetWriteDeadline(at)
}

// startTLS tells that TLS records come in from here on.
func (w *wire) startTLS() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.incoming = framing{on: true}
}

func (w *wire) Read(b []byte) (int, error) {
	n, err := w.Conn.Read(b[:min(len(b), w.wanted(len(b)))])
	var a arrival
	if n > 0 {
		a = w.arrival()
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.reading, w.taken = false, w.taken+int64(n)
	if n > 0 {
		w.arrived(a, b[:n])
	}
	return n, err
}

// wanted bounds a read so that its stamp tells when the first byte of the response came: up to that
// byte a read takes in one TLS record's header or content, in cleartext a few bytes. The read after it
// ends within a packet's length: when its stamp is the same, the kernel had merged packets.
func (w *wire) wanted(most int) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.reading = true
	r := &w.request
	if !r.stamped {
		return most
	}
	if !r.sealed && (w.incoming.on || r.got == 0) {
		most = min(most, w.incoming.room())
	}
	if r.starting && r.packet > 0 {
		most = min(most, r.packet)
	}
	return most
}

func (w *wire) arrived(a arrival, b []byte) {
	r := &w.request
	if r.firstRead.IsZero() {
		r.firstRead = a.at
	}
	starts := !r.sealed && (w.incoming.atStart() || !w.incoming.on)
	w.incoming.take(b)
	r.got += len(b)
	r.latest = a
	switch {
	case starts:
		r.first, r.together = a, len(b)
	case r.starting && a.at.Equal(r.first.at):
		r.together += len(b)
	}
	r.starting = starts
}

func (w *wire) arrival() arrival {
	if s := w.offers.arrivals; s != nil {
		if at := s.LastRead(); !at.IsZero() {
			return arrival{at: at, stamped: true}
		}
	}
	return arrival{at: time.Now()}
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
	if w.offers.informer == nil {
		return nil
	}
	return tcpFacts(w.offers.informer)
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
