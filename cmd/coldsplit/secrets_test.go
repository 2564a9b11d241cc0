package main

import (
	"bytes"
	"encoding/base64"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/coldsplit/coldsplit/pkg/probe/probetest"
)

// planted are values no saved file may hold, each as it stands on a command line.
var planted = []string{
	"QQjwtQQ", "QQcodeQQ", "AKIAIOSFODNN7QQEXAMPLE", "ghp_QQ0123456789abcdefghij", "eyJhbGciOiJIUzI1NiJ9.QQ.QQ",
	"QQpassQQ", "QQcsrfQQ", "QQfragQQ", "QQformQQ", "QQcookieQQ",
}

// TestSavedFileHoldsNoPlantedSecret puts secrets everywhere a command line can hold one.
func TestSavedFileHoldsNoPlantedSecret(t *testing.T) {
	const url = "https://api.example.com/"
	n := []string{"-n", "2", "--interval", "0"}
	for name, args := range map[string][]string{
		"query":    {"probe", url + "?jwt=QQjwtQQ&code=QQcodeQQ&x=AKIAIOSFODNN7QQEXAMPLE&q=1"},
		"path":     {"probe", url + "login/ghp_QQ0123456789abcdefghij", url + "other"},
		"fragment": {"probe", url + "#QQfragQQ"},
		"userinfo": {"probe", "https://QQpassQQ:QQpassQQ@api.example.com/"},
		"header":   {"probe", url, "-H", "X-Custom: ghp_QQ0123456789abcdefghij", "-H", "X-Y: eyJhbGciOiJIUzI1NiJ9.QQ.QQ", "-H", "X-CSRF: QQcsrfQQ", "-H", "Referer: https://a.example/?code=QQcodeQQ"},
		"known":    {"probe", url, "-u", "me:QQpassQQ", "-b", "sid=QQcookieQQ"},
		"agent":    {"probe", url, "-A", "bot ghp_QQ0123456789abcdefghij"},
		"data":     {"probe", url, "-d", "user=me&password=QQpassQQ"},
		"raw":      {"probe", url, "--data-raw", "AKIAIOSFODNN7QQEXAMPLE"},
		"binary":   {"probe", url, "--data-binary", "<token>QQformQQ</token>"},
		"json":     {"probe", url, "--json", `{"auth": {"clientSecret" : "QQpassQQ"}}`},
		"before":   {"compare", url, "--before-header", "X-Api-Key: QQpassQQ", "--after-header", "X-Y: ghp_QQ0123456789abcdefghij", "--after-json", `{"pwd":"QQpassQQ"}`, "--before-data", "token=QQformQQ"},
		"control":  {"compare", url + "a", url + "b", "--control", url + "?jwt=QQjwtQQ#QQfragQQ"},
		"curl":     {"curl", url + "?jwt=QQjwtQQ#QQfragQQ", "-H", "X-CSRF: QQcsrfQQ", "--data-raw", `{"password":"QQpassQQ"}`},
		"curl -d":  {"curl", url, "-d", "x=ghp_QQ0123456789abcdefghij", "-u", "me:QQpassQQ", "-b", "a=QQcookieQQ"},
		"curl -F":  {"curl", url, "-F", "api_key=QQformQQ"},
		"curl -G":  {"curl", "-G", url, "-d", "access_token=QQformQQ"},
		"ramp":     {"ramp", url + "?code=QQcodeQQ", "--stages", "1,2", "--gap", "0", "-H", "X-CSRF: QQcsrfQQ", "-d", "secret=QQformQQ", "--health", url + "?sig=QQjwtQQ"},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(b *bubble) {
				b.host("api.example.com", "203.0.113.1", probetest.Origin{Handler: http.HandlerFunc(sayItBack)})
				own := n
				if args[0] == "ramp" {
					own = nil
				}
				_, errs, code := b.run(append(append(args, own...), "--save", b.path("run.jsonl"))...)
				if code == exitUsage {
					t.Fatal(errs)
				}
				holdsNone(t, b.path("run.jsonl"))
			})
		})
	}
}

