package report

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/coldsplit/coldsplit/pkg/load"
)

func TestRampReportsAreThoseReviewed(t *testing.T) {
	for name, in := range rampCases() {
		d := RampDocument(in)
		for ending, render := range renderers {
			t.Run(name+ending, func(t *testing.T) { checkGolden(t, name+ending, d, render) })
		}
	}
}

func TestRampComparisonsAreThoseReviewed(t *testing.T) {
	for name, c := range map[string]*load.Comparison{
		"ramp-compare":           load.Compare(slowerRamp(), benchRamp()),
		"ramp-compare-unalike":   load.Compare(cleanRamp(), benchRamp()),
		"ramp-compare-templates": load.Compare(templateRamp(), templateRamp()),
	} {
		d := RampCompareDocument(RampCompare{Result: c, Files: [2]string{"before.jsonl", ""}})
		for ending, render := range renderers {
			t.Run(name+ending, func(t *testing.T) { checkGolden(t, name+ending, d, render) })
		}
		for _, line := range strings.Split(textOf(t, d), "\n") {
			if n := utf8.RuneCountInString(line); n > 80 {
				t.Errorf("%s: %d columns: %s", name, n, line)
			}
		}
	}
}

func TestRampTextStaysWithinEightyColumns(t *testing.T) {
	for name, in := range rampCases() {
		for _, line := range strings.Split(textOf(t, RampDocument(in)), "\n") {
			if n := utf8.RuneCountInString(line); n > 80 {
				t.Errorf("%s: %d columns: %s", name, n, line)
			}
		}
	}
}

func TestRampChartIsOfTextAlone(t *testing.T) {
	d := RampDocument(Ramp{Result: benchRamp(), Chart: true})
	var md bytes.Buffer
	if err := Markdown(&md, d); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(md.String(), "accepted =") || !strings.Contains(textOf(t, d), "accepted =") {
		t.Error("the chart belongs into text and nowhere else")
	}
}

func TestRampMachineFormsHoldWhatTextShows(t *testing.T) {
	for name, in := range rampCases() {
		d := RampDocument(in)
		var b bytes.Buffer
		if err := JSON(&b, d); err != nil {
			t.Fatal(err)
		}
		var object struct {
			Schema string
			Stages []struct {
				Parallel int
				Counts   struct{ OK, Throttled, Failed int }
			}
		}
		if err := json.Unmarshal(b.Bytes(), &object); err != nil || object.Schema != "coldsplit.ramp/1" {
			t.Fatalf("%s: %v %q", name, err, object.Schema)
		}
		for i, s := range in.Result.Stages {
			if got := object.Stages[i]; got.Parallel != s.Parallel || got.Counts.OK != s.Counts.OK || got.Counts.Throttled != s.Counts.Throttled {
				t.Errorf("%s: stage %d is %+v", name, i, got)
			}
		}
		b.Reset()
		if err := CSV(&b, d); err != nil {
			t.Fatal(err)
		}
		if rows, err := csv.NewReader(&b).ReadAll(); err != nil || len(rows[0]) != len(rampFields) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
