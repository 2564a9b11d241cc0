package main

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"golang.org/x/term"
)

// secretsOf puts the secrets that the user gives or types back into a saved plan's command line.
func (p plan) secretsOf(given []string, s streams) ([]string, error) {
	for _, g := range given {
		name, _, ok := strings.Cut(g, "=")
		switch {
		case !ok:
			return nil, usagef("--secret takes NAME=@FILE or NAME=env:VARIABLE, got %q", g)
		case len(p.Secrets) == 0:
			return nil, usagef("--secret %s: the saved plan has no secret", name)
		case !slices.Contains(p.Secrets, name):
			return nil, usagef("--secret %s: the saved plan has no secret of this name; it has %s", name, strings.Join(p.Secrets, ", "))
		}
	}
	return p.withSecrets(secretValues(given, s))
}

// secretValues answers for the secrets a saved plan names: from --secret, else asked for on the
// terminal without echo. They are never stored.
func secretValues(given []string, s streams) func(name string) (string, error) {
	return func(name string) (string, error) {
		for _, g := range given {
			if key, source, ok := strings.Cut(g, "="); ok && key == name {
				return readSecret(name, source, s)
			}
		}
		if !term.IsTerminal(int(os.Stdin.Fd())) || !s.errTTY {
			return "", usagef("the saved plan needs the secret %q: give it with --secret %s=@FILE or --secret %s=env:VARIABLE", name, name, name)
		}
		fmt.Fprintf(s.err, "%s: ", name)
		b, err := term.ReadPassword(int(os.Stdin.Fd()))
		fmt.Fprintln(s.err)
		return string(b), err
	}
}

func readSecret(name, source string, s streams) (string, error) {
	if variable, ok := strings.CutPrefix(source, "env:"); ok {
		if v := s.getenv(variable); v != "" {
			return v, nil
		}
		return "", usagef("--secret %s: the environment has no %s", name, variable)
	}
	file, ok := strings.CutPrefix(source, "@")
	if !ok {
		return "", usagef("--secret %s: expected @FILE or env:VARIABLE; a value on the command line would be seen in the process list", name)
	}
	b, err := os.ReadFile(file)
	if err != nil {
		return "", usagef("--secret %s: %v", name, err)
	}
	return strings.TrimRight(string(b), "\r\n"), nil
}
