package ledger

import (
	"github.com/coldsplit/coldsplit/pkg/segment"
	"github.com/coldsplit/coldsplit/pkg/stats"
)

// blame is the row that carries more than half of what a rule speaks of: of what its key rose by, or,
// for a limit on after alone, of what its key took there. A rule on a single row needs none, and a
// percentile that has no ledger of its own has none to give.
func (c *Comparison) blame(r Rule, change stats.Change) *Entry {
	entries, ok := c.entriesAt(r.Percentile)
	if !ok {
		return nil
	}
	carries := func(e *Entry) int64 { return e.Change }
	if r.Kind == Level {
		carries = func(e *Entry) int64 { return e.After }
	}
	var most *Entry
	for i := range entries {
		e := &entries[i]
		if e.Key != r.Key && within(e.Key, r.Key) && (most == nil || carries(e) > carries(most)) {
			most = e
		}
	}
	of := change.Delta
	if r.Kind == Level {
		of = change.After.Value
	}
	if most == nil || of <= 0 || 2*carries(most) <= of {
		return nil
	}
	return most
}

// entriesAt is the ledger at a percentile.
func (c *Comparison) entriesAt(p stats.Percentile) ([]Entry, bool) {
	switch p {
	case stats.P50:
		return c.Entries, true
	case stats.P90:
		return c.P90, c.P90 != nil
	}
	return nil, false
}

func within(k, key segment.Key) bool {
	switch key {
	case segment.Total:
		return true
	case segment.TTFB:
		return !isOrUnder(k, segment.Transfer)
	case segment.FirstText:
		return k != segment.TransferText
	case segment.Setup:
		return inSetup(k)
	}
	return isOrUnder(k, key)
}

func isOrUnder(k, key segment.Key) bool {
	for ok := true; ok; k, ok = k.Parent() {
		if k == key {
			return true
		}
	}
	return false
}

func inSetup(k segment.Key) bool {
	for _, s := range setupKeys {
		if k == s {
			return true
		}
	}
	return false
}
