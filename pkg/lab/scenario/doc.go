// Package scenario builds small internets from YAML: the embedded ones, which
// re-create published cases and common misfortunes, and a user's own topology, to
// rehearse a move before it is made.
//
// It knows the format, which actor stands for which service, how far cities are
// apart and what a move leaves behind. It refuses to measure: readings come from
// whatever client is pointed at a World. A World's figures are rehearsed, not
// measured: they follow from distances and distributions somebody wrote down.
//
// The one rule: Close a World last, after everything that was opened through it.
//
// # The format
//
// Ten lines are enough. Names of services are free; the first is the one a client
// asks; calls are made in the order written, those in brackets side by side.
//
//	client: Lagos
//	services:
//	  edge: {city: Frankfurt, provider: cloudflare, calls: [session, api]}
//	  session: {city: Frankfurt, takes: 2ms, state: true}
//	  api: {city: Ashburn, takes: {p50: 20ms, p90: 45ms, p99: 200ms}, calls: [db x3, cache 20%]}
//	  db: {city: Ashburn, takes: 4ms, state: true}
//	  cache: {city: Ashburn, takes: 1ms}
//
// Round trips follow from the distance (package geo, with the usual path stretch)
// unless paths states them, between services or between cities. "accepts" is the
// city whose edge ends the client's connection when the code runs elsewhere. A
// request leaves an edge for its last call, if that is made once for every request:
// what comes before is pre_forward, what comes after upstream.
package scenario
