package report

import (
	"testing"
	"time"
)

func TestPaceHintIsWhatFittedBetweenTwoRefusals(t *testing.T) {
	for _, c := range []struct {
		name  string
		seqs  []int
		after time.Duration
		want  string
	}{
		{"the picture", []int{12, 17, 22}, 20 * time.Second, "4 requests seem to fit into 20 s here: --interval 5s"},
		{"the smallest counts", []int{3, 10, 12}, 10 * time.Second, "1 request seems to fit into 10 s here: --interval 10s"},
		{"rounded up", []int{1, 5}, 10 * time.Second, "3 requests seem to fit into 10 s here: --interval 4s"},
		{"below a second", []int{1, 8}, time.Second, "6 requests seem to fit into 1 s here: --interval 200ms"},
		{"one refusal", []int{11}, time.Hour, ""},
		{"nothing fitted", []int{1, 2, 3}, time.Second, ""},
		{"no time was told", []int{1, 5}, 0, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := ""
			if hints := paceHint(&Throttling{Seqs: c.seqs, RetryAfter: c.after, HasRetryAfter: c.after > 0}); len(hints) > 0 {
				got = hints[0]
			}
			if got != c.want {
				t.Errorf("%v, %v: %q, want %q", c.seqs, c.after, got, c.want)
			}
		})
	}
}
