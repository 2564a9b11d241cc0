package provider

import (
	"strings"
	"time"
)

// CacheState is what a cache did with a request.
type CacheState uint8

// The states, by what they mean for the headers: the stored ones replay what
// an earlier response said.
const (
	CacheUnknown     CacheState = iota
	CacheHit                    // answered from storage
	CacheStale                  // answered from storage, past its time
	CacheRevalidated            // answered from storage after asking the origin
	CacheMiss                   // not stored; the origin answered
	CacheExpired                // stored too long; the origin answered anew
	CacheBypass                 // not cacheable, or told not to look
)

var cacheNames = [...]string{"unknown", "hit", "stale", "revalidated", "miss", "expired", "bypass"}

// String returns the state in lower case.
func (s CacheState) String() string {
	if int(s) < len(cacheNames) {
		return cacheNames[s]
	}
	return "unknown"
}

// Stored reports whether the response's fields come from storage (RFC 9111
// section 4: a stored response is sent with the fields it was stored with).
func (s CacheState) Stored() bool {
	return s == CacheHit || s == CacheStale || s == CacheRevalidated
}

// CacheSign is one header's or metric's word on caching.
type CacheSign struct {
	State    CacheState
	Provider string
	Source   string
	Raw      string
}

// Cache is what the response says about caches on its way.
type Cache struct {
	// State is the outermost stated one; a stored state of any hop wins.
	State CacheState
	// Hit: some cache answered with a stored response, by State or by Age.
	Hit bool
	// Age is the Age field (RFC 9111 section 5.1), if Aged.
	Age   time.Duration
	Aged  bool
	Signs []CacheSign
}

// add keeps a sign; the first stored state, else the first stated one, counts.
func (c *Cache) add(s CacheSign) {
	if s.State == CacheUnknown {
		return
	}
	c.Signs = append(c.Signs, s)
	if c.State == CacheUnknown || (s.State.Stored() && !c.State.Stored()) {
		c.State = s.State
	}
	c.Hit = c.Hit || s.State.Stored()
}

// cacheWords are the words providers use, lower case.
var cacheWords = map[string]CacheState{
	"hit": CacheHit, "stale": CacheStale, "updating": CacheStale,
	"revalidated": CacheRevalidated, "refreshhit": CacheRevalidated, "refresh": CacheRevalidated, "prerender": CacheHit,
	"miss": CacheMiss, "expired": CacheExpired,
	"bypass": CacheBypass, "dynamic": CacheBypass, "pass": CacheBypass, "nocache": CacheBypass,
}

// cacheWord reads the words of a value such as "HIT", "Miss from cloudfront",
// "TCP_REMOTE_HIT", "cp1087 hit/2199", "hit-front" or "MISS, HIT" (one per
// hop). A stored state of any hop wins.
func cacheWord(value string) CacheState {
	state := CacheUnknown
	for word := range strings.FieldsFuncSeq(strings.ToLower(value), notLetter) {
		s := cacheWords[word]
		if state == CacheUnknown || (s.Stored() && !state.Stored()) {
			state = s
		}
	}
	return state
}

func notLetter(r rune) bool { return r < 'a' || r > 'z' }
