package main

import (
	"errors"
	"io"

	"github.com/coldsplit/coldsplit/pkg/geo"
	"github.com/coldsplit/coldsplit/pkg/reading"
	"github.com/coldsplit/coldsplit/pkg/record"
)

// private makes the streams of a command replace addresses, host names and cities by aliases wherever
// a run is read for an output. One output has one set of aliases, in every format.
func (o *outputFlags) private(s streams) streams {
	if o.redact {
		s.redactor = &record.Redactor{}
	}
	return s
}

// learn teaches the redactor the names of what is about to be measured, so that what is told on the way
// names nobody either. Reading the run later numbers them alike.
func (s streams) learn(arms []arm) {
	if s.redactor == nil {
		return
	}
	var run record.Run
	for _, a := range arms {
		run.Routes = append(run.Routes, a.route)
	}
	s.redactor.Run(&run)
}

// hiding is w, with every text written to it aliased.
func (s streams) hiding(w io.Writer) io.Writer {
	if s.redactor == nil {
		return w
	}
	return hidingWriter{w, s.redactor}
}

type hidingWriter struct {
	w   io.Writer
	red *record.Redactor
}

func (h hidingWriter) Write(text []byte) (int, error) {
	if _, err := io.WriteString(h.w, h.red.Text(string(text))); err != nil {
		return 0, err
	}
	return len(text), nil
}

// aliased is text with what the redactor knows replaced; as it is without --redact.
func (s streams) aliased(text string) string {
	if s.redactor == nil {
		return text
	}
	return s.redactor.Text(text)
}

// readRedacted reads a run as it would be told to strangers. Places are read from the true headers and
// renamed afterwards: their distances stay what they are.
func readRedacted(r *record.Reader, opt reading.Options, red *record.Redactor) (*reading.Set, error) {
	run := *r.Run()
	hidden := red.Run(&run)
	hidden.Vantage.Lat, hidden.Vantage.Lon, hidden.Vantage.Located = run.Vantage.Lat, run.Vantage.Lon, run.Vantage.Located
	b := reading.NewBuilder(hidden, opt)
	var ex record.Exchange
	for {
		err := r.Next(&ex)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		private := red.Exchange(&ex)
		if err := b.Add(&private); err != nil {
			return nil, err
		}
	}
	end, complete := r.End()
	set := b.Finish(red.End(&end), complete)
	for _, d := range r.Doubts() {
		set.Warnings = append(set.Warnings, red.Text(d))
	}
	hidePlaces(set, red)
	return set, nil
}

func hidePlaces(set *reading.Set, red *record.Redactor) {
	set.Run.Vantage.Lat, set.Run.Vantage.Lon, set.Run.Vantage.Located = 0, 0, false
	for _, a := range set.Arms {
		for i := range a.Places {
			hidePlace(&a.Places[i], red)
		}
		for i := range a.Findings {
			hidePlace(&a.Findings[i].Site, red)
			hidePlace(&a.Findings[i].Near, red)
		}
	}
}

// hidePlace keeps that a place is known, not which it is.
func hidePlace(p *reading.Place, red *record.Redactor) {
	name := p.Site
	if p.At.Name != "" {
		name = p.At.Name
	}
	alias := red.City(name)
	if p.Site != "" {
		p.Site = alias
	}
	if p.Known {
		p.At = geo.Place{Name: alias, RadiusKM: p.At.RadiusKM}
	}
}
