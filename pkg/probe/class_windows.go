package probe

import (
	"errors"

	"golang.org/x/sys/windows"
)

// resetOnThisSystem knows the Winsock codes, which differ from the errno of package syscall.
func resetOnThisSystem(err error) bool {
	return errors.Is(err, windows.WSAECONNREFUSED) || errors.Is(err, windows.WSAECONNRESET) || errors.Is(err, windows.WSAECONNABORTED)
}
