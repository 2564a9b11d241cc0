package report

import (
	"slices"
	"time"

	"github.com/coldsplit/coldsplit/pkg/segment"
)

// figures are an arm's figures by key.
type figures map[segment.Key]Figure

func figuresOf(a Arm) figures {
	fs := figures{}
	for _, f := range a.Figures {
		fs[f.Key] = f
	}
	return fs
}

// keys are those present, in the order of tables.
func (fs figures) keys() []segment.Key {
	var keys []segment.Key
	for _, k := range segment.TableOrder() {
		if _, ok := fs[k]; ok {
			keys = append(keys, k)
		}
	}
	return keys
}

// rows are the keys a table shows. A part of upstream without an upstream is none: indented below another
// row it would be read as part of that, and it is counted in unattributed.
func (fs figures) rows() []segment.Key {
	return slices.DeleteFunc(fs.keys(), func(k segment.Key) bool {
		parent, part := k.Parent()
		return part && parent == segment.WaitUpstream && !fs.has(parent)
	})
}

// bent reports whether adding up took a cell of the column outside of what its row shows beside it.
func (fs figures) bent(c cells, s Scale) bool {
	for _, k := range fs.rows() {
		f := fs[k]
		fastest, slowest, own := s.units(durationOf(f.P10.Value)), s.units(durationOf(f.P99.Value)), s.units(f.AtP50)
		outside := c[k] < fastest && own >= fastest || c[k] > slowest && own <= slowest
		if f.HasAtP50 && f.P10.N > 0 && outside {
			return true
		}
	}
	return false
}

// leaves are the measured keys that tile the total.
func (fs figures) leaves() []segment.Key {
	var keys []segment.Key
	for _, k := range fs.keys() {
		if k.Measured() {
			keys = append(keys, k)
		}
	}
	return keys
}

func (fs figures) children(parent segment.Key) []segment.Key {
	var keys []segment.Key
	for _, k := range fs.keys() {
		if p, ok := k.Parent(); ok && p == parent {
			keys = append(keys, k)
		}
	}
	return keys
}

func (fs figures) has(k segment.Key) bool {
	_, ok := fs[k]
	return ok
}

// cells are figures at the p50 in units of a scale, rounded so that the column adds up on screen: rows
// at the margin to total, indented rows to the row they are part of.
type cells map[segment.Key]int64

func (fs figures) atP50(s Scale) cells {
	c := cells{}
	total, ok := fs[segment.Total]
	if !ok || !total.HasAtP50 {
		return c
	}
	c[segment.Total] = s.units(total.AtP50)
	fs.share(c, s, segment.Total, fs.leaves())
	for _, parent := range []segment.Key{segment.Wait, segment.WaitUpstream, segment.Transfer} {
		if fs.has(parent) {
			fs.share(c, s, parent, fs.children(parent))
		}
	}
	fs.derive(c)
	return c
}

// share rounds the parts of whole. Parts that are not all there, or are not all of it, are rounded
// each by itself: pretending that they add up would invent time.
func (fs figures) share(c cells, s Scale, whole segment.Key, parts []segment.Key) {
	lengths, sum := make([]time.Duration, 0, len(parts)), time.Duration(0)
	for _, k := range parts {
		if f := fs[k]; f.HasAtP50 {
			lengths, sum = append(lengths, f.AtP50), sum+f.AtP50
			c[k] = s.units(f.AtP50)
		}
	}
	const dust = time.Microsecond // what the split's own rounding may leave
	if len(lengths) < len(parts) || len(parts) == 0 || (sum-fs[whole].AtP50).Abs() > dust {
		return
	}
	for i, units := range s.Round(c[whole], lengths) {
		c[parts[i]] = units
	}
}

// derive computes setup, ttfb and first_text from the rounded cells, for the same reason.
func (fs figures) derive(c cells) {
	sum := int64(0)
	for _, k := range setupParts {
		sum += c[k]
	}
	derived := cells{
		segment.Setup:     sum,
		segment.TTFB:      c[segment.Total] - c[segment.Transfer],
		segment.FirstText: c[segment.Total] - c[segment.Transfer] + c[segment.TransferBeforeText],
	}
	for k, units := range derived {
		if fs.has(k) {
			c[k] = units
		}
	}
}

var setupParts = []segment.Key{segment.Race, segment.TCP, segment.Proxy, segment.TLS, segment.QUIC}

// text is the cell of k, "-" when there was none.
func (c cells) text(s Scale, k segment.Key) string {
	units, ok := c[k]
	if !ok {
		return "-"
	}
	return s.text(units)
}
