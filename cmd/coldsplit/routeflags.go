package main

import (
	"github.com/spf13/pflag"

	"github.com/coldsplit/coldsplit/pkg/probe"
)

// routeFlags are the flags that describe one arm: the request and the way it takes. compare binds
// them three times: for both arms, and with a prefix for one arm only.
type routeFlags struct {
	method      string
	headers     []string
	data        []string
	dataRaw     []string
	dataBinary  []string
	dataBase64  string // of a curl line: content that no text could hold; it has no media type of its own
	json        []string
	agent       string
	user        string
	cookie      string
	proxy       string
	head        bool
	insecure    bool
	ipv4, ipv6  bool
	resolve     []string
	connectTo   []string
	cert, key   string
	cacert      string
	compressed  bool
	maxTime     seconds
	connectTime seconds
	http        []string
	via         []string
	states      []string
	resolver    string
	ok          string
	maxBody     int64
	sni         string
	textPath    string
	terminal    string
}

const (
	defaultMaxTime = probe.DefaultMaxTime
	defaultMaxBody = probe.DefaultMaxBody
)

// bind registers the flags under prefix ("" or "before-", "after-"). Short letters exist without a
// prefix only.
func (r *routeFlags) bind(fs *pflag.FlagSet, prefix string) {
	b := flagBinder{fs, prefix}
	b.str(&r.method, "request", "X", "", "request method `METHOD`")
	b.list(&r.headers, "header", "H", "request header `'NAME: VALUE'`, or @file with one a line")
	b.list(&r.data, "data", "d", "request content `DATA`, @file or @- for stdin; makes it a POST")
	b.list(&r.dataRaw, "data-raw", "", "like --data, but @ has no meaning")
	b.list(&r.dataBinary, "data-binary", "", "like --data, but keeps line ends of a file")
	b.str(&r.dataBase64, "data-base64", "", "", "content in base64")
	_ = fs.MarkHidden(prefix + "data-base64")
	b.list(&r.json, "json", "", "like --data, as application/json; several are put together as they are")
	b.str(&r.agent, "user-agent", "A", "", "User-Agent `NAME` (default coldsplit/VERSION)")
	b.str(&r.user, "user", "u", "", "`USER:PASSWORD` for basic authentication")
	b.str(&r.cookie, "cookie", "b", "", "cookies `'NAME=VALUE; ...'`")
	b.str(&r.proxy, "proxy", "x", "", "proxy `URL`: http, https, socks5, socks5h; or env")
	b.flag(&r.head, "head", "I", "send HEAD")
	b.flag(&r.insecure, "insecure", "k", "measure even though the certificate does not verify; said on top")
	b.flag(&r.ipv4, "ipv4", "4", "IPv4 only")
	b.flag(&r.ipv6, "ipv6", "6", "IPv6 only")
	b.list(&r.resolve, "resolve", "", "pin an address: `HOST:PORT:ADDR[,ADDR]`")
	b.list(&r.connectTo, "connect-to", "", "go elsewhere: `HOST1:PORT1:HOST2:PORT2`")
	b.str(&r.cert, "cert", "", "", "client certificate `FILE` (PEM)")
	b.str(&r.key, "key", "", "", "private key `FILE` of --cert (PEM)")
	b.str(&r.cacert, "cacert", "", "", "trust the authorities in `FILE` (PEM) instead of the system's")
	b.flag(&r.compressed, "compressed", "", "offer gzip, br and zstd; decoded after the last byte")
	r.maxTime = seconds(defaultMaxTime)
	b.val(&r.maxTime, "max-time", "m", "longest time for one request, `SECONDS` or a duration")
	b.val(&r.connectTime, "connect-timeout", "", "longest time until the connection is ready (default: --max-time)")
	b.list(&r.http, "http", "", "protocol `auto|1.1|2|3`, repeatable (default auto)")
	b.list(&r.via, "via", "", "connect to `ADDR|NAME[:PORT]` instead; SNI and Host stay the URL's; repeatable")
	b.list(&r.states, "state", "", "`cold|warm|resumed|early`, repeatable (default cold)")
	b.str(&r.resolver, "resolver", "", "", "`system|udp://|tcp://|tls://|https://` resolver (default system)")
	b.str(&r.ok, "ok", "", "", "status codes that count as ok, `200,404,500-599` (default 2xx and 3xx)")
	r.maxBody = defaultMaxBody
	b.int64(&r.maxBody, "max-body", "stop reading a response after `BYTES` of content")
	b.str(&r.sni, "sni", "", "", "server `NAME` to ask for in TLS (default the URL's host)")
	b.str(&r.textPath, "text-path", "", "", "where an event stream's text is, `choices[0].delta.content`")
	b.str(&r.terminal, "terminal-event", "", "", "event that ends a stream: its `NAME` or its data")
}

// flagBinder registers flags under one prefix.
type flagBinder struct {
	fs     *pflag.FlagSet
	prefix string
}

func (b flagBinder) short(s string) string {
	if b.prefix != "" {
		return ""
	}
	return s
}

func (b flagBinder) str(p *string, name, short, value, usage string) {
	b.fs.StringVarP(p, b.prefix+name, b.short(short), value, usage)
}

func (b flagBinder) list(p *[]string, name, short, usage string) {
	b.fs.StringArrayVarP(p, b.prefix+name, b.short(short), nil, usage)
}

func (b flagBinder) flag(p *bool, name, short, usage string) {
	b.fs.BoolVarP(p, b.prefix+name, b.short(short), false, usage)
}

func (b flagBinder) int64(p *int64, name, usage string) {
	b.fs.Int64Var(p, b.prefix+name, *p, usage)
}

func (b flagBinder) val(v pflag.Value, name, short, usage string) {
	b.fs.VarP(v, b.prefix+name, b.short(short), usage)
}
