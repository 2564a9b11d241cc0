package lab_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"slices"
	"testing"
	"time"

	"github.com/coldsplit/coldsplit/pkg/lab"
)

// arrivals sends count numbered datagrams at once and returns the numbers in the
// order they arrived, until wait passes without one.
func arrivals(t *testing.T, n *lab.Internet, p lab.Path, count int, wait time.Duration) []uint16 {
	t.Helper()
	from, to := addHost(t, n, "from", lab.HostOptions{}), addHost(t, n, "to", lab.HostOptions{})
	n.SetPath(from, to, p)
	pc, err := to.ListenUDP(9)
	if err != nil {
		t.Fatal(err)
	}
	c := dial(t, from, "udp", to.AddrPort(9))
	for i := range count {
		if _, err := c.Write(binary.BigEndian.AppendUint16(nil, uint16(i))); err != nil {
			t.Fatal(err)
		}
	}
	var got []uint16
	buf := make([]byte, 2)
	for len(got) < count {
		_ = pc.SetReadDeadline(time.Now().Add(wait))
		if _, _, err := pc.ReadFrom(buf); err != nil {
			break
		}
		got = append(got, binary.BigEndian.Uint16(buf))
	}
	return got
}

func TestOrderIsKeptUnlessAskedOtherwise(t *testing.T) {
	for _, reorder := range []bool{false, true} {
		p := lab.Path{Delay: time.Millisecond, Jitter: 20 * time.Millisecond, Reorder: reorder}
		got := arrivals(t, newInternet(t), p, 200, 10*time.Second)
		if len(got) != 200 || slices.IsSorted(got) == reorder {
			t.Errorf("reorder %v: %d of 200 arrived, sorted %v", reorder, len(got), slices.IsSorted(got))
		}
	}
}

func TestLossIsTheSameForTheSameSeed(t *testing.T) {
	t.Parallel()
	survivors := func(seed uint64) []uint16 {
		n, err := lab.New(lab.Config{Seed: seed})
		if err != nil {
			t.Fatal(err)
		}
		defer n.Close()
		return arrivals(t, n, lab.Path{Loss: 0.3}, 300, 200*time.Millisecond)
	}
	first, again, other := survivors(7), survivors(7), survivors(8)
	if !slices.Equal(first, again) {
		t.Errorf("seed 7 let %d and then %d packets through, not the same", len(first), len(again))
	}
	if slices.Equal(first, other) {
		t.Error("seeds 7 and 8 lost the same packets")
	}
	// 300 draws at 0.3: 210 survive, give or take 6 standard deviations of 7.9.
	if len(first) < 162 || len(first) > 258 {
		t.Errorf("%d of 300 survived a loss of 0.3", len(first))
	}
}

func TestRateSpacesPackets(t *testing.T) {
	n, client, server := twoHosts(t)
	serve(t, server, 80, func(c net.Conn) {
		defer c.Close()
		_, _ = c.Write(make([]byte, 100_000))
	})
	n.SetPath(server, client, lab.Path{Delay: rtt / 2, Rate: 8_000_000})
	c := dial(t, client, "tcp", server.AddrPort(80))
	start := time.Now()
	got, err := io.ReadAll(c)
	if err != nil || len(got) != 100_000 {
		t.Fatalf("read %d bytes, %v", len(got), err)
	}
	// At 8 Mbit/s 100,000 bytes need 100 ms; of these the data of the first packet
	// had come when the clock was started.
	atLeast(t, "100 kB at 8 Mbit/s", start, 98*time.Millisecond)
}

func TestQueueOverflows(t *testing.T) {
	n := newInternet(t)
	// A datagram of 2 bytes is 30 on the wire: 240 bits, 1 ms at this rate.
	got := arrivals(t, n, lab.Path{Rate: 240_000, Queue: 20 * time.Millisecond}, 200, 200*time.Millisecond)
	from, _ := n.Host("from")
	to, _ := n.Host("to")
	if full := n.Traffic(from, to).Queued; full == 0 || full+len(got) != 200 {
		t.Errorf("%d of 200 arrived and %d met a full queue", len(got), full)
	}
}

func TestSmallMTU(t *testing.T) {
	cases := map[string]struct {
		family int
		clamp  bool
		sent   int
	}{
		"IPv4 told by ICMP": {4, false, 3000},
		"IPv6 told by ICMP": {6, false, 3000},
		"IPv4 clamped":      {4, true, 50_000},
		"IPv6 clamped":      {6, true, 50_000},
	}
	for name, test := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n, client, server := twoHosts(t)
			serve(t, server, 80, echo)
			p := lab.PathRTT(rtt)
			p.MTU, p.Clamp = 1300, test.clamp
			n.Connect(client, server, p)
			sent := make([]byte, test.sent)
			fill(sent)
			echoAll(t, dial(t, client, "tcp", addrOf(t, server, test.family, 80)), sent)
			if met := n.Traffic(client, server).TooBig > 0; met == test.clamp {
				t.Errorf("packets met the MTU: %v", met)
			}
		})
	}
}

