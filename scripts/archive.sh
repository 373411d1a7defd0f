#!/usr/bin/env bash
# Builds the program and packs it: target/archives/agentmd-VERSION-TARGET.tar.gz (.zip for Windows), with its checksum.
#   scripts/archive.sh [TARGET [PROGRAM]]     default: this machine; a PROGRAM that is built already is only packed
# On Linux the program is static and needs nothing of the machine it runs on. The same sources, toolchain and C compiler
# make the same bytes, in whatever folder they are. Needs Python for the packing.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
build=${CARGO_TARGET_DIR:-$root/target}
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
host=$(rustc -vV | sed -n 's/^host: //p')
target=${1:-$host}
if [ $# = 0 ] && [[ $host = *-linux-* ]]; then
  # musl where rustup has it, else the C library of this machine: both end up in the program.
  musl=${host%%-*}-unknown-linux-musl
  [ ! -d "$(rustc --print target-libdir --target "$musl")" ] || target=$musl
fi
case $target in *-windows-*) suffix=.exe ;; *) suffix= ;; esac

program=${2:-}
if [ -z "$program" ]; then
  # Where this was built, and where the sources of its dependencies lay, is nobody's business.
  home=${CARGO_HOME:-$HOME/.cargo}
  flags="--remap-path-prefix=$root=agentmd --remap-path-prefix=$home=cargo"
  case $target in *-apple-*) ;; *) flags+=" -C target-feature=+crt-static" ;; esac
  # A static program does not find the C library's `getrandom` by its name, and would want /dev/random instead.
  case $target in *-linux-*) flags+=' --cfg getrandom_backend="linux_getrandom"' ;; esac
  export RUSTFLAGS="$flags" CARGO_PROFILE_DIST_STRIP=symbols CARGO_INCREMENTAL=0
  case $target in *-msvc) ;; *) export CFLAGS="${CFLAGS:-} -ffile-prefix-map=$root=agentmd -ffile-prefix-map=$home=cargo" ;; esac
  cargo build --profile dist --locked --target "$target"
  program=$build/$target/dist/agentmd$suffix
fi
if [[ $target = *-linux-* ]] && ldd "$program" 2>&1 | grep '=>'; then
  echo "these libraries are not in the program" >&2
  exit 1
fi

name=agentmd-$version-$target
folder=$root/target/archives/$name
rm -rf "$folder" "$folder".*
mkdir -p "$folder/completions"
cp "$program" "$folder/agentmd$suffix"
cp README.md CHANGELOG.md LICENSE-MIT LICENSE-APACHE "$folder"
# A program for another system cannot say these; they are the same on all.
speaker=${AGENTMD:-$folder/agentmd$suffix}
for shell in bash elvish fish powershell zsh; do
  "$speaker" completions "$shell" >"$folder/completions/agentmd.$shell"
done
"$speaker" manual "$folder/man"
# One time for all files: that of the last commit.
time=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
archive=$(basename "$(python3 packaging/archive.py "$folder" "$time")")
cd target/archives
if command -v sha256sum >/dev/null; then sha256sum "$archive"; else shasum -a 256 "$archive"; fi >"$archive.sha256"
megabytes() { wc -c <"$1" | awk '{printf "%.1f MB", $1 / 1e6}'; }
printf '%s: %s, of which the program is %s\n' "target/archives/$archive" "$(megabytes "$archive")" "$(megabytes "$folder/agentmd$suffix")"
