package record

import (
	"fmt"
	"math"
	"time"
)

func (d *Decoder) dns(x *Exchange) {
	if x.DNS = nil; d.begin(PartDNS) {
		d.mem.dns = DNS{}
		x.DNS = &d.mem.dns
		d.object(inDNS, 0, d.dnsField)
	}
}

func (d *Decoder) dnsField(key []byte) {
	switch v, m := d.x.DNS, d.mem; string(key) {
	case "name":
		v.Name = d.str()
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
		d.object(inAttempt, len(all), field)
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
	d.object(inTLS, which, func(key []byte) { d.tlsField(t, &d.mem.names[which], key) })
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
		d.object(inTCP, 0, d.tcpField)
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
		d.object(inQUIC, 0, d.quicField)
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
