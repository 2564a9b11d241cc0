package curlline

import (
	"bytes"
	"mime/multipart"
	"net/textproto"
	"strings"
)

// form writes the parts of -F and returns the Content-Type that names their boundary.
func (l *loader) form(c *Content) (contentType string, err error) {
	body, boundary, err := l.multipart(l.request.Form, "form-data")
	c.Body = body
	return "multipart/form-data; boundary=" + boundary, err
}

// multipart writes parts between boundaries of curl's shape, 24 dashes and 16 random hex digits.
func (l *loader) multipart(parts []Part, disposition string) (body []byte, boundary string, err error) {
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	boundary = strings.Repeat("-", 24) + w.Boundary()[:16]
	if err := w.SetBoundary(boundary); err != nil {
		return nil, "", err
	}
	for _, part := range parts {
		content, err := l.partContent(&part)
		if err != nil {
			return nil, "", err
		}
		to, err := w.CreatePart(part.header(disposition))
		if err != nil {
			return nil, "", err
		}
		if _, err := to.Write(content); err != nil {
			return nil, "", err
		}
	}
	err = w.Close()
	return b.Bytes(), boundary, err
}

func (l *loader) partContent(p *Part) ([]byte, error) {
	switch {
	case len(p.Files) > 0:
		body, boundary, err := l.multipart(p.Files, "attachment")
		p.Type = "multipart/mixed; boundary=" + boundary
		return body, err
	case p.File != "":
		return l.file(p.File)
	}
	return []byte(p.Value), nil
}

func (p Part) header(disposition string) textproto.MIMEHeader {
	if p.Name != "" || disposition == "form-data" {
		disposition += `; name="` + escapeQuotes(p.Name) + `"`
	}
	if p.Filename != "" {
		disposition += `; filename="` + escapeQuotes(p.Filename) + `"`
	}
	h := textproto.MIMEHeader{"Content-Disposition": {disposition}}
	if p.Type != "" {
		h.Set("Content-Type", p.Type)
	}
	for _, extra := range p.Headers {
		h.Add(extra.Name, extra.Value)
	}
	return h
}

// escapeQuotes writes what would end the parameter as browsers do (WHATWG HTML, multipart/form-data
// encoding algorithm).
func escapeQuotes(s string) string {
	return strings.NewReplacer(`"`, "%22", "\r", "%0D", "\n", "%0A").Replace(s)
}
