package report

import (
	"fmt"
	"strings"

	"github.com/coldsplit/coldsplit/pkg/ledger"
	"github.com/coldsplit/coldsplit/pkg/stats"
)

// fewBlocks say what so few exchanges settle, what they do not, and how many more would.
func (v *view) fewBlocks() []Block {
	if !v.few() || v.c.Identical {
		return nil
	}
	noun, n := "requests", min(v.arms[0].N(), v.arms[1].N())
	if v.c.Pairs > 0 {
		noun, n = "pairs", v.c.Pairs
	}
	b := KeyValue{Width: 14}
	if says := v.fewSay(); says != "" {
		b.Entries = append(b.Entries, Entry{fmt.Sprintf("%d %s say", n, noun), []string{says}})
	}
	b.Entries = append(b.Entries,
		Entry{"they do not", []string{v.fewOpen()}},
		Entry{"more", []string{fmt.Sprintf("p90 from %d, p90 with limits from %d, p99 from %d an arm",
			stats.P90.UsefulFrom(), stats.P90.IntervalFrom(), stats.P99.UsefulFrom())}})
	return []Block{b}
}

// fewSay is what the few do settle, "" when nothing.
func (v *view) fewSay() string {
	var keys []string
	worst := 0.0
	for i := range v.c.Entries {
		if e := &v.c.Entries[i]; v.paid(e) {
			keys, worst = append(keys, Codes(entryName(e))), max(worst, e.Adjusted)
		}
	}
	if v.c.Verdict != ledger.Faster && v.c.Verdict != ledger.Slower {
		return ""
	}
	if len(keys) == 0 {
		return "which route is faster, not which rows paid for it"
	}
	return fmt.Sprintf("which route is faster, and that %s paid for it (Holm p %s)", AndList(keys), probability(worst))
}

// paid reports whether a row moved the way the verdict went.
func (v *view) paid(e *ledger.Entry) bool {
	if v.c.Verdict == ledger.Slower {
		return v.lost(e)
	}
	return v.saved(e)
}

// fewOpen is what they leave open.
func (v *view) fewOpen() string {
	var open []string
	for i := range v.c.Entries {
		if e := &v.c.Entries[i]; e.Standing == ledger.Suggested {
			word, _ := standingWord(e)
			open = append(open, fmt.Sprintf("%s (%s: suggested, p %s)", Codes(entryName(e)), word, probability(e.Adjusted)))
		}
	}
	if v.c.Verdict == ledger.TooFew {
		return "give a verdict, nor a p10, p90 or p99"
	}
	if len(open) == 0 {
		return "give a p10, p90 or p99"
	}
	return "settle " + strings.Join(open, ", ") + ", nor give a p10, p90 or p99"
}
