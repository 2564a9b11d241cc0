package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/coldsplit/coldsplit/pkg/probe"
	"github.com/coldsplit/coldsplit/pkg/provider"
	"github.com/coldsplit/coldsplit/pkg/record"
	"github.com/coldsplit/coldsplit/pkg/report"
)

type explainOptions struct {
	snippet string
	route   routeFlags
	read    readFlags
	output  outputFlags
	flags   *pflag.FlagSet
}

func newExplainCommand(s streams) *cobra.Command {
	var o explainOptions
	cmd := &cobra.Command{
		Use:   "explain [URL]",
		Short: "what a response's timing and place headers mean",
		Long: `explain reads a response head from standard input, as curl -i or -v prints it and
browsers copy it, or asks a URL once. It says line by line what each timing and
place header means, in which unit, and what it does not say.

With --snippet it prints the few lines that make an edge report pre_forward and
upstream under names that need no mapping.

` + exitHelp,
		Example: `  curl -sI https://www.example.com/ | coldsplit explain
  coldsplit explain https://www.example.com/
  coldsplit explain --snippet nginx`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if o.snippet != "" {
				return printSnippet(o.snippet, s.out)
			}
			o.flags = cmd.Flags()
			return runExplain(cmd.Context(), o, args, s)
		},
	}
	cmd.Flags().StringVar(&o.snippet, "snippet", "", "print the lines for `"+strings.Join(snippetNames(), "|")+"`")
	cmd.Flags().StringArrayVar(&o.read.maps, "map", nil, "read a part of wait: `KEY=METRIC` or KEY=header:NAME[#sub]")
	cmd.Flags().StringArrayVar(&o.read.places, "place", nil, "read a place: `ROLE=header:NAME[#sub]`")
	o.route.bind(cmd.Flags(), "")
	o.output.bind(cmd.Flags())
	return cmd
}

func runExplain(ctx context.Context, o explainOptions, args []string, s streams) error {
	if err := o.output.check(); err != nil {
		return err
	}
	opt, err := o.read.options()
	if err != nil {
		return err
	}
	s = o.output.private(s)
	in, err := o.input(ctx, args, s)
	if err != nil {
		return err
	}
	in.Reading = opt.Mapping.Read(in.headers, nil)
	return o.output.emit(s, report.ExplainDocument(in.told()))
}

// explained is a response head on its way to the report.
type explained struct {
	report.Explain
	all     []provider.Line
	headers map[string][]string
}

func (o *explainOptions) input(ctx context.Context, args []string, s streams) (explained, error) {
	if len(args) == 1 {
		return o.ask(ctx, args[0], s)
	}
	if err := checkStdin(o.flags); err != nil {
		return explained{}, err
	}
	text, err := io.ReadAll(io.LimitReader(s.in, maxHead+1))
	if err != nil {
		return explained{}, fmt.Errorf("read response head: %w", err)
	}
	if len(text) > maxHead {
		return explained{}, usagef("the response head is longer than %d bytes; is it a body?", maxHead)
	}
	lines := headLines(s.aliased(string(text)))
	if len(lines) == 0 {
		return explained{}, usagef("no header field on standard input: paste a response head, or give a URL")
	}
	return newExplained("", lines), nil
}

// maxHead is the longest response head that is read; servers stop far earlier.
const maxHead = 1 << 20

// headLines finds the field lines of a pasted head. Lines of curl -v start with "< "; a status line
// starts a new head, and the last one counts, as after a redirect.
func headLines(text string) []provider.Line {
	var lines []provider.Line
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.TrimPrefix(strings.TrimSuffix(line, "\r"), "< ")
		if strings.HasPrefix(line, "HTTP/") {
			lines = nil
			continue
		}
		name, value, ok := strings.Cut(line, ":")
		if ok && fieldName(name) {
			lines = append(lines, provider.Line{Name: name, Value: strings.TrimSpace(value)})
		}
	}
	return lines
}

// fieldName reports whether name is a token (RFC 9110 section 5.6.2).
func fieldName(name string) bool {
	return name != "" && strings.IndexFunc(name, func(r rune) bool {
		return r <= ' ' || r >= 0x7f || strings.ContainsRune("\"(),/:;<=>?@[\\]{}", r)
	}) < 0
}

// ask sends one request and takes the fields of its response, what carries secrets removed.
func (o *explainOptions) ask(ctx context.Context, url string, s streams) (explained, error) {
	b := armBuilder{in: &inputs{stdin: s.in}, getenv: s.getenv}
	arms, err := b.build(&o.route, url)
	if err != nil {
		return explained{}, err
	}
	target := arms[0].target
	target.Keeper = record.NewKeeper("*")
	prober := probe.Prober{Network: probe.System{}}
	res := prober.Do(ctx, target)
	ex := &res.Exchange
	if len(ex.Headers) == 0 && ex.Error != nil {
		return explained{}, fmt.Errorf("ask %s: %s", record.SafeURL(url), ex.Error.Text)
	}
	return newExplained(s.aliased(record.SafeURL(url)), fieldLines(ex.Headers, s)), nil
}

// fieldLines lists fields by name; the order a server sent different names in is not kept.
func fieldLines(fields record.Fields, s streams) []provider.Line {
	var lines []provider.Line
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		for _, value := range fields[name] {
			lines = append(lines, provider.Line{Name: name, Value: s.aliased(value)})
		}
	}
	return lines
}

func newExplained(from string, lines []provider.Line) explained {
	in := explained{all: lines, headers: map[string][]string{}}
	in.From = from
	for _, l := range lines {
		name := strings.ToLower(l.Name)
		in.headers[name] = append(in.headers[name], l.Value)
	}
	return in
}

// told sorts the lines into those somebody explains and the names of the others. A metric is told even
// when nobody knows it: the line it stands in is known.
func (in explained) told() report.Explain {
	for _, x := range provider.Explain(in.all) {
		if x.Known || x.Metric != "" || len(x.Notes) > 0 {
			in.Lines = append(in.Lines, x)
		} else {
			in.Others = appendOnce(in.Others, x.Header)
		}
	}
	return in.Explain
}
