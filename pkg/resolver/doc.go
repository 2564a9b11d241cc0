// Package resolver turns a host name into addresses and tells what that cost: A and AAAA asked side
// by side and timed apart, which server answered, how long the answer may be kept, which aliases
// led to it.
//
// It knows the system's stub resolver and the four ways to a named one: DNS over UDP and TCP (RFC
// 1035), over TLS (RFC 7858) and over HTTPS (RFC 8484). It refuses to race connections, to follow
// an HTTPS record's hints, to remember an answer, and to open a socket other than through the
// [Network] it is given; the system's own stub, used when the network names no resolver, is the one
// exception.
//
// Cold means here: every query leaves on a connection of its own, opened for it and closed after
// it, so that neither family waits behind the other. What stays warm is behind the server that is
// asked: its cache is not ours to clear.
//
// The rule a caller must hold: the host is ASCII already (IDNA applied), and a resolver given by
// name is prepared before the clock starts, with [Spec.Prepare]; otherwise the first lookup pays
// for finding the resolver itself, outside A and AAAA but inside its own call. A host that the machine's
// own files list is settled by one look into them when Prepare was told of it: its A and AAAA are timed
// together, as nobody is asked for either.
package resolver
