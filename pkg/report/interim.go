package report

import (
	"fmt"

	"github.com/coldsplit/coldsplit/pkg/segment"
)

// interimLines tell of 1xx responses: "103 in 25 of 25 (50 responses), the first 12 ms into wait (p50)".
func interimLines(a Arm) []string {
	var lines []string
	for _, in := range a.Interims {
		line := fmt.Sprintf("%d in %s", in.Status, Share(in.N, a.N()))
		if in.Responses > in.N {
			line += fmt.Sprintf(" (%d responses)", in.Responses)
		}
		p50 := ""
		if in.N > 1 {
			p50 = " (p50)"
		}
		lines = append(lines, fmt.Sprintf("%s, the first %s into %s%s", line, InWords(in.First), segment.Wait, p50))
	}
	if len(lines) > 0 {
		lines[len(lines)-1] += "; wait ends at the final response"
	}
	return lines
}

// interimBlocks are the line below an arm's table, none for an arm without.
func interimBlocks(a Arm) []Block {
	lines := interimLines(a)
	if lines == nil {
		return nil
	}
	return []Block{KeyValue{Width: labels + 2, Entries: []Entry{{"interim", lines}}}}
}

// interimLines are those of both arms under their names.
func (v *view) interimLines() []string {
	var lines []string
	for i, a := range v.sides() {
		for _, line := range interimLines(a) {
			lines = append(lines, v.names[i]+": "+line)
		}
	}
	return lines
}

type jsonInterim struct {
	Status    int   `json:"status"`
	Exchanges int   `json:"exchanges"`
	Responses int   `json:"responses"`
	First     int64 `json:"first_p50_ns"` // from the start of wait
}

func interimsJSON(list []Interim) []jsonInterim {
	var out []jsonInterim
	for _, in := range list {
		out = append(out, jsonInterim{in.Status, in.N, in.Responses, int64(in.First)})
	}
	return out
}
