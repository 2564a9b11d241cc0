package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/coldsplit/coldsplit/pkg/lab/scenario"
	"github.com/coldsplit/coldsplit/pkg/report"
)

func newLabCommand(s streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "lab",
		Short: "the embedded internet: published cases, broken worlds, your own move rehearsed",
		Long: `lab holds a small internet inside this process: real TCP, TLS, QUIC and DNS over
links with real delay, and no packet leaves the machine. Its figures are rehearsed,
not measured: distances and latencies are written down in a YAML file.

Every command that measures takes --lab SCENARIO[/VARIANT] or --lab FILE.yaml.

` + exitHelp,
		Example: `  coldsplit lab list
  coldsplit lab run my.yaml --set edge.city=Tokyo
  coldsplit compare --lab stranded-state state-1 state-2`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	for _, sub := range []*cobra.Command{newLabListCommand(s), newLabShowCommand(s), newLabRunCommand(s), newLabServeCommand(s)} {
		sub.Args = usageArgs(sub.Args)
		cmd.AddCommand(sub)
	}
	return cmd
}

func newLabListCommand(s streams) *cobra.Command {
	var out outputFlags
	cmd := &cobra.Command{
		Use:     "list",
		Short:   "the embedded scenarios and their variants",
		Long:    "list names the scenarios that --lab, lab show, lab run and lab serve take.\n\n" + exitHelp,
		Example: "  coldsplit lab list",
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if err := out.check(); err != nil {
				return err
			}
			return out.emit(s, labListDocument(scenario.List()))
		},
	}
	out.bind(cmd.Flags())
	return cmd
}

// labListJSON is what lab list -f json prints.
type labListJSON struct {
	Schema    string        `json:"schema"`
	Scenarios []labInfoJSON `json:"scenarios"`
}

type labInfoJSON struct {
	Name  string `json:"name"`
	Title string `json:"title"`
}

func labListDocument(infos []scenario.Info) report.Document {
	table := report.Table{Columns: []report.Column{{Head: "scenario"}, {Head: "what it shows", Gap: 3}}}
	doc := report.Document{Title: "Scenarios", Records: report.Records{Columns: []string{"name", "title"}}}
	list := labListJSON{Schema: "coldsplit.lab-list/1"}
	add := func(depth int, name, shown, title string) {
		table.Rows = append(table.Rows, report.Row{Depth: depth, Cells: []report.Cell{{Text: shown, Key: true}, {Text: title}}})
		doc.Records.Rows = append(doc.Records.Rows, []any{name, title})
		list.Scenarios = append(list.Scenarios, labInfoJSON{name, title})
	}
	for _, i := range infos {
		add(0, i.Name, i.Name, i.Title)
		for _, v := range i.Variants {
			add(1, i.Name+"/"+v.Name, "/"+v.Name, v.About)
		}
	}
	doc.Blocks = []report.Block{table}
	doc.JSON = list
	return doc
}

func newLabShowCommand(s streams) *cobra.Command {
	return &cobra.Command{
		Use:   "show <SCENARIO[/VARIANT]>",
		Short: "a scenario's YAML, to read or to begin one's own with",
		Long:  "show prints the YAML a scenario is built from; a variant's is printed with its settings made.\n\n" + exitHelp,
		Example: `  coldsplit lab show stranded-state
  coldsplit lab show edge-handshake/lagos > my.yaml`,
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			d, err := loadScenario(args[0])
			if err != nil {
				return usagef("lab show: %v", err)
			}
			_, err = s.out.Write(d.Text())
			return err
		},
	}
}

// loadScenario reads an embedded scenario by name, or the user's own by file name.
func loadScenario(name string) (*scenario.Document, error) {
	if !isScenarioFile(name) {
		return scenario.Load(name)
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	return scenario.Parse(name, text)
}

func isScenarioFile(name string) bool {
	return strings.HasSuffix(name, ".yaml") || strings.HasSuffix(name, ".yml")
}

// openWorld opens a document and lets the streams send requests into it.
func openWorld(d *scenario.Document, r *runFlags, read *readFlags, s streams) (inside streams, leave func(), err error) {
	if r.seed == 0 {
		r.seed = randomSeed()
	}
	w, err := d.Open(r.seed)
	if err != nil {
		return s, nil, err
	}
	if r.from == "" {
		r.from = w.From()
	}
	if len(read.places) == 0 {
		read.places = w.Places()
	}
	s.world = worldOf(w)
	return s, func() { w.Close() }, nil
}

// tellOpening says on a terminal why nothing happens for a moment.
func tellOpening(s streams, d *scenario.Document) {
	if s.errTTY {
		fmt.Fprintf(s.err, "opening %s: its servers warm their pools over their real distances\n", d.Name())
	}
}
