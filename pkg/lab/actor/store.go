package actor

import (
	"net/http"
	"slices"
	"strings"
	"sync"
)

// Store is a shared cache. Its key follows Vary (RFC 9111 section 4.1): two requests
// get the same stored answer only if every header the answer names is equal. It
// keeps what an origin marks with max-age, until it is thrown away with its edge.
type Store struct {
	mu      sync.Mutex // guards answers
	answers map[string][]variant
}

// variant is one stored answer and the request headers it was chosen by.
type variant struct {
	reply
	chosenBy http.Header
}

// NewStore returns an empty cache.
func NewStore() *Store { return &Store{answers: map[string][]variant{}} }

func primaryKey(r *http.Request) string { return hostOf(r) + r.URL.RequestURI() }

// find returns what is stored for a request. A nil Store has nothing.
func (s *Store) find(r *http.Request) (reply, bool) {
	if s == nil || r.Method != http.MethodGet {
		return reply{}, false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, v := range s.answers[primaryKey(r)] {
		if v.matches(r) {
			return v.reply, true
		}
	}
	return reply{}, false
}

func (s *Store) keep(r *http.Request, answer reply) {
	if r.Method != http.MethodGet || answer.status != http.StatusOK || !storable(answer.header) {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	key := primaryKey(r)
	s.answers[key] = append(s.answers[key], variant{answer, r.Header.Clone()})
}

// storable is the little of RFC 9111 section 3 an origin here makes use of.
func storable(h http.Header) bool {
	control := h.Get("Cache-Control")
	return strings.Contains(control, "max-age") && !strings.Contains(control, "private") &&
		!slices.Contains(varies(h), "*")
}

func varies(h http.Header) []string {
	var names []string
	for _, line := range h.Values("Vary") {
		for _, name := range strings.Split(line, ",") {
			names = append(names, strings.TrimSpace(name))
		}
	}
	return names
}

func (v variant) matches(r *http.Request) bool {
	for _, name := range varies(v.header) {
		if !slices.Equal(r.Header.Values(name), v.chosenBy.Values(name)) {
			return false
		}
	}
	return true
}
