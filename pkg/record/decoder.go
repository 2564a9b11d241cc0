package record

import (
	"bytes"

	"github.com/coldsplit/coldsplit/pkg/segment"
)

// usual is how the lines start that make up a run file; the comma rules a longer word out.
var usual = []byte(`{"type":"exchange",`)

// Parts is a set of the parts of an exchange a reader may pass over. What is passed over is checked
// to be JSON and left absent.
type Parts uint16

// The parts that can be passed over.
const (
	PartDNS       Parts = 1 << iota
	PartAttempts        // the connection attempts
	PartTLS             // tls and proxy_tls
	PartTransport       // tcp and quic
	PartInterim         // 1xx responses
	PartStream          // what an event stream delivered
	PartHeaders         // headers and trailers
	PartNotes           // notes
	PartBody            // body_sha256 and title

	// PartAll leaves times, outcome, bytes, stage, instance, template, throttle and error.
	PartAll = PartDNS | PartAttempts | PartTLS | PartTransport | PartInterim | PartStream |
		PartHeaders | PartNotes | PartBody
)

// Decoder decodes the lines of run files one at a time. It knows nothing of files, so that several
// can share the lines of one: one Decoder a goroutine. The zero Decoder passes over nothing. Errors
// say what is wrong with the line, not where it stands.
type Decoder struct {
	Skip Parts

	s      scanner
	intern interner
	clock  minutes

	strings  uint // read of the line so far
	recent   [32]string
	nextLeaf segment.Key // the first that may follow in segments

	x     *Exchange // under way
	mem   *memory
	owner *Exchange // whose memory mem is

	patterns patterns
	noted    noted

	untouched bool // nobody else changes the exchanges given to it
	sawTotal  bool
	sawWhere  bool // the error's segment
}

// Kind returns the line's type: "run", "exchange", "end", or a word of a later version. It reads as
// far as it must; for the lines a Writer writes, that is the first key.
func (d *Decoder) Kind(line []byte) (string, error) {
	if bytes.HasPrefix(line, usual) {
		return "exchange", nil
	}
	kind, found := "", false
	d.s.reset(line)
	if d.s.peek() != '{' {
		d.s.want("a JSON object")
	}
	d.s.object(func(key []byte) {
		if found || string(key) != "type" {
			d.s.skip()
			return
		}
		kind, found = d.str(), true
		d.s.i = len(d.s.b)
	})
	if found && kind != "" {
		return kind, nil
	}
	if d.s.want(`a "type"`); d.s.err != nil {
		return "", d.s.err
	}
	return "", nil
}

// Check returns an error when line is not one JSON object.
func (d *Decoder) Check(line []byte) error {
	d.s.reset(line)
	if d.s.peek() != '{' {
		d.s.want("a JSON object")
	}
	d.s.skip()
	d.s.finish()
	return d.s.err
}

// str reads a string. Lines are alike: the n-th string of one is most often that of the line before,
// and then comparing is all it takes.
func (d *Decoder) str() string {
	b := d.s.str()
	d.strings++
	recent := &d.recent[d.strings%uint(len(d.recent))]
	if *recent != string(b) {
		*recent = d.intern.of(b)
	}
	return *recent
}

// strs reads an array of strings into the memory of into; none is nil.
func (d *Decoder) strs(into []string) []string {
	into = into[:0]
	d.s.array(func() { into = append(into, d.str()) })
	if len(into) == 0 {
		return nil
	}
	return into
}
