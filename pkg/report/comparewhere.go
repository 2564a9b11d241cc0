package report

import (
	"fmt"
	"strings"
)

// where holds the places of both arms against each other.
func (v *view) where() (Table, bool) {
	roles := rolesOf(v.arms)
	if len(roles) == 0 {
		return Table{}, false
	}
	t := Table{Columns: []Column{{Head: "where", Min: 14}, {Head: v.heads[0], Min: 12, Gap: 3}, {Head: v.heads[1], Min: 12, Gap: 3}, {}}}
	for _, role := range roles {
		before, evidence := placeOf(v.arms[0], role)
		after, more := placeOf(v.arms[1], role)
		if evidence == "" {
			evidence = more
		}
		t.Rows = append(t.Rows, Row{Depth: 1, Cells: []Cell{
			{Text: Clip(role, clipName)}, {Text: before}, {Text: after}, {Text: Clip(evidence, clipText)},
		}})
	}
	return t, true
}

func rolesOf(arms [2]Arm) []string {
	var roles []string
	for _, a := range arms {
		for _, p := range a.Places {
			roles = addNew(roles, p.Role)
		}
	}
	return roles
}

// placeOf is "GRU 25/25", the sites of a role in order of frequency.
func placeOf(a Arm, role string) (sites, evidence string) {
	var out []string
	for _, p := range a.Places {
		if p.Role != role || p.Site == "" {
			continue
		}
		out = append(out, fmt.Sprintf("%s %d/%d", ASCII(Clip(p.Site, clipSite)), p.Seen, p.Of))
		if evidence == "" {
			evidence = p.Evidence
		}
	}
	if len(out) == 0 {
		return "unknown", ""
	}
	return strings.Join(out, ", "), evidence
}
