package main

import (
	"crypto/tls"
	"crypto/x509"
	"os"
	"strings"

	"github.com/coldsplit/coldsplit/pkg/probe"
)

// setTrust fills roots and client certificates.
func (b *armBuilder) setTrust(r *routeFlags, t *probe.Target) error {
	if r.cacert != "" {
		pem, err := os.ReadFile(r.cacert)
		if err != nil {
			return usagef("--cacert: %v", err)
		}
		t.RootCAs = x509.NewCertPool()
		if !t.RootCAs.AppendCertsFromPEM(pem) {
			return usagef("--cacert: %s holds no PEM certificate", r.cacert)
		}
		t.Resolver.RootCAs = t.RootCAs
	}
	if r.key != "" && r.cert == "" {
		return usagef("--key needs --cert")
	}
	if r.cert == "" {
		return nil
	}
	key := r.key
	if key == "" {
		key = r.cert
	}
	pair, err := tls.LoadX509KeyPair(r.cert, key)
	if err != nil {
		return usagef("--cert: %v", err)
	}
	t.ClientCerts = []tls.Certificate{pair}
	return nil
}

// setJudgement fills which answers count as ok.
func (b *armBuilder) setJudgement(r *routeFlags, t *probe.Target) error {
	if r.maxBody <= 0 {
		return usagef("--max-body must be above 0, got %d", r.maxBody)
	}
	if r.ok == "" {
		return nil
	}
	set, err := parseStatusSet(strings.ToLower(r.ok))
	t.OK = set.has
	return err
}
