package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/coldsplit/coldsplit/pkg/lab/scenario"
)

type labServeOptions struct {
	port int
	ca   string
	seed uint64
	set  []string
	name string
}

func newLabServeCommand(s streams) *cobra.Command {
	var o labServeOptions
	cmd := &cobra.Command{
		Use:   "serve {SCENARIO[/VARIANT] | FILE.yaml}",
		Short: "a scenario's front doors on loopback ports, for curl, browsers and other tools",
		Long: `serve opens a port of 127.0.0.1, TCP and UDP, for every server a client of the
scenario asks, and carries what comes in over the scenario's delays until Ctrl-C.

Two delays are missing to such a client: DNS, which it looks up elsewhere, and the
TCP handshake, which the loopback port accepts at once. TLS, QUIC, the request and
everything behind it take what they take inside.

` + exitHelp,
		Example: `  coldsplit lab serve stranded-state --ca lab.pem
  coldsplit lab serve edge-handshake --port 8443`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.name = args[0]
			return runLabServe(cmd.Context(), o, s)
		},
	}
	fs := cmd.Flags()
	fs.IntVar(&o.port, "port", 0, "the first door's `PORT`, the others follow (default free ones)")
	fs.StringVar(&o.ca, "ca", "", "write the scenario's root certificate to `FILE` (default in the temporary folder)")
	fs.Uint64Var(&o.seed, "seed", 1, "seed of the latencies drawn")
	fs.StringArrayVar(&o.set, "set", nil, "a setting made first, `SERVICE.KEY=VALUE`; repeatable")
	return cmd
}

// maxPort leaves room for a few doors above the first.
const maxPort = 65000

func runLabServe(ctx context.Context, o labServeOptions, s streams) error {
	if o.port < 0 || o.port > maxPort {
		return usagef("--port must be between 0 and %d, got %d", maxPort, o.port)
	}
	d, err := loadScenario(o.name)
	if err == nil {
		d, err = d.With(o.set...)
	}
	if err != nil {
		return usagef("lab serve: %v", err)
	}
	w, err := d.Open(o.seed)
	if err != nil {
		return err
	}
	defer w.Close()
	served, err := scenario.Serve(ctx, w, scenario.ServeOptions{FirstPort: o.port})
	if err != nil {
		return err
	}
	defer served.Close()
	root, err := writeRoot(o.ca, w.RootPEM())
	if err != nil {
		return err
	}
	tellDoors(s.out, d.Name(), served.Doors, root)
	<-ctx.Done()
	return nil
}

// writeRoot keeps the root certificate where another tool can be pointed at it.
func writeRoot(path string, pem []byte) (string, error) {
	if path == "" {
		path = filepath.Join(os.TempDir(), "coldsplit-lab-root.pem")
	}
	if err := os.WriteFile(path, pem, 0o644); err != nil {
		return "", fmt.Errorf("--ca: %w", err)
	}
	return path, nil
}

func tellDoors(out io.Writer, name string, doors []scenario.FrontDoor, root string) {
	fmt.Fprintf(out, "%s is open on this machine; Ctrl-C closes it.\n", name)
	for _, d := range doors {
		for _, r := range d.Routes {
			fmt.Fprintf(out, "\n%s\n  curl --cacert %s --resolve %s %s\n", r.Name, root, d.Resolve(), r.URL)
		}
	}
	fmt.Fprint(out, "\nAll delays are there but DNS and the TCP handshake, which loopback accepts at once.\n")
}
