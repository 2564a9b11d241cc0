package main

import (
	"errors"
	"strings"
	"testing"
	"time"
)

func wantUsage(t *testing.T, err error, parts ...string) {
	t.Helper()
	var usage *usageError
	if !errors.As(err, &usage) {
		t.Fatalf("got %v, want a usage error", err)
	}
	if strings.Contains(usage.text, "\n") {
		t.Errorf("more than one line: %q", usage.text)
	}
	for _, p := range parts {
		if !strings.Contains(usage.text, p) {
			t.Errorf("%q does not say %q", usage.text, p)
		}
	}
}

func TestTargetURL(t *testing.T) {
	for text, want := range map[string]string{
		"https://example.com":                  "https://example.com/",
		"http://127.0.0.1:8080/a?b=1#c":        "http://127.0.0.1:8080/a?b=1",
		"https://[2001:db8::1]:8443/x":         "https://[2001:db8::1]:8443/x",
		"https://B\u00fccher.example/buch":     "https://xn--bcher-kva.example/buch",
		"https://my_host.example:8443/":        "https://my_host.example:8443/",
		"https://u:p@example.com/":             "https://u:p@example.com/",
		"https://xn--bcher-kva.example:1/a%2F": "https://xn--bcher-kva.example:1/a%2F",
	} {
		u, err := parseTargetURL(text)
		if err != nil {
			t.Errorf("%q: %v", text, err)
		} else if u.String() != want {
			t.Errorf("%q became %q, want %q", text, u, want)
		}
	}
}

func TestTargetURLSaysWhatIsWrong(t *testing.T) {
	for text, part := range map[string]string{
		"example.com":              "no scheme",
		"example.com:443/x":        "scheme",
		"localhost:8080":           "scheme",
		"ftp://example.com/":       `scheme "ftp"`,
		"https:///x":               "no host",
		"https://example.com:0/":   "port",
		"https://exa mple.com/":    "not a URL",
		"http://example.com:99999": "port",
	} {
		_, err := parseTargetURL(text)
		wantUsage(t, err, part, "expected http://HOST")
	}
}

func TestVia(t *testing.T) {
	for text, want := range map[string][2]string{
		"203.0.113.9":          {"203.0.113.9", ""},
		"203.0.113.9:8443":     {"203.0.113.9", "8443"},
		"2001:db8::1":          {"2001:db8::1", ""},
		"[2001:db8::1]":        {"2001:db8::1", ""},
		"[2001:db8::1]:443":    {"2001:db8::1", "443"},
		"edge.example.net":     {"edge.example.net", ""},
		"edge.example.net:444": {"edge.example.net", "444"},
	} {
		host, port, err := parseVia("via", text)
		if err != nil || host != want[0] || port != want[1] {
			t.Errorf("%q: %q %q %v, want %q", text, host, port, err, want)
		}
	}
	for _, text := range []string{"", "https://x/", "a b", "x:y", "[::1", "x:0", "a/b"} {
		_, _, err := parseVia("via", text)
		if err == nil {
			t.Errorf("%q was taken", text)
			continue
		}
		wantUsage(t, err, "--via", "expected ADDR or NAME")
	}
}

func TestStatusSet(t *testing.T) {
	set, err := parseStatusSet("200,404,500-502,3xx")
	if err != nil {
		t.Fatal(err)
	}
	for status, want := range map[int]bool{200: true, 201: false, 302: true, 404: true, 501: true, 503: false} {
		if set.has(status) != want {
			t.Errorf("%d: %v, want %v", status, !want, want)
		}
	}
	for _, text := range []string{"", "ok", "99", "600", "500-400", "2x"} {
		_, err := parseStatusSet(text)
		wantUsage(t, err, "--ok")
	}
}

func TestSeconds(t *testing.T) {
	for text, want := range map[string]time.Duration{"2": 2 * time.Second, "2.5": 2500 * time.Millisecond, "150ms": 150 * time.Millisecond, "1m30s": 90 * time.Second} {
		if d, err := parseSeconds(text); err != nil || d != want {
			t.Errorf("%q: %v %v, want %v", text, d, err, want)
		}
	}
	for _, text := range []string{"", "0", "-1", "x", "5 s"} {
		if d, err := parseSeconds(text); err == nil {
			t.Errorf("%q was read as %v", text, d)
		}
	}
}

func TestTemplates(t *testing.T) {
	e := expansion{seq: 7, uuid: "u"}
	if got := e.expand("a{{seq}}b{{ uuid }}c{{other}}"); got != "a7buc{{other}}" {
		t.Errorf("got %q", got)
	}
	wantUsage(t, checkTemplates("URL", "/x{{seq"), "no end", "{{seq")
	wantUsage(t, checkTemplates("URL", "/x{{sequence}}"), "unknown template", "{{seq}} or {{uuid}}")
	if err := checkContentTemplate(`{"prompt":"use {{name}}"}`); err != nil {
		t.Error(err)
	}
	wantUsage(t, checkContentTemplate(`id={{seq`), "no end")
}

func TestArmsAreNamedByWhatTellsThemApart(t *testing.T) {
	b := armBuilder{in: &inputs{}, getenv: func(string) string { return "" }}
	build := func(r routeFlags, urls ...string) []string {
		t.Helper()
		r.maxBody = defaultMaxBody
		var arms []arm
		for _, u := range urls {
			a, err := b.build(&r, u)
			if err != nil {
				t.Fatal(err)
			}
			arms = append(arms, a...)
		}
		nameArms(arms)
		var names []string
		for _, a := range arms {
			names = append(names, a.route.Name)
		}
		return names
	}
	for want, got := range map[string][]string{
		"a.example":             build(routeFlags{}, "https://a.example/x"),
		"http/1.1 h2 h3":        build(routeFlags{http: []string{"1.1", "2", "3"}}, "https://a.example/x"),
		"a.example b.example":   build(routeFlags{}, "https://a.example/x", "https://b.example/x"),
		"x y":                   build(routeFlags{}, "https://a.example/x", "https://a.example/y"),
		"a.example a.example-2": build(routeFlags{}, "https://a.example/x?1", "https://a.example/x?2"),
		"h3/cold h3/early":      build(routeFlags{http: []string{"3"}, states: []string{"cold", "early"}}, "https://a.example/"),
		"192.0.2.1 192.0.2.2":   build(routeFlags{via: []string{"192.0.2.1", "192.0.2.2"}}, "https://a.example/"),
	} {
		if strings.Join(got, " ") != strings.ReplaceAll(want, "h3/cold h3/early", "cold early") {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
