package record

import (
	"bytes"
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
	_, err = w.flush(append(line, '\n'))
	return err
}

// Exchange writes one exchange. One that breaks [Exchange.Check] is refused and leaves the file as
// it was; the Writer stays usable.
func (w *Writer) Exchange(x *Exchange) error {
	_, err := w.Exchanges([]*Exchange{x})
	return err
}

// Exchanges writes several exchanges with one Write call and tells how many of them, from the first on,
// were taken: fewer than all when one is refused, which the next can follow, or when the underlying writer
// fails in the middle of them.
func (w *Writer) Exchanges(xs []*Exchange) (taken int, err error) {
	if err := w.expect(wantExchange, "exchange"); err != nil {
		return 0, err
	}
	lines, refused := w.line, error(nil)
	for ; taken < len(xs); taken++ {
		if lines, refused = AppendExchange(lines, xs[taken]); refused != nil {
			break
		}
		lines = append(lines, '\n')
		w.count.record(xs[taken])
	}
	if left, err := w.flush(lines); err != nil {
		return min(left, taken), err
	}
	return taken, refused
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
	_, err := w.flush(append(AppendEnd(w.line, &e), '\n'))
	return err
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

// flush takes over lines, which begin with those gathered so far. When it fails it tells how many of them
// had left whole; compressed ones never have.
func (w *Writer) flush(lines []byte) (left int, err error) {
	w.line = lines
	if len(lines) == 0 || w.batch && len(w.line) < batchBytes {
		return 0, nil
	}
	left = w.send()
	if w.err == nil && w.zstd != nil && !w.batch {
		w.err = w.zstd.Flush()
	}
	return left, w.err
}

func (w *Writer) send() (left int) {
	n, err := w.w.Write(w.line)
	if w.zstd == nil {
		left = bytes.Count(w.line[:n], []byte{'\n'})
	}
	w.line, w.err = w.line[:0], err
	return left
}
