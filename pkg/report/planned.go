package report

import (
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"github.com/coldsplit/coldsplit/pkg/record"
)

// What holds where a plan does not say otherwise.
const (
	plannedRequests = 25
	plannedMaxPause = 60 * time.Second
)

// planned is what a run set out to do, as far as its plan tells: the command line in its long form.
type planned struct{ args []string }

func plannedOf(run record.Run) planned {
	var plan struct {
		Args []string `json:"args"`
	}
	if json.Unmarshal(run.Plan, &plan) != nil {
		return planned{}
	}
	return planned{plan.Args}
}

// flag is the value of a flag, "" when it was not given.
func (p planned) flag(name string) string {
	for _, arg := range p.args {
		if arg == "--" {
			break
		}
		if value, ok := strings.CutPrefix(arg, "--"+name+"="); ok {
			return value
		}
	}
	return ""
}

// requests is how many requests an arm were asked for; 0 when there is no plan.
func (p planned) requests() int {
	if p.args == nil {
		return 0
	}
	if n, err := strconv.Atoi(p.flag("requests")); err == nil {
		return n
	}
	return plannedRequests
}

// maxPause is --max-pause as one writes it: "60s", "1h".
func (p planned) maxPause() string {
	d, err := time.ParseDuration(p.flag("max-pause"))
	if err != nil {
		d = plannedMaxPause
	}
	return flagDuration(d)
}

// flagDuration writes a duration as one types it: "6m", "2h", "90s".
func flagDuration(d time.Duration) string {
	switch {
	case d >= time.Hour && d%time.Hour == 0:
		return strconv.Itoa(int(d/time.Hour)) + "h"
	case d > time.Minute && d%time.Minute == 0:
		return strconv.Itoa(int(d/time.Minute)) + "m"
	}
	return strconv.FormatFloat(d.Seconds(), 'f', -1, 64) + "s"
}
