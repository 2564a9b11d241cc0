package probe

import (
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// readTCPInfo asks the kernel for TCP_INFO (tcp(7)). Right after connect its rtt is the SYN's round
// trip; later rtt absorbs delayed acknowledgements, so min_rtt is the one to use then. After a lost
// SYN the sample has the grain of the timestamp option, 1 ms. It fails once the socket is closed.
func readTCPInfo(raw syscall.RawConn) (tcpInfo, bool) {
	var info *unix.TCPInfo
	var err error
	ctlErr := raw.Control(func(fd uintptr) {
		info, err = unix.GetsockoptTCPInfo(int(fd), unix.IPPROTO_TCP, unix.TCP_INFO)
	})
	if ctlErr != nil || err != nil {
		return tcpInfo{}, false
	}
	return tcpInfo{
		rtt:          time.Duration(info.Rtt) * time.Microsecond,
		minRTT:       knownRTT(info.Min_rtt),
		totalRetrans: info.Total_retrans,
		mss:          info.Advmss,
		received:     int64(info.Bytes_received),
		ended:        info.State != established,
	}, true
}

// knownRTT reads the kernel's "no sample yet", all bits set, as 0.
func knownRTT(us uint32) time.Duration {
	if us == ^uint32(0) {
		return 0
	}
	return time.Duration(us) * time.Microsecond
}

// established is TCP_ESTABLISHED of the kernel's tcp_states.h.
const established = 1
