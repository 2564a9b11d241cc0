package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/coldsplit/coldsplit/pkg/ledger"
	"github.com/coldsplit/coldsplit/pkg/reading"
	"github.com/coldsplit/coldsplit/pkg/segment"
)

// sentence is what a postmortem can quote: the verdict, and what it leaves out.
func (v *view) sentence() string {
	if !v.bothOK() {
		return v.silentSentence()
	}
	words := strings.TrimSpace(v.verdictSentence())
	for _, more := range []string{v.short(), v.losses()} {
		if more != "" {
			words += " " + more
		}
	}
	return words
}

func (v *view) verdictSentence() string {
	if v.c.Identical && v.c.Verdict == ledger.Unchanged {
		return fmt.Sprintf("Unchanged: both sides are the same %s (p50 %s ms).",
			Plural(v.arms[0].N(), "exchange", "exchanges"), v.s.text(v.totals()[0]))
	}
	switch v.c.Verdict {
	case ledger.Faster, ledger.Slower:
		return v.clearSentence()
	case ledger.Small:
		return v.smallSentence()
	case ledger.Probably:
		return v.probableSentence()
	case ledger.Unchanged:
		return fmt.Sprintf("Unchanged%s%s: p50 stayed within %s ms (%s ms, %s, %s).", fromPlace(v.from), v.withoutDNS(),
			v.s.MS(ns(v.c.Delta)), v.arrow(), v.changeLimits(), v.howMany())
	case ledger.Undecided:
		return v.openSentence()
	case ledger.Correlated:
		return v.correlatedSentence()
	case ledger.NotComparable:
		return fmt.Sprintf("%s and %s are shown side by side; no verdict is given.", Codes("setup"), Codes("total"))
	}
	return fmt.Sprintf("No verdict%s: %s, and a p50 has limits from %d an arm on (%s ms).",
		fromPlace(v.from), v.howMany(), limitsFrom, v.arrow())
}

// lead is "From sao-paulo, green is", or "green is" when nobody said from where.
func (v *view) lead() string {
	if v.from == "" {
		return v.names[1] + " is"
	}
	return "From " + Clip(v.from, clipName) + ", " + v.names[1] + " is"
}

// than is " than blue", nothing when the arms are merely before and after.
func (v *view) than() string {
	if !v.called() {
		return ""
	}
	return " than " + v.names[0]
}

// withoutDNS says what the verdict leaves out when one arm alone resolved a name.
func (v *view) withoutDNS() string {
	if v.c.Fold&ledger.WithoutDNS == 0 {
		return ""
	}
	who := v.names[0]
	if v.arms[0].figure(segment.DNS).N == 0 {
		who = v.names[1]
	}
	return fmt.Sprintf(", %s left out in both (only %s resolved a name)", Codes("dns"), who)
}

func (a Arm) figure(k segment.Key) Figure { return figuresOf(a)[k] }

func (v *view) direction() string {
	if v.c.Total.Delta < 0 {
		return "faster"
	}
	return "slower"
}

// size is the change as shown, without sign.
func (v *view) size() int64 {
	t := v.totals()
	return max(t[1]-t[0], t[0]-t[1])
}

// sizeLimits are the limits of the change's size: "95 %: 111 to 120".
func (v *view) sizeLimits() string {
	lo, hi := v.c.Total.Lo, v.c.Total.Hi
	if v.c.Total.Delta < 0 {
		lo, hi = -hi, -lo
	}
	return Level(v.c.Total.Confidence) + ": " + v.s.Range(ns(lo), ns(hi))
}

// changeLimits are the limits of the change with their signs: "95 %: -5 to +7".
func (v *view) changeLimits() string {
	return Level(v.c.Total.Confidence) + ": " + v.s.ChangeRange(ns(v.c.Total.Lo), ns(v.c.Total.Hi))
}

func (v *view) clearSentence() string {
	head := fmt.Sprintf("%s %s ms %s%s at p50%s: %s ms (%s", v.lead(), v.s.text(v.size()), v.direction(), v.than(),
		v.withoutDNS(), v.arrow(), v.sizeLimits())
	if v.in.Short == "" {
		return head + "; " + v.howMany() + "). " + v.payers()
	}
	return fmt.Sprintf("%s), on %s only: %s.", head, v.howMany(), Clip(v.in.Short, clipText))
}

// payers says which rows paid for the change: what was saved, what was lost again and where, and the
// other way round for a slower route. What is negligible is left to the table.
func (v *view) payers() string {
	if text := v.handshakes(); text != "" {
		return text
	}
	g := v.gains()
	faster := v.c.Verdict == ledger.Faster
	switch {
	case faster && (g.gain == 0 || v.negligible(g.loss, g.gain)):
		return v.carrier(v.saved)
	case faster:
		return fmt.Sprintf("It saved %s ms and lost %s of them (%s) in %s.", v.s.text(g.gain), v.s.text(g.loss),
			Percent(g.loss, g.gain), AndList(g.lost))
	case g.loss == 0 || v.negligible(g.gain, g.loss):
		return v.carrier(v.lost)
	}
	return fmt.Sprintf("It lost %s ms in %s and saved %s in %s.", v.s.text(g.loss), AndList(g.lost), v.s.text(g.gain), AndList(g.saved))
}

// negligible reports whether what went the other way is less than anybody notices and less than a
// twentieth of the rest.
func (v *view) negligible(part, rest int64) bool {
	return part == 0 || v.s.units(ns(v.c.Delta)) > part && 20*part < rest
}

