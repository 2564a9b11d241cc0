package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"unicode/utf16"
)

// JSON writes d.JSON as one indented object and a line end. Characters that would act on a terminal
// are written as \u escapes, so the value is exact and the text is safe to look at. An error is the
// writer's or that of a value that cannot be JSON.
func JSON(w io.Writer, d Document) error {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(d.JSON); err != nil {
		return fmt.Errorf("write json report: %w", err)
	}
	_, err := w.Write(escapeJSON(buf.Bytes()))
	return err
}

// escapeJSON replaces hidden characters, which occur in strings only. Line ends are the encoder's.
func escapeJSON(text []byte) []byte {
	var out bytes.Buffer
	for _, r := range string(text) {
		if r == '\n' || !hidden(r) {
			out.WriteRune(r)
			continue
		}
		for _, unit := range utf16.Encode([]rune{r}) {
			fmt.Fprintf(&out, `\u%04x`, unit)
		}
	}
	return out.Bytes()
}
