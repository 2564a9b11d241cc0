package curlline

import "strings"

// silent are options that change neither the request nor its time: what curl shows, and options of
// other protocols. A trailing = marks those that take a value.
const silent = `s/silent S/show-error v/verbose i/include #/progress-bar N/buffer progress-meter styled-output
	q/disable fail-early basic tcp-nodelay trace-time trace-ids suppress-connect-headers show-headers trace= trace-ascii= trace-config=
	stderr= raw sessionid B/use-ascii p/proxytunnel proxy-basic proxy-anyauth npn ssl ssl-reqd ssl-allow-beast
	proxy-ssl-allow-beast compressed-ssh a/append l/list-only j/junk-session-cookies post301 post302 post303 form-escape
	disable-eprt disable-epsv ftp-create-dirs ftp-pasv ftp-pret ftp-skip-pasv-ip ftp-ssl-ccc ftp-ssl-ccc-mode= ftp-ssl-control ftp-alternative-to-user= ipfs-gateway= knownhosts= upload-flags= dump-ca-embed out-null ftp-account= ftp-method=
	P/ftp-port= Q/quote= t/telnet-option= tftp-blksize= tftp-no-options mail-auth= mail-from= mail-rcpt= mail-rcpt-allowfails
	krb= sasl-authzid= sasl-ir login-options= hostpubmd5= hostpubsha256= pubkey= random-file= egd-file= metalink proto= proto-redir=
	disallow-username-in-url ssl-no-revoke ssl-revoke-best-effort socks5-basic`

// remarks are options beside the request, with what a measurement makes of them.
func remarks() map[string]string {
	const kept = "the content is read and counted, not kept"
	const retry = "nothing is sent twice; a failure is recorded as one"
	const parallel = "one request at a time; ramp measures parallel ones"
	return map[string]string{
		"keepalive keepalive-time= keepalive-cnt=":                                              "every request has a connection of its own, closed after it",
		"retry= retry-delay= retry-max-time= retry-all-errors retry-connrefused":                retry,
		"O/remote-name J/remote-header-name remote-name-all R/remote-time":                      kept,
		"output-dir= create-dirs create-file-mode= remove-on-error clobber skip-existing xattr": kept,
		"D/dump-header=": "the headers that tell of time and place are recorded",
		"limit-rate=":    "the transfer is not slowed down",
		"rate=":          "requests follow --interval",
		"Z/parallel parallel-immediate parallel-max= parallel-max-host=": parallel,
		"w/write-out=":                                 "is not printed; the report has the times, each for its own segment",
		"f/fail fail-with-body":                        "an error status counts as failed in any case",
		"c/cookie-jar=":                                "no cookie is kept between requests",
		"Y/speed-limit= y/speed-time=":                 "speed is not watched; -m bounds a request",
		"max-filesize=":                                "the content is read to its end",
		"happy-eyeballs-timeout-ms=":                   "the next connection attempt starts after 250 ms (RFC 8305)",
		"expect100-timeout=":                           "no 100 Continue is waited for",
		"tcp-fastopen false-start tls-earlydata mptcp": "every handshake is a full one",
		"libcurl=":                                     "no code is written",
	}
}

// otherSchemes are ways to authenticate that need a challenge, a signature or a ticket. Sending the
// credentials by Basic instead would give away what these keep to themselves.
const otherSchemes = "digest ntlm ntlm-wb negotiate anyauth aws-sigv4= delegation= service-name= krb5-service="

// refusals are options whose request would be another one without them.
func refusals() map[string]string {
	const tls = "the TLS settings are the measuring client's own"
	const proxy = "the proxy is spoken to without it"
	return map[string]string{
		"n/netrc netrc-optional netrc-file=": "no credentials are read from a netrc file",
		"K/config= variable=":                "options and variables are read from the line only",
		"unix-socket= abstract-unix-socket=": "connections are made over IP only",
		"interface= local-port= ip-tos= vlan-priority= dns-interface= dns-ipv4-addr= dns-ipv6-addr=":                                  "the system chooses where packets leave",
		"ciphers= tls13-ciphers= curves= sigalgs= engine= crlfile= pinnedpubkey= cert-status tlsauthtype= tlsuser= tlspassword= ech=": tls,
		"capath= ca-native ssl-auto-client-cert 2/sslv2 3/sslv3":                                                                      tls,
		"C/continue-at= z/time-cond= etag-save= etag-compare=":                                                                        "files of earlier transfers take no part; write the header itself",
		"http0.9 ignore-content-length tr-encoding crlf":                                                                              "the message is read and written as HTTP says",
		"request-target=":                    "the target is the URL's path and query",
		"haproxy-protocol haproxy-clientip=": "no PROXY header is sent",
		"hsts= alt-svc=":                     "nothing is remembered between requests",
		"doh-insecure doh-cert-status":       "the resolver's certificate is verified",
		"preproxy= socks5-gssapi socks5-gssapi-nec socks5-gssapi-service= proxy-digest proxy-ntlm proxy-negotiate": proxy,
		"proxy-cert= proxy-cert-type= proxy-key= proxy-key-type= proxy-pass= proxy-capath= proxy-crlfile=":         proxy,
		"proxy-ciphers= proxy-tls13-ciphers= proxy-pinnedpubkey= proxy-service-name= proxy-tlsv1 proxy-http2":      proxy,
		"proxy-tlsauthtype= proxy-tlsuser= proxy-tlspassword= proxy-ssl-auto-client-cert proxy-ca-native":          proxy,
	}
}

func remarkedOptions() []*option {
	t := []*option{{long: "output", short: "o", arg: true, want: "a file", do: func(p *parser, u use) error {
		keptNowhere(p.request, u.written, u.value)
		return nil
	}}}
	add := func(names string, remark func(*Request, string)) {
		for _, name := range strings.Fields(names) {
			bare, arg := strings.CutSuffix(name, "=")
			short, long := splitNames(bare)
			t = append(t, &option{long: long, short: short, arg: arg, do: func(p *parser, u use) error {
				remark(p.request, u.written)
				return nil
			}})
		}
	}
	add(silent, func(*Request, string) {})
	add(otherSchemes, func(r *Request, written string) {
		r.OtherAuth = true
		r.refuse(written, "only Basic credentials and bearer tokens are sent; the request goes without")
	})
	for names, why := range remarks() {
		add(names, func(r *Request, written string) { r.change(written, why) })
	}
	for names, why := range refusals() {
		add(names, func(r *Request, written string) { r.refuse(written, why) })
	}
	return t
}

// keptNowhere says that content is not written to a file; throwing it away is what we do as well.
func keptNowhere(r *Request, written, file string) {
	if file != "/dev/null" && !strings.EqualFold(file, "NUL") && file != "-" {
		r.change(written, "the content is read and counted, not kept")
	}
}
