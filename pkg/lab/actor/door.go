package actor

import (
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httputil"
	"time"
)

var errUnhealthy = errors.New("the peer answered with a server error")

// Door accepts connections in one city for code that runs in another: it hands
// every request on over a warm connection, and every answer back as it comes. What
// it costs is in no metric: it reports nothing.
type Door struct {
	To *Peer
	// Signs are the places written on every answer; nil leaves the code's own.
	Signs *Signs
}

// Handler returns the door as a handler.
func (d *Door) Handler() http.Handler {
	return answersWarm(&httputil.ReverseProxy{
		Rewrite:        func(p *httputil.ProxyRequest) { d.To.aim(p.Out) },
		Transport:      d.To.transport,
		FlushInterval:  -1,
		ErrorLog:       log.New(io.Discard, "", 0),
		ModifyResponse: d.sign,
	})
}

func (d *Door) sign(res *http.Response) error {
	if d.Signs != nil {
		d.Signs.write(res.Header)
	}
	return nil
}

// aim points a request at the peer; its Host stays as it is.
func (p *Peer) aim(r *http.Request) { r.URL.Scheme, r.URL.Host = p.scheme, authority }

// callerOf returns the address a connection came from, without its port.
func callerOf(r *http.Request) string {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		return r.RemoteAddr
	}
	return host
}

// hostOf returns the Host of a request without a port.
func hostOf(r *http.Request) string {
	if host, _, err := net.SplitHostPort(r.Host); err == nil {
		return host
	}
	return r.Host
}

// ticks calls f every interval until stop is closed.
func ticks(interval time.Duration, stop <-chan struct{}, f func()) {
	t := time.NewTicker(interval)
	defer t.Stop()
	for {
		select {
		case <-t.C:
			f()
		case <-stop:
			return
		}
	}
}
