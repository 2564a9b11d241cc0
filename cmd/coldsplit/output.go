package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/coldsplit/coldsplit/pkg/report"
)

// textWidth is the width reports are set in; a postmortem is no place for a wide terminal.
const textWidth = 80

// check finds an unknown format or file ending, and a file that cannot be written, before anything is
// measured.
func (o *outputFlags) check() error {
	if _, err := formatOf(o.format); err != nil {
		return err
	}
	for _, name := range o.files {
		if _, err := formatOfFile(name); err != nil {
			return err
		}
		if err := tryWriting(name); err != nil {
			return usagef("--output: %v", err)
		}
	}
	switch o.color {
	case "auto", "always", "never":
		return nil
	}
	return usagef("--color takes auto, always or never, got %q", o.color)
}

// tryWriting opens a file as it will be written later and leaves no trace of it.
func tryWriting(name string) error {
	f, err := os.OpenFile(name, os.O_WRONLY, 0)
	if err == nil {
		return f.Close()
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if f, err = os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644); err != nil {
		return err
	}
	f.Close()
	return os.Remove(name)
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

// emit prints the report on stdout and into every file asked for. A file that cannot be written keeps
// neither stdout nor the other files from having it.
func (o *outputFlags) emit(s streams, doc report.Document) error {
	format, err := formatOf(o.format)
	if err != nil {
		return err
	}
	all := []error{render(s.out, doc, format, o.colored(s))}
	for _, name := range o.files {
		all = append(all, o.emitFile(name, doc))
	}
	return errors.Join(all...)
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
