# The two commands: `make demo` shows one delivery, `make test` sets up and
# passes the tests. Both install what they need first.
SHELL := /bin/bash
BIN := bin/parley
CLI ?= practice

.PHONY: demo build test test-fast test-long test-full bench bench-fast setup setup-clis setup-others clean

build: $(BIN)

$(BIN): $(shell find . -name '*.go' -not -path './.cache/*') $(wildcard internal/dialect/data/*.toml) go.mod
	CGO_ENABLED=0 go build -trimpath -ldflags "-s -w" -o $@ ./cmd/parley

demo: setup build
	scripts/demo.sh $(CLI)

# setup installs tmux and Go modules; setup-clis the pinned real CLIs that every run needs,
# setup-others all the others too (1.3 GB).
setup:
	scripts/setup.sh
	go mod download

setup-clis: setup
	scripts/clis.sh

setup-others: setup
	scripts/clis.sh all

# Everything but the real CLIs: units, scripts, real tmux, the practice agent.
test-fast: setup
	go vet ./...
	GOOS=darwin go vet ./cmd/... ./courier/... ./internal/...
	go test ./...

# The whole, with a short run on the real CLIs: within ten minutes on two cores.
test: test-fast setup-clis
	go vet -tags real ./e2e/...
	PARLEY_DEPTH=short go test -count=1 -tags real -run Real -timeout 20m ./e2e
	PARLEY_DEPTH=short go test -count=1 -tags real -timeout 20m ./e2e/rig

# A seeded sample of the long runs; test-full runs the full counts.
test-long: setup-clis setup-others
	PARLEY_DEPTH=long go test -count=1 -tags real -timeout 40m ./e2e

test-full: setup-clis setup-others
	PARLEY_DEPTH=full go test -count=1 -tags real -timeout 10h -v ./e2e

# Figures, each with its baseline: see docs/BENCH.md. bench-fast leaves the real CLIs out.
bench: bench-fast setup-clis
	go test -tags real -run '^$$' -bench '^BenchmarkSend$$' -benchtime 1x -timeout 60m ./e2e

bench-fast: setup
	go test -run '^$$' -bench 'Append|Command' -benchtime 1x -timeout 30m ./internal/inbox
	go test -run '^$$' -bench . -benchtime 1x -timeout 30m ./e2e
	go test -run '^$$' -bench . ./internal/dialect ./internal/transcript ./internal/term/tmux

clean:
	rm -rf bin
