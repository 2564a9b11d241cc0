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
	out = body
	names := strings.Split(coding, ",")
	for i := len(names) - 1; i >= 0; i-- {
		name := strings.ToLower(strings.TrimSpace(names[i]))
		r, err := decoder(name, out)
		if err != nil {
			return nil, false, err
		}
		if r == nil {
			continue
		}
		out, capped, err = readAtMost(r, limit)
		r.Close()
		if err != nil {
			return nil, false, fmt.Errorf("decode %s content: %w", name, err)
		}
	}
	return out, capped, nil
}

// decoder returns nil for identity and for codings it does not know.
func decoder(name string, body []byte) (io.ReadCloser, error) {
	if len(body) == 0 {
		return nil, nil
	}
	switch name {
	case "gzip", "x-gzip":
		r, err := gzip.NewReader(bytes.NewReader(body))
		if err != nil {
			return nil, fmt.Errorf("decode gzip content: %w", err)
		}
		return r, nil
	case "br":
		return io.NopCloser(brotli.NewReader(bytes.NewReader(body))), nil
	case "zstd":
		r, err := zstd.NewReader(bytes.NewReader(body), zstd.WithDecoderConcurrency(1))
		if err != nil {
			return nil, fmt.Errorf("decode zstd content: %w", err)
		}
		return r.IOReadCloser(), nil
	}
	return nil, nil
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
