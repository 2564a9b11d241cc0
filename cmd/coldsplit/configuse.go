package main

import (
	"encoding/base64"
	"encoding/json"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// useConfig reads --config and applies what it says of the run; the command line wins over the file.
// What was read becomes the value of --config-text, which a saved plan holds instead of a file that
// may change.
func (r *runFlags) useConfig(fs *pflag.FlagSet) error {
	if r.config == "" && r.configText == "" {
		return nil
	}
	if err := r.loadConfig(fs); err != nil {
		return err
	}
	for _, s := range r.routes.Common {
		if isRouteFlag(s.Name) || fs.Changed(s.Name) {
			continue
		}
		for _, v := range s.Values {
			if err := fs.Set(s.Name, v); err != nil {
				return usagef("--config: %s: %v", s.Name, err)
			}
		}
	}
	return nil
}

func (r *runFlags) loadConfig(fs *pflag.FlagSet) error {
	if r.configText != "" {
		r.routes = &config{}
		if err := json.Unmarshal([]byte(r.configText), r.routes); err != nil {
			return usagef("--config-text: %v", err)
		}
		return nil
	}
	text, err := os.ReadFile(r.config)
	if err != nil {
		return usagef("--config: %v", err)
	}
	c, err := readConfig(r.config, text)
	if err != nil {
		return err
	}
	r.routes = &c
	canonical, err := json.Marshal(c)
	if err != nil {
		return err
	}
	return fs.Set("config-text", string(canonical))
}

func isRouteFlag(name string) bool {
	fs := pflag.NewFlagSet("", pflag.ContinueOnError)
	new(routeFlags).bind(fs, "")
	return fs.Lookup(name) != nil
}

// configArms builds the arms of the file's routes: what holds for all, then a route's own, then what
// the command line says.
func (r *runFlags) configArms(b *armBuilder, written *pflag.FlagSet) ([]arm, error) {
	var arms []arm
	for _, route := range r.routes.Routes {
		own, err := route.flags(r.routes.Common, written)
		if err != nil {
			return nil, err
		}
		built, err := b.build(own, route.URL)
		if err != nil {
			return nil, err
		}
		for i := range built {
			built[i].given = route.Name
		}
		arms = append(arms, built...)
	}
	nameArms(arms)
	useGivenNames(arms)
	return arms, nil
}

// newConfigSides are the two routes of a file, the old one first.
func newConfigSides(o *compareOptions, s streams) (sides, error) {
	if hasPrefixed(o.flags) {
		return nil, usagef("--config says what is each route's own: no --before- or --after- beside it")
	}
	b := armBuilder{in: &inputs{stdin: s.in}, getenv: s.getenv}
	arms, err := o.run.configArms(&b, o.flags)
	if err != nil {
		return nil, err
	}
	if len(arms) != 2 {
		return nil, usagef("compare needs two routes of one protocol, way and state each; %s makes %d arms", o.run.config, len(arms))
	}
	arms[0].route.Role, arms[1].route.Role = "before", "after"
	if arms, err = o.withControl(&b, arms); err != nil {
		return nil, err
	}
	return liveSides{arms}, checkSafe(arms, o.nGiven)
}

func (c configRoute) flags(common []setting, written *pflag.FlagSet) (*routeFlags, error) {
	var r routeFlags
	fs := pflag.NewFlagSet("", pflag.ContinueOnError)
	r.bind(fs, "")
	for _, settings := range [][]setting{common, c.Settings} {
		for _, s := range settings {
			if err := s.put(fs); err != nil {
				return nil, err
			}
		}
	}
	var err error
	written.Visit(func(f *pflag.Flag) {
		if to := fs.Lookup(f.Name); to != nil && err == nil {
			err = copyFlag(to, f)
		}
	})
	return &r, err
}

// put sets a flag; a list replaces what an earlier setting said.
func (s setting) put(fs *pflag.FlagSet) error {
	f := fs.Lookup(s.Name)
	if f == nil {
		return nil
	}
	if list, isList := f.Value.(pflag.SliceValue); isList {
		return list.Replace(s.Values)
	}
	for _, v := range s.Values {
		if err := f.Value.Set(v); err != nil {
			return usagef("--config: %s: %v", s.Name, err)
		}
	}
	return nil
}

// useGivenNames names arms as the file does; a route that became several arms keeps what tells them
// apart.
func useGivenNames(arms []arm) {
	of := map[string]int{}
	for _, a := range arms {
		of[a.given]++
	}
	var taken []string
	for i := range arms {
		a := &arms[i]
		if a.given != "" {
			name := a.given
			if of[a.given] > 1 {
				name = joinName(joinName(a.given, armVia(*a)), joinName(armProtocol(*a), armState(*a)))
			}
			a.name(name)
		}
		a.name(uniqueName(taken, a.route.Name))
		taken = append(taken, a.route.Name)
	}
}

// configOr lets a command do without arguments when a file brings the routes.
func configOr(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		given := cmd.Flags().Changed("config") || cmd.Flags().Changed("config-text")
		switch {
		case !given:
			return check(cmd, args)
		case len(args) > 0:
			return usagef("--config brings the routes: no URL beside it")
		}
		return nil
	}
}

// hideConfig replaces the secrets in a canonical configuration by references.
func (p *plan) hideConfig(text string) string {
	var c config
	if json.Unmarshal([]byte(text), &c) != nil {
		return p.reference("config")
	}
	hide := func(settings []setting) {
		for i := range settings {
			for j, v := range settings[i].Values {
				settings[i].Values[j] = p.hide(settings[i].Name, v)
			}
		}
	}
	hide(c.Common)
	for i := range c.Routes {
		c.Routes[i].URL = p.hideURL(c.Routes[i].URL)
		hide(c.Routes[i].Settings)
	}
	out, err := json.Marshal(c)
	if err != nil {
		return p.reference("config")
	}
	return string(out)
}

// secretFor is a secret as it stands in one argument: inside a configuration it is part of JSON, and
// content in base64 is written so.
func secretFor(arg, value string) string {
	switch flag, _, _ := strings.Cut(arg, "="); flag {
	case "--data-base64", "--before-data-base64", "--after-data-base64":
		return base64.StdEncoding.EncodeToString([]byte(value))
	case "--config-text":
	default:
		return value
	}
	quoted, err := json.Marshal(value)
	if err != nil {
		return value
	}
	return string(quoted[1 : len(quoted)-1])
}
