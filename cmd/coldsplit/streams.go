package main

import (
	"io"
	"os"

	"golang.org/x/term"

	"github.com/coldsplit/coldsplit/pkg/record"
)

// streams are the process's three standard streams and what they are connected to. Results go to
// out, everything else to err.
type streams struct {
	in       io.Reader
	out, err io.Writer
	outTTY   bool // out is a terminal: colour may be used
	errTTY   bool // err is a terminal: a progress line may be drawn
	getenv   func(string) string
	redactor *record.Redactor // of --redact, nil without
	world    *world           // where requests go, nil for this machine's network
}

func systemStreams() streams {
	return streams{
		in: os.Stdin, out: os.Stdout, err: os.Stderr,
		outTTY: term.IsTerminal(int(os.Stdout.Fd())),
		errTTY: term.IsTerminal(int(os.Stderr.Fd())),
		getenv: os.Getenv,
	}
}
