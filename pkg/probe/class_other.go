//go:build !windows

package probe

// resetOnThisSystem has nothing to add: the errno of package syscall is the kernel's.
func resetOnThisSystem(error) bool { return false }
