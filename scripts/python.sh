#!/usr/bin/env bash
# Builds the component of the `python` tool: CPython and the modules of scripts/python/app.py, as WebAssembly. Needs Python 3
# with venv, and PyPI for componentize-py.
#
#   scripts/python.sh            installs it in the folder where agentmd looks for it
#   scripts/python.sh FOLDER     writes it there
#
# The file beside it has its SHA-256. agentmd built with AGENTMD_PYTHON_SHA256 set to it accepts no other component.
set -euo pipefail
cd "$(dirname "$0")/.."

VERSION=0.25.1
case "$(uname -s)" in
  Darwin) data="$HOME/Library/Application Support" ;;
  *) data=${XDG_DATA_HOME:-$HOME/.local/share} ;;
esac
folder=${1:-$data/agentmd}
tools=target/componentize

if [ ! -x "$tools/bin/componentize-py" ] || [ "$("$tools/bin/componentize-py" --version)" != "componentize-py $VERSION" ]; then
  rm -rf "$tools"
  python3 -m venv "$tools"
  "$tools/bin/pip" install --quiet --disable-pip-version-check "componentize-py==$VERSION"
fi
mkdir -p "$folder"
"$tools/bin/componentize-py" -d scripts/python/wit -w interpreter componentize -p scripts/python app -o "$folder/python.wasm.new" >/dev/null
(
  cd "$folder"
  mv python.wasm.new python.wasm
  if command -v sha256sum >/dev/null; then sha256sum python.wasm; else shasum -a 256 python.wasm; fi >python.wasm.sha256
)
echo "$folder/python.wasm"
