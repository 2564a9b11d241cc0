//go:build linux

package main

import (
	"bufio"
	"bytes"
	"fmt"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"
)

// packet is what the witness tells of one packet: when it passed, which connection it belongs to, and
// what ended in it. A message spread over several packets shows in the one that completes it; parts then
// holds the numbers of all of them.
type packet struct {
	number     int
	at         time.Duration // since the epoch
	conn       string
	fromServer bool
	syn, ack   bool
	length     int   // TCP payload
	handshake  []int // TLS handshake messages
	request    bool  // an HTTP/1 request
	response   bool  // an HTTP/1 response's header section
	frames     []int // HTTP/2 frame types
	endStream  bool  // an HTTP/2 frame that ends a stream
	parts      []int
	readable   bool // TLS application data was decrypted
	streams    []streamPart
	again      bool // a TCP retransmission
	initial    bool // holds a QUIC Initial packet
}

// initialPacket is the type of QUIC's Initial packets (RFC 9000 section 17.2).
const initialPacket = 0

func (p packet) quic() bool { return strings.HasPrefix(p.conn, "udp") }

// streamPart is one QUIC STREAM frame.
type streamPart struct {
	id  int
	fin bool
}

// fields are the columns asked of tshark, in the order parsePacket takes them.
var fields = []string{
	"frame.number", "frame.time_epoch", "tcp.stream", "udp.stream", "tcp.srcport", "udp.srcport",
	"tcp.flags.syn", "tcp.flags.ack", "tcp.len", "tls.handshake.type", "http.request.method",
	"http.response.code", "http2.type", "http2.flags.end_stream", "tcp.segment", "tls.app_data_proto",
	"quic.stream.stream_id", "quic.stream.fin", "tcp.analysis.retransmission",
	"quic.connection.number", "quic.long.packet_type",
}

// decode has tshark take a capture apart, decrypting with the secrets in keys ("" has none).
func decode(capture, keys string) ([]packet, error) {
	args := []string{"-r", capture, "-o", "http.desegment_body:FALSE", "-T", "fields", "-E", "separator=|", "-E", "occurrence=a", "-E", "aggregator=,"}
	if keys != "" {
		args = append(args, "-o", "tls.keylog_file:"+keys)
	}
	for _, f := range fields {
		args = append(args, "-e", f)
	}
	cmd := exec.Command("tshark", args...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("tshark: %w: %s", err, strings.TrimSpace(stderr.String()))
	}
	return parsePackets(string(out))
}

func parsePackets(text string) ([]packet, error) {
	var packets []packet
	lines := bufio.NewScanner(strings.NewReader(text))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		p, err := parsePacket(lines.Text())
		if err != nil {
			return nil, err
		}
		packets = append(packets, p)
	}
	return packets, lines.Err()
}

func parsePacket(line string) (packet, error) {
	f := strings.Split(line, "|")
	if len(f) != len(fields) {
		return packet{}, fmt.Errorf("tshark printed %d fields, want %d: %q", len(f), len(fields), line)
	}
	at, err := parseEpoch(f[1])
	if err != nil {
		return packet{}, err
	}
	p := packet{
		at: at, conn: "tcp" + f[2], syn: f[6] == "1", ack: f[7] == "1", handshake: ints(f[9]),
		request: f[10] != "", response: finalStatus(f[11]), frames: ints(f[12]),
		endStream: strings.Contains(f[13], "1"), parts: ints(f[14]), readable: f[15] != "",
		again: f[18] != "",
	}
	p.number, _ = strconv.Atoi(f[0])
	p.length, _ = strconv.Atoi(f[8])
	port := f[4]
	if f[3] != "" {
		// A port may serve two connections of one capture, so the stream alone does not tell them apart.
		p.conn, port = "udp"+f[3]+"/"+f[19], f[5]
		p.initial = slices.Contains(ints(f[20]), initialPacket)
		p.streams = streamParts(f[16], f[17])
	}
	p.fromServer = port == "80" || port == "443"
	return p, nil
}

// parseEpoch reads seconds with nine decimals; a float64 would round them to a quarter microsecond.
func parseEpoch(text string) (time.Duration, error) {
	whole, fraction, _ := strings.Cut(text, ".")
	seconds, err := strconv.ParseInt(whole, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("time %q: %w", text, err)
	}
	nanos, err := strconv.ParseInt((fraction + "000000000")[:9], 10, 64)
	if err != nil {
		return 0, fmt.Errorf("time %q: %w", text, err)
	}
	return time.Duration(seconds)*time.Second + time.Duration(nanos), nil
}

func ints(text string) []int {
	var list []int
	for _, word := range strings.Split(text, ",") {
		if n, err := strconv.Atoi(word); err == nil {
			list = append(list, n)
		}
	}
	return list
}

// finalStatus reports a status that is no interim one.
func finalStatus(text string) bool {
	for _, code := range ints(text) {
		if code >= 200 {
			return true
		}
	}
	return false
}

func streamParts(ids, fins string) []streamPart {
	fin := ints(fins)
	var parts []streamPart
	for i, id := range ints(ids) {
		parts = append(parts, streamPart{id: id, fin: i < len(fin) && fin[i] == 1})
	}
	return parts
}
