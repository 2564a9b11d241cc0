package curlline_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/coldsplit/coldsplit/pkg/curlline"
)

// files are what the lines of the tests refer to.
func files(name string) ([]byte, error) {
	content, ok := map[string]string{
		"body.json": "{\n  \"a\": 1\n}\n", "-": "from stdin\n", "headers.txt": "X-A: 1\r\nAuthorization: Bearer s3cret\nContent-Length: 9\n",
		"cat.png": "PNG", "notes.txt": "two\r\nlines\n", "/etc/token": "t k",
	}[name]
	if !ok {
		return nil, os.ErrNotExist
	}
	return []byte(content), nil
}

// describe writes everything a line asks for in one line: the request, settings behind dots, notes.
func describe(r *curlline.Request, c curlline.Content) string {
	parts := []string{c.Method + " " + strings.Join(c.URLs, " ")}
	add := func(format string, args ...any) { parts = append(parts, fmt.Sprintf(format, args...)) }
	for _, h := range c.Headers {
		if h != (curlline.Header{Name: "Accept", Value: "*/*"}) {
			add("%s: %s", h.Name, h.Value)
		}
	}
	for _, name := range c.Removed {
		add("-%s", name)
	}
	if c.HasBody {
		add("=%s", c.Body)
	}
	parts = append(parts, settings(r)...)
	for _, n := range append(r.Changes, c.Changes...) {
		add("~%s", n.What)
	}
	for _, n := range append(r.NotHonoured, c.NotHonoured...) {
		add("!%s", n.What)
	}
	return strings.Join(parts, " | ")
}

func settings(r *curlline.Request) (parts []string) {
	flags := []struct {
		name string
		on   bool
	}{{"compressed", r.Compressed}, {"insecure", r.Insecure}, {"location", r.Location}, {"path-as-is", r.PathAsIs}, {"proxy-insecure", r.ProxyInsecure}}
	for _, f := range flags {
		if f.on {
			parts = append(parts, "."+f.name)
		}
	}
	values := []struct{ name, value string }{
		{"proxy", r.Proxy}, {"noproxy", r.NoProxy}, {"proxy-cacert", r.ProxyCACert}, {"resolver", r.Resolver},
		{"resolve", strings.Join(r.Resolve, " ")}, {"connect-to", strings.Join(r.ConnectTo, " ")}, {"http", r.HTTPVersion}, {"tls-min", r.TLSMin}, {"tls-max", r.TLSMax},
		{"cacert", r.CACert}, {"cert", r.Cert}, {"key", r.Key}, {"pass", r.KeyPassword}, {"max-time", duration(r.MaxTime)}, {"connect-timeout", duration(r.ConnectTimeout)},
	}
	for _, v := range values {
		if v.value != "" {
			parts = append(parts, "."+v.name+" "+v.value)
		}
	}
	if r.Family != 0 {
		parts = append(parts, fmt.Sprintf(".ipv%d", r.Family))
	}
	if r.MaxRedirs != 50 {
		parts = append(parts, fmt.Sprintf(".max-redirs %d", r.MaxRedirs))
	}
	for _, h := range r.ProxyHeaders {
		parts = append(parts, ".proxy-header "+h.Name+": "+h.Value)
	}
	return parts
}

func duration(d time.Duration) string {
	if d == 0 {
		return ""
	}
	return d.String()
}

// pasted is a line and what it asks for.
type pasted struct{ name, line, want string }

func checkLines(t *testing.T, opts curlline.LineOptions, lines []pasted) {
	t.Helper()
	for _, l := range lines {
		t.Run(l.name, func(t *testing.T) {
			r, err := curlline.ParseLine(l.line, opts)
			if err != nil {
				t.Fatalf("%v\nline %s", err, l.line)
			}
			c, err := r.Load(files)
			if err != nil {
				t.Fatalf("%v\nline %s", err, l.line)
			}
			if got := describe(r, c); got != l.want {
				t.Errorf("line %s\ngot  %s\nwant %s", l.line, got, l.want)
			}
		})
	}
}
