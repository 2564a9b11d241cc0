//go:build linux

package main

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// manyEnough is how many exchanges a p99 needs here; below, the maximum stands in its place.
const manyEnough = 50

const preamble = `# Error against the wire

What each tool reports for an exchange over a new connection, minus what tcpdump saw cross the client's
device: |reported - wire| in microseconds, p50 / p99 by nearest rank. Written by ` + "`go run ./scripts/wire-truth`" + `;
no figure here was typed.

%s

The witness: tcp is SYN .. SYN-ACK; tls is ClientHello .. the packet that completes the server's last
handshake message (QUIC's handshake over h3); wait is the request's last packet .. the first packet of the
response's header section; transfer is that packet .. the response's last; total is the first packet .. the
last. TLS and QUIC were decrypted with the client's secrets, so nothing is guessed from the packets' order.
Times that hold the client's own work (tls: making keys, verifying certificates) are in error by that work.

Server Caddy, answer of 5 bytes in one packet unless said. "http" is plain HTTP/1.1. curl is a process per
exchange and prints microseconds; hey prints tenths of milliseconds; httping tells no transfer; k6 is told
not to verify certificates, which coldsplit and curl do within tls; of peers without a way to export TLS
secrets only plain HTTP is compared. Busy: one core of the machine spins. From 50 ms on plain HTTP is
measured beside TLS and QUIC, over a network of its own: there the tools do little but wait.
`

// render is the whole report.
func render(cells []cell, machine string) string {
	var b strings.Builder
	fmt.Fprintf(&b, preamble, machine)
	for _, group := range grouped(cells) {
		b.WriteString(renderGroup(group))
	}
	b.WriteString(renderGoals(cells))
	b.WriteString(renderBetter(cells))
	return b.String()
}

// grouped splits cells, which are in order, by condition.
func grouped(cells []cell) [][]cell {
	var groups [][]cell
	for i, c := range cells {
		if i == 0 || cells[i-1].condition != c.condition {
			groups = append(groups, nil)
		}
		groups[len(groups)-1] = append(groups[len(groups)-1], c)
	}
	return groups
}

func (c condition) title() string {
	load, answer := "quiet", ""
	if c.busy {
		load = "one core busy"
	}
	if c.path == bigPath {
		answer = ", answer of 200 kB"
	}
	return fmt.Sprintf("RTT %v, %s%s, n = %d", c.rtt, load, answer, c.n)
}

func renderGroup(cells []cell) string {
	var b strings.Builder
	upper := "p99"
	if cells[0].condition.n < manyEnough {
		upper = "max"
	}
	fmt.Fprintf(&b, "\n## %s\n\nus, p50 / %s\n\n| tool | protocol | tcp | tls / quic | wait | transfer | total |\n| --- | --- | --- | --- | --- | --- | --- |\n", cells[0].condition.title(), upper)
	for _, c := range cells {
		fmt.Fprintf(&b, "| %s | %s |", c.tool.name, c.tool.protocol)
		for _, column := range columns {
			fmt.Fprintf(&b, " %s |", c.show(column))
		}
		b.WriteString("\n")
	}
	for _, c := range cells {
		if c.unread > 0 || c.missing != nil {
			fmt.Fprintf(&b, "\n%s over %s: %s.\n", c.tool.name, c.tool.protocol, c.remark())
		}
	}
	return b.String()
}

// remark is why a cell is empty or smaller than the others.
func (c cell) remark() string {
	if c.missing != nil {
		return c.missing.Error()
	}
	return fmt.Sprintf("%d of its exchanges could not be read from the capture and are left out", c.unread)
}

func (c cell) show(column string) string {
	if len(c.errors[column]) == 0 {
		return ""
	}
	return fmt.Sprintf("%d / %d", c.middle(column).Microseconds(), c.upper(column).Microseconds())
}

func (c cell) middle(column string) time.Duration { return rank(c.errors[column], 50) }

// upper is the p99, or the maximum of few.
func (c cell) upper(column string) time.Duration {
	if c.condition.n < manyEnough {
		return rank(c.errors[column], 100)
	}
	return rank(c.errors[column], 99)
}

// rank is the nearest-rank percentile of ascending values.
func rank(sorted []time.Duration, percent int) time.Duration {
	return sorted[max(1, (percent*len(sorted)+99)/100)-1]
}

// goal is what is aimed at for one-packet answers at 20 ms.
type goal struct {
	column string
	busy   bool
	p50    time.Duration
	p99    time.Duration
}

var goals = []goal{
	{"wait", false, 20 * time.Microsecond, 60 * time.Microsecond},
	{"wait", true, 20 * time.Microsecond, 100 * time.Microsecond},
	{"tcp", false, 30 * time.Microsecond, 120 * time.Microsecond},
	{"tcp", true, 30 * time.Microsecond, 150 * time.Microsecond},
}

// renderGoals sets coldsplit's cells at 20 ms beside what was aimed at.
func renderGoals(cells []cell) string {
	var b strings.Builder
	b.WriteString("\n## Goals at 20 ms, one packet\n\n| segment | load | goal | protocol | measured | |\n| --- | --- | --- | --- | --- | --- |\n")
	for _, g := range goals {
		for _, c := range cells {
			at := c.condition
			if c.tool.name != "coldsplit" || at.rtt != 20*time.Millisecond || at.path != smallPath || at.busy != g.busy || len(c.errors[g.column]) == 0 {
				continue
			}
			verdict := "met"
			if c.middle(g.column) > g.p50 || c.upper(g.column) > g.p99 {
				verdict = "missed"
			}
			fmt.Fprintf(&b, "| %s | %s | %d / %d | %s | %s | %s |\n", g.column, load(g.busy), g.p50.Microseconds(), g.p99.Microseconds(), c.tool.protocol, c.show(g.column), verdict)
		}
	}
	return b.String()
}

func load(busy bool) string {
	if busy {
		return "busy"
	}
	return "quiet"
}

// renderBetter lists every cell in which a peer is nearer to the wire than coldsplit over the same
// protocol under the same condition.
func renderBetter(cells []cell) string {
	var lines []string
	compared := 0
	for _, group := range grouped(cells) {
		for _, peer := range group {
			i := slices.IndexFunc(group, func(c cell) bool { return c.tool.name == "coldsplit" && c.tool.protocol == peer.tool.protocol })
			if peer.tool.name == "coldsplit" || i < 0 {
				continue
			}
			found, n := nearer(peer, group[i])
			lines, compared = append(lines, found...), compared+n
		}
	}
	head := fmt.Sprintf("\n## Where a peer is nearer to the wire\n\nOf %d cells compared, %d:\n\n", compared, len(lines))
	return head + strings.Join(lines, "")
}

// nearer compares a peer's cells with ours.
func nearer(peer, ours cell) (lines []string, compared int) {
	for _, column := range columns {
		if len(peer.errors[column]) == 0 || len(ours.errors[column]) == 0 {
			continue
		}
		compared++
		if peer.middle(column) < ours.middle(column) || peer.upper(column) < ours.upper(column) {
			lines = append(lines, fmt.Sprintf("- %s of %s over %s, %s: %s, coldsplit %s\n", column, peer.tool.name, peer.tool.protocol,
				peer.condition.title(), peer.show(column), ours.show(column)))
		}
	}
	return lines, compared
}
