package actor

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"time"
)

// api is one of the two shapes a generating service speaks.
type api interface {
	// whole is the body of a plain answer.
	whole(text string) any
	// begin, piece and end are the events of a stream, in the order sent.
	begin() []event
	piece(text string) event
	end() []event
	// alive is what keeps a stream open before its first text.
	alive() string
}

// event is one event of a stream; a missing name is left out.
type event struct {
	name string
	data any // a string is sent as it is
}

func (e event) text() string {
	data, ok := e.data.(string)
	if !ok {
		data = string(marshal(e.data))
	}
	if e.name == "" {
		return "data: " + data + "\n\n"
	}
	return "event: " + e.name + "\ndata: " + data + "\n\n"
}

func marshal(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		panic("actor: maps of plain values do not marshal: " + err.Error())
	}
	return b
}

type object = map[string]any

// chat is the OpenAI chat completions shape.
type chat struct{ id, model string }

func (c chat) head(kind string, choice object) object {
	choice["index"] = 0
	return object{"id": c.id, "object": kind, "model": c.model, "choices": []object{choice}}
}

func (c chat) whole(text string) any {
	return c.head("chat.completion", object{
		"message": object{"role": "assistant", "content": text}, "finish_reason": "length"})
}

func (c chat) begin() []event {
	return []event{{data: c.head("chat.completion.chunk", object{"delta": object{"role": "assistant", "content": ""}})}}
}

func (c chat) piece(text string) event {
	return event{data: c.head("chat.completion.chunk", object{"delta": object{"content": text}})}
}

func (c chat) end() []event {
	return []event{
		{data: c.head("chat.completion.chunk", object{"delta": object{}, "finish_reason": "length"})},
		{data: "[DONE]"},
	}
}

func (chat) alive() string { return ": keep-alive\n\n" }

// messages is the Anthropic messages shape.
type messages struct{ id, model string }

func (m messages) whole(text string) any {
	return object{"id": m.id, "type": "message", "role": "assistant", "model": m.model,
		"content": []object{{"type": "text", "text": text}}, "stop_reason": "max_tokens"}
}

func (m messages) begin() []event {
	return []event{
		typed("message_start", object{"message": object{"id": m.id, "role": "assistant", "model": m.model, "content": []object{}}}),
		typed("content_block_start", object{"index": 0, "content_block": object{"type": "text", "text": ""}}),
	}
}

func (m messages) piece(text string) event {
	return typed("content_block_delta", object{"index": 0, "delta": object{"type": "text_delta", "text": text}})
}

func (m messages) end() []event {
	return []event{
		typed("content_block_stop", object{"index": 0}),
		typed("message_delta", object{"delta": object{"stop_reason": "max_tokens"}}),
		typed("message_stop", object{}),
	}
}

func (messages) alive() string { return typed("ping", object{}).text() }

func typed(name string, data object) event {
	data["type"] = name
	return event{name, data}
}

// prompt is what a request asks for.
type prompt struct {
	api    api
	stream bool
}

// The paths of the two APIs.
const (
	chatPath     = "/v1/chat/completions"
	messagesPath = "/v1/messages"
)

// maxPrompt bounds a request's content, in bytes.
const maxPrompt = 1 << 20

// readPrompt reads a request of either API; ok is false for any other path.
func readPrompt(r *http.Request, id string) (p prompt, ok bool) {
	var asked struct {
		Model  string `json:"model"`
		Stream bool   `json:"stream"`
	}
	content, _ := io.ReadAll(io.LimitReader(r.Body, maxPrompt))
	if len(content) > 0 && json.Unmarshal(content, &asked) != nil {
		return prompt{}, false
	}
	switch r.URL.Path {
	case chatPath:
		return prompt{chat{"chatcmpl-" + id, asked.Model}, asked.Stream}, true
	case messagesPath:
		return prompt{messages{"msg_" + id, asked.Model}, asked.Stream}, true
	}
	return prompt{}, false
}

// apiKey returns the key of either API's header.
func apiKey(r *http.Request) string {
	if key := r.Header.Get("X-Api-Key"); key != "" {
		return key
	}
	return strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
}

// writeError answers with an error object both APIs' clients understand.
func writeError(w http.ResponseWriter, status int, code, text string) {
	body := marshal(object{"type": "error", "error": object{"type": kindOf(status), "code": code, "message": text}})
	writeContent(w, status, "application/json", body)
}

func kindOf(status int) string {
	switch status {
	case http.StatusTooManyRequests:
		return "rate_limit_error"
	case http.StatusPaymentRequired:
		return "billing_error"
	case http.StatusServiceUnavailable:
		return "overloaded_error"
	}
	return "invalid_request_error"
}

// pace is when the pieces of one answer are due, from its beginning.
type pace struct {
	first time.Duration // the first text
	whole time.Duration // the end
	count int           // pieces of text
}

// at returns when piece i of count is due.
func (p pace) at(i int) time.Duration {
	if p.count < 2 {
		return p.whole
	}
	return p.first + (p.whole-p.first)*time.Duration(i)/time.Duration(p.count-1)
}
