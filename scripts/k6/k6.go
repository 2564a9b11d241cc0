// Package k6 gets the program k6 and writes tests for it.
//
// It knows where k6 comes from and how to make it open a new connection for every request. It refuses to
// know what k6 says of a test. The one rule a caller must hold: k6 may be impossible to get, and what is
// measured without it says so.
package k6

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// module is the one peer that Debian lacks.
const module = "go.k6.io/k6@v1.8.1"

// Path returns the path of k6: that of PATH, or one built from its module into the user's cache, which
// takes minutes the first time.
func Path(ctx context.Context) (string, error) {
	if path, err := exec.LookPath("k6"); err == nil {
		return path, nil
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	bin := filepath.Join(cache, "coldsplit-wire-truth")
	path := filepath.Join(bin, "k6")
	if _, err := os.Stat(path); err == nil {
		return path, nil
	}
	cmd := exec.CommandContext(ctx, "go", "install", module)
	cmd.Env = append(os.Environ(), "GOBIN="+bin, "GOFLAGS=")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("install %s: %w: %s", module, err, bytes.TrimSpace(out))
	}
	return path, nil
}

// Test is n GET requests to a URL by one virtual user, each on a connection of its own.
type Test struct {
	URL      string
	N        int
	Insecure bool   // whatever certificate there is will do
	Protocol string // "HTTP/1.1" or "HTTP/2.0": an answer by another, or not 200, ends the test
}

// Script is the test as k6 reads it.
func (t Test) Script() []byte {
	return fmt.Appendf(nil, `import http from 'k6/http';
import exec from 'k6/execution';
export const options = {vus: 1, iterations: %d, noConnectionReuse: true, noVUConnectionReuse: true, insecureSkipTLSVerify: %t};
export default function () {
  const r = http.get(%q);
  if (r.proto !== %q || r.status !== 200) { exec.test.abort(r.proto + ' ' + r.status + ' ' + r.error); }
}
`, t.N, t.Insecure, t.URL, t.Protocol)
}

// Args are the arguments with which k6 runs the script in a file and says as little as it can.
func Args(file string, more ...string) []string {
	return append(append([]string{"run", "-q", "--no-usage-report"}, more...), file)
}

// OnlyHTTP1 is the environment that keeps k6 from offering HTTP/2.
const OnlyHTTP1 = "GODEBUG=http2client=0"
