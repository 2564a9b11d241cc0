package summary

import (
	"testing"
	"time"

	"github.com/coldsplit/coldsplit/pkg/reading"
	"github.com/coldsplit/coldsplit/pkg/record"
	"github.com/coldsplit/coldsplit/pkg/segment"
)

// A slow exchange saw the worst lateness because it was slow, not the other way round.
func TestASlowExchangeIsBusyOnlyWhenLatenessExplainsIt(t *testing.T) {
	late := map[int]time.Duration{9: 20 * time.Millisecond, 19: 200 * time.Millisecond}
	s := Of(made(t, 30, func(i int, x *record.Exchange) {
		if by, slow := late[i]; slow {
			x.Segments.Set(segment.Wait, 480*time.Millisecond)
			x.SchedLag, x.HasLag = by, true
		}
	}))
	if len(s.Slow) != 2 {
		t.Fatalf("slow %+v", s.Slow)
	}
	if s.Slow[0].Marks&reading.Busy != 0 || s.Slow[0].Late != 0 {
		t.Errorf("20 ms late in 380 ms of excess: %+v", s.Slow[0])
	}
	if s.Slow[1].Marks&reading.Busy == 0 || s.Slow[1].Late != 200*time.Millisecond {
		t.Errorf("200 ms late in 380 ms of excess: %+v", s.Slow[1])
	}
}
