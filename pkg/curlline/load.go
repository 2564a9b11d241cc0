package curlline

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"mime"
	"slices"
	"strings"
)

// Content is the request as curl would send it, but for the User-Agent it gives itself and for what
// the transport adds: Host, Content-Length, Accept-Encoding.
type Content struct {
	URLs    []string // with what -G and --url-query add
	Method  string
	Headers []Header // in order, none of them to be removed
	Removed []string // fields the line wants unsent, whoever would add them
	Body    []byte
	HasBody bool // true with an empty Body for -d ''

	// NotHonoured and Changes add to the Request's what a file of headers brought.
	NotHonoured, Changes []Note
}

// Load reads the files r names through read, "-" for stdin, and puts the content together. Each
// name is read once. A nil read fails on the first file. Errors name the file.
func (r *Request) Load(read func(name string) ([]byte, error)) (Content, error) {
	l := &loader{request: r, read: read, cache: map[string][]byte{}}
	c := Content{Method: r.MethodOf(), HasBody: r.HasBody()}
	contentType, err := l.body(&c)
	if err != nil {
		return Content{}, err
	}
	if c.URLs, err = l.urls(); err != nil {
		return Content{}, err
	}
	fields, err := l.customHeaders()
	if err != nil {
		return Content{}, err
	}
	c.NotHonoured, c.Changes = fields.NotHonoured, fields.Changes
	c.setHeaders(r, fields.Headers, contentType)
	return c, nil
}

type loader struct {
	request *Request
	read    func(string) ([]byte, error)
	cache   map[string][]byte
}

func (l *loader) file(name string) ([]byte, error) {
	if content, ok := l.cache[name]; ok {
		return content, nil
	}
	if l.read == nil {
		return nil, fmt.Errorf("read %s: no files here", name)
	}
	content, err := l.read(name)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	l.cache[name] = content
	return content, nil
}

// body fills c and returns the Content-Type that belongs to it.
func (l *loader) body(c *Content) (contentType string, err error) {
	r := l.request
	switch {
	case r.Upload != "":
		name := r.Upload
		if name == "." {
			name = "-"
		}
		c.Body, err = l.file(name)
		return "", err
	case len(r.Form) > 0:
		return l.form(c)
	case !c.HasBody:
		return "", nil
	}
	c.Body, err = l.join(r.Data)
	if r.JSON {
		return "application/json", err
	}
	return "application/x-www-form-urlencoded", err
}

// join puts pieces together: an ampersand between them, but none before JSON.
func (l *loader) join(pieces []Data) ([]byte, error) {
	var b bytes.Buffer
	for i, piece := range pieces {
		content := []byte(piece.Value)
		if piece.File != "" {
			var err error
			if content, err = l.file(piece.File); err != nil {
				return nil, err
			}
		}
		if i > 0 && piece.Kind != DataJSON {
			b.WriteByte('&')
		}
		b.Write(piece.encode(content))
	}
	return b.Bytes(), nil
}

func (d Data) encode(content []byte) []byte {
	switch d.Kind {
	case DataText:
		if d.File != "" {
			return withoutBreaks(content)
		}
	case DataEncoded:
		encoded := percentEncode(content)
		if d.Name != "" {
			encoded = d.Name + "=" + encoded
		}
		return []byte(encoded)
	}
	return content
}

func withoutBreaks(content []byte) []byte {
	return slices.DeleteFunc(slices.Clone(content), func(c byte) bool { return c == '\r' || c == '\n' || c == 0 })
}

