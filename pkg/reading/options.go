package reading

import (
	"time"

	"github.com/coldsplit/coldsplit/pkg/geo"
	"github.com/coldsplit/coldsplit/pkg/provider"
	"github.com/coldsplit/coldsplit/pkg/record"
)

// Options say how recorded exchanges are read. The zero value reads what the providers' rules and
// this project's own names say.
type Options struct {
	Mapping provider.Mapping // what the user says of headers and metrics of their own
	From    *geo.Place       // where the client stood; nil takes the run's own vantage

	// By splits every route into arms by a dimension, see [Arm] Group. Group maps values to the group
	// they are counted in; values it does not have go to [Other]. A nil Group leaves every value alone:
	// whoever pools rare values reads once to count them ([Set.Counts]) and once more with Group.
	By    By
	Group map[string]string

	// AtRTT, when not 0, computes every ok exchange for a user whose round trip to whoever answers
	// the connection is AtRTT: projected, not measured. It takes no one nearer.
	AtRTT time.Duration
}

// Headers returns the lower-case names of the headers a reading with o looks at, beside those of
// provider.Headers: whoever records exchanges keeps these.
func (o *Options) Headers() []string {
	names := o.Mapping.Headers()
	if o.By.kind == byHeader {
		names = append(names, o.By.header)
	}
	return names
}

// Parts takes the wait of one exchange apart. To read many exchanges use a [Builder], which reads
// equal responses once.
func (o *Options) Parts(ex *record.Exchange) Parts {
	r := newReader(*o)
	return *r.parts(ex, r.told(ex))
}
