package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/coldsplit/coldsplit/pkg/curlline"
)

func newCurlCommand(s streams) *cobra.Command {
	return &cobra.Command{
		Use:   "curl <curl's arguments>...",
		Short: "a pasted curl line, measured as probe does",
		Long: `curl reads a curl command line as a browser copies it or a runbook holds it, says
what of it cannot be honoured and what changes the measurement, and measures the
request it describes. Options curl does not have are ours and may stand anywhere
in it: --requests N (or -n N), --interval, --spread, --save, --format, --from,
--via, --http, --state and the like.

A line quoted for another shell comes as one argument or on stdin: curl -

` + exitHelp,
		Example: `  coldsplit curl 'https://api.example.com/v1/ping' -H 'accept: application/json' --compressed
  coldsplit curl -n 5 -X POST https://api.example.com/v1/quote --json '{"from":"GRU"}'
  pbpaste | coldsplit curl -`,
		DisableFlagParsing: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 || len(args) == 1 && (args[0] == "--help" || args[0] == "-h") {
				return cmd.Help()
			}
			return runCurl(cmd.Context(), args, s)
		},
	}
}

// runCurl translates the line and runs it as the probe it becomes; the run file keeps that probe.
func runCurl(ctx context.Context, args []string, s streams) error {
	own, line, err := takeOwn(args)
	if err != nil {
		return err
	}
	in := &inputs{stdin: s.in}
	request, err := readCurlLine(line, in)
	if err != nil {
		return usagef("curl: %v", err)
	}
	content, err := request.Load(func(name string) ([]byte, error) {
		if name == "-" {
			return in.read("data", name)
		}
		return os.ReadFile(name)
	})
	if err != nil {
		return usagef("curl: %v", err)
	}
	translation := translateCurl(request, content)
	translation.tell(s.err)
	root := newRoot(s)
	root.SetArgs(slices.Concat([]string{"probe"}, own, translation.args))
	root.SetOut(s.out)
	root.SetErr(s.err)
	return root.ExecuteContext(ctx)
}

// readCurlLine reads arguments as a shell handed them over, or a whole line as one argument or stdin.
func readCurlLine(args []string, in *inputs) (*curlline.Request, error) {
	if len(args) == 1 && args[0] == "-" {
		text, err := io.ReadAll(in.stdin)
		if err != nil {
			return nil, err
		}
		in.used = "the curl line"
		return curlline.ParseLine(string(text), curlline.LineOptions{Getenv: os.LookupEnv})
	}
	if len(args) == 1 && strings.ContainsAny(args[0], " \t\n") {
		return curlline.ParseLine(args[0], curlline.LineOptions{Getenv: os.LookupEnv})
	}
	return curlline.Parse(args)
}

// ownOptions are ours alone: curl has none of these names.
var ownOptions = []string{
	"requests", "interval", "spread", "seed", "from", "max-pause", "keep-going", "no-prewarm", "keep-header", "keylog",
	"lab", "save", "no-save", "map", "place", "by", "format", "color", "redact", "http", "via", "state",
	"resolver", "text-path", "terminal-event", "max-body", "ok", "sni",
}

// takeOwn takes our options out of the arguments: those in ownOptions, and -n with a number, which in
// curl takes none.
func takeOwn(args []string) (own, line []string, err error) {
	flags := pflag.NewFlagSet("curl", pflag.ContinueOnError)
	var o probeOptions
	o.bind(flags)
	for i := 0; i < len(args); i++ {
		name, _, hasValue := strings.Cut(strings.TrimPrefix(args[i], "--"), "=")
		switch {
		case args[i] == "-n" && i+1 < len(args) && isCount(args[i+1]):
			own = append(own, "--requests="+args[i+1])
			i++
		case !strings.HasPrefix(args[i], "--") || !slices.Contains(ownOptions, name):
			line = append(line, args[i])
		case hasValue || flags.Lookup(name).NoOptDefVal != "":
			own = append(own, args[i])
		case i+1 == len(args):
			return nil, nil, usagef("curl: %s needs a value", args[i])
		default:
			own = append(own, args[i]+"="+args[i+1])
			i++
		}
	}
	return own, line, nil
}

func isCount(s string) bool {
	_, err := strconv.ParseUint(s, 10, 31)
	return err == nil
}

// tell names what the line asks for and does not get, then what is measured otherwise than curl would
// do it.
func (t curlTranslation) tell(w io.Writer) {
	for _, n := range t.refused {
		fmt.Fprintf(w, "not honoured: %s: %s\n", n.What, n.Why)
	}
	for _, n := range t.changed {
		fmt.Fprintf(w, "changed: %s: %s\n", n.What, n.Why)
	}
}
