package reading_test

import (
	"fmt"
	"testing"

	"github.com/coldsplit/coldsplit/pkg/reading"
	"github.com/coldsplit/coldsplit/pkg/record"
)

func TestParseBy(t *testing.T) {
	for _, text := range []string{"place.accepted", "place.compute", "header:x-backend", "family", "protocol", "from", ""} {
		by, err := reading.ParseBy(text)
		if err != nil || by.String() != text || by.Set() != (text != "") {
			t.Errorf("ParseBy(%q) = %q, %v", text, by, err)
		}
	}
	for _, text := range []string{"place", "place.here", "header:", "accepted", "Family"} {
		if _, err := reading.ParseBy(text); err == nil {
			t.Errorf("ParseBy(%q) found a dimension", text)
		}
	}
}

func byOf(t *testing.T, text string) reading.By {
	t.Helper()
	by, err := reading.ParseBy(text)
	if err != nil {
		t.Fatal(err)
	}
	return by
}

// mixed is a run over both families, three sites and two backends, of which one is rare.
func mixed() []*record.Exchange {
	var out []*record.Exchange
	for i := range 12 {
		site := []string{"GRU", "GRU", "EZE"}[i%3]
		ex := exchange(i, 6*ms, 99*ms, fmt.Sprintf("cf-ray: %02d-%s", i, site), "x-backend: b1")
		if i%4 == 3 {
			ex.Family = 6
		}
		out = append(out, ex)
	}
	out[5].Headers["x-backend"] = []string{"b2"}
	delete(out[6].Headers, "x-backend")
	return out
}

func TestArmsByDimension(t *testing.T) {
	for by, want := range map[string]string{
		"place.accepted": "GRU:8 EZE:4 ", "place.compute": "unknown:12 ", "family": "IPv4:9 IPv6:3 ", "protocol": "h2:12 ",
		"header:x-backend": "b1:10 b2:1 unknown:1 ", "from": "sydney:12 ",
	} {
		r := run()
		r.Vantage.From = "sydney"
		set := read(t, reading.Options{By: byOf(t, by)}, r, mixed()...)
		got, n := "", 0
		for _, a := range set.ArmsOf("r") {
			got += fmt.Sprintf("%s:%d ", a.Group, a.N())
			n += a.Counts.Asked
		}
		if got != want || n != 12 {
			t.Errorf("%s: %q of %d, want %q of 12", by, got, n, want)
		}
	}
}

func TestGroupsPoolWhatIsRare(t *testing.T) {
	opt := reading.Options{By: byOf(t, "header:x-backend"), Group: map[string]string{"b1": "b1", "b2": reading.Other, reading.Unnamed: reading.Other}}
	set := read(t, opt, run(), mixed()...)
	if len(set.Arms) != 2 || set.Arms[0].Group != "b1" || set.Arms[1].Group != reading.Other || set.Arms[1].N() != 2 {
		t.Errorf("arms %v", set.Arms)
	}
}

func TestCountsByGroup(t *testing.T) {
	set := read(t, reading.Options{By: byOf(t, "header:x-backend")}, run(), mixed()...)
	if got := fmt.Sprint(set.Counts("r")); got != "map[b1:10 b2:1 unknown:1]" {
		t.Errorf("counts %s", got)
	}
}

func TestADimensionWithManyValuesEndsInOneGroup(t *testing.T) {
	var all []*record.Exchange
	for i := range 500 {
		all = append(all, exchange(i, 6*ms, 99*ms, fmt.Sprintf("x-request-id: %d", i)))
	}
	set := read(t, reading.Options{By: byOf(t, "header:x-request-id")}, run(), all...)
	n := 0
	for _, a := range set.Arms {
		n += a.N()
	}
	if last := set.Arms[len(set.Arms)-1]; len(set.Arms) > 65 || n != 500 || last.Group != reading.Other {
		t.Errorf("%d arms with %d rows, the last is %q", len(set.Arms), n, last.Group)
	}
}
