package reading

import (
	"slices"
	"time"

	"github.com/coldsplit/coldsplit/pkg/provider"
	"github.com/coldsplit/coldsplit/pkg/segment"
)

// Limit is what responses say of a part of wait without stating it: a bound, an interval, or a time
// beside the cut. It is told beside the table and never enters it: a difference of two bounds is no
// measurement.
type Limit struct {
	Key    segment.Key // the part, Wait for a Total or a Function
	Role   provider.Role
	Bound  provider.Bound
	Source string
	Lo     [2]time.Duration // smallest and largest lower end seen
	Hi     [2]time.Duration // the same of the upper end; provider.NoLimit where there is none
	N      int
}

type limits struct{ list []Limit }

func (l *limits) add(s *provider.Span) {
	i := slices.IndexFunc(l.list, func(x Limit) bool {
		return x.Role == s.Role && x.Bound == s.Bound && x.Source == s.Source
	})
	if i < 0 {
		if len(l.list) >= maxValues {
			return
		}
		key, _ := keyOf(s.Role)
		l.list = append(l.list, Limit{
			Key: key, Role: s.Role, Bound: s.Bound, Source: s.Source,
			Lo: [2]time.Duration{s.Lo, s.Lo}, Hi: [2]time.Duration{s.Hi, s.Hi},
		})
		i = len(l.list) - 1
	}
	x := &l.list[i]
	x.N++
	x.Lo = [2]time.Duration{min(x.Lo[0], s.Lo), max(x.Lo[1], s.Lo)}
	x.Hi = [2]time.Duration{min(x.Hi[0], s.Hi), max(x.Hi[1], s.Hi)}
}
