package lab_test

import (
	"crypto/tls"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/coldsplit/coldsplit/pkg/lab"
)

// A client in Sydney asks an origin in Ashburn by name, over a path on which the
// first SYN is lost.
func Example() {
	trips := map[string]time.Duration{"sydney-ashburn": 20 * time.Millisecond}
	n, err := lab.New(lab.Config{RTT: func(a, b *lab.Host) time.Duration {
		return trips[a.Place()+"-"+b.Place()] + trips[b.Place()+"-"+a.Place()]
	}})
	must(err)
	defer n.Close()
	client, err := n.AddHost("client", lab.HostOptions{Place: "sydney"})
	must(err)
	origin, err := n.AddHost("origin", lab.HostOptions{Place: "ashburn"})
	must(err)
	dns, err := lab.ServeDNS(client)
	must(err)
	must(dns.SetHost("origin.example", origin, lab.Answer{}))
	client.SetResolver(client.AddrPort(53))

	ca, err := lab.NewCA("lab root")
	must(err)
	cert, err := ca.Issue(lab.CertOptions{Names: []string{"origin.example"}})
	must(err)
	listener, err := origin.Listen("tcp", 443)
	must(err)
	go func() {
		_ = http.Serve(tls.NewListener(listener, &tls.Config{Certificates: []tls.Certificate{cert}}),
			http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "hello") }))
	}()

	lossy := n.Path(client, origin)
	lossy.Rules = []lab.Rule{lab.DropNth(lab.IsSYN, 1)}
	n.SetPath(client, origin, lossy)

	web := http.Client{Transport: &http.Transport{
		DialContext:     client.DialContext,
		TLSClientConfig: &tls.Config{RootCAs: ca.Pool()},
	}}
	start := time.Now()
	res, err := web.Get("https://origin.example/")
	must(err)
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	must(err)
	fmt.Printf("%s, after more than a second: %v\n", body, time.Since(start) > time.Second)
	// Output: hello, after more than a second: true
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
