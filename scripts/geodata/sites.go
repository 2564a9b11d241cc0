package main

import (
	"fmt"
	"io"
	"strings"
)

type site struct {
	scheme, code, country, name string
	at                          position
	radius                      int
}

// buildSites resolves the anchors of the sites by hand and adds Cloudflare's
// data centres, at their airport where there is one.
func buildSites(s *sources, ports map[string]port, cities []city, log io.Writer) ([]site, error) {
	var out []site
	for _, r := range s.sites {
		st, err := anchor(r[2], ports, cities)
		if err != nil {
			return nil, fmt.Errorf("input/sites.tsv: %s %s: %w", r[0], r[1], err)
		}
		st.scheme = r[0]
		st.radius = int(number(r[3]))
		if r[4] != "" {
			st.name = r[4]
		}
		for _, code := range strings.Split(r[1], ",") {
			st.code = code
			s.check(st, ports, log)
			out = append(out, st)
		}
	}
	return append(out, s.coloSites(ports, log)...), nil
}

func (s *sources) coloSites(ports map[string]port, log io.Writer) []site {
	var out []site
	for _, c := range s.colos {
		st := site{scheme: "cloudflare", code: c.code, country: c.country, name: c.name, at: c.at, radius: airportRadius}
		p, ok := ports[c.code]
		switch {
		case ok:
			st.at, st.radius = p.at, p.radius
		case !c.placed:
			fmt.Fprintf(log, "%s (%s): no position in any source; a row by hand has to give it\n", c.code, c.name)
			continue
		}
		out = append(out, st)
	}
	return out
}

// anchor returns the place a row by hand refers to.
func anchor(text string, ports map[string]port, cities []city) (site, error) {
	kind, what, _ := strings.Cut(text, ":")
	switch kind {
	case "iata":
		if p, ok := ports[what]; ok {
			return site{at: p.at, country: p.country, name: p.city}, nil
		}
	case "city":
		for _, c := range cities {
			if c.key() == what {
				return site{at: c.at, country: c.country, name: c.shown}, nil
			}
		}
	case "at":
		if f := strings.Split(what, ","); len(f) == 3 {
			return site{at: position{number(f[0]), number(f[1])}, country: f[2]}, nil
		}
	}
	return site{}, fmt.Errorf("unknown anchor %q", text)
}

// check reports a region that the list of cloud regions puts outside its
// radius, and a metro code that is also an airport somewhere else.
func (s *sources) check(st site, ports map[string]port, log io.Writer) {
	if p, ok := s.regions[st.code]; ok && st.scheme != "railway" && apart(st.at, p) > float64(st.radius) {
		fmt.Fprintf(log, "%s %s (%s): the list of cloud regions is %.0f km off; radius %d\n", st.scheme, st.code, st.name, apart(st.at, p), st.radius)
	}
	if p, ok := ports[st.code]; ok && apart(st.at, p.at) > disagreement {
		fmt.Fprintf(log, "%s %s (%s): %.0f km from the airport %s (%s)\n", st.scheme, st.code, st.name, apart(st.at, p.at), st.code, p.city)
	}
}
