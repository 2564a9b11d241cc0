package probe

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"strings"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"
)

// decode undoes the content codings of a body (RFC 9110 section 8.4), last applied first, at most
// limit bytes; capped says the limit cut it. A coding nobody asked for is left as it is.
func decode(body []byte, coding string, limit int64) (out []byte, capped bool, err error) {
	if len(body) == 0 {
		return nil, false, nil
	}
	r, err := streamDecoder(coding, bytes.NewReader(body))
	if err == nil {
		out, capped, err = readAtMost(r, limit)
	}
	if err != nil {
		return nil, false, fmt.Errorf("decode %s content: %w", coding, err)
	}
	return out, capped, nil
}

// streamDecoder chains a reader for each coding, without reading ahead of what its output needs.
func streamDecoder(coding string, r io.Reader) (io.Reader, error) {
	names := strings.Split(coding, ",")
	for i := len(names) - 1; i >= 0; i-- {
		var err error
		if r, err = decoder(strings.ToLower(strings.TrimSpace(names[i])), r); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// decoder returns r itself for identity and for codings it does not know.
func decoder(name string, r io.Reader) (io.Reader, error) {
	switch name {
	case "gzip", "x-gzip":
		return gzip.NewReader(r)
	case "br":
		return brotli.NewReader(r), nil
	case "zstd":
		// One goroutine and low memory: synchronous decoding, which leaves nothing behind.
		return zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true))
	}
	return r, nil
}

func readAtMost(r io.Reader, limit int64) ([]byte, bool, error) {
	out, err := io.ReadAll(io.LimitReader(r, limit+1))
	if int64(len(out)) > limit {
		return out[:limit], true, nil
	}
	return out, false, err
}

// sha256Hex is the lower-case hex digest of content.
func sha256Hex(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}
