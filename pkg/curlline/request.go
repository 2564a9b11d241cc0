package curlline

import (
	"net/http"
	"time"
)

// Request is what a line asks for. Strings are as written; files are named, not read.
type Request struct {
	URLs    []string // with scheme, globs expanded, without credentials; one at least
	Method  string   // what -X says; "" leaves it to MethodOf
	Head    bool     // -I
	Get     bool     // -G: data goes into the query
	Headers []Header // -H, in order
	// HeaderFiles are those of -H @FILE, "-" for stdin; Load reads them.
	HeaderFiles []string

	Data   []Data // -d and its relatives, in order
	Query  []Data // --url-query
	JSON   bool   // --json
	Form   []Part // -F, in order
	Upload string // -T: the file; "-" or "." for stdin

	User, Password string // -u, or the URL's
	HasUser        bool
	HasPassword    bool
	OtherAuth      bool   // another scheme than Basic is asked for: User and Password are not sent
	Bearer         string // --oauth2-bearer
	Cookies        []string
	UserAgent      string
	HasUserAgent   bool // -A was given, if only as ""
	Referer        string
	Range          string // -r, without its unit

	Compressed bool
	Insecure   bool
	Location   bool
	MaxRedirs  int // -1 is no limit; 50 unless said
	PathAsIs   bool

	Proxy         string // as ParseProxy of package tunnel reads it, credentials included; "" for none
	ProxyHeaders  []Header
	ProxyInsecure bool
	ProxyCACert   string
	NoProxy       string
	Resolver      string   // as ParseSpec of package resolver reads it; "" for the system's
	Resolve       []string // HOST:PORT:ADDR[,ADDR]...
	ConnectTo     []string // HOST1:PORT1:HOST2:PORT2

	HTTPVersion    string // "1.1", "2", "3"; "" for what is agreed
	TLSMin, TLSMax string // "1.2" and so on; "" for no wish
	Family         int    // 4, 6 or 0
	MaxTime        time.Duration
	ConnectTimeout time.Duration
	CACert         string
	Cert           string
	Key            string
	KeyPassword    string

	NotHonoured []Note
	Changes     []Note
}

// Header is one field. Remove asks that a field that would be sent by itself is not.
type Header struct {
	Name, Value string
	Remove      bool
}

// Note is a remark on something written in the line.
type Note struct {
	What string // as written, "--limit-rate"; never a value that may be secret
	Why  string
}

func (r *Request) change(what, why string) { r.Changes = appendNote(r.Changes, what, why) }

func (r *Request) refuse(what, why string) { r.NotHonoured = appendNote(r.NotHonoured, what, why) }

// appendNote says a thing once, however often it was written.
func appendNote(notes []Note, what, why string) []Note {
	for _, n := range notes {
		if n.What == what && n.Why == why {
			return notes
		}
	}
	return append(notes, Note{What: what, Why: why})
}

// MethodOf returns the method the request is sent with, as curl chooses it.
func (r *Request) MethodOf() string {
	switch {
	case r.Method != "":
		return r.Method
	case r.Head:
		return http.MethodHead
	case r.Upload != "":
		return http.MethodPut
	case r.HasBody():
		return http.MethodPost
	}
	return http.MethodGet
}

// HasBody reports whether the request has content, if only an empty one.
func (r *Request) HasBody() bool {
	return r.Upload != "" || len(r.Form) > 0 || len(r.Data) > 0 && !r.Get
}
