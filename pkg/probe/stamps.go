package probe

import "time"

// WriteStamper is what a connection may offer besides net.Conn: when written bytes left this machine,
// by the network's own clock.
type WriteStamper interface {
	// WriteStamped writes as Write does and asks for the stamp of the last byte's departure. It is meant
	// for requests of a few packets: on long uploads the stamps' bookkeeping stands in the data's way.
	WriteStamped(b []byte) (int, error)
	// Departed is when the nth byte written on the connection, counted from 1, left. It is false
	// when it is not the last byte of a write whose stamp was asked for, and while it has not left.
	Departed(n int64) (time.Time, bool)
}

// Read reads with the kernel's stamp of the arrival, where it gives one.
func (c *systemConn) Read(b []byte) (int, error) {
	if c.stamps == nil {
		return c.Conn.Read(b)
	}
	return c.stamps.read(b)
}

// LastRead implements [ReadStamper]; it is zero when the kernel gave no stamp. Where one Read took in
// several packets it is the last one's arrival.
func (c *systemConn) LastRead() time.Time {
	if c.stamps == nil {
		return time.Time{}
	}
	return c.stamps.last
}

// Write writes without a stamp.
func (c *systemConn) Write(b []byte) (int, error) {
	if c.stamps != nil {
		c.stamps.clear()
	}
	return c.Conn.Write(b)
}

// WriteStamped implements [WriteStamper].
func (c *systemConn) WriteStamped(b []byte) (int, error) {
	if c.stamps == nil {
		return c.Conn.Write(b)
	}
	return c.stamps.write(b)
}

// Departed implements [WriteStamper].
func (c *systemConn) Departed(n int64) (time.Time, bool) {
	if c.stamps == nil {
		return time.Time{}, false
	}
	at := c.stamps.departed(uint32(n - 1))
	return at, !at.IsZero()
}

// handshakeRTT is the kernel's own round trip of the handshake; false when the SYN was sent again, after
// which the sample is coarse and speaks of another SYN than the first.
func (c *systemConn) handshakeRTT() (time.Duration, bool) {
	return c.connect, c.connect > 0 && !c.resent
}
