// Command coldsplit measures what a connection from scratch costs.
//
// It holds one file per command: flags become values, values go to packages, results become an
// exit code. It is the only package that touches the environment, the terminal and files.
package main

import (
	"context"
	"io"
	"log"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	log.SetOutput(io.Discard) // net/http's remarks about a connection: what matters of them is in the record
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the process at once
	code := run(ctx, os.Args[1:], systemStreams())
	stop()
	os.Exit(code)
}
