package record_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/coldsplit/coldsplit/pkg/record"
)

func TestWhichHeadersAreKeptByTheirWords(t *testing.T) {
	k := record.NewKeeper()
	kept := `Server-Timing Date Age Via Server X-Cache X-Cache-Hits X-Served-By X-Timer CF-Ray CF-Cache-Status cf-placement
		x-app-preforward-ms x-do-colo ratelimit-remaining RateLimit-Policy X-RateLimit-Reset-Tokens anthropic-ratelimit-tokens-remaining
		Retry-After X-Runtime X-Response-Time X-Amz-Cf-Pop fly-request-region x-railway-edge x-envoy-upstream-service-time
		X-Kong-Proxy-Latency openai-processing-ms SPRequestDuration SPIisLatency x-backend X-Instance-Id fly-machine-id x-pod-name
		Content-Type Content-Encoding Content-Length Cache-Control Cache-Status Vary Alt-Svc Location CDN-RequestTime
		X-Azure-Ref x-litellm-overhead-duration-ms x-sb-edge-region X-Cache-Key x-country-code`
	dropped := `Set-Cookie Cookie Authorization Proxy-Authorization WWW-Authenticate ETag Last-Modified X-Powered-By
		Access-Control-Allow-Origin Content-Security-Policy X-Frame-Options Strict-Transport-Security Referrer-Policy
		X-Request-Id Traceparent P3P NEL Report-To X-Session-Region X-Api-Key X-Server-Signature X-Edge-Auth`
	for want, names := range map[bool]string{true: kept, false: dropped} {
		for _, name := range strings.Fields(names) {
			headers, _, _ := k.Keep(map[string][]string{name: {"v"}}, nil)
			if got := len(headers) == 1; got != want {
				t.Errorf("%s: kept %v, want %v", name, got, want)
			}
		}
	}
}

func TestNamesAskedForAreKeptLowerCase(t *testing.T) {
	in := map[string][]string{"X-Whatever": {"a", "b"}, "x-other": {"c"}, "ETag": {"d"}}
	headers, trailers, notes := record.NewKeeper("x-WHATEVER").Keep(in, map[string][]string{"X-Whatever": {"t"}, "Etag": {"u"}})
	if d := cmp.Diff(record.Fields{"x-whatever": {"a", "b"}}, headers); d != "" || notes != nil {
		t.Error(d, notes)
	}
	if d := cmp.Diff(record.Fields{"x-whatever": {"t"}}, trailers); d != "" {
		t.Error(d)
	}
	headers, _, _ = record.NewKeeper("*").Keep(in, nil)
	if len(headers) != 3 {
		t.Errorf("* kept %v", headers)
	}
	if !record.NewKeeper("a").Keeps("A") || record.NewKeeper("a").Keeps("b") {
		t.Error("Keeps disagrees with Keep")
	}
}

func TestNoSecretIsKeptWhoeverAsksForIt(t *testing.T) {
	const secret = "hunter2correct"
	jwt := "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0." + secret
	in := map[string][]string{
		"Set-Cookie":          {"sid=" + secret + "; Path=/", "b=" + secret},
		"Cookie":              {secret},
		"Authorization":       {"Bearer " + secret},
		"Proxy-Authorization": {"Basic " + secret},
		"WWW-Authenticate":    {`Digest nonce="` + secret + `"`},
		"X-Auth-Token":        {secret},
		"X-Amz-Security-Token": {
			secret},
		"X-Api-Key":        {secret},
		"X-CSRF":           {secret},
		"X-Session-Id":     {secret},
		"Location":         {"https://user:" + secret + "@a.example/cb?next=1&x=" + secret + "#" + secret},
		"Content-Location": {"/a?" + secret},
		"Refresh":          {"0; url=https://a.example/?q=" + secret},
		"Link":             {"<https://u:" + secret + "@a.example/?token=" + secret + `>; rel="next"`},
		"X-Debug":          {"sent authorization: bearer " + secret, "https://a.example/?api_key=" + secret, jwt},
	}
	names := []string{"*"}
	for name := range in {
		names = append(names, name)
	}
	headers, trailers, _ := record.NewKeeper(names...).Keep(in, in)
	if text := fmt.Sprint(headers, trailers); strings.Contains(text, secret) {
		t.Errorf("a secret was kept: %s", text)
	}
	if len(headers) != len(in) {
		t.Errorf("kept %d of %d: that a carrier was there may be asked for", len(headers), len(in))
	}
	if got := headers["location"][0]; got != "https://***@a.example/cb?***" {
		t.Errorf("location %q", got)
	}
}

