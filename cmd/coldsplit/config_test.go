package main

import (
	"os"
	"strings"
	"testing"
)

func TestConfigBringsRoutes(t *testing.T) {
	inBubble(t, func(b *bubble) {
		var first, second echo
		b.host("a.example.com", "203.0.113.1", first.origin("X-All", "X-Own", "Authorization"))
		b.host("b.example.com", "203.0.113.2", second.origin("X-All", "X-Own"))
		file := b.path("routes.yaml")
		text := `# two ways
requests: 3
interval: 50ms
header:
  - "X-All: 1"
routes:
  - url: https://a.example.com/x
    name: old
    http: 1.1
    header: ["X-Own: a", "Authorization: Bearer s3cr3t"]
  - url: https://b.example.com/y
    name: new
    request: POST
    data-raw: |
      {"q": 1}
`
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, errs, code := b.run("probe", "--save", b.path("run.jsonl"), "--config", file)
		if code != exitDone || len(first.seen) != 3 || len(second.seen) != 3 {
			t.Fatalf("exit %d, asked %q and %q\n%s", code, first.seen, second.seen, errs)
		}
		if first.seen[0] != "GET /x X-Own=a Authorization=Bearer s3cr3t " {
			t.Errorf("first asked %q", first.seen[0])
		}
		if second.seen[0] != "POST /y X-All=1 {\"q\": 1}\n" {
			t.Errorf("second asked %q", second.seen[0])
		}
		routes := map[string]string{}
		for _, ex := range exchanges(t, b.path("run.jsonl")) {
			routes[ex.Route] = ex.Protocol
		}
		if routes["old"] != "http/1.1" || routes["new"] != "h2" {
			t.Errorf("routes %v", routes)
		}
		if strings.Contains(readFile(t, b.path("run.jsonl")), "s3cr3t") {
			t.Error("the run file holds a secret of the configuration")
		}
		os.WriteFile(b.path("secret"), []byte(`Bearer "s3cr3t"`), 0o600)
		os.Remove(file)
		_, errs, code = b.run("again", b.path("run.jsonl"), "--no-save", "--secret", "authorization=@"+b.path("secret"))
		if code != exitDone || len(first.seen) != 6 || first.seen[5] != `GET /x X-Own=a Authorization=Bearer "s3cr3t" ` {
			t.Errorf("again: exit %d, asked %q\n%s", code, first.seen, errs)
		}
	})
}

func TestConfigBringsBothSidesOfAComparison(t *testing.T) {
	inBubble(t, func(b *bubble) {
		var first, second recorder
		b.host("a.example.com", "203.0.113.1", first.answering(50*ms))
		b.host("b.example.com", "203.0.113.2", second.answering(0))
		file := b.path("routes.yaml")
		os.WriteFile(file, []byte("requests: 6\nroutes:\n  - {url: https://a.example.com/, name: old}\n  - {url: https://b.example.com/, name: new}\n"), 0o600)
		out, errs, code := b.run("compare", "--no-save", "--config", file)
		if code != exitDone || len(first.seen) != 6 || len(second.seen) != 6 || !strings.Contains(out, "new is 50.0 ms faster than old") {
			t.Errorf("exit %d, %d and %d requests\n%s%s", code, len(first.seen), len(second.seen), out, errs)
		}
		for _, args := range [][]string{{"https://c.example.com/"}, {"--after-http", "3"}} {
			if _, errs, code := b.run(append([]string{"compare", "--config", file}, args...)...); code != exitUsage || strings.Count(errs, "\n") != 1 {
				t.Errorf("%v: exit %d, %q", args, code, errs)
			}
		}
	})
}

func TestConfigIsStrict(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"unknown key", "routes:\n  - url: https://a.example.com/\n    heder: x\n", `routes.yaml:3:5: unknown key "heder": keys are the long names of flags; did you mean "header"?`},
		{"unknown key at the top", "reqests: 3\nroutes:\n  - url: https://a.example.com/\n", `routes.yaml:1:1: unknown key "reqests": keys are the long names of flags; did you mean "requests"?`},
		{"a run's key in a route", "routes:\n  - url: https://a.example.com/\n    requests: 3\n", `routes.yaml:3:5: unknown key "requests": keys are the long names of flags`},
		{"a value that is none", "interval: soon\nroutes:\n  - url: https://a.example.com/\n", `routes.yaml:1:11: interval: expected seconds or a duration like 500ms, 2.5 or 1m30s, got "soon"`},
		{"a list for one value", "from: [a, b]\nroutes:\n  - url: https://a.example.com/\n", "routes.yaml:1:7: from: takes one value, not a list"},
		{"no url", "routes:\n  - name: a\n", "a route needs the key url"},
		{"a url that is none", "routes:\n  - url: example.com\n", "has no scheme"},
		{"no routes", "requests: 3\n", "there is no route in it"},
		{"not a mapping", "- a\n", "routes.yaml:1:1: expected a mapping with the key routes"},
		{"not YAML", "routes: [\n", "routes.yaml:"},
		{"twice", "from: a\nfrom: b\nroutes:\n  - url: https://a.example.com/\n", "routes.yaml:2:1: "},
		{"nothing", "", "expected one document with a list of routes"},
		{"this machine's affair", "save: x\nroutes:\n  - url: https://a.example.com/\n", `routes.yaml:1:1: unknown key "save"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			inBubble(t, func(b *bubble) {
				t.Chdir(b.dir)
				if err := os.WriteFile("routes.yaml", []byte(c.text), 0o600); err != nil {
					t.Fatal(err)
				}
				_, errs, code := b.run("probe", "--config", "routes.yaml")
				if code != exitUsage || !strings.Contains(errs, c.want) || strings.Count(errs, "\n") != 1 {
					t.Errorf("exit %d, %q, want %q", code, errs, c.want)
				}
				if len(b.net.Dials()) != 0 {
					t.Error("something was sent")
				}
			})
		})
	}
}

func FuzzConfig(f *testing.F) {
	f.Add("requests: 3\nroutes:\n  - url: https://a.example.com/\n    header: [\"X: 1\"]\n")
	f.Add("routes: [{url: https://a.example.com/, name: &a x, http: *a}]")
	f.Add("? [a]\n: b\n")
	f.Add("routes:\n- \n")
	f.Fuzz(func(t *testing.T, text string) {
		c, err := readConfig("routes.yaml", []byte(text))
		if err == nil && len(c.Routes) == 0 {
			t.Errorf("%q: no route and no error", text)
		}
	})
}
