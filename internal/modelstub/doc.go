// Package modelstub is a model server on loopback, so that real AI CLIs run in tests
// with no account. It speaks Anthropic Messages, OpenAI Responses, OpenAI Chat
// Completions and Gemini generateContent, streamed or whole, with tool calls.
//
// What it answers is chosen by a Script, by default Words: the test writes words such
// as STUB:slow=3s into the prompt itself. Each request is logged as a Prompt before
// it is answered, so the log is the proof of what a CLI sent to its model.
//
// It is test support: it binds 127.0.0.1 only and checks no keys.
package modelstub
