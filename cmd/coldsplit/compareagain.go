package main

import (
	"context"

	"github.com/coldsplit/coldsplit/pkg/ledger"
)

// againSides are a saved route and the same plan measured now.
type againSides struct {
	before side
	live   againRun
}

func newAgainSides(o *compareOptions, s streams, file side, url string) (sides, error) {
	run, err := newAgainRun(file.file, url, o, s)
	if err != nil {
		return nil, err
	}
	return againSides{before: file, live: run}, nil
}

func (v againSides) compare(ctx context.Context, o *compareOptions, s streams) error {
	before, err := readRun(v.before.file, s, o.reader)
	if err != nil {
		return err
	}
	b, err := pickArm(before, v.before, "before", false)
	if err != nil {
		return err
	}
	m, err := v.live.measure(ctx, s)
	if err != nil {
		return err
	}
	defer m.file.discard()
	after, err := readRun(m.file.path, s, o.reader)
	if err != nil {
		return err
	}
	a, err := pickArm(after, side{text: m.file.path, file: m.file.path}, "after", false)
	if err != nil {
		return err
	}
	c := ledger.Compare(b, a)
	c.Control = controlOf(before, after)
	if o.by.Set() {
		err = o.concludeBy(c, [2]string{v.before.file, m.file.path}, s)
	} else {
		err = o.conclude(c, s)
	}
	m.tellWhereSaved(s)
	return m.outcome(err)
}
