#!/usr/bin/env bash
# Installs tmux and the pinned real CLIs that the end-to-end tests drive.
#
#   scripts/clis.sh                       all of them
#   scripts/clis.sh pi@1.6.0 node@24.21.0 only these
#
# Each goes to its own folder NAME@VERSION in the cache, with its program as
# NAME@VERSION/bin/NAME. A folder is filled under a temporary name and renamed when
# complete: one that is there is whole, and a second run leaves it alone. No
# package's install script is run. Versions are pinned because their screens differ;
# e2e/rig has a recipe for each.
set -euo pipefail

all="node@24.21.0
claude@2.1.332 claude@2.1.197 claude@2.0.20
codex@0.171.0 codex@0.98.0
pi@1.6.0 pi@0.73.1"
cache=${PARLEY_CLI_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/parley-clis}

say() { echo "clis: $*" >&2; }
die() { say "$*"; exit 1; }

case $(uname -s)-$(uname -m) in
Linux-x86_64) platform=linux-x64 triple=x86_64-unknown-linux-musl ;;
Linux-aarch64) platform=linux-arm64 triple=aarch64-unknown-linux-musl ;;
Darwin-x86_64) platform=darwin-x64 triple=x86_64-apple-darwin ;;
Darwin-arm64) platform=darwin-arm64 triple=aarch64-apple-darwin ;;
*) die "no CLI packages are known for $(uname -s) $(uname -m)" ;;
esac

# package NAME@VERSION: what npm installs for it.
package() {
	case $1 in
	claude@*) echo "@anthropic-ai/claude-code@${1#*@}" ;;
	codex@*) echo "@openai/codex@${1#*@}" ;;
	pi@0.*) echo "@mariozechner/pi-coding-agent@${1#*@}" ;;
	pi@*) echo "@earendil-works/pi-coding-agent@${1#*@}" ;;
	# The package "node" only fetches this one from its install script.
	node@*) echo "node-$platform@${1#*@}" ;;
	*) die "unknown CLI: $1 (known: $(echo $all))" ;;
	esac
}

# program NAME@VERSION FOLDER: the path of its program below FOLDER.
program() {
	local m=node_modules try
	case $1 in
	claude@*) try="$m/@anthropic-ai/claude-code-$platform/claude $m/@anthropic-ai/claude-code/cli.js" ;;
	codex@*) try="$m/@openai/codex/bin/codex.js" ;;
	pi@0.*) try="$m/@mariozechner/pi-coding-agent/dist/cli.js" ;;
	pi@*) try="$m/@earendil-works/pi-coding-agent/dist/bundle/cli.js" ;;
	node@*) try="$m/node-$platform/bin/node" ;;
	esac
	for p in $try; do
		if [ -f "$2/$p" ]; then echo "$p"; return; fi
	done
	die "$1: its package holds none of: $try"
}

# apt_get COMMAND PACKAGES: installs PACKAGES unless COMMAND is there already.
apt_get() {
	if command -v "$1" >/dev/null; then return; fi
	command -v apt-get >/dev/null || die "$1 is missing and there is no apt-get: install $1 first"
	local as_root=
	[ "$(id -u)" = 0 ] || as_root=sudo
	say "installing $2 by apt"
	# $2 may be several packages.
	{ $as_root apt-get update && DEBIAN_FRONTEND=noninteractive \
		$as_root apt-get install -y --no-install-recommends $2; } >&2 ||
		die "apt could not install $2"
}

# Other platforms' binaries, which Codex 0.98 ships all together (500 MB).
drop_foreign() {
	local dir
	for dir in "$1"/node_modules/@openai/codex/vendor/*/; do
		case $dir in
		*/"$triple"/ | *'*'*) ;;
		*) rm -rf "$dir" ;;
		esac
	done
}

install() {
	local what=$1 pkg target log
	pkg=$(package "$what")
	target=$cache/$what
	if [ -e "$target/bin/${what%@*}" ]; then
		say "$what: already there"
		return
	fi
	tmp=$(mktemp -d "$cache/.new.XXXXXX")
	log=$tmp/npm.log
	say "$what: installing $pkg"
	if ! npm install --prefix "$tmp" --ignore-scripts --no-audit --no-fund --no-package-lock \
		--loglevel=error --fetch-retries=2 --fetch-timeout=120000 "$pkg" >"$log" 2>&1; then
		tail -n 15 "$log" >&2
		die "$what: npm could not install $pkg: can the npm registry be reached (npm config get registry)?"
	fi
	drop_foreign "$tmp"
	local path
	path=$(program "$what" "$tmp")
	mkdir "$tmp/bin"
	chmod +x "$tmp/$path"
	ln -s "../$path" "$tmp/bin/${what%@*}"
	rm -f "$log"
	chmod 755 "$tmp"
	# Another run may have been first: its copy is as good.
	rm -rf "$cache/.old.$$"
	if [ -e "$target" ] && [ ! -e "$target/bin/${what%@*}" ]; then mv "$target" "$cache/.old.$$"; fi
	if [ -e "$target" ]; then rm -rf "$tmp"; else mv "$tmp" "$target"; fi
	rm -rf "$cache/.old.$$"
	tmp=
	say "$what: done"
}

tmp=
trap '[ -z "$tmp" ] || rm -rf "$tmp"' EXIT
trap 'exit 130' INT TERM

[ $# -gt 0 ] || set -- $all
for what; do package "$what" >/dev/null; done
mkdir -p "$cache"
apt_get tmux tmux
apt_get npm "nodejs npm"
for what; do install "$what"; done

echo "$cache"
for dir in "$cache"/*@*/; do
	[ -d "$dir" ] && du -sh "$dir" | sed 's|^|  |'
done
