#!/usr/bin/env bash
# Makes npm and PyPI packages from a built program, in target/packages/:
#   scripts/packages.sh [PROGRAM [PLATFORM]]
# PROGRAM defaults to the result of scripts/archive.sh, then to target/release/agentmd. PLATFORM is npm's name for its
# platform (linux-x64, win32-x64, ...); by default this machine.
# To distribute the packages, use scripts/archive.sh: other programs need the libraries of the machine they were built on.
set -euo pipefail
cd "$(dirname "$0")/.."
program=${1:-$(ls -t target/archives/*/agentmd target/*/dist/agentmd target/release/agentmd 2>/dev/null | head -n 1)}
[ -f "$program" ] || {
  echo "no program found; run scripts/archive.sh first, or name one" >&2
  exit 1
}
platform=${2:-$(node -p '`${process.platform}-${process.arch}`')}
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
case $platform in win32-*) suffix=.exe ;; *) suffix= ;; esac
out=$PWD/target/packages
mkdir -p "$out"

python3 packaging/pypi/wheel.py "$program" "$version" "$platform" "$out"

# One package with the program for a platform, and one that starts the installed one.
stage=$out/npm
rm -rf "$stage"
mkdir -p "$stage/agentmd" "$stage/platform/bin"
cp packaging/npm/agentmd.js packaging/npm/platforms.json README.md LICENSE-MIT LICENSE-APACHE "$stage/agentmd"
install -m 755 "$program" "$stage/platform/bin/agentmd$suffix"
cp LICENSE-MIT LICENSE-APACHE "$stage/platform"
node packaging/npm/manifests.js "$version" "$platform" "$stage"
for package in "$stage/platform" "$stage/agentmd"; do
  npm pack --silent --pack-destination "$out" "$package"
done
rm -rf "$stage"
ls -l "$out"
