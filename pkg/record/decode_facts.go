package record

import (
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/coldsplit/coldsplit/pkg/segment"
)

func (d *Decoder) dns(x *Exchange) {
	if x.DNS = nil; d.begin(PartDNS) {
		d.mem.dns = DNS{}
		x.DNS = &d.mem.dns
		d.s.object(d.dnsField)
	}
}

func (d *Decoder) dnsField(key []byte) {
	switch v, m := d.x.DNS, d.mem; string(key) {
	case "server":
		v.Server = d.str()
	case "a_ns":
		v.A, v.HasA = d.optNS()
	case "aaaa_ns":
		v.AAAA, v.HasAAAA = d.optNS()
	case "ttl_s":
		v.TTL, v.HasTTL = d.seconds()
	case "cname":
		v.CNAME = d.strs(m.cname)
		m.cname = keep(m.cname, v.CNAME)
	case "addrs":
		v.Addrs = d.strs(m.addrs)
		m.addrs = keep(m.addrs, v.Addrs)
	case "https":
		v.HTTPS = d.str()
	default:
		d.s.skip()
	}
}

func (d *Decoder) seconds() (time.Duration, bool) {
	if d.s.null() {
		return 0, false
	}
	v := d.s.int64()
	if v < 0 || v > math.MaxInt64/int64(time.Second) {
		d.s.fail(fmt.Errorf("%d is no number of seconds", v))
	}
	return time.Duration(v) * time.Second, true
}

func (d *Decoder) attempts() []Attempt {
	if !d.begin(PartAttempts) {
		return nil
	}
	all := d.mem.attempts[:0]
	var a Attempt
	field := func(key []byte) { d.attemptField(&a, key) }
	d.s.array(func() {
		a = Attempt{}
		d.s.object(field)
		all = append(all, a)
	})
	d.mem.attempts = all
	if len(all) == 0 {
		return nil
	}
	return all
}

func (d *Decoder) attemptField(a *Attempt, key []byte) {
	switch string(key) {
	case "addr":
		a.Addr = d.str()
	case "start_ns":
		a.Start = d.ns()
	case "end_ns":
		a.End = d.ns()
	case "err":
		a.Err = d.str()
	default:
		d.s.skip()
	}
}

func (d *Decoder) tls(which int) *TLS {
	if !d.begin(PartTLS) {
		return nil
	}
	t := &d.mem.tls[which]
	*t = TLS{}
	d.s.object(func(key []byte) { d.tlsField(t, &d.mem.names[which], key) })
	return t
}

func (d *Decoder) tlsField(t *TLS, names *[]string, key []byte) {
	switch s := &d.s; string(key) {
	case "version":
		t.Version = d.str()
	case "cipher":
		t.Cipher = d.str()
	case "group":
		t.Group = d.str()
	case "hrr":
		t.HRR = s.bool()
	case "resumed":
		t.Resumed = s.bool()
	case "alpn":
		t.ALPN = d.str()
	case "issuer":
		t.Issuer = d.str()
	case "subject":
		t.Subject = d.str()
	case "names":
		t.Names = d.strs(*names)
		*names = keep(*names, t.Names)
	case "cert_sha256":
		t.CertSHA = d.str()
	case "not_after":
		t.NotAfter = d.time()
	case "chain_bytes":
		t.ChainBytes = s.int()
	case "verify_ns":
		t.Verify = d.ns()
	case "server_name":
		t.ServerName = d.str()
	case "verified":
		t.Verified = s.bool()
	default:
		s.skip()
	}
}

func (d *Decoder) tcp(x *Exchange) {
	if x.TCP = nil; d.begin(PartTransport) {
		d.mem.tcp = TCP{}
		x.TCP = &d.mem.tcp
		d.s.object(d.tcpField)
	}
}

func (d *Decoder) tcpField(key []byte) {
	switch v := d.x.TCP; string(key) {
	case "connect_rtt_ns":
		v.ConnectRTT = d.ns()
	case "min_rtt_ns":
		v.MinRTT = d.ns()
	case "total_retrans":
		v.TotalRetrans = d.s.int()
	default:
		d.s.skip()
	}
}

func (d *Decoder) quic(x *Exchange) {
	if x.QUIC = nil; d.begin(PartTransport) {
		d.mem.quic = QUIC{}
		x.QUIC = &d.mem.quic
		d.s.object(d.quicField)
	}
}

