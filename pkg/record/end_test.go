package record_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/coldsplit/coldsplit/pkg/record"
)

func TestHowARunEndedComesBack(t *testing.T) {
	want := record.End{
		Counts: record.Counts{Asked: 50, OK: 10, Throttled: 1, NotSent: 39}, Stop: "long-pause",
		Arms: []record.ArmEnd{
			{Route: "before", Counts: record.Counts{Asked: 25, OK: 5, Throttled: 1, NotSent: 19}},
			{Route: "after", Counts: record.Counts{Asked: 25, OK: 5, NotSent: 20, Priming: 5}, Stop: "failures", Failure: "tcp timeout 0", Alike: 3},
		},
		Pauses: []record.Pause{{After: 3, For: 20 * time.Second, Granted: true}, {After: 10, For: time.Hour}},
		Notes:  []string{"stopped by the user"},
	}
	var d record.Decoder
	got, err := d.End(record.AppendEnd(nil, &want))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, *got); diff != "" {
		t.Errorf("the end line came back changed (-want +got):\n%s", diff)
	}
}
