package segment

import "fmt"

// Key names a span of an exchange. Its order is the order in which the spans follow each other and
// in which every table lists them.
type Key uint8

// The measured leaves, each the time between two neighbouring boundaries on one monotonic clock.
const (
	DNS      Key = iota // before resolving .. the first connection attempt starts
	Race                // first attempt starts .. the winning attempt starts (RFC 8305)
	TCP                 // winning attempt starts .. connected (RFC 9293)
	Proxy               // connected .. tunnel ready: CONNECT, SOCKS, TLS to the proxy
	TLS                 // tunnel or connection ready .. handshake complete (RFC 8446)
	QUIC                // winning attempt starts .. QUIC handshake complete (RFC 9001 section 4.1.1)
	Send                // connection ready .. last byte of the request handed to the network
	Wait                // sent .. first byte of the final response (RFC 9110 section 15)
	Transfer            // first byte .. last byte of the content

	// The parts of wait are readings: derived from what the response reported.
	WaitEdgeRTT         // one round trip client <-> whoever answers the connection; an estimate
	WaitPreForward      // the edge's wait before it sent the request on; reported
	WaitUpstream        // edge -> origin -> edge; reported
	WaitUpstreamNetwork // the part of upstream spent between edge and origin
	WaitUpstreamOrigin  // the part of upstream spent in the origin
	WaitUnattributed    // wait minus the above; may be negative

	// The parts of transfer exist for an event stream.
	TransferBeforeText // first byte .. first text
	TransferText       // first text .. last byte

	// Derived figures, never part of the sum.
	Setup     // race + tcp + proxy + tls, or race + quic
	TTFB      // start .. first byte of the final response
	FirstText // start .. first text of a stream
	Total     // start .. end

	// NumKeys is the number of keys; arrays indexed by Key have this length.
	NumKeys = int(Total) + 1
)

// NumMeasured is the number of measured leaves, the keys DNS to Transfer.
const NumMeasured = int(Transfer) + 1

var names = [NumKeys]string{
	DNS: "dns", Race: "race", TCP: "tcp", Proxy: "proxy", TLS: "tls", QUIC: "quic",
	Send: "send", Wait: "wait", Transfer: "transfer",
	WaitEdgeRTT: "wait.edge_rtt", WaitPreForward: "wait.pre_forward",
	WaitUpstream: "wait.upstream", WaitUpstreamNetwork: "wait.upstream.network",
	WaitUpstreamOrigin: "wait.upstream.origin", WaitUnattributed: "wait.unattributed",
	TransferBeforeText: "transfer.before_text", TransferText: "transfer.text",
	Setup: "setup", TTFB: "ttfb", FirstText: "first_text", Total: "total",
}

// String returns the one spelling of k.
func (k Key) String() string {
	if int(k) >= NumKeys {
		return fmt.Sprintf("Key(%d)", uint8(k))
	}
	return names[k]
}

// MarshalText spells k as String does; with UnmarshalText it lets a Key be a JSON map key.
func (k Key) MarshalText() ([]byte, error) {
	if int(k) >= NumKeys {
		return nil, fmt.Errorf("unknown segment key %d", uint8(k))
	}
	return []byte(names[k]), nil
}

// UnmarshalText is the inverse of MarshalText and fails on a word that is no key.
func (k *Key) UnmarshalText(text []byte) error {
	got, ok := Parse(string(text))
	if !ok {
		return fmt.Errorf("unknown segment %q", text)
	}
	*k = got
	return nil
}

// Parse returns the key spelled s. There are no aliases.
func Parse(s string) (Key, bool) {
	for i, name := range names {
		if name == s {
			return Key(i), true
		}
	}
	return 0, false
}

// Measured reports whether k is a leaf that is measured and stored, one of DNS to Transfer.
func (k Key) Measured() bool { return k <= Transfer }

// Derived reports whether k never takes part in the sum: setup, ttfb, first_text, total.
func (k Key) Derived() bool { return k >= Setup && k <= Total }

// Parent returns the key whose time contains k's, and false when k stands at the margin.
func (k Key) Parent() (Key, bool) {
	switch k {
	case WaitEdgeRTT, WaitPreForward, WaitUpstream, WaitUnattributed:
		return Wait, true
	case WaitUpstreamNetwork, WaitUpstreamOrigin:
		return WaitUpstream, true
	case TransferBeforeText, TransferText:
		return Transfer, true
	}
	return 0, false
}

// Depth is 0 for a key at the margin, 1 for its parts, 2 for theirs.
func (k Key) Depth() int {
	depth := 0
	for p, ok := k.Parent(); ok; p, ok = p.Parent() {
		depth++
	}
	return depth
}

// tableOrder lists every key as tables do: each parent before its parts, derived keys last.
var tableOrder = [NumKeys]Key{
	DNS, Race, TCP, Proxy, TLS, QUIC, Send,
	Wait, WaitEdgeRTT, WaitPreForward, WaitUpstream, WaitUpstreamNetwork, WaitUpstreamOrigin, WaitUnattributed,
	Transfer, TransferBeforeText, TransferText,
	Total, Setup, TTFB, FirstText,
}

// TableOrder returns every key in the order tables list them: a parent before its parts, total
// after the last leaf, setup, ttfb and first_text below it. The array is the caller's own copy.
func TableOrder() [NumKeys]Key { return tableOrder }
