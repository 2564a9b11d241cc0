package curlline

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// option is one of curl's, by its long name and its letter.
type option struct {
	long, short string
	arg         bool   // takes a value
	want        string // what the value is, for errors
	do          func(*parser, use) error
}

// use is an option as it was written.
type use struct {
	written, value string
	on             bool // false behind --no-
}

func (o *option) wants() string {
	if o.want != "" {
		return o.want
	}
	return "a value"
}

// options finds what a user wrote.
type options []*option

// find takes a long name, --no- in front of it, or the start of one name only, as curl does.
func (t options) find(name string) (*option, bool, error) {
	for _, o := range t {
		if o.long == name {
			return o, true, nil
		}
	}
	if base, ok := strings.CutPrefix(name, "no-"); ok {
		if o, _, err := t.find(base); err == nil && !o.arg {
			return o, false, nil
		}
	}
	var found *option
	for _, o := range t {
		if name != "" && strings.HasPrefix(o.long, name) {
			if found != nil {
				return nil, false, fmt.Errorf("--%s is the start of --%s and of --%s", name, found.long, o.long)
			}
			found = o
		}
	}
	if found == nil {
		return nil, false, fmt.Errorf("unknown option --%s", abridged(name))
	}
	return found, true, nil
}

func (t options) letter(c string) (*option, bool) {
	for _, o := range t {
		if o.short == c {
			return o, true
		}
	}
	return nil, false
}

func optionTable() options {
	var t options
	for _, part := range [][]*option{requestOptions(), connectionOptions(), remarkedOptions()} {
		t = append(t, part...)
	}
	slices.SortFunc(t, func(a, b *option) int { return strings.Compare(a.long, b.long) })
	return t
}

// flag makes an option without a value.
func flag(names string, do func(*parser, bool)) *option {
	short, long := splitNames(names)
	return &option{long: long, short: short, do: func(p *parser, u use) error {
		do(p, u.on)
		return nil
	}}
}

// value makes an option with one.
func value(names, want string, do func(*parser, string) error) *option {
	short, long := splitNames(names)
	return &option{long: long, short: short, arg: true, want: want, do: func(p *parser, u use) error { return do(p, u.value) }}
}

func splitNames(names string) (short, long string) {
	if s, l, ok := strings.Cut(names, "/"); ok {
		return s, l
	}
	return "", names
}

// text makes an option that is kept as written.
func text(names, want string, field func(*Request) *string) *option {
	return value(names, want, func(p *parser, v string) error {
		if v == "" {
			return fmt.Errorf("want %s, got nothing", want)
		}
		*field(p.request) = v
		return nil
	})
}

// list makes an option that may be repeated.
func list(names, want string, field func(*Request) *[]string) *option {
	return value(names, want, func(p *parser, v string) error {
		*field(p.request) = append(*field(p.request), v)
		return nil
	})
}

func seconds(names string, field func(*Request) *time.Duration) *option {
	return value(names, "seconds", func(p *parser, v string) error {
		n, err := strconv.ParseFloat(v, 64)
		if err != nil || !(n >= 0 && n <= 1e6) {
			return fmt.Errorf("want seconds, got %q", abridged(v))
		}
		*field(p.request) = time.Duration(n * float64(time.Second))
		return nil
	})
}

