package report

import (
	"fmt"
	"time"

	"github.com/coldsplit/coldsplit/pkg/diagnosis"
	"github.com/coldsplit/coldsplit/pkg/segment"
)

// Trouble is why an arm has no figures, told by evidence: one of [NoAnswer], [Refused],
// [WrongCertificate], [Blocked], [Impostor], [NoQUIC], [NoRoute], [NoAddress], [NoResolver]. Without one the arm's
// own failures are told.
type Trouble interface {
	// tell returns the sentence and the evidence below it.
	tell(a Arm) (sentence string, evidence []Block)
	kind() string
}

// NoAnswer is a peer that stays silent while a connection is tried: a filter, or a host that is down.
type NoAnswer struct {
	Address string        `json:"address"`
	Segment segment.Key   `json:"segment"`
	Count   int           `json:"count"`
	Of      int           `json:"of"`
	Each    time.Duration `json:"each_ns"`
	SYNs    int           `json:"syns,omitempty"` // sent by each, 0 when unknown

	Part diagnosis.Part `json:"part,omitempty"`
}

func (t NoAnswer) kind() string { return "no_answer" }

func (t NoAnswer) tell(Arm) (string, []Block) {
	if t.Segment == segment.TLS {
		return t.tellHandshake()
	}
	why := "no reply to any SYN"
	if t.SYNs > 0 {
		why += fmt.Sprintf(" (%d sent by each)", t.SYNs)
	}
	return fmt.Sprintf("No answer from %s: %s died in %s, %s each.",
			peer(t.Address, t.Part), connections(t.Count, t.Of), t.Segment, InWords(t.Each)),
		[]Block{deaths(t.Segment.String(), "timeout", t.Count, why)}
}

// tellHandshake is silence from a peer that took the connection: no filter of addresses does that.
func (t NoAnswer) tellHandshake() (string, []Block) {
	died := fmt.Sprintf("%s died in %s, %s each.", Share(t.Count, t.Of), t.Segment, InWords(t.Each))
	block := []Block{deaths(t.Segment.String(), "timeout", t.Count, "connected, then silence")}
	if t.Part == diagnosis.ThroughProxy {
		return fmt.Sprintf("The proxy connected to %s, and no TLS handshake was finished through it: %s", Clip(t.Address, clipName), died), block
	}
	return fmt.Sprintf("%s takes connections and finishes no TLS handshake: %s", Clip(t.Address, clipName), died), block
}

// peer is an address with what it is, where it is not the host's own.
func peer(address string, part diagnosis.Part) string {
	if part == diagnosis.TheProxy {
		return Clip(address, clipName) + ", the proxy"
	}
	return Clip(address, clipName)
}

// Refused is a host that is up and resets every connection: nothing listens there.
type Refused struct {
	Address string        `json:"address"`
	Count   int           `json:"count"`
	Of      int           `json:"of"`
	After   time.Duration `json:"after_ns"` // p50 of the time to the reset
	Lo      time.Duration `json:"lo_ns"`    // fastest
	Hi      time.Duration `json:"hi_ns"`    // slowest

	Part diagnosis.Part `json:"part,omitempty"`
}

func (t Refused) kind() string { return "refused" }

func (t Refused) tell(Arm) (string, []Block) {
	scale := ScaleFor(t.After)
	after := scale.MS(t.After) + " ms"
	why := fmt.Sprintf("connection refused by the system, %s (%s)", after, scale.Range(t.Lo, t.Hi))
	return fmt.Sprintf("Nobody listens on %s: %s reset in %s after %s, so the host is up, "+
			"one round trip away.", peer(t.Address, t.Part), connections(t.Count, t.Of)+" "+were(t.Of), segment.TCP, after),
		[]Block{deaths(segment.TCP.String(), "reset", t.Count, why)}
}

func connections(k, n int) string { return shareOf(k, n, "connection", "connections") }

// deaths is one row of evidence: where, how, how often, and what it means.
func deaths(where, how string, count int, why string) Table {
	table := deathTable()
	table.Rows = []Row{deathRow(where, how, count, why)}
	return table
}

func deathTable() Table {
	return Table{Columns: []Column{{}, {Min: 7, Gap: 3}, {Align: Right, Gap: 3}, {Gap: 3}}}
}

func deathRow(where, how string, count int, why string) Row {
	return Row{Depth: 1, Cells: []Cell{
		{Text: where, Key: true}, {Text: Clip(how, clipName)}, {Text: fmt.Sprint(count)}, {Text: Clip(why, clipText)},
	}}
}

// Impostor is a network that answers in place of the host: a captive portal or a lying resolver.
type Impostor struct {
	Host       string `json:"host"`
	Address    string `json:"address"`  // what the resolver gave
	Resolver   string `json:"resolver"` // which one
	ProbeName  string `json:"probe_name,omitempty"`
	ProbeAddr  string `json:"probe_address,omitempty"` // what it gave for a name that cannot exist; "" when not
	CertName   string `json:"certificate_name,omitempty"`
	SelfSigned bool   `json:"self_signed,omitempty"`
}

func (t Impostor) kind() string { return "impostor" }

