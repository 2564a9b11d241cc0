package main

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/coldsplit/coldsplit/pkg/probe/probetest"
	"github.com/coldsplit/coldsplit/pkg/record"
)

func TestUnicodeHostIsAskedForInASCII(t *testing.T) {
	inBubble(t, func(b *bubble) {
		var r recorder
		b.host("xn--bcher-kva.example", "203.0.113.1", r.answering(0))
		_, errs, code := b.probe("idna.jsonl", "-n", "1", "https://b\u00fccher.example/")
		if code != exitDone || len(r.seen) != 1 || r.seen[0].Host != "xn--bcher-kva.example" || r.seen[0].TLS.ServerName != "xn--bcher-kva.example" {
			t.Errorf("exit %d, %d requests\n%s", code, len(r.seen), errs)
		}
	})
}

func TestContentComesFromLiteralFileAndStdin(t *testing.T) {
	inBubble(t, func(b *bubble) {
		var e echo
		b.host("api.example.com", "203.0.113.1", e.origin())
		file := b.path("body")
		if err := os.WriteFile(file, []byte("from\na file"), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct {
			args []string
			want string
		}{
			{[]string{"-d", "literal"}, "POST / literal"},
			{[]string{"-d", "@" + file}, "POST / froma file"},
			{[]string{"--data-binary", "@" + file}, "POST / from\na file"},
			{[]string{"--data-binary", "@-"}, "POST / from stdin"},
			{[]string{"-X", "PUT", "-d", "@-"}, "PUT / from stdin"},
		} {
			e.seen = nil
			args := append([]string{"probe", "--no-save", "-n", "2", "https://api.example.com/"}, c.args...)
			_, errs, code := b.runWith(streams{in: strings.NewReader("from stdin")}, args...)
			if code != exitDone || len(e.seen) != 2 || e.seen[0] != c.want || e.seen[1] != c.want {
				t.Errorf("%v: exit %d, asked %q, want %q\n%s", c.args, code, e.seen, c.want, errs)
			}
		}
	})
}

func TestHeadersFromAFileStayOutOfTheProcessList(t *testing.T) {
	inBubble(t, func(b *bubble) {
		var e echo
		b.host("api.example.com", "203.0.113.1", e.origin("Authorization", "X-A"))
		file := b.path("headers")
		os.WriteFile(file, []byte("Authorization: Bearer s3cr3t\n\nX-A: 1\n"), 0o600)
		_, errs, code := b.probe("run.jsonl", "-n", "1", "-H", "@"+file, "https://api.example.com/")
		if code != exitDone || len(e.seen) != 1 || e.seen[0] != "GET / Authorization=Bearer s3cr3t X-A=1 " {
			t.Errorf("exit %d, asked %q\n%s", code, e.seen, errs)
		}
		if strings.Contains(readFile(t, b.path("run.jsonl")), "s3cr3t") {
			t.Error("the run file holds the secret")
		}
	})
}

func TestClientCertificateIsOfferedToItsOwnOriginOnly(t *testing.T) {
	inBubble(t, func(b *bubble) {
		client := b.ca.Issue("client.example.com")
		certFile, keyFile := writeCertificate(t, b, client)
		offered := map[string]int{}
		origin := func(next string) probetest.Origin {
			name := "a.example.com"
			if next == "" {
				name = "b.example.com"
			}
			return probetest.Origin{
				TLS: &tls.Config{Certificates: []tls.Certificate{b.ca.Issue(name)}, ClientAuth: tls.RequestClientCert},
				Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					offered[r.Host] += len(r.TLS.PeerCertificates)
					if next != "" {
						http.Redirect(w, r, next, http.StatusFound)
					}
				}),
			}
		}
		b.host("a.example.com", "203.0.113.1", origin("https://b.example.com/"))
		b.host("b.example.com", "203.0.113.2", origin(""))
		out, errs, code := b.probe("mtls.jsonl", "-L", "-n", "1", "--cert", certFile, "--key", keyFile, "https://a.example.com/")
		if code != exitDone || offered["a.example.com"] == 0 || offered["b.example.com"] != 0 {
			t.Errorf("exit %d, offered %v\n%s%s", code, offered, out, errs)
		}
	})
}

func writeCertificate(t *testing.T, b *bubble, c tls.Certificate) (certFile, keyFile string) {
	t.Helper()
	certFile, keyFile = b.path("client.pem"), b.path("client.key")
	writePEM(t, certFile, c.Certificate[0])
	der, err := x509.MarshalPKCS8PrivateKey(c.PrivateKey)
	if err != nil {
		t.Fatal(err)
	}
	text := pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der})
	if err := os.WriteFile(keyFile, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return certFile, keyFile
}

func TestKeptHeadersAreInTheFileAndSecretsAreNot(t *testing.T) {
	inBubble(t, func(b *bubble) {
		b.host("api.example.com", "203.0.113.1", probetest.Origin{Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("X-Flavour", "vanilla")
			w.Header().Set("Set-Cookie", "session=s3cr3t")
			io.WriteString(w, "hello")
		})})
		for _, c := range []struct {
			args []string
			kept bool
		}{{nil, false}, {[]string{"--keep-header", "X-Flavour"}, true}, {[]string{"--keep-header", "*"}, true}} {
			b.probe("kept.jsonl", append([]string{"-n", "1", "https://api.example.com/"}, c.args...)...)
			text := readFile(t, b.path("kept.jsonl"))
			if got := strings.Contains(text, "vanilla"); got != c.kept || strings.Contains(text, "s3cr3t") {
				t.Errorf("%v: kept %v, want %v; secret kept %v", c.args, got, c.kept, strings.Contains(text, "s3cr3t"))
			}
		}
	})
}

func TestEarlyDataIsNeverTakenForCold(t *testing.T) {
	inBubble(t, func(b *bubble) {
		b.net.Zone["api.example.com"] = probetest.Records{A: []string{"203.0.113.1"}}
		b.stops = append(b.stops, b.net.ServeQUIC("203.0.113.1:443", probetest.Origin{
			TLS: &tls.Config{Certificates: []tls.Certificate{b.ca.Issue("api.example.com")}}, Allow0RTT: true,
		}))
		out, errs, code := b.probe("early.jsonl", "-n", "5", "--http", "3", "--state", "cold", "--state", "early", "https://api.example.com/")
		if code != exitDone {
			t.Fatalf("exit %d\n%s%s", code, out, errs)
		}
		seen := map[string]int{}
		for _, ex := range exchanges(t, b.path("early.jsonl")) {
			if ex.Prime {
				continue
			}
			seen[ex.State]++
			if used := ex.QUIC != nil && ex.QUIC.Used0RTT; ex.Outcome != record.OK || used != (ex.State == "early") {
				t.Errorf("%s: %s, early data %v, %+v", ex.State, ex.Outcome, used, ex.Error)
			}
		}
		if seen["cold"] != 5 || seen["early"] != 5 || !strings.Contains(out, "0-RTT would save") {
			t.Errorf("seen %v\n%s", seen, out)
		}
	})
}
