package lab_test

import (
	"runtime"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/coldsplit/coldsplit/pkg/lab"
)

// BenchmarkTiming reports how much longer than the configured round trip a TCP
// handshake and a datagram's echo take, in microseconds, on an idle process and
// with one core kept busy.
func BenchmarkTiming(b *testing.B) {
	for name, busy := range map[string]bool{"idle": false, "one core busy": true} {
		b.Run(name, func(b *testing.B) {
			if busy {
				defer spin()()
			}
			b.Run("connect", benchConnect)
			b.Run("datagram", benchDatagram)
		})
	}
}

// benchRTT is short, to get many samples; the error does not depend on it.
const benchRTT = 10 * time.Millisecond

func benchHosts(b *testing.B) (client, server *lab.Host) {
	n, err := lab.New(lab.Config{RTT: func(_, _ *lab.Host) time.Duration { return benchRTT }})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = n.Close() })
	return addHost(b, n, "client", lab.HostOptions{}), addHost(b, n, "server", lab.HostOptions{})
}

func benchConnect(b *testing.B) {
	client, server := benchHosts(b)
	serve(b, server, 80, echo)
	var excess []time.Duration
	for b.Loop() {
		start := time.Now()
		c := dial(b, client, "tcp", server.AddrPort(80))
		excess = append(excess, time.Since(start)-benchRTT)
		_ = c.Close()
	}
	reportExcess(b, excess)
}

func benchDatagram(b *testing.B) {
	client, server := benchHosts(b)
	serveUDP(b, server, 9)
	c := dial(b, client, "udp", server.AddrPort(9))
	var excess []time.Duration
	for b.Loop() {
		start := time.Now()
		exchange(b, c, []byte("ping"))
		excess = append(excess, time.Since(start)-benchRTT)
	}
	reportExcess(b, excess)
}

func reportExcess(b *testing.B, excess []time.Duration) {
	slices.Sort(excess)
	rank := func(p int) float64 {
		return float64(excess[(len(excess)*p+99)/100-1].Nanoseconds()) / 1000
	}
	b.ReportMetric(rank(50), "p50-us")
	b.ReportMetric(rank(99), "p99-us")
	b.ReportMetric(0, "ns/op")
}

// spin keeps one core busy until stopped.
func spin() (stop func()) {
	var quit atomic.Bool
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread()
		for !quit.Load() {
		}
	}()
	return func() {
		quit.Store(true)
		<-done
	}
}

// BenchmarkExchange is the processor time of a connect, an echo and a close, with
// no delay in the way.
func BenchmarkExchange(b *testing.B) {
	n, err := lab.New(lab.Config{})
	if err != nil {
		b.Fatal(err)
	}
	defer n.Close()
	client, server := addHost(b, n, "client", lab.HostOptions{}), addHost(b, n, "server", lab.HostOptions{})
	serve(b, server, 80, echo)
	for b.Loop() {
		c := dial(b, client, "tcp", server.AddrPort(80))
		exchange(b, c, []byte("ping"))
		_ = c.Close()
	}
}
