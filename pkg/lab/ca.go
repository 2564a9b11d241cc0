package lab

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/asn1"
	"errors"
	"fmt"
	"math/big"
	"net"
	"slices"
	"time"
)

// KeyType is the kind of a certificate's key.
type KeyType uint8

// Ed25519 signs fastest, so that the handshake's time is the path's; browsers and
// many other clients accept only the other two.
const (
	Ed25519 KeyType = iota
	ECDSAP256
	RSA2048
)

// CA is a private certificate authority. It is safe for concurrent use.
type CA struct {
	issuer
	from, until time.Time
}

// issuer is a certificate that signs others.
type issuer struct {
	cert *x509.Certificate
	key  crypto.Signer
}

// CertOptions describes a server certificate. The zero value but for Names is an
// Ed25519 leaf signed by the root, valid as long as the root is.
type CertOptions struct {
	// Names are the host names and literal addresses it is for.
	Names []string
	// Key is the kind of the leaf's key.
	Key KeyType
	// Intermediates is how many authorities stand between root and leaf; the chain
	// sent has them all, and not the root.
	Intermediates int
	// ChainBytes is how many bytes of DER the chain has at the least: the leaf is
	// padded with an extension nobody reads. A flight that outgrows the initial
	// window (TCP, RFC 6928: 10 segments) or the amplification limit (QUIC, RFC 9000
	// section 8.1: three times what came) costs a further round trip.
	ChainBytes int
	// NotBefore and NotAfter replace the root's bounds where they are not zero.
	NotBefore, NotAfter time.Time
}

// Validity of a root: it began well before any clock a test may run at.
const (
	rootBegins = 1999
	rootEnds   = 2099
)

// NewCA makes a new root. Its name shows in the certificates it issues.
func NewCA(name string) (*CA, error) {
	ca := &CA{
		from:  time.Date(rootBegins, 1, 1, 0, 0, 0, 0, time.UTC),
		until: time.Date(rootEnds, 12, 31, 0, 0, 0, 0, time.UTC),
	}
	root, err := ca.authority(name, issuer{})
	if err != nil {
		return nil, fmt.Errorf("make root certificate %q: %w", name, err)
	}
	ca.issuer = root
	return ca, nil
}

// Pool returns a new pool that trusts the CA alone.
func (ca *CA) Pool() *x509.CertPool {
	p := x509.NewCertPool()
	p.AddCert(ca.cert)
	return p
}

// Root returns the root certificate in DER; the slice is the caller's.
func (ca *CA) Root() []byte { return slices.Clone(ca.cert.Raw) }

// Issue makes a key and its certificate, chain included.
func (ca *CA) Issue(opts CertOptions) (tls.Certificate, error) {
	c, err := ca.issue(opts)
	if err != nil {
		return tls.Certificate{}, fmt.Errorf("issue certificate for %q: %w", opts.Names, err)
	}
	return c, nil
}

func (ca *CA) issue(opts CertOptions) (tls.Certificate, error) {
	if len(opts.Names) == 0 {
		return tls.Certificate{}, errors.New("no names")
	}
	by, chain, err := ca.intermediates(opts.Intermediates)
	if err != nil {
		return tls.Certificate{}, err
	}
	key, err := newKey(opts.Key)
	if err != nil {
		return tls.Certificate{}, err
	}
	leaf, err := ca.leaf(opts, by, key, opts.ChainBytes-size(chain))
	if err != nil {
		return tls.Certificate{}, err
	}
	return tls.Certificate{
		Certificate: append([][]byte{leaf.Raw}, chain...),
		PrivateKey:  key,
		Leaf:        leaf,
	}, nil
}

// intermediates makes count authorities; the chain has the lowest first, as
// RFC 8446 section 4.4.2 asks.
func (ca *CA) intermediates(count int) (by issuer, chain [][]byte, err error) {
	by = ca.issuer
	for i := range count {
		by, err = ca.authority(fmt.Sprintf("%s intermediate %d", ca.cert.Subject.CommonName, i+1), by)
		if err != nil {
			return issuer{}, nil, err
		}
		chain = append([][]byte{by.cert.Raw}, chain...)
	}
	return by, chain, nil
}

// authority makes a certificate that may sign others; no parent means a root.
func (ca *CA) authority(name string, parent issuer) (issuer, error) {
	key, err := newKey(Ed25519)
	if err != nil {
		return issuer{}, err
	}
	template := ca.template(name)
	template.IsCA = true
	template.KeyUsage = x509.KeyUsageCertSign
	if parent.cert == nil {
		parent = issuer{cert: template, key: key}
	}
	cert, err := parent.sign(template, key.Public())
	return issuer{cert: cert, key: key}, err
}

func (ca *CA) template(name string) *x509.Certificate {
	return &x509.Certificate{
		Subject:               pkix.Name{CommonName: name},
		NotBefore:             ca.from,
		NotAfter:              ca.until,
		BasicConstraintsValid: true,
	}
}

// leaf pads in a second pass: how much the certificate lacks shows once it is signed.
func (ca *CA) leaf(opts CertOptions, by issuer, key crypto.Signer, atLeast int) (*x509.Certificate, error) {
	template := ca.leafTemplate(opts)
	cert, err := by.sign(template, key.Public())
	if err != nil || len(cert.Raw) >= atLeast {
		return cert, err
	}
	pad, err := padding(atLeast - len(cert.Raw))
	if err != nil {
		return nil, err
	}
	template.ExtraExtensions = []pkix.Extension{pad}
	return by.sign(template, key.Public())
}

func (ca *CA) leafTemplate(opts CertOptions) *x509.Certificate {
	t := ca.template(opts.Names[0])
	t.KeyUsage = x509.KeyUsageDigitalSignature
	t.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}
	for _, name := range opts.Names {
		if ip := net.ParseIP(name); ip != nil {
			t.IPAddresses = append(t.IPAddresses, ip)
		} else {
			t.DNSNames = append(t.DNSNames, name)
		}
	}
	if !opts.NotBefore.IsZero() {
		t.NotBefore = opts.NotBefore
	}
	if !opts.NotAfter.IsZero() {
		t.NotAfter = opts.NotAfter
	}
	return t
}

// padding is noise under an object identifier of the documentation arc (RFC 5612).
func padding(bytes int) (pkix.Extension, error) {
	noise := make([]byte, bytes)
	if _, err := rand.Read(noise); err != nil {
		return pkix.Extension{}, err
	}
	return pkix.Extension{Id: asn1.ObjectIdentifier{1, 3, 6, 1, 4, 1, 32473, 1}, Value: noise}, nil
}

func (i issuer) sign(template *x509.Certificate, public crypto.PublicKey) (*x509.Certificate, error) {
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 120))
	if err != nil {
		return nil, err
	}
	template.SerialNumber = serial
	der, err := x509.CreateCertificate(rand.Reader, template, i.cert, public, i.key)
	if err != nil {
		return nil, err
	}
	return x509.ParseCertificate(der)
}

func newKey(kind KeyType) (crypto.Signer, error) {
	switch kind {
	case ECDSAP256:
		return ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	case RSA2048:
		return rsa.GenerateKey(rand.Reader, 2048)
	}
	_, key, err := ed25519.GenerateKey(rand.Reader)
	return key, err
}

func size(chain [][]byte) int {
	total := 0
	for _, der := range chain {
		total += len(der)
	}
	return total
}
