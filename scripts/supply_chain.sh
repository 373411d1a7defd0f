#!/usr/bin/env bash
# What the dependencies are: licences, known vulnerabilities, bans and sources with cargo-deny, and the list of those that
# run code while they are built, which must be the one in `packaging/build-code.txt`.
#   scripts/supply_chain.sh [--offline]    --offline leaves out the database of vulnerabilities
#   scripts/supply_chain.sh --accept       writes the list anew, after somebody has read what is new in it
set -euo pipefail
cd "$(dirname "$0")/.."
list=packaging/build-code.txt
# Dependencies of the program for any target, with a build script or as a procedural macro.
current=$(cargo metadata --locked --all-features --format-version 1 | python3 -c '
import json, sys
found = set()
for package in json.load(sys.stdin)["packages"]:
    if package["source"] is None:
        continue
    for target in package["targets"]:
        for kind in target["kind"]:
            if kind in ("custom-build", "proc-macro"):
                found.add((package["name"], kind.replace("custom-build", "build script").replace("proc-macro", "procedural macro")))
for name, kind in sorted(found):
    print(f"{name}: {kind}")
')
if [ "${1:-}" = --accept ]; then
  echo "$current" >$list
  exit
fi
diff -u --label accepted --label now $list - <<<"$current" || {
  echo "These dependencies run code while agentmd is built. Read what is new, then run scripts/supply_chain.sh --accept." >&2
  exit 1
}
command -v cargo-deny >/dev/null || {
  echo "cargo-deny is missing: cargo install --locked cargo-deny" >&2
  exit 1
}
if [ "${1:-}" = --offline ]; then
  cargo deny --offline --all-features check licenses bans sources
else
  cargo deny --all-features check
fi
