package servertiming

import "strings"

// Parse reads the field lines of one response, each alone. It accepts any
// bytes, returns what can be read and warns about the rest; the time it takes
// is linear in the input, the memory bounded by the Max constants.
//
// It follows the grammar and the prose (w3c/server-timing issue 51: junk after
// a name or a value is skipped up to the next parameter or metric), not the
// draft's algorithm, which keeps junk as part of names and descriptions.
func Parse(lines ...string) Field {
	var f Field
	f.makeRoom(lines)
	for i, text := range lines {
		if i == MaxLines {
			f.warn(Warning{Kind: LinesCut, Line: i})
			break
		}
		if !f.parseLine(i, text) {
			break
		}
	}
	return f
}

// makeRoom makes room for about as many metrics as most lines hold.
func (f *Field) makeRoom(lines []string) {
	const most = 16
	n := 0
	for i := 0; i < len(lines) && n < most; i++ {
		n += 1 + strings.Count(lines[i][:min(len(lines[i]), MaxLine)], ",")
	}
	f.Metrics = make([]Metric, 0, min(n, most))
}

// parseLine reports whether there is room for more metrics.
func (f *Field) parseLine(line int, text string) bool {
	r := reader{field: f, line: line, text: text}
	if len(text) > MaxLine {
		r.text, r.cut = text[:MaxLine], true
		f.warn(Warning{Kind: LineCut, Line: line})
	}
	for r.pos < len(r.text) {
		m, ok := r.metric()
		unfinished := r.cut && r.pos >= len(r.text)
		if !ok || unfinished {
			continue
		}
		if len(f.Metrics) == MaxMetrics {
			f.warn(Warning{Kind: MetricsCut, Line: line})
			return false
		}
		f.Metrics = append(f.Metrics, m)
	}
	return true
}

func (f *Field) warn(w Warning) {
	switch {
	case len(f.Warnings) < MaxWarnings:
		w.Metric, w.Param, w.Text = clip(w.Metric), clip(w.Param), clip(w.Text)
		f.Warnings = append(f.Warnings, w)
	case len(f.Warnings) == MaxWarnings:
		f.Warnings = append(f.Warnings, Warning{Kind: WarningsCut, Line: w.Line})
	}
}

func clip(s string) string {
	return s[:min(len(s), maxQuote)]
}

// metric reads one list element and the comma after it. An element without a
// name is skipped whole; an empty one is allowed (RFC 9110 section 5.6.1).
func (r *reader) metric() (Metric, bool) {
	r.blanks()
	name := r.token()
	if name == "" {
		r.namelessElement()
		return Metric{}, false
	}
	m := Metric{Name: name, Line: r.line}
	r.afterName(name)
	seen := paramsSeen{}
	for r.take(';') {
		r.param(&m, &seen)
	}
	r.take(',')
	return m, true
}

func (r *reader) namelessElement() {
	start := r.pos
	for r.pos < len(r.text) && r.text[r.pos] != ',' {
		r.step()
	}
	skipped := strings.Trim(r.text[start:r.pos], " \t;")
	if skipped != "" {
		r.warn(Warning{Kind: Junk, Text: skipped})
	}
	r.take(',')
}

// afterName skips what stands between a name and its parameters. "=" there is
// the syntax of 2016 and 2017 ("db=150"), which said a value, not a parameter.
func (r *reader) afterName(name string) {
	kind := Junk
	if r.peek() == '=' {
		kind = DeprecatedSyntax
	}
	if junk := r.junk(); junk != "" {
		r.warn(Warning{Kind: kind, Metric: name, Text: junk})
	}
}

type paramsSeen struct{ dur, desc bool }

// param reads one parameter after its semicolon. The first dur and the first
// desc count even when they are incomplete or invalid.
func (r *reader) param(m *Metric, seen *paramsSeen) {
	r.blanks()
	name := r.token()
	if name == "" {
		if junk := r.junk(); junk != "" {
			r.warn(Warning{Kind: Junk, Metric: m.Name, Text: junk})
		}
		return
	}
	v := r.value()
	if junk := r.junk(); junk != "" {
		r.warn(Warning{Kind: Junk, Metric: m.Name, Param: name, Text: junk})
	}
	switch {
	case strings.EqualFold(name, "dur"):
		r.setDur(m, name, v, &seen.dur)
	case strings.EqualFold(name, "desc"):
		r.setDesc(m, name, v, &seen.desc)
	default:
		r.warn(Warning{Kind: UnrecognizedParameter, Metric: m.Name, Param: name, Text: v.text})
	}
}

func (r *reader) setDur(m *Metric, name string, v value, seen *bool) {
	if r.duplicate(m, name, v, seen) {
		return
	}
	number, rest, ok := ParseNumber(v.text)
	m.Dur = Dur{Text: v.text}
	switch {
	case v.text == "":
		m.Dur.State = DurEmpty
		r.warn(Warning{Kind: NoValue, Metric: m.Name, Param: name})
	case !ok:
		m.Dur.State = DurInvalid
		r.warn(Warning{Kind: UnparsableDuration, Metric: m.Name, Param: name, Text: v.text})
	default:
		m.Dur.State, m.Dur.Number = DurValue, number
		if strings.Trim(rest, " \t") != "" {
			r.warn(Warning{Kind: TrailingUnit, Metric: m.Name, Param: name, Text: rest})
		}
	}
}

func (r *reader) setDesc(m *Metric, name string, v value, seen *bool) {
	if r.duplicate(m, name, v, seen) {
		return
	}
	m.Desc, m.Described = v.text, true
	if !v.given {
		r.warn(Warning{Kind: NoValue, Metric: m.Name, Param: name})
	}
}

func (r *reader) duplicate(m *Metric, name string, v value, seen *bool) bool {
	if *seen {
		r.warn(Warning{Kind: DuplicateParameter, Metric: m.Name, Param: name, Text: v.text})
		return true
	}
	*seen = true
	return false
}
