//go:build lab

package main

import (
	"github.com/coldsplit/coldsplit/pkg/lab/scenario"
	"github.com/coldsplit/coldsplit/pkg/probe"
)

// network is where requests go: into an embedded internet.
func network() (probe.Network, error) {
	w, err := scenario.Open("stranded-state", 1)
	if err != nil {
		return nil, err
	}
	return w.Client(), nil
}
