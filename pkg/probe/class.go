package probe

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"strings"
	"syscall"

	"github.com/coldsplit/coldsplit/pkg/record"
	"github.com/coldsplit/coldsplit/pkg/segment"
)

var errNoCertificate = errors.New("the server presented no certificate")

// classOf tells how an exchange failed: a timeout and a reset by their kind, wherever they happen;
// everything else by the segment it died in.
func classOf(k segment.Key, err error) record.Class {
	switch {
	case isTimeout(err):
		return record.ClassTimeout
	case isReset(err):
		return record.ClassReset
	}
	switch k {
	case segment.DNS:
		return record.ClassDNS
	case segment.Race, segment.TCP:
		return record.ClassConnect
	case segment.Proxy:
		return record.ClassProxy
	case segment.TLS:
		return record.ClassTLS
	case segment.QUIC:
		return record.ClassQUIC
	case segment.Send, segment.Wait:
		if closedEarly(err) {
			return record.ClassReset
		}
	}
	return record.ClassBody
}

func isTimeout(err error) bool {
	var t interface{ Timeout() bool }
	return errors.Is(err, context.DeadlineExceeded) || errors.Is(err, os.ErrDeadlineExceeded) ||
		errors.As(err, &t) && t.Timeout()
}

// isReset reports a refusal or reset by the peer. Networks without an errno say so by a method.
func isReset(err error) bool {
	var r interface{ Reset() bool }
	if errors.As(err, &r) {
		return r.Reset()
	}
	for _, errno := range []syscall.Errno{syscall.ECONNREFUSED, syscall.ECONNRESET, syscall.ECONNABORTED, syscall.EPIPE} {
		if errors.Is(err, errno) {
			return true
		}
	}
	return resetOnThisSystem(err) || quicReset(err) || streamReset(err)
}

// streamReset recognises an HTTP/2 stream or connection that the peer gave up; the types of the
// bundled HTTP/2 are not exported, their words are stable.
func streamReset(err error) bool {
	text := err.Error()
	for _, words := range []string{"stream error: stream ID", "server sent GOAWAY", "connection was refused", "connection reset by peer"} {
		if strings.Contains(text, words) {
			return true
		}
	}
	return false
}

// closedEarly reports a connection that ended instead of answering.
func closedEarly(err error) bool {
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, net.ErrClosed) ||
		strings.Contains(err.Error(), "client connection lost") || strings.Contains(err.Error(), "client conn")
}
