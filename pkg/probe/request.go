package probe

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/url"
	"time"

	"github.com/coldsplit/coldsplit/pkg/eventstream"
	"github.com/coldsplit/coldsplit/pkg/segment"
	"github.com/quic-go/quic-go/http3"
)

// newRequest builds the request for a connection whose protocol is known.
func (x *exchange) newRequest(ctx context.Context, protocol string) (*http.Request, error) {
	t := x.t
	var body io.Reader
	if t.Body != nil {
		body = bytes.NewReader(t.Body)
	}
	req, err := http.NewRequestWithContext(ctx, t.method(), "", body) // the URL is known in parts already
	if err != nil {
		return nil, err
	}
	target := *t.URL
	target.Fragment, target.User = "", nil
	req.URL = &target
	req.Header = requestHeader(t, protocol)
	req.Host = t.Host
	if host := req.Header.Get("Host"); host != "" {
		req.Host = host
		req.Header.Del("Host")
	}
	if req.Host == "" {
		req.Host = authority(&target)
	}
	if user := t.URL.User; user != nil && req.Header.Get("Authorization") == "" {
		password, _ := user.Password()
		req.SetBasicAuth(user.Username(), password)
	}
	return req, nil
}

// authority is u's host and port with the host in ASCII.
func authority(u *url.URL) string {
	if ascii := asciiHost(u.Hostname()); ascii != u.Hostname() {
		if u.Port() == "" {
			return ascii
		}
		return ascii + ":" + u.Port()
	}
	return u.Host
}

// requestHeader is the caller's header with what every request of ours says: who asks, which
// codings are welcome, and that trailers are read (RFC 9110 section 10.1.4, which for HTTP/1.1 wants
// the Connection option as well). A field given by the caller, be it empty, is left alone.
func requestHeader(t *Target, protocol string) http.Header {
	h := t.Header.Clone()
	if h == nil {
		h = http.Header{}
	}
	setDefault(h, "User-Agent", orElse(t.UserAgent, defaultUserAgent))
	setDefault(h, "Accept", "*/*")
	coding := "identity"
	if t.Compressed {
		coding = "gzip, br, zstd"
	}
	setDefault(h, "Accept-Encoding", coding)
	if _, ok := h["Te"]; !ok {
		h["Te"] = []string{"trailers"}
		if protocol == string(HTTP11) {
			setDefault(h, "Connection", "TE")
		}
	}
	return h
}

// defaultUserAgent names the tool when the caller gives no version.
const defaultUserAgent = "coldsplit"

func setDefault(h http.Header, name, value string) {
	if _, ok := h[name]; !ok {
		h[name] = []string{value}
	}
}

func orElse(s, fallback string) string {
	if s == "" {
		return fallback
	}
	return s
}

// answer is a final response read to its end.
type answer struct {
	resp   *http.Response
	body   []byte
	capped bool
	pieces []piece // of an event stream: when each part of body came
}

// piece is where body ended after one read, and when.
type piece struct {
	end int
	at  time.Duration
}

// perform sends one request on l, reads the answer to its end and settles send, wait and transfer.
// On false the exchange has ended.
func (x *exchange) perform(ctx context.Context, l *link) (answer, bool) {
	l.begin(len(x.t.Body))
	req, err := x.newRequest(x.traced(ctx, l), l.protocol)
	if err != nil {
		x.fail(ctx, segment.Send, err, x.now())
		return answer{}, false
	}
	if x.state == Early {
		req.Method = earlyMethod(req.Method)
	}
	trip := x.p.tamperTrip(l.trip)
	resp, err := trip.RoundTrip(req)
	returned := x.now()
	x.rec.Bytes.Sent = int64(len(x.t.Body))
	if err != nil {
		x.failInFlight(ctx, l, err, returned)
		return answer{}, false
	}
	defer resp.Body.Close()
	headers := l.latest(x)
	x.rec.Status = resp.StatusCode
	a := answer{resp: resp}
	end, err := x.readBody(l, &a)
	if err != nil {
		at := x.now()
		x.settleFirst(l, headers)
		x.fail(ctx, segment.Transfer, err, at)
		return a, false
	}
	x.settle(l, headers, end)
	return a, true
}

// earlyMethod is how http3 is told not to wait for the handshake.
func earlyMethod(method string) string {
	if method == http.MethodHead {
		return http3.MethodHead0RTT
	}
	return http3.MethodGet0RTT
}

// readSize is the fixed read buffer: the same for every protocol, so that none profits.
const readSize = 32 << 10

// preallocate bounds the room made for content on the word of its Content-Length.
const preallocate = 4 << 20

// readBody reads content until its end or the cap and returns when its last byte was there.
func (x *exchange) readBody(l *link, a *answer) (end boundary, err error) {
	limit := x.t.maxBody()
	if a.resp.StatusCode == http.StatusSwitchingProtocols {
		return l.latest(x), nil // what follows is another protocol's, not content
	}
	buf := x.p.buffer()
	defer x.p.release(buf)
	a.body = make([]byte, 0, max(0, min(a.resp.ContentLength, limit, preallocate)))
	stream := eventstream.IsEventStream(a.resp.Header.Get("Content-Type"))
	for {
		n, err := a.resp.Body.Read(*buf)
		end = l.latest(x)
		a.body = append(a.body, (*buf)[:min(int64(n), limit-int64(len(a.body)))]...)
		x.rec.Bytes.Wire += int64(n)
		if stream && n > 0 {
			a.pieces = append(a.pieces, piece{len(a.body), end.at})
		}
		switch {
		case err == io.EOF:
			return end, nil
		case err != nil:
			return end, err
		case int64(len(a.body)) >= limit:
			a.capped = true
			return end, nil
		}
	}
}