// echoAll is exchange for more than the buffers in between hold.
func echoAll(t *testing.T, c net.Conn, sent []byte) {
	t.Helper()
	go func() { _, _ = c.Write(sent) }()
	got := make([]byte, len(sent))
	if _, err := io.ReadFull(c, got); err != nil || !bytes.Equal(got, sent) {
		t.Errorf("echo of %d bytes: equal %v, %v", len(sent), bytes.Equal(got, sent), err)
	}
}

func TestMuteMTUIsABlackHole(t *testing.T) {
	t.Parallel()
	n, client, server := twoHosts(t)
	serve(t, server, 80, echo)
	n.SetPath(client, server, lab.Path{MTU: 1300, Mute: true})
	c := dial(t, client, "tcp", server.AddrPort(80))
	exchange(t, c, []byte("small"))
	if _, err := c.Write(make([]byte, 5000)); err != nil {
		t.Fatal(err)
	}
	_ = c.SetReadDeadline(time.Now().Add(500 * time.Millisecond))
	_, err := io.ReadFull(c, make([]byte, 5000))
	var timeout net.Error
	if !errors.As(err, &timeout) || !timeout.Timeout() {
		t.Errorf("read across a mute MTU: %v, want a timeout", err)
	}
}

func TestRules(t *testing.T) {
	_, client, server := twoHosts(t)
	syn := lab.Packet{Proto: lab.TCP, SYN: true, Src: client.AddrPort(1), Dst: server.AddrPort(443)}
	synack := lab.Packet{Proto: lab.TCP, SYN: true, ACK: true, Src: server.AddrPort(443), Dst: client.AddrPort(1)}
	quic := lab.Packet{Proto: lab.UDP, Src: client.AddrPort(1), Dst: server.AddrPort(443)}
	six := lab.Packet{Proto: lab.UDP, Src: addrOf(t, client, 6, 1), Dst: addrOf(t, server, 6, 53)}
	cases := []struct {
		name    string
		rule    lab.Rule
		packets []lab.Packet
		want    []bool
	}{
		{"second SYN", lab.DropNth(lab.IsSYN, 2), []lab.Packet{syn, quic, synack, syn, syn}, []bool{false, false, false, true, false}},
		{"first of each flow", lab.DropFirst(lab.IsUDP(), 1), []lab.Packet{quic, six, quic, six, syn}, []bool{true, true, false, false, false}},
		{"QUIC", lab.Drop(lab.IsUDP(443)), []lab.Packet{quic, six, syn}, []bool{true, false, false}},
		{"IPv6", lab.Drop(lab.IsIPv6), []lab.Packet{quic, six}, []bool{false, true}},
		{"IPv4", lab.Drop(lab.IsIPv4), []lab.Packet{quic, six}, []bool{true, false}},
		{"all TCP", lab.DropShare(lab.IsTCP(), 1, 1), []lab.Packet{syn, synack, quic}, []bool{true, true, false}},
		{"SYN-ACK", lab.Drop(lab.IsSYNACK), []lab.Packet{syn, synack}, []bool{false, true}},
	}
	for _, c := range cases {
		var got []bool
		for _, p := range c.packets {
			got = append(got, c.rule(p))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: dropped %v, want %v", c.name, got, c.want)
		}
	}
}

func TestPathDefaultsToTheRTTOfThePair(t *testing.T) {
	distance := map[string]time.Duration{"tokyo": 0, "ashburn": 165 * time.Millisecond}
	n, err := lab.New(lab.Config{RTT: func(a, b *lab.Host) time.Duration {
		return max(distance[a.Place()], distance[b.Place()])
	}})
	if err != nil {
		t.Fatal(err)
	}
	defer n.Close()
	a := addHost(t, n, "a", lab.HostOptions{Place: "tokyo"})
	b := addHost(t, n, "b", lab.HostOptions{Place: "ashburn"})
	if out, back := n.Path(a, b).Delay, n.Path(b, a).Delay; out+back != distance["ashburn"] {
		t.Errorf("delays %v and %v, want them to add up to %v", out, back, distance["ashburn"])
	}
	if _, err := n.AddHost("a", lab.HostOptions{}); err == nil {
		t.Error("a name was given to two hosts")
	}
	if _, err := n.AddHost("c", lab.HostOptions{Addrs: a.Addrs()}); err == nil {
		t.Error("an address was given to two hosts")
	}
}
