//go:build linux

package main

import (
	"strings"
	"testing"
	"time"
)

// overHTTP2 is a capture of one exchange over HTTP/2 as tshark prints it: the ClientHello takes two
// packets, the server's SETTINGS cross the request, its SETTINGS acknowledgement follows the response.
const overHTTP2 = `1|100.000000000|0||40000||1|0|0|||||||||||
2|100.020000000|0||443||1|1|0|||||||||||
3|100.021000000|0||40000||0|1|1448|||||||||||
4|100.021000100|0||40000||0|1|44|1|||||3,4|||||
5|100.042000000|0||443||0|1|1448|2|||||||||||
6|100.042500000|0||443||0|1|722|8,11,15,20|||||5,6|||||
7|100.043000000|0||40000||0|1|64|20||||||||||
8|100.043100000|0||40000||0|1|92||||4,8|||HTTP2||||
9|100.043200000|0||40000||0|1|80||||1|1||HTTP2||||
10|100.063000000|0||443||0|1|55||||4|||HTTP2||||
11|100.064000000|0||443||0|1|110||||1|0||HTTP2||||
12|100.064500000|0||443||0|1|36||||0|1||HTTP2||||
13|100.064600000|0||443||0|1|31||||4|||HTTP2||||
14|100.084000000|0||443||0|1|24|||||||||||`

// overHTTP1 answers with 103 first, in three packets afterwards; a goodbye follows.
const overHTTP1 = `1|7.000000000|0||40000||1|0|0|||||||||||
2|7.001000000|0||443||1|1|0|||||||||||
3|7.002000000|0||40000||0|1|517|1||||||||||
4|7.004000000|0||443||0|1|900|2,8,11,15,20|||||||||||
5|7.005000000|0||40000||0|1|170||GET|||||HTTP||||
6|7.006000000|0||443||0|1|60|||103||||HTTP||||
7|7.010000000|0||443||0|1|1448|||200||||HTTP||||
8|7.010100000|0||443||0|1|1448|||||||||||
9|7.010300000|0||443||0|1|600|||||||HTTP||||
10|7.011000000|0||443||0|1|24|||||||||||`

// overQUIC answers in two datagrams; two packets of the client carry its ClientHello.
const overQUIC = `1|9.000000000||0||5000|||||||||||||||0
2|9.000100000||0||5000||||1|||||||||||0
3|9.020000000||0||443||||2,8,11,15,20||||||||||
4|9.021000000||0||5000||||20|||||||0,2|1,0|
5|9.040000000||0||443|||||||||||3|0|
6|9.041000000||0||443|||||||||||0|0|
7|9.043000000||0||443|||||||||||0|1|
8|9.044000000||0||443|||||||||||||`

// columnsOf gives every line of a capture as many fields as tshark prints.
func columnsOf(capture string) string {
	lines := strings.Split(capture, "\n")
	for i, line := range lines {
		line = strings.TrimRight(line, "|")
		lines[i] = line + strings.Repeat("|", len(fields)-1-strings.Count(line, "|"))
	}
	return strings.Join(lines, "\n")
}

func TestTrueTimes(t *testing.T) {
	us := time.Microsecond
	for name, c := range map[string]struct {
		capture string
		want    times
	}{
		"h2":   {overHTTP2, times{"tcp": 20000 * us, "tls": 21500 * us, "wait": 20800 * us, "transfer": 500 * us, "total": 64500 * us}},
		"h1":   {overHTTP1, times{"tcp": 1000 * us, "tls": 2000 * us, "wait": 5000 * us, "transfer": 300 * us, "total": 10300 * us}},
		"quic": {overQUIC, times{"tls": 20000 * us, "wait": 20000 * us, "transfer": 2000 * us, "total": 43000 * us}},
	} {
		t.Run(name, func(t *testing.T) {
			packets, err := parsePackets(columnsOf(c.capture))
			if err != nil {
				t.Fatal(err)
			}
			got := truths(packets)
			if len(got) != 1 || got[0].unread != nil || len(got[0].times) != len(c.want) {
				t.Fatalf("got %v, want %v", got, c.want)
			}
			for key, want := range c.want {
				if got[0].times[key] != want {
					t.Errorf("%s %v, want %v", key, got[0].times[key], want)
				}
			}
		})
	}
}

