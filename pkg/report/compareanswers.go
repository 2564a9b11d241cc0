package report

import (
	"fmt"

	"github.com/coldsplit/coldsplit/pkg/reading"
)

// answers tells whether both routes serve the same thing.
func (v *view) answers() string {
	a := v.c.SameAnswer
	if !a.Known {
		return "not known"
	}
	if !a.Same {
		return fmt.Sprintf("DIFFER: %s on %s, %s on %s", answerWords(a.Before), v.names[0], answerWords(a.After), v.names[1])
	}
	text := "same: " + answerWords(a.Before)
	n := sumCounts(v.sides()).OK
	switch {
	case len(v.c.Before.Arm.Answers) > 1 || len(v.c.After.Arm.Answers) > 1:
		text += ", varying alike in both"
	case a.Before.BodySHA != "" && a.Before.BodySHA == a.After.BodySHA:
		text += fmt.Sprintf(", one body hash in %s", Share(n, n))
	}
	if a.Before.Wire != a.After.Wire {
		text += fmt.Sprintf("; on the wire %s, %s", wireWords(a.Before), wireWords(a.After))
	}
	return text
}

func answerWords(a reading.Answer) string {
	return fmt.Sprintf("%d, %s", a.Status, Plural(int(a.Decoded), "byte", "bytes"))
}

func wireWords(a reading.Answer) string {
	coding := a.Coding
	if coding == "" {
		coding = "identity"
	}
	return fmt.Sprintf("%s (%s)", Plural(int(a.Wire), "byte", "bytes"), Clip(coding, clipName))
}