// handshakes explains a win of setup by what the protocols need, when nothing else happened to them:
// QUIC has one round trip for transport and cryptography (RFC 9000 section 7), TCP and TLS 1.3 have
// one each.
func (v *view) handshakes() string {
	quic := 0
	if v.arms[1].figure(segment.QUIC).N > 0 {
		quic = 1
	}
	other, q := v.arms[1-quic], v.reading(quic)
	for i := range v.c.Entries {
		e := &v.c.Entries[i]
		if e.Key != segment.Setup || v.arms[quic].figure(segment.QUIC).N == 0 || other.figure(segment.TLS).N == 0 || other.Answer.TLS != "1.3" {
			continue
		}
		quicker := e.Saved() && quic == 1 || e.Lost() && quic == 0
		if quicker && seen(q, reading.QUICRetry|reading.QUICVersion|reading.QUICStall, "") == "no " {
			return "QUIC spent one round trip on setup where TCP and TLS spent two."
		}
	}
	return ""
}

// Most of a change is more than half of it, all of it is nineteen parts in twenty.
const (
	mostOf = 0.5
	allOf  = 0.95
)

// carrier names setup or the one row that carries most of the change, when one does.
func (v *view) carrier(counts func(*ledger.Entry) bool) string {
	best, bestKey, setup := int64(0), segment.Total, int64(0)
	for i := range v.c.Entries {
		e, change := &v.c.Entries[i], v.shown.change(i)
		if !counts(e) {
			continue
		}
		if isSetup(e.Key) {
			setup += change
		}
		if change*change > best*best {
			best, bestKey = change, e.Key
		}
	}
	if setup*setup >= best*best && setup != 0 {
		best, bestKey = setup, segment.Setup
	}
	share := float64(best) / float64(v.totals()[1]-v.totals()[0])
	if bestKey == segment.Total || share < mostOf {
		return ""
	}
	how := "Most"
	if share >= allOf {
		how = "All"
	}
	before, after := v.shown.key(bestKey)
	return fmt.Sprintf("%s of it is in %s: %s -> %s ms.", how, v.rowName(bestKey), v.s.text(before), v.s.text(after))
}

func isSetup(k segment.Key) bool {
	for _, s := range setupParts {
		if k == s {
			return true
		}
	}
	return k == segment.Setup
}

func (v *view) smallSentence() string {
	by := v.s.text(v.size()) + " ms"
	if v.size() == 0 {
		by = "less than " + v.s.text(1) + " ms"
	}
	return fmt.Sprintf("%s %s %s%s at p50%s (%s ms, %s, %s): less than anybody notices.", v.lead(), by, v.direction(),
		v.than(), v.withoutDNS(), v.arrow(), v.sizeLimits(), v.howMany())
}

func (v *view) probableSentence() string {
	far := max(-v.c.Total.Lo, 0)
	if v.c.Total.Delta > 0 {
		far = max(v.c.Total.Hi, 0)
	}
	return fmt.Sprintf("%s probably %s%s at p50%s, by 0 to %s ms (%s ms, %s); the size is not pinned down.", v.lead(),
		v.direction(), v.than(), v.withoutDNS(), v.s.MS(ns(far)), v.arrow(), v.howMany())
}

func (v *view) openSentence() string {
	head := fmt.Sprintf("No verdict%s%s: p50 moved somewhere between %s and %s ms (%s ms, %s).", fromPlace(v.from), v.withoutDNS(),
		v.s.Change(ns(v.c.Total.Lo)), v.s.Change(ns(v.c.Total.Hi)), v.arrow(), v.howMany())
	var plans []string
	for _, n := range v.c.Needed {
		plans = append(plans, fmt.Sprintf("about %s %s", Thousands(int64(n.N)), v.wouldSettle(n, len(plans) == 0)))
	}
	if len(plans) == 0 {
		return head
	}
	text := strings.Join(plans, ", ") + "."
	return head + " A" + strings.TrimPrefix(text, "a")
}

func (v *view) wouldSettle(n ledger.Needed, first bool) string {
	noun := "requests a side"
	if v.c.Interleaved {
		noun = "pairs"
	}
	if first {
		noun += " would settle"
	}
	return noun + " " + v.s.MS(ns(n.Detect)) + " ms"
}

func (v *view) correlatedSentence() string {
	worst := 0
	if v.c.Drift.Effective[1] < v.c.Drift.Effective[0] {
		worst = 1
	}
	return fmt.Sprintf("No verdict%s: the %d exchanges of %s depend on each other and are worth about %d independent ones, "+
		"too few for an interval (%s ms, %s).", fromPlace(v.from), v.arms[worst].N(), v.names[worst],
		int(math.Round(v.c.Drift.Effective[worst])), v.arrow(), v.howMany())
}

// signedPercent writes a ratio less one: "+31 %", "-6.2 %".
func signedPercent(ratio float64, decimals int) string {
	text := strconv.FormatFloat(100*ratio, 'f', decimals, 64)
	if v, _ := strconv.ParseFloat(text, 64); v == 0 {
		return strings.TrimPrefix(text, "-") + " %"
	} else if v > 0 {
		text = "+" + text
	}
	return text + " %"
}

// probability writes a p as prose has it: ".41", "1.0", "< .001".
func probability(p float64) string {
	switch {
	case p >= 0.995:
		return "1.0"
	case p < 0.001:
		return "< .001"
	case p < 0.095:
		return strings.TrimPrefix(strconv.FormatFloat(p, 'f', 3, 64), "0")
	}
	return strings.TrimPrefix(strconv.FormatFloat(p, 'f', 2, 64), "0")
}
