package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/coldsplit/coldsplit/pkg/report"
)

// textWidth is the width reports are set in; a postmortem is no place for a wide terminal.
const textWidth = 80

// check finds an unknown format or file ending before anything is measured.
func (o *outputFlags) check() error {
	if _, err := formatOf(o.format); err != nil {
		return err
	}
	for _, name := range o.files {
		if _, err := formatOfFile(name); err != nil {
			return err
		}
	}
	switch o.color {
	case "auto", "always", "never":
		return nil
	}
	return usagef("--color takes auto, always or never, got %q", o.color)
}

func formatOf(name string) (report.Format, error) {
	switch f := report.Format(name); f {
	case report.FormatText, report.FormatMarkdown, report.FormatCSV, report.FormatJSON:
		return f, nil
	}
	hint := ""
	if strings.Contains(name, "://") {
		hint = "; curl's -f (fail on errors) is not needed: failures are counted"
	}
	return "", usagef("--format takes text, md, csv or json, got %q%s", name, hint)
}

func formatOfFile(name string) (report.Format, error) {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".txt":
		return report.FormatText, nil
	case ".md":
		return report.FormatMarkdown, nil
	case ".csv":
		return report.FormatCSV, nil
	case ".json":
		return report.FormatJSON, nil
	}
	return "", usagef("--output writes the report to a file ending in .txt, .md, .csv or .json, got %q; the content of a response is measured, not kept", name)
}

// emit prints the report on stdout and into every file asked for.
func (o *outputFlags) emit(s streams, doc report.Document) error {
	for _, name := range o.files {
		if err := o.emitFile(name, doc); err != nil {
			return err
		}
	}
	format, err := formatOf(o.format)
	if err != nil {
		return err
	}
	return render(s.out, doc, format, o.colored(s))
}

func (o *outputFlags) emitFile(name string, doc report.Document) error {
	format, err := formatOfFile(name)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	if err := render(&b, doc, format, false); err != nil {
		return err
	}
	if err := os.WriteFile(name, b.Bytes(), 0o644); err != nil {
		return fmt.Errorf("--output: %w", err)
	}
	return nil
}

func (o *outputFlags) colored(s streams) bool {
	switch o.color {
	case "always":
		return true
	case "never":
		return false
	}
	return s.outTTY && s.getenv("NO_COLOR") == "" && s.getenv("TERM") != "dumb"
}

func render(w io.Writer, doc report.Document, format report.Format, color bool) error {
	switch format {
	case report.FormatMarkdown:
		return report.Markdown(w, doc)
	case report.FormatCSV:
		return report.CSV(w, doc)
	case report.FormatJSON:
		return report.JSON(w, doc)
	}
	return report.Text(w, doc, report.TextOptions{Width: textWidth, Color: color})
}
