//go:build !linux

package probe

import "syscall"

// readTCPInfo knows no portable equivalent of Linux's TCP_INFO.
func readTCPInfo(syscall.RawConn) (tcpInfo, bool) { return tcpInfo{}, false }
