package record

import (
	"io"
	"iter"
	"runtime"
	"sync"
)

// blockLines is how many lines are decoded at a time: enough that handing them over costs nothing
// beside decoding, few enough that a pool of blocks stays near a megabyte.
const blockLines = 64

// blockBytes ends a block of long lines early.
const blockBytes = 256 << 10

// All returns the exchanges that are left in the order of the file, as [Reader.Next] does, but
// decodes them ahead on every core. An exchange and what it points to hold until the next one is
// asked for and must not be changed. The last pair may be a nil exchange with the error that Next
// would return; io.EOF is none. Whoever leaves early may only call Close and Run afterwards.
func (r *Reader) All() iter.Seq2[*Exchange, error] {
	return func(yield func(*Exchange, error) bool) {
		if r.err == nil {
			r.ahead(yield)
		}
		if r.err != nil && r.err != io.EOF && r.err != errLeft {
			yield(nil, r.err)
		}
	}
}

// ahead owns the goroutines that cut and decode, and takes their lines in order.
func (r *Reader) ahead(yield func(*Exchange, error) bool) {
	p := newPipeline(r.lines, r.opts.Skip, runtime.GOMAXPROCS(0))
	defer p.close()
	for b := range p.order {
		<-b.decoded
		for i := range b.lines {
			l := &b.lines[i]
			got := false
			if got, r.err = r.accept(&l.line, &l.x); got && r.err == nil && !yield(&l.x, nil) {
				r.err = errLeft
			}
			if r.err != nil {
				return
			}
		}
		p.free <- b
	}
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
	decoded chan struct{} // receives once every line is decoded
}

// slot is a line, the exchange it may hold, and the memory that exchange keeps from block to block.
type slot struct {
	line line
	x    Exchange
	mem  *memory
}

func newPipeline(lines *Lines, skip Parts, workers int) *pipeline {
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
		p.all.Go(func() { p.decode(skip) })
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

func (p *pipeline) decode(skip Parts) {
	d := Decoder{Skip: skip}
	for b := range p.work {
		for i := range b.lines {
			s := &b.lines[i]
			d.adopt(&s.x, s.mem)
			d.read(&s.line, &s.x)
			s.mem = d.mem
		}
		b.decoded <- struct{}{}
	}
}
