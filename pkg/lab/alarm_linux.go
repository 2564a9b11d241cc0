package lab

import (
	"os"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// kernelAlarm rings by whichever comes first, a timerfd or a Go timer. On an idle
// process the runtime sleeps in epoll_wait, whose timeout counts whole
// milliseconds, so a Go timer alone rings up to a millisecond late; a timerfd wakes
// that sleep on the dot. On a busy process the runtime looks at its timers more
// often than at its file descriptors, and the Go timer wins.
type kernelAlarm struct {
	*goAlarm
	file *os.File // reads of the timerfd, through the runtime's poller
	done chan struct{}

	mu sync.Mutex // guards fd against use after close
	fd int        // the same descriptor; -1 once closed
}

func newAlarm() (alarm, error) {
	fd, err := unix.TimerfdCreate(unix.CLOCK_MONOTONIC, unix.TFD_NONBLOCK|unix.TFD_CLOEXEC)
	if err != nil {
		return nil, os.NewSyscallError("timerfd_create", err)
	}
	a := &kernelAlarm{
		goAlarm: newGoAlarm(),
		file:    os.NewFile(uintptr(fd), "timerfd"),
		done:    make(chan struct{}),
		fd:      fd,
	}
	go a.listen()
	return a, nil
}

func (a *kernelAlarm) listen() {
	defer close(a.done)
	var expirations [8]byte
	for {
		if _, err := a.file.Read(expirations[:]); err != nil {
			return
		}
		a.strike()
	}
}

// set ignores the error of timerfd_settime: the Go timer rings all the same.
func (a *kernelAlarm) set(after time.Duration) {
	a.goAlarm.set(after)
	if after <= 0 {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.fd < 0 {
		return
	}
	spec := unix.ItimerSpec{Value: unix.NsecToTimespec(int64(after))}
	_ = unix.TimerfdSettime(a.fd, 0, &spec, nil)
}

func (a *kernelAlarm) close() {
	a.goAlarm.close()
	a.mu.Lock()
	a.fd = -1
	a.mu.Unlock()
	_ = a.file.Close()
	<-a.done
}
