package curlline_test

import (
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/coldsplit/coldsplit/pkg/curlline"
)

func TestWrongLinesAreToldInOneLine(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{"", "nothing in it"},
		{"curl", "no URL in it"},
		{"curl -s", "no URL in it"},
		{"echo https://example.com/", `starts with "echo", want curl`},
		{"wget https://example.com/", "a line for wget"},
		{`fetch("https://example.com/", {})`, `want "Copy as cURL"`},
		{"Invoke-WebRequest -Uri x", `want "Copy as cURL"`},
		{"curl \u201chttps://example.com/\u201d", "typographic quote"},
		{"curl \u2014compressed https://example.com/", "typographic dash"},
		{"curl 'https://example.com/", "a single quote is not closed"},
		{`curl "https://example.com/`, "a double quote is not closed"},
		{`curl $'https://example.com/`, "$' is not closed"},
		{`curl ^"https://example.com/ ^`, "a double quote is not closed"},
		{"curl $HOME_PAGE", "variable $HOME_PAGE has no value here"},
		{`curl "${X"`, "${ is not closed"},
		{"curl $(cat url)", "$(...) would run a command"},
		{"curl `cat url`", "`...` would run a command"},
		{"curl -d @- https://example.com/ <<EOF\nx\nEOF", "input by <"},
		{"curl https://example.com/ >", "no file behind >"},
		{"curl (x)", "an unquoted"},
		{"curl https://example.com/ -H", "-H wants a header, nothing follows it"},
		{"curl https://example.com/ -sd", "-d wants data, nothing follows it"},
		{"curl https://example.com/ --max-time", "--max-time wants seconds, nothing follows it"},
		{"curl -m soon https://example.com/", `-m: want seconds, got "soon"`},
		{"curl -m -1 https://example.com/", `-m: want seconds, got "-1"`},
		{"curl --max-time NaN https://example.com/", `--max-time: want seconds, got "NaN"`},
		{"curl --max-redirs many https://example.com/", "want a number of redirects"},
		{"curl -X 'GE T' https://example.com/", `want a method, got "GE T"`},
		{"curl -X '' https://example.com/", "want a method"},
		{"curl --tls-max 2 https://example.com/", "want 1.0, 1.1, 1.2 or 1.3"},
		{"curl --cacert '' https://example.com/", "want a file, got nothing"},
		{"curl --silent=yes https://example.com/", "--silent takes no value"},
		{"curl --warp 9 https://example.com/", "unknown option --warp"},
		{"curl --no-warp https://example.com/", "unknown option --no-warp"},
		{"curl --data-u x https://example.com/ --dat x", "is the start of --data and of --data-"},
		{"curl -~ https://example.com/", `unknown option -~ in "-~"`},
		{"curl -s@ https://example.com/", "unknown option -@"},
		{"curl https://example.com/ --next https://example.org/", "one line, one request"},
		{"curl --help", "asks curl about itself"},
		{"curl -V", "asks curl about itself"},
		{"curl ftp://example.com/", `scheme "ftp", want http or https`},
		{"curl file:///etc/passwd", `scheme "file"`},
		{"curl 'https://example.com/a b'", "has a space or a line break"},
		{"curl https://", "has no host"},
		{"curl https://exa%zzmple/", "is not well formed"},
		{"curl 'https://example.com/{a'", "a brace is not closed"},
		{"curl 'https://example.com/{{uuid}'", `"{{" is not closed`},
		{"curl 'https://example.com/?x[]=1'", `"[]" is no range; -g takes it as it is`},
		{"curl 'https://example.com/[3-1]'", "is no range"},
		{"curl 'https://example.com/[1-1000]'", "is no range"},
		{"curl 'https://example.com/[1-90][1-90]'", "expands to more than 100"},
		{"curl -I -d x https://example.com/", "only one of -I, -d, -F and -T"},
		{"curl -F a=b -d x https://example.com/", "only one of -I, -d, -F and -T"},
		{"curl -F a https://example.com/", "want NAME=CONTENT"},
		{`curl -F 'a=@"x' https://example.com/`, "a quote in the form is not closed"},
		{"curl -x gopher://p https://example.com/", `proxy scheme "gopher"`},
		{"curl -x 'http://:80' https://example.com/", "proxy: want"},
		{"curl -H $'A: b\\r\\nX: c' https://example.com/", `the value of "A" has a line break`},
	} {
		_, err := curlline.ParseLine(c.line, curlline.LineOptions{})
		if err == nil {
			t.Errorf("%q was taken", c.line)
			continue
		}
		if text := err.Error(); !strings.Contains(text, c.want) || strings.Contains(text, "\n") || !strings.HasPrefix(text, "curl line: ") {
			t.Errorf("%q: %q, want one line with %q", c.line, text, c.want)
		}
	}
}

