package curlline

import (
	"errors"
	"fmt"
	"strings"
)

// DataKind says what curl makes of a piece of data.
type DataKind int

// The kinds.
const (
	DataText    DataKind = iota // -d: of a file, line breaks and NUL bytes go
	DataRaw                     // --data-raw: as it is, @ included
	DataBinary                  // --data-binary: as it is, of a file too
	DataEncoded                 // --data-urlencode: percent-encoded
	DataJSON                    // --json: as binary, and joined without an ampersand
)

// Data is a piece of a body or a query.
type Data struct {
	Kind  DataKind
	Name  string // of DataEncoded: stands before the value, with an equals sign
	Value string // the literal
	File  string // read instead when not ""; "-" is stdin
}

func addData(kind DataKind) func(*parser, string) error {
	return func(p *parser, v string) error {
		p.request.Data = append(p.request.Data, newData(kind, v))
		return nil
	}
}

func newData(kind DataKind, v string) Data {
	if kind == DataEncoded {
		return encodedData(v)
	}
	if file, ok := strings.CutPrefix(v, "@"); ok && kind != DataRaw {
		return Data{Kind: kind, File: file}
	}
	return Data{Kind: kind, Value: v}
}

// encodedData reads the five forms: CONTENT, =CONTENT, NAME=CONTENT, @FILE, NAME@FILE.
func encodedData(v string) Data {
	at := strings.IndexAny(v, "=@")
	if at < 0 {
		return Data{Kind: DataEncoded, Value: v}
	}
	if v[at] == '@' {
		return Data{Kind: DataEncoded, Name: v[:at], File: v[at+1:]}
	}
	return Data{Kind: DataEncoded, Name: v[:at], Value: v[at+1:]}
}

func addJSON(p *parser, v string) error {
	p.request.JSON = true
	p.request.Data = append(p.request.Data, newData(DataJSON, v))
	return nil
}

// addQuery takes --url-query: data as for --data-urlencode, or as it is behind a plus sign.
func addQuery(p *parser, v string) error {
	if plain, ok := strings.CutPrefix(v, "+"); ok {
		p.request.Query = append(p.request.Query, Data{Kind: DataRaw, Value: plain})
		return nil
	}
	p.request.Query = append(p.request.Query, encodedData(v))
	return nil
}

// addHeader reads NAME: VALUE, NAME: (send none), NAME; (send it empty) and @FILE.
func (r *Request) addHeader(v string) error {
	if file, ok := strings.CutPrefix(v, "@"); ok {
		r.HeaderFiles = append(r.HeaderFiles, file)
		return nil
	}
	return r.addField(v)
}

func (r *Request) addField(v string) error {
	h, err := parseHeader(v)
	if err != nil {
		r.change("-H without a colon", "is not sent, as curl does not")
		return nil
	}
	if strings.ContainsAny(h.Value, "\r\n\x00") {
		return fmt.Errorf("the value of %q has a line break", abridged(h.Name))
	}
	if r.ownField(h) {
		return nil
	}
	r.Headers = append(r.Headers, h)
	return nil
}

var errNoHeader = errors.New("want NAME: VALUE")

// parseHeader needs a name that is a token (RFC 9110 section 5.6.2), or HTTP/2's, which begins with
// a colon.
func parseHeader(v string) (Header, error) {
	start := 0
	if strings.HasPrefix(v, ":") {
		start = 1
	}
	at := strings.IndexAny(v[start:], ":;")
	if at < 0 {
		return Header{}, errNoHeader
	}
	at += start
	name, rest := strings.TrimSpace(v[:at]), strings.TrimSpace(v[at+1:])
	if !isToken(name[min(start, len(name)):]) {
		return Header{}, errNoHeader
	}
	if v[at] == ';' {
		if rest != "" {
			return Header{}, errNoHeader
		}
		return Header{Name: name}, nil
	}
	return Header{Name: name, Value: rest, Remove: rest == ""}, nil
}

// ownField takes care of fields that a request of ours computes, or that change what is measured.
func (r *Request) ownField(h Header) (taken bool) {
	if h.Remove {
		return false
	}
	switch strings.ToLower(h.Name) {
	case "content-length":
		r.change("-H Content-Length", "is computed from the content")
		return true
	case "transfer-encoding":
		r.refuse("-H Transfer-Encoding", "content is sent with its length")
		return true
	case "connection", "proxy-connection", "keep-alive":
		r.change("-H "+h.Name, "every request has a connection of its own, closed after it")
		return true
	case "if-none-match", "if-modified-since":
		r.change("-H "+h.Name, "may bring a 304 without content; leave it out to time the content")
	}
	if strings.HasPrefix(h.Name, ":") {
		r.change("-H "+h.Name, "is HTTP/2's own and made from the URL and the method")
		return true
	}
	return false
}

// isToken follows RFC 9110 section 5.6.2.
func isToken(s string) bool {
	for _, c := range []byte(s) {
		if c <= ' ' || c > '~' || strings.IndexByte(`()<>@,;:\"/[]?={}`, c) >= 0 {
			return false
		}
	}
	return s != ""
}

func addProxyHeader(p *parser, v string) error {
	if strings.HasPrefix(v, "@") {
		p.request.refuse("--proxy-header @FILE", "write the header itself")
		return nil
	}
	h, err := parseHeader(v)
	if err != nil {
		return err
	}
	p.request.ProxyHeaders = append(p.request.ProxyHeaders, h)
	return nil
}

func sameField(a, b string) bool { return strings.EqualFold(a, b) }
