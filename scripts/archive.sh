#!/usr/bin/env bash
# Builds the program for this machine, static and stripped, and packs it: target/archives/agentmd-VERSION-TARGET.tar.gz
set -euo pipefail
cd "$(dirname "$0")/.."
[ "$(uname -s)" = Linux ] || {
  echo "this script makes archives for Linux" >&2
  exit 1
}
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
machine=$(uname -m)
# musl where rustup has it, else the C library of this machine: both end up in the program.
target=$machine-unknown-linux-musl
rustc --print target-libdir --target "$target" 2>/dev/null | xargs -I{} test -d {} || target=$machine-unknown-linux-gnu
export RUSTFLAGS="-C target-feature=+crt-static" CARGO_PROFILE_DIST_STRIP=symbols
cargo build --profile dist --locked --target "$target"

program=target/$target/dist/agentmd
if ldd "$program" 2>&1 | grep -q '=>'; then
  echo "the program needs libraries:" >&2
  ldd "$program" >&2
  exit 1
fi
name=agentmd-$version-$target
folder=target/archives/$name
rm -rf "$folder"
mkdir -p "$folder/completions"
cp "$program" README.md CHANGELOG.md LICENSE-MIT LICENSE-APACHE "$folder"
for shell in bash elvish fish zsh; do
  "$program" completions "$shell" >"$folder/completions/agentmd.$shell"
done
tar -C target/archives --sort=name --owner=0 --group=0 --numeric-owner -czf "$folder.tar.gz" "$name"
(cd target/archives && sha256sum "$name.tar.gz" >"$name.tar.gz.sha256")
printf '%s: %s MB, of which the program is %s MB\n' "$folder.tar.gz" \
  "$(du -b "$folder.tar.gz" | awk '{printf "%.1f", $1 / 1e6}')" "$(du -b "$program" | awk '{printf "%.1f", $1 / 1e6}')"
