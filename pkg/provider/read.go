package provider

import (
	"slices"
	"strings"
	"time"

	"github.com/coldsplit/coldsplit/pkg/servertiming"
)

// Read interprets a response's headers and trailers as m says: its places
// replace the providers' places of the same role, and with any timing in it
// the providers' timing rules are off. This project's own names (pre_forward,
// upstream, origin) still speak for the keys that m leaves out. Arguments are
// as for the function Read.
func (m Mapping) Read(headers, trailers map[string][]string) Reading {
	d := draft{}
	d.facts.gather(headers, trailers, &d.reading)
	d.arrange()
	d.readAge()
	d.mapped = m.roles()
	for rank := range d.order {
		times := len(m.timings) == 0 || d.order[rank].layer == LayerNamed
		d.apply(rank, times)
	}
	m.addTimings(&d)
	m.replacePlaces(&d)
	d.warnUnread()
	d.finish()
	return d.reading
}

// arrange puts the recognised providers in order, the outermost first.
func (d *draft) arrange() {
	d.order = append(d.roomFor.order[:0], d.facts.book.canonical)
	for f := range d.facts.recognised() {
		d.order = append(d.order, f)
	}
	if i := answering(&d.facts, d.order); i >= 0 {
		front := d.order[i]
		copy(d.order[2:], d.order[1:i])
		d.order[1] = front
	}
}

// answering finds the edge that answered the client: the one Server names,
// else the one of the last Via hop (RFC 9110 section 7.6.3). -1 leaves the
// order of the list, which puts those that usually stand outermost first.
func answering(f *facts, order []*family) int {
	server := strings.ToLower(last(f.values("server")))
	i := slices.IndexFunc(order, func(fam *family) bool {
		return fam.layer == LayerEdge && fam.server != "" && strings.HasPrefix(server, fam.server)
	})
	if i >= 0 {
		return i
	}
	hop := strings.ToLower(lastHop(f.values("via")))
	return slices.IndexFunc(order, func(fam *family) bool {
		return fam.layer == LayerEdge && fam.via != "" && strings.Contains(hop, fam.via)
	})
}

func last(values []string) string {
	if len(values) == 0 {
		return ""
	}
	return values[len(values)-1]
}

func lastHop(values []string) string {
	via := last(values)
	return strings.TrimSpace(via[strings.LastIndexByte(via, ',')+1:])
}

// readAge reads Age (RFC 9111 section 5.1): whole seconds, not negative.
func (d *draft) readAge() {
	age := strings.TrimSpace(last(d.facts.values("age")))
	if age == "" {
		return
	}
	n, rest, ok := servertiming.ParseNumber(age)
	if !ok || rest != "" || n.Negative() || n.Decimals() > 0 {
		d.reading.warn("age", "not a number of seconds")
		return
	}
	d.reading.Cache.Age, _ = n.Duration(time.Second)
	d.reading.Cache.Aged = true
}

// warnUnread says which headers with a rule were too large to be read.
func (d *draft) warnUnread() {
	if !d.facts.large {
		return
	}
	for _, name := range d.facts.book.headers {
		if name != "server-timing" {
			d.facts.warnUnread(name, &d.reading)
		}
	}
}
