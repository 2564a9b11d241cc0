package record

import "time"

func (e *encoder) dns(d *DNS) {
	if d == nil {
		return
	}
	e.open("dns")
	e.optStr("name", d.Name)
	e.optStr("server", d.Server)
	if d.HasA {
		e.ns("a_ns", d.A)
	}
	if d.HasAAAA {
		e.ns("aaaa_ns", d.AAAA)
	}
	if d.HasTTL {
		e.num("ttl_s", int64(d.TTL/time.Second))
	}
	e.optStrs("cname", d.CNAME)
	e.optStrs("addrs", d.Addrs)
	e.optStr("https", d.HTTPS)
	e.shut()
}

func (e *encoder) attempt(a *Attempt) {
	e.b = append(e.b, '{')
	e.optStr("addr", a.Addr)
	e.ns("start_ns", a.Start)
	e.ns("end_ns", a.End)
	e.optStr("err", a.Err)
	e.shut()
}

func (e *encoder) tls(k string, t *TLS) {
	if t == nil {
		return
	}
	e.open(k)
	e.optStr("version", t.Version)
	e.optStr("cipher", t.Cipher)
	e.optStr("group", t.Group)
	e.flag("hrr", t.HRR)
	e.flag("resumed", t.Resumed)
	e.optStr("alpn", t.ALPN)
	e.optStr("issuer", t.Issuer)
	e.optStr("subject", t.Subject)
	e.optStrs("names", t.Names)
	e.optStr("cert_sha256", t.CertSHA)
	e.time("not_after", t.NotAfter)
	e.optNum("chain_bytes", int64(t.ChainBytes))
	e.optNS("verify_ns", t.Verify)
	e.optStr("server_name", t.ServerName)
	e.flag("verified", t.Verified)
	e.shut()
}

func (e *encoder) tcp(t *TCP) {
	if t == nil {
		return
	}
	e.open("tcp")
	e.optNS("connect_rtt_ns", t.ConnectRTT)
	e.optNS("min_rtt_ns", t.MinRTT)
	e.num("total_retrans", int64(t.TotalRetrans))
	e.shut()
}

func (e *encoder) quic(q *QUIC) {
	if q == nil {
		return
	}
	e.open("quic")
	e.optNS("min_rtt_ns", q.MinRTT)
	e.num("lost", int64(q.Lost))
	e.num("pto", int64(q.PTO))
	e.flag("retry", q.Retry)
	e.flag("vn", q.VN)
	e.flag("stall", q.Stall)
	e.yes("used_0rtt", q.Used0RTT)
	e.shut()
}

func (e *encoder) interim(i Interim) {
	e.b = append(e.b, '{')
	e.num("status", int64(i.Status))
	e.ns("at_ns", i.At)
	e.shut()
}

func (e *encoder) stream(s *Stream) {
	if s == nil {
		return
	}
	e.open("stream")
	if s.Events > 0 || s.FirstEvent != 0 || s.LastEvent != 0 {
		e.ns("first_event_ns", s.FirstEvent)
		e.ns("last_event_ns", s.LastEvent)
	}
	if s.HasText {
		e.ns("first_text_ns", s.FirstText)
	}
	e.num("events", int64(s.Events))
	e.num("texts", int64(s.Texts))
	if s.Texts > 1 || s.GapP50 != 0 || s.GapP99 != 0 || s.Stall != 0 {
		e.ns("gap_p50_ns", s.GapP50)
		e.ns("gap_p99_ns", s.GapP99)
		e.ns("stall_ns", s.Stall)
	}
	e.flag("done", s.Done)
	e.shut()
}

func (e *encoder) throttle(t *Throttle) {
	if t == nil {
		return
	}
	e.open("throttle")
	e.optStr("reason", t.Reason)
	if t.HasRetryAfter {
		e.ns("retry_after_ns", t.RetryAfter)
	}
	e.optStr("limit", t.Limit)
	e.shut()
}

func (e *encoder) bytes(b *Bytes) {
	e.open("bytes")
	e.num("wire", b.Wire)
	e.num("decoded", b.Decoded)
	e.optNum("sent", b.Sent)
	e.optStr("encoding", b.Encoding)
	e.yes("capped", b.Capped)
	e.shut()
}
