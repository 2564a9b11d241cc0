package actor

import (
	"fmt"
	"hash/fnv"
	"net/http"
	"strings"
	"sync/atomic"
)

// Dialect is the provider whose headers an edge writes.
type Dialect string

// The dialects. None writes no places at all.
const (
	None       Dialect = ""
	Cloudflare Dialect = "cloudflare" // cf-ray: accepted; cf-placement: compute
	CloudFront Dialect = "cloudfront" // x-amz-cf-pop: accepted; compute is not said
	Vercel     Dialect = "vercel"     // x-vercel-id: both
	Fly        Dialect = "fly"        // fly-request-id: accepted; compute is not said
)

// Dialects lists those that write something.
func Dialects() []Dialect { return []Dialect{Cloudflare, CloudFront, Vercel, Fly} }

// Signs writes where a request was accepted and where its code ran, by the airport
// codes of the two places. A place without a code is left out: unknown, not made up.
type Signs struct {
	Dialect           Dialect
	Accepted, Compute string

	count atomic.Uint64
}

// write sets the headers of one response.
func (s *Signs) write(h http.Header) {
	if s.Dialect == None || s.Accepted == "" {
		return
	}
	id := s.id()
	switch s.Dialect {
	case Cloudflare:
		h.Set("Server", "cloudflare")
		h.Set("Cf-Ray", id[:16]+"-"+s.Accepted)
		s.placement(h)
	case CloudFront:
		h.Set("X-Amz-Cf-Pop", s.Accepted+"50-P1")
		h.Set("X-Amz-Cf-Id", id)
	case Vercel:
		h.Set("Server", "Vercel")
		h.Set("X-Vercel-Id", strings.Join(s.vercel(), "::")+"::"+id[:16])
	case Fly:
		h.Set("Server", "Fly/lab")
		h.Set("Fly-Request-Id", strings.ToUpper(id)+"-"+strings.ToLower(s.Accepted))
	}
}

// placement says where the function ran, as seen beside cf-ray.
func (s *Signs) placement(h http.Header) {
	switch s.Compute {
	case "":
	case s.Accepted:
		h.Set("Cf-Placement", "local-"+s.Compute)
	default:
		h.Set("Cf-Placement", "remote-"+s.Compute)
	}
}

// vercel spells the places as its regions, which are the airport with a digit but
// for Tokyo, which it calls by its other airport.
func (s *Signs) vercel() []string {
	var out []string
	for _, code := range []string{s.Accepted, s.Compute} {
		switch code {
		case "":
		case "NRT":
			out = append(out, "hnd1")
		default:
			out = append(out, strings.ToLower(code)+"1")
		}
	}
	return out
}

// id makes a request id of 26 hexadecimal digits; it carries no secret and no time.
func (s *Signs) id() string {
	h := fnv.New128a()
	fmt.Fprintf(h, "%s %s %d", s.Accepted, s.Compute, s.count.Add(1))
	return fmt.Sprintf("%x", h.Sum(nil))[:26]
}
