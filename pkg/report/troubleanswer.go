package report

import (
	"fmt"
	"strings"
	"time"

	"github.com/coldsplit/coldsplit/pkg/record"
	"github.com/coldsplit/coldsplit/pkg/segment"
)

// Blocked is an answer the edge gave by itself because it disliked the request: the service was
// never asked. The caller has the evidence for that: no upstream time, and about one round trip.
type Blocked struct {
	Status    int           `json:"status"`
	Count     int           `json:"count"`
	Of        int           `json:"of"`
	Type      string        `json:"type,omitempty"` // media type
	Bytes     int64         `json:"bytes"`
	Title     string        `json:"title,omitempty"`
	After     time.Duration `json:"after_ns"`                // p50 of wait
	RTT       time.Duration `json:"round_trip_ns,omitempty"` // 0 when unknown
	Headers   []string      `json:"headers,omitempty"`       // telling ones, "name: value"
	Missing   string        `json:"missing,omitempty"`       // "no upstream time, no cache status"
	UserAgent string        `json:"user_agent,omitempty"`
}

func (t Blocked) kind() string { return "blocked" }

func (t Blocked) tell(a Arm) (string, []Block) {
	evidence := []Entry{{"status", []string{t.statusLine()}}, {"time", []string{t.timeLine()}}}
	if headers := t.headerLine(); headers != "" {
		evidence = append(evidence, Entry{"headers", []string{headers}})
	}
	if t.UserAgent != "" {
		evidence = append(evidence, Entry{"we sent", []string{"user-agent: " + Clip(t.UserAgent, clipText)}})
	}
	return fmt.Sprintf("%s answers %d at the edge; your service was never asked.\nNothing was measured.",
		Clip(a.Host, clipName), t.Status), []Block{KeyValue{Entries: evidence, Width: 11, Indent: 2}}
}

func (t Blocked) statusLine() string {
	parts := []string{fmt.Sprint(t.Status), Share(t.Count, t.Of)}
	if t.Type != "" {
		parts = append(parts, Clip(t.Type, clipName))
	}
	parts = append(parts, Plural(int(t.Bytes), "byte", "bytes"))
	if t.Title != "" {
		parts = append(parts, fmt.Sprintf("title \"%s\"", Clip(t.Title, clipName)))
	}
	return strings.Join(parts, ", ")
}

func (t Blocked) timeLine() string {
	line := InWords(t.After) + " after the request"
	if t.RTT > 0 {
		line += ", where one round trip is " + InWords(t.RTT)
	}
	return line
}

func (t Blocked) headerLine() string {
	var parts []string
	for _, h := range t.Headers {
		parts = append(parts, Clip(h, clipName))
	}
	if t.Missing != "" {
		parts = append(parts, t.Missing)
	}
	return strings.Join(parts, "; ")
}

// WrongCertificate is a certificate that does not hold for the host.
type WrongCertificate struct {
	Address   string        `json:"address"`
	Name      string        `json:"sent_name"` // SNI
	Presented []string      `json:"presented,omitempty"`
	Reason    string        `json:"reason"` // "name does not match", "expired on 2026-11-01"
	NameFits  bool          `json:"name_fits"`
	Chain     string        `json:"chain,omitempty"` // "verifies (issuer Example CA 3)"
	After     time.Duration `json:"after_ns"`        // spent in tls
}

func (t WrongCertificate) kind() string { return "certificate" }

func (t WrongCertificate) tell(a Arm) (string, []Block) {
	sentence := fmt.Sprintf("%s would show your users a certificate error: ", Clip(a.Host, clipName))
	if t.NameFits || len(t.Presented) == 0 {
		sentence += "the certificate " + t.fault() + "."
	} else {
		sentence += fmt.Sprintf("the certificate is for %s, not for %s.", clipJoin(t.Presented), Clip(t.Name, clipName))
	}
	evidence := []Entry{
		{"address", []string{Clip(t.Address, clipName)}},
		{"tls", []string{fmt.Sprintf("failed after %s, %s", InWords(t.After), Clip(t.Reason, clipText))}},
		{"sent name", []string{Clip(t.Name, clipName)}},
	}
	if len(t.Presented) > 0 {
		evidence = append(evidence, Entry{"presented", []string{clipJoin(t.Presented)}})
	}
	if t.Chain != "" {
		evidence = append(evidence, Entry{"chain", []string{Clip(t.Chain, clipText)}})
	}
	return sentence, []Block{KeyValue{Entries: evidence, Width: 13, Indent: 2}}
}

// fault is the reason as what a sentence says of the certificate.
func (t WrongCertificate) fault() string {
	reason := Clip(t.Reason, clipText)
	for _, verb := range []string{"expired", "does", "is"} {
		if strings.HasPrefix(reason, verb+" ") {
			return reason
		}
	}
	switch reason {
	case "name does not match":
		return "is for another name"
	case "the certificate does not verify":
		return "does not verify"
	}
	return "is " + reason
}

func clipJoin(items []string) string {
	var out []string
	for _, item := range items {
		out = append(out, Clip(item, clipName))
	}
	return strings.Join(out, ", ")
}

// Inspected is the warning above a report whose TLS ends in a company's proxy.
func Inspected(host, issuer string) string {
	return fmt.Sprintf("NOT YOUR ROUTE'S TLS: the certificate for %s is from \"%s\", known to this machine only. "+
		"%s, %s and %s end there.", Clip(host, clipName), Clip(issuer, clipName), segment.TCP, segment.TLS, segment.WaitEdgeRTT)
}

// unexplained tells the failures of an arm of which no more is known than they say themselves.
type unexplained struct{}

func (unexplained) kind() string { return "" }

func (unexplained) tell(a Arm) (string, []Block) {
	c, host := a.Counts, Clip(a.Host, clipName)
	done := c.Done()
	switch {
	case done == 0:
		return fmt.Sprintf("Nothing was measured: no request to %s was finished.", host), nil
	case c.Throttled == done:
		return fmt.Sprintf("%s throttled %s%s; nothing was measured.", host, shareOf(done, done, "request", "requests"), throttleWhy(a.Throttling)), nil
	case c.Invalid == done:
		return fmt.Sprintf("Nothing was measured: %s to %s %s invalid%s.", shareOf(done, done, "request", "requests"), host, were(done), failureWhy(a.Invalid)),
			[]Block{failureTable(a)}
	case c.Failed == done:
		return fmt.Sprintf("Nothing was measured: %s to %s failed%s.", shareOf(done, done, "request", "requests"), host, failureWhy(a.Failures)),
			[]Block{failureTable(a)}
	}
	return fmt.Sprintf("Nothing was measured: of %s to %s none was ok (%d throttled, %d failed, %d invalid).",
		Plural(done, "request", "requests"), host, c.Throttled, c.Failed, c.Invalid), []Block{failureTable(a)}
}

func troubleOf(a Arm) Trouble {
	if a.Trouble != nil {
		return a.Trouble
	}
	return unexplained{}
}

// failureTable lists every way to fail with its count.
func failureTable(a Arm) Table {
	table := deathTable()
	for _, f := range a.Failures {
		table.Rows = append(table.Rows, deathRow(f.Segment.String(), string(f.Class), f.Count, f.Text))
	}
	for _, f := range a.Invalid {
		table.Rows = append(table.Rows, deathRow("-", string(record.Invalid), f.Count, f.Text))
	}
	return table
}
