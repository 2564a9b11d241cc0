package probe

import (
	"context"
	"net/http/httptrace"
	"net/textproto"

	"github.com/coldsplit/coldsplit/pkg/record"
)

// traced returns ctx with the hooks that fill x.marks. onFirst runs at the first response byte,
// outside the lock.
func (x *exchange) traced(ctx context.Context, onFirst func()) context.Context {
	return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		WroteRequest: x.wroteRequest,
		GotFirstResponseByte: func() {
			x.gotFirstByte()
			onFirst()
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
