package main

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/coldsplit/coldsplit/pkg/probe/probetest"
)

// echo keeps what a host was asked: method, URL, chosen fields and content.
type echo struct{ seen []string }

func (e *echo) origin(fields ...string) probetest.Origin {
	return probetest.Origin{Handler: http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		text := fmt.Sprintf("%s %s", r.Method, r.URL)
		for _, f := range fields {
			if v, sent := r.Header[f]; sent {
				text += fmt.Sprintf(" %s=%s", f, strings.Join(v, "|"))
			}
		}
		e.seen = append(e.seen, text+" "+string(body))
	})}
}

func TestCurlLineIsMeasuredAsCurlWouldSendIt(t *testing.T) {
	const host = "https://api.example.com"
	for _, c := range []struct {
		name string
		args []string
		want string
	}{
		{"plain", []string{host + "/v1/ping"}, "GET /v1/ping "},
		{"data", []string{"-n", "1", host, "-d", "a=1", "-d", "b=2"}, "POST / Content-Type=application/x-www-form-urlencoded a=1&b=2"},
		{"data that begins with @", []string{"-n", "1", host, "--data-raw", "@x"}, "POST / Content-Type=application/x-www-form-urlencoded @x"},
		{"json", []string{"-n", "1", host, "--json", `{"a":1}`}, `POST / Content-Type=application/json {"a":1}`},
		{"get", []string{"-G", host + "/s?x=1", "-d", "q=a b"}, "GET /s?x=1&q=a%20b "},
		{"credentials", []string{"-u", "me:pw", host}, "GET / Authorization=Basic bWU6cHc= "},
		{"cookies", []string{"-b", "a=1; b=2", host}, "GET / Cookie=a=1; b=2 "},
		{"upload", []string{"-n", "1", "-T", "-", host + "/f"}, "PUT /f standard input"},
		{"bytes no text holds", []string{"-n", "1", host, "-H", "Content-Type: a/b", "--data-binary", "\xff\x00"}, "POST / Content-Type=a/b \xff\x00"},
		{"no type", []string{"-n", "1", host, "-H", "Content-Type:", "-d", "a"}, "POST / a"},
		{"one argument", []string{"curl '" + host + "/v' -H 'authorization: Bearer abc'"}, "GET /v Authorization=Bearer abc "},
		{"quoted for cmd", []string{`curl "` + host + `/v" -H ^"x-a: b^"`}, "GET /v "},
	} {
		t.Run(c.name, func(t *testing.T) {
			inBubble(t, func(b *bubble) {
				var e echo
				b.host("api.example.com", "203.0.113.1", e.origin("Authorization", "Content-Type", "Cookie"))
				args := append([]string{"curl", "--save", b.path("curl.jsonl"), "--requests", "1"}, c.args...)
				if slices.Contains(c.args, "-n") {
					args = append([]string{"curl", "--save", b.path("curl.jsonl")}, c.args...)
				}
				out, errs, code := b.runWith(streams{in: strings.NewReader("standard input")}, args...)
				if code != exitDone || len(e.seen) != 1 || e.seen[0] != c.want {
					t.Errorf("exit %d, asked %q, want %q\n%s%s", code, e.seen, c.want, out, errs)
				}
			})
		})
	}
}

func TestCurlLineSaysWhatItIsNot(t *testing.T) {
	inBubble(t, func(b *bubble) {
		var e echo
		b.host("api.example.com", "203.0.113.1", e.origin())
		_, errs, code := b.run("curl", "--no-save", "--requests=1", "-s", "--retry", "3", "--keepalive-time", "5", "--netrc",
			"-o", "out.html", "--tlsv1.3", "https://api.example.com/")
		for _, want := range []string{
			"not honoured: --netrc: ", "changed: --retry: nothing is sent twice", "changed: --keepalive-time: every request has a connection of its own",
			"changed: -o: the content is read and counted, not kept", "changed: User-Agent: coldsplit/", "not honoured: --tlsv1.x: ",
		} {
			if !strings.Contains(errs, want) {
				t.Errorf("lacks %q in\n%s", want, errs)
			}
		}
		if code != exitDone || len(e.seen) != 1 {
			t.Errorf("exit %d, asked %q", code, e.seen)
		}
	})
}

func TestCurlLineThatIsNoneSendsNothing(t *testing.T) {
	for _, args := range [][]string{
		{"https://api.example.com/", "-d", "a=1"}, // POST without a count
		{"--no-such-option", "https://api.example.com/"},
		{"-H"},
		{"https://api.example.com/", "--requests"},
		{"ftp://api.example.com/"},
		{"https://api.example.com/", "-d", "@no-such-file"},
	} {
		inBubble(t, func(b *bubble) {
			_, errs, code := b.run(append([]string{"curl"}, args...)...)
			lines := strings.Split(strings.TrimSpace(errs), "\n")
			if code != exitUsage || !strings.HasPrefix(lines[len(lines)-1], "coldsplit: ") || len(b.net.Dials()) != 0 {
				t.Errorf("%q: exit %d, %q, %d connections", args, code, errs, len(b.net.Dials()))
			}
		})
	}
}

func TestCurlLineIsKeptAsTheProbeItBecame(t *testing.T) {
	inBubble(t, func(b *bubble) {
		var e echo
		b.host("api.example.com", "203.0.113.1", e.origin("Authorization", "X-A"))
		b.run("curl", "--save", b.path("curl.jsonl"), "-n", "2", "https://api.example.com/", "-u", "me:pw", "-H", "X-A: b", "-d", "q=1")
		text := readFile(t, b.path("curl.jsonl"))
		if strings.Contains(text, "bWU6cHc") || strings.Contains(text, ":pw") {
			t.Error("credentials are in the run file")
		}
		if err := os.WriteFile(b.path("secret"), []byte("Basic bWU6cHc=\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		_, errs, code := b.run("again", b.path("curl.jsonl"), "--no-save", "--secret", "authorization=@"+b.path("secret"))
		if code != exitDone || len(e.seen) != 4 || e.seen[0] != e.seen[3] {
			t.Errorf("exit %d, asked %q\n%s", code, e.seen, errs)
		}
	})
}
