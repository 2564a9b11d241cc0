//go:build !race

package scenario_test

// timed says that readings can be held to figures.
const timed = true
