package probe

import (
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/coldsplit/coldsplit/pkg/record"
	"github.com/coldsplit/coldsplit/pkg/segment"
)

// conclude reads the answer after the clock stopped: coding, hash, fields, outcome.
func (x *exchange) conclude(a answer) Facts {
	resp := a.resp
	x.rec.Bytes.Capped = a.capped
	x.rec.Bytes.Encoding = contentCoding(resp.Header)
	content := x.decodeBody(a)
	if x.t.Keep != nil {
		x.rec.Headers = x.t.Keep(resp.Header)
		x.rec.Trailers = x.t.Keep(resp.Trailer)
	}
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
	if coding := x.rec.Bytes.Encoding; coding != "" && !a.capped {
		var err error
		content, capped, err = decode(a.body, coding, x.t.maxBody())
		if err != nil {
			x.failed = true
			x.rec.Outcome = record.Failed
			x.rec.Error = &record.Error{Class: record.ClassBody, Segment: segment.Transfer, Text: err.Error()}
			return nil
		}
	}
	x.rec.Bytes.Capped = a.capped || capped
	x.rec.Bytes.Decoded = int64(len(content))
	if !x.rec.Bytes.Capped {
		x.rec.BodySHA = sha256Hex(content)
	}
	return content
}

// judge decides the outcome of an exchange that got a final response (DESIGN section 2), unless a
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

// proveCold checks, after the request, what the definition of cold asks for.
func (x *exchange) proveCold(l *link, m marks) {
	switch {
	case x.failed:
	case x.dials > 1:
		x.invalidate(segment.Send, fmt.Sprintf("not cold: %d connections were used", x.dials))
	case m.writes > 1:
		x.invalidate(segment.Send, fmt.Sprintf("the request was written %d times", m.writes))
	case l.protocol != x.rec.Protocol:
		x.invalidate(segment.Wait, fmt.Sprintf("agreed on %s, answered in %s", x.rec.Protocol, l.protocol))
	}
}
