package lab

import (
	"testing"
	"time"
)

func syn(seq uint32) parsed { return parsed{Packet: Packet{Proto: TCP, SYN: true}, seq: seq} }

func data(seq, length uint32) parsed {
	return parsed{Packet: Packet{Proto: TCP, ACK: true}, seq: seq, payload: length}
}

func acknowledges(ack uint32) parsed {
	return parsed{Packet: Packet{Proto: TCP, ACK: true}, ack: ack}
}

// step is one segment at a flow, sent unless received is set.
type step struct {
	at       time.Duration
	received bool
	segment  parsed
}

func TestFlowTimesAsAKernelDoes(t *testing.T) {
	const wrap = 1<<32 - 10
	cases := map[string]struct {
		steps          []step
		connect, least time.Duration
		retrans        uint32
	}{
		"handshake":                     {[]step{{0, false, syn(7)}, {40, true, acknowledges(8)}}, 40, 40, 0},
		"lost SYN is timed from second": {[]step{{0, false, syn(7)}, {1000, false, syn(7)}, {1040, true, acknowledges(8)}}, 40, 40, 1},
		"least of all": {[]step{
			{0, false, syn(7)}, {45, true, acknowledges(8)},
			{50, false, data(8, 100)}, {91, true, acknowledges(108)},
			{95, false, data(108, 100)}, {145, true, acknowledges(208)},
		}, 45, 41, 0},
		"Karn: sent again is not timed": {[]step{
			{0, false, syn(7)}, {45, true, acknowledges(8)},
			{50, false, data(8, 100)}, {250, false, data(8, 100)}, {251, true, acknowledges(108)},
		}, 45, 45, 1},
		"partial acknowledgment is none": {[]step{
			{0, false, syn(7)}, {45, true, acknowledges(8)},
			{50, false, data(8, 100)}, {60, true, acknowledges(58)}, {92, true, acknowledges(108)},
		}, 45, 42, 0},
		"bare acknowledgments are not timed": {[]step{
			{0, false, syn(7)}, {45, true, acknowledges(8)},
			{50, false, data(8, 0)}, {51, true, acknowledges(8)},
		}, 45, 45, 0},
		"sequence numbers wrap": {[]step{
			{0, false, syn(wrap)}, {45, true, acknowledges(wrap + 1)},
			{50, false, data(wrap+1, 100)}, {91, true, acknowledges(91)},
			{95, false, data(91, 10)}, {99, false, data(91, 10)},
		}, 45, 41, 1},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			f := &flow{}
			for _, s := range c.steps {
				if s.received {
					f.received(s.segment, s.at)
				} else {
					f.sent(s.segment, s.at)
				}
			}
			connect, least, retrans := f.info()
			if connect != c.connect || least != c.least || retrans != c.retrans {
				t.Errorf("got connect %d, least %d, retrans %d; want %d, %d, %d",
					connect, least, retrans, c.connect, c.least, c.retrans)
			}
		})
	}
}

func TestMeterStartsAfreshForANewSYN(t *testing.T) {
	m := newMeter()
	m.sent(syn(7), 0)
	m.sent(syn(7), 1000)
	f := m.find(flowKey{})
	if _, _, retrans := f.info(); retrans != 1 {
		t.Errorf("SYN sent twice counts %d again, want 1", retrans)
	}
	m.sent(syn(9), 2000)
	if m.find(flowKey{}) == f {
		t.Error("a SYN with another sequence number kept the old flow")
	}
	reset := acknowledges(0)
	reset.RST = true
	m.received(reset, 3000)
	if m.find(flowKey{}) != nil {
		t.Error("the flow outlived its reset")
	}
}
