package tunnel

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
)

// Op is what was being done when a tunnel failed.
type Op string

// The operations.
const (
	OpTLS     Op = "tls"     // the handshake with the proxy itself
	OpRequest Op = "request" // asking for the target and reading the reply
)

// Error is a tunnel that was not opened. It holds no credentials.
type Error struct {
	Proxy  string // scheme://host:port
	Target string // host:port
	Op     Op
	Status int    // the proxy's HTTP status, 407 and the like; 0 when there was none
	Reply  int    // the code a SOCKS5 proxy refused with (RFC 1928 section 6, RFC 1929 section 2); 0 when there was none
	Text   string // the proxy's own words; "" when it said none
	Err    error  // the cause below; nil when the proxy refused
}

var errCutOff = errors.New("connection closed before the reply was complete")

// refused is a reply that says no.
type refused struct {
	status, reply int
	text          string
}

func (r *refused) Error() string { return r.text }

// because completes a template with what happened.
func (e *Error) because(op Op, err error) *Error {
	done := *e
	done.Op = op
	var no *refused
	if errors.As(err, &no) {
		done.Status, done.Reply, done.Text = no.status, no.reply, no.text
		return &done
	}
	done.Err = err
	return &done
}

// Error is one line: the target, the proxy and the cause.
func (e *Error) Error() string {
	doing := "connect " + e.Target + " through " + e.Proxy
	if e.Op == OpTLS {
		doing = "tls with proxy " + e.Proxy
	}
	if e.Err == nil {
		return fmt.Sprintf("%s: %s", doing, e.Text)
	}
	return fmt.Sprintf("%s: %v", doing, e.Err)
}

// Unwrap returns the cause below.
func (e *Error) Unwrap() error { return e.Err }

// Timeout reports whether time ran out, as net.Error does.
func (e *Error) Timeout() bool {
	var netErr net.Error
	return errors.Is(e.Err, context.DeadlineExceeded) || errors.Is(e.Err, os.ErrDeadlineExceeded) ||
		(errors.As(e.Err, &netErr) && netErr.Timeout())
}
