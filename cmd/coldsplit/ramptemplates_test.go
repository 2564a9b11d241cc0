package main

import (
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/coldsplit/coldsplit/pkg/probe/probetest"
)

const mixedTemplates = `
- name: chat
  url: /v1/chat
  method: POST
  headers:
    Authorization: Bearer {{env.LLM_KEY}}
  body: '{"id":"{{seq}}-{{uuid}}"}'
  weight: 3
- name: messages
  url: https://llm.test/v1/messages
  headers: {x-api-key: "{{ env.LLM_KEY }}", X-Plain: told}
  body: "@prompt.txt"
  terminal-event: "[DONE]"
`

func TestTemplatesAreMixedAndKeepSecretsToThemselves(t *testing.T) {
	inBubble(t, func(b *bubble) {
		const key = "sk-very-secret-value"
		l := &lanes{takes: 100 * ms}
		echo := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("X-Request-Place", r.Header.Get("Authorization")) // a service that tells secrets back
			l.ServeHTTP(w, r)
		})
		b.host("llm.test", "192.0.2.1", probetest.Origin{Handler: echo})
		b.write("mix.yaml", mixedTemplates)
		b.write("prompt.txt", "say something")
		s := streams{getenv: func(name string) string { return map[string]string{"LLM_KEY": key, "XDG_STATE_HOME": b.dir}[name] }}
		stdout, stderr, code := b.runWith(s, "ramp", "https://llm.test/", "--templates", b.path("mix.yaml"), "--stages", "4,8", "--gap", "1s",
			"--keep-header", "*", "--save", b.path("mix.jsonl"))
		if code != 0 {
			b.t.Fatalf("%s%s", stdout, stderr)
		}
		count := map[string]int{}
		for i, path := range l.paths {
			count[path]++
			switch path {
			case "POST /v1/chat":
				if l.headers[i].Get("Authorization") != "Bearer "+key || !strings.HasPrefix(l.bodies[i], `{"id":"`) || strings.Contains(l.bodies[i], "{{") {
					b.t.Errorf("chat was sent as %q", l.bodies[i])
				}
			case "POST /v1/messages":
				if l.headers[i].Get("X-Api-Key") != key || l.bodies[i] != "say something" || l.headers[i].Get("X-Plain") != "told" {
					b.t.Errorf("messages was sent as %q", l.bodies[i])
				}
			}
		}
		if count["POST /v1/chat"] != 9 || count["POST /v1/messages"] != 3 {
			b.t.Errorf("mixed as %v, want 9 to 3", count)
		}
		file := readFile(b.t, b.path("mix.jsonl"))
		if strings.Contains(file, key) || strings.Contains(stdout, key) {
			b.t.Error("the secret is in the run file or in the report")
		}
		if !strings.Contains(stdout, "chat         9") || !strings.Contains(stdout, "messages     3") {
			b.t.Errorf("by template:\n%s", stdout)
		}
	})
}

func (b *bubble) write(name, text string) {
	b.t.Helper()
	if err := os.WriteFile(b.path(name), []byte(text), 0o600); err != nil {
		b.t.Fatal(err)
	}
}

func TestTemplatesAreStrict(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"unknown key":        {"- url: https://llm.test/\n  verb: POST\n", `t.yaml:2:3: unknown key "verb"`},
		"no list":            {"url: https://llm.test/\n", "t.yaml:1:4: expected a list of requests"},
		"weight":             {"- url: https://llm.test/\n  weight: 0\n", "t.yaml:2:11: weight: expected a whole number"},
		"no URL":             {"- method: GET\n", "t.yaml:1:9: a request needs the key url"},
		"secret in the file": {"- url: https://llm.test/\n  headers:\n    Authorization: Bearer abc\n", "t.yaml:3:20: Authorization looks like a secret"},
		"wrong URL":          {"- url: ftp://llm.test/\n", `t.yaml:1:8: "ftp://llm.test/" has the scheme "ftp"`},
		"text path":          {"- url: https://llm.test/\n  text-path: 'a['\n", "t.yaml:2:14: "},
		"YAML":               {"- url: [\n", "t.yaml:"},
		"empty":              {"", "expected one document"},
		"template":           {"- url: https://llm.test/{{seq\n", `has no end`},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(b *bubble) {
				b.write("t.yaml", c.text)
				stdout, stderr, code := b.run("ramp", "--templates", b.path("t.yaml"))
				if code != 2 || stdout != "" || !strings.Contains(stderr, c.want) || strings.Count(stderr, "\n") != 1 {
					b.t.Errorf("code %d, %q, want %q", code, stderr, c.want)
				}
				if n := len(b.net.Dials()); n != 0 {
					b.t.Errorf("%d connections", n)
				}
			})
		})
	}
}

func TestSecretsOfTheEnvironmentAreRemovedFromAnswers(t *testing.T) {
	s := newScrubber([]string{"abc", "sk-1234567&x"})
	if got := s.replace.Replace("abc sk-1234567&x sk-1234567%26x"); got != "abc *** ***" {
		t.Errorf("got %q", got)
	}
	if newScrubber([]string{"", "short"}) != nil {
		t.Error("too short to be looked for")
	}
}

func FuzzTemplates(f *testing.F) {
	f.Add(mixedTemplates)
	f.Add("- url: https://llm.test/\n  weight: 0\n")
	f.Add("- &a {url: /x}\n- *a\n")
	f.Add("- headers: {a: [1]}\n")
	f.Fuzz(func(t *testing.T, text string) {
		r := templateReader{configReader: configReader{"t.yaml"}, base: "https://llm.test/", folder: t.TempDir()}
		found, err := r.read([]byte(text))
		if err != nil {
			wantUsage(t, err)
			return
		}
		for _, one := range found {
			if one.url == "" || one.weight < 1 {
				t.Errorf("%q was read as %+v", text, one)
			}
		}
	})
}
