package record

import (
	"maps"
	"net/netip"
	"slices"
	"strings"
)

// Text returns s with every address, and every host and city known, replaced.
func (r *Redactor) Text(s string) string {
	if s == "" {
		return s
	}
	s = r.phrases(s)
	var out strings.Builder
	for len(s) > 0 {
		n := wordLength(s)
		if n > 0 {
			out.WriteString(r.word(s[:n]))
			s = s[n:]
			continue
		}
		out.WriteByte(s[0])
		s = s[1:]
	}
	return out.String()
}

// wordLength is the length of the run at the start of s that may hold an address or a name.
func wordLength(s string) int {
	for i := range len(s) {
		if c := s[i]; !isLetter(c) && !isDigit(c) && c != '.' && c != '-' && c != ':' && c != '_' && c < 0x80 {
			return i
		}
	}
	return len(s)
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
func isDigit(c byte) bool  { return c >= '0' && c <= '9' }

// word replaces within one run, whose punctuation at either end belongs to the sentence.
func (r *Redactor) word(w string) string {
	core := strings.Trim(w, ".-_")
	if !strings.HasPrefix(core, "::") {
		core = strings.TrimLeft(core, ":.-_")
	}
	if !strings.HasSuffix(core, "::") {
		core = strings.TrimRight(core, ":.-_")
	}
	if core == "" {
		return w
	}
	at := strings.Index(w, core)
	return w[:at] + r.core(core) + w[at+len(core):]
}

func (r *Redactor) core(w string) string {
	if addr, err := netip.ParseAddr(w); err == nil {
		return r.addr(addr, w)
	}
	host, port := w, ""
	if i := strings.LastIndexByte(w, ':'); i >= 0 && isPort(w[i+1:]) {
		host, port = w[:i], w[i:]
	}
	if addr, err := netip.ParseAddr(host); err == nil {
		return r.addr(addr, host) + port
	}
	if alias, ok := r.hostAlias(strings.ToLower(host)); ok {
		return alias + port
	}
	return r.letters(w)
}

func isPort(s string) bool {
	if s == "" || len(s) > 5 {
		return false
	}
	return strings.Trim(s, "0123456789") == ""
}

func (r *Redactor) addr(a netip.Addr, as string) string {
	if a.IsLoopback() || a.IsUnspecified() {
		return as
	}
	return r.addrs.of("addr", a.Unmap().WithZone("").String())
}

// hostAlias knows a host that was learnt, or one of the same family: its last two labels are those
// of a host that was learnt.
func (r *Redactor) hostAlias(host string) (string, bool) {
	if alias, ok := r.hosts.names[host]; ok {
		return alias, true
	}
	family := lastLabels(host)
	if family == "" {
		return "", false
	}
	for known := range r.hosts.names {
		if lastLabels(known) == family {
			return r.hosts.of("host", host), true
		}
	}
	return "", false
}

// lastLabels returns the last two labels of a name that has as many.
func lastLabels(host string) string {
	last := strings.LastIndexByte(host, '.')
	if last <= 0 {
		return ""
	}
	return host[strings.LastIndexByte(host[:last], '.')+1:]
}

// letters replaces cities among the runs of letters of a word: "cache-lga21974-LGA" holds two.
func (r *Redactor) letters(w string) string {
	if len(r.cities.names) == 0 {
		return w
	}
	var out strings.Builder
	for len(w) > 0 {
		n := 0
		for n < len(w) && (isLetter(w[n]) || w[n] >= 0x80) {
			n++
		}
		if n == 0 {
			out.WriteByte(w[0])
			w = w[1:]
			continue
		}
		run := w[:n]
		if alias, ok := r.cities.names[strings.ToLower(run)]; ok {
			run = alias
		}
		out.WriteString(run)
		w = w[n:]
	}
	return out.String()
}

// phrases replaces cities that are more than one run of letters, the longest first.
func (r *Redactor) phrases(s string) string {
	for _, city := range r.longCities() {
		for from := 0; ; {
			i := strings.Index(strings.ToLower(s[from:]), city)
			if i < 0 || len(strings.ToLower(s)) != len(s) {
				break
			}
			i += from
			alias := r.cities.names[city]
			s = s[:i] + alias + s[i+len(city):]
			from = i + len(alias)
		}
	}
	return s
}

func (r *Redactor) longCities() []string {
	var long []string
	for city := range r.cities.names {
		if strings.ContainsFunc(city, func(c rune) bool { return c < 0x80 && !isLetter(byte(c)) }) {
			long = append(long, city)
		}
	}
	slices.SortFunc(long, func(a, b string) int {
		if len(a) != len(b) {
			return len(b) - len(a)
		}
		return strings.Compare(a, b)
	})
	return long
}

// fieldNames returns the names in order, so that aliases are numbered alike each time.
func fieldNames(f Fields) []string { return slices.Sorted(maps.Keys(f)) }
