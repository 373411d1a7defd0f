#!/usr/bin/env bash
# Builds the program and packs it: target/archives/agentmd-VERSION-TARGET.tar.gz (.zip for Windows), with its checksum.
#   scripts/archive.sh [TARGET [PROGRAM]]     default: this machine; a PROGRAM that is already built is only packed
# On Linux the program is static and has no dependencies. The same sources, toolchain and C compiler make the same bytes,
# in any folder. Packing needs Python.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
build=${CARGO_TARGET_DIR:-$root/target}
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
host=$(rustc -vV | sed -n 's/^host: //p')
target=${1:-$host}
if [ $# = 0 ] && [[ $host = *-linux-* ]]; then
  # musl if rustup has it, else this machine's C library; both are linked statically.
  musl=${host%%-*}-unknown-linux-musl
  [ ! -d "$(rustc --print target-libdir --target "$musl")" ] || target=$musl
fi
case $target in *-windows-*) suffix=.exe ;; *) suffix= ;; esac

program=${2:-}
if [ -z "$program" ]; then
  # Keep the paths of the build and of the dependencies' sources out of the program.
  home=${CARGO_HOME:-$HOME/.cargo}
  flags="--remap-path-prefix=$root=agentmd --remap-path-prefix=$home=cargo"
  case $target in *-apple-*) ;; *) flags+=" -C target-feature=+crt-static" ;; esac
  # A static program can't look up the C library's `getrandom` by name, and would fall back to /dev/random.
  case $target in *-linux-*) flags+=' --cfg getrandom_backend="linux_getrandom"' ;; esac
  # For this target rustc links with lld, which can fold identical functions and pack relocations: that saves a megabyte. The
  # form of names is that of `.cargo/config.toml`, which `RUSTFLAGS` replaces.
  case $target in x86_64-unknown-linux-gnu) flags+=' -C link-arg=-Wl,--icf=all,-z,pack-relative-relocs -C symbol-mangling-version=v0' ;; esac
  export RUSTFLAGS="$flags" CARGO_PROFILE_DIST_STRIP=symbols CARGO_INCREMENTAL=0
  case $target in *-msvc) ;; *) export CFLAGS="${CFLAGS:-} -ffile-prefix-map=$root=agentmd -ffile-prefix-map=$home=cargo" ;; esac
  cargo build --profile dist --locked --target "$target"
  program=$build/$target/dist/agentmd$suffix
fi
if [[ $target = *-linux-* ]] && ldd "$program" 2>&1 | grep '=>'; then
  echo "the program still needs these libraries" >&2
  exit 1
fi

name=agentmd-$version-$target
folder=$root/target/archives/$name
rm -rf "$folder" "$folder".*
mkdir -p "$folder/completions"
cp "$program" "$folder/agentmd$suffix"
cp README.md CHANGELOG.md LICENSE-MIT LICENSE-APACHE "$folder"
# A program for another system can't run here to print these; they're the same everywhere.
speaker=${AGENTMD:-$folder/agentmd$suffix}
for shell in bash elvish fish powershell zsh; do
  "$speaker" completions "$shell" >"$folder/completions/agentmd.$shell"
done
"$speaker" manual "$folder/man"
# All files get the time of the last commit.
time=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
archive=$(basename "$(python3 packaging/archive.py "$folder" "$time")")
cd target/archives
if command -v sha256sum >/dev/null; then sha256sum "$archive"; else shasum -a 256 "$archive"; fi >"$archive.sha256"
megabytes() { wc -c <"$1" | awk '{printf "%.1f MB", $1 / 1e6}'; }
printf '%s: %s, of which the program is %s\n' "target/archives/$archive" "$(megabytes "$archive")" "$(megabytes "$folder/agentmd$suffix")"
