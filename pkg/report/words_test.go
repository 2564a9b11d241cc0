package report

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/coldsplit/coldsplit/pkg/segment"
	"github.com/coldsplit/coldsplit/pkg/stats"
)

func TestMilliseconds(t *testing.T) {
	for _, c := range []struct {
		scale Scale
		d     time.Duration
		want  string
	}{
		{WholeMS, 264_600_000, "265"}, {WholeMS, 499_999, "0"}, {WholeMS, -499_999, "0"}, {WholeMS, 500_000, "1"},
		{WholeMS, -4_500_000, "-5"}, {TenthsMS, 45_340_000, "45.3"}, {TenthsMS, 49_999, "0.0"}, {TenthsMS, -1_250_000, "-1.3"},
		{WholeMS, 1_282_000_000, "1282"},
	} {
		if got := c.scale.MS(c.d); got != c.want {
			t.Errorf("Scale(%d).MS(%d) = %q, want %q", c.scale, c.d, got, c.want)
		}
	}
}

func TestScaleIsWholeFromAHundredMilliseconds(t *testing.T) {
	for _, c := range []struct {
		totals []time.Duration
		want   Scale
	}{
		{nil, TenthsMS}, {[]time.Duration{99_940_000}, TenthsMS}, {[]time.Duration{99_960_000}, WholeMS},
		{[]time.Duration{100 * ms}, WholeMS}, {[]time.Duration{30 * ms, 265 * ms}, WholeMS},
	} {
		if got := ScaleFor(c.totals...); got != c.want {
			t.Errorf("ScaleFor(%v) = %d, want %d", c.totals, got, c.want)
		}
	}
}

func TestChangesCarryASignAndMatchWhatIsPrinted(t *testing.T) {
	for _, c := range []struct {
		before, after time.Duration
		want          string
	}{
		{8 * ms, 127 * ms, "+119"}, {382 * ms, 265 * ms, "-117"}, {7 * ms, 7 * ms, "0"},
		{7_400_000, 7_600_000, "+1"}, // 7 and 8 on screen
		{7_600_000, 8_400_000, "0"},  // 8 and 8 on screen
	} {
		if got := WholeMS.ChangeOf(c.before, c.after); got != c.want {
			t.Errorf("ChangeOf(%v, %v) = %q, want %q", c.before, c.after, got, c.want)
		}
	}
	if got := WholeMS.ChangeRange(-120*ms, 111*ms); got != "-120 to +111" {
		t.Errorf("ChangeRange = %q", got)
	}
}

func TestInWords(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "0 ms", time.Microsecond: "less than 0.1 ms", 50 * time.Microsecond: "0.1 ms", 400 * time.Microsecond: "0.4 ms", 9 * ms: "9 ms", 187 * ms: "187 ms", 999_600_000: "1 s",
		1500 * ms: "1.5 s", 10 * time.Second: "10 s", 59_960 * ms: "1 min", 65 * time.Second: "1 min 5 s",
		time.Hour: "1 h", 3*time.Hour + 20*time.Minute: "3 h 20 min", 52 * time.Hour: "2 d 4 h", -10 * time.Second: "-10 s",
		time.Hour - time.Second/4: "1 h", 24*time.Hour - time.Second: "1 d",
	} {
		if got := InWords(d); got != want {
			t.Errorf("InWords(%d) = %q, want %q", d, got, want)
		}
	}
}

func TestBytes(t *testing.T) {
	for n, want := range map[int64]string{
		0: "0 bytes", 1: "1 byte", 402: "402 bytes", 999: "999 bytes", 1000: "1 kB", 4310: "4.3 kB", 9960: "10 kB",
		51_208: "51 kB", 999_499: "999 kB", 999_500: "1 MB", 1_240_000: "1.2 MB", 3_000_000_000_000: "3 TB",
	} {
		if got := Bytes(n); got != want {
			t.Errorf("Bytes(%d) = %q, want %q", n, got, want)
		}
	}
}

func TestLimitsSayWhatIsMissing(t *testing.T) {
	both := stats.Interval{Lo: 264e6, Hi: 269e6, HasLo: true, HasHi: true, Confidence: .95}
	five, lower, upper := both, both, both
	five.Confidence, lower.HasHi, upper.HasLo = .9375, false, false
	for _, c := range []struct {
		iv         stats.Interval
		want, cell string
	}{
		{both, "95 %: 264 to 269", "264 to 269"},
		{five, "94 %: 264 to 269", "264 to 269"},
		{lower, ">= 264, no upper limit below 36 requests", ">= 264"},
		{upper, "<= 269, no lower limit below 36 requests", "<= 269"},
		{stats.Interval{}, "no limits below 36 requests", "-"},
	} {
		if got := WholeMS.Limits(c.iv, 36); got != c.want {
			t.Errorf("Limits(%+v) = %q, want %q", c.iv, got, c.want)
		}
		if got := WholeMS.LimitsCell(c.iv); got != c.cell {
			t.Errorf("LimitsCell(%+v) = %q, want %q", c.iv, got, c.cell)
		}
	}
}

