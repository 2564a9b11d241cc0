package actor

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"net/netip"
	"strconv"
	"strings"
	"time"
)

// The headers by which an edge tells an origin who called.
const (
	forwardedFor  = "X-Forwarded-For"
	trueClient    = "True-Client-Address"
	edgeSignature = "X-Edge-Signature"
)

// signatureAge is how old a signature may be: a captured one is of little use.
const signatureAge = time.Minute

// Signature proves that whoever holds the key saw caller at the given time; it is
// "UNIXTIME.HMAC-SHA256" of both, in hexadecimal.
func Signature(key []byte, caller string, at time.Time) string {
	stamp := strconv.FormatInt(at.Unix(), 10)
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(stamp + " " + caller))
	return stamp + "." + hex.EncodeToString(mac.Sum(nil))
}

// Signed reports whether sig is a Signature of caller by key, not older than a
// minute at the given time.
func Signed(key []byte, sig, caller string, now time.Time) bool {
	stamp, _, ok := strings.Cut(sig, ".")
	unix, err := strconv.ParseInt(stamp, 10, 64)
	if !ok || err != nil || len(key) == 0 {
		return false
	}
	at := time.Unix(unix, 0)
	if age := now.Sub(at); age > signatureAge || age < -signatureAge {
		return false
	}
	return hmac.Equal([]byte(sig), []byte(Signature(key, caller, at)))
}

// maxHops bounds the trusted proxies in front of an origin: more than a browser, a
// CDN, its shield, a load balancer and a sidecar is a mistake in the configuration.
const maxHops = 5

// checkHops refuses a count of trusted hops nobody can mean.
func checkHops(hops int) error {
	if hops < 0 || hops > maxHops {
		return fmt.Errorf("trusted hops must be between 0 and %d, got %d", maxHops, hops)
	}
	return nil
}

// TrueCaller returns whose request it is. A caller's address signed by the own edge
// is believed. Without one, X-Forwarded-For is read hops entries from its end: with
// one too few every user looks like the edge, with one too many the caller's own
// text is believed. With no hops, or too short a chain, it is the connection's peer.
func TrueCaller(r *http.Request, key []byte, hops int) string {
	if caller := r.Header.Get(trueClient); Signed(key, r.Header.Get(edgeSignature), caller, time.Now()) {
		return caller
	}
	chain := strings.Split(strings.Join(r.Header.Values(forwardedFor), ","), ",")
	if hops > 0 && hops <= len(chain) {
		entry := strings.TrimSpace(chain[len(chain)-hops])
		if addr, err := netip.ParseAddr(entry); err == nil {
			return addr.String()
		}
	}
	return callerOf(r)
}
