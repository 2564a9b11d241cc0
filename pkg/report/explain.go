package report

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/coldsplit/coldsplit/pkg/geo"
	"github.com/coldsplit/coldsplit/pkg/provider"
)

// Explain is what explain tells of one response head. All strings of it are untrusted.
type Explain struct {
	From    string // where the head came from: a URL, "" when it was pasted
	Lines   []provider.Explanation
	Reading provider.Reading
	Others  []string // names of the lines no rule speaks of
}

// ExplainDocument says, line by line, what a response's timing and place headers mean, in which unit,
// and what they do not say; then what a table would use of them.
func ExplainDocument(in Explain) Document {
	d := Document{Title: "What the response says", Sentence: explainSentence(in)}
	if lines := explainEntries(in.Lines); len(lines) > 0 {
		d.Blocks = append(d.Blocks, lines...)
	}
	d.Blocks = append(d.Blocks, usedBlock(in.Reading))
	if w := explainWarnings(in.Reading); len(w) > 0 {
		d.Blocks = append(d.Blocks, List{Title: "doubts", Items: w})
	}
	if len(in.Others) > 0 {
		d.Blocks = append(d.Blocks, Paragraph{"No rule speaks of: " + strings.Join(namesOf(in.Others), ", ") + "."})
	}
	d.Records, d.JSON = explainRecords(in), explainJSON(in, d)
	return d
}

// mostNames is how many names of unknown lines are listed.
const mostNames = 40

func namesOf(names []string) []string {
	var out []string
	for i, n := range names {
		if i == mostNames {
			return append(out, fmt.Sprintf("%d more", len(names)-i))
		}
		out = append(out, Clip(n, clipName))
	}
	return out
}

func explainSentence(in Explain) string {
	known := 0 // that say a time or a place; what only tells software or a cache does not
	for _, x := range in.Lines {
		if len(x.Spans)+len(x.Places) > 0 {
			known++
		}
	}
	from := ""
	if in.From != "" {
		from = " of " + Clip(in.From, clipText)
	}
	if known == 0 {
		return "Nothing in the response" + from + " says where time went or where it was handled."
	}
	verb := "say"
	if known == 1 {
		verb = "says"
	}
	by := ""
	if len(in.Reading.Providers) > 0 {
		by = " (" + AndList(clipAll(in.Reading.Providers)) + ")"
	}
	return fmt.Sprintf("%s of the response%s %s where time went or where it was handled%s.",
		Plural(known, "field or metric", "fields and metrics"), from, verb, by)
}

// mostExplained is how many lines text explains; a response with more is no head to read. JSON and CSV
// hold all.
const mostExplained = 60

func explainEntries(lines []provider.Explanation) []Block {
	var blocks []Block
	for i, x := range lines {
		if i == mostExplained {
			return append(blocks, Paragraph{fmt.Sprintf("%d more; --format json has them all.", len(lines)-i)})
		}
		blocks = append(blocks, Group{
			KeyValue{Entries: []Entry{{nameOfLine(x), []string{Clip(x.Value, clipName)}}}},
			KeyValue{Indent: 2, Width: 10, Entries: explainEntry(x)},
		})
	}
	return blocks
}

func nameOfLine(x provider.Explanation) string {
	name := Clip(x.Header, clipSite*2)
	if x.Metric != "" {
		name += " " + Clip(x.Metric, clipSite*2)
	}
	return name
}

func explainEntry(x provider.Explanation) []Entry {
	var out []Entry
	add := func(key string, lines ...string) {
		if len(lines) > 0 && lines[0] != "" {
			out = append(out, Entry{key, lines})
		}
	}
	if x.Known {
		add("says", Clip(x.Meaning, 2*clipText)+sourceWords(x))
	} else {
		add("says", "unknown: no rule speaks of it")
	}
	add("wait", spanLines(x.Spans)...)
	add("where", explainedPlaces(x.Places)...)
	add("but", Clip(x.Caveat, 2*clipText))
	add("note", clipAll(x.Notes)...)
	return out
}

// sourceWords are the unit, whose rule it is and how well it is founded.
func sourceWords(x provider.Explanation) string {
	var words []string
	switch x.Unit {
	case "", "text", "none":
	default:
		words = append(words, "in "+x.Unit)
	}
	if x.Provider != "" {
		words = append(words, Clip(x.Provider, clipName))
	}
	return " (" + strings.Join(append(words, x.Evidence.String()), ", ") + ")"
}

func spanLines(spans []provider.Span) []string {
	var out []string
	for _, s := range spans {
		out = append(out, spanLine(s))
	}
	return out
}

