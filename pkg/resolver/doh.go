package resolver

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"net/netip"

	"github.com/miekg/dns"
)

// mediaType is that of a DNS message (RFC 8484 section 6).
const mediaType = "application/dns-message"

// overHTTPS asks by POST (RFC 8484 section 4.1), which every such server must take, over h2 or
// http/1.1 as agreed. The connection is made for the one request: no pool, no silent retry.
func overHTTPS(n Network, s Spec) carry {
	return func(ctx context.Context, server netip.AddrPort, out *dns.Msg) (*dns.Msg, error) {
		dial := func(ctx context.Context, _, _ string) (net.Conn, error) { return n.Dial(ctx, "tcp", server) }
		transport := &http.Transport{DialContext: dial, TLSClientConfig: s.tlsConfig(), Protocols: webProtocols()}
		defer transport.CloseIdleConnections()
		conn, err := transport.NewClientConn(ctx, "https", s.authority())
		if err != nil {
			return nil, ended(ctx, err)
		}
		defer conn.Close()
		// An identifier of 0 lets caches on the way recognise equal queries (RFC 8484 section 4.1).
		out.Id = 0
		req, err := dohRequest(ctx, s, out)
		if err != nil {
			return nil, err
		}
		resp, err := conn.RoundTrip(req)
		if err != nil {
			return nil, ended(ctx, err)
		}
		defer resp.Body.Close()
		in, err := dohAnswer(resp, out)
		return in, ended(ctx, err)
	}
}

func webProtocols() *http.Protocols {
	p := new(http.Protocols)
	p.SetHTTP1(true)
	p.SetHTTP2(true)
	return p
}

func dohRequest(ctx context.Context, s Spec, out *dns.Msg) (*http.Request, error) {
	wire, err := out.Pack()
	if err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "https://"+s.authority()+s.Path, bytes.NewReader(wire))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", mediaType)
	req.Header.Set("Accept", mediaType)
	return req, nil
}

func dohAnswer(resp *http.Response, out *dns.Msg) (*dns.Msg, error) {
	if resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%w: status %d", errBadAnswer, resp.StatusCode)
	}
	if got, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type")); got != mediaType {
		return nil, fmt.Errorf("%w: content type %q", errBadAnswer, got)
	}
	wire, err := io.ReadAll(io.LimitReader(resp.Body, dns.MaxMsgSize))
	if err != nil {
		return nil, err
	}
	return unpack(wire, out)
}
