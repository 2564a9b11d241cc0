package record

import (
	"io"
	"iter"
	"runtime"
	"sync"
)

// blockLines is how many lines are decoded at a time: enough that handing them over costs nothing
// beside decoding, few enough that a pool of blocks stays near two megabytes on two cores.
const blockLines = 64

// blockBytes ends a block of long lines early.
const blockBytes = 256 << 10

// All returns the exchanges that are left in the order of the file, as [Reader.Next] does, but
// decodes them ahead on every core. An exchange and what it points to hold until the next one is
// asked for and must not be changed. The last pair may be a nil exchange with the error that Next
// would return; io.EOF is none. Whoever leaves early may only call Close and Run afterwards.
func (r *Reader) All() iter.Seq2[*Exchange, error] {
	return func(yield func(*Exchange, error) bool) {
		err := r.Each(nil, func(x *Exchange, _ any) error {
			if !yield(x, nil) {
				return errLeft
			}
			return nil
		})
		if err != nil && err != errLeft {
			yield(nil, err)
		}
	}
}

// Each calls take for the exchanges that are left, as All returns them, on the caller's goroutine. What
// can be told of an exchange by itself is worked out ahead as well: prepare is called once for every
// goroutine that decodes, and what it returns is called there with each exchange; take is given the
// result. prepare may be nil. An error of take ends the reading and is returned.
func (r *Reader) Each(prepare func() func(*Exchange) any, take func(x *Exchange, prepared any) error) error {
	if r.err == nil {
		if err := r.ahead(prepare, take); err != nil {
			return err
		}
	}
	if r.err == io.EOF {
		return nil
	}
	return r.err
}

// ahead owns the goroutines that cut and decode, and takes their lines in order. The error is take's.
func (r *Reader) ahead(prepare func() func(*Exchange) any, take func(*Exchange, any) error) error {
	p := newPipeline(r.lines, r.opts.Skip, prepare, runtime.GOMAXPROCS(0))
	defer p.close()
	for b := range p.order {
		<-b.decoded
		r.taken, r.upTo = b.taken, b.lines[len(b.lines)-1].line.number
		for i := range b.lines {
			s := &b.lines[i]
			var got bool
			if got, r.err = r.accept(&s.line, &s.x); r.err != nil {
				return nil
			}
			if !got {
				continue
			}
			if err := take(&s.x, s.prepared); err != nil {
				r.err = errLeft
				return err
			}
		}
		p.free <- b
	}
	return nil
}

// pipeline cuts lines into blocks on one goroutine and decodes them on others. Its blocks are all the
// memory it uses.
type pipeline struct {
	lines *Lines
	free  chan *block // emptied
	work  chan *block // to decode
	order chan *block // the same blocks, in the order of the file
	stop  chan struct{}
	all   sync.WaitGroup
}

// block is lines that follow each other. The slots behind len(lines) keep their memory.
type block struct {
	text    []byte
	lines   []slot
	taken   int64         // bytes of the file up to its end
	decoded chan struct{} // receives once every line is decoded
}

// slot is a line, the exchange it may hold, and the memory that exchange keeps from block to block.
type slot struct {
	line     line
	x        Exchange
	mem      *memory
	prepared any
}

func newPipeline(lines *Lines, skip Parts, prepare func() func(*Exchange) any, workers int) *pipeline {
	blocks := 2*workers + 2
	p := &pipeline{
		lines: lines, stop: make(chan struct{}),
		free: make(chan *block, blocks), work: make(chan *block, blocks), order: make(chan *block, blocks),
	}
	for range blocks {
		p.free <- &block{lines: make([]slot, 0, blockLines), decoded: make(chan struct{}, 1)}
	}
	p.all.Go(p.cut)
	for range workers {
		p.all.Go(func() { p.decode(skip, prepare) })
	}
	return p
}

// close ends the goroutines and waits for them, so that nobody reads the file any more.
func (p *pipeline) close() {
	close(p.stop)
	p.all.Wait()
}

// cut fills blocks until the lines end or nobody wants them any more. No send can block: each channel
// has room for every block.
func (p *pipeline) cut() {
	defer close(p.order)
	defer close(p.work)
	for {
		select {
		case <-p.stop:
			return
		case b := <-p.free:
			more := b.fill(p.lines)
			b.taken = p.lines.taken()
			p.work <- b
			p.order <- b
			if !more {
				return
			}
		}
	}
}

// fill copies up to blockLines lines; false when the last of them is the end or an error.
func (b *block) fill(lines *Lines) bool {
	b.text, b.lines = b.text[:0], b.lines[:0]
	for len(b.lines) < blockLines && len(b.text) < blockBytes {
		text, whole, err := lines.Next()
		b.lines = b.lines[:len(b.lines)+1]
		from := len(b.text)
		b.text = append(b.text, text...)
		b.lines[len(b.lines)-1].line = line{text: b.text[from:], number: lines.Number(), whole: whole, end: err}
		if err != nil {
			return false
		}
	}
	return true
}

func (p *pipeline) decode(skip Parts, prepare func() func(*Exchange) any) {
	d := Decoder{Skip: skip, untouched: true}
	work := func(*Exchange) any { return nil }
	if prepare != nil {
		work = prepare()
	}
	for b := range p.work {
		for i := range b.lines {
			s := &b.lines[i]
			d.adopt(&s.x, s.mem)
			d.read(&s.line, &s.x)
			s.mem, s.prepared = d.mem, nil
			if s.line.holds() {
				s.prepared = work(&s.x)
			}
		}
		b.decoded <- struct{}{}
	}
}
