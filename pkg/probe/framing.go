package probe

import "encoding/binary"

// recordHead is the length of a TLS record's header: type, version and length (RFC 8446 section 5.1).
const recordHead = 5

// framing follows the TLS records of a stream, so that a read can end where one of them does. The kernel
// stamps a read by the last packet it took bytes from: a read of one record is stamped by that record's
// packets alone, one of its header by the packet the record begins in. The zero framing is a stream in
// cleartext.
type framing struct {
	on   bool
	head [recordHead]byte
	have int // bytes of head
	left int // bytes of the record under way
}

// atStart reports whether the next byte begins a record.
func (f *framing) atStart() bool { return f.on && f.have == 0 && f.left == 0 }

// room is how many bytes are left of the header or of the content under way.
func (f *framing) room() int {
	if f.left > 0 {
		return f.left
	}
	return recordHead - f.have
}

// take passes over bytes that came in.
func (f *framing) take(b []byte) {
	for f.on && len(b) > 0 {
		n := min(f.room(), len(b))
		if f.left > 0 {
			f.left -= n
		} else {
			f.header(b[:n])
		}
		b = b[n:]
	}
}

// header collects a part of a header.
func (f *framing) header(b []byte) {
	copy(f.head[f.have:], b)
	if f.have += len(b); f.have == recordHead {
		f.have, f.left = 0, int(binary.BigEndian.Uint16(f.head[3:]))
	}
}
