package record

import "fmt"

// seen is what a reader has met of one route.
type seen struct {
	route   Route
	counts  Counts
	numbers []uint64 // one bit for each send order met
	twice   int      // exchanges whose send order another one had
}

// mostNumbered bounds the send orders that are remembered, so that one wild number costs no memory.
const mostNumbered = 1 << 26

// take counts x, or refuses it when it cannot have been measured over its route: figures of another state
// or protocol would stand among the route's own.
func (s *seen) take(x *Exchange) error {
	if err := s.fits(x); err != nil {
		return err
	}
	s.counts.record(x)
	if !x.Prime {
		s.number(x.Seq)
	}
	return nil
}

func (s *seen) fits(x *Exchange) error {
	if x.Prime || x.Outcome != OK && x.Outcome != Throttled {
		return nil
	}
	if s.route.State != "" && x.State != "" && x.State != s.route.State {
		return fmt.Errorf("state %q on route %q, which was measured %s", x.State, s.route.Name, s.route.State)
	}
	if x.Protocol == "" || s.route.Protocol == "" || x.Protocol == s.route.Protocol {
		return nil
	}
	if s.route.Protocol == "auto" && x.Protocol != "h3" {
		return nil
	}
	return fmt.Errorf("protocol %q on route %q, which asked for %s", x.Protocol, s.route.Name, s.route.Protocol)
}

func (s *seen) number(seq int) {
	if seq < 0 || seq >= mostNumbered {
		return
	}
	at, bit := seq/64, uint64(1)<<(seq%64)
	for len(s.numbers) <= at {
		s.numbers = append(s.numbers, 0)
	}
	if s.numbers[at]&bit != 0 {
		s.twice++
	}
	s.numbers[at] |= bit
}

// Doubts are sentences about what in the file contradicts itself: numbers that stand twice, an end line
// that counts otherwise. They are complete once Next has returned io.EOF.
func (r *Reader) Doubts() []string { return r.doubts }

func (r *Reader) doubt() {
	for _, route := range r.run.Routes {
		if n := r.routes[route.Name].twice; n > 0 {
			r.doubts = append(r.doubts, fmt.Sprintf("%s: on route %q, %d of %d exchanges have a number that another one has: was a line copied?",
				r.opts.Name, route.Name, n, r.routes[route.Name].counts.Done()))
		}
	}
	if r.end != nil {
		r.doubtEnd()
	}
}

func (r *Reader) doubtEnd() {
	got, told := r.counted, r.end.Counts
	switch {
	case told.Done() != got.Done():
		r.doubts = append(r.doubts, fmt.Sprintf("%s holds %d exchanges, its end line counts %d", r.opts.Name, got.Done(), told.Done()))
		return
	case !alike(told, got):
		r.doubts = append(r.doubts, fmt.Sprintf("%s holds %s, its end line counts %s", r.opts.Name, got.outcomes(), told.outcomes()))
		return
	}
	for _, arm := range r.end.Arms {
		if s := r.routes[arm.Route]; s != nil && !alike(arm.Counts, s.counts) {
			r.doubts = append(r.doubts, fmt.Sprintf("%s holds %s of route %q, its end line counts %s",
				r.opts.Name, s.counts.outcomes(), arm.Route, arm.Counts.outcomes()))
		}
	}
}

func alike(a, b Counts) bool {
	return a.OK == b.OK && a.Throttled == b.Throttled && a.Failed == b.Failed && a.Invalid == b.Invalid
}

func (c Counts) outcomes() string {
	return fmt.Sprintf("%d ok, %d throttled, %d failed, %d invalid", c.OK, c.Throttled, c.Failed, c.Invalid)
}
