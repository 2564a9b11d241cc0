package main

import (
	"crypto/ed25519"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"io"
	"math/big"
	"net"
	"net/http"
	"net/netip"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/miekg/dns"

	"github.com/coldsplit/coldsplit/pkg/probe/probetest"
)

// The pictures of what is printed when a probe does not work, each from the situation itself.

func TestDeadHostIsDrawnAsThePictureHasIt(t *testing.T) {
	inBubble(t, func(b *bubble) {
		b.net.Silence("192.0.2.10")
		out, errs, code := b.probe("dead.jsonl", "https://api.example.com/v1/ping", "--via", "192.0.2.10")
		picture(t, out, `
No answer from 192.0.2.10:443: 3 of 3 connections died in tcp, 10 s each.

  tcp   timeout   3   no reply to any SYN

stopped   after 3 of 25, all alike; --keep-going sends the rest
dns       took no part, --via gave the address
hint: a filter usually stays silent like this; a host without the service resets
`)
		if code != exitFailed || errs != "" {
			t.Errorf("exit %d, stderr %q", code, errs)
		}
		if n := len(b.net.Dials()); n != 3 {
			t.Errorf("%d connections tried, want 3", n)
		}
	})
}

func TestClosedPortIsDrawnAsThePictureHasIt(t *testing.T) {
	inBubble(t, func(b *bubble) {
		b.net.Far("192.0.2.10", 93*ms+ms/2)
		out, _, code := b.probe("closed.jsonl", "https://api.example.com/v1/ping", "--via", "192.0.2.10")
		picture(t, out, `
Nobody listens on 192.0.2.10:443: 3 of 3 connections were reset in tcp after 187
ms, so the host is up, one round trip away.

  tcp   reset     3   connection refused by the system, 187 ms (187 to 187)

stopped   after 3 of 25, all alike; --keep-going sends the rest
dns       took no part, --via gave the address
`)
		if code != exitFailed {
			t.Errorf("exit %d", code)
		}
	})
}

func TestFirewallIsDrawnAsThePictureHasIt(t *testing.T) {
	inBubble(t, func(b *bubble) {
		page := "<html><title>Access denied</title>" + strings.Repeat("x", 4512-34)
		b.host("shop.example.com", "203.0.113.7", probetest.Origin{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			pause(r, 1*ms)
			w.Header().Set("Content-Type", "text/html")
			w.Header().Set("Cf-Mitigated", "challenge")
			w.WriteHeader(http.StatusForbidden)
			io.WriteString(w, page)
		})})
		out, _, code := b.probe("blocked.jsonl", "https://shop.example.com/")
		const want = `
shop.example.com answers 403 at the edge; your service was never asked.
Nothing was measured.

  status     403, 3 of 3, text/html, 4,512 bytes, title "Access denied"
  time       9 ms after the request, where one round trip is 8 ms
  headers    cf-mitigated: challenge; no upstream time, no cache status
  we sent    user-agent: coldsplit/0.1.0

stopped   after 3 of 25, all alike; --keep-going sends the rest
hint: allow this agent from your address, or send what visitors send, with -A
hint: if 403 is the very answer you want to time: --ok 403
`
		picture(t, out, want)
		if code != exitFailed {
			t.Errorf("exit %d", code)
		}
		out, _, _ = b.run("report", b.path("blocked.jsonl"))
		picture(t, out, want)
	})
}

func TestThrottlingInTheMiddleIsDrawnAsThePictureHasIt(t *testing.T) {
	inBubble(t, func(b *bubble) {
		var requests atomic.Int32
		b.net.Far("203.0.113.7", 18*ms+ms/2)
		b.host("api.example.com", "203.0.113.7", probetest.Origin{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			switch requests.Add(1) {
			case 12, 17, 22:
				pause(r, 4*ms)
				w.Header().Set("Retry-After", "20")
				w.WriteHeader(http.StatusTooManyRequests)
				return
			}
			pause(r, 173*ms)
			io.WriteString(w, "hello")
		})})
		out, _, code := b.probe("throttled.jsonl", "https://api.example.com/v1/quote", "--from", "frankfurt")
		for _, want := range []string{
			"A cold request to api.example.com takes ",
			" ms from frankfurt (p50 of 19; 95 %:\n",
			"3 of 22 were throttled (429); their times are not in it.\n",
			`
throttled 3   #12 #17 #22: 429, Retry-After 20; said after 41 ms of wait (p50)
              waited 20 s after #12 and after #17, stopped at the third
run       25 asked: 19 ok, 3 throttled, 0 failed, 0 invalid,
              3 not sent
*         p99 of 19 is the slowest one; a p99 needs 100
hint: 4 requests seem to fit into 20 s here: --interval 5s
`,
		} {
			if !strings.Contains(out, want) {
				t.Errorf("lacks %q in\n%s", want, out)
			}
		}
		if code != exitDone || requests.Load() != 22 {
			t.Errorf("exit %d, %d requests", code, requests.Load())
		}
	})
}

