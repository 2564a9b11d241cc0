package probe

import (
	"crypto/tls"
	"net/http"

	"github.com/quic-go/quic-go"
)

// Tamper breaks one proof of coldness, for the tests that show it fires.
func (p *Prober) Tamper(tls func(*tls.Config), quic func(*quic.Config), trip func(http.RoundTripper) http.RoundTripper) {
	p.tamper = tamper{tls: tls, quic: quic, trip: trip}
}
