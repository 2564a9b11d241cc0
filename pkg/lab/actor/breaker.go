package actor

import (
	"context"
	"net/http"
	"time"
)

// Breaker forwards to a peer as long as a state object elsewhere says that it is
// healthy, and to a fallback when it is not or misses the deadline.
//
// Every request asks the state object first, and waits for it. An attempt is also
// put on record there, beside the forward, so that one that dies is counted; the
// answer is handed out only when the record is kept. Both pay the way to where the
// object stands.
type Breaker struct {
	State    *Peer
	To       *Peer
	Fallback *Peer
	// Deadline is how long an answer of To is waited for.
	Deadline time.Duration
}

// AnsweredBy is the header that says who gave the answer: "primary" or "fallback".
const AnsweredBy = "X-Answered-By"

// abandoned is how long an attempt past its deadline may go on in the background:
// giving up the wait does not give up the connection.
const abandoned = 10 * time.Second

func (b *Breaker) forward(ctx context.Context, r *http.Request, h http.Header) (forwarded, error) {
	asked, err := b.State.get(ctx, http.MethodPost, askPath, nil)
	if err != nil {
		return forwarded{}, err
	}
	copyHeader(h, asked.header, placeHeader)
	out := forwarded{left: time.Now()}
	if Verdict(asked.body) == Open {
		return b.fall(ctx, r, h, out)
	}
	recorded := b.record(ctx)
	out.reply, err = b.attempt(ctx, r)
	if err != nil {
		b.report(failurePath)
		return b.fall(ctx, r, h, out)
	}
	out.back = time.Now()
	b.report(successPath)
	h.Set(AnsweredBy, "primary")
	return out, <-recorded
}

// attempt waits for the peer until the deadline; the request itself goes on.
func (b *Breaker) attempt(ctx context.Context, r *http.Request) (reply, error) {
	type result struct {
		reply
		err error
	}
	done := make(chan result, 1)
	go func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), abandoned)
		defer cancel()
		answer, err := b.To.get(ctx, r.Method, r.URL.RequestURI(), nil)
		done <- result{answer, err}
	}()
	deadline := time.NewTimer(b.Deadline)
	defer deadline.Stop()
	select {
	case got := <-done:
		if got.err == nil && got.status >= http.StatusInternalServerError {
			return reply{}, errUnhealthy
		}
		return got.reply, got.err
	case <-deadline.C:
		return reply{}, context.DeadlineExceeded
	}
}

func (b *Breaker) fall(ctx context.Context, r *http.Request, h http.Header, out forwarded) (forwarded, error) {
	var err error
	out.reply, err = b.Fallback.get(ctx, r.Method, r.URL.RequestURI(), nil)
	out.back = time.Now()
	h.Set(AnsweredBy, "fallback")
	return out, err
}

// record puts the attempt on record beside everything else.
func (b *Breaker) record(ctx context.Context) <-chan error {
	done := make(chan error, 1)
	go func() {
		_, err := b.State.get(ctx, http.MethodPost, beginPath, nil)
		done <- err
	}()
	return done
}

// report tells the outcome without keeping anybody waiting.
func (b *Breaker) report(path string) {
	go func() {
		ctx, cancel := context.WithTimeout(context.Background(), abandoned)
		defer cancel()
		_, _ = b.State.get(ctx, http.MethodPost, path, nil)
	}()
}
