// Package provider knows what the response headers of CDNs, platforms, proxies
// and applications say about where the time inside wait went and where a
// request was handled. Each provider is a table of rules in a file of its own.
//
// It refuses to guess: a header or metric without a rule stays unread, a place
// without a header stays unknown, and a number whose meaning is not settled
// becomes a bound, an interval or a doubt, never a plain value. It does not
// know the wait itself, so it cannot tell whether a number fits in there;
// package reading can, and overrules what is said here.
//
// The one rule a caller must hold: a Span is one provider's statement. Spans
// lie inside one another (Parent), overlap and repeat each other; they are
// chosen by Best, never added.
//
// Everything quoted from a response is untrusted text and is escaped by
// whoever prints it. All functions are safe for concurrent use.
package provider