func (t Impostor) tell(Arm) (string, []Block) {
	var evidence []Entry
	if t.ProbeAddr != "" {
		evidence = append(evidence, Entry{"dns", []string{
			fmt.Sprintf("%s -> %s; so does a name that cannot exist", Clip(t.Host, clipName), Clip(t.Address, clipName)),
			fmt.Sprintf("(%s -> %s, from %s)", Clip(t.ProbeName, clipName), Clip(t.ProbeAddr, clipName), resolverWords(t.Resolver)),
		}})
	}
	if t.CertName != "" {
		words := "certificate for " + Clip(t.CertName, clipName)
		if t.SelfSigned {
			words += ", self-signed"
		}
		evidence = append(evidence, Entry{"tls", []string{words}})
	}
	return fmt.Sprintf("This network answers in place of %s: nothing here was measured.", Clip(t.Host, clipName)),
		[]Block{KeyValue{Entries: evidence, Width: 6, Indent: 2}}
}

// NoAddress is a name that did not resolve.
type NoAddress struct {
	Host     string `json:"host"`
	Count    int    `json:"count"`
	Of       int    `json:"of"`
	Resolver string `json:"resolver"`
	Answer   string `json:"answer"`           // what the resolver said: "no such name"
	Family   int    `json:"family,omitempty"` // 4 or 6 when only that was asked for

	Part diagnosis.Part `json:"part,omitempty"`
}

func (t NoAddress) kind() string { return "no_address" }

func (t NoAddress) tell(Arm) (string, []Block) {
	address := "no address"
	if t.Family != 0 {
		address = fmt.Sprintf("no IPv%d address", t.Family)
	}
	return fmt.Sprintf("%s has %s here: %s failed (%s).", t.name(), address, shareOf(t.Count, t.Of, "look-up", "look-ups"), Clip(t.Answer, clipName)),
		[]Block{deaths(segment.DNS.String(), "failed", t.Count, fmt.Sprintf("%s, from %s", Clip(t.Answer, clipName), resolverWords(t.Resolver)))}
}

// name says whose name it is: the URL's host is well.
func (t NoAddress) name() string {
	name := Clip(t.Host, clipName)
	switch t.Part {
	case diagnosis.TheProxy:
		return "The proxy's name " + name
	case diagnosis.TheVia:
		return "The name given with --via, " + name + ","
	}
	return name
}

// resolverWords are a resolver in prose: "resolver 192.0.2.53", "the resolver of the system".
func resolverWords(resolver string) string {
	if resolver == "system" {
		return "the resolver of the system"
	}
	return "resolver " + Clip(resolver, clipName)
}

// NoResolver is a resolver that told nothing about a name.
type NoResolver struct {
	Resolver string `json:"resolver"`
	Host     string `json:"host"`
	Count    int    `json:"count"`
	Of       int    `json:"of"`
	Answer   string `json:"answer"` // "no connection", "no answer", "refused", "server failure", "unusable answer"
}

func (t NoResolver) kind() string { return "no_resolver" }

func (t NoResolver) tell(Arm) (string, []Block) {
	did := "gave no answer about"
	switch t.Answer {
	case "no connection":
		did = "was not reached to ask for"
	case "refused":
		did = "refuses to look up"
	case "server failure", "unusable answer":
		did = "could not look up"
	}
	resolver := "The resolver " + Clip(t.Resolver, clipName)
	if t.Resolver == "system" {
		resolver = "The system's resolver"
	}
	return fmt.Sprintf("%s %s %s: %s failed (%s).",
			resolver, did, Clip(t.Host, clipName), shareOf(t.Count, t.Of, "look-up", "look-ups"), Clip(t.Answer, clipName)),
		[]Block{deaths(segment.DNS.String(), "failed", t.Count, Clip(t.Answer, clipName)+": whether the name has an address is unknown")}
}

// NoRoute is an address of a family this machine cannot reach.
type NoRoute struct {
	Address string `json:"address"`
	Family  int    `json:"family"` // 4 or 6
	Count   int    `json:"count"`
	Of      int    `json:"of"`

	Part diagnosis.Part `json:"part,omitempty"`
}

func (t NoRoute) kind() string { return "no_route" }

func (t NoRoute) tell(Arm) (string, []Block) {
	return fmt.Sprintf("This machine has no IPv%d route to %s: %s failed before a packet was sent.",
			t.Family, peer(t.Address, t.Part), connections(t.Count, t.Of)),
		[]Block{deaths(segment.TCP.String(), "connect", t.Count, "no route, said by this machine and not by the network")}
}

// NoQUIC is a peer from which no QUIC packet came back.
type NoQUIC struct {
	Address string        `json:"address"`
	Count   int           `json:"count"`
	Of      int           `json:"of"`
	Each    time.Duration `json:"each_ns"`
	TCPOpen bool          `json:"tcp_open"` // a TCP connection to the same address and port was accepted
}

func (t NoQUIC) kind() string { return "no_quic" }

func (t NoQUIC) tell(Arm) (string, []Block) {
	why := "no reply to any Initial packet"
	if t.TCPOpen {
		why += "; the same port answers over TCP"
	}
	return fmt.Sprintf("No QUIC from %s: %s died in %s, %s each. UDP is blocked on the way, or nobody "+
			"speaks h3 there.", Clip(t.Address, clipName), connections(t.Count, t.Of), segment.QUIC, InWords(t.Each)),
		[]Block{deaths(segment.QUIC.String(), "timeout", t.Count, why)}
}
