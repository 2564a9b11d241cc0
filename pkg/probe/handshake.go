package probe

import (
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/hex"
	"sync"
	"time"

	"github.com/coldsplit/coldsplit/pkg/record"
)

// handshake watches one TLS handshake. It verifies the certificate itself, by the same rules as
// crypto/tls, so that verification is timed and a certificate that fails it is still told.
type handshake struct {
	roots      *x509.CertPool
	serverName string
	insecure   bool

	mu       sync.Mutex // guards all below; quic-go handshakes on its own goroutine
	seen     bool
	state    tls.ConnectionState
	verify   time.Duration
	verified bool
}

// config returns the TLS configuration of one connection of t: its own session state is empty, so
// nothing can be resumed unless the caller adds a cache.
func (h *handshake) config(t *Target, alpn []string) *tls.Config {
	return &tls.Config{
		ServerName:         h.serverName,
		RootCAs:            h.roots,
		Certificates:       t.ClientCerts,
		NextProtos:         alpn,
		KeyLogWriter:       t.KeyLog,
		InsecureSkipVerify: true, // verification happens in VerifyConnection, timed
		VerifyConnection:   h.check,
	}
}

// check runs once the peer's certificates are known, on full and resumed handshakes alike.
func (h *handshake) check(state tls.ConnectionState) error {
	start := time.Now()
	err := verifyChain(state.PeerCertificates, h.roots, h.serverName)
	took := time.Since(start)
	h.mu.Lock()
	defer h.mu.Unlock()
	h.seen, h.state, h.verify, h.verified = true, state, took, err == nil
	if err == nil || h.insecure {
		return nil
	}
	return &tls.CertificateVerificationError{UnverifiedCertificates: state.PeerCertificates, Err: err}
}

// finish replaces what check saw by the state of the completed handshake.
func (h *handshake) finish(state tls.ConnectionState) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.seen, h.state = true, state
}

// facts are what the record keeps; nil when the handshake never showed a certificate.
func (h *handshake) facts() *record.TLS {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.seen {
		return nil
	}
	facts := tlsFacts(h.state)
	facts.Verify, facts.Verified, facts.ServerName = h.verify, h.verified, h.serverName
	return facts
}

// verifyChain is the check of crypto/tls: the leaf must chain to roots (nil: the system's) through
// the certificates presented and be valid for name now (RFC 5280 section 6, RFC 9525).
func verifyChain(certs []*x509.Certificate, roots *x509.CertPool, name string) error {
	if len(certs) == 0 {
		return errNoCertificate
	}
	opts := x509.VerifyOptions{Roots: roots, DNSName: name, CurrentTime: time.Now(), Intermediates: x509.NewCertPool()}
	for _, c := range certs[1:] {
		opts.Intermediates.AddCert(c)
	}
	_, err := certs[0].Verify(opts)
	return err
}

// maxCertNames bounds the names of a certificate that a record keeps.
const maxCertNames = 8

func tlsFacts(state tls.ConnectionState) *record.TLS {
	facts := &record.TLS{
		Version: tlsVersion(state.Version),
		Cipher:  cipherName(state.CipherSuite),
		HRR:     state.HelloRetryRequest,
		Resumed: state.DidResume,
		ALPN:    state.NegotiatedProtocol,
	}
	if state.CurveID != 0 {
		facts.Group = state.CurveID.String()
	}
	for _, c := range state.PeerCertificates {
		facts.ChainBytes += len(c.Raw)
	}
	if len(state.PeerCertificates) > 0 {
		addLeaf(facts, state.PeerCertificates[0])
	}
	return facts
}

func addLeaf(facts *record.TLS, leaf *x509.Certificate) {
	sum := sha256.Sum256(leaf.Raw)
	facts.CertSHA = hex.EncodeToString(sum[:])
	facts.Issuer, facts.Subject = leaf.Issuer.CommonName, leaf.Subject.CommonName
	facts.NotAfter = leaf.NotAfter
	facts.Names = leaf.DNSNames
	if len(facts.Names) == 0 {
		for _, ip := range leaf.IPAddresses {
			facts.Names = append(facts.Names, ip.String())
		}
	}
	facts.Names = facts.Names[:min(len(facts.Names), maxCertNames)]
}

// cipherNames are the names crypto/tls gives its cipher suites, which it lists anew for each one asked.
var cipherNames = sync.OnceValue(func() map[uint16]string {
	names := map[uint16]string{}
	for _, suite := range append(tls.CipherSuites(), tls.InsecureCipherSuites()...) {
		names[suite.ID] = suite.Name
	}
	return names
})

func cipherName(id uint16) string {
	if name, ok := cipherNames()[id]; ok {
		return name
	}
	return tls.CipherSuiteName(id)
}

// tlsVersion spells a version as people do: "1.3".
func tlsVersion(v uint16) string {
	switch v {
	case tls.VersionTLS13:
		return "1.3"
	case tls.VersionTLS12:
		return "1.2"
	}
	return tls.VersionName(v)
}
