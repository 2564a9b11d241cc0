package report

import (
	"strings"
	"testing"
	"time"

	"github.com/coldsplit/coldsplit/pkg/record"
	"github.com/coldsplit/coldsplit/pkg/segment"
)

func TestSentencesForSeveralArmsNameWhatDiffers(t *testing.T) {
	warm, other := h2Arm(), h2Arm()
	warm.State, other.Host = "warm", "blue.example.com"
	via := other
	via.Via, via.Protocol, via.Name = "203.0.113.9", "h3", "edge"
	few := h2Arm()
	few.Counts.OK, few.Protocol = 24, "h3"
	for name, c := range map[string]struct {
		arms []Arm
		want string
	}{
		"protocol":  {[]Arm{h2Arm(), h3Arm()}, "A cold request to api.example.com takes 593 ms over h2 and 409 ms over h3 (p50 of 25 each)."},
		"state":     {[]Arm{h2Arm(), warm}, "A request to api.example.com takes 593 ms cold and 593 ms warm (p50 of 25 each)."},
		"host":      {[]Arm{h2Arm(), other}, "A cold request takes 593 ms to api.example.com and 593 ms to blue.example.com (p50 of 25 each)."},
		"more":      {[]Arm{h2Arm(), via}, "A cold request takes 593 ms by h2 and 593 ms by edge (p50 of 25 each)."},
		"different": {[]Arm{h2Arm(), few}, "A cold request to api.example.com takes 593 ms over h2 and 593 ms over h3 (p50 of 25 and 24)."},
	} {
		t.Run(name, func(t *testing.T) {
			if got := ProbeDocument(Probe{Arms: c.arms}).Sentence; got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

func TestNoFiguresNoTableOfZeros(t *testing.T) {
	for name, p := range probeCases() {
		for _, a := range p.Arms {
			if a.N() > 0 {
				continue
			}
			out := rendered(t, p, ".txt")
			if len(p.Arms) == 1 && strings.Contains(out, "at p50") {
				t.Errorf("%s: a table without figures:\n%s", name, out)
			}
			if d := ProbeDocument(p); d.Sentence == "" {
				t.Errorf("%s: no sentence", name)
			}
		}
	}
}

func TestPlacesThatMovedHaveARowEach(t *testing.T) {
	a := greenArm()
	a.Places = []Place{{"accepted", "GRU", 20, 25, "cf-ray"}, {"accepted", "QWJ", 5, 25, "cf-ray"}, {"state", "", 0, 0, "nothing reports it"}}
	d := Document{Blocks: placeBlocks(a)}
	checkPicture(t, d, `
where
  accepted   GRU   20 of 25   cf-ray
             QWJ   5 of 25    cf-ray
  state      unknown          nothing reports it
`)
}

func TestTinyAndOddSamplesAreSaidToBe(t *testing.T) {
	three := smallArm()
	three.Counts.OK, three.Counts.Asked = 3, 3
	for i := range three.Figures {
		f := &three.Figures[i]
		*f = figure(f.Key, 3, f.AtP50.Seconds()*1e3, 1, 2, 3, 3)
	}
	got := ProbeDocument(oneArmRun(three, RunFacts{})).Sentence
	if !strings.Contains(got, "(p50 of 3; no limits below 5 requests)") {
		t.Errorf("sentence of three: %s", got)
	}
	ten := greenArm()
	ten.Counts.OK = 10
	for i := range ten.Figures {
		f := &ten.Figures[i]
		*f = figure(f.Key, 10, f.AtP50.Seconds()*1e3, 1, 2, 3, 4)
	}
	text := rendered(t, oneArmRun(ten, RunFacts{}), ".txt")
	for _, want := range []string{"p10*", "p99*", "p10 of 10 is the fastest one; a p10 needs 11"} {
		if !strings.Contains(text, want) {
			t.Errorf("report of ten has no %q:\n%s", want, text)
		}
	}
}

func TestFootnotesAreOnlyThoseReferredTo(t *testing.T) {
	for name, p := range probeCases() {
		out := rendered(t, p, ".txt")
		body, notes, _ := strings.Cut(out, "\nrun ")
		if strings.Contains(notes, "\n*  ") != strings.Contains(body, "*\n") && name != "probe-hostile" {
			t.Errorf("%s: mark and footnote do not go together:\n%s", name, out)
		}
	}
}

func TestDatesAreRepeatedOnlyWhenTheyChange(t *testing.T) {
	at := time.Date(2026, 11, 30, 23, 59, 58, 0, time.UTC)
	for _, c := range []struct {
		to   time.Time
		want string
	}{
		{at, "2026-11-30 23:59:58"}, {at.Add(time.Second), "2026-11-30 23:59:58 to 23:59:59"},
		{at.Add(time.Minute), "2026-11-30 23:59:58 to 2026-12-01 00:00:58"}, {time.Time{}, "2026-11-30 23:59:58"},
	} {
		if got := timeRange(at, c.to); got != c.want {
			t.Errorf("timeRange to %v = %q, want %q", c.to, got, c.want)
		}
	}
}

func TestNegativeRemainderIsShown(t *testing.T) {
	a := greenOnce()
	a.Figures = []Figure{once(segment.Send, 0), once(segment.Wait, 100), once(segment.WaitUpstream, 104),
		once(segment.WaitUnattributed, -4), once(segment.Transfer, 50), once(segment.Total, 150)}
	a.Counts = record.Counts{Asked: 1, OK: 1}
	if out := rendered(t, oneArmRun(a, RunFacts{}), ".txt"); !strings.Contains(out, "wait.unattributed    -4\n") {
		t.Errorf("no negative remainder:\n%s", out)
	}
}
