package probe

import (
	"context"
	"fmt"

	"github.com/coldsplit/coldsplit/pkg/record"
	"github.com/coldsplit/coldsplit/pkg/segment"
)

// Session is one connection kept for several exchanges, for load that is to find connections open. Its
// methods must not be called side by side.
type Session struct {
	p      *Prober
	opener *exchange // the exchange that opened the connection
	link   *link
}

// Open connects to t and sends nothing yet. On failure the Session is nil and the Result tells why,
// as that of an exchange which ended there; on success the Result holds the set-up alone and its
// outcome is ok.
func (p *Prober) Open(ctx context.Context, t *Target) (*Session, Result) {
	if err := t.Check(); err != nil {
		panic("probe: Open of a target that Check refuses: " + err.Error())
	}
	s, result := p.openSession(ctx, t)
	if s != nil {
		result = s.opener.close()
		result.Exchange.Outcome = record.OK
	}
	return s, result
}

func (p *Prober) openSession(ctx context.Context, t *Target) (*Session, Result) {
	x := p.newExchange(t, Cold)
	limited, cancel := context.WithTimeout(ctx, t.maxTime())
	defer cancel()
	l, ok := x.open(limited)
	if !ok {
		result := x.close()
		result.Exchange.State = string(t.state())
		return nil, result
	}
	l.rest()
	return &Session{p: p, opener: x, link: l}, Result{}
}

// first performs the exchange that opened the connection, set-up included.
func (s *Session) first(ctx context.Context) Result {
	x := s.opener
	limited, cancel := context.WithTimeout(ctx, x.t.maxTime()-min(x.now(), x.t.maxTime()))
	defer cancel()
	facts := x.run(limited, s.link)
	s.link.rest()
	x.harvest(s.link)
	s.dropSpent()
	result := x.close()
	result.Facts = facts
	return result
}

// Do performs one exchange on the open connection: it has the segments send, wait and transfer alone.
// t must name the same origin and protocol as the target the session was opened with. An exchange that
// finds the connection closed is invalid: it found nothing warm.
func (s *Session) Do(ctx context.Context, t *Target) Result {
	reason, ok := s.usable()
	x := s.p.newExchange(t, Warm)
	s.describe(x)
	if !ok {
		x.invalidate(segment.Send, "not warm: "+reason)
		return x.close()
	}
	x.dials = 1
	limited, cancel := context.WithTimeout(ctx, t.maxTime())
	defer cancel()
	facts := x.run(limited, s.link)
	s.link.rest()
	x.harvest(s.link)
	s.dropSpent()
	result := x.close()
	result.Facts = facts
	return result
}

// dropSpent closes a connection that can carry no more: the peer is not kept waiting for our end.
func (s *Session) dropSpent() {
	if s.link.gone() != nil {
		s.link.close()
	}
}

// describe copies what is true of the connection.
func (s *Session) describe(x *exchange) {
	from := &s.opener.rec
	x.rec.Protocol, x.rec.Remote, x.rec.Family = from.Protocol, from.Remote, from.Family
}

// usable reports whether the connection can carry another request.
func (s *Session) usable() (reason string, ok bool) {
	if err := s.link.gone(); err != nil {
		return fmt.Sprintf("the connection is gone: %v", err), false
	}
	if s.link.closed {
		return "the connection was closed by us", false
	}
	return "", true
}

// Close closes the connection. It may be called more than once.
func (s *Session) Close() {
	s.link.close()
}
