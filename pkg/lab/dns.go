package lab

import (
	"context"
	"fmt"
	"net"
	"strings"
	"sync"
	"time"

	"github.com/miekg/dns"
)

// Answer is what a DNS server says to one type of question about one name.
type Answer struct {
	// Records are the data of the answer in zone-file form without name, TTL and
	// type: "192.0.2.7" for A, `1 . alpn="h3,h2"` for HTTPS. None is an answer too:
	// the name exists, the type does not.
	Records []string
	// Alias are the names the answer leads through: each is the target of a CNAME
	// record, and the records belong to the last.
	Alias []string
	// TTL is in whole seconds on the wire; 0 means 60 s.
	TTL time.Duration
	// Delay passes before the answer is sent.
	Delay time.Duration
	// Drop never answers; DropFirst lets that many questions go unanswered first.
	Drop      bool
	DropFirst int
	// Rcode replaces the answer by an error of that name: "SERVFAIL", "NXDOMAIN",
	// "REFUSED".
	Rcode string
	// Truncate sends an empty answer with the TC bit over UDP, so that the client
	// asks again over TCP.
	Truncate bool
	// Rotate turns the records by one from question to question.
	Rotate bool
}

// Question is one question a DNS server received.
type Question struct {
	Name    string // lower case, without the last dot
	Type    string // "A", "AAAA", ...
	Network string // "udp" or "tcp"
	From    net.Addr
	At      time.Time
}

// DNS is a server that answers, over UDP and TCP, what it was told to. Names it
// was told nothing about do not exist. It is safe for concurrent use.
type DNS struct {
	packets net.PacketConn
	streams net.Listener
	ctx     context.Context // ends the delayed answers
	cancel  context.CancelFunc
	tasks   sync.WaitGroup

	mu      sync.Mutex // guards everything below
	answers map[dnsKey]*scripted
	names   map[string]bool
	asked   []Question
}

type dnsKey struct {
	name  string
	qtype uint16
}

// scripted is an Answer and how often it was asked for.
type scripted struct {
	Answer
	alias []dns.RR
	rrs   []dns.RR
	times int
}

const (
	dnsPort  = 53
	askedMax = 1 << 16
)

// ServeDNS starts a DNS server on port 53 of the host. Close, or closing the
// Internet, ends it.
func ServeDNS(h *Host) (*DNS, error) {
	packets, err := h.ListenUDP(dnsPort)
	if err != nil {
		return nil, err
	}
	streams, err := h.Listen("tcp", dnsPort)
	if err != nil {
		_ = packets.Close()
		return nil, err
	}
	d := &DNS{packets: packets, streams: streams, answers: map[dnsKey]*scripted{}, names: map[string]bool{}}
	d.ctx, d.cancel = context.WithCancel(context.Background())
	d.tasks.Go(d.servePackets)
	d.tasks.Go(d.serveStreams)
	return d, nil
}

// Set says what the server answers to one type of question about a name, "A",
// "AAAA", "HTTPS" and so on; what it said before is replaced.
func (d *DNS) Set(name, qtype string, a Answer) error {
	code, ok := dns.StringToType[strings.ToUpper(qtype)]
	if !ok {
		return fmt.Errorf("set answer for %q: unknown type %q", name, qtype)
	}
	if _, ok := dns.StringToRcode[a.Rcode]; a.Rcode != "" && !ok {
		return fmt.Errorf("set answer for %q: unknown rcode %q", name, a.Rcode)
	}
	script, err := newScripted(name, qtype, a)
	if err != nil {
		return fmt.Errorf("set answer for %q: %w", name, err)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.names[plainName(name)] = true
	d.answers[dnsKey{plainName(name), code}] = script
	return nil
}

// SetHost answers A and AAAA with the host's addresses, under the other terms of a.
func (d *DNS) SetHost(name string, h *Host, a Answer) error {
	v4, v6 := a, a
	v4.Records, v6.Records = nil, nil
	for _, addr := range h.Addrs() {
		if addr.Is4() {
			v4.Records = append(v4.Records, addr.String())
		} else {
			v6.Records = append(v6.Records, addr.String())
		}
	}
	if err := d.Set(name, "A", v4); err != nil {
		return err
	}
	return d.Set(name, "AAAA", v6)
}

// Forget makes a name unknown again.
func (d *DNS) Forget(name string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.names, plainName(name))
	for key := range d.answers {
		if key.name == plainName(name) {
			delete(d.answers, key)
		}
	}
}

// Asked returns the questions received, in order, the first 65,536 of them at
// most; the slice is the caller's.
func (d *DNS) Asked() []Question {
	d.mu.Lock()
	defer d.mu.Unlock()
	return append([]Question(nil), d.asked...)
}

// Close stops the server and waits for it. Delayed answers are not sent any more.
func (d *DNS) Close() error {
	d.cancel()
	_ = d.packets.Close()
	_ = d.streams.Close()
	d.tasks.Wait()
	return nil
}

func newScripted(name, qtype string, a Answer) (*scripted, error) {
	if a.TTL == 0 {
		a.TTL = time.Minute
	}
	s := &scripted{Answer: a}
	owner := name
	for _, target := range a.Alias {
		rr, err := record(owner, "CNAME", dns.Fqdn(target), a.TTL)
		if err != nil {
			return nil, err
		}
		s.alias = append(s.alias, rr)
		owner = target
	}
	for _, data := range a.Records {
		rr, err := record(owner, qtype, data, a.TTL)
		if err != nil {
			return nil, err
		}
		s.rrs = append(s.rrs, rr)
	}
	return s, nil
}

func record(owner, qtype, data string, ttl time.Duration) (dns.RR, error) {
	rr, err := dns.NewRR(fmt.Sprintf("%s %d IN %s %s", dns.Fqdn(owner), int(ttl/time.Second), qtype, data))
	if err != nil {
		return nil, fmt.Errorf("%s record %q: %w", qtype, data, err)
	}
	return rr, nil
}

func plainName(name string) string {
	return strings.ToLower(strings.TrimSuffix(name, "."))
}
