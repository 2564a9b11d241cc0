package record_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"time"

	"github.com/coldsplit/coldsplit/pkg/record"
	"github.com/coldsplit/coldsplit/pkg/segment"
)

// The lines again, as encoding/json would read them: the reference the decoder is held against.

type refExchange struct {
	Route    string            `json:"route"`
	Seq      int               `json:"seq"`
	Pair     int               `json:"pair"`
	Started  *string           `json:"started"`
	State    string            `json:"state"`
	Outcome  string            `json:"outcome"`
	Status   int               `json:"status"`
	Protocol string            `json:"protocol"`
	Remote   string            `json:"remote"`
	TotalNS  *int64            `json:"total_ns"`
	Clock    string            `json:"clock"`
	Segments map[string]*int64 `json:"segments"`
	First    bool              `json:"first"`
	Family   int               `json:"family"`
	Hop      int               `json:"hop"`
	Prime    bool              `json:"prime"`

	DNS *struct {
		Name   string   `json:"name"`
		Server string   `json:"server"`
		A      *int64   `json:"a_ns"`
		AAAA   *int64   `json:"aaaa_ns"`
		TTL    *int64   `json:"ttl_s"`
		CNAME  []string `json:"cname"`
		Addrs  []string `json:"addrs"`
		HTTPS  string   `json:"https"`
	} `json:"dns"`
	Attempts []struct {
		Addr  string        `json:"addr"`
		Start time.Duration `json:"start_ns"`
		End   time.Duration `json:"end_ns"`
		Err   string        `json:"err"`
	} `json:"attempts"`
	TLS      *refTLS `json:"tls"`
	ProxyTLS *refTLS `json:"proxy_tls"`
	TCP      *struct {
		ConnectRTT   time.Duration `json:"connect_rtt_ns"`
		MinRTT       time.Duration `json:"min_rtt_ns"`
		TotalRetrans int           `json:"total_retrans"`
	} `json:"tcp"`
	QUIC *struct {
		MinRTT   time.Duration `json:"min_rtt_ns"`
		Lost     int           `json:"lost"`
		PTO      int           `json:"pto"`
		Retry    bool          `json:"retry"`
		VN       bool          `json:"vn"`
		Stall    bool          `json:"stall"`
		Used0RTT bool          `json:"used_0rtt"`
	} `json:"quic"`
	Interim []struct {
		Status int           `json:"status"`
		At     time.Duration `json:"at_ns"`
	} `json:"interim"`

	SchedLag  *int64        `json:"sched_lag_ns"`
	SetupCPU  time.Duration `json:"setup_cpu_ns"`
	Intended  time.Duration `json:"intended_ns"`
	StartSkew time.Duration `json:"start_skew_ns"`
	Stream    *struct {
		FirstEvent time.Duration `json:"first_event_ns"`
		FirstText  *int64        `json:"first_text_ns"`
		LastEvent  time.Duration `json:"last_event_ns"`
		Events     int           `json:"events"`
		Texts      int           `json:"texts"`
		GapP50     time.Duration `json:"gap_p50_ns"`
		GapP99     time.Duration `json:"gap_p99_ns"`
		Stall      time.Duration `json:"stall_ns"`
		Done       bool          `json:"done"`
	} `json:"stream"`
	Throttle *struct {
		Reason     string `json:"reason"`
		RetryAfter *int64 `json:"retry_after_ns"`
		Limit      string `json:"limit"`
	} `json:"throttle"`
	Stage    *int   `json:"stage"`
	Instance string `json:"instance"`
	Template string `json:"template"`

	Bytes struct {
		Wire     int64  `json:"wire"`
		Decoded  int64  `json:"decoded"`
		Sent     int64  `json:"sent"`
		Encoding string `json:"encoding"`
		Capped   bool   `json:"capped"`
	} `json:"bytes"`
	BodySHA  string        `json:"body_sha256"`
	Title    string        `json:"title"`
	Headers  record.Fields `json:"headers"`
	Trailers record.Fields `json:"trailers"`
	Notes    []string      `json:"notes"`
	Error    *struct {
		Class   string  `json:"class"`
		Segment *string `json:"segment"`
		Text    string  `json:"text"`
	} `json:"error"`
	Type string `json:"type"`
}

type refTLS struct {
	Version    string        `json:"version"`
	Cipher     string        `json:"cipher"`
	Group      string        `json:"group"`
	HRR        bool          `json:"hrr"`
	Resumed    bool          `json:"resumed"`
	ALPN       string        `json:"alpn"`
	Issuer     string        `json:"issuer"`
	Subject    string        `json:"subject"`
	Names      []string      `json:"names"`
	CertSHA    string        `json:"cert_sha256"`
	NotAfter   *string       `json:"not_after"`
	ChainBytes int           `json:"chain_bytes"`
	Verify     time.Duration `json:"verify_ns"`
	ServerName string        `json:"server_name"`
	Verified   bool          `json:"verified"`
}

