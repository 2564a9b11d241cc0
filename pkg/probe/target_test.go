package probe_test

import (
	"net/url"
	"strings"
	"testing"

	"github.com/coldsplit/coldsplit/pkg/probe"
)

func TestCheckNamesWhatNoExchangeCouldHonour(t *testing.T) {
	at := func(raw string) *url.URL {
		u, err := url.Parse(raw)
		if err != nil {
			t.Fatal(err)
		}
		return u
	}
	https, http := at("https://api.test/"), at("http://api.test/")
	for want, target := range map[string]*probe.Target{
		"":                               {URL: https},
		"no URL with a host":             {URL: at("https:///path")},
		`URL scheme "ftp"`:               {URL: at("ftp://api.test/")},
		"address family 5":               {URL: https, Family: 5},
		`protocol "spdy"`:                {URL: https, Protocol: "spdy"},
		`state "hot"`:                    {URL: https, State: "hot"},
		"h3 needs https":                 {URL: http, Protocol: probe.HTTP3},
		"h3 does not go through a proxy": {URL: https, Protocol: probe.HTTP3, Proxy: at("http://proxy.test:3128")},
		"state early needs h3":           {URL: https, Protocol: probe.HTTP2, State: probe.Early},
		"and GET or HEAD":                {URL: https, Protocol: probe.HTTP3, State: probe.Early, Method: "POST"},
		"state resumed needs https":      {URL: http, State: probe.Resumed},
		`proxy scheme "ftp"`:             {URL: https, Proxy: at("ftp://proxy.test")},
		`proxy "http://" has no host`:    {URL: https, Proxy: at("http://")},
		"fetches an http URL by itself":  {URL: http, Proxy: at("http://proxy.test"), Via: "192.0.2.1"},
		`via "192.0.2.1:": want`:         {URL: https, Via: "192.0.2.1:"},
		`via "[2001:db8::1": want`:       {URL: https, Via: "[2001:db8::1"},
		`port "99999": want 1 to 65535`:  {URL: https, Via: "edge.test:99999"},
	} {
		err := target.Check()
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want %q", target, err, want)
		}
	}
}
