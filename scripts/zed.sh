#!/usr/bin/env bash
# Builds Zed's extension for the target that Zed uses, looks at what it imports and exports, and runs it:
#   scripts/zed.sh [--system FOLDER]
# Needs root on a Debian or Ubuntu, debootstrap, Node.js 20, and the registries of Debian, crates.io and npm; it uses the system
# that `scripts/playground.sh` installs (default /var/tmp/agentmd-wasm). AGENTMD names the program (default target/debug/agentmd).
set -euo pipefail
cd "$(dirname "$0")/.."
folder=/var/tmp/agentmd-wasm
[ "${1:-}" != --system ] || folder=$2
# shellcheck source=scripts/debian_system.sh
. scripts/debian_system.sh
debian_system "$folder" cargo rustc libstd-rust-dev-wasm32 gcc libc6-dev lld wasm-tools
# Debian's Rust has the standard library for this target, but not the linker that makes components.
echo 'export CARGO_TARGET_WASM32_WASIP2_LINKER=/root/.cargo/bin/wasm-component-ld' >>"$folder/root/environment"
[ -x "$folder/root/.cargo/bin/wasm-component-ld" ] || {
  step "the linker of components"
  inside "cargo install --locked --root /root/.cargo wasm-component-ld"
}
copy_sources

step "the extension"
inside "cd editors/zed && cargo build --release --target wasm32-wasip2"
component=/target/wasm32-wasip2/release/agentmd_zed.wasm
ls -l "$folder$component"

step "a component with Zed's interface"
inside "wasm-tools validate $component && wasm-tools component wit $component" >"$folder/target/zed.wit"
grep -E '^  (import|export) ' "$folder/target/zed.wit"
# Zed refuses an extension without the version of the interface.
inside "wasm-tools objdump $component" | grep -F zed:api-version

step "the extension in Node.js, with a host that answers like Zed"
mkdir -p target/zed
cp "$folder$component" target/zed/
(cd editors/zed/drive && { [ -d node_modules ] || npm ci --silent; } && node drive.mjs ../../../target/zed/agentmd_zed.wasm "${AGENTMD:-../../../target/debug/agentmd}")
