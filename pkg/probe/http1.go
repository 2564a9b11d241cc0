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

	"golang.org/x/net/http/httpguts"
)

// http1 speaks HTTP/1.1 on one connection (RFC 9112), one request at a time, in the caller's goroutine: no
// other goroutine has to get its turn between the network and a boundary of the exchange, and nothing is
// ever sent twice. Only content is written from a goroutine of its own, since a server may answer before it
// has read all of it.
type http1 struct {
	conn  net.Conn // over TLS or not
	cut   func()   // ends the connection at once, whoever waits for it
	proxy *url.URL // where not nil, requests are for this proxy to pass on

	in      *bufio.Reader
	room    int64      // bytes that may still come in before the header section is too long
	resting chan error // tells when something comes in between requests; nil when nobody watches
	spent   error      // why there can be no further request
}

var (
	errHeaderTooLong = fmt.Errorf("the response's header section is longer than %d bytes", maxResponseHeader)
	errNoAnswer      = errors.New("the server closed the connection without an answer")
	errSpokeFirst    = errors.New("the server spoke before it was asked")
	errLastAnswer    = errors.New("the connection ended with the answer before")
)

// newHTTP1 speaks through conn; cut must end conn at once.
func newHTTP1(conn net.Conn, cut func(), proxy *url.URL) *http1 {
	h := &http1{conn: conn, cut: cut, proxy: proxy, room: maxResponseHeader}
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
	if h.spent != nil {
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
		case resp.StatusCode > 199 || resp.StatusCode == http.StatusSwitchingProtocols:
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
	if h.spent != nil || h.resting != nil {
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

// Err tells why the connection can carry no further request; nil when it can as far as is known.
func (h *http1) Err() error {
	if h.spent != nil || h.resting == nil {
		return h.spent
	}
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

// whole reports whether the request has been written to its end.
func (u *upload) whole() bool {
	select {
	case err := <-u.done:
		return err == nil
	default:
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
		if err != nil && up.lost == nil {
			h.cut()
		}
		up.done <- err
	}
	if req.Body == nil || req.Body == http.NoBody {
		put(bareRequestBuffer)
	} else {
		go put(fullRequestBuffer)
	}
	return up
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
	if err := write(out); err != nil {
		return err
	}
	return out.Flush()
}

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
		b.end(!b.last && b.up.whole() && b.h.in.Buffered() == 0)
	case err != nil:
		err = causeOf(b.ctx, err)
		b.end(false)
	}
	return n, err
}

// Close leaves the rest unread, so that the connection is of no more use when there is one.
func (b *http1Body) Close() error {
	b.end(false)
	return nil
}

func (b *http1Body) end(reusable bool) {
	if b.ended {
		return
	}
	b.ended = true
	b.stop()
	if !reusable {
		b.h.spent = errLastAnswer
	}
}
