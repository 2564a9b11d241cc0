package probe

import (
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/coldsplit/coldsplit/pkg/record"
	"github.com/coldsplit/coldsplit/pkg/segment"
)

// conclude reads the answer after the clock stopped: coding, hash, fields, stream, outcome. An answer
// that was cut is read as far as it came.
func (x *exchange) conclude(a answer) Facts {
	resp := a.resp
	x.rec.Bytes.Encoding = contentCoding(resp.Header)
	content := x.decodeBody(a)
	x.keepFields(resp)
	x.readStream(a)
	x.judge(resp, content)
	facts := Facts{ContentType: resp.Header.Get("Content-Type")}
	if location, err := resp.Location(); err == nil {
		facts.Location = location
	}
	if x.rec.Outcome == record.Failed {
		x.rec.Title = htmlTitle(facts.ContentType, content)
	}
	return facts
}

func (x *exchange) keepFields(resp *http.Response) {
	keeper := x.t.Keeper
	if keeper == nil {
		keeper = &record.Keeper{}
	}
	var notes []string
	x.rec.Headers, x.rec.Trailers, notes = keeper.Keep(resp.Header, resp.Trailer)
	for _, n := range notes {
		x.note(n)
	}
}

// contentCoding is the codings applied, "" for none.
func contentCoding(h http.Header) string {
	coding := strings.ToLower(strings.Join(h.Values("Content-Encoding"), ", "))
	if coding == "identity" {
		return ""
	}
	return coding
}

// decodeBody fills the byte counts and the hash; content that does not decode is a failed exchange.
func (x *exchange) decodeBody(a answer) []byte {
	content, capped := a.body, false
	whole := !a.capped && !x.failed
	if coding := x.rec.Bytes.Encoding; coding != "" && whole {
		var err error
		content, capped, err = decode(a.body, coding, x.t.maxBody())
		if err != nil {
			x.spoil(record.ClassBody, err.Error())
			return nil
		}
	}
	x.rec.Bytes.Capped = a.capped || capped
	x.rec.Bytes.Decoded = int64(len(content))
	if whole && !capped {
		x.rec.BodySHA = sha256Hex(content)
	}
	return content
}

// spoil fails an exchange whose answer came but was no good.
func (x *exchange) spoil(class record.Class, text string) {
	x.failed = true
	x.rec.Outcome = record.Failed
	x.rec.Error = &record.Error{Class: class, Segment: segment.Transfer, Text: record.SafeText(text)}
}

// judge decides the outcome of an exchange that got a final response, unless a
// proof or the content failed already.
func (x *exchange) judge(resp *http.Response, content []byte) {
	if x.failed {
		return
	}
	status := resp.StatusCode
	switch {
	case x.accepts(status):
		x.rec.Outcome = record.OK
	case status == http.StatusTooManyRequests,
		status == http.StatusServiceUnavailable && resp.Header.Get("Retry-After") != "":
		x.rec.Outcome = record.Throttled
		x.rec.Throttle = throttleFacts(resp.Header, content, time.Now())
	default:
		x.rec.Outcome = record.Failed
		x.rec.Error = &record.Error{Class: record.ClassStatus, Segment: segment.Wait, Text: statusText(status)}
	}
}

func (x *exchange) accepts(status int) bool {
	if x.t.OK != nil {
		return x.t.OK(status)
	}
	return status >= 200 && status < 400
}

func statusText(status int) string {
	if text := http.StatusText(status); text != "" {
		return fmt.Sprintf("%d %s", status, text)
	}
	return fmt.Sprint(status)
}

// prove checks, after the request, what the exchange's state asks for.
func (x *exchange) prove(l *link, m marks) {
	switch {
	case x.dials > 1:
		x.invalidate(segment.Send, fmt.Sprintf("not cold: %d connections were used", x.dials))
	case m.writes > 1:
		x.invalidate(segment.Send, fmt.Sprintf("the request was written %d times", m.writes))
	case x.state == Early:
		x.proveEarly(l.quic)
	}
}
