#!/usr/bin/env bash
# Tests the program on other systems:
#   scripts/cross.sh windows [FOLDER]     builds it and its tests for Windows and runs them in Wine
#   scripts/cross.sh macos [FOLDER]       type-checks all code for macOS; nothing is linked or run
# Needs root on a Debian or Ubuntu, debootstrap and the registries of Debian and crates.io. It installs a separate system
# into FOLDER (default /var/tmp/agentmd-cross, 5 GB), because the standard library is built from Debian's sources with the
# matching compiler: no rustup target is needed.
set -euo pipefail
cd "$(dirname "$0")/.."
what=${1:-windows}
folder=${2:-/var/tmp/agentmd-cross}
case $what in windows | macos) ;; *) sed -n '2,8s/^# \{0,1\}//p' "$0" >&2 && exit 2 ;; esac
# shellcheck source=scripts/debian_system.sh
. scripts/debian_system.sh
debian_system "$folder" cargo rustc rust-src gcc g++ libc6-dev gcc-mingw-w64-x86-64-win32 wine wine64 cmake git

# Building the standard library needs nightly features; this makes the stable compiler allow them.
cat >>"$folder/root/environment" <<'END'
export RUSTC_BOOTSTRAP=1 CARGO_PROFILE_DEV_DEBUG=none
export CARGO_TARGET_X86_64_PC_WINDOWS_GNU_LINKER=x86_64-w64-mingw32-gcc
export WINEDEBUG=-all XDG_RUNTIME_DIR=/tmp
END
copy_sources

if [ "$what" = macos ]; then
  for target in aarch64-apple-darwin x86_64-apple-darwin; do
    step "types for $target"
    # The C code of dependencies would need Apple's headers. Nothing is linked, so it can be left out.
    inside "export CC=true CXX=true AR=true; cargo check --locked --all-targets --target $target -Zbuild-std=std,panic_unwind,test"
  done
  exit
fi

target=x86_64-pc-windows-gnu
flags="--locked --target $target -Zbuild-std=std,panic_unwind,test"
step "the program and its tests for $target"
inside "cargo build $flags --bin agentmd && cargo test $flags --no-run --lib --test cli --test lsp"
agentmd="wine /target/$target/debug/agentmd.exe"
step "the program in Wine"
inside "$agentmd --version && { $agentmd check examples --statistics || [ \$? = 1 ]; }"
step "its tests in Wine"
failed=0
for part in --lib "--test cli" "--test lsp"; do
  inside "AGENTMD_TESTS_WITHOUT=git,python CARGO_TARGET_X86_64_PC_WINDOWS_GNU_RUNNER=wine cargo test $flags $part --quiet -- --test-threads 2" || failed=1
done
exit $failed
