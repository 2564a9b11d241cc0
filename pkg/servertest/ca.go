package servertest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// CA is a throwaway certificate authority and a certificate of it, as files.
type CA struct {
	Pool              *x509.CertPool
	File              string // the authority's certificate, PEM
	CertFile, KeyFile string // a certificate for the names asked for
	CombinedFile      string // both, as HAProxy wants them
	cert              *x509.Certificate
	key               *ecdsa.PrivateKey
	dir               string
}

// NewCA makes an authority and a certificate for names (localhost, 127.0.0.1 and ::1 when none is given).
func NewCA(t testing.TB, names ...string) *CA {
	t.Helper()
	ca := &CA{Pool: x509.NewCertPool(), dir: t.TempDir()}
	ca.key = newKey(t)
	tmpl := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "coldsplit test authority"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(24 * time.Hour),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}
	der := sign(t, tmpl, tmpl, &ca.key.PublicKey, ca.key)
	var err error
	if ca.cert, err = x509.ParseCertificate(der); err != nil {
		t.Fatal(err)
	}
	ca.Pool.AddCert(ca.cert)
	ca.File = ca.write(t, "ca.pem", pemBlock("CERTIFICATE", der))
	if len(names) == 0 {
		names = []string{"localhost", "127.0.0.1", "::1"}
	}
	ca.issue(t, names)
	return ca
}

// issue makes the leaf and its files.
func (ca *CA) issue(t testing.TB, names []string) {
	key := newKey(t)
	tmpl := &x509.Certificate{
		SerialNumber: big.NewInt(2), Subject: pkix.Name{CommonName: names[0]},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(24 * time.Hour),
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	for _, n := range names {
		if ip := net.ParseIP(n); ip != nil {
			tmpl.IPAddresses = append(tmpl.IPAddresses, ip)
		} else {
			tmpl.DNSNames = append(tmpl.DNSNames, n)
		}
	}
	cert := pemBlock("CERTIFICATE", sign(t, tmpl, ca.cert, &key.PublicKey, ca.key))
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	private := pemBlock("PRIVATE KEY", der)
	ca.CertFile = ca.write(t, "cert.pem", cert)
	ca.KeyFile = ca.write(t, "key.pem", private)
	ca.CombinedFile = ca.write(t, "both.pem", append(append([]byte(nil), cert...), private...))
}

func (ca *CA) write(t testing.TB, name string, content []byte) string {
	path := filepath.Join(ca.dir, name)
	if err := os.WriteFile(path, content, 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func newKey(t testing.TB) *ecdsa.PrivateKey {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

func sign(t testing.TB, tmpl, parent *x509.Certificate, pub *ecdsa.PublicKey, key *ecdsa.PrivateKey) []byte {
	der, err := x509.CreateCertificate(rand.Reader, tmpl, parent, pub, key)
	if err != nil {
		t.Fatal(err)
	}
	return der
}

func pemBlock(kind string, der []byte) []byte {
	return pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der})
}
