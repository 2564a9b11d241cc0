package probe

import (
	"context"
	"net/http/httptrace"
	"net/textproto"

	"github.com/coldsplit/coldsplit/pkg/record"
)

// traced returns ctx with the hooks that fill x.marks and the books of l. Of a request without content
// WroteHeaders tells first that it is written: after it HTTP/2 may write frames of its own.
func (x *exchange) traced(ctx context.Context, l *link) context.Context {
	bare := len(x.t.Body) == 0
	return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		WroteHeaders: func() {
			if bare {
				l.sawWritten()
			}
		},
		WroteRequest: func(info httptrace.WroteRequestInfo) {
			if !bare && info.Err == nil {
				l.sawWritten()
			}
			x.wroteRequest(info)
		},
		GotFirstResponseByte: func() {
			x.gotFirstByte()
			l.sawFirstByte()
		},
		Got1xxResponse: x.gotInterim,
	})
}

func (x *exchange) wroteRequest(info httptrace.WroteRequestInfo) {
	at := x.now()
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.sealed {
		return
	}
	x.marks.writes++
	if info.Err == nil {
		x.marks.wrote, x.marks.hasWrote = at, true
	}
}

func (x *exchange) gotFirstByte() {
	at := x.now()
	x.mu.Lock()
	defer x.mu.Unlock()
	if !x.sealed && !x.marks.hasFirst {
		x.marks.first, x.marks.hasFirst = at, true
	}
}

func (x *exchange) gotInterim(code int, _ textproto.MIMEHeader) error {
	at := x.now()
	x.mu.Lock()
	defer x.mu.Unlock()
	if !x.sealed {
		x.marks.interim = append(x.marks.interim, record.Interim{Status: code, At: at})
	}
	return nil
}
