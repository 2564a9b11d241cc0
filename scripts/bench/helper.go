package main

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"time"

	"github.com/coldsplit/coldsplit/pkg/record"
)

// helperOf is what this program does in a process of its own, by first argument: a child's peak memory
// counts from its parent's, so the one that starts the others must stay small, and a server's work must
// not count as its client's.
func helperOf(name string) func(args []string) error {
	switch name {
	case "part":
		return part
	case "generate":
		return generate
	case "read":
		return read
	case "serve":
		return serve
	}
	return nil
}

// generate writes a run file: generate ROUTE ROWS PATH. It prints how long that took.
func generate(args []string) error {
	n, err := strconv.Atoi(args[1])
	if err != nil {
		return err
	}
	f := runFile{route: args[0], n: n, seed: 1}
	switch args[0] {
	case "after":
		f.seed, f.shift = 2, -10*ms
	case "exact":
		f.exact = true
	}
	began := time.Now()
	if _, err := f.write(args[2]); err != nil {
		return err
	}
	_, err = fmt.Println(time.Since(began).Seconds())
	return err
}

// read reads a run file on one core or on all: read {one|all} PATH. It prints how long that took.
func read(args []string) error {
	file, err := os.Open(args[1])
	if err != nil {
		return err
	}
	defer file.Close()
	began := time.Now()
	r, err := record.NewReader(file, record.ReadOptions{})
	if err != nil {
		return err
	}
	defer r.Close()
	if n := countOf(r, args[0]); n == 0 {
		return errors.New("no exchange was read")
	}
	_, err = fmt.Println(time.Since(began).Seconds())
	return err
}

func countOf(r *record.Reader, how string) (n int) {
	if how == "all" {
		for range r.All() {
			n++
		}
		return n
	}
	for x := (record.Exchange{}); r.Next(&x) == nil; n++ {
	}
	return n
}
