package curlline_test

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"sort"
	"strings"
	"testing"

	"github.com/coldsplit/coldsplit/pkg/curlline"
	"github.com/coldsplit/coldsplit/pkg/servertest"
)

// wire is a request as a server sees it.
type wire struct{ line, headers, body string }

// listen answers every request on loopback and hands it on.
func listen(t *testing.T) (address string, seen <-chan wire) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	requests := make(chan wire, 16)
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go serve(conn, requests)
		}
	}()
	return l.Addr().String(), requests
}

func serve(conn net.Conn, requests chan<- wire) {
	defer conn.Close()
	r := bufio.NewReader(conn)
	for {
		req, err := http.ReadRequest(r)
		if err != nil {
			return
		}
		if req.Header.Get("Expect") != "" {
			_, _ = io.WriteString(conn, "HTTP/1.1 100 Continue\r\n\r\n")
		}
		body, _ := io.ReadAll(req.Body)
		var headers []string
		for name, values := range req.Header {
			for _, v := range values {
				headers = append(headers, strings.ToLower(name)+": "+v)
			}
		}
		requests <- normal(req.Method+" "+req.RequestURI, headers, string(body))
		_, _ = io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
	}
}

// normal removes what the transport adds and what is random.
func normal(line string, headers []string, body string) wire {
	own := regexp.MustCompile(`^(host|content-length|expect|user-agent: curl/.*|accept-encoding|connection)(:|$)`)
	kept := headers[:0:0]
	for _, h := range headers {
		if !own.MatchString(h) {
			kept = append(kept, h)
		}
	}
	sort.Strings(kept)
	boundary := regexp.MustCompile(`-{24}[0-9A-Za-z]{16,}`)
	return wire{line, boundary.ReplaceAllString(strings.Join(kept, "\n"), "BOUNDARY"), boundary.ReplaceAllString(strings.ReplaceAll(body, "\r\n", "\n"), "BOUNDARY")}
}

// TestAgainstCurl sends each line with curl itself and compares with what Load makes of it.
func TestAgainstCurl(t *testing.T) {
	curl := servertest.Require(t, "curl")
	dir := t.TempDir()
	for name, content := range map[string]string{"f.txt": "two\r\nlines \xff&=\n", "p.png": "PNG", "headers.txt": "X-A: 1\nX-B: two\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	address, seen := listen(t)
	u := "http://" + address
	for _, args := range [][]string{
		{u + "/a?b=c"},
		{u + "/e", "--data-urlencode", "q=a b&c/é~", "--data-urlencode", "=x y", "--data-urlencode", "plain +", "--data-urlencode", "n@f.txt", "--data-urlencode", "@f.txt"},
		{"-d", "a\nb", "-d", "@f.txt", "--data-raw", "@x", "--data-binary", "@f.txt", u},
		{"--json", `{"a":1}`, "--json", `{"b":2}`, u + "/json"},
		{"--json", "{}", "-H", "accept: text/plain", u},
		{"-G", "-d", "a=b", "--data-urlencode", "d=e f", u + "/g?x=1"},
		{"-G", "-I", "-d", "a=b", u},
		{"-F", "a=b;type=text/x;c", "-F", "f=@f.txt", "-F", "g=<f.txt", "-F", `h=@p.png;type=image/jpeg;filename="q\"q"`, "--form-string", "i=@x;type=y", "-F", "j=a;b", u},
		{"-F", `k="x;y";type=text/plain`, "-F", "l=@f.txt,p.png", u},
		{"-F", "a=b", "-H", "Content-Type: multipart/form-data", u},
		{"-H", "Accept:", "-H", "X-Empty;", "-H", "X-Two: a", "-H", "X-Two: b", "-H", "User-Agent: z", "-H", "nothing", u},
		{"-A", "", "-e", "http://r/", "-r", "0-5", "-u", "a:b:c", "-b", "x=1; y=2", u},
		{"-A", "mine", "-H", "@headers.txt", u},
		{"-T", "f.txt", u + "/up/"}, {"-T", "f.txt", u + "/name"},
		{"-d", "", u}, {"-X", "DELETE", u}, {"-XPUT", "-dx", "-H", "content-type: text/plain", u}, {"-sSLI", u},
		{u + `/\[z\]?a\{b`}, {u + "/../a/./b/../c?d"}, {"--path-as-is", u + "/a/../b"}, {"-g", u + "/[x]"},
		{"--oauth2-bearer", "tok", u}, {"http://us%40er:pa%3Ass@" + address + "/x"},
		{u + "/{j,k}/[08-10]x[a-c:2]"}, {u + "/1", u + "/2"},
	} {
		t.Run(strings.ReplaceAll(strings.Join(args, " "), u, ""), func(t *testing.T) {
			cmd := exec.Command(curl, append([]string{"-q", "-s", "--noproxy", "*", "-m", "10"}, args...)...)
			cmd.Dir, cmd.Env = dir, []string{"HOME=" + dir}
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("curl: %v %s", err, out)
			}
			r, err := curlline.Parse(args)
			if err != nil {
				t.Fatal(err)
			}
			c, err := r.Load(func(name string) ([]byte, error) { return os.ReadFile(filepath.Join(dir, name)) })
			if err != nil {
				t.Fatal(err)
			}
			for _, target := range c.URLs {
				checkWire(t, <-seen, ours(c, strings.TrimPrefix(target, u)))
			}
		})
	}
}

func ours(c curlline.Content, target string) wire {
	var headers []string
	for _, h := range c.Headers {
		headers = append(headers, strings.ToLower(h.Name)+": "+h.Value)
	}
	if !strings.HasPrefix(target, "/") {
		target = "/" + target
	}
	return normal(c.Method+" "+target, headers, string(c.Body))
}

func checkWire(t *testing.T, curl, ours wire) {
	t.Helper()
	if curl != ours {
		t.Errorf("curl sent\n%q\n%q\n%q\nwe would\n%q\n%q\n%q", curl.line, curl.headers, curl.body, ours.line, ours.headers, ours.body)
	}
}

// TestEveryOptionIsKnown asks the curl at hand for its options and compares names, letters and
// whether they take a value. The table was made from 7.88; what a later one adds is no failure.
func TestEveryOptionIsKnown(t *testing.T) {
	curl := servertest.Require(t, "curl")
	if version, err := exec.Command(curl, "-q", "-V").Output(); err != nil || !strings.HasPrefix(string(version), "curl 7.") {
		t.Skipf("this is not curl 7: %.20q, %v", version, err)
	}
	help, err := exec.Command(curl, "-q", "--help", "all").Output()
	if err != nil {
		t.Fatal(err)
	}
	rows := regexp.MustCompile(`(?m)^\s*(?:(-.), )?\s*--([\w.-]+) ?([<\[]?)`).FindAllStringSubmatch(string(help), -1)
	if len(rows) < 200 {
		t.Fatalf("curl has %d options", len(rows))
	}
	for _, row := range rows {
		short, long, hasValue := row[1], "--"+row[2], row[3] != ""
		for _, name := range []string{short, long} {
			if name == "" {
				continue
			}
			_, err := curlline.Parse([]string{name})
			text := ""
			if err != nil {
				text = err.Error()
			}
			if strings.Contains(text, "unknown option") || strings.Contains(text, "is the start of") {
				t.Errorf("%s: %s", name, text)
			}
			if wants := strings.Contains(text, "nothing follows it"); wants != hasValue && long != "--help" {
				t.Errorf("%s takes a value: %v, curl says %v", name, wants, hasValue)
			}
		}
	}
}
