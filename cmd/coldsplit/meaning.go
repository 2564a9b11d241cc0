package main

import (
	"strings"

	"github.com/spf13/pflag"
)

// savedFlags are the flags of compare that mean something when nothing is measured.
func savedFlags() *pflag.FlagSet {
	fs := pflag.NewFlagSet("saved", pflag.ContinueOnError)
	new(readFlags).bind(fs)
	new(outputFlags).bind(fs)
	for _, name := range []string{"before-name", "after-name", "max", "undecided", "from", "help"} {
		fs.String(name, "", "")
	}
	return fs
}

// checkSaved refuses a flag that says how to measure where both sides are saved runs: leaving it out of
// account would answer another question than the one asked.
func (o *compareOptions) checkSaved() error {
	known := savedFlags()
	var err error
	o.flags.Visit(func(f *pflag.Flag) {
		if err == nil && known.Lookup(f.Name) == nil {
			err = usagef("--%s says how to measure, and saved runs are measured already", f.Name)
		}
	})
	if err == nil && o.undecided == "more" {
		err = usagef("--undecided more sends further requests, and saved runs are measured already")
	}
	return err
}

// checkAgain refuses flags of the old route, which is a saved run, and of a third one.
func (o *compareOptions) checkAgain() error {
	var err error
	o.flags.Visit(func(f *pflag.Flag) {
		switch {
		case err != nil || f.Name == "before-name":
		case strings.HasPrefix(f.Name, "before-"):
			err = usagef("--%s says how to measure the old route, and that is a saved run", f.Name)
		case f.Name == "control":
			err = usagef("--control is measured beside two routes, and the old one is a saved run")
		}
	})
	if err == nil && o.undecided == "more" {
		err = usagef("--undecided more sends further pairs, and the old route is a saved run")
	}
	return err
}

// checkStdin refuses flags of a request where none is sent.
func checkStdin(fs *pflag.FlagSet) error {
	var err error
	fs.Visit(func(f *pflag.Flag) {
		if err == nil && isRouteFlag(f.Name) {
			err = usagef("--%s says how to ask a URL, and the response head is read from standard input", f.Name)
		}
	})
	return err
}
