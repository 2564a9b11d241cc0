package provider

import "testing"

func TestSubPart(t *testing.T) {
	for _, tt := range []struct{ value, sub, want string }{
		{"total;dur=12, kv=3", "total", "12"},
		{"total;dur=12, kv=3", "kv", "3"},
		{"total ; desc=\"a, b\" ; dur = 12", "total", "12"},
		{"a=1;b=2", "b", "2"},
		{"a=1;b=2", "B", "2"},
		{"a = 1 ; b = \"x, y\"", "b", "x, y"},
		{"?proto=TCP&rtt=20966", "rtt", "20966"},
		{"total: 12, kv: 3", "kv", "3"},
		{"total=12 kv=3", "kv", "3"},
		{"Ref A: 00 Ref B: BOM02EDGE0712 Ref C: 2020-11-09T10:50:10Z", "B", "BOM02EDGE0712"},
		{"Ref A: 00 Ref B: BOM02EDGE0712 Ref C: 2020-11-09T10:50:10Z", "C", "2020-11-09T10:50:10Z"},
		{"FRA, LAX", "1", "FRA"},
		{"FRA, LAX", "-1", "LAX"},
		{"1=a, 2=b", "2", "b"},
		{`{"total":12.5,"at":{"colo":"IAD"}}`, "total", "12.5"},
		{`{"total":12.5,"at":{"colo":"IAD"}}`, "at.colo", "IAD"},
	} {
		if got, ok := subPart(tt.value, tt.sub); !ok || got != tt.want {
			t.Errorf("#%s of %q = %q, %v; want %q", tt.sub, tt.value, got, ok, tt.want)
		}
	}
	for _, tt := range [][2]string{
		{"total;desc=x, dur=12", "total"}, {"a=1", "b"}, {"FRA", "2"}, {"FRA", "0"}, {"FRA", "-2"}, {"", "1"},
		{`{"a":[1]}`, "a"}, {`{"a":1`, "b"}, {`{"a":1}`, "a.b"},
	} {
		if got, ok := subPart(tt[0], tt[1]); ok {
			t.Errorf("#%s of %q = %q, want nothing", tt[1], tt[0], got)
		}
	}
}

func FuzzSubPart(f *testing.F) {
	f.Add("total;dur=12, kv=3", "kv")
	f.Add(`{"a":{"b":1}}`, "a.b")
	f.Add("=:=\"", "-1")
	f.Fuzz(func(t *testing.T, value, sub string) {
		if part, ok := subPart(value, sub); !ok && part != "" {
			t.Fatalf("#%s of %q gives %q and no", sub, value, part)
		}
	})
}