// reference decodes line with encoding/json and the rules of the format.
func reference(line []byte) (x record.Exchange, err error) {
	var r refExchange
	if err := json.Unmarshal(line, &r); err != nil {
		return x, err
	}
	x = record.Exchange{
		Route: r.Route, Seq: r.Seq, Pair: r.Pair, State: r.State, Outcome: record.Outcome(r.Outcome), Status: r.Status,
		Protocol: r.Protocol, Remote: r.Remote, Clock: r.Clock, First: r.First, Family: r.Family, Hop: r.Hop, Prime: r.Prime,
		SetupCPU: r.SetupCPU, Intended: r.Intended, StartSkew: r.StartSkew, Instance: r.Instance, Template: r.Template,
		Bytes: record.Bytes(r.Bytes), BodySHA: r.BodySHA, Title: r.Title,
		Headers: tidy(r.Headers), Trailers: tidy(r.Trailers), Notes: orNil(r.Notes),
	}
	x.SchedLag, x.HasLag = optional(r.SchedLag)
	if x.HasStage = r.Stage != nil; x.HasStage {
		x.Stage = *r.Stage
	}
	for _, a := range r.Attempts {
		x.Attempts = append(x.Attempts, record.Attempt(a))
	}
	for _, i := range r.Interim {
		x.Interim = append(x.Interim, record.Interim(i))
	}
	x.TCP, x.QUIC = (*record.TCP)(r.TCP), (*record.QUIC)(r.QUIC)
	return x, errors.Join(refTimes(&x, &r), refParts(&x, &r), refSegments(&x, &r), x.Check())
}

func refSegments(x *record.Exchange, r *refExchange) error {
	for name, d := range r.Segments {
		k, ok := segment.Parse(name)
		if !ok || !k.Measured() {
			return errors.New("segment " + name)
		}
		if d != nil {
			x.Segments.Set(k, time.Duration(*d))
		}
	}
	if r.TotalNS == nil {
		return errors.New("no total")
	}
	x.Total = time.Duration(*r.TotalNS)
	return x.Check()
}

func refParts(x *record.Exchange, r *refExchange) error {
	if d := r.DNS; d != nil {
		x.DNS = &record.DNS{Name: d.Name, Server: d.Server, CNAME: orNil(d.CNAME), Addrs: orNil(d.Addrs), HTTPS: d.HTTPS}
		x.DNS.A, x.DNS.HasA = optional(d.A)
		x.DNS.AAAA, x.DNS.HasAAAA = optional(d.AAAA)
		if ttl := d.TTL; ttl != nil {
			if *ttl < 0 || *ttl > math.MaxInt64/int64(time.Second) {
				return errors.New("ttl")
			}
			x.DNS.TTL, x.DNS.HasTTL = time.Duration(*ttl)*time.Second, true
		}
	}
	if s := r.Stream; s != nil {
		x.Stream = &record.Stream{FirstEvent: s.FirstEvent, LastEvent: s.LastEvent, Events: s.Events, Texts: s.Texts, GapP50: s.GapP50, GapP99: s.GapP99, Stall: s.Stall, Done: s.Done}
		x.Stream.FirstText, x.Stream.HasText = optional(s.FirstText)
	}
	if t := r.Throttle; t != nil {
		x.Throttle = &record.Throttle{Reason: t.Reason, Limit: t.Limit}
		x.Throttle.RetryAfter, x.Throttle.HasRetryAfter = optional(t.RetryAfter)
	}
	if e := r.Error; e != nil {
		if e.Segment == nil {
			return errors.New("error nowhere")
		}
		x.Error = &record.Error{Class: record.Class(e.Class), Text: e.Text}
		return x.Error.Segment.UnmarshalText([]byte(*e.Segment))
	}
	return nil
}

func refTimes(x *record.Exchange, r *refExchange) (err error) {
	x.Started, err = refTime(r.Started)
	for _, p := range []struct {
		to   **record.TLS
		from *refTLS
	}{{&x.TLS, r.TLS}, {&x.ProxyTLS, r.ProxyTLS}} {
		t := p.from
		if t == nil {
			continue
		}
		after, bad := refTime(t.NotAfter)
		err = errors.Join(err, bad)
		*p.to = &record.TLS{Version: t.Version, Cipher: t.Cipher, Group: t.Group, HRR: t.HRR, Resumed: t.Resumed, ALPN: t.ALPN, Issuer: t.Issuer, Subject: t.Subject,
			Names: orNil(t.Names), CertSHA: t.CertSHA, NotAfter: after, ChainBytes: t.ChainBytes, Verify: t.Verify, ServerName: t.ServerName, Verified: t.Verified}
	}
	return err
}

func refTime(s *string) (t time.Time, err error) {
	if s == nil {
		return t, nil
	}
	err = t.UnmarshalText([]byte(*s))
	return t.UTC(), err
}

func optional(v *int64) (time.Duration, bool) {
	if v == nil {
		return 0, false
	}
	return time.Duration(*v), true
}

func orNil(vs []string) []string {
	if len(vs) == 0 {
		return nil
	}
	return vs
}

func tidy(f record.Fields) record.Fields {
	if len(f) == 0 {
		return nil
	}
	for name := range f {
		f[name] = orNil(f[name])
	}
	return f
}

// ambiguous reports what the two may rightly read differently: a key given twice, and a key that
// encoding/json matches although its case is wrong.
func ambiguous(line []byte) bool {
	dec := json.NewDecoder(bytes.NewReader(line))
	var keys []map[string]bool // nil for an array
	wantKey := false
	for {
		tok, err := dec.Token()
		if err != nil {
			return false
		}
		inObject := len(keys) > 0 && keys[len(keys)-1] != nil
		switch v := tok.(type) {
		case json.Delim:
			switch v {
			case '{':
				keys, wantKey = append(keys, map[string]bool{}), true
				continue
			case '[':
				keys, wantKey = append(keys, nil), false
				continue
			default:
				keys = keys[:len(keys)-1]
			}
		case string:
			if inObject && wantKey {
				folded := string(bytes.ToLower([]byte(v)))
				if v != folded || keys[len(keys)-1][v] || !isASCII(v) {
					return true
				}
				keys[len(keys)-1][v], wantKey = true, false
				continue
			}
		}
		wantKey = len(keys) > 0 && keys[len(keys)-1] != nil
	}
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}