func TestNothingSecretIsRepeated(t *testing.T) {
	const secret = "s3cret"
	for _, line := range []string{
		"curl -u a:s3cret --digest ftp://a:s3cret@example.com/",
		"curl https://u:s3cret@example.com/{a",
		"curl -H 'Authorization s3cret' -H 'If-None-Match: s3cret' -H 'Content-Length: s3cret' https://example.com/",
		"curl -x gopher://u:s3cret@p https://example.com/",
		"curl -x http://u:s3cret@ https://example.com/",
		"curl -b s3cret https://example.com/; curl -u s3cret https://c.example/",
		"curl -E me.pem:s3cret --cert-type s3cret https://example.com/",
		"curl https://example.com/?a=1&key=s3cret",
		"curl -F s3cret https://example.com/ -d @s3cret -F 'a=b;s3cret'",
	} {
		r, err := curlline.ParseLine(line, curlline.LineOptions{})
		var told []string
		if err != nil {
			told = append(told, err.Error())
		} else {
			for _, n := range slices.Concat(r.Changes, r.NotHonoured) {
				told = append(told, n.What+": "+n.Why)
			}
		}
		if len(told) == 0 || strings.Contains(strings.Join(told, "\n"), secret) {
			t.Errorf("%q: %q", line, told)
		}
	}
}

func TestFilesAreReadThroughTheCaller(t *testing.T) {
	for line, missing := range map[string]string{
		"curl -d @gone https://example.com/": "gone", "curl -H @gone https://example.com/": "gone", "curl -T gone https://example.com/": "gone",
		"curl -F a=@gone https://example.com/": "gone", "curl -F a=@cat.png,gone https://example.com/": "gone", "curl -G --data-urlencode a@gone https://example.com/": "gone",
	} {
		r, err := curlline.ParseLine(line, curlline.LineOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := r.Load(files); !errors.Is(err, os.ErrNotExist) || !strings.Contains(err.Error(), missing) {
			t.Errorf("%q: %v", line, err)
		}
		if _, err := r.Load(nil); err == nil {
			t.Errorf("%q was loaded without files", line)
		}
	}
}

func TestStdinIsReadOnce(t *testing.T) {
	r, err := curlline.Parse([]string{"-d", "@-", "-d", "@-", "https://example.com/"})
	if err != nil {
		t.Fatal(err)
	}
	reads := 0
	c, err := r.Load(func(string) ([]byte, error) { reads++; return []byte("x\n"), nil })
	if err != nil || reads != 1 || string(c.Body) != "x&x" {
		t.Errorf("%d reads, %q, %v", reads, c.Body, err)
	}
}

func TestFormHasARealBoundary(t *testing.T) {
	r, err := curlline.Parse([]string{"-F", "a=b", "https://example.com/"})
	if err != nil {
		t.Fatal(err)
	}
	first, err := r.Load(files)
	if err != nil {
		t.Fatal(err)
	}
	second, err := r.Load(files)
	if err != nil {
		t.Fatal(err)
	}
	kind := first.Headers[len(first.Headers)-1].Value
	boundary := strings.TrimPrefix(kind, "multipart/form-data; boundary=")
	if boundary == kind || !strings.HasPrefix(string(first.Body), "--"+boundary+"\r\n") || string(first.Body) == string(second.Body) {
		t.Errorf("type %q, body %q, again %q", kind, first.Body, second.Body)
	}
}

func FuzzParseLine(f *testing.F) {
	for _, seed := range []string{`curl 'https://a.example/' -H 'a: b' -d @x`, "curl ^\"https://a.example/^\" ^\n -H ^\"a: ^\\^\"b^\"", `curl $'\u00e9\x41\0' -F "a=@b;type=c"`, "curl.exe \"a`$b\" `\n -d 'x'", `curl "https://a/{b,c}[1-9:2]"`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, line string) {
		for dialect := curlline.Auto; dialect <= curlline.PowerShell; dialect++ {
			r, err := curlline.ParseLine(line, curlline.LineOptions{Dialect: dialect})
			if err != nil {
				if strings.Contains(err.Error(), "\n") {
					t.Errorf("%q: %q", line, err)
				}
				continue
			}
			if len(r.URLs) == 0 {
				t.Errorf("%q has no URL and no error", line)
			}
			if _, err := r.Load(func(string) ([]byte, error) { return []byte("x"), nil }); err != nil {
				t.Logf("%q: %v", line, err)
			}
		}
	})
}
