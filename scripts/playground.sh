#!/usr/bin/env bash
# Builds the playground, agentmd in a web page, into target/playground, and uses it in Chromium:
#   scripts/playground.sh [--system FOLDER] [--page] [--pictures FOLDER]
#     --system FOLDER    where the compilers are installed (default /var/tmp/agentmd-wasm, 2 GB)
#     --page             builds only the page, with the WebAssembly that is in target/playground-wasm already
#     --pictures FOLDER  takes pictures of every example
# Needs root on a Debian or Ubuntu, debootstrap, Node.js 20, Chromium (CHROMIUM names it), and the registries of Debian,
# crates.io and npm. The compilers are in a Debian system of their own, which has Rust's standard library for WebAssembly.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=/var/tmp/agentmd-wasm page= pictures=()
while [ $# -gt 0 ]; do
  case $1 in
  --system) folder=$2 && shift ;;
  --page) page=1 ;;
  --pictures) pictures=(--pictures "$2") && shift ;;
  *) sed -n '2,8s/^# \{0,1\}//p' "$0" >&2 && exit 2 ;;
  esac
  shift
done
# shellcheck source=scripts/debian_system.sh
. scripts/debian_system.sh
wasm=target/playground-wasm target=wasm32-wasip1

if [ -z "$page" ]; then
  debian_system "$folder" cargo rustc libstd-rust-dev-wasm32 gcc libc6-dev lld binaryen
  echo 'export CARGO_TARGET_WASM32_WASIP1_LINKER=wasm-ld' >>"$folder/root/environment"
  copy_sources
  # One after the other: together, they would share the features of their dependencies.
  for module in desk tokenizers; do
    step "$module for $target"
    inside "cd playground && cargo build --locked --release --target $target --package agentmd-$module"
  done
  mkdir -p "$wasm"
  for module in desk tokenizers; do
    step "$module, made smaller"
    inside "wasm-opt -Os --enable-bulk-memory --enable-nontrapping-float-to-int --enable-sign-ext --enable-simd --enable-mutable-globals \
      --enable-multivalue --enable-reference-types /target/$target/release/agentmd_$module.wasm -o /target/$module.wasm"
    cp "$folder/target/$module.wasm" "$wasm/"
  done
fi

step "the page"
(cd playground && { [ -d node_modules ] || npm ci --silent; } && npm run --silent check && node build.mjs --out ../target/playground \
  --wasm "agentmd=../$wasm/desk.wasm" --wasm "tokenizers=../$wasm/tokenizers.wasm")

step "the page in Chromium"
node playground/drive.mjs target/playground --chromium "${CHROMIUM:-/usr/bin/chromium}" "${pictures[@]}"
