package reading_test

import (
	"fmt"
	"testing"

	"github.com/coldsplit/coldsplit/pkg/reading"
	"github.com/coldsplit/coldsplit/pkg/record"
)

// BenchmarkAdd reads one exchange into a set: without a field of interest, with fields that many
// responses share, and with figures no two responses share.
func BenchmarkAdd(b *testing.B) {
	unique := func(i int) string { return fmt.Sprintf("server-timing: pre_forward;dur=12.%06d, upstream;dur=60", i) }
	for _, c := range []struct {
		name string
		ex   func(i int) *record.Exchange
	}{
		{"bare", func(int) *record.Exchange { return exchange(0, 6*ms, 239*ms, "content-type: text/html") }},
		{"shared", func(i int) *record.Exchange {
			return exchange(0, 6*ms, 239*ms, fmt.Sprintf("cf-ray: %016x-NRT", i), "server-timing: pre_forward;dur=12, upstream;dur=60")
		}},
		{"unique", func(i int) *record.Exchange { return exchange(0, 6*ms, 239*ms, unique(i)) }},
	} {
		b.Run(c.name, func(b *testing.B) {
			var some []*record.Exchange
			for i := range 5000 {
				some = append(some, c.ex(i))
			}
			set := reading.NewBuilder(run(), reading.Options{})
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				if err := set.Add(some[i%len(some)]); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
