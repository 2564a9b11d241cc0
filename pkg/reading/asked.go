package reading

import (
	"slices"

	"github.com/coldsplit/coldsplit/pkg/record"
)

// asked is what the user asked to be read and which of it any response had: a name mistyped is
// otherwise a row that is not there.
type asked struct {
	ok    bool   // any exchange was ok
	has   []bool // as provider.Mapping.Present
	named bool   // any exchange had a value of the dimension
}

func (a *asked) see(ex *record.Exchange, told *told) {
	a.ok = a.ok || ex.Outcome == record.OK
	if told == nil {
		return
	}
	for len(a.has) < len(told.has) {
		a.has = append(a.has, false)
	}
	for i, has := range told.has {
		a.has[i] = a.has[i] || has
	}
}

// missing are warnings of what no response had. The places of a rehearsal are the scenario's, of which
// its routes may need some only.
func (a *asked) missing(r *reader, run *record.Run) []string {
	if !a.ok {
		return nil
	}
	var out []string
	maps := r.mapping.Maps()
	for i, text := range slices.Concat(maps, r.mapping.PlaceTexts()) {
		flag := "--map "
		if i >= len(maps) {
			flag = "--place "
		}
		if i < len(a.has) && a.has[i] || i >= len(maps) && run.Rehearsed {
			continue
		}
		out = append(out, flag+text+": no recorded response has it")
	}
	if r.by.Set() && !a.named {
		out = append(out, "--by "+r.by.String()+": no recorded response has it")
	}
	return out
}
