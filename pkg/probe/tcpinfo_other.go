//go:build !linux

package probe

import "net"

// readTCPInfo knows no portable equivalent of Linux's TCP_INFO.
func readTCPInfo(*net.TCPConn) (tcpInfo, bool) { return tcpInfo{}, false }
