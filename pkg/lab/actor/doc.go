// Package actor is what lives on the hosts of a lab: edges, state objects, circuit
// breakers, inference pods, CDN edges, origins and LLM gateways, each a real HTTP
// server over the lab's TCP, TLS and QUIC.
//
// It knows what such a machine does with a request, what it asks of others on the
// way and what it tells the client of that: Server-Timing under the canonical names
// pre_forward, upstream and upstream.origin, and places in a provider's own headers.
// It refuses to know which figures a scenario is meant to show: no actor decides by
// who asks, how often or in which stage; times are drawn from distributions.
//
// The one rule: an actor lives on its host, so it is closed before the Internet is.
// Everything here is safe for concurrent use unless its comment says otherwise.
package actor