func requestOptions() []*option {
	return []*option{
		value("url", "a URL", func(p *parser, v string) error { p.urls = append(p.urls, v); return nil }),
		value("X/request", "a method", setMethod),
		value("H/header", "a header", func(p *parser, v string) error { return p.request.addHeader(v) }),
		value("d/data", "data", addData(DataText)),
		value("data-ascii", "data", addData(DataText)),
		value("data-raw", "data", addData(DataRaw)),
		value("data-binary", "data", addData(DataBinary)),
		value("data-urlencode", "data", addData(DataEncoded)),
		value("json", "JSON", addJSON),
		value("F/form", "NAME=CONTENT", func(p *parser, v string) error { return p.request.addForm(v) }),
		value("form-string", "NAME=CONTENT", func(p *parser, v string) error { return p.request.addFormString(v) }),
		value("url-query", "a part of the query", addQuery),
		text("T/upload-file", "a file", func(r *Request) *string { return &r.Upload }),
		flag("G/get", func(p *parser, on bool) { p.request.Get = on }),
		flag("I/head", func(p *parser, on bool) { p.request.Head = on }),
		value("u/user", "USER:PASSWORD", setUser),
		text("oauth2-bearer", "a token", func(r *Request) *string { return &r.Bearer }),
		value("b/cookie", "NAME=VALUE", addCookie),
		value("A/user-agent", "a name", func(p *parser, v string) error {
			p.request.UserAgent, p.request.HasUserAgent = v, true
			return nil
		}),
		value("e/referer", "a URL", setReferer),
		text("r/range", "a range", func(r *Request) *string { return &r.Range }),
		flag("compressed", func(p *parser, on bool) { p.request.Compressed = on }),
		flag("L/location", func(p *parser, on bool) { p.request.Location = on }),
		flag("follow", func(p *parser, on bool) { p.request.Location = on }),
		flag("location-trusted", func(p *parser, on bool) {
			p.request.Location = on
			p.request.refuse("--location-trusted", "redirects are followed, but credentials are not carried to another origin")
		}),
		value("max-redirs", "a number", setRedirs),
		flag("path-as-is", func(p *parser, on bool) { p.request.PathAsIs = on }),
		flag("g/globoff", func(p *parser, on bool) { p.globOff = on }),
		value("proto-default", "a scheme", func(p *parser, v string) error { p.scheme = v; return nil }),
		{long: "next", short: ":", do: func(*parser, use) error { return errors.New("begins another request; one line, one request") }},
		{long: "help", short: "h", do: aboutCurl}, {long: "version", short: "V", do: aboutCurl}, {long: "manual", short: "M", do: aboutCurl},
	}
}

func aboutCurl(*parser, use) error { return errors.New("asks curl about itself; no request is made") }

func setMethod(p *parser, v string) error {
	if !isToken(v) {
		return fmt.Errorf("want a method, got %q", abridged(v))
	}
	p.request.Method = v
	return nil
}

func setUser(p *parser, v string) error {
	r := p.request
	r.User, r.Password, r.HasPassword = strings.Cut(v, ":")
	r.HasUser = true
	return nil
}

// addCookie tells a cookie from a file of cookies as curl does: by the equals sign.
func addCookie(p *parser, v string) error {
	switch {
	case strings.Contains(v, "="):
		p.request.Cookies = append(p.request.Cookies, v)
	case v != "":
		p.request.refuse("-b FILE", "cookies are not read from a file; write NAME=VALUE")
	}
	return nil
}

func setReferer(p *parser, v string) error {
	referer, auto := strings.CutSuffix(v, ";auto")
	if auto {
		p.request.refuse("-e ;auto", "a redirect does not set the Referer")
	}
	p.request.Referer = referer
	return nil
}

func setRedirs(p *parser, v string) error {
	n, err := strconv.Atoi(v)
	if err != nil || n < -1 {
		return fmt.Errorf("want a number of redirects, got %q", abridged(v))
	}
	p.request.MaxRedirs = n
	return nil
}