func TestUnreadableCapturesAreRefused(t *testing.T) {
	packets, err := parsePackets(columnsOf("1|1.000000000|0||40000||1|0|0\n2|1.001000000|0||443||1|1|0"))
	if err != nil {
		t.Fatal(err)
	}
	got := truths(packets)
	if len(got) != 1 || got[0].unread == nil {
		t.Fatalf("a capture without a request gave %v", got)
	}
	if diffs, _, err := compare([]times{{"tcp": 1}}, got); err == nil {
		t.Errorf("an exchange that could not be read was compared: %v", diffs)
	}
	if diffs, _, err := compare(nil, got); err == nil {
		t.Errorf("a connection nobody reported was compared: %v", diffs)
	}
}

func TestPeersAreRead(t *testing.T) {
	us := time.Microsecond
	check := func(name string, got times, err error, want times) {
		t.Helper()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for key, w := range want {
			if (got[key] - w).Abs() > time.Nanosecond*10 {
				t.Errorf("%s: %s is %v, want %v", name, key, got[key], w)
			}
		}
	}
	one := func(list []times, err error) (times, error) {
		if err != nil || len(list) != 1 {
			t.Fatalf("got %v, %v", list, err)
		}
		return list[0], nil
	}
	got, err := parseCurl("0.000010 0.020110 0.043010 0.043110 0.064000 0.064100")
	check("curl", got, err, times{"tcp": 20100 * us, "tls": 22900 * us, "wait": 20890 * us, "transfer": 100 * us, "total": 64100 * us})
	got, err = one(parseHTTPing(`[{"connect_ms":"5.392e+00","write":"5.594e+00","total_ms":"1.115e+01"}]`))
	check("httping", got, err, times{"tcp": 5392 * us, "wait": 5594 * us, "total": 11150 * us})
	got, err = one(parseHey("response-time,DNS+dialup,DNS,Request-write,Response-delay,Response-read,status-code,offset\n0.0114,0.0054,0.0000,0.0001,0.0057,0.0002,200,0.0285\n"))
	check("hey", got, err, times{"tcp": 5400 * us, "wait": 5700 * us, "transfer": 200 * us, "total": 11400 * us})
	got, err = parseBlackbox("probe_duration_seconds 0.0236\nprobe_http_duration_seconds{phase=\"connect\"} 0.0058\nprobe_http_duration_seconds{phase=\"processing\"} 0.0095\nprobe_http_duration_seconds{phase=\"transfer\"} 0.0006\n")
	check("blackbox_exporter", got, err, times{"tcp": 5800 * us, "wait": 9500 * us, "transfer": 600 * us, "total": 23600 * us})
	got, err = one(parseK6([]byte(`{"type":"Point","metric":"http_req_duration","data":{"value":6.2}}
{"type":"Point","metric":"http_req_blocked","data":{"value":14.6}}
{"type":"Point","metric":"http_req_connecting","data":{"value":5.3}}
{"type":"Point","metric":"http_req_tls_handshaking","data":{"value":8.4}}
{"type":"Point","metric":"http_req_waiting","data":{"value":5.5}}
{"type":"Point","metric":"http_req_receiving","data":{"value":0.4}}`)))
	check("k6", got, err, times{"tcp": 5300 * us, "tls": 8400 * us, "wait": 5500 * us, "transfer": 400 * us, "total": 20800 * us})
}

func TestPeersThatAreNearerAreNamed(t *testing.T) {
	at := condition{rtt: time.Millisecond, path: smallPath, n: 100}
	errs := func(us ...int) (list []time.Duration) {
		for _, u := range us {
			list = append(list, time.Duration(u)*time.Microsecond)
		}
		return list
	}
	ours := cell{condition: at, tool: tool{name: "coldsplit", protocol: "http"}, errors: map[string][]time.Duration{"tcp": errs(10, 20, 30), "wait": errs(5, 5, 5)}}
	peer := cell{condition: at, tool: tool{name: "curl", protocol: "http"}, errors: map[string][]time.Duration{"tcp": errs(40, 50, 60), "wait": errs(4, 50, 60)}}
	if lines, n := nearer(peer, ours); n != 2 || len(lines) != 0 {
		t.Errorf("a peer that is worse in p50 and p99 was named: %d compared, %q", n, lines)
	}
	peer.errors["tcp"] = errs(10, 19, 31)
	if lines, _ := nearer(peer, ours); len(lines) != 1 {
		t.Errorf("a peer with the better p50 was not named: %q", lines)
	}
}
