//go:build race

package scenario_test

// timed is false: the race detector slows what is timed.
const timed = false
