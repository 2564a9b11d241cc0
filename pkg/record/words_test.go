package record

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestWords(t *testing.T) {
	for in, want := range map[string][]string{
		"X-Do-Colo":       {"x", "do", "colo"},
		"xDoColo":         {"x", "do", "colo"},
		"SPIisLatency":    {"spiis", "latency"},
		"access_token[0]": {"access", "token", "0"},
		"__":              {},
		"":                {},
		"\xffa\xffÉté":    {"a", "été"},
	} {
		if d := cmp.Diff(want, words(in)); d != "" {
			t.Errorf("%q: %s", in, d)
		}
	}
}