func spanLine(s provider.Span) string {
	what := s.Role.String()
	switch s.Role {
	case provider.Total, provider.Function:
		what = roleWords[s.Role]
	case provider.Aside:
		what = "a time beside the cut"
	}
	text := what + " " + boundWords(s)
	if s.FromStorage {
		text += ", replayed from a cache: not this request's"
	}
	if s.Doubt != "" {
		text += ", not used: " + Clip(s.Doubt, clipText)
	}
	if s.Behind != "" {
		text += ", as seen behind " + Clip(s.Behind, clipName)
	}
	return text
}

func boundWords(s provider.Span) string {
	switch s.Bound {
	case provider.AtMost:
		return "of at most " + InWords(s.Hi)
	case provider.AtLeast:
		return "of at least " + InWords(s.Lo)
	case provider.Between:
		return "between " + InWords(s.Lo) + " and " + InWords(s.Hi)
	}
	return "of " + InWords(s.Lo)
}

func explainedPlaces(places []provider.Place) []string {
	var out []string
	for _, p := range places {
		text := p.Role.String() + " at " + Clip(p.Code, clipSite)
		if site, ok := geo.Lookup(p.Scheme, p.Code); ok {
			text += ", " + site.Place.String()
		} else {
			text += ", no known place"
		}
		if p.FromStorage {
			text += "; replayed from a cache: may be an earlier request's"
		}
		if p.Behind != "" {
			text += "; as seen behind " + Clip(p.Behind, clipName)
		}
		out = append(out, text)
	}
	return out
}

// usedBlock says what a table would show of the response.
func usedBlock(r provider.Reading) KeyValue {
	b := KeyValue{Width: 24}
	for _, role := range []provider.Role{provider.PreForward, provider.Upstream, provider.UpstreamNetwork, provider.UpstreamOrigin} {
		b.Entries = append(b.Entries, Entry{"wait." + role.String(), []string{usedWords(r, role)}})
	}
	for role := provider.Accepted; role <= provider.State; role++ {
		if at := explainedPlaces(r.PlacesOf(role)); len(at) > 0 {
			for i := range at {
				at[i] = strings.TrimPrefix(at[i], role.String()+" at ")
			}
			b.Entries = append(b.Entries, Entry{role.String(), at})
		} else if role != provider.Tier {
			b.Entries = append(b.Entries, Entry{role.String(), []string{"unknown: nothing reports it"}})
		}
	}
	if text := farApart(r); text != "" {
		b.Entries = append(b.Entries, Entry{"apart", []string{text}})
	}
	return b
}

// farApart says what light needs between where a request was accepted and where it was worked on.
func farApart(r provider.Reading) string {
	accepted, compute := r.PlacesOf(provider.Accepted), r.PlacesOf(provider.Compute)
	if len(accepted) == 0 || len(compute) == 0 {
		return ""
	}
	from, ok := geo.Lookup(accepted[0].Scheme, accepted[0].Code)
	to, known := geo.Lookup(compute[0].Scheme, compute[0].Code)
	km := geo.LeastKM(from.Place, to.Place)
	if !ok || !known || km == 0 {
		return ""
	}
	return fmt.Sprintf("accepted and compute are %s or more apart: the way there and back needs %s in fibre, inside wait",
		kilometresDown(km), InWords(geo.LeastRTTInFibre(km)))
}

func usedWords(r provider.Reading, role provider.Role) string {
	i := r.Best(role)
	if i < 0 {
		return "nothing reports it"
	}
	s := r.Spans[i]
	source := Clip(s.Source, clipName)
	if s.Bound == provider.Exact {
		return InWords(s.Lo) + ", " + source
	}
	return strings.TrimPrefix(boundWords(s), "of ") + ", " + source + "; a bound is no row of a table"
}

