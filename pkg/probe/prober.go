package probe

import (
	"context"
	"crypto/tls"
	"net/http"
	"net/netip"
	"net/url"
	"sync"
	"sync/atomic"

	"github.com/coldsplit/coldsplit/pkg/record"
	"github.com/coldsplit/coldsplit/pkg/segment"
	"github.com/quic-go/quic-go"
)

// Prober performs exchanges. The zero Prober uses the system's network; it may be used by several
// goroutines at once and keeps nothing from one exchange to the next but read buffers.
type Prober struct {
	Network Network // nil is System

	buffers sync.Pool
	running atomic.Int32 // exchanges under way
	lag     lagClock
	tamper  tamper
}

// tamper lets tests break each proof of coldness; it is empty outside tests.
type tamper struct {
	tls  func(*tls.Config)
	quic func(*quic.Config)
	trip func(http.RoundTripper) http.RoundTripper
}

// Result is one exchange and what is needed to decide about the next.
type Result struct {
	Exchange record.Exchange
	// Prime is the exchange that made state warm, resumed or early possible; nil in state cold
	// and when a warm session was opened earlier. Where it failed, Exchange repeats its failure.
	Prime *record.Exchange
	Facts Facts
	// Canceled is true when the caller's context ended: the exchange says nothing about its target.
	Canceled bool
}

// Facts are what an answer told beyond the record; they may hold secrets and are not stored.
type Facts struct {
	Location    *url.URL // where a redirect leads, absolute; nil when nowhere
	ContentType string
}

// run performs the request on a link and concludes.
func (x *exchange) run(ctx context.Context, l *link) Facts {
	a, ok := x.perform(ctx, l)
	if ok {
		x.prove(l, x.peek())
	}
	if a.resp == nil {
		return Facts{}
	}
	return x.conclude(a)
}

// finish closes the connection and keeps what was known of it at its end.
func (x *exchange) finish(l *link) {
	if l.quic != nil {
		x.harvest(l)
	}
	l.close()
	if l.wire != nil {
		x.harvest(l)
	}
}

// open makes a connection ready for requests. On false the exchange has ended.
func (x *exchange) open(ctx context.Context) (*link, bool) {
	if d := x.t.ConnectTimeout; d > 0 {
		limited, cancel := context.WithTimeout(ctx, d)
		defer cancel()
		ctx = limited
	}
	to, err := x.t.destination()
	if err != nil {
		x.fail(ctx, segment.DNS, err, x.now())
		return nil, false
	}
	addrs, ok := x.locate(ctx, to)
	if !ok {
		return nil, false
	}
	if x.t.Protocol == HTTP3 {
		return x.openQUIC(ctx, addrs)
	}
	return x.openTCP(ctx, addrs)
}

// locate resolves and ends segment dns, where a look-up was needed.
func (x *exchange) locate(ctx context.Context, to place) ([]netip.AddrPort, bool) {
	addrs, dns, err := x.resolve(ctx, to)
	if err != nil {
		key := segment.DNS
		if !dns {
			key = x.firstKey()
		}
		x.fail(ctx, key, err, x.now())
		return nil, false
	}
	if dns {
		x.tl.End(segment.DNS, x.now())
	}
	return addrs, true
}

// firstKey is the segment of the first connection attempt.
func (x *exchange) firstKey() segment.Key {
	if x.t.Protocol == HTTP3 {
		return segment.QUIC
	}
	return segment.TCP
}

// harvest keeps what the transport knew of the connection at its end.
func (x *exchange) harvest(l *link) {
	if l.wire != nil {
		x.rec.TCP = l.wire.tcp()
	}
	if l.quic != nil {
		x.rec.QUIC = l.quic.facts()
	}
}

func (p *Prober) network() Network {
	if p.Network == nil {
		return System{}
	}
	return p.Network
}

// buffer lends a read buffer; release takes it back.
func (p *Prober) buffer() *[]byte {
	if b, ok := p.buffers.Get().(*[]byte); ok {
		return b
	}
	b := make([]byte, readSize)
	return &b
}

func (p *Prober) release(b *[]byte) { p.buffers.Put(b) }

func (p *Prober) tamperTLS(config *tls.Config) {
	if p.tamper.tls != nil {
		p.tamper.tls(config)
	}
}

func (p *Prober) tamperQUIC(config *quic.Config) {
	if p.tamper.quic != nil {
		p.tamper.quic(config)
	}
}

func (p *Prober) tamperTrip(trip http.RoundTripper) http.RoundTripper {
	if p.tamper.trip != nil {
		return p.tamper.trip(trip)
	}
	return trip
}
