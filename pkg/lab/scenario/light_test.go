package scenario_test

import (
	"strings"
	"testing"

	"github.com/coldsplit/coldsplit/pkg/lab/scenario"
)

func TestAWayFasterThanLightIsTold(t *testing.T) {
	d, err := scenario.Parse("my.yaml", []byte("client: Lagos\nservices:\n  edge: {city: London}\npaths:\n  client -> edge: 1ms\n"))
	if err != nil {
		t.Fatal(err)
	}
	w, err := d.Open(1)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if notes := strings.Join(w.Notes(), "\n"); !strings.Contains(notes, "client -> edge takes 1ms here; light in vacuum needs") {
		t.Errorf("not told:\n%s", notes)
	}
}

func TestARoutesPathBeginsWithASlash(t *testing.T) {
	_, err := scenario.Parse("my.yaml", []byte("client: Lagos\nservices:\n  edge: {city: London}\nroutes:\n  page: {path: nopath}\n"))
	if err == nil || !strings.Contains(err.Error(), "my.yaml:5:") || !strings.Contains(err.Error(), `path "nopath": want one that begins with /`) {
		t.Errorf("got %v", err)
	}
}

func TestNoEmbeddedScenarioIsFasterThanLight(t *testing.T) {
	for _, info := range scenario.List() {
		w, err := scenario.Open(info.Name, 1)
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range w.Notes() {
			if strings.Contains(n, "light in vacuum") {
				t.Errorf("%s: %s", info.Name, n)
			}
		}
		w.Close()
	}
}