// percentEncode keeps the unreserved characters of RFC 3986 section 2.3 and writes a space as a
// plus sign, as forms do.
func percentEncode(content []byte) string {
	var b strings.Builder
	for _, c := range content {
		switch {
		case isLetter(c), c >= '0' && c <= '9', strings.IndexByte("-._~", c) >= 0:
			b.WriteByte(c)
		case c == ' ':
			b.WriteByte('+')
		default:
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}

func (l *loader) urls() ([]string, error) {
	r := l.request
	extra := slices.Clone(r.Query)
	if r.Get {
		extra = append(extra, r.Data...)
	}
	query, err := l.join(extra)
	if err != nil {
		return nil, err
	}
	urls := make([]string, len(r.URLs))
	for i, u := range r.URLs {
		if r.Upload != "" && r.Upload != "-" && r.Upload != "." && strings.HasSuffix(u, "/") && !strings.ContainsAny(u, "?#") {
			u += percentEncode([]byte(baseName(r.Upload)))
		}
		urls[i] = withQuery(u, string(query))
	}
	return urls, nil
}

func withQuery(u, query string) string {
	u, fragment, hasFragment := strings.Cut(u, "#")
	if query != "" {
		separator := "?"
		if strings.Contains(u, "?") {
			separator = "&"
		}
		u += separator + strings.ReplaceAll(query, " ", "%20")
	}
	if hasFragment {
		u += "#" + fragment
	}
	return u
}

// customHeaders returns a request that holds the line's fields and those of its files.
func (l *loader) customHeaders() (*Request, error) {
	all := &Request{Headers: slices.Clone(l.request.Headers)}
	for _, name := range l.request.HeaderFiles {
		content, err := l.file(name)
		if err != nil {
			return nil, err
		}
		for _, line := range strings.Split(string(content), "\n") {
			if line = strings.TrimRight(line, "\r"); line == "" {
				continue
			}
			if err := all.addField(line); err != nil {
				return nil, fmt.Errorf("read %s: %w", name, err)
			}
		}
	}
	return all, nil
}

// setHeaders puts curl's own fields before the custom ones; a custom field replaces them.
func (c *Content) setHeaders(r *Request, custom []Header, contentType string) {
	given := func(name string) (Header, bool) {
		i := slices.IndexFunc(custom, func(h Header) bool { return sameField(h.Name, name) })
		if i < 0 {
			return Header{}, false
		}
		return custom[i], true
	}
	for _, h := range r.ownHeaders() {
		if _, replaced := given(h.Name); !replaced {
			c.Headers = append(c.Headers, h)
		}
	}
	for _, h := range custom {
		if h.Remove {
			c.Removed = append(c.Removed, h.Name)
			continue
		}
		if sameField(h.Name, "Content-Type") && len(r.Form) > 0 && !hasBoundary(h.Value) {
			continue
		}
		c.Headers = append(c.Headers, h)
	}
	if h, replaced := given("Content-Type"); contentType != "" && (!replaced || len(r.Form) > 0 && !h.Remove && !hasBoundary(h.Value)) {
		c.Headers = append(c.Headers, Header{Name: "Content-Type", Value: contentType})
	}
	if r.HasUserAgent && r.UserAgent == "" {
		c.Removed = append(c.Removed, "User-Agent")
	}
}

// hasBoundary reports whether a Content-Type fits a body of the line's own; one without a boundary
// was copied from a form that no longer exists.
func hasBoundary(contentType string) bool {
	mediaType, params, err := mime.ParseMediaType(contentType)
	return err != nil || mediaType != "multipart/form-data" || params["boundary"] != ""
}

func (r *Request) ownHeaders() (own []Header) {
	add := func(name, value string) {
		if value != "" {
			own = append(own, Header{Name: name, Value: value})
		}
	}
	switch {
	case r.Bearer != "":
		add("Authorization", "Bearer "+r.Bearer)
	case r.HasUser && r.HasPassword && !r.OtherAuth:
		add("Authorization", "Basic "+base64.StdEncoding.EncodeToString([]byte(r.User+":"+r.Password)))
	}
	if r.Range != "" {
		add("Range", "bytes="+r.Range)
	}
	add("User-Agent", r.UserAgent)
	if r.JSON {
		add("Accept", "application/json")
	} else {
		add("Accept", "*/*")
	}
	add("Referer", r.Referer)
	add("Cookie", strings.Join(r.Cookies, "; "))
	return own
}
