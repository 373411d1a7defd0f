#!/usr/bin/env bash
# Runs every fuzz target with AddressSanitizer. Needs a nightly toolchain and cargo-fuzz.
#
#   scripts/fuzz.sh nightly [SECONDS]   each target for so long, an hour by default
#   scripts/fuzz.sh release [RUNS]      each target on the seeds and on so many other inputs, 100,000 by default
set -euo pipefail
cd "$(dirname "$0")/.."

kind=${1:-}
case $kind in
  nightly) limit=-max_total_time=${2:-3600} ;;
  release) limit=-runs=${2:-100000} ;;
  *)
    sed -n '2,5s/^# \{0,1\}//p' "$0" >&2
    exit 2
    ;;
esac
cargo +nightly fuzz --version >/dev/null || {
  echo "cargo-fuzz is missing: rustup toolchain install nightly && cargo install cargo-fuzz" >&2
  exit 1
}

cargo +nightly fuzz build --sanitizer address
failed=()
for file in fuzz/fuzz_targets/*.rs; do
  target=$(basename "$file" .rs)
  mkdir -p "fuzz/corpus/$target"
  printf '\n=== %s\n' "$target"
  # 256 MB for an input, as for every other command.
  cargo +nightly fuzz run --sanitizer address "$target" "fuzz/corpus/$target" fuzz/seeds -- \
    "$limit" -max_len=16384 -timeout=10 -rss_limit_mb=2048 -malloc_limit_mb=256 || failed+=("$target")
done
if [ ${#failed[@]} -gt 0 ]; then
  printf '\n=== FAILED: %s. The inputs are in fuzz/artifacts/.\n' "${failed[*]}" >&2
  exit 1
fi
