package curlline_test

import (
	"testing"

	"github.com/coldsplit/coldsplit/pkg/curlline"
)

// Lines of the shapes the menus "Copy as cURL" of three browsers write; hosts and values are made up.
func TestLinesCopiedFromBrowsers(t *testing.T) {
	checkLines(t, curlline.LineOptions{}, []pasted{
		{"Chrome, bash, GET", `curl 'https://shop.example.com/api/v2/items?sort=price&page=2' \
  -H 'accept: application/json, text/plain, */*' \
  -H 'accept-language: en-US,en;q=0.9' \
  -b 'sid=abc%3D; theme=dark' \
  -H 'priority: u=1, i' \
  -H 'referer: https://shop.example.com/items' \
  -H 'sec-ch-ua: "Chromium";v="140", "Not=A?Brand";v="24"' \
  -H 'sec-ch-ua-mobile: ?0' \
  -H 'sec-ch-ua-platform: "Linux"' \
  -H 'user-agent: Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36'`, `GET https://shop.example.com/api/v2/items?sort=price&page=2 | Cookie: sid=abc%3D; theme=dark | accept: application/json, text/plain, */* | accept-language: en-US,en;q=0.9 | priority: u=1, i | referer: https://shop.example.com/items | sec-ch-ua: "Chromium";v="140", "Not=A?Brand";v="24" | sec-ch-ua-mobile: ?0 | sec-ch-ua-platform: "Linux" | user-agent: Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36`},
		{"Chrome, bash, POST with an apostrophe", `curl 'https://api.example.com/v1/chat/completions' \
  -H 'authorization: Bearer tok' \
  -H 'content-type: application/json' \
  --data-raw $'{"prompt":"it\'s \u0021 a\\n test","n":1}' \
  --compressed`, `POST https://api.example.com/v1/chat/completions | authorization: Bearer tok | content-type: application/json | ={"prompt":"it's ! a\n test","n":1} | .compressed`},
		{"Chrome, bash, escaped brackets", `curl 'https://api.example.com/search?filter\[color\]=red&ids=\{1,2\}' -H 'accept: */*'`, `GET https://api.example.com/search?filter[color]=red&ids={1,2} | accept: */*`},
		{"Chrome, bash, multipart kept raw", `curl 'https://api.example.com/upload' \
  -H 'content-type: multipart/form-data; boundary=----WebKitFormBoundaryAbC' \
  --data-raw $'------WebKitFormBoundaryAbC\r\nContent-Disposition: form-data; name="a"\r\n\r\nb\r\n------WebKitFormBoundaryAbC--\r\n'`, "POST https://api.example.com/upload | content-type: multipart/form-data; boundary=----WebKitFormBoundaryAbC | =------WebKitFormBoundaryAbC\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nb\r\n------WebKitFormBoundaryAbC--\r\n"},
		{"Chrome, bash, insecure PUT", `curl 'https://localhost:8443/v1/user' \
  -X 'PUT' \
  -H 'Content-Type: application/json' \
  --data-raw '{"name":"Zo\u00eb"}' \
  --insecure`, `PUT https://localhost:8443/v1/user | Content-Type: application/json | ={"name":"Zo\u00eb"} | .insecure`},
		{"Chrome, bash, form", `curl 'https://example.com/login' -H 'content-type: application/x-www-form-urlencoded' -H 'origin: https://example.com' --data-raw 'user=a%40b.example&pass=x%26y'`, `POST https://example.com/login | content-type: application/x-www-form-urlencoded | origin: https://example.com | =user=a%40b.example&pass=x%26y`},
		{"Chrome, old, pseudo header by name", `curl 'https://example.com/' -H 'authority: example.com' -H 'cache-control: max-age=0' -H 'if-none-match: W/"5f"' -H 'upgrade-insecure-requests: 1' --compressed`, `GET https://example.com/ | authority: example.com | cache-control: max-age=0 | if-none-match: W/"5f" | upgrade-insecure-requests: 1 | .compressed | ~-H if-none-match`},
		{"Chrome, all as cURL", `curl 'https://example.com/a' -H 'accept: */*' ;
curl 'https://example.com/b' -H 'accept: */*'`, `GET https://example.com/a | accept: */* | ~; curl ...`},
		{"Chrome, cmd, GET", `curl ^"https://shop.example.com/api?x=1^&y=^%^20z^" ^
  -H ^"accept: */*^" ^
  -H ^"sec-ch-ua: ^\^"Chromium^\^";v=^\^"140^\^", ^\^"Not=A?Brand^\^";v=^\^"24^\^"^" ^
  -b ^"sid=abc^" ^
  -H ^"user-agent: Mozilla/5.0 (Windows NT 10.0; Win64; x64)^"`, `GET https://shop.example.com/api?x=1&y=%20z | Cookie: sid=abc | accept: */* | sec-ch-ua: "Chromium";v="140", "Not=A?Brand";v="24" | user-agent: Mozilla/5.0 (Windows NT 10.0; Win64; x64)`},
		{"Chrome, cmd, JSON", `curl ^"https://api.example.com/v1/items^" ^
  -H ^"content-type: application/json^" ^
  --data-raw ^"^{^\^"a^\^":^\^"b c^\^",^\^"path^\^":^\^"C:^\^\^\^\x^\^"^}^"`, "POST https://api.example.com/v1/items | content-type: application/json | ={\"a\":\"b c\",\"path\":\"C:\\\\\\\\x\"}"},
		{"Chrome, cmd, a line break in the body", "curl ^\"https://api.example.com/t^\" ^\n  -H ^\"content-type: text/plain^\" ^\n  --data-raw ^\"one^\n\ntwo^\"", "POST https://api.example.com/t | content-type: text/plain | =one\ntwo"},
		{"Chrome, cmd, CRLF", "curl ^\"https://api.example.com/t^\" ^\r\n  -H ^\"accept: */*^\" ^\r\n  --compressed", `GET https://api.example.com/t | accept: */* | .compressed`},
		{"Chrome, old cmd", `curl "https://example.com/api" ^
  -H "accept: */*" ^
  -H "x-json: {\"a\":1}" ^
  --data-raw "{""k"":""v ^ & |""}" ^
  --compressed`, `POST https://example.com/api | accept: */* | x-json: {"a":1} | Content-Type: application/x-www-form-urlencoded | ={"k":"v ^ & |"} | .compressed`},
		{"cmd, doubled quotes", `curl -X POST "https://example.com/api" -H "Content-Type: application/json" -d "{""a"":""b c"",""n"":1}"`, `POST https://example.com/api | Content-Type: application/json | ={"a":"b c","n":1}`},
		{"Firefox, bash", `curl 'https://example.org/' \
  --compressed \
  -H 'User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:142.0) Gecko/20100101 Firefox/142.0' \
  -H 'Accept: text/html,application/xhtml+xml' \
  -H 'Accept-Language: de,en;q=0.5' \
  -H 'Accept-Encoding: gzip, deflate, br, zstd' \
  -H 'DNT: 1' \
  -H 'Connection: keep-alive' \
  -H 'Cookie: a=1; b=2' \
  -H 'Upgrade-Insecure-Requests: 1'`, `GET https://example.org/ | User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:142.0) Gecko/20100101 Firefox/142.0 | Accept: text/html,application/xhtml+xml | Accept-Language: de,en;q=0.5 | Accept-Encoding: gzip, deflate, br, zstd | DNT: 1 | Cookie: a=1; b=2 | Upgrade-Insecure-Requests: 1 | .compressed | ~-H Connection`},
		{"Firefox, bash, POST", `curl 'https://example.org/graphql' --compressed -X POST -H 'Accept: */*' -H 'content-type: application/json' -H 'Origin: https://example.org' --data-raw '{"query":"{ a(b: \"c\") { d } }"}'`, `POST https://example.org/graphql | content-type: application/json | Origin: https://example.org | ={"query":"{ a(b: \"c\") { d } }"} | .compressed`},
		{"Firefox, cmd", `curl ^"https://example.org/p^" ^
  --compressed ^
  -X POST ^
  -H ^"User-Agent: Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:142.0)^" ^
  -H ^"Connection: keep-alive^" ^
  --data-raw ^"a=1^&b=2^"`, `POST https://example.org/p | User-Agent: Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:142.0) | Content-Type: application/x-www-form-urlencoded | =a=1&b=2 | .compressed | ~-H Connection`},
		{"Firefox, quoted non-ASCII", `curl 'https://example.org/s' -X POST --data-raw $'q=\xc3\xa9\'&r=\u20ac'`, `POST https://example.org/s | Content-Type: application/x-www-form-urlencoded | =q=é'&r=€`},
		{"Safari, GET", `curl 'https://example.net/feed' \
-X 'GET' \
-H 'Accept: application/json' \
-H 'User-Agent: Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15' \
-H 'Referer: https://example.net/' \
-H 'Sec-Fetch-Dest: empty'`, `GET https://example.net/feed | Accept: application/json | User-Agent: Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 | Referer: https://example.net/ | Sec-Fetch-Dest: empty`},
		{"Safari, POST", `curl 'https://example.net/rpc' \
-X 'POST' \
-H 'Content-Type: application/json' \
-H 'Content-Length: 11' \
--data-binary '{"a":"b c"}'`, `POST https://example.net/rpc | Content-Type: application/json | ={"a":"b c"} | ~-H Content-Length`},
		{"Safari, pseudo headers", `curl 'https://example.net/' -X 'GET' -H ':authority: example.net' -H 'Priority: u=0, i'`, `GET https://example.net/ | Priority: u=0, i | ~-H :authority`},
		{"PowerShell, backticks", "curl.exe \"https://example.com/a\" `\n  -H \"accept: */*\" `\n  -d '{\\\"a\\\":1}'", `POST https://example.com/a | accept: */* | Content-Type: application/x-www-form-urlencoded | ={"a":1}`},
		{"PowerShell, prompt and doubled quotes", `PS C:\Users\me> curl.exe -s 'https://example.com/it''s'`, `GET https://example.com/it's`},
	})
}
