package record

import (
	"errors"
	"fmt"
	"io"
)

// ReadOptions say how a run file is read. The zero value reads everything.
type ReadOptions struct {
	Name string // of the file, for errors: "before.jsonl:17: ..."; "" reads as "run file"
	Skip Parts  // what Next leaves absent
	Size int64  // of the file in bytes as it is stored, 0 when not known; see [Reader.Expected]
}

// Reader reads a run file in one pass: the run when it is made, then each exchange. Lines of a type
// a later version added are passed over. It is not safe for concurrent use.
type Reader struct {
	opts     ReadOptions
	lines    *Lines
	number   int   // of the line under way
	taken    int64 // bytes of the file up to the line upTo
	upTo     int
	dec      Decoder
	run      *Run
	routes   map[string]*seen
	last     *seen // of the route met last
	end      *End
	counted  Counts
	warnings []string
	doubts   []string
	done     bool
	err      error
}

// NewReader reads the run line of r. It fails when r is empty, is no run file, or declares another
// major version. Close must be called when r may be compressed.
func NewReader(r io.Reader, opts ReadOptions) (*Reader, error) {
	if opts.Name == "" {
		opts.Name = "run file"
	}
	lines, err := NewLines(r)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", opts.Name, err)
	}
	out := &Reader{opts: opts, lines: lines, dec: Decoder{Skip: opts.Skip}}
	if err := out.readRun(); err != nil {
		lines.Close()
		return nil, err
	}
	return out, nil
}

func (r *Reader) readRun() error {
	line, _, err := r.lines.Next()
	r.number = r.lines.Number()
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return fmt.Errorf("%s: empty, want a run line", r.opts.Name)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", r.opts.Name, err)
	}
	kind, err := r.dec.Kind(line)
	switch {
	case err != nil:
		return r.at(fmt.Errorf("not a run file: %w", err))
	case kind != "run":
		return r.at(fmt.Errorf("want a run line first, got %q", kind))
	}
	if r.run, err = r.dec.Run(line); err != nil {
		return r.at(err)
	}
	r.routes = make(map[string]*seen, len(r.run.Routes))
	for _, route := range r.run.Routes {
		r.routes[route.Name] = &seen{route: route}
	}
	return nil
}

func (r *Reader) at(err error) error {
	return fmt.Errorf("%s:%d: %w", r.opts.Name, r.number, err)
}

// Run is the file's first line.
func (r *Reader) Run() *Run { return r.run }

// Next reads the next exchange into x, overwriting all of it, and returns io.EOF after the last.
// Filling the same x again reuses its memory (see [Decoder.Exchange]); another x has its own. A line
// that is corrupt, breaks the tiling law, names a route the run does not have or contradicts the state or
// protocol of its route is an error with file and line, returned again by every further call.
func (r *Reader) Next(x *Exchange) error {
	for r.err == nil {
		var got bool
		if got, r.err = r.step(x); got && r.err == nil {
			return nil
		}
	}
	return r.err
}

// errLeft is the error of a Reader whose caller left [Reader.All] early.
var errLeft = errors.New("reading was left early")

// line is one line of a run file, decoded without knowing what stands before it.
type line struct {
	text   []byte
	number int
	whole  bool   // a line end closes it
	end    error  // instead of a line: io.EOF, io.ErrUnexpectedEOF or what reading failed with
	kind   string // "" when err is that the line has none
	err    error  // of the kind or of the exchange
}

// holds reports whether l is an exchange by itself; what came before may still forbid it.
func (l *line) holds() bool { return l.end == nil && l.kind == "exchange" && l.err == nil }

// read tells what kind of line l is, and decodes an exchange into x.
func (d *Decoder) read(l *line, x *Exchange) {
	if l.end != nil {
		return
	}
	switch l.kind, l.err = d.Kind(l.text); {
	case l.kind != "exchange":
	case d.untouched:
		l.err = d.next(l.text, x)
	default:
		l.err = d.Exchange(l.text, x)
	}
}

