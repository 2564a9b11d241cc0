package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/coldsplit/coldsplit/pkg/probe/probetest"
	"github.com/coldsplit/coldsplit/pkg/record"
	"github.com/coldsplit/coldsplit/pkg/segment"
)

// totals of each segment over the only exchange of a run.
func onlySegments(t *testing.T, path string) segment.Split {
	t.Helper()
	all := exchanges(t, path)
	if len(all) != 1 || all[0].Outcome != record.OK {
		t.Fatalf("%d exchanges, first %+v", len(all), all[0].Error)
	}
	return all[0].Segments
}

// onlyIn checks that a run with an injected delay is longer by it in segment k and nowhere else.
func onlyIn(t *testing.T, k segment.Key, delay time.Duration, without, with segment.Split) {
	t.Helper()
	for key := range segment.Key(segment.NumMeasured) {
		a, hadIt := without.Get(key)
		b, hasIt := with.Get(key)
		want := time.Duration(0)
		if key == k {
			want = delay
		}
		if hadIt != hasIt || b-a != want {
			t.Errorf("%s: %v (%v) -> %v (%v), want %v more", key, a, hadIt, b, hasIt, want)
		}
	}
}

// connectProxy answers CONNECT at addr after d and splices to whatever it is asked for.
func (b *bubble) connectProxy(addr string, d time.Duration) {
	b.stops = append(b.stops, b.net.Raw(addr, func(ctx context.Context, conn net.Conn) {
		defer conn.Close()
		r := bufio.NewReader(conn)
		req, err := http.ReadRequest(r)
		if err != nil {
			return
		}
		time.Sleep(d)
		host, port, _ := net.SplitHostPort(req.Host)
		records := b.net.Zone[host]
		origin, err := b.net.Dial(ctx, "tcp", netip.MustParseAddrPort(records.A[0]+":"+port))
		if err != nil {
			fmt.Fprintf(conn, "HTTP/1.1 502 Bad Gateway\r\n\r\n")
			return
		}
		defer origin.Close()
		io.WriteString(conn, "HTTP/1.1 200 OK\r\n\r\n")
		go func() {
			io.Copy(origin, r)
			origin.Close()
		}()
		io.Copy(conn, origin)
	}))
}

func TestDelayInTheProxyIsInItsOwnSegment(t *testing.T) {
	inBubble(t, func(b *bubble) {
		b.host("api.example.com", "203.0.113.1", probetest.Origin{})
		b.connectProxy("192.0.2.8:3128", 0)
		b.connectProxy("192.0.2.8:3129", 70*ms)
		for _, port := range []string{"3128", "3129"} {
			out, errs, code := b.probe(port+".jsonl", "-n", "1", "-x", "http://192.0.2.8:"+port, "https://api.example.com/")
			if code != exitDone {
				t.Fatalf("exit %d\n%s%s", code, out, errs)
			}
		}
		onlyIn(t, segment.Proxy, 70*ms, onlySegments(t, b.path("3128.jsonl")), onlySegments(t, b.path("3129.jsonl")))
	})
}

func TestDelayOfTheAAAAAnswerIsInItsOwnSegment(t *testing.T) {
	inBubble(t, func(b *bubble) {
		b.host("api.example.com", "203.0.113.1", probetest.Origin{})
		b.probe("quick.jsonl", "-n", "1", "https://api.example.com/")
		records := b.net.Zone["api.example.com"]
		records.AAAADelay = 120 * ms
		b.net.Zone["api.example.com"] = records
		b.probe("slow.jsonl", "-n", "1", "https://api.example.com/")
		onlyIn(t, segment.DNS, 120*ms, onlySegments(t, b.path("quick.jsonl")), onlySegments(t, b.path("slow.jsonl")))
		ex := exchanges(t, b.path("slow.jsonl"))[0]
		if ex.DNS.A != 8*ms || ex.DNS.AAAA != 128*ms {
			t.Errorf("A after %v, AAAA after %v", ex.DNS.A, ex.DNS.AAAA)
		}
	})
}

func TestBlockedUDPIsTold(t *testing.T) {
	inBubble(t, func(b *bubble) {
		b.host("api.example.com", "203.0.113.1", probetest.Origin{})
		b.net.ListenUDP("203.0.113.1:443") // takes datagrams and never answers
		out, _, code := b.probe("h3.jsonl", "--http", "3", "https://api.example.com/")
		picture(t, out, `
No QUIC from 203.0.113.1:443: 3 of 3 connections died in quic, 10 s each. UDP is
blocked on the way, or nobody speaks h3 there.

  quic   timeout   3   no reply to any Initial packet

stopped   after 3 of 25, all alike; --keep-going sends the rest
hint: --http 2 measures the same host over TCP
`)
		if code != exitFailed {
			t.Errorf("exit %d", code)
		}
		out, _, code = b.probe("both.jsonl", "--http", "2", "--http", "3", "-n", "3", "https://api.example.com/")
		if want := "the same port answers over TCP"; code != exitDone || !strings.Contains(strings.Join(strings.Fields(out), " "), want) {
			t.Errorf("exit %d, lacks %q in\n%s", code, want, out)
		}
	})
}

