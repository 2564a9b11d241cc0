package eventstream

import (
	"io"
	"time"
)

// Chunk is bytes as one read of the network brought them.
type Chunk struct {
	Bytes []byte
	At    time.Duration
}

// Replay writes chunks of a content-encoded stream to m, decoded: what the decoder gives out
// before it needs the next chunk was there when the last one arrived, so that is its time. The
// decoder that decode makes must not read ahead of what it needs for its output, which holds for
// compress/gzip and others that are handed no more than one chunk a read. What was decoded before
// an error is in m.
func Replay(m *Meter, chunks []Chunk, decode func(io.Reader) (io.Reader, error)) error {
	source := &playback{chunks: chunks}
	decoded, err := decode(source)
	if err != nil {
		return err
	}
	buf := make([]byte, 32<<10)
	for {
		n, err := decoded.Read(buf)
		m.Write(buf[:n], source.at)
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// playback hands out one chunk a read and remembers whose turn it was.
type playback struct {
	chunks []Chunk
	rest   []byte // of the chunk whose turn it is
	at     time.Duration
}

func (p *playback) Read(buf []byte) (int, error) {
	for len(p.rest) == 0 {
		if len(p.chunks) == 0 {
			return 0, io.EOF
		}
		p.rest, p.at, p.chunks = p.chunks[0].Bytes, p.chunks[0].At, p.chunks[1:]
	}
	n := copy(buf, p.rest)
	p.rest = p.rest[n:]
	return n, nil
}