// step reads one line; got tells that it was an exchange.
func (r *Reader) step(x *Exchange) (got bool, err error) {
	l := line{}
	l.text, l.whole, l.end = r.lines.Next()
	l.number = r.lines.Number()
	r.taken, r.upTo = r.lines.taken(), l.number
	r.dec.read(&l, x)
	return r.accept(&l, x)
}

// accept holds a decoded line against what came before it; got tells that it was an exchange.
func (r *Reader) accept(l *line, x *Exchange) (got bool, err error) {
	r.number = l.number
	if l.end != nil {
		return false, r.stop(l.end)
	}
	got, err = r.take(l, x)
	if err != nil && !l.whole && r.end == nil && r.dec.Check(l.text) != nil {
		return false, r.stop(io.ErrUnexpectedEOF)
	}
	if err != nil {
		return false, r.at(err)
	}
	return got, nil
}

func (r *Reader) take(l *line, x *Exchange) (got bool, err error) {
	switch {
	case l.kind == "":
		return false, l.err
	case r.end != nil:
		return false, fmt.Errorf("%q line after the end line", l.kind)
	}
	switch l.kind {
	case "exchange":
		return true, r.exchange(l, x)
	case "end":
		r.end, err = r.dec.End(l.text)
		return false, err
	case "run":
		return false, errors.New("second run line; a file holds one run")
	}
	return false, r.dec.Check(l.text)
}

func (r *Reader) exchange(l *line, x *Exchange) error {
	if l.err != nil {
		return l.err
	}
	if r.last == nil || x.Route != r.last.route.Name {
		if r.last = r.routes[x.Route]; r.last == nil {
			return fmt.Errorf("unknown route %q", x.Route)
		}
	}
	if err := r.last.take(x); err != nil {
		return err
	}
	r.counted.record(x)
	return nil
}

// stop turns the end of the lines into io.EOF, with a warning where more was to come.
func (r *Reader) stop(err error) error {
	if err != io.EOF && err != io.ErrUnexpectedEOF {
		return fmt.Errorf("%s: line %d: %w", r.opts.Name, r.number, err)
	}
	if !r.done {
		r.done = true
		r.warn(err)
	}
	return io.EOF
}

func (r *Reader) warn(err error) {
	n := r.counted.Done()
	switch {
	case r.end == nil && err == io.ErrUnexpectedEOF:
		r.warnings = append(r.warnings, fmt.Sprintf("%s is cut off within line %d; %d exchanges were read", r.opts.Name, r.number, n))
	case r.end == nil:
		r.warnings = append(r.warnings, fmt.Sprintf("%s has no end line, so the run was cut off; %d exchanges were read", r.opts.Name, n))
	}
	r.doubt()
	r.warnings = append(r.warnings, r.doubts...)
}

// End returns the last line, and false when Next has not reached it: the file was cut off, or is
// not read to its end.
func (r *Reader) End() (End, bool) {
	if r.end == nil {
		return End{}, false
	}
	return *r.end, true
}

// Counts are the exchanges read so far by outcome; Asked and NotSent stay 0. For a file that was
// cut off they are all there is.
func (r *Reader) Counts() Counts { return r.counted }

// Expected is about how many lines there are in a file of which so many were read, by the bytes that
// those take; 0 where [ReadOptions] do not tell its size.
func (r *Reader) Expected() int {
	if r.taken <= 0 {
		return 0
	}
	return int(float64(r.upTo) * float64(r.opts.Size) / float64(r.taken))
}

// Warnings are sentences about the file as a whole, the [Reader.Doubts] among them, complete once Next has returned io.EOF.
func (r *Reader) Warnings() []string { return r.warnings }

// Close releases what unpacking holds. It does not close the underlying reader.
func (r *Reader) Close() { r.lines.Close() }
