package reading_test

import (
	"testing"
	"time"

	"github.com/coldsplit/coldsplit/pkg/reading"
	"github.com/coldsplit/coldsplit/pkg/record"
	"github.com/coldsplit/coldsplit/pkg/segment"
)

// FuzzParts holds that no response makes a reading panic, a part negative, a whole other than the sum
// of its parts, or what is reported longer than the wait by more than the tolerance said.
func FuzzParts(f *testing.F) {
	f.Add("pre_forward;dur=127, upstream;dur=102, origin;dur=97", "8f-NRT", "0.05", int64(239*ms))
	f.Add("upstream.network;dur=1e3, upstream.origin;dur=NaN", "", "-1", int64(0))
	f.Add("cdn-upstream-fbl;dur=177, cdn-downstream-fbl;dur=436", "x", "12ms", int64(ms))
	f.Fuzz(func(t *testing.T, timing, ray, mappedValue string, wait int64) {
		if wait < 0 || wait > int64(time.Hour) {
			return
		}
		ex := exchange(0, 6*ms, time.Duration(wait))
		ex.Headers = record.Fields{"server-timing": {timing}, "cf-ray": {ray}, "x-up": {mappedValue}, "x-vercel-id": {ray}}
		for _, opt := range []reading.Options{{}, mapped(t, []string{"upstream=header:x-up"}, "state=header:x-up")} {
			set := read(t, opt, run(), ex)
			a, tolerance := set.Arms[0], set.Arms[0].Tolerance
			part := func(k segment.Key) (d time.Duration, ok bool) {
				if col := a.Column(k); col != nil && col[0] != reading.Absent {
					return time.Duration(col[0]), true
				}
				return 0, false
			}
			pre, _ := part(segment.WaitPreForward)
			up, whole := part(segment.WaitUpstream)
			net, hasNet := part(segment.WaitUpstreamNetwork)
			org, hasOrg := part(segment.WaitUpstreamOrigin)
			if pre < 0 || up < 0 || net < 0 || org < 0 || hasNet != hasOrg || hasNet && (!whole || net+org != up) {
				t.Fatalf("pre_forward %v, upstream %v = %v + %v", pre, up, net, org)
			}
			if pre+up > time.Duration(wait)+tolerance {
				t.Fatalf("%v + %v reported of a wait of %v, tolerance %v", pre, up, time.Duration(wait), tolerance)
			}
		}
	})
}
