// Package report turns results into text, Markdown, CSV and JSON.
//
// It knows how a figure is written for people (units, precision, signs, marks, missing limits), how
// a report is laid out, and how to print what strangers sent without letting it act on a terminal, a
// spreadsheet or a web page. Every command builds one [Document]; each format is one function over
// it: [Text], [Markdown], [CSV], [JSON]. [ProbeDocument] builds the document of probe and report.
//
// It refuses to know how a figure came about: percentiles, intervals and the split of a percentile
// arrive finished. It reads no clock, environment, file or terminal; colour and width are options
// handed in. The table library stays behind this package's door.
//
// The rule a caller must hold: text from outside (names, header values, error texts) enters a
// Document through [Clip] or [Clean], for in prose a line end starts a line; a [Probe] takes it as it
// is. Syntax is the renderers' business: they escape everything they print, and Clean leaves alone
// what it has cleaned.
package report
