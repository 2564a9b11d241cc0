package probe

import (
	"time"
)

// quicEnd is our end of a QUIC connection.
type quicEnd struct{}

func (q *quicEnd) finSent(request int) (time.Time, bool) { return time.Time{}, false }

func quicReset(error) bool { return false }
