package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// mostPlain is how many rows are read in every way. Of more there are compressed files alone, which are
// read in one turn by what takes seconds: a plain one of 10^7 rows is 9.4 GB, and jq would take minutes.
const mostPlain = 1_000_000

// leaves are the rows of the table of a made-up run that add up: dns, tcp, tls, send, edge_rtt, upstream,
// unattributed and transfer.
const leaves = 8

// files are those of one size.
type files struct {
	n             int
	before, after string
	exact         string
	packed        [2]string
	size, small   int64
	write, writeZ sample // rows a second
}

func (f *files) big() bool { return f.n > mostPlain }

// scale makes files of each size and reads them with everything there is.
func scale(w io.Writer, s settings) error {
	d, err := newDuck()
	if err != nil {
		return err
	}
	if err := need("jq", "jq"); err != nil {
		return err
	}
	var all []*scaled
	for _, n := range s.rows {
		f, err := makeFiles(s, n)
		if err != nil {
			return err
		}
		r, err := measureScale(s, d, f)
		if err != nil {
			return err
		}
		all = append(all, r)
		if err := f.remove(); err != nil {
			return err
		}
	}
	showScale(w, all)
	return nil
}

func (f *files) remove() error {
	for _, path := range []string{f.before, f.after, f.exact, f.packed[0], f.packed[1]} {
		if err := os.Remove(path); err != nil && !(f.big() && errors.Is(err, os.ErrNotExist)) {
			return err
		}
	}
	return nil
}

// makeFiles writes two runs, plain and compressed; the second is 10 ms faster.
func makeFiles(s settings, n int) (*files, error) {
	f := &files{n: n}
	path := func(name string) string { return filepath.Join(s.dir, name+"-"+strconv.Itoa(n)+".jsonl") }
	f.before, f.after, f.exact = path("before"), path("after"), path("exact")
	f.packed = [2]string{f.before + ".zst", f.after + ".zst"}
	for _, x := range f.writes() {
		seconds, err := helperSeconds("generate", x.route, strconv.Itoa(n), x.path)
		if err != nil {
			return nil, err
		}
		*x.rate = append(*x.rate, float64(n)/seconds)
	}
	var err error
	if f.small, err = sizeOf(f.packed[0]); err != nil || f.big() {
		return f, err
	}
	f.size, err = sizeOf(f.before)
	return f, err
}

// toWrite is one file of a size.
type toWrite struct {
	route, path string
	rate        *sample
}

func (f *files) writes() []toWrite {
	packed := []toWrite{{"before", f.packed[0], &f.writeZ}, {"after", f.packed[1], &f.writeZ}}
	if f.big() {
		return packed
	}
	return append([]toWrite{{"before", f.before, &f.write}, {"after", f.after, &f.write}, {"exact", f.exact, &f.write}}, packed...)
}

func sizeOf(path string) (int64, error) {
	info, err := os.Stat(path)
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

// helperSeconds runs a helper that prints how long its work took.
func helperSeconds(args ...string) (float64, error) {
	var out bytes.Buffer
	if _, err := measured(&out, os.Args[0], args...); err != nil {
		return 0, err
	}
	return strconv.ParseFloat(strings.TrimSpace(out.String()), 64)
}

// scaled is what one size took.
type scaled struct {
	*files
	readOne, readAll                         sample // rows a second
	report, reportZ, compare, compareZ, duck usages
	exactly, jq, duckZ                       usages
	query, queryZ                            sample // seconds of DuckDB's own clock
}

func measureScale(s settings, d duck, f *files) (*scaled, error) {
	r := &scaled{files: f}
	if f.big() {
		if err := r.bigTurn(s, d); err != nil {
			return nil, fmt.Errorf("%d rows: %w", f.n, err)
		}
		return r, nil
	}
	for turn := range s.repeat {
		if err := r.turn(s, d, turn); err != nil {
			return nil, fmt.Errorf("%d rows: %w", f.n, err)
		}
	}
	return r, nil
}

// patience bounds how often what is slowest by far is run: once where it takes longer.
const patience = 5.0

// enough reports whether u need not be measured again.
func (u usages) enough() bool { return len(u) > 0 && u.wall().median() > patience }

func (r *scaled) turn(s settings, d duck, turn int) error {
	for _, x := range []struct {
		into *usages
		args []string
	}{
		{&r.report, []string{"report", r.before}}, {&r.reportZ, []string{"report", r.packed[0]}},
		{&r.exactly, []string{"report", r.exact}}, {&r.compare, []string{"compare", r.before, r.after}}, {&r.compareZ, []string{"compare", r.packed[0], r.packed[1]}},
	} {
		if x.into == &r.exactly && r.exactly.enough() {
			continue
		}
		u, err := measured(io.Discard, s.tool, x.args...)
		if err != nil {
			return err
		}
		*x.into = append(*x.into, u)
	}
	if err := r.readers(); err != nil {
		return err
	}
	return r.peers(s, d, turn)
}

// bigTurn reads compressed files alone, and DuckDB's answer for its number of rows.
func (r *scaled) bigTurn(s settings, d duck) error {
	seconds, err := helperSeconds("read", "all", r.packed[0])
	if err != nil {
		return err
	}
	r.readAll = append(r.readAll, float64(r.n)/seconds)
	for _, x := range []struct {
		into *usages
		args []string
	}{{&r.reportZ, []string{"report", r.packed[0]}}, {&r.compareZ, []string{"compare", r.packed[0], r.packed[1]}}} {
		u, err := measured(io.Discard, s.tool, x.args...)
		if err != nil {
			return err
		}
		*x.into = append(*x.into, u)
	}
	a, u, err := d.read(r.packed[0])
	if err != nil {
		return err
	}
	if a.N != r.n {
		return fmt.Errorf("DuckDB read %d rows of %d", a.N, r.n)
	}
	r.duckZ, r.queryZ = append(r.duckZ, u), append(r.queryZ, a.Seconds)
	return nil
}

func (r *scaled) readers() error {
	for how, into := range map[string]*sample{"one": &r.readOne, "all": &r.readAll} {
		seconds, err := helperSeconds("read", how, r.before)
		if err != nil {
			return err
		}
		*into = append(*into, float64(r.n)/seconds)
	}
	return nil
}

// peers lets DuckDB and jq read the same file, and holds their answers against ours.
func (r *scaled) peers(s settings, d duck, turn int) error {
	a, u, err := d.read(r.before)
	if err != nil {
		return err
	}
	r.duck, r.query = append(r.duck, u), append(r.query, a.Seconds)
	z, u, err := d.read(r.packed[0])
	if err != nil {
		return err
	}
	r.duckZ, r.queryZ = append(r.duckZ, u), append(r.queryZ, z.Seconds)
	if turn == 0 {
		if err := a.agree(s.tool, r.before); err != nil {
			return err
		}
	}
	if r.jq.enough() {
		return nil
	}
	var out bytes.Buffer
	if u, err = jqMedians(&out, r.before); err != nil {
		return err
	}
	r.jq = append(r.jq, u)
	return jqAgrees(out.String(), a.P50)
}
