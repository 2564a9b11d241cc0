package ledger

import "github.com/coldsplit/coldsplit/pkg/stats"

// Control is a route nobody moved: what it did answers what else changed.
type Control struct {
	Name string
	N    int // ok exchanges; of the smaller side when there are two

	// Change is the control route before against after, found in both runs; nil in a live run.
	Change *Comparison
	// Trend is the control's own drift over a live run.
	Trend stats.Trend
}

// ControlDuring is a control that was measured together with the arms.
func ControlDuring(control Arm) *Control {
	return &Control{Name: control.Route.Name, N: control.N(), Trend: stats.TrendOf(control.Totals())}
}

// ControlAcross is a control that both runs measured.
func ControlAcross(before, after Arm) *Control {
	return &Control{
		Name: after.Route.Name, N: min(before.N(), after.N()),
		Change: Compare(before, after), Trend: stats.Trend{P: 1},
	}
}

// Moved reports whether the control changed beyond chance: then the change of the arms is not the
// route's alone.
func (c *Control) Moved() bool {
	if c.Change != nil {
		return c.Change.Total.ExcludesZero()
	}
	return c.Trend.P < significance
}
