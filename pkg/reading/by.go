package reading

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/coldsplit/coldsplit/pkg/provider"
	"github.com/coldsplit/coldsplit/pkg/record"
)

// By is a dimension by which the exchanges of a route are told apart. The zero By tells nothing apart.
type By struct {
	kind   byKind
	role   provider.PlaceRole
	header string // lower case
}

type byKind uint8

const (
	byNothing byKind = iota
	byPlace
	byHeader
	byFamily
	byProtocol
	byFrom
)

// Unnamed is the value of exchanges that do not say.
const Unnamed = "unknown"

// ParseBy reads a dimension: place.ROLE, header:NAME, family, protocol or from. "" is the zero By.
func ParseBy(text string) (By, error) {
	switch text {
	case "":
		return By{}, nil
	case "family":
		return By{kind: byFamily}, nil
	case "protocol":
		return By{kind: byProtocol}, nil
	case "from":
		return By{kind: byFrom}, nil
	}
	if name, ok := strings.CutPrefix(text, "header:"); ok && name != "" {
		return By{kind: byHeader, header: strings.ToLower(name)}, nil
	}
	if name, ok := strings.CutPrefix(text, "place."); ok {
		for role := provider.Accepted; role <= provider.State; role++ {
			if role.String() == name {
				return By{kind: byPlace, role: role}, nil
			}
		}
	}
	return By{}, fmt.Errorf("unknown dimension %q: expected place.accepted, place.tier, place.compute, place.state, header:NAME, family, protocol or from", text)
}

// String spells b as ParseBy reads it.
func (b By) String() string {
	switch b.kind {
	case byPlace:
		return "place." + b.role.String()
	case byHeader:
		return "header:" + b.header
	case byFamily:
		return "family"
	case byProtocol:
		return "protocol"
	case byFrom:
		return "from"
	}
	return ""
}

// Set reports whether b tells anything apart.
func (b By) Set() bool { return b.kind != byNothing }

// value is what ex has of the dimension.
func (b By) value(run *record.Run, ex *record.Exchange, told *told) string {
	v := ""
	switch b.kind {
	case byPlace:
		if told != nil {
			if p := told.first(b.role); p != nil {
				v = p.Site
			}
		}
	case byHeader:
		v = strings.Join(ex.Headers[b.header], ", ")
	case byFamily:
		if ex.Family != 0 {
			v = "IPv" + strconv.Itoa(ex.Family)
		}
	case byProtocol:
		v = ex.Protocol
	case byFrom:
		v = run.Vantage.From
	}
	if v == "" {
		return Unnamed
	}
	return v
}

// groupOf is the group ex is counted in: its value, or what the options make of that.
func (b *Builder) groupOf(ex *record.Exchange, told *told) string {
	v := b.read.by.value(&b.set.Run, ex, told)
	b.asked.named = b.asked.named || v != Unnamed
	if g, ok := b.read.group[v]; ok {
		return g
	}
	if b.read.group != nil {
		return Other
	}
	return v
}

// Counts are the ok exchanges of a route by group, for a set read by a dimension.
func (s *Set) Counts(route string) map[string]int {
	out := map[string]int{}
	for _, a := range s.ArmsOf(route) {
		out[a.Group] = a.N()
	}
	return out
}

// ArmsOf returns the arms of a route: one, or one for each group when the set was read by a
// dimension.
func (s *Set) ArmsOf(route string) []*Arm {
	var out []*Arm
	for _, a := range s.Arms {
		if a.Route.Name == route {
			out = append(out, a)
		}
	}
	return out
}

// armFor is the arm of a route's group, made when it is first met. A dimension with a new value in
// every response ends in one group for all that have no room.
func (b *Builder) armFor(route *Arm, group string) *Arm {
	many := 0
	for _, a := range b.set.Arms {
		if a.Route.Name != route.Route.Name {
			continue
		}
		if a.Group == group {
			return a
		}
		many++
	}
	if many >= maxValues && group != Other {
		return b.armFor(route, Other)
	}
	a := b.newArm(route.Route)
	a.By, a.Group = b.read.by.String(), strings.Clone(group)
	b.set.Arms = append(b.set.Arms, a)
	return a
}

// orderGroups lists a route's groups by size, what is pooled or unknown last; routes keep their order.
func (b *Builder) orderGroups() {
	at := map[string]int{}
	for i, r := range b.set.Run.Routes {
		at[r.Name] = i
	}
	last := func(a *Arm) int {
		switch a.Group {
		case Other:
			return 1
		case Unnamed:
			return 2
		}
		return 0
	}
	slices.SortStableFunc(b.set.Arms, func(x, y *Arm) int {
		if d := at[x.Route.Name] - at[y.Route.Name]; d != 0 {
			return d
		}
		if d := last(x) - last(y); d != 0 {
			return d
		}
		return y.N() - x.N()
	})
}
