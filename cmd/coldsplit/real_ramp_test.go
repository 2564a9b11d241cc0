//go:build unix

package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/coldsplit/coldsplit/pkg/record"
	"github.com/coldsplit/coldsplit/pkg/servertest"
)

// limited is nginx in front of a slow backend, with room for four at once.
const limited = `limit_conn_zone $server_port zone=all:1m;
server {
  listen 127.0.0.1:%[1]d ssl http2; ssl_certificate %[2]s; ssl_certificate_key %[3]s;
  location / { limit_conn all 4; limit_conn_status 429; error_page 429 @busy; proxy_pass http://%[4]s; proxy_buffering off; }
  location @busy { add_header Retry-After 2 always; return 429 '{"error":{"code":"too_many"}}'; }
}`

// statusesLogged counts the requests in nginx's access log by status, waiting until all are in it.
func statusesLogged(t *testing.T, dir string, requests int) map[string]int {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		b, err := os.ReadFile(filepath.Join(dir, "access.log"))
		if err != nil {
			t.Fatal(err)
		}
		count := map[string]int{}
		for line := range strings.Lines(string(b)) {
			if _, rest, ok := strings.Cut(line, `" `); ok {
				count[rest[:3]]++
			}
		}
		if count["200"]+count["429"] >= requests || time.Now().After(deadline) {
			return count
		}
	}
}

func TestThrottledCountedEqualTheServersLog(t *testing.T) {
	for _, http := range []string{"1.1", "2"} {
		t.Run(http, func(t *testing.T) {
			ca, port := servertest.NewCA(t), servertest.Port(t)
			_, dir := servertest.Nginx(t, []int{port}, fmt.Sprintf(limited, port, ca.CertFile, ca.KeyFile, slowBackend(t, 300*time.Millisecond, 0)))
			stdout, stderr, code := cli(t, "ramp", servertest.URL("https", port, "/"), "--http", http, "--cacert", ca.File,
				"--stages", "1,4,8,16", "--rounds", "2", "--gap", "100ms", "-f", "json", "--save", filepath.Join(t.TempDir(), "run.jsonl"))
			var got rampJSON
			if err := json.Unmarshal([]byte(stdout), &got); err != nil || code != exitDone {
				t.Fatalf("%v, exit %d\n%s%s", err, code, stdout, stderr)
			}
			ok, throttled := 0, 0
			for _, s := range got.Stages {
				ok, throttled = ok+s.Counts.OK, throttled+s.Counts.Throttled
			}
			logged := statusesLogged(t, dir, 58)
			if ok+throttled != 58 || logged["429"] != throttled || logged["200"] != ok {
				t.Errorf("counted %d ok and %d throttled, nginx logged %v", ok, throttled, logged)
			}
			if throttled == 0 || !strings.Contains(got.Sentence, "too_many") {
				t.Errorf("sentence %q", got.Sentence)
			}
		})
	}
}

func TestAServerSentSIGSTOPShowsFromTheIntendedStart(t *testing.T) {
	ca, port := servertest.NewCA(t), servertest.Port(t)
	p, _ := servertest.Nginx(t, []int{port}, fmt.Sprintf("server { listen 127.0.0.1:%d ssl; ssl_certificate %s; ssl_certificate_key %s; location / { return 200 hello; } }",
		port, ca.CertFile, ca.KeyFile))
	const stall = 2 * time.Second
	stop := time.AfterFunc(1500*time.Millisecond, func() {
		p.Cmd.Process.Signal(syscall.SIGSTOP)
		time.Sleep(stall)
		p.Cmd.Process.Signal(syscall.SIGCONT)
	})
	t.Cleanup(func() { stop.Stop(); p.Cmd.Process.Signal(syscall.SIGCONT) })
	path := filepath.Join(t.TempDir(), "run.jsonl")
	stdout, stderr, code := cli(t, "ramp", servertest.URL("https", port, "/"), "--cacert", ca.File, "--rate", "20/s", "--hold", "5s",
		"--parallel-limit", "4", "--save", path)
	if code != exitDone || !strings.Contains(stdout, "from intended") {
		t.Fatalf("exit %d\n%s%s", code, stdout, stderr)
	}
	late := 0
	for _, ex := range exchanges(t, path) {
		if ex.Outcome == record.OK && ex.Total-ex.Intended > stall/2 && ex.Total < stall/2 {
			late++
		}
	}
	// Twenty were due in each of the two seconds; all but those in flight waited for a place.
	if late < 10 {
		t.Errorf("%d exchanges were quick by themselves and late from where they were due\n%s", late, stdout)
	}
}

func TestStartSkewIsMeasuredFromTheBarrier(t *testing.T) {
	ca, port := servertest.NewCA(t), servertest.Port(t)
	servertest.Nginx(t, []int{port}, fmt.Sprintf("server { listen 127.0.0.1:%d ssl; ssl_certificate %s; ssl_certificate_key %s; location / { return 200 hello; } }",
		port, ca.CertFile, ca.KeyFile))
	path := filepath.Join(t.TempDir(), "run.jsonl")
	_, stderr, code := cli(t, "ramp", servertest.URL("https", port, "/"), "--cacert", ca.File, "--stages", "64", "--rounds", "3", "--gap", "100ms", "--save", path)
	if code != exitDone {
		t.Fatalf("exit %d\n%s", code, stderr)
	}
	var skews []time.Duration
	for _, ex := range exchanges(t, path) {
		if ex.StartSkew <= 0 {
			t.Errorf("exchange %d started %v after the barrier", ex.Seq, ex.StartSkew)
		}
		skews = append(skews, ex.StartSkew)
	}
	slices.Sort(skews)
	t.Logf("start skew of 3 bursts of 64: p50 %v, max %v", skews[len(skews)/2], skews[len(skews)-1])
}
