package main

import (
	"strings"

	"github.com/spf13/pflag"
)

// overlay is the route flags of one arm: what was written for both, then what was written with the
// arm's prefix. A list written for one arm replaces the list written for both.
func overlay(fs *pflag.FlagSet, prefix string) (*routeFlags, error) {
	var r routeFlags
	own := pflag.NewFlagSet("", pflag.ContinueOnError)
	r.bind(own, "")
	var err error
	apply := func(written *pflag.Flag, name string) {
		target := own.Lookup(name)
		if target == nil || err != nil {
			return
		}
		err = copyFlag(target, written)
	}
	fs.Visit(func(f *pflag.Flag) { apply(f, f.Name) })
	fs.Visit(func(f *pflag.Flag) {
		if name, ok := strings.CutPrefix(f.Name, prefix); ok {
			apply(f, name)
		}
	})
	return &r, err
}

func copyFlag(to, from *pflag.Flag) error {
	list, isList := to.Value.(pflag.SliceValue)
	if values, ok := from.Value.(pflag.SliceValue); ok && isList {
		return list.Replace(values.GetSlice())
	}
	return to.Value.Set(from.Value.String())
}

// hasPrefixed reports whether a flag of one arm was written.
func hasPrefixed(fs *pflag.FlagSet) bool {
	found := false
	fs.Visit(func(f *pflag.Flag) {
		found = found || strings.HasPrefix(f.Name, "before-") || strings.HasPrefix(f.Name, "after-")
	})
	return found
}