func TestValuesThatAreNoSecretsStayAsTheyCame(t *testing.T) {
	for _, v := range []string{
		`cfL4;desc="?proto=TCP&rtt=20966&min_rtt=20000&cwnd=253&cid=0123456789abcdef&ts=1"`,
		"8f0123456789abcd-NRT", "hkg1::iad1::abcde-1700000000000-0123456789ab", "cache-lga21974-LGA, cache-dal21283-DAL",
		"01HZZZZZZZZZZZZZZZZZZZZZZZ-lhr", "", "text/html; charset=utf-8", "basic", "max-age=3600, public",
	} {
		headers, _, _ := record.NewKeeper("x-v").Keep(map[string][]string{"x-v": {v}}, nil)
		if got := headers["x-v"][0]; got != v {
			t.Errorf("%q became %q", v, got)
		}
	}
}

func TestTheCapKeepsWhatWasAskedForFirst(t *testing.T) {
	in := map[string][]string{"x-asked": {strings.Repeat("a", 9000)}, "date": {"now"}, "a-cache-1": {strings.Repeat("c", 7000)}, "a-cache-2": {strings.Repeat("d", 7000)}}
	for range 5 {
		headers, trailers, notes := record.NewKeeper("x-asked").Keep(in, map[string][]string{"server-timing": {strings.Repeat("t", 500)}})
		if len(headers) != 3 || headers["a-cache-2"] != nil || len(trailers) != 0 {
			t.Fatalf("kept %d headers, %d trailers", len(headers), len(trailers))
		}
		if d := cmp.Diff([]string{"2 header fields left out: an exchange keeps 16 KiB of them"}, notes); d != "" {
			t.Fatal(d)
		}
	}
}

func TestSafeURL(t *testing.T) {
	for in, want := range map[string]string{
		"https://api.example.com/v1/ping":                         "https://api.example.com/v1/ping",
		"https://user:pw@api.example.com:8443/a@b":                "https://***@api.example.com:8443/a@b",
		"https://user@api.example.com":                            "https://***@api.example.com",
		"https://u:p/w@api.example.com/x":                         "https://***@api.example.com/x",
		"http://[2001:db8::1]:80/@x":                              "http://[2001:db8::1]:80/@x",
		"https://api.example.com:443/@x":                          "https://api.example.com:443/@x",
		"user:pw@proxy.example:3128":                              "***@proxy.example:3128",
		"//u:p@h.example/x":                                       "//***@h.example/x",
		"/login@x?token=abc":                                      "/login@x?token=***",
		"socks5://u:p@192.0.2.1:1080":                             "socks5://***@192.0.2.1:1080",
		"https://h.example/?q=shoes&page=2":                       "https://h.example/?q=shoes&page=2",
		"https://h.example/?q=a&&api_key=abc&x=%20":               "https://h.example/?q=a&&api_key=***&x=%20",
		"https://h.example/?apiKey=abc;accessToken=d":             "https://h.example/?apiKey=***;accessToken=***",
		"https://h.example/?acc%65ss_token=abc":                   "https://h.example/?acc%65ss_token=***",
		"https://h.example/?X-Amz-Signature=ab&X-Amz-Date=2026":   "https://h.example/?X-Amz-Signature=***&X-Amz-Date=2026",
		"https://h.example/?X-Amz-Credential=ab":                  "https://h.example/?X-Amz-Credential=***",
		"https://h.example/?sig=ab&se=2026&sp=r":                  "https://h.example/?sig=***&se=2026&sp=r",
		"https://h.example/?code=ab&country_code=de&state=up":     "https://h.example/?code=***&country_code=de&state=up",
		"https://h.example/?cache_key=12&id=7":                    "https://h.example/?cache_key=12&id=7",
		"https://h.example/?v=sk-abcdefghijkl":                    "https://h.example/?v=***",
		"https://h.example/?v=eyJhbGciOiJIUzI1NiJ9":               "https://h.example/?v=***",
		"https://h.example/?v=0123456789abcdef0123456789abcdef":   "https://h.example/?v=***",
		"https://h.example/?0123456789abcdef0123456789abcdef":     "https://h.example/?***",
		"https://h.example/?id=0b1c2d3e-1111-4222-8333-9abcdef0":  "https://h.example/?id=0b1c2d3e-1111-4222-8333-9abcdef0",
		"https://h.example/?next=https%3A%2F%2Fu%3Ap%40g.example": "https://h.example/?next=***",
		"https://h.example/#access_token=abc&x=1":                 "https://h.example/#access_token=***&x=1",
		"https://h.example/?x=AKIAIOSFODNN7EXAMPLE":               "https://h.example/?x=***",
		"https://h.example/?userpassword=a&max_tokens=5":          "https://h.example/?userpassword=***&max_tokens=5",
		"https://h.example/in/ghp_0123456789abcdefghijk/x":        "https://h.example/in/***/x",
		"https://h.example/assets/0123456789abcdef0123456789abcd": "https://h.example/assets/0123456789abcdef0123456789abcd",
		"https://h.example/sk-edge-01/":                           "https://h.example/sk-edge-01/",
		"https://h.example/?token=":                               "https://h.example/?token=",
		"https://h.example/?":                                     "https://h.example/?",
		"":                                                        "",
		"::%zz":                                                   "::%zz",
	} {
		if got := record.SafeURL(in); got != want {
			t.Errorf("%s\ngot  %s\nwant %s", in, got, want)
		}
		if again := record.SafeURL(want); again != want {
			t.Errorf("%s changes again to %s", want, again)
		}
	}
}

