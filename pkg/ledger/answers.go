package ledger

import "github.com/coldsplit/coldsplit/pkg/reading"

// Answers tells whether both routes serve the same thing.
type Answers struct {
	Known  bool // both arms have an answer
	Same   bool
	Status bool           // the status codes differ
	Size   bool           // the decoded sizes differ by more than they do within an arm
	Body   bool           // the sizes agree, the content does not, and it never changes within an arm
	Before reading.Answer // the most frequent one
	After  reading.Answer
}

// compareAnswers holds status, decoded size and body hash against each other. What varies within an
// arm cannot speak against the other one.
func compareAnswers(before, after *reading.Arm) Answers {
	b, a := before.Answers, after.Answers
	if len(b) == 0 || len(a) == 0 {
		return Answers{}
	}
	out := Answers{Known: true, Before: mostFrequent(b), After: mostFrequent(a)}
	out.Status = !overlap(statusRange(b), statusRange(a))
	out.Size = !overlap(sizeRange(b), sizeRange(a))
	out.Body = !out.Size && len(b) == 1 && len(a) == 1 && b[0].BodySHA != "" && a[0].BodySHA != "" && b[0].BodySHA != a[0].BodySHA
	out.Same = !out.Status && !out.Size && !out.Body
	return out
}

func mostFrequent(answers []reading.Answer) reading.Answer {
	best := answers[0]
	for _, x := range answers[1:] {
		if x.N > best.N {
			best = x
		}
	}
	return best
}

type span struct{ lo, hi int64 }

func overlap(a, b span) bool { return a.lo <= b.hi && b.lo <= a.hi }

func statusRange(answers []reading.Answer) span {
	return rangeOf(answers, func(a reading.Answer) int64 { return int64(a.Status) })
}

func sizeRange(answers []reading.Answer) span {
	return rangeOf(answers, func(a reading.Answer) int64 { return a.Decoded })
}

func rangeOf(answers []reading.Answer, of func(reading.Answer) int64) span {
	s := span{of(answers[0]), of(answers[0])}
	for _, a := range answers[1:] {
		s.lo, s.hi = min(s.lo, of(a)), max(s.hi, of(a))
	}
	return s
}
