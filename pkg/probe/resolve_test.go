package probe

import (
	"net/url"
	"testing"

	"github.com/coldsplit/coldsplit/pkg/resolver"
)

func TestPrepareLearnsAboutTheHostThatIsLookedUp(t *testing.T) {
	if s, err := (resolver.Spec{}).Prepare(t.Context(), System{}, "localhost"); err != nil || !s.Lists("localhost") {
		t.Skipf("localhost is not in this machine's hosts file (%v)", err)
	}
	for name, target := range map[string]*Target{
		"URL":        {URL: &url.URL{Scheme: "https", Host: "localhost:8443"}},
		"via":        {URL: &url.URL{Scheme: "https", Host: "example.com"}, Via: "localhost"},
		"connect-to": {URL: &url.URL{Scheme: "https", Host: "example.com"}, ConnectTo: map[string]string{"example.com:443": "localhost:8443"}},
		"proxy":      {URL: &url.URL{Scheme: "https", Host: "example.com"}, Proxy: &url.URL{Scheme: "http", Host: "localhost:3128"}},
	} {
		if err := new(Prober).Prepare(t.Context(), target); err != nil || !target.Resolver.Lists("localhost") {
			t.Errorf("%s: localhost is not listed (%v)", name, err)
		}
	}
}
