package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// checkGiven finds a flag that was written without a value, as --lab "$UNSET" is: it asks for something
// that nobody said, and measuring without it would measure something else. It holds for every flag of
// every command.
func checkGiven(fs *pflag.FlagSet) error {
	var err error
	fs.Visit(func(f *pflag.Flag) {
		if err != nil || mayBeEmpty(f.Name) {
			return
		}
		for _, v := range flagValues(f) {
			if v == "" {
				err = usagef("--%s: expected %s, got \"\"", f.Name, expected(f))
			}
		}
	})
	return err
}

// mayBeEmpty tells the flags whose empty value says something: request content of no bytes is sent, as
// curl does.
func mayBeEmpty(name string) bool {
	name = strings.TrimPrefix(strings.TrimPrefix(name, "before-"), "after-")
	switch name {
	case "data", "data-raw", "data-binary", "data-base64", "json":
		return true
	}
	return false
}

// expected says what a flag takes, as its help does.
func expected(f *pflag.Flag) string {
	name, _ := pflag.UnquoteUsage(f)
	switch {
	case name == "" || name == "string" || name == "strings" || name == "stringArray":
		return "a value"
	case f.Value.Type() == "int" || f.Value.Type() == "uint64" || f.Value.Type() == "int64":
		return "a whole number"
	case f.Value.Type() == "float64":
		return "a number"
	}
	return name
}

// flagError turns a flag that does not parse into one clear line.
func flagError(cmd *cobra.Command, err error) error {
	if errors.Is(err, pflag.ErrHelp) {
		return err
	}
	var unknown *pflag.NotExistError
	if errors.As(err, &unknown) {
		name := unknown.GetSpecifiedName()
		if advice, ok := curlOnly[name]; ok && unknown.GetSpecifiedShortnames() != "" {
			return usagef("-%s is curl's, not ours: %s", name, advice)
		}
	}
	return usagef("%s; see %s --help", flagProblem(err), cmd.CommandPath())
}

// flagProblem words what is wrong with a flag. Flags of ours say it themselves; numbers would answer in
// the words of the function that reads them.
func flagProblem(err error) string {
	var missing *pflag.ValueRequiredError
	if errors.As(err, &missing) {
		return fmt.Sprintf("--%s: expected %s, got nothing", missing.GetFlag().Name, expected(missing.GetFlag()))
	}
	var invalid *pflag.InvalidValueError
	if !errors.As(err, &invalid) {
		return err.Error()
	}
	return "--" + valueProblem(invalid.GetFlag(), invalid.GetValue(), invalid.Unwrap())
}

func valueProblem(f *pflag.Flag, value string, err error) string {
	switch f.Value.Type() {
	case "int", "int64", "uint64", "float64":
		return fmt.Sprintf("%s: expected %s, got %q", f.Name, expected(f), value)
	case "bool":
		return fmt.Sprintf("%s: takes no value, got %q", f.Name, value)
	}
	return fmt.Sprintf("%s: %v", f.Name, err)
}
