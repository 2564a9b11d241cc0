package main

import (
	"regexp"
	"strings"
	"testing"

	"github.com/coldsplit/coldsplit/pkg/probe/probetest"
)

func TestReservedNameIsLookedUpOnceAndOnFailureOnly(t *testing.T) {
	for _, c := range []struct {
		name   string
		args   []string
		looked bool
	}{
		{"ok", []string{"https://good.example.com/"}, false},
		{"wrong certificate", []string{"https://wrong.example.com/"}, true},
		{"no such name", []string{"https://none.example.com/"}, true},
		{"nobody listens", []string{"https://closed.example.com/"}, true},
		{"no look-up took part", []string{"https://wrong.example.com/", "--via", "203.0.113.2"}, false},
		{"a literal", []string{"https://203.0.113.3/"}, false},
		{"localhost", []string{"https://localhost/"}, false},
		{"a name under localhost", []string{"https://api.localhost/"}, false},
		{"a name of this machine's address", []string{"https://home.example.com/"}, false},
		{"a resolver that is not there", []string{"https://closed.example.com/", "--resolver", "udp://192.0.2.99"}, false},
		{"one of two answers", []string{"https://good.example.com/", "https://none.example.com/"}, false},
		{"silence", []string{"https://silent.example.com/", "-m", "1"}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			inBubble(t, func(b *bubble) {
				b.host("good.example.com", "203.0.113.1", probetest.Origin{})
				b.host("other.example.com", "203.0.113.2", probetest.Origin{})
				b.net.Zone["wrong.example.com"] = probetest.Records{A: []string{"203.0.113.2"}}
				b.net.Zone["closed.example.com"] = probetest.Records{A: []string{"203.0.113.3"}}
				b.net.Zone["silent.example.com"] = probetest.Records{A: []string{"203.0.113.4"}}
				b.net.Silence("203.0.113.4")
				b.net.Zone["home.example.com"] = probetest.Records{A: []string{"127.0.0.1"}}
				b.net.Zone["localhost"] = probetest.Records{A: []string{"127.0.0.1"}}
				b.probe("run.jsonl", append(c.args, "-n", "3")...)
				text := readFile(t, b.path("run.jsonl"))
				notes := regexp.MustCompile(`looked up the reserved name [a-z2-7]{5}\.invalid: no such name, from resolver`).FindAllString(text, -1)
				if (len(notes) == 1) != c.looked || strings.Count(text, ".invalid") != len(notes) {
					t.Errorf("%d look-ups noted, want one: %v", len(notes), c.looked)
				}
			})
		})
	}
}

func TestWrongCertificateBehindAnHonestResolverTellsTheLookup(t *testing.T) {
	inBubble(t, func(b *bubble) {
		b.host("other.example.com", "203.0.113.2", probetest.Origin{})
		b.net.Zone["wrong.example.com"] = probetest.Records{A: []string{"203.0.113.2"}}
		out, _, _ := b.probe("run.jsonl", "https://wrong.example.com/")
		for _, want := range []string{
			"wrong.example.com would show your users a certificate error: the certificate is",
			"sent      1 request and 1 look-up of a reserved name; nothing else was sent",
		} {
			if !strings.Contains(out, want) {
				t.Errorf("lacks %q in\n%s", want, out)
			}
		}
	})
}
