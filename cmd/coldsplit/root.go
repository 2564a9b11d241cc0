package main

import (
	"context"
	"errors"
	"strings"

	"github.com/spf13/cobra"
)

// run is the whole program: arguments and streams in, an exit code out.
func run(ctx context.Context, args []string, s streams) int {
	root := newRoot(s)
	root.SetArgs(withDefaultCommand(root, args))
	root.SetIn(s.in)
	root.SetOut(s.out)
	root.SetErr(s.err)
	return exitCode(root.ExecuteContext(ctx), s.err)
}

const rootLong = `coldsplit measures what a first-time visitor pays. It opens a brand-new connection
for every request, splits the request into segments that add up exactly to its
total, and compares an old route with a new one.

A cold connection is proven for every request: one new connection, no TLS
resumption, no early data, no QUIC token. It is not a cold visitor: the
resolver's cache, the edge's pool and the function behind it may be warm, and
nothing here can clear them. A run's first exchange stands apart for that reason.

"coldsplit URL" is short for "coldsplit probe URL".`

func newRoot(s streams) *cobra.Command {
	root := &cobra.Command{
		Use:           "coldsplit",
		Short:         "what a connection from scratch costs, segment by segment",
		Long:          rootLong + "\n\n" + exitHelp,
		SilenceUsage:  true,
		SilenceErrors: true,
		Args:          cobra.ArbitraryArgs,
		Version:       version,
		RunE: func(cmd *cobra.Command, args []string) error {
			return cmd.Help()
		},
	}
	root.SetVersionTemplate("coldsplit {{.Version}}\n")
	root.SetFlagErrorFunc(flagError)
	for _, newCommand := range commands() {
		cmd := newCommand(s)
		cmd.Args = usageArgs(cmd.Args)
		root.AddCommand(cmd)
	}
	return root
}

// commands lists every command in the order help shows them. It is a function because again runs a
// command line of its own.
func commands() []func(streams) *cobra.Command {
	return []func(streams) *cobra.Command{
		newProbeCommand,
		newCompareCommand,
		newCurlCommand,
		newRampCommand,
		newReportCommand,
		newAgainCommand,
		newSampleSizeCommand,
		newExplainCommand,
		newLabCommand,
		newDemoCommand,
		newVersionCommand,
	}
}

// usageArgs makes a wrong number of arguments a usage error, and so a flag without a value.
func usageArgs(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if err := checkGiven(cmd.Flags()); err != nil {
			return err
		}
		if check == nil {
			return nil
		}
		err := check(cmd, args)
		var usage *usageError
		if err == nil || errors.As(err, &usage) {
			return err
		}
		return usagef("%s: %v; see coldsplit %s --help", cmd.Name(), err, cmd.Name())
	}
}

// withDefaultCommand puts the word probe before arguments that name no command: coldsplit URL.
func withDefaultCommand(root *cobra.Command, args []string) []string {
	for _, arg := range args {
		switch {
		case arg == "-h" || arg == "--help" || arg == "--version":
			return args
		case strings.HasPrefix(arg, "-"):
			continue
		}
		if isCommand(root, arg) && arg == args[0] {
			return args
		}
		return append([]string{"probe"}, args...)
	}
	if len(args) > 0 {
		return append([]string{"probe"}, args...)
	}
	return args
}

func isCommand(root *cobra.Command, name string) bool {
	switch name {
	case "help", "completion", cobra.ShellCompRequestCmd, cobra.ShellCompNoDescRequestCmd:
		return true
	}
	for _, c := range root.Commands() {
		if c.Name() == name || c.HasAlias(name) {
			return true
		}
	}
	return false
}

// curlOnly names letters curl users type out of habit that mean nothing here, with what to do.
var curlOnly = map[string]string{
	"s": "output on a pipe is quiet already; leave -s away",
	"S": "errors are always shown; leave -S away",
	"v": "everything observed is in the run file; see coldsplit report last -f json",
	"w": "use -f json, or --max METRIC=LIMIT",
	"i": "response headers are in the run file; see --keep-header",
	"F": "multipart forms come with coldsplit curl ...",
	"G": "put the data into the URL, or use coldsplit curl ...",
	"e": "use -H 'Referer: URL'",
	"O": "the content is measured, not kept; leave -O away",
	"c": "cookies are not kept between requests; send them with -b",
	"T": "use -X PUT --data-binary @FILE",
	"K": "use --config FILE (YAML)",
	"z": "use -H 'If-Modified-Since: DATE'",
	"r": "use -H 'Range: bytes=FROM-TO'",
	"E": "use --cert FILE and --key FILE",
	"0": "HTTP/1.0 is not measured; use --http 1.1",
}
