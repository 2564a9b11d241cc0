//go:build !linux

package lab

// newAlarm trusts the Go timer: away from Linux the runtime waits for it with a
// resolution finer than a millisecond.
func newAlarm() (alarm, error) { return newGoAlarm(), nil }