func connectionOptions() []*option {
	return []*option{
		flag("k/insecure", func(p *parser, on bool) { p.request.Insecure = on }),
		text("cacert", "a file", func(r *Request) *string { return &r.CACert }),
		value("E/cert", "FILE[:PASSWORD]", setCert),
		text("key", "a file", func(r *Request) *string { return &r.Key }),
		text("pass", "a phrase", func(r *Request) *string { return &r.KeyPassword }),
		pemOnly("cert-type"), pemOnly("key-type"),
		seconds("m/max-time", func(r *Request) *time.Duration { return &r.MaxTime }),
		seconds("connect-timeout", func(r *Request) *time.Duration { return &r.ConnectTimeout }),
		flag("0/http1.0", func(p *parser, _ bool) {
			p.request.HTTPVersion = "1.1"
			p.request.refuse("--http1.0", "is sent as HTTP/1.1")
		}),
		flag("http1.1", func(p *parser, _ bool) { p.request.HTTPVersion = "1.1" }),
		flag("http2", func(p *parser, _ bool) { p.request.HTTPVersion = "" }), // what curl offers over https in any case
		flag("http2-prior-knowledge", func(p *parser, _ bool) { p.request.HTTPVersion = "2" }),
		flag("http3", func(p *parser, _ bool) {
			p.request.HTTPVersion = "3"
			p.request.change("--http3", "only h3 is measured; curl would fall back to TCP")
		}),
		flag("http3-only", func(p *parser, _ bool) { p.request.HTTPVersion = "3" }),
		flag("alpn", func(p *parser, on bool) {
			if !on {
				p.request.HTTPVersion = "1.1"
				p.request.refuse("--no-alpn", "http/1.1 is offered by ALPN")
			}
		}),
		flag("4/ipv4", func(p *parser, _ bool) { p.request.Family = 4 }),
		flag("6/ipv6", func(p *parser, _ bool) { p.request.Family = 6 }),
		tlsMin("1/tlsv1", "1.0"), tlsMin("tlsv1.0", "1.0"), tlsMin("tlsv1.1", "1.1"), tlsMin("tlsv1.2", "1.2"), tlsMin("tlsv1.3", "1.3"),
		value("tls-max", "a TLS version", setTLSMax),
		list("resolve", "HOST:PORT:ADDR", func(r *Request) *[]string { return &r.Resolve }),
		list("connect-to", "HOST1:PORT1:HOST2:PORT2", func(r *Request) *[]string { return &r.ConnectTo }),
		value("dns-servers", "addresses", setDNSServers),
		text("doh-url", "a URL", func(r *Request) *string { return &r.Resolver }),
		proxyOption("x/proxy", ""), proxyOption("proxy1.0", "http"), proxyOption("socks5", "socks5"), proxyOption("socks5-hostname", "socks5h"),
		proxyOption("socks4", "socks4"), proxyOption("socks4a", "socks4a"),
		value("U/proxy-user", "USER:PASSWORD", func(p *parser, v string) error { p.proxyUsr = v; return nil }),
		text("proxy-cacert", "a file", func(r *Request) *string { return &r.ProxyCACert }),
		text("noproxy", "hosts", func(r *Request) *string { return &r.NoProxy }),
		flag("proxy-insecure", func(p *parser, on bool) { p.request.ProxyInsecure = on }),
		value("proxy-header", "a header", addProxyHeader),
	}
}

// setCert takes FILE:PASSWORD apart at a colon that no backslash is before; a drive letter's colon
// is part of the file.
func setCert(p *parser, v string) error {
	if v == "" {
		return errors.New("want a file, got nothing")
	}
	const protected = "\x00"
	file, password, found := strings.Cut(strings.ReplaceAll(v, `\:`, protected), ":")
	if len(file) == 1 && (strings.HasPrefix(password, `\`) || strings.HasPrefix(password, "/")) {
		path, rest, more := strings.Cut(password, ":")
		file, password, found = file+":"+path, rest, more
	}
	p.request.Cert = strings.ReplaceAll(file, protected, ":")
	if found {
		p.request.KeyPassword = strings.ReplaceAll(password, protected, `\:`)
	}
	return nil
}

func pemOnly(name string) *option {
	return value(name, "PEM", func(p *parser, v string) error {
		if !strings.EqualFold(v, "PEM") {
			p.request.refuse("--"+name, "only PEM is read")
		}
		return nil
	})
}

func tlsMin(names, version string) *option {
	return flag(names, func(p *parser, _ bool) { p.request.TLSMin = version })
}

func setTLSMax(p *parser, v string) error {
	switch v {
	case "1.0", "1.1", "1.2", "1.3":
		p.request.TLSMax = v
	case "default":
		p.request.TLSMax = ""
	default:
		return fmt.Errorf("want 1.0, 1.1, 1.2 or 1.3, got %q", abridged(v))
	}
	return nil
}

func setDNSServers(p *parser, v string) error {
	first, more, _ := strings.Cut(v, ",")
	if first == "" {
		return errors.New("want addresses, got nothing")
	}
	p.request.Resolver = "udp://" + first
	if more != "" {
		p.request.change("--dns-servers", "only the first is asked")
	}
	return nil
}

func proxyOption(names, scheme string) *option {
	return value(names, "HOST:PORT", func(p *parser, v string) error {
		p.proxy, p.proxyIs = v, scheme
		return nil
	})
}
