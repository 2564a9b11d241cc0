package main

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/coldsplit/coldsplit/pkg/ledger"
	"github.com/coldsplit/coldsplit/pkg/reading"
	"github.com/coldsplit/coldsplit/pkg/report"
)

// concludeBy prints the comparison of c's two routes for every value of the dimension asked for. The
// files are those the two sides were read from; they are read once to count and once to compare.
func (o *compareOptions) concludeBy(c *ledger.Comparison, files [2]string, s streams) error {
	routes := [2]string{c.Before.Arm.Route.Name, c.After.Arm.Route.Name}
	opt := o.reader
	opt.By = o.by
	counted, err := readBoth(files, s, opt)
	if err != nil {
		return err
	}
	opt.Group = ledger.Pool(counted[0].Counts(routes[0]), counted[1].Counts(routes[1]))
	sets := counted
	if !standAlone(opt.Group) {
		if sets, err = readBoth(files, s, opt); err != nil {
			return err
		}
	}
	s.hideGroups(sets[0])
	s.hideGroups(sets[1])
	by := ledger.CompareBy(o.by.String(), groupsOf(sets, routes))
	view := report.Compare{Names: [2]string{o.nameOf(o.beforeName, routes[0]), o.nameOf(o.afterName, routes[1])}}
	for _, w := range sets[0].Warnings {
		if strings.HasPrefix(w, "--by ") && slices.Contains(sets[1].Warnings, w) {
			view.Warnings = append(view.Warnings, w)
		}
	}
	if len(o.rules) > 0 {
		view.Warnings = append(view.Warnings, "--max was not held: with --by there is no figure over all values. Leave --by out to have it decided.")
	}
	if err := o.output.emit(s, report.CompareByDocument(by, view)); err != nil {
		return err
	}
	if len(o.rules) > 0 {
		return &exitError{exitUndecided}
	}
	return nil
}

// readBoth reads both sides, one file once.
func readBoth(files [2]string, s streams, opt reading.Options) (sets [2]*reading.Set, err error) {
	if sets[0], err = readRun(files[0], s, opt); err != nil {
		return sets, err
	}
	if sets[1] = sets[0]; files[1] != files[0] {
		sets[1], err = readRun(files[1], s, opt)
	}
	return sets, err
}

// groupsOf pairs the arms of both routes by group, the largest group first, what is pooled last. A
// side without the group has an empty arm.
func groupsOf(sets [2]*reading.Set, routes [2]string) []ledger.Group {
	counts := [2]map[string]int{sets[0].Counts(routes[0]), sets[1].Counts(routes[1])}
	all := maps.Clone(counts[0])
	for v, n := range counts[1] {
		all[v] += n
	}
	values := slices.Collect(maps.Keys(all))
	slices.SortFunc(values, func(x, y string) int {
		return cmp.Or(cmp.Compare(pooledLast(x), pooledLast(y)), cmp.Compare(all[y], all[x]), cmp.Compare(x, y))
	})
	var out []ledger.Group
	for _, v := range values {
		out = append(out, ledger.Group{Value: v, Before: groupArm(sets[0], routes[0], v), After: groupArm(sets[1], routes[1], v)})
	}
	return out
}

func pooledLast(value string) int {
	if value == reading.Other || value == reading.Unnamed {
		return 1
	}
	return 0
}

func groupArm(set *reading.Set, route, value string) ledger.Arm {
	for _, a := range set.ArmsOf(route) {
		if a.Group == value {
			return ledger.Arm{Arm: a, Set: set}
		}
	}
	arm, _ := set.Route(route)
	return ledger.Arm{Arm: &reading.Arm{Route: arm, Group: value}, Set: set}
}
