package diagnosis

import (
	"cmp"
	"fmt"
	"net/netip"
	"regexp"
	"strings"

	"github.com/coldsplit/coldsplit/pkg/reading"
	"github.com/coldsplit/coldsplit/pkg/record"
	"github.com/coldsplit/coldsplit/pkg/segment"
)

// Lookup is the one look-up of a reserved name that follows a run which failed: under .invalid no name
// exists (RFC 6761 section 6.4), so whoever gives it an address lies.
type Lookup struct {
	Name     string
	Resolver string
	Address  string // what it was given, "" for none
	Said     string // without an address: the resolver's word, "no such name"
}

// Note spells l for the end line of a run file; a report finds it there.
func (l Lookup) Note() string {
	answer := l.Address
	if answer == "" {
		answer = l.Said
	}
	return fmt.Sprintf("looked up the reserved name %s: %s, from resolver %s", l.Name, answer, l.Resolver)
}

var lookupNote = regexp.MustCompile(`^looked up the reserved name (\S+): (.+), from resolver (.+)$`)

// LookupOf finds the look-up in the end line of a run.
func LookupOf(end record.End) (Lookup, bool) {
	for _, n := range end.Notes {
		m := lookupNote.FindStringSubmatch(n)
		if m == nil {
			continue
		}
		l := Lookup{Name: m[1], Said: m[2], Resolver: m[3]}
		if _, err := netip.ParseAddr(m[2]); err == nil {
			l.Address, l.Said = m[2], ""
		}
		return l, true
	}
	return Lookup{}, false
}

// WantsLookup reports whether an exchange ended in a way that a network answering in place of the
// host would explain: a resolver was asked and answered, and what followed failed before a request was
// answered. host is that of the route's URL. This machine's own name and addresses are nobody else's to
// answer for, and a resolver that was not reached has told no lie.
func WantsLookup(ex *record.Exchange, host string) bool {
	if ex.DNS == nil || ex.Error == nil || ex.Outcome != record.Failed || isOwn(ex.DNS, host) {
		return false
	}
	switch ex.Error.Segment {
	case segment.DNS:
		return strings.Contains(ex.Error.Text, ": no such name")
	case segment.TLS, segment.QUIC:
		return true
	case segment.TCP:
		return ex.Error.Class == record.ClassReset
	}
	return false
}

// isOwn reports whether a name means this machine: localhost (RFC 6761 section 6.3), or one whose
// addresses are all on the loopback.
func isOwn(dns *record.DNS, host string) bool {
	name := strings.ToLower(strings.TrimSuffix(cmp.Or(dns.Name, host), "."))
	if name == "localhost" || strings.HasSuffix(name, ".localhost") {
		return true
	}
	for _, a := range dns.Addrs {
		if addr, err := netip.ParseAddr(a); err != nil || !addr.IsLoopback() {
			return false
		}
	}
	return len(dns.Addrs) > 0
}

// impostor is a resolver that gives addresses to names that cannot exist.
func (s *scene) impostor() Cause {
	lookup, done := LookupOf(s.set.End)
	ex := s.example()
	if !done || lookup.Address == "" || ex.DNS == nil || len(ex.DNS.Addrs) == 0 {
		return nil
	}
	cause := Impostor{
		Host: s.host(), Address: ex.DNS.Addrs[0], Resolver: lookup.Resolver,
		ProbeName: lookup.Name, ProbeAddr: lookup.Address,
	}
	if ex.TLS != nil && !ex.TLS.Verified {
		cause.SelfSigned = selfSigned(ex.TLS)
		if names := presented(ex.TLS); len(names) > 0 {
			cause.CertName = names[0]
		}
	}
	return cause
}

// localIssuerNote begins the run note that names an authority this machine alone knows.
const localIssuerNote = "issuer known to this machine only: "

// LocalIssuerNote is the note at the end of a run that keeps that issuer, the authority that signed a
// certificate which verified, was added to this machine by its administrator.
func LocalIssuerNote(issuer string) string { return localIssuerNote + issuer }

// Inspected reports whether the TLS of an arm ends in an authority that this machine alone knows, as
// it does behind a company's inspection, and names the issuer. A peer inside a private network is its
// owner's own affair and never counts.
func Inspected(set *reading.Set, a *reading.Arm) (issuer string, yes bool) {
	ex := a.Example()
	if ex == nil || ex.TLS == nil || !ex.TLS.Verified {
		return "", false
	}
	peer, err := netip.ParseAddrPort(ex.Remote)
	if err != nil || !isPublic(peer.Addr()) {
		return "", false
	}
	for _, n := range set.End.Notes {
		if n == LocalIssuerNote(ex.TLS.Issuer) {
			return ex.TLS.Issuer, true
		}
	}
	return "", false
}
