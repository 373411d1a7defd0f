#!/bin/sh
# Installs agentmd for this user:
#   curl -fsSL https://github.com/agentmd/agentmd/releases/latest/download/install.sh | sh
# AGENTMD_VERSION chooses a version, AGENTMD_INSTALL_DIR the folder (default ~/.local/bin), AGENTMD_BASE_URL another place
# of the archives. The archive is only unpacked if its checksum is right.
set -eu

version=${AGENTMD_VERSION:-@VERSION@}
folder=${AGENTMD_INSTALL_DIR:-$HOME/.local/bin}
base=${AGENTMD_BASE_URL:-https://github.com/agentmd/agentmd/releases/download/v$version}

fail() {
  echo "agentmd: $1" >&2
  exit 1
}

case $(uname -s) in
  Linux) system=unknown-linux-musl ;;
  Darwin) system=apple-darwin ;;
  *) fail "there is no archive for $(uname -s); see https://github.com/agentmd/agentmd/blob/main/docs/install.md" ;;
esac
case $(uname -m) in
  x86_64 | amd64) machine=x86_64 ;;
  aarch64 | arm64) machine=aarch64 ;;
  *) fail "there is no archive for $(uname -m); see https://github.com/agentmd/agentmd/blob/main/docs/install.md" ;;
esac
target=${AGENTMD_TARGET:-$machine-$system}
name=agentmd-$version-$target
archive=$name.tar.gz

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
get() {
  if command -v curl >/dev/null; then
    curl -fsSL --retry 3 -o "$work/$1" "$base/$1"
  elif command -v wget >/dev/null; then
    wget -q -O "$work/$1" "$base/$1"
  else
    fail "curl or wget is needed"
  fi || fail "$base/$1 can't be downloaded"
}
get "$archive"
get "$archive.sha256"
cd "$work"
if command -v sha256sum >/dev/null; then
  sum=$(sha256sum "$archive" | cut -d ' ' -f 1)
else
  sum=$(shasum -a 256 "$archive" | cut -d ' ' -f 1)
fi
expected=$(cut -d ' ' -f 1 "$archive.sha256")
[ -n "$expected" ] && [ "$sum" = "$expected" ] || fail "the checksum of $archive is wrong: $sum, not $expected. Nothing was installed."
tar -xzf "$archive"
mkdir -p "$folder"
# Renamed into place, so that a server that runs keeps its program.
cp "$name/agentmd" "$folder/.agentmd.new"
chmod 755 "$folder/.agentmd.new"
mv "$folder/.agentmd.new" "$folder/agentmd"
echo "agentmd $version is in $folder"
case :$PATH: in
  *:"$folder":*) ;;
  *) echo "Add $folder to your PATH, so that shells and editors find it." ;;
esac
