// Package tunnel opens a way through a proxy on a connection that is already there: TLS to the
// proxy where its URL says https, then HTTP CONNECT (RFC 9110 section 9.3.6) or SOCKS5 (RFC 1928,
// RFC 1929).
//
// It knows the protocols a proxy speaks and what it may answer. It refuses to dial, to resolve the
// target (the proxy does), to speak to the target, to retry, and to offer a proxy anything but
// HTTP/1.1; credentials never appear in what it returns.
//
// The rule a caller must hold: one connection, one call. After an error the connection is in no
// known state and is only good for closing, which the caller does.
package tunnel