func TestSafeText(t *testing.T) {
	for in, want := range map[string]string{
		`Get "https://u:p@h.example/?token=x": EOF`:  `Get "https://***@h.example/?token=***": EOF`,
		"Authorization: Bearer abcdefghijk, next":    "Authorization: Bearer *** next",
		"dial tcp 192.0.2.1:443: connection refused": "dial tcp 192.0.2.1:443: connection refused",
		"a basic idea": "a basic idea",
		"key=ghp_0123456789abcdefghijk (as sent)": "key=*** (as sent)",
		"served by sk-edge-01, AKIA":              "served by sk-edge-01, AKIA",
	} {
		if got := record.SafeText(in); got != want {
			t.Errorf("%s\ngot  %s\nwant %s", in, got, want)
		}
	}
}

func TestReplaceInURLNamesWhatItTakes(t *testing.T) {
	got := record.ReplaceInURL("https://u:p@h.example/?q=1&api_key=a%20b&AKIAIOSFODNN7EXAMPLE", func(name, secret string) string {
		return "<" + name + " " + secret + ">"
	})
	if want := "https://<userinfo u:p>@h.example/?q=1&api_key=<api_key a%20b>&<key AKIAIOSFODNN7EXAMPLE>"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestHoldsSecret(t *testing.T) {
	for text, want := range map[string]bool{
		"": false, "a=1&b=2": false, `{"model":"m","max_tokens":64,"messages":[{"role":"user","content":"write code, keep the secret"}]}`: false,
		"text/html;q=0.9": false, "no-cache": false, "https://auth.example.com:8443/x": false,
		"user=me&password=x": true, `{"Password" : "x"}`: true, "<clientSecret>x</clientSecret>": true, "user%5Bpassword%5D=x": true,
		"Content-Disposition: form-data; name=\"api_key\"\r\n\r\nx": true, `"{\"token\": 1}"`: true, "secret: x": true,
		"AKIAIOSFODNN7EXAMPLE": true, "x=0123456789abcdef0123456789abcdef": true, "Bearer abcdefghijk": true,
		"https://u:p@h.example/": true, "\xff\xfe": true,
	} {
		if got := record.HoldsSecret(text); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

// FuzzSafeURLKeepsNoUserinfo: whatever follows it, userinfo goes, and cleaning twice changes nothing.
func FuzzSafeURLKeepsNoUserinfo(f *testing.F) {
	f.Add("h.example/?token=x")
	f.Add("p/w@h.example/x#y=z")
	f.Fuzz(func(t *testing.T, rest string) {
		if strings.Contains(rest, "zq") {
			t.Skip()
		}
		safe := record.SafeURL("https://zqsecret:zqsecret@" + rest)
		if again := record.SafeURL(safe); again != safe || strings.Contains(safe, "zq") {
			t.Errorf("%q -> %q -> %q", rest, safe, again)
		}
	})
}
