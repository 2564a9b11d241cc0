package record

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"
)

// Lines cuts a run file into lines, unpacking zstd when the stream starts with its magic number
// (RFC 8878 section 3.1.1). It knows nothing of what a line says.
type Lines struct {
	r    *bufio.Reader
	zstd *zstd.Decoder
	long []byte
	n    int

	file   *bufio.Reader // what is not unpacked yet; r itself where nothing is packed
	source *counting
}

// counting counts the bytes that were read.
type counting struct {
	r io.Reader
	n int64
}

func (c *counting) Read(b []byte) (int, error) {
	n, err := c.r.Read(b)
	c.n += int64(n)
	return n, err
}

const (
	readBytes = 256 << 10
	// longestLine holds a full set of headers, every byte of it escaped, many times over.
	longestLine = 16 << 20
	// widestWindow bounds the memory a hostile zstd frame can ask for.
	widestWindow = 64 << 20
)

// NewLines returns the lines of r. Close must be called when r may be compressed.
func NewLines(r io.Reader) (*Lines, error) {
	source := &counting{r: r}
	br := bufio.NewReaderSize(source, readBytes)
	magic, _ := br.Peek(4)
	switch {
	case bytes.HasPrefix(magic, []byte{0x1f, 0x8b}):
		return nil, errors.New("compressed with gzip; a run file is plain or zstd")
	case !isZstd(magic):
		return &Lines{r: br, file: br, source: source}, nil
	}
	dec, err := zstd.NewReader(br, zstd.WithDecoderMaxWindow(widestWindow), zstd.WithDecoderConcurrency(1))
	if err != nil {
		return nil, fmt.Errorf("open zstd: %w", err)
	}
	return &Lines{r: bufio.NewReaderSize(dec, readBytes), zstd: dec, file: br, source: source}, nil
}

// isZstd knows a frame and a skippable frame, which some tools put first.
func isZstd(magic []byte) bool {
	return bytes.HasPrefix(magic, []byte{0x28, 0xb5, 0x2f, 0xfd}) ||
		len(magic) == 4 && magic[0]&0xf0 == 0x50 && bytes.Equal(magic[1:], []byte{0x2a, 0x4d, 0x18})
}

// Next returns the next line that is not blank, without its line end; it holds until the next call.
// Whole is false for a last line that no line end closes: the file may have been cut off within it.
// The error is io.EOF at the end and io.ErrUnexpectedEOF where a compressed stream was cut off.
func (l *Lines) Next() (line []byte, whole bool, err error) {
	for {
		line, whole, err = l.next()
		if err != nil || len(bytes.TrimSpace(line)) > 0 {
			return line, whole, err
		}
	}
}

// Number is the number of the line last returned, from 1.
func (l *Lines) Number() int { return l.n }

// taken is how many bytes of the file the lines returned so far take, as stored; a little more where
// they are unpacked ahead.
func (l *Lines) taken() int64 { return l.source.n - int64(l.file.Buffered()) }

// Close releases what unpacking holds. It does not close the underlying reader.
func (l *Lines) Close() {
	if l.zstd != nil {
		l.zstd.Close()
	}
}

func (l *Lines) next() ([]byte, bool, error) {
	line, err := l.r.ReadSlice('\n')
	l.n++
	if errors.Is(err, bufio.ErrBufferFull) {
		line, err = l.gather(line)
	}
	switch {
	case err == nil:
		return line[:len(line)-1], true, nil
	case len(line) > 0 && (err == io.EOF || err == io.ErrUnexpectedEOF):
		return line, false, nil
	}
	if l.zstd != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		err = fmt.Errorf("unpack zstd: %w", err)
	}
	return nil, false, err
}

// gather reads on where a line is longer than the buffer.
func (l *Lines) gather(start []byte) ([]byte, error) {
	l.long = append(l.long[:0], start...)
	for {
		more, err := l.r.ReadSlice('\n')
		l.long = append(l.long, more...)
		if len(l.long) > longestLine {
			return nil, fmt.Errorf("line is longer than %d MiB", longestLine>>20)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return l.long, err
		}
	}
}
