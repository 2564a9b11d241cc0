package probe

import (
	"bufio"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/textproto"
	"net/url"
	"runtime"
	"time"

	"golang.org/x/net/http/httpguts"
)

// http1 speaks HTTP/1.1 on one connection (RFC 9112), one request at a time, in the caller's goroutine: no
// other goroutine has to get its turn between the network and a boundary of the exchange, and nothing is
// ever sent twice. Only content is written from a goroutine of its own, since a server may answer before it
// has read all of it.
type http1 struct {
	conn    net.Conn    // over TLS or not
	cut     func()      // ends the connection at once, whoever waits for it
	waiting func() bool // whether who reads conn waits for what is still to come
	proxy   *url.URL    // where not nil, requests are for this proxy to pass on

	in      *bufio.Reader
	room    int64      // bytes that may still come in before the header section is too long
	resting chan error // tells when something comes in between requests; nil when nobody watches
	spent   error      // why there can be no further request
	up      *upload    // of the request before, where its answer did not wait for its end
}

var (
	errHeaderTooLong = fmt.Errorf("the response's header section is longer than %d bytes", maxResponseHeader)
	errNoAnswer      = errors.New("the server closed the connection without an answer")
	errSpokeFirst    = errors.New("the server spoke before it was asked")
	errLastAnswer    = errors.New("the connection ended with the answer before")
)

// newHTTP1 speaks through conn, which w carries.
func newHTTP1(conn net.Conn, w *wire, proxy *url.URL) *http1 {
	h := &http1{conn: conn, cut: func() { w.Close() }, waiting: w.waiting, proxy: proxy, room: maxResponseHeader}
	h.in = bufio.NewReader(limited{h})
	return h
}

// limited reads from the connection as much as a header section may hold.
type limited struct{ h *http1 }

func (l limited) Read(b []byte) (int, error) {
	if l.h.room <= 0 {
		return 0, errHeaderTooLong
	}
	n, err := l.h.conn.Read(b[:min(int64(len(b)), l.h.room)])
	l.h.room -= int64(n)
	return n, err
}

// RoundTrip sends a request and returns when the header section of the final response is there. The end
// of the request's context ends the connection until the response's body is read to its end or closed.
func (h *http1) RoundTrip(req *http.Request) (*http.Response, error) {
	if h.finishUpload(); h.spent != nil {
		return nil, h.spent
	}
	if err := checkHeader(req.Header); err != nil {
		return nil, err
	}
	ctx := req.Context()
	stop := context.AfterFunc(ctx, h.cut)
	up := h.send(req)
	resp, err := h.answer(req)
	if err != nil {
		stop()
		h.spent = causeOf(ctx, up.orElse(err))
		return nil, h.spent
	}
	resp.Body = &http1Body{ReadCloser: resp.Body, h: h, ctx: ctx, stop: stop, up: up, last: resp.Close || req.Close}
	return resp, nil
}

// causeOf is the end of ctx where that came first, else err.
func causeOf(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}

// checkHeader refuses fields that would break the header section they stand in.
func checkHeader(header http.Header) error {
	for name, values := range header {
		if !httpguts.ValidHeaderFieldName(name) {
			return fmt.Errorf("invalid header field name %q", name)
		}
		for _, value := range values {
			if !httpguts.ValidHeaderFieldValue(value) {
				return fmt.Errorf("invalid value of header field %q", name)
			}
		}
	}
	return nil
}

// answer reads up to the end of the final header section; 101 is final (RFC 9110 section 15.2.2).
func (h *http1) answer(req *http.Request) (*http.Response, error) {
	if err := h.firstByte(); err != nil {
		return nil, err
	}
	trace := httptrace.ContextClientTrace(req.Context())
	if trace != nil && trace.GotFirstResponseByte != nil {
		trace.GotFirstResponseByte()
	}
	for {
		resp, err := http.ReadResponse(h.in, req)
		switch {
		case err != nil && h.room <= 0:
			return nil, errHeaderTooLong
		case err != nil:
			return nil, err
		case resp.StatusCode/100 != 1 || resp.StatusCode == http.StatusSwitchingProtocols:
			h.room = math.MaxInt64
			return resp, nil
		}
		if trace != nil && trace.Got1xxResponse != nil {
			if err := trace.Got1xxResponse(resp.StatusCode, textproto.MIMEHeader(resp.Header)); err != nil {
				return nil, err
			}
		}
		h.room = maxResponseHeader
	}
}

func (h *http1) firstByte() error {
	err := h.next()
	if errors.Is(err, io.EOF) {
		return fmt.Errorf("%w: %w", errNoAnswer, err)
	}
	return err
}

// next waits until something comes in.
func (h *http1) next() error {
	if r := h.resting; r != nil {
		h.resting = nil
		return <-r
	}
	h.room = maxResponseHeader
	_, err := h.in.Peek(1)
	return err
}

// rest watches the connection until the next request: only who reads learns that the server closed it, or
// gets what TLS sends on its own, session tickets among it.
func (h *http1) rest() {
	if h.finishUpload(); h.spent != nil || h.resting != nil {
		return
	}
	h.room = maxResponseHeader
	came := make(chan error, 1)
	h.resting = came
	go func() {
		_, err := h.in.Peek(1)
		came <- err
	}()
}

