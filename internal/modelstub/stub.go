package modelstub

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"
)

// Stub is a running model server. Its methods may be called at any time by any
// goroutine.
type Stub struct {
	listener net.Listener
	server   *http.Server
	served   chan struct{}

	mu      sync.Mutex
	script  Script
	prompts []Prompt
	changed chan struct{} // closed and replaced at each change of prompts
}

// Script chooses the answer to a prompt. It is called once per request, from the
// goroutine that serves it.
type Script func(Prompt) Reply

// Start begins to serve on a free port of 127.0.0.1, answering as Words says.
func Start() (*Stub, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("modelstub: listen: %w", err)
	}
	s := &Stub{listener: l, script: Words, served: make(chan struct{}), changed: make(chan struct{})}
	s.server = &http.Server{Handler: http.HandlerFunc(s.serve)}
	go func() {
		defer close(s.served)
		_ = s.server.Serve(l) // always ErrServerClosed, after Close
	}()
	return s, nil
}

// URL is the address without a trailing slash: http://127.0.0.1:PORT.
func (s *Stub) URL() string { return "http://" + s.listener.Addr().String() }

// Close cuts all answers that are still being written, and stops serving.
func (s *Stub) Close() error {
	err := s.server.Close()
	<-s.served
	return err
}

// Answer replaces the script for the requests that arrive from now on.
func (s *Stub) Answer(script Script) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.script = script
}

// Prompts returns all requests so far, in the order of arrival.
func (s *Stub) Prompts() []Prompt {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Prompt(nil), s.prompts...)
}

// Wait returns the first request, past or to come, that match accepts. Requests are
// offered again when their answer ends, so match may ask for Ended. It fails only
// when ctx ends.
func (s *Stub) Wait(ctx context.Context, match func(Prompt) bool) (Prompt, error) {
	for {
		s.mu.Lock()
		prompts, changed := s.prompts, s.changed
		for _, p := range prompts {
			if match(p) {
				s.mu.Unlock()
				return p, nil
			}
		}
		s.mu.Unlock()
		select {
		case <-changed:
		case <-ctx.Done():
			return Prompt{}, fmt.Errorf("modelstub: no such prompt among %d: %w", len(prompts), ctx.Err())
		}
	}
}

// record appends p to the log and says how to answer it.
func (s *Stub) record(p Prompt) (Prompt, Reply) {
	s.mu.Lock()
	p.Seq = len(s.prompts)
	s.prompts = append(s.prompts, p)
	script := s.script
	s.announce()
	s.mu.Unlock()
	return p, script(p)
}

func (s *Stub) end(seq int, cut bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.prompts[seq].Ended = time.Now()
	s.prompts[seq].Cut = cut
	s.announce()
}

// announce wakes Wait; mu is held.
func (s *Stub) announce() {
	close(s.changed)
	s.changed = make(chan struct{})
}

func (s *Stub) serve(w http.ResponseWriter, r *http.Request) {
	at := time.Now()
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	api := apiOf(r.URL.Path)
	if api == nil || r.Method != http.MethodPost {
		serveFixed(w, r.URL.Path)
		return
	}
	p, err := api.parse(r.URL.Path, body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	p.At, p.Body = at, body
	p, reply := s.record(p)
	out := &writer{w: w, ctx: r.Context(), stream: p.Stream}
	out.reply(api, p, reply)
	s.end(p.Seq, out.cut())
}

// serveFixed answers what asks for no prompt: token counts, model lists, probes.
func serveFixed(w http.ResponseWriter, path string) {
	w.Header().Set("Content-Type", "application/json")
	switch {
	case strings.HasSuffix(path, "/count_tokens"):
		io.WriteString(w, `{"input_tokens":100}`)
	case strings.HasSuffix(path, ":countTokens"):
		io.WriteString(w, `{"totalTokens":100}`)
	case strings.HasSuffix(path, "/models"):
		io.WriteString(w, `{"object":"list","data":[{"id":"stub-model","object":"model","owned_by":"stub"}]}`)
	default:
		w.WriteHeader(http.StatusNotFound)
		io.WriteString(w, `{"error":{"message":"the stub does not serve this"}}`)
	}
}
