package probe

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"time"

	"github.com/coldsplit/coldsplit/pkg/record"
)

// Prewarm pays this process's own first-use costs before anything is measured, and times what it does:
// it loads the system's certificate roots and the resolver's configuration, and performs one throwaway
// exchange per protocol with a server of its own on loopback, under a certificate of its own. It never
// touches a target. The roots are returned for Target.RootCAs: loaded lazily, what Prewarm.Roots tells
// would be part of the first TLS handshake. The first exchange after it may still be slower than the tenth.
//
// An error names the step that failed; what was done before it is in the Prewarm all the same, and
// measuring without the rest is sound as long as that is told.
func Prewarm(ctx context.Context) (record.Prewarm, *x509.CertPool, error) {
	var did record.Prewarm
	start := time.Now()
	roots, rootsErr := x509.SystemCertPool()
	did.Roots = time.Since(start)

	start = time.Now()
	loadResolverConfig(ctx)
	did.Resolver = time.Since(start)

	start = time.Now()
	err := rehearse(ctx)
	did.Protocols = time.Since(start)
	if rootsErr != nil {
		rootsErr = fmt.Errorf("load certificate roots: %w", rootsErr)
	}
	return did, roots, errors.Join(rootsErr, err)
}

// loadResolverConfig makes the resolver read its files by a look-up that reaches no network.
func loadResolverConfig(ctx context.Context) {
	r := &net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) {
		return nil, errors.New("no look-up is sent")
	}}
	_, _ = r.LookupNetIP(ctx, "ip", "prewarm.invalid")
}

// rehearse performs the throwaway exchanges.
func rehearse(ctx context.Context) error {
	stage, err := newStage()
	if err != nil {
		return fmt.Errorf("prewarm: %w", err)
	}
	defer stage.close()
	var p Prober
	for _, protocol := range []Protocol{HTTP11, HTTP2, HTTP3} {
		at := stage.tcp
		if protocol == HTTP3 {
			at = stage.udp
		}
		if e := p.Do(ctx, stage.target(protocol, at)).Exchange; e.Outcome != record.OK {
			return fmt.Errorf("prewarm: %s on loopback: %s", protocol, e.Error.Text)
		}
	}
	return nil
}

// target is one throwaway exchange.
func (s *stage) target(protocol Protocol, at netip.AddrPort) *Target {
	return &Target{
		URL: &url.URL{Scheme: "https", Host: at.String(), Path: "/"}, Protocol: protocol,
		RootCAs: s.roots, MaxTime: 2 * time.Second,
	}
}
