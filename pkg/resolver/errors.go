package resolver

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"strings"
)

// Kind says why a name has no address.
type Kind string

// The kinds.
const (
	NoSuchName    Kind = "no such name"    // NXDOMAIN (RFC 1035 section 4.1.1); from the system's stub it may also mean no address
	NoAddress     Kind = "no address"      // the name exists and has no record of the family asked (RFC 2308 section 2.2)
	NoAnswer      Kind = "no answer"       // nothing came within the timeout
	Refused       Kind = "refused"         // REFUSED: the server does not serve us
	ServerFailure Kind = "server failure"  // SERVFAIL: the server could not find out
	NoConnection  Kind = "no connection"   // the resolver was not reached, or its certificate did not verify
	BadAnswer     Kind = "unusable answer" // an answer that is none: another code, another status, garbage
	Canceled      Kind = "canceled"        // the caller gave up
)

// Error is a lookup that brought no address.
type Error struct {
	Kind   Kind
	Name   string // the host that was asked for
	Type   string // "A", "AAAA", "HTTPS", or "A and AAAA" when both failed alike
	Server string // who was asked, spelled as Answer.Server
	Err    error  // the cause below, nil when the answer itself said no
}

// Error is one line: the name, the record type, the server and the cause.
func (e *Error) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "resolve %s", e.Name)
	if e.Type != "" {
		fmt.Fprintf(&b, " (%s)", e.Type)
	}
	fmt.Fprintf(&b, " at %s: %s", e.Server, e.Kind)
	if e.Err != nil {
		fmt.Fprintf(&b, ": %v", e.Err)
	}
	return b.String()
}

// Unwrap returns the cause below.
func (e *Error) Unwrap() error { return e.Err }

// Timeout reports whether time ran out, as net.Error does.
func (e *Error) Timeout() bool { return e.Kind == NoAnswer }

// definite reports whether a server itself said so: asking it again would only repeat it.
func (k Kind) definite() bool {
	switch k {
	case NoSuchName, NoAddress, Refused, ServerFailure, BadAnswer:
		return true
	}
	return false
}

// final reports whether asking another server would be as good as doubting the answer.
func (k Kind) final() bool { return k == NoSuchName || k == NoAddress || k == Canceled }

// classify tells what went wrong on the way to the server or back.
func classify(err error) Kind {
	var netErr net.Error
	switch {
	case errors.Is(err, context.Canceled):
		return Canceled
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, os.ErrDeadlineExceeded):
		return NoAnswer
	case errors.As(err, &netErr) && netErr.Timeout():
		return NoAnswer
	case errors.Is(err, errBadAnswer):
		return BadAnswer
	}
	return NoConnection
}

var errBadAnswer = errors.New("not a DNS answer to this query")

// merge makes one error of what both families said. The weightier one speaks for the name: a
// family without addresses explains nothing when the other one could not be asked.
func merge(a, aaaa *Error) *Error {
	switch {
	case a == nil:
		return aaaa
	case aaaa == nil:
		return a
	case a.Kind == aaaa.Kind:
		both := *a
		both.Type = "A and AAAA"
		return &both
	case a.Kind == NoAddress:
		return aaaa
	case aaaa.Kind == NoAddress:
		return a
	case aaaa.Kind == NoSuchName:
		return aaaa
	}
	return a
}
