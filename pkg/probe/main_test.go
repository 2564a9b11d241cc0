package probe_test

import (
	"os"
	"testing"

	"github.com/coldsplit/coldsplit/pkg/probe/probetest"
)

func TestMain(m *testing.M) {
	if serveIfAsked() {
		return
	}
	probetest.SettleResolver()
	os.Exit(m.Run())
}
