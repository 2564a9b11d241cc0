package main

import (
	"github.com/coldsplit/coldsplit/pkg/eventstream"
	"github.com/coldsplit/coldsplit/pkg/probe"
)

// setStream fills what the user says about event streams that their events do not.
func (b *armBuilder) setStream(r *routeFlags, t *probe.Target) error {
	var err error
	t.Stream, err = streamRules(r.textPath, r.terminal)
	if err != nil {
		return usagef("--text-path: %v", err)
	}
	return nil
}

func streamRules(textPath, terminal string) (eventstream.Rules, error) {
	rules := eventstream.Rules{Terminal: terminal}
	if textPath == "" {
		return rules, nil
	}
	var err error
	rules.TextPath, err = eventstream.ParsePath(textPath)
	return rules, err
}
