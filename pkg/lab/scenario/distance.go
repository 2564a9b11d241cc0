package scenario

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/coldsplit/coldsplit/pkg/geo"
	"github.com/coldsplit/coldsplit/pkg/lab"
)

const (
	clientName = "client"
	// doorSuffix marks the host that accepts for a service which runs elsewhere.
	doorSuffix = "-door"
)

// leastRTT is what two machines of one city are apart.
const leastRTT = time.Millisecond

// cityRTT is the usual round trip between two cities.
func cityRTT(a, b string) time.Duration {
	x, errA := geo.Find(a)
	y, errB := geo.Find(b)
	if errA != nil || errB != nil {
		return leastRTT // both were checked when the document was read
	}
	return max(geo.UsualRTT(geo.DistanceKM(x.Point, y.Point)), leastRTT)
}

// cityOf returns where a party stands: the client, a service or its door.
func (s *spec) cityOf(name string) string {
	if name == clientName {
		return s.Client.City
	}
	if service := s.Services[name]; service != nil {
		return service.City
	}
	return s.Services[strings.TrimSuffix(name, doorSuffix)].Accepts
}

// rtt is the round trip between two parties: stated for the two, or for their
// cities, or else from the distance.
func (s *spec) rtt(a, b string) time.Duration {
	rtt := cityRTT(s.cityOf(a), s.cityOf(b))
	if p := s.stated(a, b); p != nil && p.RTT > 0 {
		rtt = p.RTT
	}
	if a == clientName || b == clientName {
		rtt += s.Client.Access
	}
	return rtt
}

// fasterThanLight names the stated ways that no light could make: a rehearsal may ask for them, its
// reader has to know.
func (s *spec) fasterThanLight() []string {
	var notes []string
	for _, key := range slices.Sorted(maps.Keys(s.Paths)) {
		x, y, _ := strings.Cut(key, arrow)
		a, errA := s.placeOf(strings.TrimSpace(x))
		b, errB := s.placeOf(strings.TrimSpace(y))
		rtt := s.Paths[key].RTT
		if errA != nil || errB != nil || rtt == 0 {
			continue
		}
		if least := geo.LeastRTTInVacuum(geo.LeastKM(a, b)); rtt < least {
			notes = append(notes, fmt.Sprintf("%s takes %v here; light in vacuum needs %v", key, rtt, least.Round(time.Millisecond)))
		}
	}
	return notes
}

// placeOf is where a party of a path stands: a client, a service, a door or a city. Who accepts in
// one city and runs in another is seen in either, depending on who looks, and stands in neither.
func (s *spec) placeOf(name string) (geo.Place, error) {
	service := s.Services[name]
	switch {
	case service != nil && service.Accepts != "":
		return geo.Place{}, errTwoPlaces
	case name == clientName || service != nil || s.Services[strings.TrimSuffix(name, doorSuffix)] != nil:
		return geo.Find(s.cityOf(name))
	}
	return geo.Find(name)
}

var errTwoPlaces = errors.New("accepts in one city and runs in another")

// stated finds what a document says of the way between two parties.
func (s *spec) stated(a, b string) *pathSpec {
	nameA, nameB := seenBy(b, a), seenBy(a, b)
	for key, p := range s.Paths {
		x, y, _ := strings.Cut(key, arrow)
		if joins(strings.TrimSpace(x), strings.TrimSpace(y), nameA, nameB, strings.EqualFold) {
			return p
		}
	}
	for key, p := range s.Paths {
		x, y, _ := strings.Cut(key, arrow)
		if joins(strings.TrimSpace(x), strings.TrimSpace(y), s.cityOf(a), s.cityOf(b), samePlace) {
			return p
		}
	}
	return nil
}

// seenBy is the name one party has for another: the client sees a service's door
// as the service.
func seenBy(viewer, name string) string {
	if viewer == clientName {
		return strings.TrimSuffix(name, doorSuffix)
	}
	return name
}

func joins(x, y, a, b string, same func(x, y string) bool) bool {
	return same(x, a) && same(y, b) || same(x, b) && same(y, a)
}

func samePlace(x, y string) bool {
	a, errA := geo.Find(x)
	b, errB := geo.Find(y)
	return errA == nil && errB == nil && a == b
}

// path is the way between two parties as the lab has it.
func (s *spec) path(a, b string, seed uint64) lab.Path {
	out := lab.PathRTT(s.rtt(a, b))
	p := s.stated(a, b)
	if p == nil {
		return out
	}
	out.Jitter, out.Loss, out.Rate, out.MTU, out.Mute = p.Jitter, p.Loss, p.Rate, p.MTU, p.Mute
	if p.SYNLoss > 0 {
		out.Rules = append(out.Rules, lab.DropShare(lab.IsSYN, p.SYNLoss, seed))
	}
	for _, d := range p.Drop {
		out.Rules = append(out.Rules, drops[d]())
	}
	return out
}

// drops are the things a path may swallow. They make a new rule each, because a
// rule may remember what it has seen.
var drops = map[string]func() lab.Rule{
	"ipv6": func() lab.Rule { return lab.Drop(lab.IsIPv6) },
	"quic": func() lab.Rule { return lab.Drop(lab.IsUDP(443)) },
	"syn":  func() lab.Rule { return lab.DropFirst(lab.IsSYN, 1) },
}

// codes are the airports that stand for cities in the headers of providers; a
// city written as an airport's code stands for itself.
var codes = map[string]string{
	"Amsterdam": "AMS", "Ashburn": "IAD", "Atlanta": "ATL", "Auckland": "AKL", "Bangkok": "BKK",
	"Bogota": "BOG", "Buenos Aires": "EZE", "Cairo": "CAI", "Cape Town": "CPT", "Chicago": "ORD",
	"Dallas": "DFW", "Delhi": "DEL", "Denver": "DEN", "Dubai": "DXB", "Dublin": "DUB",
	"Frankfurt": "FRA", "Hong Kong": "HKG", "Jakarta": "CGK", "Johannesburg": "JNB", "Lagos": "LOS",
	"London": "LHR", "Los Angeles": "LAX", "Madrid": "MAD", "Manila": "MNL", "Marseille": "MRS",
	"Melbourne": "MEL", "Miami": "MIA", "Milan": "MXP", "Montreal": "YUL", "Mumbai": "BOM",
	"Nairobi": "NBO", "New York City": "JFK", "Osaka": "KIX", "Paris": "CDG", "Portland": "PDX",
	"San Francisco": "SFO", "San Jose": "SJC", "Santiago": "SCL", "Sao Paulo": "GRU", "Seattle": "SEA",
	"Seoul": "ICN", "Singapore": "SIN", "Stockholm": "ARN", "Sydney": "SYD", "Taipei": "TPE",
	"Tokyo": "NRT", "Toronto": "YYZ", "Warsaw": "WAW", "Zurich": "ZRH",
}

// code returns the airport for a city as written; "" if none is known.
func code(city string) string {
	if len(city) == 3 && strings.ToUpper(city) == city {
		return city
	}
	want := geo.Fold(cityName(city))
	for name, c := range codes {
		if geo.Fold(name) == want {
			return c
		}
	}
	return ""
}
