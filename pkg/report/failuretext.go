package report

import (
	"slices"
	"strings"
	"time"

	"github.com/coldsplit/coldsplit/pkg/reading"
	"github.com/coldsplit/coldsplit/pkg/record"
	"github.com/coldsplit/coldsplit/pkg/stats"
)

// failureSaid is what a group of failures has in common, in words for a reader: of a timeout how long
// was waited, of a broken connection how it broke. Anything else is told as it was recorded.
func failureSaid(f reading.Failure) string {
	switch f.Class {
	case record.ClassTimeout:
		if waited := p50Spent(f.In); waited > 0 && saysNothing(f.Text) {
			return "given up after " + InWords(waited) + p50Mark(f.N)
		}
	case record.ClassReset, record.ClassBody:
		return brokenText(f.Text)
	}
	return f.Text
}

func p50Mark(n int) string {
	if n > 1 {
		return " (p50)"
	}
	return ""
}

func p50Spent(in []time.Duration) time.Duration {
	values := make([]int64, len(in))
	for i, d := range in {
		values[i] = int64(d)
	}
	return time.Duration(stats.QuantileOf(stats.Sorted(values), stats.P50).Value)
}

// saysNothing reports whether a text is only the runtime's word for a time that was up.
func saysNothing(text string) bool {
	return slices.ContainsFunc([]string{"deadline exceeded", "i/o timeout", "while awaiting headers)"}, func(word string) bool {
		return strings.HasSuffix(text, word)
	})
}

// brokenText tells a connection closed in order from one that was reset; the addresses and the name of
// a system call before it say nothing to a reader.
func brokenText(text string) string {
	for _, ending := range []struct{ is, say string }{
		{"EOF", "the peer closed the connection"},
		{"connection reset by peer", "connection reset by the peer"},
		{"broken pipe", "the peer had closed the connection"},
	} {
		if strings.HasSuffix(text, ending.is) {
			return ending.say
		}
	}
	return text
}
