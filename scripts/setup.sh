#!/usr/bin/env bash
# Installs what building and testing need and is not there: tmux. Go itself is
# expected (https://go.dev/dl).
set -euo pipefail

command -v go >/dev/null || { echo "setup: Go is needed, see https://go.dev/dl" >&2; exit 1; }
command -v tmux >/dev/null && exit 0

echo "setup: installing tmux" >&2
if command -v brew >/dev/null; then
  brew install tmux
elif command -v apt-get >/dev/null; then
  sudo=""; [ "$(id -u)" = 0 ] || sudo=sudo
  $sudo apt-get update -qq
  DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y -qq tmux >/dev/null
else
  echo "setup: install tmux with this system's package manager" >&2
  exit 1
fi
