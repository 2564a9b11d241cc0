package probe

import (
	"io"
	"net"
	"os"
	"testing"

	"golang.org/x/sys/unix"
)

// TestAKernelThatRefusesToStampIsWrittenToAllTheSame writes to a socket of a kind that takes the request for
// a stamp as an invalid argument, as gVisor does with TCP's.
func TestAKernelThatRefusesToStampIsWrittenToAllTheSame(t *testing.T) {
	fds, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	ours, theirs := socketOf(t, fds[0]), socketOf(t, fds[1])
	raw, err := ours.SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	s := &stamps{raw: raw, asking: stampThis}
	s.out.once = s.send
	for range 2 {
		if n, err := s.write([]byte("GET")); n != 3 || err != nil {
			t.Fatalf("wrote %d, %v", n, err)
		}
	}
	if s.asking != nil {
		t.Error("nothing was refused, so nothing was tested")
	}
	ours.Close()
	if got, err := io.ReadAll(theirs); string(got) != "GETGET" {
		t.Errorf("the peer got %q, %v", got, err)
	}
}

func socketOf(t *testing.T, fd int) *net.UnixConn {
	t.Helper()
	f := os.NewFile(uintptr(fd), "socket")
	defer f.Close()
	conn, err := net.FileConn(f)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return conn.(*net.UnixConn)
}
