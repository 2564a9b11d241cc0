package record_test

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/coldsplit/coldsplit/pkg/record"
)

// The keys of schema coldsplit/1, as the format's description lists them. Files made by others
// depend on these words: a change here is a new major version.
const (
	runKeys = `type schema id tool started vantage vantage.from vantage.os vantage.cpus vantage.timer_ns resolver order seed
		interval_ns timeout_ns prewarm plan routes routes.name routes.url routes.protocol routes.via routes.state routes.role`
	exchangeKeys = `type route seq pair started state outcome status protocol remote total_ns clock
		segments segments.dns segments.tcp segments.tls segments.send segments.wait segments.transfer
		first family hop dns dns.server dns.a_ns dns.aaaa_ns dns.ttl_s attempts attempts.addr attempts.start_ns attempts.end_ns attempts.err
		tls tls.version tls.cipher tls.group tls.hrr tls.resumed tls.alpn tls.issuer tls.cert_sha256 tls.chain_bytes tls.verify_ns
		tcp tcp.connect_rtt_ns tcp.min_rtt_ns tcp.total_retrans quic quic.min_rtt_ns quic.lost quic.pto quic.retry quic.vn quic.stall
		interim interim.status interim.at_ns sched_lag_ns stream stream.first_event_ns stream.first_text_ns stream.last_event_ns stream.events
		throttle throttle.reason throttle.retry_after_ns stage instance template bytes bytes.wire bytes.decoded bytes.encoding
		body_sha256 headers headers.server-timing headers.cf-ray trailers notes error error.class error.segment error.text`
	endKeys = `type asked ok throttled failed invalid not_sent`
)

// keysOf collects the keys of v, those of a list's objects without their index.
func keysOf(v any, prefix string, into map[string]bool) {
	switch v := v.(type) {
	case map[string]any:
		for k, child := range v {
			into[prefix+k] = true
			keysOf(child, prefix+k+".", into)
		}
	case []any:
		for _, child := range v {
			keysOf(child, prefix, into)
		}
	}
}

func TestKeysAreSpelledAsTheFormatSays(t *testing.T) {
	run, x := fullRun(), fullExchange()
	runLine, err := record.AppendRun(nil, &run)
	if err != nil {
		t.Fatal(err)
	}
	line, err := record.AppendExchange(nil, &x)
	if err != nil {
		t.Fatal(err)
	}
	end := record.AppendEnd(nil, &record.End{})
	for _, c := range []struct{ line, keys string }{{string(runLine), runKeys}, {string(line), exchangeKeys}, {string(end), endKeys}} {
		var v any
		if err := json.Unmarshal([]byte(c.line), &v); err != nil {
			t.Fatal(err)
		}
		have := map[string]bool{}
		keysOf(v, "", have)
		for _, want := range strings.Fields(c.keys) {
			if !have[want] {
				t.Errorf("%q is missing from %s", want, c.line)
			}
		}
	}
}

func TestAbsentIsAMissingKey(t *testing.T) {
	x := record.Exchange{Route: "r", Outcome: record.Failed, Error: &record.Error{Class: record.ClassDNS, Text: "no such host"}}
	line, err := record.AppendExchange(nil, &x)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"type":"exchange","route":"r","seq":0,"pair":0,"outcome":"failed","total_ns":0,"segments":{},"hop":0,` +
		`"error":{"class":"dns","segment":"dns","text":"no such host"}}`
	if d := cmp.Diff(want, string(line)); d != "" {
		t.Error(d)
	}
}

func TestUntrustedTextCannotMoveATerminal(t *testing.T) {
	x := record.Exchange{Route: "r", Outcome: record.OK, Notes: []string{"\x1b]0;title\a \x9b \u009b31m \u202egnp.exe \u2028 \x7f \r\n\t \"\\ é 日"}}
	line, err := record.AppendExchange(nil, &x)
	if err != nil {
		t.Fatal(err)
	}
	want := `"notes":["\u001b]0;title\u0007 \ufffd \u009b31m \u202egnp.exe \u2028 \u007f \r\n\t \"\\ é 日"]`
	if !strings.Contains(string(line), want) {
		t.Errorf("got %s\nwant %s", line, want)
	}
}

func TestFieldsAreWrittenInOrder(t *testing.T) {
	x := record.Exchange{Route: "r", Outcome: record.OK, Headers: record.Fields{"c": {"3"}, "a": {"1", "2"}, "b": {}}}
	line, err := record.AppendExchange(nil, &x)
	if err != nil || !strings.Contains(string(line), `"headers":{"a":["1","2"],"b":[],"c":["3"]}`) {
		t.Errorf("%s, %v", line, err)
	}
	if names := slices.Sorted(maps.Keys(x.Headers)); len(names) != 3 {
		t.Error("writing changed the exchange")
	}
}