func explainWarnings(r provider.Reading) []string {
	var out []string
	for i, w := range r.Warnings {
		if i == mostExplained {
			return append(out, fmt.Sprintf("%d more", len(r.Warnings)-i))
		}
		text := Clip(w.Text, clipText)
		if w.Source != "" {
			text = Clip(w.Source, clipName) + ": " + text
		}
		if !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	return out
}

func explainRecords(in Explain) Records {
	r := Records{Columns: []string{"line", "name", "metric", "value", "known", "provider", "meaning", "unit", "caveat", "evidence",
		"role", "bound", "lo_ns", "hi_ns", "place_role", "place"}}
	for _, x := range in.Lines {
		cells := []any{x.Line + 1, Clip(x.Header, clipText), Clip(x.Metric, clipText), Clip(x.Value, clipText), x.Known, x.Provider,
			Clip(x.Meaning, 2*clipText), x.Unit, Clip(x.Caveat, 2*clipText), nil, nil, nil, nil, nil, nil, nil}
		if x.Known {
			cells[9] = x.Evidence.String()
		}
		if len(x.Spans) > 0 {
			s := x.Spans[0]
			cells[10], cells[11], cells[12], cells[13] = s.Role.String(), s.Bound.String(), int64(s.Lo), upperEnd(s)
		}
		if len(x.Places) > 0 {
			cells[14], cells[15] = x.Places[0].Role.String(), Clip(x.Places[0].Code, clipName)
		}
		r.Rows = append(r.Rows, cells)
	}
	return r
}

// upperEnd is the upper limit of a span, nil when it has none.
func upperEnd(s provider.Span) any {
	if s.Hi == provider.NoLimit {
		return nil
	}
	return int64(s.Hi)
}

// The JSON form of explain, schema coldsplit.explain/1.
type (
	jsonExplain struct {
		Schema   string            `json:"schema"`
		Sentence string            `json:"sentence"`
		From     string            `json:"from,omitempty"`
		Lines    []jsonExplanation `json:"lines"`
		Used     map[string]string `json:"used,omitempty"`
		Doubts   []string          `json:"doubts,omitempty"`
		Unknown  []string          `json:"unknown,omitempty"`
	}
	jsonExplanation struct {
		Line     int             `json:"line"`
		Name     string          `json:"name"`
		Metric   string          `json:"metric,omitempty"`
		Value    string          `json:"value"`
		Known    bool            `json:"known"`
		Provider string          `json:"provider,omitempty"`
		Meaning  string          `json:"meaning,omitempty"`
		Unit     string          `json:"unit,omitempty"`
		Caveat   string          `json:"caveat,omitempty"`
		Evidence string          `json:"evidence,omitempty"`
		Spans    []jsonSpan      `json:"spans,omitempty"`
		Places   []jsonSeenPlace `json:"places,omitempty"`
		Notes    []string        `json:"notes,omitempty"`
	}
	jsonSpan struct {
		Role    string         `json:"role"`
		Bound   string         `json:"bound"`
		Lo      time.Duration  `json:"lo_ns"`
		Hi      *time.Duration `json:"hi_ns,omitempty"`
		Stored  bool           `json:"from_storage,omitempty"`
		Trailer bool           `json:"trailer,omitempty"`
		Doubt   string         `json:"doubt,omitempty"`
	}
	jsonSeenPlace struct {
		Role   string `json:"role"`
		Code   string `json:"code"`
		Name   string `json:"name,omitempty"`
		Stored bool   `json:"from_storage,omitempty"`
	}
)

func explainJSON(in Explain, d Document) jsonExplain {
	out := jsonExplain{Schema: "coldsplit.explain/1", Sentence: plain(d.Sentence), From: Clip(in.From, clipText),
		Lines: []jsonExplanation{}, Doubts: explainWarnings(in.Reading), Unknown: namesOf(in.Others), Used: map[string]string{}}
	for _, role := range []provider.Role{provider.PreForward, provider.Upstream, provider.UpstreamNetwork, provider.UpstreamOrigin} {
		if i := in.Reading.Best(role); i >= 0 {
			out.Used["wait."+role.String()] = Clip(in.Reading.Spans[i].Source, clipName)
		}
	}
	for _, x := range in.Lines {
		out.Lines = append(out.Lines, explanationJSON(x))
	}
	return out
}

func explanationJSON(x provider.Explanation) jsonExplanation {
	out := jsonExplanation{Line: x.Line + 1, Name: Clip(x.Header, clipText), Metric: Clip(x.Metric, clipText), Value: Clip(x.Value, clipText),
		Known: x.Known, Provider: x.Provider, Meaning: Clip(x.Meaning, 2*clipText), Unit: x.Unit, Caveat: Clip(x.Caveat, 2*clipText), Notes: clipAll(x.Notes)}
	if x.Known {
		out.Evidence = x.Evidence.String()
	}
	for _, s := range x.Spans {
		one := jsonSpan{Role: s.Role.String(), Bound: s.Bound.String(), Lo: s.Lo, Stored: s.FromStorage, Trailer: s.Trailer, Doubt: Clip(s.Doubt, clipText)}
		if s.Hi != provider.NoLimit {
			one.Hi = &s.Hi
		}
		out.Spans = append(out.Spans, one)
	}
	for _, p := range x.Places {
		one := jsonSeenPlace{Role: p.Role.String(), Code: Clip(p.Code, clipName), Stored: p.FromStorage}
		if site, ok := geo.Lookup(p.Scheme, p.Code); ok {
			one.Name = site.Place.String()
		}
		out.Places = append(out.Places, one)
	}
	return out
}
