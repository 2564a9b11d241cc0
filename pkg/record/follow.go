package record

import "bytes"

// pattern is what lines of a run have in common: all but a few values. An exchange that was decoded from
// one such line holds what they have in common, so that of the next one only those values are read. A
// pattern is not changed once it is made: exchanges share it.
type pattern struct {
	text   []byte      // of the line it was made of
	fields []fieldSpan // of that line, in order
	steps  []step
	tail   []byte // what stands behind the last step
	skip   Parts  // what was passed over
}

// step is one of the values in which lines of a pattern differ.
type step struct {
	before []byte // what stands between it and the step before
	name   []byte
	at     place
}

// fieldSpan is one field of a line, or one value of a header: its key, in quotes and with its colon,
// ends where value begins. A field is left out where its own fields are noted.
type fieldSpan struct {
	key, value, to int
	at             place
	varies         bool // lines of this shape were seen to differ here
}

// place tells where the value of a field goes.
type place struct {
	in    owner
	nth   int // of the owners of one kind, or of the values
	depth int // of the nesting around it
}

// owner is what a field is part of.
type owner uint8

const (
	inExchange owner = iota
	inSegments
	inDNS
	inAttempt
	inTLS
	inTCP
	inQUIC
	inStream
	inBytes
	inFields // headers or trailers
	inHeader
	inTrailer
)

// follow decodes a line of the pattern into an exchange that was decoded from another line of it, and
// reads only the values in which they may differ. It reports false, having spoilt the exchange, for any
// other line and for one with an error: an array that ends earlier looks like one.
func (d *Decoder) follow(line []byte, p *pattern) bool {
	if p == nil || p.skip != d.Skip {
		return false
	}
	s := &d.s
	s.reset(line)
	d.sawTotal, d.nextLeaf = true, 0
	for i := range p.steps {
		step := &p.steps[i]
		if !bytes.HasPrefix(line[s.i:], step.before) {
			return false
		}
		s.i += len(step.before)
		s.depth = step.at.depth
		if !d.again(step) || s.err != nil {
			return false
		}
	}
	return bytes.Equal(line[s.i:], p.tail)
}

// again reads a field into what holds its earlier value; false when it cannot be read by itself.
func (d *Decoder) again(f *step) bool {
	switch m := d.mem; f.at.in {
	case inExchange:
		d.exchangeField(f.name)
	case inSegments:
		return d.segmentAgain(f.name)
	case inDNS:
		d.dnsField(f.name)
	case inAttempt:
		d.attemptField(&m.attempts[f.at.nth], f.name)
	case inTLS:
		d.tlsField(&m.tls[f.at.nth], &m.names[f.at.nth], f.name)
	case inTCP:
		d.tcpField(f.name)
	case inQUIC:
		d.quicField(f.name)
	case inStream:
		d.streamField(f.name)
	case inBytes:
		d.bytesField(f.name)
	case inHeader:
		m.headers.values[f.at.nth] = d.str()
	case inTrailer:
		m.trailers.values[f.at.nth] = d.str()
	default:
		return false
	}
	return true
}

// segmentAgain reads a segment that has a length already and cannot lose it.
func (d *Decoder) segmentAgain(key []byte) bool {
	k, ok := d.leaf(key)
	if !ok || d.s.null() {
		return false
	}
	d.x.Segments.Set(k, d.ns())
	return true
}

// fits reports whether line is one of the pattern, whatever its values are.
func (d *Decoder) fits(line []byte, p *pattern) bool {
	if p.skip != d.Skip {
		return false
	}
	s := &d.s
	s.reset(line)
	for i := range p.steps {
		step := &p.steps[i]
		if !bytes.HasPrefix(line[s.i:], step.before) {
			return false
		}
		s.i += len(step.before)
		if s.skip(); s.err != nil {
			return false
		}
	}
	return bytes.Equal(line[s.i:], p.tail)
}
