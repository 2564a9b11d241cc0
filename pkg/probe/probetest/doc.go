// Package probetest is a network inside the process, for tests under testing/synctest: streams and
// datagrams with a fixed one-way latency, a scripted resolver, hosts that refuse, stay silent or have
// no route, and HTTP origins on it.
//
// It knows how long things take and nothing else: no loss unless told, no bandwidth, no processing
// time. It refuses to be a model of the Internet; the lab is one. In a synctest bubble every figure
// measured over it is exact to the nanosecond.
//
// The rule a caller must hold: create the network, everything that serves on it and everything that
// uses it inside the same bubble, close what was opened before the bubble ends, and call [SettleResolver]
// in TestMain before the first bubble.
package probetest