// finishUpload waits for the end of a request whose answer is there already.
func (h *http1) finishUpload() {
	up := h.up
	if h.up = nil; up != nil && h.spent == nil && !up.endsWithin(uploadPatience) {
		h.spent = errLastAnswer
	}
}

// Err tells why the connection can carry no further request; nil when it can as far as is known.
func (h *http1) Err() error {
	if h.spent != nil || h.resting == nil {
		return h.spent
	}
	h.takeIn()
	select {
	case err := <-h.resting:
		h.resting = nil
		if h.spent = err; err == nil {
			h.spent = errSpokeFirst
		}
	default:
	}
	return h.spent
}

// takeIn lets the watcher tell of what has come in already, for 10 ms at most.
func (h *http1) takeIn() {
	const tries, step = 100, 100 * time.Microsecond
	for range tries {
		if runtime.Gosched(); len(h.resting) > 0 || h.waiting() {
			return
		}
		time.Sleep(step)
	}
}

// upload is a request on its way.
type upload struct {
	conn net.Conn
	lost error // of the connection
	done chan error
}

func (u *upload) Write(b []byte) (int, error) {
	n, err := u.conn.Write(b)
	if err != nil {
		u.lost = err
	}
	return n, err
}

// orElse is why the request could not be written, err when it could or still can.
func (u *upload) orElse(err error) error {
	select {
	case failed := <-u.done:
		if failed != nil {
			return failed
		}
	default:
	}
	return err
}

// uploadPatience is how long the end of a request may take after the end of its answer: the goroutine that
// writes may not have had its turn yet, and some servers answer first and read the content all the same.
const uploadPatience = 50 * time.Millisecond

// endsWithin reports whether the request is written to its end in time.
func (u *upload) endsWithin(patience time.Duration) bool {
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case err := <-u.done:
		return err == nil
	case <-timer.C:
		return false
	}
}

// The sizes of the buffer that a request is written through, without and with content.
const (
	bareRequestBuffer = 2 << 10
	fullRequestBuffer = 32 << 10
)

// send writes the request. A connection that breaks meanwhile may still hold the server's answer, so only
// a request that cannot be written down at all ends it.
func (h *http1) send(req *http.Request) *upload {
	up := &upload{conn: h.conn, done: make(chan error, 1)}
	put := func(size int) {
		out := bufio.NewWriterSize(up, size)
		err := h.put(out, req)
		if up.lost != nil {
			err = up.lost // net/http hides it in a type of its own where it met content
		}
		up.done <- err // before the cut, whose error says nothing
		if err != nil && up.lost == nil {
			h.cut()
		}
	}
	switch {
	case req.Body != nil && req.Body != http.NoBody:
		go put(fullRequestBuffer)
	case headerSize(req) > maxBareRequest:
		go put(bareRequestBuffer)
	default:
		put(bareRequestBuffer)
	}
	return up
}

// maxBareRequest is how long a header section may be that is written before anybody reads: any socket
// takes in that much of a peer that does not read.
const maxBareRequest = 4 << 10

func headerSize(req *http.Request) int {
	n := len(req.URL.RawQuery) + len(req.URL.Path)
	for name, values := range req.Header {
		for _, v := range values {
			n += len(name) + len(v) + 4
		}
	}
	return n
}

func (h *http1) put(out *bufio.Writer, req *http.Request) error {
	write := req.Write
	if h.proxy != nil {
		write = req.WriteProxy
		if user := h.proxy.User; user != nil {
			password, _ := user.Password()
			credentials := base64.StdEncoding.EncodeToString([]byte(user.Username() + ":" + password))
			req.Header.Set("Proxy-Authorization", "Basic "+credentials)
		}
	}
	if err := write(held{out}); err != nil {
		return err
	}
	return out.Flush()
}

// held passes all but ReadFrom on, which flushes content that just fills the buffer: the end of a request
// is always in the last write, after the hook that says it is written.
type held struct{ w *bufio.Writer }

func (h held) Write(b []byte) (int, error)       { return h.w.Write(b) }
func (h held) WriteString(s string) (int, error) { return h.w.WriteString(s) }
func (h held) WriteByte(b byte) error            { return h.w.WriteByte(b) }

// http1Body is the content under way; read to its end it frees the connection for the next request.
type http1Body struct {
	io.ReadCloser
	h     *http1
	ctx   context.Context
	stop  func() bool
	up    *upload
	last  bool // the connection ends with this content
	ended bool
}

func (b *http1Body) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	switch {
	case err == io.EOF:
		b.end(b.reason())
	case err != nil:
		err = causeOf(b.ctx, err)
		b.end(err)
	}
	return n, err
}

// reason is why the connection is of no more use once the content was read, nil when it is.
func (b *http1Body) reason() error {
	switch {
	case b.h.in.Buffered() > 0:
		return errSpokeFirst
	case b.last:
		return errLastAnswer
	}
	return nil
}

// Close leaves the rest unread, so that the connection is of no more use when there is one.
func (b *http1Body) Close() error {
	b.end(errLastAnswer)
	return nil
}

func (b *http1Body) end(spent error) {
	if b.ended {
		return
	}
	b.ended = true
	b.stop()
	b.h.up, b.h.spent = b.up, spent
}
