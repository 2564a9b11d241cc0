package scenario

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/goccy/go-yaml"
)

// Rehearsal is a move tried out: two routes, before and after, through the same
// topology without and with the move.
type Rehearsal struct {
	// Document has the routes before and after; open it to measure both side by side.
	Document *Document
	// Advice is what the move leaves behind, dearest first.
	Advice []Advice
}

// Rehearse prepares a move, given as settings like "edge.city=Tokyo". Routes of the
// document's own are left out.
func (d *Document) Rehearse(settings ...string) (*Rehearsal, error) {
	moved, err := d.With(settings...)
	if err != nil {
		return nil, err
	}
	routes := yaml.MapSlice{
		{Key: "before", Value: yaml.MapSlice{{Key: "role", Value: "before"}}},
		{Key: "after", Value: yaml.MapSlice{{Key: "role", Value: "after"}, {Key: "set", Value: settings}}},
	}
	text, err := replaceRoutes(d.text, routes)
	if err != nil {
		return nil, err
	}
	both, err := d.reread(text)
	if err != nil {
		return nil, err
	}
	return &Rehearsal{Document: both, Advice: advise(d.spec, moved.spec)}, nil
}

func replaceRoutes(text []byte, routes yaml.MapSlice) ([]byte, error) {
	var doc yaml.MapSlice
	if err := yaml.UnmarshalWithOptions(text, &doc, yaml.UseOrderedMap()); err != nil {
		return nil, err
	}
	return yaml.Marshal(put(doc, []string{"routes"}, routes))
}

// Advice is one service a move leaves farther from its caller than it was, and what
// that costs.
type Advice struct {
	Service, City      string // who is asked, and where it stands after the move
	Caller, CallerCity string // who asks it, and from where
	Stays              string // the one of the two that the move left alone
	// HoldsState says that moving it means making its state anew or copying it.
	HoldsState bool
	// When the call is made: "before forwarding", "as the forward", "beside the
	// forward", "on falling back" or "while answering".
	When string
	// Times is how often one request to the caller makes the call, on average.
	Times float64
	// Was and RTT are the round trip before and after the move.
	Was, RTT time.Duration
	// PerRequest is what a request to the caller pays beyond what it paid, on average.
	PerRequest time.Duration
	// Move is the setting that would move it along.
	Move string
}

// String returns the advice as one sentence without a full stop.
func (a Advice) String() string {
	way := a.CallerCity + "-" + a.City
	stays := a.Service + " stays in " + a.City
	if a.Stays == a.Caller {
		stays = a.Caller + " stays in " + a.CallerCity + " and asks " + a.Service
	}
	text := fmt.Sprintf("%s: every request to %s pays %s %s %s (+%d ms)", stays, a.Caller, way,
		often(a.Times), a.When, (a.RTT - a.Was).Round(time.Millisecond).Milliseconds())
	if a.HoldsState && a.Stays == a.Service {
		text += "; it holds state, so moving it means creating it anew or copying it"
	}
	return text
}

func often(times float64) string {
	switch {
	case times == 1:
		return "once"
	case times < 1:
		return fmt.Sprintf("in %d %% of cases", int(math.Round(100*times)))
	}
	return fmt.Sprintf("%g times", math.Round(100*times)/100)
}

// worthSaying is the least a round trip must have grown: what nobody notices.
const worthSaying = 5 * time.Millisecond

func advise(before, after *spec) []Advice {
	var out []Advice
	for _, caller := range after.services {
		for _, u := range after.Services[caller].uses() {
			was, rtt := before.rtt(caller, u.to), after.rtt(caller, u.to)
			if rtt-was < worthSaying {
				continue
			}
			out = append(out, after.advice(before, caller, u, was, rtt))
		}
	}
	slices.SortStableFunc(out, func(a, b Advice) int { return int(b.PerRequest - a.PerRequest) })
	return out
}

// advice names as staying whichever end the move left alone.
func (s *spec) advice(before *spec, caller string, u use, was, rtt time.Duration) Advice {
	a := Advice{
		Service: u.to, City: cityName(s.Services[u.to].City),
		Caller: caller, CallerCity: cityName(s.Services[caller].City),
		HoldsState: s.Services[u.to].holdsState(), When: u.when, Times: u.times, Was: was, RTT: rtt,
		PerRequest: time.Duration(u.times * float64(rtt-was)),
	}
	callerMoved := before.Services[caller] != nil && before.Services[caller].City != s.Services[caller].City
	if callerMoved {
		a.Stays, a.Move = u.to, u.to+".city="+s.Services[caller].City
	} else {
		a.Stays, a.Move = caller, caller+".city="+s.Services[u.to].City
	}
	return a
}

func (s *serviceSpec) holdsState() bool { return s.State || s.Switch != nil }

// use is one service asked by another: how often and when.
type use struct {
	to    string
	times float64
	when  string
}

const (
	whenBefore   = "before forwarding"
	whenForward  = "as the forward"
	whenBeside   = "beside the forward"
	whenFallback = "on falling back"
	whenAnswer   = "while answering"
)

// uses lists the calls of a service in the order made.
func (s *serviceSpec) uses() []use {
	var out []use
	forward, steps := s.forward()
	when := whenAnswer
	if forward {
		when = whenBefore
	}
	for _, step := range steps {
		for _, c := range step {
			out = append(out, use{c.To, float64(c.Times) * c.Share, when})
		}
	}
	return append(out, s.forwards(forward)...)
}

func (s *serviceSpec) forwards(forward bool) []use {
	switch {
	case s.Breaker != nil:
		b := s.Breaker
		return []use{{b.State, 1, whenBefore}, {b.To, 1, whenForward}, {b.State, 1, whenBeside}, {b.Fallback, 0, whenFallback}}
	case s.CDN != nil:
		return []use{{s.CDN.Origin, 1, whenForward}}
	case len(s.Spread) > 0:
		var out []use
		for _, to := range s.Spread {
			out = append(out, use{to, 1 / float64(len(s.Spread)), whenForward})
		}
		return out
	case forward:
		return []use{{s.Calls[len(s.Calls)-1][0].To, 1, whenForward}}
	}
	return nil
}

// forward says whether a service hands requests on to its last call, or to what its
// block names, and which steps come before that.
func (s *serviceSpec) forward() (forward bool, before []stepSpec) {
	if s.Breaker != nil || len(s.Spread) > 0 || s.CDN != nil {
		return true, s.Calls
	}
	if len(s.Calls) == 0 || !s.edge() {
		return false, s.Calls
	}
	last := s.Calls[len(s.Calls)-1]
	if len(last) == 1 && last[0].once() {
		return true, s.Calls[:len(s.Calls)-1]
	}
	return false, s.Calls
}

// edge reports whether a service is one that forwards: it says so by naming a
// provider or a city that accepts for it.
func (s *serviceSpec) edge() bool { return s.Provider != "" || s.Accepts != "" || s.first }

// cityName is a city as advice shows it: without its country.
func cityName(text string) string {
	name, _, _ := strings.Cut(text, ",")
	return name
}
