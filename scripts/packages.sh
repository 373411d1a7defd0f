#!/usr/bin/env bash
# Makes a package for npm and one for PyPI of a program that is built: target/packages/
#   scripts/packages.sh [PROGRAM]     default: the one that scripts/archive.sh left, else target/release/agentmd
# A program for everybody is one of scripts/archive.sh: any other needs the libraries of the machine that it was built on.
set -euo pipefail
cd "$(dirname "$0")/.."
program=${1:-$(ls -t target/*/dist/agentmd target/release/agentmd 2>/dev/null | head -n 1)}
[ -x "$program" ] || {
  echo "there is no program; run scripts/archive.sh first, or name one" >&2
  exit 1
}
version=$("$program" --version | sed 's/^agentmd //')
out=$PWD/target/packages
mkdir -p "$out"

python3 packaging/pypi/wheel.py "$program" "$version" "$out"

# One package with the program for a platform, one that starts whichever of these is installed.
platform=$(node -p '`${process.platform}-${process.arch}`')
stage=$out/npm
rm -rf "$stage"
mkdir -p "$stage/agentmd" "$stage/platform/bin"
cp packaging/npm/agentmd.js README.md LICENSE-MIT LICENSE-APACHE "$stage/agentmd"
cp "$program" "$stage/platform/bin/agentmd"
cp LICENSE-MIT LICENSE-APACHE "$stage/platform"
node packaging/npm/manifests.js "$version" "$platform" "$stage"
for package in "$stage/platform" "$stage/agentmd"; do
  npm pack --silent --pack-destination "$out" "$package"
done
rm -rf "$stage"
ls -l "$out"
