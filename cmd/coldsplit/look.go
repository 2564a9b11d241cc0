package main

import (
	"context"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/coldsplit/coldsplit/pkg/diagnosis"
	"github.com/coldsplit/coldsplit/pkg/probe"
	"github.com/coldsplit/coldsplit/pkg/record"
	"github.com/coldsplit/coldsplit/pkg/resolver"
)

// suspicion is what a run noticed on its way that is worth one more look once it is over.
type suspicion struct {
	answered bool             // some exchange was ok or throttled
	suspect  *record.Exchange // the first that ended as behind a network that answers for others
	issuers  []string         // of certificates that verified against the system's roots
}

func (s *suspicion) note(ex *record.Exchange, host string, ownRoots bool) {
	switch {
	case ex.Outcome == record.OK || ex.Outcome == record.Throttled:
		s.answered = true
	case s.suspect == nil && diagnosis.WantsLookup(ex, host):
		s.suspect = ex
	}
	if ex.TLS != nil && ex.TLS.Verified && !ownRoots && !slices.Contains(s.issuers, ex.TLS.Issuer) {
		s.issuers = append(s.issuers, ex.TLS.Issuer)
	}
}

// lookTime bounds the look-up after a run that failed.
const lookTime = 5 * time.Second

// lookUpReserved asks once for a name that cannot exist, when nothing answered and a lying resolver
// would explain it. It is nothing else than a look-up: no connection is made to what it brings.
func (m *measurement) lookUpReserved(ctx context.Context) []string {
	if m.noticed.answered || m.noticed.suspect == nil || ctx.Err() != nil {
		return nil
	}
	t := m.targetOf(m.noticed.suspect.Route)
	if t == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, lookTime)
	defer cancel()
	l := diagnosis.Lookup{Name: reservedName()}
	answer, err := t.Resolver.Lookup(ctx, m.prober.Network, l.Name, t.Family)
	l.Resolver, l.Said = record.SafeURL(answer.Server), "no such name"
	var failed *resolver.Error
	switch {
	case err == nil && len(answer.Addrs) > 0:
		l.Address = answer.Addrs[0].String()
	case errors.As(err, &failed):
		l.Said = string(failed.Kind)
		l.Resolver = record.SafeURL(failed.Server)
	case err != nil:
		l.Said = "no answer"
	}
	return []string{l.Note()}
}

// hostOf is the host of a route's URL, "" for a hop that was discovered on the way.
func (m *measurement) hostOf(route string) string {
	if t := m.targetOf(route); t != nil {
		return t.URL.Hostname()
	}
	return ""
}

func (m *measurement) targetOf(route string) *probe.Target {
	for _, a := range m.arms {
		if a.route.Name == route {
			return a.target
		}
	}
	return nil
}

// reservedName is a random name under .invalid (RFC 6761 section 6.4), so that no cache knows it.
func reservedName() string {
	const letters = "abcdefghijklmnopqrstuvwxyz234567"
	var b [5]byte
	rand.Read(b[:])
	for i := range b {
		b[i] = letters[b[i]%32]
	}
	return string(b[:]) + ".invalid"
}

// anchorFolders are where Linux distributions keep the authorities that an administrator added: they
// are known to this machine only. Elsewhere such a folder does not exist, and inspection is not told.
var anchorFolders = []string{
	"/usr/local/share/ca-certificates",          // Debian, Ubuntu, Alpine
	"/etc/pki/ca-trust/source/anchors",          // Fedora, Red Hat
	"/etc/ca-certificates/trust-source/anchors", // Arch
	"/etc/pki/trust/anchors",                    // SUSE
}

// localIssuers tells which issuers of this run are authorities added to this machine.
func (m *measurement) localIssuers(folders []string) []string {
	if len(m.noticed.issuers) == 0 {
		return nil
	}
	var notes []string
	added := subjectsIn(folders)
	for _, issuer := range m.noticed.issuers {
		if issuer != "" && slices.Contains(added, issuer) {
			notes = append(notes, diagnosis.LocalIssuerNote(issuer))
		}
	}
	return notes
}

// subjectsIn lists the common names of the certificates in folders; what cannot be read is no anchor.
func subjectsIn(folders []string) []string {
	var names []string
	for _, folder := range folders {
		_ = filepath.WalkDir(folder, func(path string, d os.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return nil
			}
			text, err := os.ReadFile(path)
			if err == nil {
				names = append(names, subjectsOf(text)...)
			}
			return nil
		})
	}
	return names
}

func subjectsOf(text []byte) []string {
	var names []string
	for {
		var block *pem.Block
		if block, text = pem.Decode(text); block == nil {
			return names
		}
		if cert, err := x509.ParseCertificate(block.Bytes); err == nil {
			names = append(names, cert.Subject.CommonName)
		}
	}
}
