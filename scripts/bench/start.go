package main

import (
	"errors"
	"fmt"
	"io"
	"net"
	"os/exec"
	"path/filepath"
	"time"
)

// starts is how often a turn starts each program.
const starts = 10

// start measures how long a program takes to begin, and how large it is.
func start(w io.Writer, s settings) error {
	if err := need("curl", "curl"); err != nil {
		return err
	}
	var version, curlVersion usages
	var first, bare, curl sample
	for range s.repeat * starts {
		for _, x := range []struct {
			into *usages
			name string
		}{{&version, s.tool}, {&curlVersion, "curl"}} {
			u, err := measured(io.Discard, x.name, "--version")
			if err != nil {
				return err
			}
			*x.into = append(*x.into, u)
		}
		if err := firstSYNs(s, &first, &bare, &curl); err != nil {
			return err
		}
	}
	ms := func(u usages) sample { return u.of(func(x usage) float64 { return x.wall.Seconds() * 1000 }) }
	table(w, "Start-up, ms", [][]string{
		{"", "coldsplit", "curl", "ratio", "coldsplit --no-prewarm", "ratio"},
		{"--version", ms(version).show("%.1f"), ms(curlVersion).show("%.1f"), ms(version).over(ms(curlVersion)).show("%.1f"), "-", "-"},
		{"first SYN", first.show("%.1f"), curl.show("%.1f"), first.over(curl).show("%.1f"), bare.show("%.1f"), bare.over(curl).show("%.1f")},
	})
	fmt.Fprintf(w, "\n%d starts of each, in turns. The first SYN is the accept of a listener on loopback; coldsplit warms itself up before it.\n", s.repeat*starts)
	return sizes(w, s)
}

// firstSYNs times each program from its start to its connection.
func firstSYNs(s settings, first, bare, curl *sample) error {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	defer l.Close()
	url := "http://" + l.Addr().String() + "/"
	for _, x := range []struct {
		into *sample
		args []string
	}{
		{first, []string{s.tool, "probe", "-n", "1", "--no-save", url}},
		{bare, []string{s.tool, "probe", "-n", "1", "--no-save", "--no-prewarm", url}},
		{curl, []string{"curl", "-s", url}},
	} {
		took, err := untilAccept(l, x.args)
		if err != nil {
			return err
		}
		*x.into = append(*x.into, took.Seconds()*1000)
	}
	return nil
}

// untilAccept starts a program and returns when its connection came. It answers, so that the program
// ends by itself.
func untilAccept(l net.Listener, args []string) (time.Duration, error) {
	cmd := exec.Command(args[0], args[1:]...)
	began := time.Now()
	if err := cmd.Start(); err != nil {
		return 0, err
	}
	conn, err := l.Accept()
	took := time.Since(began)
	if err == nil {
		request := make([]byte, 4096)
		_, err = conn.Read(request)
		io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
		conn.Close()
	}
	return took, errors.Join(err, cmd.Wait())
}

// sizes builds the program, and a smaller one with and without the lab.
func sizes(w io.Writer, s settings) error {
	rows := [][]string{{"binary", "MB", "stripped MB"}}
	for _, x := range []struct {
		name string
		args []string
	}{
		{"coldsplit", []string{"./cmd/coldsplit"}},
		{"measure, compare and report alone", []string{"./scripts/bench/slim"}},
		{"the same with the lab", []string{"-tags", "lab", "./scripts/bench/slim"}},
	} {
		row := []string{x.name}
		for _, flags := range []string{"-ldflags=", "-ldflags=-s -w"} {
			path, err := build(filepath.Join(s.dir, "size"), append([]string{flags}, x.args...)...)
			if err != nil {
				return err
			}
			size, err := sizeOf(path)
			if err != nil {
				return err
			}
			row = append(row, fmt.Sprintf("%.1f", float64(size)/1e6))
		}
		rows = append(rows, row)
	}
	table(w, "Size", rows)
	return nil
}
