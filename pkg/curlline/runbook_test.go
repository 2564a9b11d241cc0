package curlline_test

import (
	"testing"

	"github.com/coldsplit/coldsplit/pkg/curlline"
)

func env(name string) (string, bool) {
	value, ok := map[string]string{"TOKEN": "t0k", "HOST": "api.example.com", "EMPTY": ""}[name]
	return value, ok
}

// Lines as runbooks, API documentation and chats hold them.
func TestLinesFromRunbooks(t *testing.T) {
	checkLines(t, curlline.LineOptions{Getenv: env}, []pasted{
		{"bare", `curl https://example.com/`, `GET https://example.com/`},
		{"prompt", `$ curl -I https://example.com/`, `HEAD https://example.com/`},
		{"no scheme", `curl example.com/health`, `GET http://example.com/health | ~a URL without a scheme`},
		{"silent, follow, insecure", `curl -sSLk https://example.com/`, `GET https://example.com/ | .insecure | .location`},
		{"the usual timing line", `curl -o /dev/null -s -w '%{time_connect} %{time_starttransfer} %{time_total}\n' https://example.com/`, `GET https://example.com/ | ~-w`},
		{"redirected output", `curl -sS https://example.com/ > /dev/null 2>&1`, `GET https://example.com/`},
		{"output to a file", `curl https://example.com/a.zip > a.zip`, `GET https://example.com/a.zip | ~> a.zip`},
		{"piped", `curl -s https://api.example.com/v1/x | jq '.items[] | .id'`, `GET https://api.example.com/v1/x | ~| jq ...`},
		{"followed by another command", `curl -f https://api.example.com/health && echo up`, `GET https://api.example.com/health | ~-f | ~&& echo ...`},
		{"followed by one with a secret", `curl https://api.example.com/x?a=1&token=s3cret | curl -u a:b http://c.example`, `GET https://api.example.com/x?a=1 | ~& token= ...`},
		{"signed", `curl --aws-sigv4 aws:amz:eu-west-1:s3 -u KEY:SECRET https://bucket.example.com/`, `GET https://bucket.example.com/ | !--aws-sigv4`},
		{"unquoted ampersand", `curl https://api.example.com/x?a=1&b=2`, `GET https://api.example.com/x?a=1 | ~& b= ...`},
		{"download", `curl -fsSLO --retry 5 --retry-delay 2 --retry-connrefused https://example.com/tool.tar.gz`, `GET https://example.com/tool.tar.gz | .location | ~-f | ~-O | ~--retry | ~--retry-delay | ~--retry-connrefused`},
		{"installer", `curl --proto '=https' --tlsv1.2 -sSf https://sh.example.com | sh`, `GET https://sh.example.com | .tls-min 1.2 | ~-f | ~| sh`},
		{"attached values", `curl -XDELETE -HX-Trace:1 -utoken: https://api.example.com/v1/x/7`, `DELETE https://api.example.com/v1/x/7 | Authorization: Basic dG9rZW46 | X-Trace: 1`},
		{"equals sign", `curl --request=PATCH --header="X-A: b" --max-time=2.5 https://api.example.com/`, `PATCH https://api.example.com/ | X-A: b | .max-time 2.5s`},
		{"header without a space", `curl -H Content-Type:application/json -d'{"a":1}' https://api.example.com/`, `POST https://api.example.com/ | Content-Type: application/json | ={"a":1}`},
		{"variables", `curl -H "Authorization: Bearer $TOKEN" "https://${HOST}/v1/me?x=$EMPTY"`, `GET https://api.example.com/v1/me?x= | Authorization: Bearer t0k`},
		{"a variable in single quotes is none", `curl -H 'X: $TOKEN' https://api.example.com/`, `GET https://api.example.com/ | X: $TOKEN`},
		{"an escaped dollar", `curl -d "cost=\$5" https://api.example.com/`, `POST https://api.example.com/ | Content-Type: application/x-www-form-urlencoded | =cost=$5`},
		{"body from a file", `curl -X POST https://api.example.com/ -H 'Content-Type: application/json' -d @body.json`, `POST https://api.example.com/ | Content-Type: application/json | ={  "a": 1}`},
		{"binary body from a file", `curl --data-binary @body.json -H 'Content-Type: application/json' https://api.example.com/`, "POST https://api.example.com/ | Content-Type: application/json | ={\n  \"a\": 1\n}\n"},
		{"body from stdin", `curl -d @- https://api.example.com/`, `POST https://api.example.com/ | Content-Type: application/x-www-form-urlencoded | =from stdin`},
		{"raw data with an at sign", `curl --data-raw '@user' https://api.example.com/`, `POST https://api.example.com/ | Content-Type: application/x-www-form-urlencoded | =@user`},
		{"encoded data", `curl --data-urlencode 'q=a b&c' --data-urlencode 'note@notes.txt' https://api.example.com/`, `POST https://api.example.com/ | Content-Type: application/x-www-form-urlencoded | =q=a+b%26c&note=two%0D%0Alines%0A`},
		{"query by -G", `curl -G https://api.example.com/search -d limit=5 --data-urlencode 'q=köln süd'`, `GET https://api.example.com/search?limit=5&q=k%C3%B6ln+s%C3%BCd`},
		{"query by --url-query", `curl 'https://api.example.com/?a=1#top' --url-query 'b=x y' --url-query +raw%20`, `GET https://api.example.com/?a=1&b=x+y&raw%20#top`},
		{"JSON", `curl --json '{"tool": "curl"}' https://api.example.com/`, `POST https://api.example.com/ | Accept: application/json | Content-Type: application/json | ={"tool": "curl"}`},
		{"JSON with another type", `curl --json @body.json -H 'Content-Type: application/vnd.api+json' https://api.example.com/`, "POST https://api.example.com/ | Accept: application/json | Content-Type: application/vnd.api+json | ={\n  \"a\": 1\n}\n"},
		{"upload", `curl -T cat.png https://files.example.com/in/`, `PUT https://files.example.com/in/cat.png | =PNG`},
		{"upload with a method", `curl -X POST --upload-file - https://files.example.com/in/x`, "POST https://files.example.com/in/x | =from stdin\n"},
		{"basic credentials", `curl -u admin:s3cr:et https://api.example.com/`, `GET https://api.example.com/ | Authorization: Basic YWRtaW46czNjcjpldA==`},
		{"credentials in the URL", `curl https://user:p%40ss@api.example.com/x@y`, `GET https://api.example.com/x@y | Authorization: Basic dXNlcjpwQHNz`},
		{"token", `curl --oauth2-bearer t0k https://api.example.com/`, `GET https://api.example.com/ | Authorization: Bearer t0k`},
		{"digest", `curl --digest -u a:b https://api.example.com/`, `GET https://api.example.com/ | !--digest`},
		{"a user who would be asked", `curl -u admin https://api.example.com/`, `GET https://api.example.com/ | !-u`},
		{"cookies", `curl -b 'a=1' --cookie b=2 -c jar.txt https://example.com/`, `GET https://example.com/ | Cookie: a=1; b=2 | ~-c`},
		{"a cookie file", `curl -b cookies.txt -c cookies.txt https://example.com/`, `GET https://example.com/ | ~-c | !-b FILE`},
		{"agent and referer", `curl -A 'probe/1' -e 'https://example.com/;auto' https://example.com/`, `GET https://example.com/ | User-Agent: probe/1 | Referer: https://example.com/ | !-e ;auto`},
		{"no agent", `curl -A '' -H 'Accept:' https://example.com/`, `GET https://example.com/ | -Accept | -User-Agent`},
		{"range", `curl -r 0-1023 https://example.com/big.bin`, `GET https://example.com/big.bin | Range: bytes=0-1023`},
		{"pinned address", `curl --resolve api.example.com:443:192.0.2.7 --connect-to ::edge.example.net:443 https://api.example.com/`, `GET https://api.example.com/ | .resolve api.example.com:443:192.0.2.7 | .connect-to ::edge.example.net:443`},
		{"old HTTP", `curl -0 -4 https://example.com/`, `GET https://example.com/ | .http 1.1 | .ipv4 | !--http1.0`},
		{"HTTP versions", `curl --http1.1 -6 --tls-max 1.2 https://example.com/`, `GET https://example.com/ | .http 1.1 | .tls-max 1.2 | .ipv6`},
		{"HTTP/2", `curl --http2 -sI https://example.com/`, `HEAD https://example.com/`},
		{"h2c", `curl --http2-prior-knowledge http://localhost:8080/`, `GET http://localhost:8080/ | .http 2 | !--http2`},
		{"HTTP/3", `curl --http3 https://example.com/`, `GET https://example.com/ | .http 3 | ~--http3`},
		{"timeouts", `curl -m 10 --connect-timeout 0.5 https://example.com/`, `GET https://example.com/ | .max-time 10s | .connect-timeout 500ms`},
		{"HTTP proxy", `curl -x proxy.example:3128 -U me:pw https://example.com/`, `GET https://example.com/ | .proxy http://me:pw@proxy.example:3128`},
		{"proxy without a port", `curl --proxy http://proxy.example https://example.com/`, `GET https://example.com/ | .proxy http://proxy.example:1080`},
		{"SOCKS proxy", `curl --socks5-hostname localhost:9050 --noproxy 10.0.0.0/8 https://example.com/`, `GET https://example.com/ | .proxy socks5h://localhost:9050 | .noproxy 10.0.0.0/8`},
		{"SOCKS proxy that curl resolves for", `curl -x socks5://127.0.0.1:1080 https://example.com/`, `GET https://example.com/ | .proxy socks5://127.0.0.1:1080 | ~a socks5 proxy`},
		{"HTTPS proxy", `curl -x https://proxy.example --proxy-insecure --proxy-header 'X-Who: me' https://example.com/`, `GET https://example.com/ | .proxy-insecure | .proxy https://proxy.example:443 | .proxy-header X-Who: me`},
		{"resolvers", `curl --doh-url https://dns.example/dns-query https://example.com/`, `GET https://example.com/ | .resolver https://dns.example/dns-query`},
		{"DNS servers", `curl --dns-servers 192.0.2.53,192.0.2.54 https://example.com/`, `GET https://example.com/ | .resolver udp://192.0.2.53 | ~--dns-servers`},
		{"certificates", `curl --cacert ca.pem -E client.pem:pw --key client.key --cert-type PEM https://example.com/`, `GET https://example.com/ | .cacert ca.pem | .cert client.pem | .key client.key | .pass pw`},
		{"a certificate on a drive", `curl --cert 'C:\certs\me.pem:pw' https://example.com/`, `GET https://example.com/ | .cert C:\certs\me.pem | .pass pw`},
		{"certificate of another kind", `curl --cert me.p12 --cert-type P12 https://example.com/`, `GET https://example.com/ | .cert me.p12 | !--cert-type`},
		{"slowed down", `curl --limit-rate 100k -Z --keepalive-time 30 --no-keepalive -N https://example.com/`, `GET https://example.com/ | ~--limit-rate | ~-Z | ~--keepalive-time | ~--no-keepalive`},
		{"trusted redirects", `curl --location-trusted --max-redirs 3 -u a:b https://example.com/`, `GET https://example.com/ | Authorization: Basic YTpi | .location | .max-redirs 3 | !--location-trusted`},
		{"unix socket", `curl --unix-socket /var/run/docker.sock http://localhost/version`, `GET http://localhost/version | !--unix-socket`},
		{"headers from a file", `curl -H @headers.txt https://api.example.com/`, `GET https://api.example.com/ | X-A: 1 | Authorization: Bearer s3cret | ~-H Content-Length`},
		{"globbed", `curl "https://{a,b}.example.com/[1-2]"`, `GET https://a.example.com/1 https://a.example.com/2 https://b.example.com/1 https://b.example.com/2 | ~4 URLs`},
		{"our template", `curl 'https://api.example.com/{{uuid}}?n={{seq}}' -d '{"id":"{{uuid}}"}'`, `POST https://api.example.com/{{uuid}}?n={{seq}} | Content-Type: application/x-www-form-urlencoded | ={"id":"{{uuid}}"}`},
		{"IPv6 literal", `curl -g 'http://[2001:db8::1]:8080/x[0]'`, `GET http://[2001:db8::1]:8080/x[0]`},
		{"IPv6 literal with globbing", `curl 'http://[2001:db8::1]:8080/'`, `GET http://[2001:db8::1]:8080/`},
		{"a comment and continuations", "curl https://example.com/ \\  \n  -H 'A: b' \\\n  # not this\n", `GET https://example.com/ | A: b`},
		{"lost continuations", "curl https://example.com/\n  -H 'A: b'\n  --compressed", `GET https://example.com/ | A: b | .compressed`},
		{"sudo, env and a path", `sudo env X=1 /usr/bin/curl -s https://example.com/`, `GET https://example.com/`},
		{"pasted behind the word curl", `'https://example.com/' -H 'A: b'`, `GET https://example.com/ | A: b`},
		{"dot segments", `curl https://example.com/a/../b/./c`, `GET https://example.com/b/c`},
		{"as is", `curl --path-as-is https://example.com/a/../b`, `GET https://example.com/a/../b | .path-as-is`},
	})
}
