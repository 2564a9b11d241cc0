package main

import (
	"fmt"
	"runtime"

	"github.com/spf13/cobra"
)

// version is the release this source is of.
const version = "0.1.0"

// userAgent is what requests carry unless -A says otherwise.
const userAgent = "coldsplit/" + version

func toolName() string {
	return fmt.Sprintf("coldsplit %s %s %s/%s", version, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

func newVersionCommand(s streams) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "print the version, the Go release and the platform",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintln(s.out, toolName())
			return err
		},
	}
}
