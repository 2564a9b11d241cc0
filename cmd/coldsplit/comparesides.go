package main

import (
	"cmp"
	"context"
	"os"
	"strings"
	"sync"

	"github.com/coldsplit/coldsplit/pkg/ledger"
	"github.com/coldsplit/coldsplit/pkg/reading"
)

// sides is one of the ways two arms can come together.
type sides interface {
	compare(ctx context.Context, o *compareOptions, s streams) error
}

// side is one argument of compare.
type side struct {
	text  string
	file  string // path, "" for a URL
	route string // after #, "" when the file has one route
}

// sideOf tells a file from a URL: what exists or ends like a run file is one.
func sideOf(text string) side {
	if strings.Contains(text, "://") {
		return side{text: text}
	}
	name, route, _ := strings.Cut(text, "#")
	if name == "last" || isRunFile(name) {
		return side{text: text, file: name, route: route}
	}
	if _, err := os.Stat(name); err == nil {
		return side{text: text, file: name, route: route}
	}
	return side{text: text}
}

func isRunFile(name string) bool {
	return strings.HasSuffix(name, ".jsonl") || strings.HasSuffix(name, ".jsonl.zst")
}

// sides decides which way the arguments ask for.
func (o *compareOptions) sides(s streams) (sides, error) {
	if s.inLab() {
		return newLabSides(o, s)
	}
	if o.run.routes != nil {
		return newConfigSides(o, s)
	}
	first := sideOf(o.args[0])
	second := side{}
	if len(o.args) == 2 {
		second = sideOf(o.args[1])
	}
	switch {
	case first.file != "" && first.route != "" && second.text == "":
		return nil, usagef("%s is one route: name the one to compare it with, as FILE#ROUTE", first.text)
	case first.file != "" && (second.file != "" || second.text == ""):
		return savedSides{first, second}, o.checkSaved()
	case first.file != "":
		if err := o.checkAgain(); err != nil {
			return nil, err
		}
		return newAgainSides(o, s, first, second.text)
	case second.file != "":
		return nil, usagef("the saved run comes first: coldsplit compare %s %s", second.text, first.text)
	case second.text == "" && !hasPrefixed(o.flags):
		return nil, usagef("one URL needs a second one, or a difference such as --after-via X or --after-http 3")
	}
	return newLiveSides(o, s, first.text, second.text)
}

// savedSides are two routes of one or two run files.
type savedSides struct{ before, after side }

func (v savedSides) compare(_ context.Context, o *compareOptions, s streams) error {
	from, err := o.read.optionsFrom(o.run.from)
	if err != nil {
		return err
	}
	o.reader.From = from.From
	if err := checkFrom(o.run.from, []string{v.before.file, v.after.file}, s); err != nil {
		return err
	}
	before, after, err := v.read(s, o.reader)
	if err != nil {
		return err
	}
	v.before.route, v.after.route = s.aliased(v.before.route), s.aliased(v.after.route)
	b, a, err := v.arms(before, after)
	if err != nil {
		return err
	}
	c := ledger.Compare(b, a)
	c.Control = controlOf(before, after)
	if o.by.Set() {
		return o.concludeBy(c, [2]string{v.before.file, cmp.Or(v.after.file, v.before.file)}, s)
	}
	return o.conclude(c, s)
}

// read reads both files, at the same time unless names are hidden, which are numbered as they come.
func (v savedSides) read(s streams, opt reading.Options) (before, after *reading.Set, err error) {
	if v.after.file == "" || v.after.file == v.before.file {
		before, err = readRun(v.before.file, s, opt)
		return before, before, err
	}
	var errs [2]error
	readBefore := func() { before, errs[0] = readRun(v.before.file, s, opt) }
	readAfter := func() { after, errs[1] = readRun(v.after.file, s, opt) }
	if s.redactor != nil {
		readBefore()
		readAfter()
	} else {
		var both sync.WaitGroup
		both.Go(readBefore)
		readAfter()
		both.Wait()
	}
	return before, after, cmp.Or(errs[0], errs[1])
}

// arms picks the two routes: named ones, else the file's before and after, else its only one.
func (v savedSides) arms(before, after *reading.Set) (b, a ledger.Arm, err error) {
	afterSide := v.after
	if afterSide.text == "" {
		afterSide.text = v.before.text
	}
	if b, err = pickArm(before, v.before, "before", before == after && v.after.text == ""); err != nil {
		return b, a, err
	}
	a, err = pickArm(after, afterSide, "after", before == after && v.after.text == "")
	return b, a, err
}

// pickArm finds the route a side means. both asks for two routes of one file.
func pickArm(set *reading.Set, v side, role string, both bool) (ledger.Arm, error) {
	measured := measuredArms(set)
	if v.route != "" && !both {
		if arm, ok := set.Arm(v.route); ok {
			return ledger.Arm{Arm: arm, Set: set}, nil
		}
		return ledger.Arm{}, usagef("%s has no route %q; it has %s", v.text, v.route, armNames(measured))
	}
	for _, arm := range measured {
		if arm.Route.Role == role {
			return ledger.Arm{Arm: arm, Set: set}, nil
		}
	}
	switch {
	case both && len(measured) == 2:
		return ledger.Arm{Arm: measured[roleIndex(role)], Set: set}, nil
	case !both && len(measured) == 1:
		return ledger.Arm{Arm: measured[0], Set: set}, nil
	}
	return ledger.Arm{}, usagef("%s: which route? name it as FILE#ROUTE; it has %s", v.text, armNames(measured))
}

func roleIndex(role string) int {
	if role == "before" {
		return 0
	}
	return 1
}

func measuredArms(set *reading.Set) []*reading.Arm {
	var out []*reading.Arm
	for _, a := range set.Arms {
		if a.Route.Role != "control" && a.Route.Role != "health" {
			out = append(out, a)
		}
	}
	return out
}

func armNames(arms []*reading.Arm) string {
	names := make([]string, len(arms))
	for i, a := range arms {
		names[i] = a.Route.Name
	}
	return strings.Join(names, ", ")
}

// controlOf compares the route nobody moved, when both runs measured one.
func controlOf(before, after *reading.Set) *ledger.Control {
	b, okB := roleArm(before, "control")
	a, okA := roleArm(after, "control")
	switch {
	case !okB || !okA:
		return nil
	case before == after:
		return ledger.ControlDuring(b)
	}
	return ledger.ControlAcross(b, a)
}

func roleArm(set *reading.Set, role string) (ledger.Arm, bool) {
	for _, a := range set.Arms {
		if a.Route.Role == role {
			return ledger.Arm{Arm: a, Set: set}, true
		}
	}
	return ledger.Arm{}, false
}
