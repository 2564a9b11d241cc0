package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"syscall"
)

// The exit codes; every command's help names them.
const (
	exitDone      = 0 // done
	exitFailed    = 1 // could not do it
	exitUsage     = 2 // wrong usage: nothing was sent
	exitCrossed   = 3 // a --max was crossed
	exitUndecided = 4 // a --max could not be decided
)

const exitHelp = `Exit codes: 0 done, 1 could not do it, 2 wrong usage, 3 a --max was crossed,
4 a --max could not be decided.`

// usageError is a mistake in what the user wrote; it is found before anything is sent.
type usageError struct{ text string }

func (e *usageError) Error() string { return e.text }

func usagef(format string, args ...any) error {
	return &usageError{fmt.Sprintf(format, args...)}
}

// exitError ends a command whose report is already printed.
type exitError struct{ code int }

func (e *exitError) Error() string { return fmt.Sprintf("exit %d", e.code) }

// exitCode prints what the user has to know of err and returns the code to leave with.
func exitCode(err error, stderr io.Writer) int {
	var exit *exitError
	var usage *usageError
	switch {
	case err == nil, errors.Is(err, syscall.EPIPE):
		return exitDone
	case errors.As(err, &exit):
		return exit.code
	case errors.Is(err, context.Canceled):
		printError(stderr, errors.New("stopped"))
		return exitFailed
	}
	printError(stderr, err)
	if errors.As(err, &usage) {
		return exitUsage
	}
	return exitFailed
}

func printError(stderr io.Writer, err error) {
	fmt.Fprintf(stderr, "coldsplit: %s\n", oneLine(err.Error()))
}

// oneLine keeps an error to one line, whatever a library put into it.
func oneLine(s string) string {
	return strings.Join(strings.Fields(s), " ")
}
