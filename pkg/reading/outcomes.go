package reading

import (
	"slices"
	"strings"
	"time"

	"github.com/coldsplit/coldsplit/pkg/record"
	"github.com/coldsplit/coldsplit/pkg/segment"
)

// Answer is what ok exchanges of an arm brought back. Two routes serve the same thing when they
// bring the same answers.
type Answer struct {
	Status  int
	Decoded int64
	Wire    int64  // of the first such answer
	Coding  string // of the first such answer
	BodySHA string
	Type    string // media type, "" when not kept
	Title   string
	N       int
}

// same tells whether ex brought the answer a stands for.
func (a *Answer) same(ex *record.Exchange) bool {
	return a.Status == ex.Status && a.Decoded == ex.Bytes.Decoded && a.BodySHA == ex.BodySHA
}

// addAnswer counts the answer of ex; beyond maxValues different ones it counts into the last.
func (a *Arm) addAnswer(ex *record.Exchange) {
	i := slices.IndexFunc(a.Answers, func(x Answer) bool { return x.same(ex) })
	switch {
	case i >= 0:
		a.Answers[i].N++
	case len(a.Answers) < maxValues:
		a.Answers = append(a.Answers, Answer{
			Status: ex.Status, Decoded: ex.Bytes.Decoded, Wire: ex.Bytes.Wire,
			Coding: strings.Clone(ex.Bytes.Encoding), BodySHA: strings.Clone(ex.BodySHA),
			Type: strings.Clone(firstValue(ex.Headers, "content-type")), Title: strings.Clone(ex.Title), N: 1,
		})
	default:
		a.Answers[maxValues-1].N++
	}
}

// Failure groups failed exchanges that failed alike: same segment, class and status.
type Failure struct {
	Segment segment.Key
	Class   record.Class
	Status  int
	Text    string // of the first one
	N       int
	In      []time.Duration // time spent in Segment, the first 64
	Example record.Exchange // the first one, cloned
	Seqs    []int           // the first 64
}

func (a *Arm) addFailure(ex *record.Exchange) {
	f := Failure{Status: ex.Status, Text: strings.Clone(errorText(ex))}
	if ex.Error != nil {
		f.Segment, f.Class = ex.Error.Segment, record.Class(strings.Clone(string(ex.Error.Class)))
	}
	i := slices.IndexFunc(a.Failures, func(x Failure) bool {
		return x.Segment == f.Segment && x.Class == f.Class && x.Status == f.Status
	})
	if i < 0 {
		f.Example = ex.Clone()
		a.Failures = append(a.Failures, f)
		i = len(a.Failures) - 1
	}
	a.Failures[i].count(ex)
}

func (f *Failure) count(ex *record.Exchange) {
	f.N++
	if len(f.Seqs) < maxValues {
		d, _ := ex.Segments.Get(f.Segment)
		f.In = append(f.In, d)
		f.Seqs = append(f.Seqs, ex.Seq)
	}
}

// Throttling is what the service's "not now" answers said.
type Throttling struct {
	N       int
	Reasons Tally // "429", "429 bench_lane_full"
	Limits  Tally
	Each    []ThrottledOne // the first 64
}

// ThrottledOne is one throttled exchange.
type ThrottledOne struct {
	Seq           int
	Status        int
	Reason        string
	RetryAfter    time.Duration
	HasRetryAfter bool
	Wait, Total   time.Duration
}

func (t *Throttling) add(ex *record.Exchange) {
	t.N++
	one := ThrottledOne{Seq: ex.Seq, Status: ex.Status, Total: ex.Total}
	one.Wait, _ = ex.Segments.Get(segment.Wait)
	if th := ex.Throttle; th != nil {
		one.Reason = strings.Clone(th.Reason)
		one.RetryAfter, one.HasRetryAfter = th.RetryAfter, th.HasRetryAfter
		t.Limits.Add(strings.Clone(th.Limit))
	}
	t.Reasons.Add(one.Reason)
	if len(t.Each) < maxValues {
		t.Each = append(t.Each, one)
	}
}

func errorText(ex *record.Exchange) string {
	if ex.Error == nil {
		return "no reason recorded"
	}
	return ex.Error.Text
}

func firstValue(f record.Fields, name string) string {
	if v := f[name]; len(v) > 0 {
		return v[0]
	}
	return ""
}
