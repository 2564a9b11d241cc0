package tunnel_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/coldsplit/coldsplit/pkg/tunnel"
)

// step is one turn of a scripted proxy: it expects these bytes, waits, and sends those.
type step struct {
	expect string
	wait   time.Duration
	send   string
}

// play serves conn by the script and reports the first byte that differs; then it closes.
func play(conn net.Conn, steps []step) <-chan error {
	done := make(chan error, 1)
	go func() {
		defer conn.Close()
		for _, s := range steps {
			got := make([]byte, len(s.expect))
			if n, err := io.ReadFull(conn, got); err != nil || string(got) != s.expect {
				done <- errors.New("proxy got " + quote(got[:n]) + ", want " + quote([]byte(s.expect)))
				return
			}
			time.Sleep(s.wait)
			if _, err := io.WriteString(conn, s.send); err != nil {
				done <- err
				return
			}
		}
		done <- nil
	}()
	return done
}

func quote(p []byte) string { return strings.ToValidUTF8(url.QueryEscape(string(p)), "?") }

func proxyURL(t *testing.T, s string) *url.URL {
	t.Helper()
	u, err := tunnel.ParseProxy(s)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

const target = "api.example.com:443"

func TestProtocolsByteForByte(t *testing.T) {
	const connect = "CONNECT api.example.com:443 HTTP/1.1\r\nHost: api.example.com:443\r\n"
	const ok = "HTTP/1.1 200 Connection established\r\n\r\n"
	named := "\x05\x01\x00\x03\x0fapi.example.com\x01\xbb"
	bound := "\x05\x00\x00\x01\x00\x00\x00\x00\x00\x00"
	for name, c := range map[string]struct {
		proxy, target string
		opts          tunnel.Options
		steps         []step
	}{
		"CONNECT": {"http://p:1", target, tunnel.Options{}, []step{{connect + "\r\n", 0, ok}}},
		"CONNECT with everything": {"http://user:p%40ss@p:1", target,
			tunnel.Options{UserAgent: "coldsplit/1", Header: http.Header{"X-Team": {"a", "b"}, "Host": {"no"}}},
			[]step{{connect + "Proxy-Authorization: Basic dXNlcjpwQHNz\r\nUser-Agent: coldsplit/1\r\nX-Team: a\r\nX-Team: b\r\n\r\n", 0, ok}}},
		"CONNECT after interim replies": {"http://p:1", target, tunnel.Options{}, []step{{connect + "\r\n", 0, "HTTP/1.1 102 Processing\r\n\r\n" + ok}}},
		"CONNECT with a length that means nothing": {"http://p:1", target, tunnel.Options{},
			[]step{{connect + "\r\n", 0, "HTTP/1.0 200 OK\r\nContent-Length: 5\r\n\r\n"}}},
		"SOCKS5 name": {"socks5://p:1", target, tunnel.Options{}, []step{{"\x05\x01\x00", 0, "\x05\x00"}, {named, 0, bound}}},
		"SOCKS5 IPv4": {"socks5h://p:1", "192.0.2.7:80", tunnel.Options{},
			[]step{{"\x05\x01\x00", 0, "\x05\x00"}, {"\x05\x01\x00\x01\xc0\x00\x02\x07\x00\x50", 0, "\x05\x00\x00\x03\x04host\x00\x01"}}},
		"SOCKS5 IPv6": {"socks5h://p:1", "[2001:db8::1]:80", tunnel.Options{},
			[]step{{"\x05\x01\x00", 0, "\x05\x00"}, {"\x05\x01\x00\x04\x20\x01\x0d\xb8" + strings.Repeat("\x00", 11) + "\x01\x00\x50", 0,
				"\x05\x00\x00\x04" + strings.Repeat("\x00", 18)}}},
		"SOCKS5 with credentials": {"socks5://user:secret@p:1", target, tunnel.Options{},
			[]step{{"\x05\x02\x00\x02", 0, "\x05\x02"}, {"\x01\x04user\x06secret", 0, "\x01\x00"}, {named, 0, bound}}},
		"SOCKS5 that wants no credentials": {"socks5://user:secret@p:1", target, tunnel.Options{},
			[]step{{"\x05\x02\x00\x02", 0, "\x05\x00"}, {named, 0, bound}}},
	} {
		t.Run(name, func(t *testing.T) {
			client, server := net.Pipe()
			played := play(server, append(c.steps, step{expect: "ping", send: "pong"}))
			got, state, err := tunnel.Open(t.Context(), client, proxyURL(t, c.proxy), c.target, c.opts)
			if err != nil {
				t.Fatalf("%v (%v)", err, <-played)
			}
			if state != nil {
				t.Error("a TLS state without TLS")
			}
			go func() { _, _ = io.WriteString(got, "ping") }()
			reply, err := io.ReadAll(got)
			if string(reply) != "pong" || err != nil {
				t.Errorf("through the tunnel came %q, %v", reply, err)
			}
			if err := <-played; err != nil {
				t.Error(err)
			}
		})
	}
}

func TestNothingBehindTheReplyIsLost(t *testing.T) {
	greeting := strings.Repeat("220 ready\r\n", 700) // more than one read-ahead buffer
	for scheme, reply := range map[string]string{
		"http":   "HTTP/1.1 200 OK\r\nVia: 1.1 p\r\n\r\n",
		"socks5": "\x05\x00\x00\x01\x00\x00\x00\x00\x00\x00",
	} {
		t.Run(scheme, func(t *testing.T) {
			client, server := net.Pipe()
			go func() {
				defer server.Close()
				if scheme == "http" {
					_, _ = http.ReadRequest(bufio.NewReader(server))
				} else {
					_, _ = io.CopyN(io.Discard, server, 3)
					_, _ = io.WriteString(server, "\x05\x00")
					_, _ = io.CopyN(io.Discard, server, 22)
				}
				_, _ = io.WriteString(server, reply+greeting)
			}()
			conn, _, err := tunnel.Open(t.Context(), client, proxyURL(t, scheme+"://p:1"), target, tunnel.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if got, err := io.ReadAll(conn); string(got) != greeting || err != nil {
				t.Errorf("read %d bytes, %v, want %d", len(got), err, len(greeting))
			}
			if below, ok := conn.(interface{ NetConn() net.Conn }); ok && below.NetConn() != client {
				t.Error("NetConn does not lead to the connection")
			}
		})
	}
}

func TestRefusalsAreTypedAndKeepSecrets(t *testing.T) {
	socksOK := step{"\x05\x02\x00\x02", 0, "\x05\x02"}
	auth := step{"\x01\x04user\x07hunter2", 0, "\x01\x00"}
	named := "\x05\x01\x00\x03\x0fapi.example.com\x01\xbb"
	connect := "CONNECT api.example.com:443 HTTP/1.1\r\nHost: api.example.com:443\r\nProxy-Authorization: Basic dXNlcjpodW50ZXIy\r\n\r\n"
	for name, c := range map[string]struct {
		scheme string
		steps  []step
		status int
		reply  int
		text   string
	}{
		"407": {"http", []step{{connect, 0, "HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Negotiate\r\nProxy-Authenticate: Basic realm=\"x\"\r\nContent-Length: 0\r\n\r\n"}}, 407, 0,
			"connect api.example.com:443 through http://p:1: 407 Proxy Authentication Required (asks for Negotiate, Basic)"},
		"403 that repeats the password": {"http", []step{{connect, 0, "HTTP/1.1 403 no hunter2 dXNlcjpodW50ZXIy\x1b[31m\r\n\r\n"}}, 403, 0,
			"connect api.example.com:443 through http://p:1: 403 no *** ***[31m"},
		"a tunnel that is a redirect": {"http", []step{{connect, 0, "HTTP/1.1 302 Found\r\n\r\n"}}, 302, 0, "connect api.example.com:443 through http://p:1: 302 Found"},
		"truncated header":            {"http", []step{{connect, 0, "HTTP/1.1 200 OK\r\nVia: "}}, 0, 0, "connect api.example.com:443 through http://p:1: connection closed before the reply was complete"},
		"closed at once":              {"http", []step{{connect, 0, ""}}, 0, 0, "connect api.example.com:443 through http://p:1: connection closed before the reply was complete"},
		"not HTTP":                    {"http", []step{{connect, 0, "SSH-2.0-x\r\n\r\n"}}, 0, 0, `connect api.example.com:443 through http://p:1: malformed HTTP response "SSH-2.0-x"`},
		"credentials refused":         {"socks5", []step{socksOK, {auth.expect, 0, "\x01\x01"}}, 0, 1, "connect api.example.com:443 through socks5://p:1: credentials refused"},
		"no method fits":              {"socks5", []step{{socksOK.expect, 0, "\x05\xff"}}, 0, 0xff, "connect api.example.com:443 through socks5://p:1: takes neither no credentials nor a user name and password"},
		"target refused":              {"socks5", []step{socksOK, auth, {named, 0, "\x05\x05\x00\x01\x00\x00\x00\x00\x00\x00"}}, 0, 5, "connect api.example.com:443 through socks5://p:1: connection refused"},
		"a code of its own":           {"socks5", []step{socksOK, auth, {named, 0, "\x05\x7f\x00\x01\x00\x00\x00\x00\x00\x00"}}, 0, 127, "connect api.example.com:443 through socks5://p:1: reply code 127"},
		"truncated reply":             {"socks5", []step{socksOK, auth, {named, 0, "\x05\x00\x00\x01\x00"}}, 0, 0, "connect api.example.com:443 through socks5://p:1: connection closed before the reply was complete"},
		"not SOCKS":                   {"socks5", []step{{socksOK.expect, 0, "HT"}}, 0, 0, "connect api.example.com:443 through socks5://p:1: answers with version 72, which is not SOCKS5"},
		"a method not offered":        {"socks5", []step{{socksOK.expect, 0, "\x05\x01"}}, 0, 0, "connect api.example.com:443 through socks5://p:1: chose authentication method 1, which was not offered"},
		"an address that is none":     {"socks5", []step{socksOK, auth, {named, 0, "\x05\x00\x00\x09"}}, 0, 0, "connect api.example.com:443 through socks5://p:1: answers with address type 9, which is none"},
	} {
		t.Run(name, func(t *testing.T) {
			client, server := net.Pipe()
			played := play(server, c.steps)
			_, _, err := tunnel.Open(t.Context(), client, proxyURL(t, c.scheme+"://user:hunter2@p:1"), target, tunnel.Options{})
			var typed *tunnel.Error
			if !errors.As(err, &typed) {
				t.Fatalf("got %v, want an *Error", err)
			}
			if typed.Status != c.status || typed.Reply != c.reply || typed.Error() != c.text || typed.Op != tunnel.OpRequest {
				t.Errorf("got %d, %d, %q, want %d, %d, %q", typed.Status, typed.Reply, typed, c.status, c.reply, c.text)
			}
			client.Close()
			if err := <-played; err != nil && c.status == 0 && c.reply == 0 {
				t.Log(err)
			}
		})
	}
}

func TestProxyThatWantsCredentialsAndGetsNone(t *testing.T) {
	client, server := net.Pipe()
	play(server, []step{{"\x05\x01\x00", 0, "\x05\xff"}})
	_, _, err := tunnel.Open(t.Context(), client, proxyURL(t, "socks5://p:1"), target, tunnel.Options{})
	if err == nil || !strings.Contains(err.Error(), "asks for credentials") {
		t.Errorf("got %v", err)
	}
}

func TestReplyWithoutEndIsBounded(t *testing.T) {
	client, server := net.Pipe()
	go func() {
		_, _ = http.ReadRequest(bufio.NewReader(server))
		_, _ = io.WriteString(server, "HTTP/1.1 200 OK\r\nX: ")
		junk := bytes.Repeat([]byte("x"), 4096)
		for {
			if _, err := server.Write(junk); err != nil {
				return
			}
		}
	}()
	_, _, err := tunnel.Open(t.Context(), client, proxyURL(t, "p:1"), target, tunnel.Options{})
	if err == nil {
		t.Error("an endless header was taken for a reply")
	}
	client.Close()
}

func TestWrongTargetsAreNeverSent(t *testing.T) {
	for _, wrong := range []string{"", "api.example.com", ":443", "api.example.com:0", "a\r\nX: y:443", "a b:443", "h:99999"} {
		client, _ := net.Pipe() // a write would block for ever
		if _, _, err := tunnel.Open(t.Context(), client, proxyURL(t, "p:1"), wrong, tunnel.Options{}); err == nil {
			t.Errorf("target %q was taken", wrong)
		}
	}
	client, server := net.Pipe()
	play(server, []step{})
	_, _, err := tunnel.Open(t.Context(), client, proxyURL(t, "socks5://p:1"), strings.Repeat("a", 256)+":1", tunnel.Options{})
	if err == nil || !strings.Contains(err.Error(), "at most 255 bytes") {
		t.Errorf("a long name: %v", err)
	}
}

func TestSlowProxyIsWaitedForAndTheContextEndsIt(t *testing.T) {
	slow := []step{{"CONNECT api.example.com:443 HTTP/1.1\r\nHost: api.example.com:443\r\n\r\n", 300 * time.Millisecond, "HTTP/1.1 200 OK\r\n\r\n"}}
	synctest.Test(t, func(t *testing.T) {
		client, server := net.Pipe()
		play(server, append(slow, step{wait: time.Hour, send: "late"}))
		start := time.Now()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		conn, _, err := tunnel.Open(ctx, client, proxyURL(t, "p:1"), target, tunnel.Options{})
		if err != nil || time.Since(start) != 300*time.Millisecond {
			t.Errorf("opened after %v, %v, want 300ms", time.Since(start), err)
		}
		cancel()
		if got, err := io.ReadAll(conn); string(got) != "late" || err != nil {
			t.Errorf("after the context ended the tunnel brought %q, %v", got, err)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		client, server := net.Pipe()
		played := play(server, slow)
		start := time.Now()
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer cancel()
		_, _, err := tunnel.Open(ctx, client, proxyURL(t, "p:1"), target, tunnel.Options{})
		var typed *tunnel.Error
		if !errors.As(err, &typed) || !typed.Timeout() || time.Since(start) != 100*time.Millisecond {
			t.Errorf("got %v after %v, want a timeout after 100ms", err, time.Since(start))
		}
		client.Close()
		<-played
	})
}
