// Package rig runs real AI CLIs in a tmux server of its own, against a model stub, with
// a HOME of their own and no account. It is test support for end-to-end tests and
// benchmarks; it knows nothing of parley, so that it can judge it.
//
// The CLIs come from the cache that scripts/clis.sh fills. One that is missing fails
// the test: a skipped test would look like a passed one.
//
// Everything is found by what is on the screen or in the stub's log. There are no fixed
// sleeps: Until polls, and fails with a picture of the screen.
package rig
