package ledger

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/coldsplit/coldsplit/pkg/record"
	"github.com/coldsplit/coldsplit/pkg/segment"
	"github.com/coldsplit/coldsplit/pkg/stats"
)

// RuleKind is what a rule's limit is on.
type RuleKind uint8

// The kinds of rule.
const (
	Relative RuleKind = iota // change of a percentile as a share of before: +10%
	Absolute                 // change of a percentile: +20ms
	Level                    // percentile of after: 250ms
	Share                    // share of after's exchanges: 1%
)

// Rule is one --max: what must not be exceeded. Its text holds no character a shell would take.
type Rule struct {
	Text       string // as written
	Kind       RuleKind
	Key        segment.Key // of a percentile
	Percentile stats.Percentile
	Outcome    record.Outcome // of a Share: throttled or failed
	Share      float64        // limit of Relative and Share: 0.1 is 10 %
	Duration   int64          // limit of Absolute and Level, nanoseconds
}

// RuleForm says how a rule is written.
const RuleForm = "METRIC=LIMIT: total.p50=+10% or =+20ms (change), wait.p90=250ms (of after), failed=1%, throttled=2%"

// ParseRule reads a rule. The error quotes the text and shows the form.
func ParseRule(text string) (Rule, error) {
	metric, limit, found := strings.Cut(text, "=")
	if !found || limit == "" {
		return Rule{}, fmt.Errorf("rule %q: no limit; want %s", text, RuleForm)
	}
	r := Rule{Text: text}
	if err := r.parseMetric(metric); err != nil {
		return Rule{}, fmt.Errorf("rule %q: %w; want %s", text, err, RuleForm)
	}
	if err := r.parseLimit(limit); err != nil {
		return Rule{}, fmt.Errorf("rule %q: %w; want %s", text, err, RuleForm)
	}
	return r, nil
}

func (r *Rule) parseMetric(metric string) error {
	switch o := record.Outcome(metric); o {
	case record.Failed, record.Throttled:
		r.Kind, r.Outcome = Share, o
		return nil
	}
	if _, bare := segment.Parse(metric); bare {
		return fmt.Errorf("%q names no percentile, as %s.p50 does", metric, metric)
	}
	dot := strings.LastIndex(metric, ".p")
	if dot < 0 {
		return fmt.Errorf("unknown metric %q", metric)
	}
	key, known := segment.Parse(metric[:dot])
	if !known {
		return fmt.Errorf("unknown segment %q", metric[:dot])
	}
	p, err := stats.ParsePercentile(metric[dot+1:])
	if err != nil {
		return err
	}
	r.Key, r.Percentile = key, p
	return nil
}

func (r *Rule) parseLimit(limit string) error {
	signed := limit[0] == '+' || limit[0] == '-'
	percent, isShare := strings.CutSuffix(limit, "%")
	switch {
	case r.Kind == Share && (signed || !isShare):
		return fmt.Errorf("%s is a share of after: want a percentage without a sign, got %q", r.Outcome, limit)
	case isShare && !signed && r.Kind != Share:
		return fmt.Errorf("a change carries its sign: want +%s, got %q", limit, limit)
	case isShare:
		return r.parseShare(percent, limit)
	}
	d, err := time.ParseDuration(limit)
	if err != nil {
		return fmt.Errorf("limit %q is no duration and no percentage", limit)
	}
	r.Kind, r.Duration = Level, int64(d)
	if signed {
		r.Kind = Absolute
	}
	return nil
}

func (r *Rule) parseShare(percent, limit string) error {
	v, err := strconv.ParseFloat(percent, 64)
	if err != nil || v != v || v <= -100 || v > 1e6 || r.Kind == Share && v > 100 {
		return fmt.Errorf("limit %q is no percentage", limit)
	}
	r.Share = v / 100
	return nil
}