// sayItBack answers with an error page and headers that repeat the request, as debugging servers do.
func sayItBack(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/html")
	w.Header().Set("X-Origin", "asked as "+r.Header.Get("X-Custom")+" "+r.Header.Get("X-Y")+" "+r.UserAgent())
	w.Header().Set("Location", r.URL.String())
	w.WriteHeader(http.StatusForbidden)
	w.Write([]byte("<title>no " + r.URL.String() + "</title>"))
}

func holdsNone(t *testing.T, name string) {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for _, secret := range planted {
		for _, form := range []string{secret, base64.StdEncoding.EncodeToString([]byte(secret)), secret[:len(secret)-2]} {
			if at := bytes.Index(text, []byte(form)); at >= 0 {
				t.Errorf("%s holds %s: ...%s...", filepath.Base(name), form, text[max(0, at-60):min(len(text), at+40)])
			}
		}
	}
	if i := bytes.Index(text, []byte("QQ")); i >= 0 {
		t.Errorf("%s: ...%s...", filepath.Base(name), text[max(0, i-60):min(len(text), i+40)])
	}
}

func TestConfigurationsSecretsStayOutOfTheFile(t *testing.T) {
	inBubble(t, func(b *bubble) {
		b.host("api.example.com", "203.0.113.1", probetest.Origin{Handler: http.HandlerFunc(sayItBack)})
		text := `requests: 2
header: ["X-CSRF: QQcsrfQQ"]
routes:
  - url: "https://api.example.com/?jwt=QQjwtQQ#QQfragQQ"
    data: ["password=QQpassQQ"]
  - url: "https://api.example.com/b"
    header: ["X-Y: ghp_QQ0123456789abcdefghij"]
`
		if err := os.WriteFile(b.path("routes.yaml"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		b.run("probe", "--config", b.path("routes.yaml"), "-n", "2", "--save", b.path("run.jsonl"))
		holdsNone(t, b.path("run.jsonl"))
	})
}

// TestContentWithoutSecretsIsMeasuredAgain: what shows no secret is kept, so that again asks for nothing.
func TestContentWithoutSecretsIsMeasuredAgain(t *testing.T) {
	inBubble(t, func(b *bubble) {
		var bodies []string
		b.host("api.example.com", "203.0.113.1", probetest.Origin{Handler: http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			var body bytes.Buffer
			body.ReadFrom(r.Body)
			bodies = append(bodies, body.String())
		})})
		body := `{"model":"m","max_tokens":64,"messages":[{"role":"user","content":"write code"}]}`
		b.run("probe", "https://api.example.com/", "--json", body, "-n", "1", "--save", b.path("run.jsonl"))
		_, errs, code := b.run("again", b.path("run.jsonl"), "--no-save")
		if code != exitDone || len(bodies) != 2 || bodies[1] != body {
			t.Errorf("exit %d, sent %q, %s", code, bodies, errs)
		}
		secret := b.path("secret")
		if err := os.WriteFile(secret, []byte("a=1&password=p"), 0o600); err != nil {
			t.Fatal(err)
		}
		b.run("curl", "https://api.example.com/", "-H", "content-type: text/plain", "-n", "1", "--data-binary", "@"+secret, "--save", b.path("curl.jsonl"))
		_, errs, code = b.run("again", b.path("curl.jsonl"), "--no-save")
		if code != exitUsage || !strings.Contains(errs, "needs the secret") {
			t.Errorf("exit %d %s", code, errs)
		}
		bodies = nil
		_, errs, code = b.run("again", b.path("curl.jsonl"), "--no-save", "--secret", "data-raw=@"+secret)
		if code != exitDone || len(bodies) != 1 || bodies[0] != "a=1&password=p" {
			t.Errorf("exit %d, sent %q, %s", code, bodies, errs)
		}
	})
}
