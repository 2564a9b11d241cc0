package diagnosis

import (
	"fmt"
	"strings"
	"time"

	"github.com/coldsplit/coldsplit/pkg/record"
	"github.com/coldsplit/coldsplit/pkg/segment"
)

// wrongCertificate is a handshake that showed a certificate and was given up because of it.
func (s *scene) wrongCertificate() Cause {
	shown := s.example().TLS
	if shown == nil || shown.CertSHA == "" && len(shown.Names) == 0 || !s.badCertificate() {
		return nil
	}
	took, _ := s.example().Segments.Get(s.fail.Segment)
	cause := WrongCertificate{
		Address: s.address(), Name: shown.ServerName, Presented: presented(shown),
		NameFits: fits(shown.Names, shown.ServerName), After: took,
	}
	cause.Reason, cause.Chain = reasonOf(shown, s.fail.Text, cause.NameFits, s.example().Started), chainOf(shown)
	return cause
}

// badCertificate tells a refused certificate from a handshake that failed for another reason.
func (s *scene) badCertificate() bool {
	if s.fail.Segment != segment.TLS && s.fail.Segment != segment.QUIC {
		return false
	}
	return !s.example().TLS.Verified && IsCertificateFailure(s.example())
}

// IsCertificateFailure reports whether ex ended because a certificate did not hold: no repetition
// changes that.
func IsCertificateFailure(ex *record.Exchange) bool {
	if ex.Error == nil || ex.TLS == nil || ex.TLS.Verified {
		return false
	}
	class := ex.Error.Class == record.ClassTLS || ex.Error.Class == record.ClassQUIC
	return class && (len(ex.TLS.Names) > 0 || ex.TLS.Subject != "" || strings.Contains(ex.Error.Text, "certificate"))
}

func presented(shown *record.TLS) []string {
	if len(shown.Names) > 0 {
		return shown.Names
	}
	if shown.Subject != "" {
		return []string{shown.Subject}
	}
	return nil
}

// reasonOf says what is wrong with a certificate. Of several faults it is the one the handshake was
// given up for: validity in time is looked at first, then the name, then the chain.
func reasonOf(shown *record.TLS, text string, nameFits bool, at time.Time) string {
	switch {
	case !shown.NotAfter.IsZero() && shown.NotAfter.Before(at):
		return "expired on " + shown.NotAfter.UTC().Format(time.DateOnly)
	case strings.Contains(text, "not yet valid"):
		return "not valid yet"
	case !nameFits:
		return "name does not match"
	case selfSigned(shown):
		return "self-signed"
	case strings.Contains(text, "unknown authority"):
		return "from an authority this machine does not trust"
	}
	return "the certificate does not verify"
}

func selfSigned(shown *record.TLS) bool {
	return shown.Issuer != "" && shown.Issuer == shown.Subject
}

// chainOf is all the record knows of the chain: a wrong name is found before the chain is looked at.
func chainOf(shown *record.TLS) string {
	switch {
	case selfSigned(shown):
		return "self-signed"
	case shown.Issuer != "":
		return fmt.Sprintf("issuer %s", shown.Issuer)
	}
	return ""
}
