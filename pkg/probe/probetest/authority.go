package probetest

import (
	"crypto/ed25519"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"math/big"
	"net"
	"time"
)

// Authority issues certificates that are valid in the real world's time and in a bubble's, which
// begins in the year 2000. Ed25519 signatures have one length, so handshakes have one size.
type Authority struct {
	cert *x509.Certificate
	key  ed25519.PrivateKey
}

// NewAuthority makes a certificate authority of its own.
func NewAuthority() *Authority {
	public, key, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		panic(err)
	}
	a := &Authority{key: key}
	template := certificate("probetest root")
	template.IsCA, template.BasicConstraintsValid = true, true
	template.KeyUsage = x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature
	a.cert = a.sign(template, template, public)
	return a
}

// Roots is a pool with this authority alone.
func (a *Authority) Roots() *x509.CertPool {
	pool := x509.NewCertPool()
	pool.AddCert(a.cert)
	return pool
}

// Issue returns a certificate for the given names and addresses.
func (a *Authority) Issue(names ...string) tls.Certificate { return a.IssuePadded(0, names...) }

// IssuePadded makes the certificate about padding bytes longer, to exhaust what a QUIC server may
// send before the client's address is validated.
func (a *Authority) IssuePadded(padding int, names ...string) tls.Certificate {
	public, key, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		panic(err)
	}
	template := certificate(names[0])
	for _, name := range names {
		if ip := net.ParseIP(name); ip != nil {
			template.IPAddresses = append(template.IPAddresses, ip)
		} else {
			template.DNSNames = append(template.DNSNames, name)
		}
	}
	if padding > 0 {
		template.ExtraExtensions = []pkix.Extension{{Id: []int{1, 3, 6, 1, 4, 1, 32473, 1}, Value: noise(padding)}}
	}
	leaf := a.sign(template, a.cert, public)
	return tls.Certificate{Certificate: [][]byte{leaf.Raw, a.cert.Raw}, PrivateKey: key, Leaf: leaf}
}

// noise does not shrink under certificate compression.
func noise(n int) []byte {
	b := make([]byte, n)
	if _, err := rand.Read(b); err != nil {
		panic(err)
	}
	return b
}

func certificate(name string) *x509.Certificate {
	serial, err := rand.Int(rand.Reader, big.NewInt(1<<62))
	if err != nil {
		panic(err)
	}
	return &x509.Certificate{
		SerialNumber: serial, Subject: pkix.Name{CommonName: name},
		NotBefore: time.Date(1999, 1, 1, 0, 0, 0, 0, time.UTC), NotAfter: time.Date(2099, 1, 1, 0, 0, 0, 0, time.UTC),
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
	}
}

func (a *Authority) sign(template, parent *x509.Certificate, public ed25519.PublicKey) *x509.Certificate {
	der, err := x509.CreateCertificate(rand.Reader, template, parent, public, a.key)
	if err != nil {
		panic(err)
	}
	cert, err := x509.ParseCertificate(der)
	if err != nil {
		panic(err)
	}
	return cert
}
