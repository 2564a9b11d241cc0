package eventstream

import (
	"bytes"
	"encoding/json"
	"strings"
)

// Dialect names the API whose events a stream carries.
type Dialect string

// The dialects, with the event that ends each.
const (
	Unknown   Dialect = ""
	Chat      Dialect = "chat"      // OpenAI chat completions and completions; ends with [DONE]
	Responses Dialect = "responses" // OpenAI responses; ends with response.completed or response.incomplete
	Messages  Dialect = "messages"  // Anthropic messages; ends with message_stop
)

// Terminal is the event that ends a stream of the dialect, "" when none is known.
func (d Dialect) Terminal() string {
	switch d {
	case Chat:
		return doneMark
	case Responses:
		return "response.completed"
	case Messages:
		return "message_stop"
	}
	return ""
}

const doneMark = "[DONE]"

// meaning is what one event says.
type meaning struct {
	dialect  Dialect
	text     string
	terminal bool
	isError  bool
	err      string
}

// frame is the union of the members the three dialects use. Members of uncertain type stay raw, so
// that one of another type does not hide the rest.
type frame struct {
	Type     string          `json:"type"`
	Choices  []choice        `json:"choices"`
	Delta    json.RawMessage `json:"delta"`
	Error    json.RawMessage `json:"error"`
	Object   string          `json:"object"`
	Message  json.RawMessage `json:"message"`
	Response struct {
		Error json.RawMessage `json:"error"`
	} `json:"response"`
}

type choice struct {
	Delta struct {
		Content json.RawMessage `json:"content"`
	} `json:"delta"`
	Text json.RawMessage `json:"text"`
}

// interpret reads one event without being told the dialect: the three share no event.
func interpret(e Event) meaning {
	data := bytes.TrimSpace(e.Data)
	if string(data) == doneMark {
		return meaning{terminal: true}
	}
	var f frame
	if !json.Valid(data) {
		return meaning{isError: e.Type == "error", err: plain(string(data))}
	}
	_ = json.Unmarshal(data, &f) // a member of another type than expected leaves the others filled
	if f.Type == "" && e.Type != "message" {
		f.Type = e.Type
	}
	m := f.meaning()
	if m.isError {
		m.err = f.errorText(data)
	}
	return m
}

func (f frame) meaning() meaning {
	switch {
	case f.Type == "error" || f.Object == "error" || filled(f.Error):
		return meaning{isError: true}
	case strings.HasPrefix(f.Type, "response."):
		return f.responses()
	case strings.HasPrefix(f.Type, "message_"), strings.HasPrefix(f.Type, "content_block_"):
		return f.messages()
	case f.Choices != nil:
		return f.chat()
	}
	return meaning{}
}

// chat joins the deltas of all choices; a completion's choice has text instead of a delta.
func (f frame) chat() meaning {
	m := meaning{dialect: Chat}
	for _, c := range f.Choices {
		m.text += jsonString(c.Delta.Content) + jsonString(c.Text)
	}
	return m
}

// responses takes response.incomplete for an end as well: the answer was cut by a limit the caller
// set, not by the network.
func (f frame) responses() meaning {
	m := meaning{dialect: Responses}
	switch f.Type {
	case "response.output_text.delta":
		m.text = jsonString(f.Delta)
	case "response.completed", "response.incomplete":
		m.terminal = true
	case "response.failed":
		m.isError = true
	}
	return m
}

func (f frame) messages() meaning {
	m := meaning{dialect: Messages, terminal: f.Type == "message_stop"}
	if f.Type != "content_block_delta" {
		return m
	}
	var delta struct{ Type, Text string }
	if json.Unmarshal(f.Delta, &delta) == nil && delta.Type == "text_delta" {
		m.text = delta.Text
	}
	return m
}

// errorText finds the words of an error event: a message, with its type or code before it.
func (f frame) errorText(data []byte) string {
	for _, raw := range []json.RawMessage{f.Error, f.Response.Error, data} {
		if s := jsonString(raw); s != "" {
			return plain(s)
		}
		var detail struct {
			Type, Message string
			Code          json.RawMessage
		}
		if !filled(raw) || json.Unmarshal(raw, &detail) != nil || detail.Message == "" {
			continue
		}
		kind := detail.Type
		if kind == "" || kind == "error" {
			kind = jsonString(detail.Code)
		}
		if kind == "" {
			return plain(detail.Message)
		}
		return plain(kind + ": " + detail.Message)
	}
	return plain(string(data))
}

// filled reports whether an error member says anything: null, false, "" and {} do not.
func filled(raw json.RawMessage) bool { return len(raw) > 2 && (raw[0] == '{' || raw[0] == '"') }

func jsonString(raw json.RawMessage) string {
	var s string
	if len(raw) == 0 || raw[0] != '"' || json.Unmarshal(raw, &s) != nil {
		return ""
	}
	return s
}

// maxErrorText is how much of an error's words a record keeps.
const maxErrorText = 300

// plain makes one printable line of a server's words.
func plain(s string) string {
	s = strings.Join(strings.FieldsFunc(s, func(r rune) bool { return r <= ' ' || r == 0x7f }), " ")
	if len(s) > maxErrorText {
		s = s[:maxErrorText] + "..."
	}
	return strings.ToValidUTF8(s, "\uFFFD")
}
