//go:build !unix

package probe_test

// serveIfAsked is for the benchmarks, which need a Unix system.
func serveIfAsked() bool { return false }
