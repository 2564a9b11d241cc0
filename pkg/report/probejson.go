package report

import (
	"bytes"
	"encoding/json"

	"github.com/coldsplit/coldsplit/pkg/segment"
	"github.com/coldsplit/coldsplit/pkg/stats"
)

// jsonSegments is an object whose members keep the order of tables.
type jsonSegments []jsonSegment

type jsonSegment struct {
	key    segment.Key
	figure jsonFigure
}

// MarshalJSON writes one member a key.
func (s jsonSegments) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, one := range s {
		if i > 0 {
			b.WriteByte(',')
		}
		figure, err := json.Marshal(one.figure)
		if err != nil {
			return nil, err
		}
		b.WriteString(`"` + one.key.String() + `":`)
		b.Write(figure)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

func probeJSON(p Probe, d Document, s Scale) jsonProbe {
	command := p.Command
	if command == "" {
		command = "probe"
	}
	out := jsonProbe{
		Schema: "coldsplit." + command + "/1", Sentence: plain(d.Sentence), Warnings: d.Warnings,
		From: Clip(p.From, clipText), Unit: int64(s), Arms: []jsonArm{}, Run: runJSON(p.Run), Hints: d.Hints,
	}
	for _, a := range p.Arms {
		out.Arms = append(out.Arms, armJSON(a))
	}
	if p.Chain != nil {
		out.Chain = &jsonChain{p.Chain.Hops, percentilesJSON(Figure{N: p.Chain.Total.N, P50: p.Chain.Total})}
	}
	return out
}

func armJSON(a Arm) jsonArm {
	out := jsonArm{
		Name: Clip(a.Name, clipText), Counts: a.Counts, SlowCount: max(a.SlowCount, len(a.Slow)),
		Route: jsonRoute{Clip(a.URL, 4*clipText), Clip(a.Host, clipText), Clip(a.Protocol, clipName), stateOf(a),
			Clip(a.Via, clipText), a.Hop},
		Segments: segmentsJSON(a), RTTSource: Clip(a.RTTSource, clipText), Notes: clipAll(a.Notes),
		Failures: failuresJSON(a.Failures), Invalid: failuresJSON(a.Invalid), Answer: answerJSON(a.Answer),
		Throttling: throttlingJSON(a.Throttling),
	}
	if a.First != nil {
		out.First = &jsonFirst{a.First.Seq, a.First.Total}
	}
	if a.Trouble != nil {
		out.Trouble = &jsonTrouble{a.Trouble.kind(), clippedFacts(a.Trouble)}
	}
	if w := a.OwnWork; w != nil {
		out.OwnWork = &jsonOwnWork{w.Key.String(), int64(w.P50)}
	}
	out.Told, out.RoundTrips = toldJSON(a.Told), tripsJSON(a.RoundTrips)
	out.Interims, out.Capped = interimsJSON(a.Interims), a.Capped
	for _, slow := range a.Slow {
		out.Slow = append(out.Slow, slowJSON(slow))
	}
	for _, p := range a.Places {
		out.Places = append(out.Places, jsonPlace{Clip(p.Role, clipName), Clip(p.Site, clipName), p.Seen, p.Of, Clip(p.Evidence, clipText)})
	}
	return out
}

// clippedFacts are a trouble's fields with every text cut, for they quote strangers.
func clippedFacts(t Trouble) map[string]any {
	text, err := json.Marshal(t)
	if err != nil {
		panic("report: a Trouble that is no JSON object: " + err.Error())
	}
	facts := map[string]any{}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	if err := decoder.Decode(&facts); err != nil {
		panic("report: a Trouble that is no JSON object: " + err.Error())
	}
	for name, value := range facts {
		facts[name] = clippedValue(value)
	}
	return facts
}

func clippedValue(value any) any {
	switch value := value.(type) {
	case string:
		return Clip(value, clipText)
	case []any:
		for i := range value {
			value[i] = clippedValue(value[i])
		}
	}
	return value
}

func slowJSON(s Slow) jsonSlow {
	out := jsonSlow{Seq: s.Seq, Total: s.Total, Took: s.Took, Cause: Clip(s.Cause, 2*clipText)}
	if s.Took > 0 {
		out.Segment = s.Key.String()
	}
	return out
}

func segmentsJSON(a Arm) jsonSegments {
	segments := jsonSegments{}
	fs := figuresOf(a)
	for _, k := range fs.keys() {
		segments = append(segments, jsonSegment{k, percentilesJSON(fs[k])})
	}
	return segments
}

func percentilesJSON(f Figure) jsonFigure {
	out := jsonFigure{N: f.N, Rank: map[string]int{}, Extreme: map[string]string{}, Interval: map[string]jsonInterval{}}
	if f.HasAtP50 {
		ns := int64(f.AtP50)
		out.AtP50 = &ns
	}
	for _, p := range []percentile{p10, p50, p90, p99} {
		q := p.get(f)
		if q.N == 0 {
			continue
		}
		*out.slot(p.of) = &q.Value
		out.Rank[p.name] = q.Rank
		if e := extremeOf(q.Quantile); e != "" {
			out.Extreme[p.name] = e
		}
		if iv, any := intervalJSON(q.Interval); any {
			out.Interval[p.name] = iv
		}
	}
	return out
}

func (f *jsonFigure) slot(p stats.Percentile) **int64 {
	switch p {
	case stats.P10:
		return &f.P10
	case stats.P50:
		return &f.P50
	case stats.P90:
		return &f.P90
	}
	return &f.P99
}

func intervalJSON(iv stats.Interval) (jsonInterval, bool) {
	out := jsonInterval{Confidence: iv.Confidence}
	if iv.HasLo {
		out.Lo = &iv.Lo
	}
	if iv.HasHi {
		out.Hi = &iv.Hi
	}
	return out, iv.HasLo || iv.HasHi
}

func failuresJSON(groups []Failure) []jsonFailure {
	var out []jsonFailure
	for _, f := range groups {
		one := jsonFailure{Class: Clip(string(f.Class), clipName), Count: f.Count, Seqs: f.Seqs, Text: Clip(f.Text, clipText)}
		if f.Class != "" {
			one.Segment = f.Segment.String()
		}
		out = append(out, one)
	}
	return out
}

func answerJSON(a Answer) *jsonAnswer {
	if a.Status == 0 {
		return nil
	}
	return &jsonAnswer{Clip(a.TLS, clipName), clipAll(a.Remotes), a.Status, a.Decoded, a.Wire, Clip(a.Encoding, clipName), a.Kinds}
}

func throttlingJSON(t *Throttling) *jsonThrottling {
	if t == nil {
		return nil
	}
	out := &jsonThrottling{Seqs: t.Seqs, Status: t.Status, Reason: Clip(t.Reason, clipText), Stopped: t.Stopped}
	if t.HasRetryAfter {
		out.RetryAfter = &t.RetryAfter
	}
	if t.HasWait {
		out.Wait = &t.Wait
	}
	for _, p := range t.Pauses {
		out.Pauses = append(out.Pauses, jsonPause(p))
	}
	return out
}

func runJSON(r RunFacts) jsonRun {
	out := jsonRun{
		Interval: r.Interval, Spread: r.Spread, Resolver: Clip(r.Resolver, clipText), Proxy: Clip(r.Proxy, clipText), AddressFrom: r.AddressFrom,
		Order: r.Order, Tool: Clip(r.Tool, clipText), Percentiles: "nearest rank", CutOff: r.CutOff,
		Sent: r.Sent, Rehearsed: r.Rehearsed, Projected: r.Projected, Notes: clipAll(r.Notes),
	}
	if !r.Started.IsZero() {
		started, ended := r.Started.UTC(), r.Ended.UTC()
		out.Started, out.Ended = &started, &ended
	}
	if r.Stopped != nil {
		out.Stopped = &jsonStopped{r.Stopped.After, r.Stopped.Asked, r.Stopped.Alike}
	}
	return out
}