func TestMissingRouteIsTold(t *testing.T) {
	inBubble(t, func(b *bubble) {
		b.net.NoRoute(6)
		b.net.Zone["api.example.com"] = probetest.Records{AAAA: []string{"2001:db8::1"}}
		out, _, _ := b.probe("v6.jsonl", "https://api.example.com/")
		picture(t, out, `
This machine has no IPv6 route to [2001:db8::1]:443: 3 of 3 connections failed
before a packet was sent.

  tcp   connect   3   no route, said by this machine and not by the network

stopped   after 3 of 25, all alike; --keep-going sends the rest
hint: -4 uses the other family only
`)
	})
}

func TestMissingNameIsTold(t *testing.T) {
	inBubble(t, func(b *bubble) {
		out, _, _ := b.probe("none.jsonl", "https://api.example.com/")
		for _, want := range []string{"api.example.com has no address here: 3 of 3 look-ups failed (no such name).",
			"  dns   failed    3   no such name, from resolver "} {
			if !strings.Contains(out, want) {
				t.Errorf("lacks %q in\n%s", want, out)
			}
		}
	})
}

func TestHTTPSRecordIsToldAndNotFollowed(t *testing.T) {
	inBubble(t, func(b *bubble) {
		b.host("api.example.com", "203.0.113.1", probetest.Origin{})
		b.liar("192.0.2.53", "203.0.113.1")
		out, errs, code := b.probe("https.jsonl", "-n", "3", "--resolver", "udp://192.0.2.53", "https://api.example.com/")
		if want := "its HTTPS record offers h3,h2; told, not followed"; code != exitDone || !strings.Contains(out, want) {
			t.Errorf("exit %d, lacks %q in\n%s%s", code, want, out, errs)
		}
		for _, ex := range exchanges(t, b.path("https.jsonl")) {
			if d, _ := ex.Segments.Get(segment.DNS); ex.Protocol != "h2" || d != 13*ms || ex.DNS.Server != "udp://192.0.2.53" && ex.DNS.Server != "192.0.2.53" {
				t.Errorf("%s, dns %v from %s", ex.Protocol, d, ex.DNS.Server)
			}
		}
	})
}

func TestInspectionIsTheFirstLine(t *testing.T) {
	inBubble(t, func(b *bubble) {
		b.host("api.example.com", "203.0.113.1", probetest.Origin{})
		anchors := t.TempDir()
		writePEM(t, anchors+"/corp.crt", b.ca.Issue("api.example.com").Certificate[1])
		for _, c := range []struct {
			folders []string
			want    bool
		}{{[]string{anchors}, true}, {[]string{anchors + "/none"}, false}} {
			s := streams{world: &world{network: b.net, roots: b.ca.Roots(), anchors: c.folders}}
			out, _, code := b.runWith(s, "probe", "--no-save", "-n", "2", "https://api.example.com/")
			first := `NOT YOUR ROUTE'S TLS: the certificate for api.example.com is from "probetest
root", known to this machine only. tcp, tls and wait.edge_rtt end there.
`
			if got := strings.HasPrefix(out, first); got != c.want || code != exitDone {
				t.Errorf("inspection told %v, want %v; exit %d\n%s", got, c.want, code, out)
			}
		}
	})
}

func TestKeyLogIsLoudAndPrivate(t *testing.T) {
	inBubble(t, func(b *bubble) {
		b.host("api.example.com", "203.0.113.1", probetest.Origin{})
		name := b.path("keys.txt")
		_, errs, code := b.probe("k.jsonl", "-n", "1", "--keylog", name, "https://api.example.com/")
		if code != exitDone || !strings.HasPrefix(errs, "WARNING: --keylog") {
			t.Errorf("exit %d, stderr %q", code, errs)
		}
		info, err := os.Stat(name)
		if err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("mode %v, %v", info.Mode(), err)
		}
		if text := readFile(t, name); !strings.Contains(text, "CLIENT_HANDSHAKE_TRAFFIC_SECRET") {
			t.Errorf("no secrets in %q", text)
		}
	})
}

func TestEnvironmentProxyIsUsedOnlyWhenAsked(t *testing.T) {
	inBubble(t, func(b *bubble) {
		b.host("api.example.com", "203.0.113.1", probetest.Origin{})
		b.connectProxy("192.0.2.8:3128", 0)
		env := map[string]string{"HTTPS_PROXY": "http://user:pw@192.0.2.8:3128"}
		s := streams{getenv: func(k string) string { return env[k] }}
		for _, c := range []struct {
			args []string
			note string
			used bool
		}{
			{nil, "environment proxy ignored", false},
			{[]string{"-x", "env"}, "proxy http://192.0.2.8:3128, from the environment", true},
			{[]string{"-x", "http://192.0.2.8:3128"}, "through http://192.0.2.8:3128, resolved by the proxy", true},
		} {
			os.Remove(b.path("e.jsonl"))
			args := append([]string{"probe", "--save", b.path("e.jsonl"), "-n", "2"}, c.args...)
			out, _, code := b.runWith(s, append(args, "https://api.example.com/")...)
			_, used := exchanges(t, b.path("e.jsonl"))[0].Segments.Get(segment.Proxy)
			if code != exitDone || used != c.used || !strings.Contains(out, c.note) || strings.Contains(out, "pw") {
				t.Errorf("%v: exit %d, proxy used %v; want note %q in\n%s", c.args, code, used, c.note, out)
			}
		}
	})
}