func (d *Decoder) quicField(key []byte) {
	switch v, s := d.x.QUIC, &d.s; string(key) {
	case "min_rtt_ns":
		v.MinRTT = d.ns()
	case "lost":
		v.Lost = s.int()
	case "pto":
		v.PTO = s.int()
	case "retry":
		v.Retry = s.bool()
	case "vn":
		v.VN = s.bool()
	case "stall":
		v.Stall = s.bool()
	case "used_0rtt":
		v.Used0RTT = s.bool()
	default:
		s.skip()
	}
}

func (d *Decoder) interims() []Interim {
	if !d.begin(PartInterim) {
		return nil
	}
	all := d.mem.interim[:0]
	var v Interim
	field := func(key []byte) { d.interimField(&v, key) }
	d.s.array(func() {
		v = Interim{}
		d.s.object(field)
		all = append(all, v)
	})
	d.mem.interim = all
	if len(all) == 0 {
		return nil
	}
	return all
}

func (d *Decoder) interimField(v *Interim, key []byte) {
	switch string(key) {
	case "status":
		v.Status = d.s.int()
	case "at_ns":
		v.At = d.ns()
	default:
		d.s.skip()
	}
}

func (d *Decoder) stream(x *Exchange) {
	if x.Stream = nil; d.begin(PartStream) {
		d.mem.stream = Stream{}
		x.Stream = &d.mem.stream
		d.s.object(d.streamField)
	}
}

func (d *Decoder) streamField(key []byte) {
	switch v, s := d.x.Stream, &d.s; string(key) {
	case "first_event_ns":
		v.FirstEvent = d.ns()
	case "first_text_ns":
		v.FirstText, v.HasText = d.optNS()
	case "last_event_ns":
		v.LastEvent = d.ns()
	case "events":
		v.Events = s.int()
	case "texts":
		v.Texts = s.int()
	case "gap_p50_ns":
		v.GapP50 = d.ns()
	case "gap_p99_ns":
		v.GapP99 = d.ns()
	case "stall_ns":
		v.Stall = d.ns()
	case "done":
		v.Done = s.bool()
	default:
		s.skip()
	}
}

func (d *Decoder) throttleField(key []byte) {
	switch v := d.x.Throttle; string(key) {
	case "reason":
		v.Reason = d.str()
	case "retry_after_ns":
		v.RetryAfter, v.HasRetryAfter = d.optNS()
	case "limit":
		v.Limit = d.str()
	default:
		d.s.skip()
	}
}

func (d *Decoder) bytesField(key []byte) {
	switch v, s := &d.x.Bytes, &d.s; string(key) {
	case "wire":
		v.Wire = s.int64()
	case "decoded":
		v.Decoded = s.int64()
	case "sent":
		v.Sent = s.int64()
	case "encoding":
		v.Encoding = d.str()
	case "capped":
		v.Capped = s.bool()
	default:
		s.skip()
	}
}

func (d *Decoder) failure(x *Exchange) {
	d.mem.err, d.sawWhere = Error{}, false
	x.Error = &d.mem.err
	d.s.object(d.errorField)
	if !d.sawWhere {
		d.s.fail(errors.New("error without the segment it happened in"))
	}
}

func (d *Decoder) errorField(key []byte) {
	switch v := d.x.Error; string(key) {
	case "class":
		v.Class = Class(d.str())
	case "segment":
		d.errorSegment(v)
	case "text":
		v.Text = d.str()
	default:
		d.s.skip()
	}
}

func (d *Decoder) errorSegment(v *Error) {
	word := d.s.str()
	if word == nil || d.s.err != nil {
		return
	}
	k, ok := segment.Parse(string(word))
	if !ok {
		d.s.fail(fmt.Errorf("unknown segment %q in error", word))
		return
	}
	v.Segment, d.sawWhere = k, true
}

func (d *Decoder) fields(kept *Fields) Fields {
	if !d.begin(PartHeaders) {
		return nil
	}
	if *kept == nil {
		*kept = Fields{}
	}
	clear(*kept)
	d.s.object(func(key []byte) {
		name := d.intern.of(key)
		(*kept)[name] = d.values()
	})
	if len(*kept) == 0 {
		return nil
	}
	return *kept
}

// values reads one field's values into the memory all fields of an exchange share.
func (d *Decoder) values() []string {
	m := d.mem
	from := len(m.values)
	d.s.array(func() { m.values = append(m.values, d.str()) })
	if len(m.values) == from {
		return nil
	}
	return m.values[from:len(m.values):len(m.values)]
}
