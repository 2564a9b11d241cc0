package report

import (
	"strings"
	"testing"

	"github.com/coldsplit/coldsplit/pkg/ledger"
)

func expectText(t *testing.T, text string, wanted ...string) {
	t.Helper()
	joined := strings.Join(strings.Fields(text), " ")
	for _, want := range wanted {
		if !strings.Contains(joined, want) {
			t.Errorf("no %q in:\n%s", want, text)
		}
	}
}

func expectNoText(t *testing.T, text string, unwanted ...string) {
	t.Helper()
	joined := strings.Join(strings.Fields(text), " ")
	for _, not := range unwanted {
		if strings.Contains(joined, not) {
			t.Errorf("%q is in:\n%s", not, text)
		}
	}
}

// A file compared with itself invented a second arm, pairs, their order and limits of the change.
func TestAFileComparedWithItselfHasOneArm(t *testing.T) {
	a := savedArm(t, "ledger-A.jsonl")
	text := textOf(t, CompareDocument(Compare{Result: ledger.Compare(a, a)}))
	expectText(t, text, "25 asked: 25 ok", "one body hash in 25 of 25", "one arm on both sides")
	expectNoText(t, text, "pairs", "coin", "50 asked", "50 of 50", "-20 to +20", "0 to 0", "not tested", "is tested", "noise")
}
