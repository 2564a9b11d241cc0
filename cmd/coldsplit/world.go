package main

import (
	"crypto/x509"

	"github.com/coldsplit/coldsplit/pkg/lab/scenario"
	"github.com/coldsplit/coldsplit/pkg/probe"
)

// world is what a run is measured in when it is not this machine's network: a test's, or one inside
// the process. Nothing of this machine is prewarmed for it.
type world struct {
	network probe.Network
	roots   *x509.CertPool // the authorities it trusts
	anchors []string       // folders with authorities its administrator added

	scenario *scenario.World // of --lab; nil otherwise
}

// networkOf is where requests go.
func (s streams) networkOf(system probe.Network) probe.Network {
	if s.world != nil {
		return s.world.network
	}
	return system
}
