package curlline

import (
	"errors"
	"path"
	"strings"
)

// Part is a part of a multipart form (RFC 7578).
type Part struct {
	Name     string
	Value    string   // the literal
	File     string   // read instead when not ""; "-" is stdin
	Filename string   // told to the server; "" tells none
	Type     string   // "" sends no Content-Type
	Headers  []Header // further fields of the part
	// Files makes the part a multipart/mixed of several files, as curl still sends -F a=@B,C; each
	// of them has no name of its own.
	Files []Part
}

// errNoPart does not repeat what was written: it may be the content.
var errNoPart = errors.New("want NAME=CONTENT")

// addForm reads NAME=CONTENT, NAME=@FILE[,FILE] (sent as a file) and NAME=<FILE (sent as a value),
// each with ;type= ;filename= ;headers= behind it; names with commas or semicolons are quoted.
func (r *Request) addForm(v string) error {
	name, content, ok := strings.Cut(v, "=")
	if !ok {
		return errNoPart
	}
	base := Part{Name: name}
	sign := ""
	if content != "" && (content[0] == '@' || content[0] == '<') {
		sign, content = content[:1], content[1:]
	}
	values, rest, err := formContent(content, sign == "@")
	if err != nil {
		return err
	}
	if err := r.partOptions(&base, rest); err != nil {
		return err
	}
	if len(values) == 1 {
		r.Form = append(r.Form, base.with(sign, values[0]))
		return nil
	}
	group := Part{Name: name, Headers: base.Headers}
	for _, value := range values {
		group.Files = append(group.Files, Part{Filename: base.Filename, Type: base.Type}.with(sign, value))
	}
	r.Form = append(r.Form, group)
	return nil
}

func (p Part) with(sign, value string) Part {
	switch sign {
	case "@":
		p.File = value
		if p.Filename == "" {
			p.Filename = baseName(value)
		}
		if p.Type == "" {
			p.Type = typeByName(p.Filename)
		}
	case "<":
		p.File = value
	default:
		p.Value = value
	}
	return p
}

func baseName(file string) string { return file[strings.LastIndexAny(file, `/\`)+1:] }

// typeByName is curl's short table; every other name is sent as bytes of no known type.
func typeByName(name string) string {
	types := map[string]string{
		".gif": "image/gif", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".png": "image/png", ".svg": "image/svg+xml",
		".txt": "text/plain", ".htm": "text/html", ".html": "text/html", ".pdf": "application/pdf", ".xml": "application/xml",
	}
	if t, ok := types[strings.ToLower(path.Ext(name))]; ok {
		return t
	}
	return "application/octet-stream"
}

// formContent returns the content, several for a list of files, and what stands behind it.
func formContent(s string, isList bool) (values []string, rest string, err error) {
	for {
		var value string
		value, s, err = formWord(s, isList)
		if err != nil {
			return nil, "", err
		}
		values = append(values, value)
		if !isList || !strings.HasPrefix(s, ",") {
			return values, s, nil
		}
		s = s[1:]
	}
}

// formWord reads up to a separator, or a quoted word with backslash escapes.
func formWord(s string, isList bool) (word, rest string, err error) {
	separators := ";"
	if isList {
		separators = ",;"
	}
	if strings.HasPrefix(s, `"`) {
		return quotedWord(s)
	}
	end := strings.IndexAny(s, separators)
	if end < 0 {
		end = len(s)
	}
	return s[:end], s[end:], nil
}

// mediaWord reads a media type, whose parameters have semicolons of their own: it ends where an
// option begins.
func mediaWord(s string) (word, rest string) {
	for i := range len(s) {
		if s[i] == ';' && knownPartOption(s[i+1:]) {
			return s[:i], s[i:]
		}
	}
	return s, ""
}

func quotedWord(s string) (word, rest string, err error) {
	var b strings.Builder
	for i := 1; i < len(s); i++ {
		switch {
		case s[i] == '"':
			return b.String(), s[i+1:], nil
		case s[i] == '\\' && i+1 < len(s) && (s[i+1] == '"' || s[i+1] == '\\'):
			i++
		}
		b.WriteByte(s[i])
	}
	return "", "", errors.New("a quote in the form is not closed")
}

func knownPartOption(s string) bool {
	s = strings.TrimLeft(s, " ")
	for _, name := range []string{"type=", "filename=", "headers=", "encoder="} {
		if strings.HasPrefix(s, name) {
			return true
		}
	}
	return false
}

// partOptions reads ;NAME=VALUE behind the content; what is none of them curl leaves out.
func (r *Request) partOptions(p *Part, s string) error {
	for {
		if s = strings.TrimLeft(s, "; "); s == "" {
			return nil
		}
		if !knownPartOption(s) {
			_, s, _ = strings.Cut(s, ";")
			r.change("-F with a semicolon", "what follows it is not sent, as curl does not; quote the content")
			continue
		}
		var err error
		if s, err = r.partOption(p, s); err != nil {
			return err
		}
	}
}

func (r *Request) partOption(p *Part, s string) (rest string, err error) {
	name, after, _ := strings.Cut(s, "=")
	if name == "type" {
		p.Type, rest = mediaWord(after)
		return rest, nil
	}
	value, rest, err := formWord(after, false)
	if err != nil {
		return "", err
	}
	switch name {
	case "filename":
		p.Filename = value
	case "headers":
		h, err := parseHeader(value)
		if err != nil {
			return "", err
		}
		p.Headers = append(p.Headers, h)
	case "encoder":
		r.refuse("-F encoder=", "parts are sent as they are")
	}
	return rest, nil
}

func (r *Request) addFormString(v string) error {
	name, content, ok := strings.Cut(v, "=")
	if !ok {
		return errNoPart
	}
	r.Form = append(r.Form, Part{Name: name, Value: content})
	return nil
}
