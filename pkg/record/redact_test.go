package record_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/coldsplit/coldsplit/pkg/record"
)

func TestRedactedRunAndExchangeNameNobody(t *testing.T) {
	var r record.Redactor
	r.City("NRT")
	in, x := fullRun(), fullExchange()
	x.Remote, x.ProxyTLS.Issuer = "[2001:db8::9]:443", "proxy.example inspection"
	x.Notes = []string{"api.example.com answered from 203.0.113.9:443, see Sydney", "lookup WWW.Example.com: no such host"}
	x.Error.Text = `read tcp 10.1.2.3:5555->203.0.113.9:443: connection reset by "edge.example.net."`
	x.Headers["via"] = []string{"1.1 edge.example.net, 1.1 varnish"}
	run, got := r.Run(&in), r.Exchange(&x)
	text := fmt.Sprintf("%+v %+v %+v %+v %+v %+v", run, got, *got.DNS, *got.TLS, *got.ProxyTLS, *got.Error)
	for _, bad := range []string{"example", "203.0.113", "192.0.2", "2001:db8", "10.1.2.3", "ydney", "NRT", "-33.87", "cd34"} {
		if strings.Contains(text, bad) {
			t.Errorf("%q is still there:\n%s", bad, text)
		}
	}
	for have, want := range map[string]string{
		run.Routes[0].URL:               "https://host-1/v1/ping",
		run.Routes[1].Proxy:             "http://host-2:3128",
		run.Routes[0].Via:               "addr-1",
		run.Vantage.From:                "city-2",
		got.Remote:                      "[addr-3]:443",
		got.Notes[0]:                    "host-1 answered from addr-1:443, see city-2",
		got.Notes[1]:                    "lookup host-4: no such host",
		got.Error.Text:                  `read tcp addr-4:5555->addr-1:443: connection reset by "host-3."`,
		got.Headers["via"][0]:           "1.1 host-3, 1.1 varnish",
		got.Headers["cf-ray"][0]:        "8f0123456789abcd-city-1",
		got.TLS.Names[1]:                "*.host-1",
		got.Attempts[1].Addr:            "addr-1:443",
		got.ProxyTLS.ServerName:         "host-2",
		got.Throttle.Limit:              "ratelimit-remaining: 0",
		got.Headers["server-timing"][0]: "cfEdge;dur=9",
	} {
		if have != want {
			t.Errorf("got %q, want %q", have, want)
		}
	}
	if x.Route != "before" || x.Remote != "[2001:db8::9]:443" || in.Vantage.From != "sydney" {
		t.Error("the original was changed")
	}
}

func TestRedactedEndNamesNobody(t *testing.T) {
	var r record.Redactor
	in := fullRun()
	in.Routes[0].Name = "api.example.com"
	run := r.Run(&in)
	end := record.End{
		Arms:  []record.ArmEnd{{Route: "api.example.com", Failure: "certificate for www.example.com"}},
		Notes: []string{"q7zk2.invalid resolves to 192.0.2.1"},
	}
	got := r.End(&end)
	want := record.End{
		Arms:  []record.ArmEnd{{Route: "host-1", Failure: "certificate for host-3"}},
		Notes: []string{"q7zk2.invalid resolves to addr-3"},
	}
	if d := cmp.Diff(want, got); d != "" || run.Routes[0].Name != "host-1" {
		t.Error(d, run.Routes[0].Name)
	}
	if end.Arms[0].Route != "api.example.com" {
		t.Error("the original was changed")
	}
}

func TestRedactionIsTheSameEachTime(t *testing.T) {
	once := func() string {
		var r record.Redactor
		in, x := fullRun(), fullExchange()
		x.Headers["a"], x.Headers["b"] = []string{"198.51.100.1"}, []string{"198.51.100.2"}
		out, err := json.Marshal([]any{r.Run(&in), r.Exchange(&x)})
		if err != nil {
			t.Fatal(err)
		}
		return string(out)
	}
	first := once()
	for range 20 {
		if d := cmp.Diff(first, once()); d != "" {
			t.Fatal(d)
		}
	}
}

func TestRedactText(t *testing.T) {
	var r record.Redactor
	r.Host("api.example.com:8443")
	r.Host("db1")
	r.City("New York")
	r.City("fra")
	for _, c := range [][2]string{
		{"api.example.com.", "host-1."},
		{"API.example.COM:443", "host-1:443"},
		{"www.example.com/api.html", "host-3/api.html"},
		{"https://db1/db1x?db1=1", "https://host-2/db1x?host-2=1"},
		{"::1 and 127.0.0.1:80", "::1 and 127.0.0.1:80"},
		{"fe80::1%eth0", "addr-1%eth0"},
		{"::ffff:203.0.113.9", "addr-2"},
		{"203.0.113.9", "addr-2"},
		{"203.0.113.9.", "addr-2."},
		{"to new york, New York", "to city-1, city-1"},
		{"fra1::cache-fra-eddf8230152", "city-21::cache-city-2-eddf8230152"},
		{"frame sql.active_record 1.25", "frame sql.active_record 1.25"},
		{"at 10:20:30, 12 ms", "at 10:20:30, 12 ms"},
		{"naïve café", "naïve café"},
		{"a::b::c", "a::b::c"},
	} {
		if got := r.Text(c[0]); got != c[1] {
			t.Errorf("%q\ngot  %q\nwant %q", c[0], got, c[1])
		}
	}
	if (&record.Redactor{}).City(" ") != "" {
		t.Error("no city got an alias")
	}
}
