package reading

import (
	"github.com/coldsplit/coldsplit/pkg/geo"
	"github.com/coldsplit/coldsplit/pkg/provider"
	"github.com/coldsplit/coldsplit/pkg/record"
)

// Options say how recorded exchanges are read. The zero value reads what the providers' rules and
// this project's own names say.
type Options struct {
	Mapping provider.Mapping // what the user says of headers and metrics of their own
	From    *geo.Place       // where the client stood; nil takes the run's own vantage
}

// Headers returns the lower-case names of the headers a reading with o looks at, beside those of
// provider.Headers: whoever records exchanges keeps these.
func (o *Options) Headers() []string { return o.Mapping.Headers() }

// Parts takes the wait of one exchange apart. To read many exchanges use a [Builder], which reads
// equal responses once.
func (o *Options) Parts(ex *record.Exchange) Parts { return newReader(*o).parts(ex) }

// Skip names what of a record no reading needs: passing over it makes a long file read faster.
func (o *Options) Skip() record.Parts { return record.PartInterim | record.PartAttempts }
