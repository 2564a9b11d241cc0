// Package probe performs one exchange over TCP or QUIC and records it as a [record.Exchange].
//
// It knows how a connection is opened and proven cold, where every boundary between two segments
// lies, and what the peer, the kernel and the transport told on the way. It refuses to know which
// exchange comes next (schedule), what a header means (provider) and how anything is printed.
//
// Cold is defined here, and nowhere more loosely: an exchange is cold when exactly one connection
// was dialled for it and used once, its TLS session was not resumed, no early data and no QUIC
// address validation token was offered, the request was written once, no Alt-Svc memory was
// consulted, and the protocol agreed is the one asked for. What probe cannot clear stays warm: the
// caches of the recursive resolver and of the kernel (routes, neighbours, path MTU, tcp_metrics),
// and the pools and caches behind the edge. A cold connection is not a cold visitor.
//
// The rule a caller must hold: one exchange at a time per measurement that claims sub-millisecond
// figures. A [Prober] may be used by several goroutines, but exchanges that run side by side share
// this machine's processors, and their segments hold each other's work.
package probe
