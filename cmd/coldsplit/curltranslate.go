package main

import (
	"encoding/base64"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/coldsplit/coldsplit/pkg/curlline"
	"github.com/coldsplit/coldsplit/pkg/tunnel"
)

// curlTranslation is a curl line as arguments of probe.
type curlTranslation struct {
	args    []string
	refused []curlline.Note
	changed []curlline.Note
}

func translateCurl(r *curlline.Request, c curlline.Content) curlTranslation {
	t := curlTranslation{
		refused: slices.Concat(r.NotHonoured, c.NotHonoured),
		changed: slices.Concat(r.Changes, c.Changes),
	}
	t.message(r, c)
	t.way(r, c)
	t.security(r)
	t.limits(r)
	t.args = append(t.args, "--")
	t.args = append(t.args, c.URLs...)
	return t
}

func (t *curlTranslation) flag(name, value string) {
	if value != "" {
		t.args = append(t.args, "--"+name+"="+value)
	}
}

func (t *curlTranslation) on(name string, yes bool) {
	if yes {
		t.args = append(t.args, "--"+name)
	}
}

func (t *curlTranslation) refuse(yes bool, what, why string) {
	if yes {
		t.refused = append(t.refused, curlline.Note{What: what, Why: why})
	}
}

// message is the request itself: method, fields, content.
func (t *curlTranslation) message(r *curlline.Request, c curlline.Content) {
	t.flag("request", c.Method)
	typed := false
	for _, h := range c.Headers {
		t.header(h.Name, h.Value)
		typed = typed || strings.EqualFold(h.Name, "Content-Type")
	}
	t.removed(c.Removed)
	if !r.HasUserAgent && !hasField(c.Headers, "User-Agent") {
		t.changed = append(t.changed, curlline.Note{What: "User-Agent", Why: userAgent + " is sent; -A says otherwise"})
	}
	t.refuse(r.HasUser && !r.HasPassword && !r.OtherAuth, "-u", "curl would ask for the password; nothing is sent without one")
	if c.HasBody {
		t.content(c.Body, typed)
	}
	t.on("compressed", r.Compressed)
}

func (t *curlTranslation) header(name, value string) {
	if value == "" {
		t.args = append(t.args, "--header="+name+";")
		return
	}
	t.args = append(t.args, "--header="+name+": "+value)
}

// content goes as it is: typed by the line's own field or by none, which only the binary form can do.
func (t *curlTranslation) content(body []byte, typed bool) {
	if typed && utf8.Valid(body) {
		t.args = append(t.args, "--data-raw="+string(body))
		return
	}
	t.args = append(t.args, "--data-base64="+base64.StdEncoding.EncodeToString(body))
}

// removed are fields the line wants unsent. Only some of them are ours to leave away.
func (t *curlTranslation) removed(names []string) {
	for _, name := range names {
		switch strings.ToLower(name) {
		case "user-agent":
			t.header("User-Agent", "")
		case "accept", "accept-encoding", "te", "connection", "host":
			t.refuse(true, name, "every measured request carries it")
		}
	}
}

func hasField(headers []curlline.Header, name string) bool {
	return slices.ContainsFunc(headers, func(h curlline.Header) bool { return strings.EqualFold(h.Name, name) })
}

// way is what lies between here and the origin.
func (t *curlTranslation) way(r *curlline.Request, c curlline.Content) {
	t.flag("proxy", proxyFor(r, c.URLs))
	t.refuse(len(r.ProxyHeaders) > 0, "--proxy-header", "the proxy is spoken to without it")
	t.refuse(r.ProxyInsecure, "--proxy-insecure", "the proxy's certificate is verified")
	t.refuse(r.ProxyCACert != "", "--proxy-cacert", "--cacert holds for the proxy as well")
	t.flag("resolver", r.Resolver)
	for _, v := range r.Resolve {
		t.flag("resolve", v)
	}
	for _, v := range r.ConnectTo {
		t.flag("connect-to", v)
	}
	t.flag("http", r.HTTPVersion)
	t.on("ipv4", r.Family == 4)
	t.on("ipv6", r.Family == 6)
	t.on("location", r.Location)
	if r.Location && r.MaxRedirs >= 0 && r.MaxRedirs != 50 {
		t.changed = append(t.changed, curlline.Note{What: "--max-redirs", Why: fmt.Sprintf("%d redirects are followed at most", mostHops)})
	}
}

// proxyFor is the line's proxy, "" where its --noproxy takes the host out.
func proxyFor(r *curlline.Request, urls []string) string {
	if r.Proxy == "" || r.NoProxy == "" || len(urls) == 0 {
		return r.Proxy
	}
	if r.NoProxy == "*" {
		return ""
	}
	u, err := url.Parse(urls[0])
	if err != nil {
		return r.Proxy
	}
	env := map[string]string{"HTTP_PROXY": r.Proxy, "HTTPS_PROXY": r.Proxy, "NO_PROXY": r.NoProxy}
	found, err := tunnel.ProxyFromEnvironment(u, func(k string) string { return env[k] })
	if err == nil && found == nil {
		return ""
	}
	return r.Proxy
}

func (t *curlTranslation) security(r *curlline.Request) {
	t.on("insecure", r.Insecure)
	t.flag("cacert", r.CACert)
	t.flag("cert", r.Cert)
	t.flag("key", r.Key)
	t.refuse(r.KeyPassword != "", "--pass", "an encrypted key is not read")
	t.refuse(r.TLSMin != "" || r.TLSMax != "", "--tlsv1.x", "the TLS versions are the measuring client's own: 1.2 and 1.3")
}

func (t *curlTranslation) limits(r *curlline.Request) {
	if r.MaxTime > 0 {
		t.flag("max-time", r.MaxTime.String())
	}
	if r.ConnectTimeout > 0 {
		t.flag("connect-timeout", r.ConnectTimeout.String())
	}
}
