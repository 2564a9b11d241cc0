package report

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// CSV writes d.Records: one header line, one line a row, LF line ends (RFC 4180 otherwise). Numbers
// are unrounded, without thousands signs or units; an unknown one is an empty field. A text that a
// spreadsheet would take for a formula is given a leading apostrophe. The error is the writer's.
func CSV(w io.Writer, d Document) error {
	out := csv.NewWriter(w)
	if err := out.Write(d.Records.Columns); err != nil {
		return err
	}
	for _, row := range d.Records.Rows {
		fields := make([]string, len(d.Records.Columns))
		for i, v := range row[:min(len(row), len(fields))] {
			fields[i] = csvField(v)
		}
		if err := out.Write(fields); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

func csvField(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return guardFormula(plain(v))
	case int64:
		return strconv.FormatInt(v, 10)
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64)
	}
	return fmt.Sprint(v)
}

// formulaStarts begin a formula in Excel, LibreOffice or Sheets, the full-width forms in Excel with
// a Japanese locale (OWASP, CSV injection).
const formulaStarts = "=+-@\uff1d\uff0b\uff0d\uff20"

func guardFormula(s string) string {
	first := strings.TrimLeft(s, " ")
	if first != "" && strings.ContainsRune(formulaStarts, []rune(first)[0]) {
		return "'" + s
	}
	return s
}