func TestWrapBreaksAsThePicturesDo(t *testing.T) {
	for name, want := range map[string]string{
		"percent stays with its number": "A cold request to green.example.com takes 265 ms from sao-paulo (p50 of 25;\n" +
			"95 %: 264 to 269). 127 ms of it pass in wait.pre_forward.",
		"fills the line to the last column": "Nobody listens on 192.0.2.10:443: 3 of 3 connections were reset in tcp after 187\n" +
			"ms, so the host is up, one round trip away.",
		"arrow ends a line": "No verdict from sao-paulo: p50 moved somewhere between -16 and +25 ms (253 ->\n" +
			"254 ms, 25 cold pairs). About 30 pairs would settle 25 ms, about 90 pairs 15 ms.",
		"a p50 without a verdict": "From sao-paulo, green is probably faster than blue at p50, by 0 to 38 ms (301 ->\n" +
			"282 ms, 25 cold pairs); the size is not pinned down.",
		"five pairs": "From jakarta, after is 341 ms faster at p50: 607 -> 266 ms (94 %: 331 to 349),\n" +
			"on 5 cold pairs only: the 11th request was throttled for an hour (429).",
	} {
		t.Run(name, func(t *testing.T) {
			got := strings.Join(Wrap(strings.ReplaceAll(want, "\n", " "), 80), "\n")
			if got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

func TestWrapNeverExceedsTheWidth(t *testing.T) {
	for _, text := range []string{"", strings.Repeat("x", 300), "a " + strings.Repeat("y", 100) + " 95 %: b", "% % %"} {
		for width := 8; width < 90; width++ {
			lines := Wrap(text, width)
			for _, line := range lines {
				if runes(line) > width {
					t.Fatalf("Wrap(%q, %d): line %q", text, width, line)
				}
			}
			if got, want := strings.ReplaceAll(strings.Join(lines, ""), " ", ""), strings.ReplaceAll(text, " ", ""); got != want {
				t.Fatalf("Wrap(%q, %d) lost text: %q", text, width, got)
			}
		}
	}
}

func TestColumnAtP50AddsUpOnScreen(t *testing.T) {
	for seed := range uint64(500) {
		fs := randomFigures(rand.New(rand.NewPCG(seed, 1)))
		s := ScaleFor(fs[segment.Total].AtP50)
		c := fs.atP50(s)
		for parent, parts := range map[segment.Key][]segment.Key{
			segment.Total: fs.leaves(), segment.Wait: fs.children(segment.Wait),
			segment.WaitUpstream: fs.children(segment.WaitUpstream),
		} {
			sum := int64(0)
			for _, k := range parts {
				sum += c[k]
				if off := c[k] - s.units(fs[k].AtP50); off > 1 || off < -1 {
					t.Errorf("seed %d: %s shows %d for %v", seed, k, c[k], fs[k].AtP50)
				}
			}
			if sum != c[parent] {
				t.Errorf("seed %d: parts of %s show %d, it shows %d", seed, parent, sum, c[parent])
			}
		}
		if c[segment.Total] != s.units(fs[segment.Total].AtP50) {
			t.Errorf("seed %d: total shows %d for %v", seed, c[segment.Total], fs[segment.Total].AtP50)
		}
		if c[segment.TTFB]+c[segment.Transfer] != c[segment.Total] || c[segment.Setup] != c[segment.TCP]+c[segment.TLS] {
			t.Errorf("seed %d: setup %d or ttfb %d do not follow from the rows shown", seed, c[segment.Setup], c[segment.TTFB])
		}
	}
}

// randomFigures tile a total exactly; the unattributed part may be negative.
func randomFigures(r *rand.Rand) figures {
	fs := figures{}
	put := func(k segment.Key, d time.Duration) time.Duration {
		fs[k] = Figure{Key: k, AtP50: d, HasAtP50: true}
		return d
	}
	some := func(k segment.Key) time.Duration { return put(k, time.Duration(r.IntN(60_000_000))) }
	upstream := put(segment.WaitUpstream, some(segment.WaitUpstreamNetwork)+some(segment.WaitUpstreamOrigin))
	unattributed := put(segment.WaitUnattributed, time.Duration(r.IntN(4_000_000)-2_000_000))
	wait := put(segment.Wait, max(some(segment.WaitEdgeRTT)+some(segment.WaitPreForward)+upstream+unattributed, 0))
	put(segment.WaitUnattributed, wait-fs[segment.WaitEdgeRTT].AtP50-fs[segment.WaitPreForward].AtP50-upstream)
	setup := some(segment.TCP) + some(segment.TLS)
	total := some(segment.DNS) + setup + some(segment.Send) + wait + some(segment.Transfer)
	put(segment.Total, total)
	put(segment.Setup, setup)
	put(segment.TTFB, total-fs[segment.Transfer].AtP50)
	return fs
}

func TestPartsThatAreNotTheWholeAreNotForcedToAddUp(t *testing.T) {
	fs := figures{}
	for k, d := range map[segment.Key]time.Duration{segment.Send: ms, segment.Wait: 200 * ms, segment.Total: 201 * ms, segment.WaitUpstream: 20 * ms} {
		fs[k] = Figure{Key: k, AtP50: d, HasAtP50: true}
	}
	if got := fs.atP50(WholeMS)[segment.WaitUpstream]; got != 20 {
		t.Errorf("upstream shows %d, want 20: nobody said it was all of wait", got)
	}
}
