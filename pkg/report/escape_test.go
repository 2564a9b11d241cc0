package report

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestClean(t *testing.T) {
	for name, c := range map[string]struct{ in, want string }{
		"plain stays":          {"GRU 25/25 -> \\o/", "GRU 25/25 -> \\o/"},
		"letters stay":         {"São Paulo 東京 é", "São Paulo 東京 é"},
		"terminal escape":      {"\x1b[2J", `\x1b[2J`},
		"C1 escape":            {"\u009b2J", `\u{009b}2J`},
		"line ends":            {"a\r\nb\tc", `a\r\nb\tc`},
		"right-to-left":        {"exe\u202egpj", `exe\u{202e}gpj`},
		"isolates":             {"\u2066a\u2069", `\u{2066}a\u{2069}`},
		"invisible":            {"a\u200bb\ufeff\u3164", `a\u{200b}b\u{feff}\u{3164}`},
		"no-break space":       {"a\u00a0b", `a\u{00a0}b`},
		"no UTF-8":             {"a\xffb", `a\xffb`},
		"replacement stays":    {"\ufffd", "\ufffd"},
		"tag characters":       {"\U000e0041", `\u{e0041}`},
		"marks of the project": {string(codeOpen) + "x", `\u{e000}x`},
		"pile of marks":        {"e" + strings.Repeat("\u0301", 5), "e\u0301\u0301\u0301" + `\u{0301}\u{0301}`},
	} {
		t.Run(name, func(t *testing.T) {
			if got := Clean(c.in); got != c.want {
				t.Errorf("Clean(%q) = %q, want %q", c.in, got, c.want)
			}
		})
	}
}

func TestClipTellsWhatItCut(t *testing.T) {
	for name, c := range map[string]struct {
		in    string
		limit int
		want  string
	}{
		"short stays":     {"abc", 8, "abc"},
		"exactly":         {"abcdefgh", 8, "abcdefgh"},
		"long":            {strings.Repeat("a", 65_536), 10, "aaaaaaaaaa... (cut, 65,536 bytes)"},
		"letters whole":   {strings.Repeat("東", 20), 8, "東東東東東東東東... (cut, 60 bytes)"},
		"escapes counted": {"\x1b\x1b\x1b", 8, `\x1b\x1b... (cut, 3 bytes)`},
	} {
		t.Run(name, func(t *testing.T) {
			if got := Clip(c.in, c.limit); got != c.want {
				t.Errorf("Clip(%.20q, %d) = %q, want %q", c.in, c.limit, got, c.want)
			}
		})
	}
}

func FuzzEscapesAreSafeInEveryFormat(f *testing.F) {
	for _, seed := range []string{"", esc, "a|b`c``d\\", "\xff\x00\u2028", "=1+1", "- x", "1. x", "> q", "```", "|:--|",
		"\ue000a|b\ue001", "&lt;script>", "<!--", "[a](b)", "![a](b)", "e\u0301\u0301\u0301\u0301\u0301"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		cleaned := Clean(s)
		if !utf8.ValidString(cleaned) || strings.IndexFunc(cleaned, acts) >= 0 {
			t.Errorf("Clean(%q) = %q acts", s, cleaned)
		}
		if again := Clean(cleaned); again != cleaned {
			t.Errorf("Clean is not idempotent: %q, %q", cleaned, again)
		}
		if n := utf8.RuneCountInString(Clip(s, 20)); n > 20+len("... (cut, 9,999,999 bytes)") {
			t.Errorf("Clip(%q) has %d characters", s, n)
		}
		checkHostile(t, s)
	})
}

// acts is an independent and narrower statement of what must never reach a terminal.
func acts(r rune) bool {
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co, unicode.Zl, unicode.Zp)
}

// checkHostile puts s everywhere a stranger's text can stand and parses what comes out.
func checkHostile(t *testing.T, s string) {
	t.Helper()
	a := greenArm()
	a.Name, a.Host, a.Via, a.Protocol, a.RTTSource = s, s, s, s, s
	a.Slow[0].Cause, a.Places[0].Site, a.Places[1].Evidence = s, s, s
	a.Answer = Answer{s, []string{s}, 200, 1, 1, s, 1}
	a.Failures = []Failure{{0, "dns", 1, nil, s}}
	a.Counts.Failed = 1
	a.Notes = []string{s}
	p := Probe{From: s, Arms: []Arm{a}, Run: runFacts, Hints: []string{s}, Warnings: []string{s}}
	d := ProbeDocument(p)
	checkMarkdown(t, d)
	checkText(t, d)
	checkMachine(t, d)
	p.Arms = append(p.Arms, h3Arm(), failedArm(s, NoAddress{Host: s, Count: 1, Of: 1, Resolver: s, Answer: s}))
	d = ProbeDocument(p)
	checkText(t, d)
	checkMachine(t, d)
}
