package actor

import (
	"net/http"
	"strconv"
	"strings"
	"time"
)

// serverTiming is the field's name (W3C Server Timing).
const serverTiming = "Server-Timing"

// metrics collects what a response says of its own time.
type metrics []string

// add appends a metric in milliseconds, to the microsecond.
func (m *metrics) add(name string, d time.Duration) {
	ms := strconv.FormatFloat(float64(d.Microseconds())/1000, 'f', 3, 64)
	*m = append(*m, name+";dur="+ms)
}

func (m metrics) set(h http.Header) {
	if len(m) > 0 {
		h.Set(serverTiming, strings.Join(m, ", "))
	}
}

// The canonical names; "origin" is what a server says of itself, which its caller
// hands on as "upstream.origin".
const (
	preForward     = "pre_forward"
	upstream       = "upstream"
	upstreamOrigin = "upstream.origin"
	origin         = "origin"
)

// reportedOrigin finds what a server said its own work took. It reads what this
// package writes and nothing else.
func reportedOrigin(h http.Header) (time.Duration, bool) {
	for _, field := range strings.Split(h.Get(serverTiming), ",") {
		name, value, ok := strings.Cut(strings.TrimSpace(field), ";dur=")
		if !ok || name != origin {
			continue
		}
		ms, err := strconv.ParseFloat(value, 64)
		if err != nil {
			return 0, false
		}
		return time.Duration(ms * float64(time.Millisecond)), true
	}
	return 0, false
}
