//go:build linux

package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net/netip"
	"os"
	"path/filepath"
	"time"
)

// writeCertificate puts a throwaway authority (ca.pem) and a certificate of it for addr (cert.pem, key.pem)
// into dir.
func writeCertificate(dir string, addr netip.Addr) error {
	root := template("coldsplit wire-truth")
	root.IsCA, root.BasicConstraintsValid, root.KeyUsage = true, true, x509.KeyUsageCertSign
	rootKey, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	rootDER, err := x509.CreateCertificate(rand.Reader, root, root, &rootKey.PublicKey, rootKey)
	if err != nil {
		return err
	}
	leaf := template(addr.String())
	leaf.IPAddresses = append(leaf.IPAddresses, addr.AsSlice())
	leaf.KeyUsage, leaf.ExtKeyUsage = x509.KeyUsageDigitalSignature, []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	leafDER, err := x509.CreateCertificate(rand.Reader, leaf, root, &key.PublicKey, rootKey)
	if err != nil {
		return err
	}
	keyDER, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return err
	}
	return writePEMs(dir, []pem.Block{
		{Type: "CERTIFICATE", Headers: map[string]string{}, Bytes: rootDER},
		{Type: "CERTIFICATE", Headers: map[string]string{}, Bytes: leafDER},
		{Type: "PRIVATE KEY", Headers: map[string]string{}, Bytes: keyDER},
	}, "ca.pem", "cert.pem", "key.pem")
}

func template(name string) *x509.Certificate {
	now := time.Now()
	return &x509.Certificate{
		SerialNumber: big.NewInt(now.UnixNano()), Subject: pkix.Name{CommonName: name},
		NotBefore: now.Add(-time.Hour), NotAfter: now.Add(24 * time.Hour),
	}
}

func writePEMs(dir string, blocks []pem.Block, names ...string) error {
	for i, name := range names {
		if err := os.WriteFile(filepath.Join(dir, name), pem.EncodeToMemory(&blocks[i]), 0o600); err != nil {
			return err
		}
	}
	return nil
}
