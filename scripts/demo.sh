#!/usr/bin/env bash
# Shows one delivery, from nothing: two agents in a tmux server of their own, a
# message from one to the other, the screens before and after, inbox, receipt.
#   scripts/demo.sh [practice|claude|codex|pi]
# "practice" spends nobody's account. The others are the real programs with
# your own settings and login, for the one that receives.
set -euo pipefail
cd "$(dirname "$0")/.."
cli=${1:-practice}
parley=$PWD/bin/parley

work=$(mktemp -d)
export PARLEY_HOME=$work/state
tmux=(tmux -u -S "$work/tmux" -f /dev/null)
end() {
  "${tmux[@]}" kill-server 2>/dev/null || true
  rm -rf "$work"
}
trap end EXIT

step() { printf '\n\033[1m%s\033[0m\n' "$*"; }
[ -t 1 ] && [ -z "${NO_COLOR:-}" ] || step() { printf '\n%s\n' "$*"; }

command="$parley practice"
[ "$cli" = practice ] || command=$(command -v "$cli") || { echo "demo: $cli is not on PATH" >&2; exit 1; }

step "1. Two agents, each in a tmux session whose name is its name"
"${tmux[@]}" new-session -d -s lead -x 90 -y 16 -e "PARLEY_PRACTICE_HOME=$work/lead" "$parley practice"
"${tmux[@]}" new-session -d -s backend -x 90 -y 16 -e "PARLEY_PRACTICE_HOME=$work/backend" "$command"
"$parley" --tmux-socket "$work/tmux" wait lead --for idle --timeout 60s >/dev/null
"$parley" --tmux-socket "$work/tmux" wait backend --for idle --timeout 60s >/dev/null || {
  echo "demo: $cli is not idle; it may need a person (trust, login). Its screen:" >&2
  "${tmux[@]}" capture-pane -p -t =backend: >&2
  exit 1
}
"$parley" --tmux-socket "$work/tmux" status

step "2. backend's screen before"
"$parley" --tmux-socket "$work/tmux" explain backend

step '3. parley send backend "the API changed, see docs/api.md"'
"$parley" --tmux-socket "$work/tmux" send backend "the API changed, see docs/api.md"

step "4. backend's screen after, when it has answered"
"$parley" --tmux-socket "$work/tmux" wait backend --for idle --timeout 60s >/dev/null || true
"${tmux[@]}" capture-pane -p -t =backend: | sed 's/[[:space:]]*$//' | cat -s

step "5. backend's inbox, and every record about the message"
"$parley" --tmux-socket "$work/tmux" inbox backend
id=$("$parley" --tmux-socket "$work/tmux" inbox backend --json | sed 's/.*"id":"\([^"]*\)".*/\1/')
"$parley" --tmux-socket "$work/tmux" log "$id"
