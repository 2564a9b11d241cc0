package tunnel_test

import (
	"net/url"
	"strings"
	"testing"

	"github.com/coldsplit/coldsplit/pkg/tunnel"
)

func TestParseProxyReadsEveryForm(t *testing.T) {
	for in, want := range map[string]string{
		"proxy.example:3128":                  "http://proxy.example:3128",
		"192.0.2.1:8080":                      "http://192.0.2.1:8080",
		"[2001:db8::1]:8080":                  "http://[2001:db8::1]:8080",
		"user:p%40ss@proxy.example:3128":      "http://user:p%40ss@proxy.example:3128",
		"http://proxy.example":                "http://proxy.example:80",
		"http://proxy.example:3128/":          "http://proxy.example:3128",
		"https://proxy.example":               "https://proxy.example:443",
		"socks5://proxy.example":              "socks5://proxy.example:1080",
		"socks5h://u:p@proxy.example:9050":    "socks5h://u:p@proxy.example:9050",
		"SOCKS5://proxy.example:9050":         "socks5://proxy.example:9050",
		"http://[2001:db8::1]":                "http://[2001:db8::1]:80",
		"https://token:@proxy.example.net:80": "https://token:@proxy.example.net:80",
	} {
		got, err := tunnel.ParseProxy(in)
		if err != nil || got.String() != want {
			t.Errorf("ParseProxy(%q) = %v, %v, want %s", in, got, err, want)
		}
	}
}

func TestParseProxyRefusesWithoutShowingCredentials(t *testing.T) {
	long := strings.Repeat("x", 256)
	for in, want := range map[string]string{
		"":                                         "no host",
		"proxy.example":                            "want HOST:PORT or a URL",
		"http://":                                  "no host",
		"http://:3128":                             "no host",
		"ftp://user:hunter2@proxy.example":         `proxy "ftp://***@proxy.example": unknown scheme "ftp"`,
		"socks4://proxy.example":                   "unknown scheme",
		"http://user:hunter2@proxy.example/path":   "takes no path",
		"http://proxy.example/?q=1":                "takes no path",
		"http://proxy.example:99999":               "not between 1 and 65535",
		"http://user:hunter2@proxy.example:port":   "not a URL",
		"http://user:hunter2%zz@proxy.example":     "not a URL",
		"user:hunter2@proxy.example":               "want HOST:PORT",
		"socks5://" + long + ":hunter2@proxy:1080": "user name of 1 to 255",
		"socks5://user:" + long + "@proxy:1080":    "password of at most 255",
		"socks5://:hunter2@proxy:1080":             "user name of 1 to 255",
	} {
		_, err := tunnel.ParseProxy(in)
		if err == nil {
			t.Errorf("ParseProxy(%q) took it", in)
			continue
		}
		text := err.Error()
		if !strings.Contains(text, want) || strings.ContainsAny(text, "\n") {
			t.Errorf("ParseProxy(%q): %q, want one line with %q", in, text, want)
		}
		if strings.Contains(text, "hunter2") || strings.Contains(text, long) {
			t.Errorf("ParseProxy(%q) shows credentials: %q", in, text)
		}
	}
}

func TestProxyFromEnvironment(t *testing.T) {
	for name, c := range map[string]struct {
		target string
		env    map[string]string
		want   string // "" for none
		err    string
	}{
		"nothing set":              {target: "https://api.example.com/"},
		"https":                    {"https://api.example.com/", map[string]string{"HTTPS_PROXY": "http://proxy.example:3128"}, "http://proxy.example:3128", ""},
		"lower case":               {"https://api.example.com/", map[string]string{"https_proxy": "proxy.example:3128"}, "http://proxy.example:3128", ""},
		"upper case first":         {"https://api.example.com/", map[string]string{"HTTPS_PROXY": "a:1", "https_proxy": "b:1"}, "http://a:1", ""},
		"by scheme":                {"http://api.example.com/", map[string]string{"HTTPS_PROXY": "a:1", "http_proxy": "b:1"}, "http://b:1", ""},
		"all":                      {"https://api.example.com/", map[string]string{"ALL_PROXY": "socks5h://proxy.example"}, "socks5h://proxy.example:1080", ""},
		"excepted by suffix":       {"https://api.example.com/", map[string]string{"HTTPS_PROXY": "a:1", "NO_PROXY": ".example.com"}, "", ""},
		"excepted by network":      {"https://192.0.2.7/", map[string]string{"HTTPS_PROXY": "a:1", "no_proxy": "192.0.2.0/24"}, "", ""},
		"another name is excepted": {"https://api.example.org/", map[string]string{"HTTPS_PROXY": "a:1", "NO_PROXY": ".example.com"}, "http://a:1", ""},
		"this machine":             {"https://localhost/", map[string]string{"HTTPS_PROXY": "a:1"}, "", ""},
		"in a CGI script":          {"http://api.example.com/", map[string]string{"HTTP_PROXY": "a:1", "REQUEST_METHOD": "GET"}, "", ""},
		"wrong form":               {"https://api.example.com/", map[string]string{"https_proxy": "gopher://u:hunter2@a"}, "", `https_proxy: proxy "gopher://***@a": unknown scheme "gopher"`},
	} {
		t.Run(name, func(t *testing.T) {
			target, _ := url.Parse(c.target)
			got, err := tunnel.ProxyFromEnvironment(target, func(k string) string { return c.env[k] })
			if c.err != "" {
				if err == nil || !strings.Contains(err.Error(), c.err) {
					t.Errorf("error %v, want %q", err, c.err)
				}
				return
			}
			spelled := ""
			if got != nil {
				spelled = got.String()
			}
			if err != nil || spelled != c.want {
				t.Errorf("got %q, %v, want %q", spelled, err, c.want)
			}
		})
	}
}
