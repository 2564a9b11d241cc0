package record

import (
	"strings"
	"unicode/utf8"
)

// SafeText returns free text - a header value, an error, a note - with the credentials it shows
// removed: the userinfo and secret-looking parameters of URLs in it, what follows Bearer or Basic,
// and words that are keys by their first letters (JWTs, ghp_..., AKIA...).
func SafeText(text string) string {
	if !mayHoldSecret(text) {
		return text
	}
	var out strings.Builder
	after := false // the word before announced a credential
	for len(text) > 0 {
		word, gap := text, ""
		if i := strings.IndexAny(text, " \t\r\n\"'<>"); i >= 0 {
			word, gap = text[:i], text[i:i+1]
		}
		out.WriteString(safeWord(word, after))
		out.WriteString(gap)
		text = text[len(word)+len(gap):]
		if word != "" {
			after = strings.EqualFold(word, "bearer") || strings.EqualFold(word, "basic")
		}
	}
	return out.String()
}

// mayHoldSecret is quick to say no: nearly every text holds none.
func mayHoldSecret(text string) bool {
	if strings.Contains(text, "://") || strings.Contains(text, "?") || hasFold(text, "bearer ") || hasFold(text, "basic ") {
		return true
	}
	for _, prefix := range keyPrefixes {
		if strings.Contains(text, prefix) {
			return true
		}
	}
	return false
}

func safeWord(w string, announced bool) string {
	switch {
	case announced && len(w) >= 8 || strings.HasPrefix(w, "eyJ") && strings.Contains(w, "."):
		return Removed
	case strings.Contains(w, "://"):
		return SafeURL(w)
	case strings.Contains(w, "?"):
		path, query, _ := strings.Cut(w, "?")
		return withoutKeys(path) + "?" + withoutKeys(safeNamed(query))
	}
	return withoutKeys(w)
}

// withoutKeys replaces keys among the parts of a word: "key=ghp_...", "(AKIA...)".
func withoutKeys(w string) string {
	var out strings.Builder
	for len(w) > 0 {
		part, gap := w, ""
		if i := strings.IndexAny(w, "/=:,;&?()[]{}|\\"); i >= 0 {
			part, gap = w[:i], w[i:i+1]
		}
		w = w[len(part)+len(gap):]
		if isKey(part) {
			part = Removed
		}
		out.WriteString(part)
		out.WriteString(gap)
	}
	return out.String()
}

// safeNamed is safeQuery by name alone: metrics are written as a query too, and their ids are long.
func safeNamed(q string) string {
	parts := strings.Split(q, "&")
	for i, p := range parts {
		if name, value, ok := strings.Cut(p, "="); ok && value != "" && SecretName(unescaped(name)) {
			parts[i] = name + "=" + Removed
		}
	}
	return strings.Join(parts, "&")
}

func hasFold(text, lower string) bool {
	return strings.Contains(strings.ToLower(text), lower)
}

// HoldsSecret tells whether a text that somebody wrote to be sent - request content, a header value -
// shows a secret: what [SafeText] would remove, a name that announces one before its value (JSON, forms,
// XML, multipart; percent-encoded ones too), or a value that looks like one. It rather sees a secret too
// many. Text that is not UTF-8 cannot be judged and counts as one.
func HoldsSecret(text string) bool {
	if !utf8.ValidString(text) {
		return true
	}
	return showsSecret(text) || showsSecret(unescaped(text))
}

func showsSecret(text string) bool {
	if SafeText(text) != text {
		return true
	}
	for from := 0; from < len(text); {
		n := 0
		for from+n < len(text) && nameByte(text[from+n]) {
			n++
		}
		if n == 0 {
			from++
			continue
		}
		word := text[from : from+n]
		from += n
		if secretValue(word) || announces(text[:from-n], text[from:]) && SecretName(word) {
			return true
		}
	}
	return false
}

func nameByte(c byte) bool { return isLetter(c) || isDigit(c) || c == '_' || c == '-' || c == '+' }

// announces tells whether a word between before and after stands where a name does: "name":, name=,
// <name>, [name]=, name="name". The last word of a quoted sentence is none.
func announces(before, after string) bool {
	after = strings.TrimLeft(after, " \t\\")
	switch {
	case after == "":
		return false
	case strings.IndexByte("=:>]", after[0]) >= 0:
		return true
	case after[0] != '"' && after[0] != '\'':
		return false
	case before != "" && before[len(before)-1] != ' ':
		return true
	}
	rest := strings.TrimLeft(after[1:], " \t")
	return rest != "" && (rest[0] == ':' || rest[0] == '=')
}
