// Package eventstream takes a text/event-stream apart while it arrives and tells when its text came.
//
// It knows the format (WHATWG HTML, section 9.2, server-sent events) and which events of the common
// language-model APIs carry text, end a stream or report an error inside it. It refuses to know the
// time: every Write is told when its bytes arrived, as an offset from the start of the exchange.
// It opens nothing, logs nothing and remembers no more than one event and the gaps between texts.
//
// The rule a caller must hold: bytes are written in order, decoded from any content encoding, and
// with times that never go back. What the bytes are cut into makes no difference to the events.
//
// An event counts as text only when it carries some: comments, pings, frames that only name a role
// and empty deltas do not, and neither does an event that its blank line never followed.
package eventstream