func TestCaptivePortalIsDrawnAsThePictureHasIt(t *testing.T) {
	inBubble(t, func(b *bubble) {
		b.host("api.example.com", "192.0.2.1", probetest.Origin{TLS: selfSigned(t, "login.portal.example.net")})
		s := streams{world: &world{network: b.liar("192.0.2.53", "192.0.2.1"), roots: b.ca.Roots()}}
		out, _, code := b.runWith(s, "probe", "--no-save", "https://api.example.com/v1/ping")
		random := regexp.MustCompile(`\b[a-z2-7]{5}\.invalid\b`)
		got := random.ReplaceAllString(out, "q7zk2.invalid")
		picture(t, got, `
This network answers in place of api.example.com: nothing here was measured.

  dns   api.example.com -> 192.0.2.1; so does a name that cannot exist
        (q7zk2.invalid -> 192.0.2.1, from resolver 192.0.2.53)
  tls   certificate for login.portal.example.net, self-signed

sent      1 request and 1 look-up of a reserved name; nothing else was sent
hint: log in to the network, or try --resolver tls://9.9.9.9
`)
		if code != exitFailed || len(b.net.Dials()) != 1 {
			t.Errorf("exit %d, %d connections", code, len(b.net.Dials()))
		}
	})
}

// lyingNetwork has a resolver that gives one address to every name.
type lyingNetwork struct {
	*probetest.Network
	resolver netip.AddrPort
}

func (n lyingNetwork) Resolver() []netip.AddrPort { return []netip.AddrPort{n.resolver} }

func (b *bubble) liar(resolver, address string) lyingNetwork {
	socket := b.net.ListenUDP(resolver + ":53")
	go func() {
		buf := make([]byte, 4096)
		for {
			n, from, err := socket.ReadFrom(buf)
			if err != nil {
				return
			}
			go func(query []byte) {
				if answer := lie(query, address); answer != nil {
					socket.WriteTo(answer, from)
				}
			}(slices.Clone(buf[:n]))
		}
	}()
	b.stops = append(b.stops, func() { socket.Close() })
	return lyingNetwork{b.net, netip.MustParseAddrPort(resolver + ":53")}
}

// lie gives address to every name, at once to questions for an HTTPS record and 5 ms later to others.
func lie(query []byte, address string) []byte {
	var q, reply dns.Msg
	if q.Unpack(query) != nil || len(q.Question) != 1 {
		return nil
	}
	reply.SetReply(&q)
	if q.Question[0].Qtype == dns.TypeHTTPS {
		record, _ := dns.NewRR(q.Question[0].Name + ` 60 IN HTTPS 1 . alpn="h3,h2"`)
		reply.Answer = append(reply.Answer, record)
	} else {
		time.Sleep(5 * ms)
	}
	if q.Question[0].Qtype == dns.TypeA {
		head := dns.RR_Header{Name: q.Question[0].Name, Rrtype: dns.TypeA, Class: dns.ClassINET, Ttl: 60}
		reply.Answer = append(reply.Answer, &dns.A{Hdr: head, A: net.ParseIP(address)})
	}
	b, err := reply.Pack()
	if err != nil {
		return nil
	}
	return b
}

// selfSigned is a server with a certificate of nobody's.
func selfSigned(t *testing.T, name string) *tls.Config {
	t.Helper()
	public, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: name}, DNSNames: []string{name},
		NotBefore: time.Date(1999, 1, 1, 0, 0, 0, 0, time.UTC), NotAfter: time.Date(2099, 1, 1, 0, 0, 0, 0, time.UTC),
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, public, private)
	if err != nil {
		t.Fatal(err)
	}
	return &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: private}}}
}

// pause sleeps for d, or until the client has gone.
func pause(r *http.Request, d time.Duration) {
	select {
	case <-time.After(d):
	case <-r.Context().Done():
	}
}
