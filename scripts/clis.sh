#!/usr/bin/env bash
# Installs tmux and the pinned real CLIs that the end-to-end tests drive.
#
#   scripts/clis.sh                       the usual ones, which every test run needs
#   scripts/clis.sh pi@1.6.0 node@24.21.0 only these
#   scripts/clis.sh node grok             every pinned version of these
#   scripts/clis.sh all                   the usual ones and all others
#
# Each goes to its own folder NAME@VERSION in the cache, with its program as
# NAME@VERSION/bin/NAME. A folder is filled under a temporary name and renamed when
# complete: one that is there is whole, and a second run leaves it alone. No
# package's install script is run. Versions are pinned because their screens differ;
# e2e/rig has a recipe for each.
set -euo pipefail

usual="node@24.21.0
claude@2.1.332 claude@2.1.197 claude@2.0.20
codex@0.171.0 codex@0.98.0
pi@1.6.0 pi@0.73.1"
others="gemini@0.61.0 qwen@0.24.4 grok@1.0.41 opencode@1.18.33
copilot@1.0.102 cline@3.0.65 droid@0.215.0 vibegrok@0.0.34"
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

# package NAME@VERSION: what npm installs for it, maybe with options of npm's. Where a
# platform's package holds the whole program, it alone is installed: Cline's other
# packages are 290 MB, OpenCode's build for old processors 180 MB.
package() {
	case $1 in
	claude@*) echo "@anthropic-ai/claude-code@${1#*@}" ;;
	codex@*) echo "@openai/codex@${1#*@}" ;;
	pi@0.*) echo "@mariozechner/pi-coding-agent@${1#*@}" ;;
	pi@*) echo "@earendil-works/pi-coding-agent@${1#*@}" ;;
	# The package "node" only fetches this one from its install script.
	node@*) echo "node-$platform@${1#*@}" ;;
	gemini@*) echo "@google/gemini-cli@${1#*@}" ;;
	qwen@*) echo "@qwen-code/qwen-code@${1#*@}" ;;
	grok@*) echo "@xai-official/grok@${1#*@}" ;;
	opencode@*) echo "--omit=optional opencode-ai@${1#*@} opencode-$platform@${1#*@}" ;;
	copilot@*) echo "@github/copilot@${1#*@}" ;;
	cline@*) echo "@cline/cli-$platform@${1#*@}" ;;
	droid@*) echo "droid@${1#*@}" ;;
	vibegrok@*) echo "@vibe-kit/grok-cli@${1#*@}" ;;
	*) die "unknown CLI: $1 (known: $(echo $usual $others))" ;;
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
	gemini@*) try="$m/@google/gemini-cli/bundle/gemini.js" ;;
	qwen@*) try="$m/@qwen-code/qwen-code/cli-entry.js" ;;
	grok@*) try="$m/@xai-official/grok/bin/grok-native" ;;
	opencode@*) try="$m/opencode-ai/bin/opencode.exe" ;;
	copilot@*) try="$m/@github/copilot/npm-loader.js" ;;
	cline@*) try="$m/@cline/cli-$platform/bin/cline" ;;
	droid@*) try="$m/droid/bin/droid" ;;
	vibegrok@*) try="$m/@vibe-kit/grok-cli/dist/index.js" ;;
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

# finish NAME@VERSION FOLDER: what its install script would do to the files below
# FOLDER, and no more: a program unpacked, or put in place of a launcher.
finish() {
	local m=$2/node_modules
	case $1 in
	codex@*) drop_foreign "$2" ;;
	qwen@*) chmod +x "$m"/@qwen-code/qwen-code/vendor/ripgrep/*/rg ;;
	grok@*)
		node -e 'const fs = require("fs"), zlib = require("zlib"), [from, to] = process.argv.slice(1)
			fs.writeFileSync(to, zlib.brotliDecompressSync(fs.readFileSync(from)), {mode: 0o755})' \
			"$m/@xai-official/grok-$platform/bin/grok.br" "$m/@xai-official/grok/bin/grok-native"
		rm "$m/@xai-official/grok-$platform/bin/grok.br"
		ln -sf grok-native "$m/@xai-official/grok/bin/grok"
		;;
	opencode@*) ln -f "$m/opencode-$platform/bin/opencode" "$m/opencode-ai/bin/opencode.exe" ;;
	droid@*) ln -f "$m/@factory/cli-$platform/bin/droid" "$m/droid/bin/droid" ;;
	esac
}

install() {
	local what=$1 pkg target log begin=$SECONDS
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
		--loglevel=error --fetch-retries=2 --fetch-timeout=120000 $pkg >"$log" 2>&1; then
		tail -n 15 "$log" >&2
		die "$what: npm could not install $pkg: can the npm registry be reached (npm config get registry)?"
	fi
	finish "$what" "$tmp"
	local path
	path=$(program "$what" "$tmp")
	mkdir "$tmp/bin"
	chmod +x "$tmp/$path"
	ln -s "../$path" "$tmp/bin/${what%@*}"
	# The name that its users call it by.
	case $what in vibegrok@*) ln -s "../$path" "$tmp/bin/grok" ;; esac
	rm -f "$log"
	chmod 755 "$tmp"
	# Another run may have been first: its copy is as good.
	rm -rf "$cache/.old.$$"
	if [ -e "$target" ] && [ ! -e "$target/bin/${what%@*}" ]; then mv "$target" "$cache/.old.$$"; fi
	if [ -e "$target" ]; then rm -rf "$tmp"; else mv "$tmp" "$target"; fi
	rm -rf "$cache/.old.$$"
	tmp=
	say "$what: $(du -sm "$target" | cut -f1) MB in $((SECONDS - begin)) s"
}

# expand WORDS: "all", and names without a version, in full.
expand() {
	local word known
	for word; do
		case $word in
		all) echo $usual $others ;;
		*@*) echo "$word" ;;
		*)
			known=$(printf '%s\n' $usual $others | grep "^$word@") || die "unknown CLI: $word (known: $(echo $usual $others))"
			echo $known
			;;
		esac
	done
}

tmp=
trap '[ -z "$tmp" ] || rm -rf "$tmp"' EXIT
trap 'exit 130' INT TERM

[ $# -gt 0 ] || set -- $usual
wanted=$(expand "$@")
set -- $wanted
for what; do package "$what" >/dev/null; done
mkdir -p "$cache"
apt_get tmux tmux
apt_get npm "nodejs npm"
for what; do install "$what"; done

echo "$cache"
for dir in "$cache"/*@*/; do
	[ -d "$dir" ] && du -sh "$dir" | sed 's|^|  |'
done
