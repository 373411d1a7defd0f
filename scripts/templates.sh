#!/usr/bin/env bash
# Renders random templates with Go's text/template and compares agentmd with it. Needs Go and Python.
#
#   scripts/templates.sh SEED [COUNT [SHARE]]   20,000 templates unless told, 12 in 100 with syntax mistakes
set -euo pipefail
cd "$(dirname "$0")/.."
[ $# -ge 1 ] || { sed -n '2,4p' "$0" >&2; exit 2; }

cases=target/templates
mkdir -p "$cases"
go build -o "$cases/oracle" scripts/templates/oracle.go
python3 scripts/templates/generate.py "$1" "${2:-20000}" "${3:-0.12}" | "$cases/oracle" >"$cases/$1.jsonl"
GO_TEMPLATES="$PWD/$cases/$1.jsonl" cargo test --test templates
