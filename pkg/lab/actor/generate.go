package actor

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

// generate answers a prompt that holds its lane.
func (m *Machine) generate(w http.ResponseWriter, r *http.Request, p prompt) {
	pace := m.pace()
	if !p.stream {
		m.plain(w, r, p, pace)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
	s := &stream{ctx: r.Context(), w: w, flush: http.NewResponseController(w).Flush, start: time.Now()}
	s.send(p.api.begin()...)
	s.wait(pace.first, m.Alive, p.api.alive())
	if !m.text(s, p, pace) {
		return
	}
	s.send(p.api.end()...)
}

func (m *Machine) pace() pace {
	whole := m.Generates.Draw()
	return pace{
		first: time.Duration(m.FirstText * float64(whole)),
		whole: whole,
		count: orDefault(m.Pieces, defaultPieces),
	}
}

func (m *Machine) plain(w http.ResponseWriter, r *http.Request, p prompt, pace pace) {
	if work(r.Context(), pace.whole) != nil {
		return
	}
	text := &strings.Builder{}
	for i := range pace.count {
		text.WriteString(word(i))
	}
	writeContent(w, http.StatusOK, "application/json", marshal(p.api.whole(text.String())))
}

// text sends the pieces and reports whether the stream is to be ended properly.
func (m *Machine) text(s *stream, p prompt, pace pace) (whole bool) {
	late := time.Duration(0)
	for i := range pace.count {
		s.wait(pace.at(i)+late, 0, "")
		s.send(p.api.piece(word(i)))
		if m.Stall.After != i+1 {
			continue
		}
		late = m.Stall.For
		if m.Stall.Cut {
			s.wait(pace.at(i)+late, 0, "")
			return false
		}
	}
	return s.err == nil
}

// word makes the pieces of a text that says nothing.
func word(i int) string { return fmt.Sprintf(" word %d,", i+1) }

// stream writes events as they come due; after an error it does nothing more.
type stream struct {
	ctx   context.Context
	w     io.Writer
	flush func() error
	start time.Time
	err   error
}

func (s *stream) send(events ...event) {
	var text strings.Builder
	for _, e := range events {
		text.WriteString(e.text())
	}
	s.write(text.String())
}

func (s *stream) write(text string) {
	if s.err != nil {
		return
	}
	if _, s.err = io.WriteString(s.w, text); s.err == nil {
		s.err = s.flush()
	}
}

// wait lets the time pass until due, from the stream's start, and writes alive every
// interval meanwhile.
func (s *stream) wait(due, interval time.Duration, alive string) {
	for s.err == nil {
		left := due - time.Since(s.start)
		if interval <= 0 || left <= interval {
			s.err = work(s.ctx, left)
			return
		}
		if s.err = work(s.ctx, interval); s.err == nil {
			s.write(alive)
		}
	}
}
