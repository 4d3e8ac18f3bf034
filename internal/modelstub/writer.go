package modelstub

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"
)

// api is one protocol: how a request is read and an answer written.
type api interface {
	parse(path string, body []byte) (Prompt, error)
	// stream writes r as server-sent events, whole as one JSON body.
	stream(out *writer, p Prompt, r Reply)
	whole(p Prompt, r Reply) any
	failure(status int, text string) any
}

func apiOf(path string) api {
	switch {
	case strings.HasSuffix(path, "/messages"):
		return anthropic{}
	case strings.HasSuffix(path, "/responses"):
		return responses{}
	case strings.HasSuffix(path, "/chat/completions"):
		return chat{}
	case strings.HasSuffix(path, ":generateContent"), strings.HasSuffix(path, ":streamGenerateContent"):
		return gemini{}
	}
	return nil
}

// writer writes one answer, and knows whether the CLI was there to its end.
type writer struct {
	w      http.ResponseWriter
	ctx    context.Context
	stream bool
	err    error // the first failed write
}

// cut is true when something could not be written. That the CLI goes away right after the
// last event, as Codex does, is no cut.
func (o *writer) cut() bool { return o.err != nil }

func (o *writer) reply(a api, p Prompt, r Reply) {
	o.pause(r.Delay)
	switch {
	case r.Status >= 400:
		o.json(r.Status, a.failure(r.Status, r.Text))
	case o.stream:
		o.w.Header().Set("Content-Type", "text/event-stream")
		o.w.WriteHeader(http.StatusOK)
		a.stream(o, p, r)
	default:
		o.pause(r.Over)
		o.json(http.StatusOK, a.whole(p, r))
	}
}

// pause waits for d, or until the CLI goes away.
func (o *writer) pause(d time.Duration) {
	if d <= 0 {
		return
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-o.ctx.Done():
	}
}

func (o *writer) json(status int, v any) {
	o.w.Header().Set("Content-Type", "application/json")
	o.w.WriteHeader(status)
	if o.err = o.ctx.Err(); o.err != nil {
		return
	}
	o.err = json.NewEncoder(o.w).Encode(v)
}

// event writes one server-sent event. Without a name it has data only.
func (o *writer) event(name string, v any) {
	if o.err == nil {
		o.err = o.ctx.Err()
	}
	if o.cut() {
		return
	}
	data, err := json.Marshal(v)
	if err != nil {
		panic("modelstub: " + err.Error()) // only maps and strings of our own
	}
	if name != "" {
		name = "event: " + name + "\n"
	}
	o.raw(fmt.Sprintf("%sdata: %s\n\n", name, data))
}

func (o *writer) raw(s string) {
	if _, err := o.w.Write([]byte(s)); err != nil {
		o.err = err
		return
	}
	if err := http.NewResponseController(o.w).Flush(); err != nil {
		o.err = err
	}
}

// words calls emit with text piece by piece, spread over the given time.
func (o *writer) words(text string, over time.Duration, emit func(string)) {
	if over <= 0 {
		emit(text)
		return
	}
	pieces := strings.SplitAfter(text, " ")
	for _, piece := range pieces {
		emit(piece)
		o.pause(over / time.Duration(len(pieces)))
		if o.cut() {
			return
		}
	}
}

// arguments is a call's arguments as JSON text.
func (c *Call) arguments() string {
	data, err := json.Marshal(c.Args)
	if err != nil {
		panic("modelstub: arguments of " + c.Tool + ": " + err.Error())
	}
	return string(data)
}

// obj keeps the JSON below readable.
type obj = map[string]any
