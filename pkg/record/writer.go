package record

import (
	"cmp"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"
)

// WriteOptions say how a run file is written. The zero value writes plain JSON Lines, one Write
// call a line.
type WriteOptions struct {
	Compress bool // zstd (RFC 8878); the file's name should end in .jsonl.zst
	Batch    bool // gather lines instead of flushing each: for copies of files, not for a run under way
}

// Writer writes a run file: Run once, then Exchange for each, then End, then Close. Unless batched,
// a line has left for the underlying writer when its method returns, compressed or not, so a file
// that was cut off can be read up to there. After an error every call returns that error. A Writer
// is not safe for concurrent use, and does not close the underlying writer.
type Writer struct {
	w     io.Writer
	zstd  *zstd.Encoder
	batch bool
	line  []byte
	state state
	count Counts
	err   error
}

type state uint8

const (
	wantRun state = iota
	wantExchange
	ended
)

// batchBytes is how much a batched Writer gathers before it writes.
const batchBytes = 256 << 10

// NewWriter returns a Writer to w.
func NewWriter(w io.Writer, opts WriteOptions) (*Writer, error) {
	out := &Writer{w: w, batch: opts.Batch}
	if !opts.Compress {
		return out, nil
	}
	enc, err := zstd.NewWriter(w, zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(1<<20))
	if err != nil {
		return nil, fmt.Errorf("open zstd: %w", err)
	}
	out.w, out.zstd = enc, enc
	return out, nil
}

// Run writes the first line. It fails when r.Plan is not one JSON value.
func (w *Writer) Run(r Run) error {
	if err := w.expect(wantRun, "run"); err != nil {
		return err
	}
	line, err := AppendRun(w.line, &r)
	if err != nil {
		return err
	}
	w.state = wantExchange
	return w.flush(append(line, '\n'))
}

// Exchange writes one exchange. One that breaks [Exchange.Check] is refused and leaves the file as
// it was; the Writer stays usable.
func (w *Writer) Exchange(x *Exchange) error { return w.Exchanges([]*Exchange{x}) }

// Exchanges writes several exchanges with one Write call. At one that [Writer.Exchange] refuses it stops;
// those before it are written.
func (w *Writer) Exchanges(xs []*Exchange) error {
	if err := w.expect(wantExchange, "exchange"); err != nil {
		return err
	}
	lines, refused := w.line, error(nil)
	for _, x := range xs {
		if lines, refused = AppendExchange(lines, x); refused != nil {
			break
		}
		lines = append(lines, '\n')
		w.count.record(x)
	}
	return cmp.Or(w.flush(lines), refused)
}

// Counts are the exchanges written so far by outcome; Asked and NotSent stay 0, since only who asked
// knows. An End whose counts differ makes readers warn.
func (w *Writer) Counts() Counts { return w.count }

// End writes the last line.
func (w *Writer) End(e End) error {
	if err := w.expect(wantExchange, "end"); err != nil {
		return err
	}
	w.state = ended
	return w.flush(append(AppendEnd(w.line, &e), '\n'))
}

// Close writes what is still gathered and ends the compressed stream. A run file without an end
// line may be closed as well; its readers will warn.
func (w *Writer) Close() error {
	if w.err == nil && len(w.line) > 0 {
		w.send()
	}
	if w.zstd == nil {
		return w.err
	}
	if err := w.zstd.Close(); w.err == nil {
		w.err = err
	}
	return w.err
}

func (w *Writer) expect(s state, what string) error {
	if w.err != nil {
		return w.err
	}
	if w.state != s {
		panic("record: a run file is one Run, any number of Exchange, one End; " + what + " came out of turn")
	}
	return nil
}

// flush takes over lines, which begin with those gathered so far.
func (w *Writer) flush(lines []byte) error {
	w.line = lines
	if len(lines) == 0 || w.batch && len(w.line) < batchBytes {
		return nil
	}
	w.send()
	if w.err == nil && w.zstd != nil && !w.batch {
		w.err = w.zstd.Flush()
	}
	return w.err
}

func (w *Writer) send() {
	_, w.err = w.w.Write(w.line)
	w.line = w.line[:0]
}
