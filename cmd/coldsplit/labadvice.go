package main

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/coldsplit/coldsplit/pkg/lab/scenario"
	"github.com/coldsplit/coldsplit/pkg/report"
)

// withAdvice ends the report on a move with what the move leaves behind.
func withAdvice(doc report.Document, moved bool, advice []scenario.Advice) report.Document {
	if !moved {
		return doc
	}
	list := report.List{Title: "what to move along"}
	for _, a := range advice {
		list.Items = append(list.Items, fmt.Sprintf("%s. Try --set %s", a, a.Move))
	}
	if len(advice) == 0 {
		list.Items = []string{"nothing: no call got longer by 5 ms or more"}
	}
	doc.Blocks = append(doc.Blocks, list)
	doc.JSON = advisedJSON{doc.JSON, adviceJSON(advice)}
	return doc
}

// advisedJSON is a report's object with one more member at its end.
type advisedJSON struct {
	report any
	advice []adviceEntry
}

type adviceEntry struct {
	Service    string  `json:"service"`
	City       string  `json:"city"`
	Caller     string  `json:"caller"`
	CallerCity string  `json:"caller_city"`
	Stays      string  `json:"stays"`
	HoldsState bool    `json:"holds_state"`
	When       string  `json:"when"`
	Times      float64 `json:"times"`
	Was        int64   `json:"was_ns"`
	RTT        int64   `json:"rtt_ns"`
	PerRequest int64   `json:"per_request_ns"`
	Move       string  `json:"move"`
}

func adviceJSON(advice []scenario.Advice) []adviceEntry {
	out := []adviceEntry{}
	for _, a := range advice {
		out = append(out, adviceEntry{
			Service: a.Service, City: a.City, Caller: a.Caller, CallerCity: a.CallerCity, Stays: a.Stays,
			HoldsState: a.HoldsState, When: a.When, Times: a.Times,
			Was: int64(a.Was), RTT: int64(a.RTT), PerRequest: int64(a.PerRequest), Move: a.Move,
		})
	}
	return out
}

// MarshalJSON writes the report's members first, in their own order.
func (j advisedJSON) MarshalJSON() ([]byte, error) {
	body, err := json.Marshal(j.report)
	if err != nil {
		return nil, err
	}
	advice, err := json.Marshal(j.advice)
	if err != nil {
		return nil, err
	}
	end := bytes.LastIndexByte(body, '}')
	if end < 1 {
		return nil, fmt.Errorf("write json report: want an object, got %s", body)
	}
	return fmt.Appendf(nil, `%s,"advice":%s}`, body[:end], advice), nil
}
