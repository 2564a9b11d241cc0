package record

import "slices"

// Clone returns a copy of x that shares no memory with it, but for strings.
func (x *Exchange) Clone() Exchange {
	c := *x
	c.DNS = cloned(x.DNS)
	if c.DNS != nil {
		c.DNS.CNAME = slices.Clone(x.DNS.CNAME)
		c.DNS.Addrs = slices.Clone(x.DNS.Addrs)
	}
	c.Attempts = slices.Clone(x.Attempts)
	c.TLS, c.ProxyTLS = x.TLS.clone(), x.ProxyTLS.clone()
	c.TCP, c.QUIC = cloned(x.TCP), cloned(x.QUIC)
	c.Interim = slices.Clone(x.Interim)
	c.Stream, c.Throttle, c.Error = cloned(x.Stream), cloned(x.Throttle), cloned(x.Error)
	c.Headers, c.Trailers = x.Headers.Clone(), x.Trailers.Clone()
	c.Notes = slices.Clone(x.Notes)
	return c
}

// Clone returns a copy of f that shares no memory with it; nil stays nil.
func (f Fields) Clone() Fields {
	if f == nil {
		return nil
	}
	c := make(Fields, len(f))
	for name, values := range f {
		c[name] = slices.Clone(values)
	}
	return c
}

// Clone returns a copy of r that shares no memory with it, but for strings.
func (r *Run) Clone() Run {
	c := *r
	c.Prewarm = cloned(r.Prewarm)
	c.Plan = slices.Clone(r.Plan)
	c.Routes = slices.Clone(r.Routes)
	c.Notes = slices.Clone(r.Notes)
	return c
}

// Clone returns a copy of e that shares no memory with it, but for strings.
func (e *End) Clone() End {
	c := *e
	c.Arms, c.Pauses, c.Notes = slices.Clone(e.Arms), slices.Clone(e.Pauses), slices.Clone(e.Notes)
	return c
}

func (t *TLS) clone() *TLS {
	c := cloned(t)
	if c != nil {
		c.Names = slices.Clone(t.Names)
	}
	return c
}

func cloned[T any](p *T) *T {
	if p == nil {
		return nil
	}
	c := *p
	return &c
}
