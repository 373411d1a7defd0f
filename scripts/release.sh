#!/usr/bin/env bash
# Builds what a release consists of, in target/release-artefacts/, installs each artefact into an empty home, checks
# `examples/` with it, and prints a table.
#   scripts/release.sh --dry-run [--program FILE]    everything that can be built on this machine
#   scripts/release.sh --target TARGET               the archive and the packages for one target
#   scripts/release.sh --manifests                   what needs the archives of all targets: run it last
# Nothing is published. Needs Python, Node.js with npm, and what `scripts/archive.sh` needs; --program packs a program that
# is already built. It installs cargo-cyclonedx, for the SBOM, into target/tools/ if it's missing.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
out=$root/target/release-artefacts
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
host=$(rustc -vV | sed -n 's/^host: //p')
AGENTMD_COMMIT=$(git rev-parse HEAD)
export AGENTMD_COMMIT
CYCLONEDX=0.5.9
# The largest program that is released, in bytes. It's raised on purpose only: everybody downloads what it grows by.
LARGEST=25500000
step() { printf '\n=== %s (%ss)\n' "$1" "$SECONDS"; }

mode='' target=$host program=''
while [ $# -gt 0 ]; do
  case $1 in
    --dry-run | --manifests) mode=$1 ;;
    --target) mode=$1 target=$2 && shift ;;
    --program) program=$2 && shift ;;
    *) mode='' && break ;;
  esac
  shift
done
[ -n "$mode" ] || {
  sed -n '2,8s/^# \{0,1\}//p' "$0" >&2
  exit 2
}
mkdir -p "$out"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
: >"$work/rows"
# A row of the table: artefact, what became of it.
row() {
  printf '%s\t%s\n' "$1" "$2" >>"$work/rows"
}
# Runs a program as a user's machine would, with an empty home. It must know its version, and find what `examples/` has.
works() {
  local home=$work/home-$RANDOM status=0
  mkdir -p "$home"
  env -i HOME="$home" PATH="$PATH" "$@" --version | grep -qx "agentmd $version" || return 1
  env -i HOME="$home" PATH="$PATH" NO_COLOR=1 "$@" check "$root/examples" >"$home/said" || status=$?
  [ "$status" = 1 ] && grep -q 'markdownlang/missing-field' "$home/said"
}
# A row for something that is tried: its name, what trying it proves, the command.
try() {
  local name=$1 what=$2
  shift 2
  if "$@" >"$work/log" 2>&1; then row "$name" "$what"; else row "$name" "FAILED: $(tail -n 1 "$work/log")" && cat "$work/log" >&2; fi
}

case $target in
  x86_64-*-linux-*) platform=linux-x64 ;;
  aarch64-*-linux-*) platform=linux-arm64 ;;
  x86_64-apple-*) platform=darwin-x64 ;;
  aarch64-apple-*) platform=darwin-arm64 ;;
  x86_64-*-windows-*) platform=win32-x64 ;;
  aarch64-*-windows-*) platform=win32-arm64 ;;
  *) echo "no package is made for $target" >&2 && exit 2 ;;
esac
case $platform in win32-*) suffix=.exe packed=zip ;; *) suffix='' packed=tar.gz ;; esac

archive() {
  step "archive for $target"
  if [ -n "$program" ]; then
    scripts/archive.sh "$target" "$program"
  elif [ "$mode" = --dry-run ]; then
    # The static program of this machine, for whatever C library it has.
    scripts/archive.sh
  else
    scripts/archive.sh "$target"
  fi
  local folder
  folder=$(ls -td target/archives/agentmd-"$version"-*/ | head -n 1)
  name=$(basename "$folder")
  built=$root/target/archives/$name/agentmd$suffix
  cp "target/archives/$name.$packed" "target/archives/$name.$packed.sha256" "$out"
  mkdir -p "$work/archive"
  if [ $packed = zip ]; then
    (cd "$work/archive" && python3 -m zipfile -e "$out/$name.zip" .)
  else
    tar -C "$work/archive" -xzf "$out/$name.$packed"
  fi
  local size
  size=$(wc -c <"$built")
  if [ "$size" -le $LARGEST ]; then
    row "$name.$packed" "the program has $size bytes, of at most $LARGEST"
  else
    row "$name.$packed" "FAILED: the program has $size bytes, more than the limit of $LARGEST"
  fi
  try "$name.$packed" "unpacked, runs" works "$work/archive/$name/agentmd$suffix"
}

packages() {
  step "npm and PyPI packages for $platform"
  rm -rf target/packages
  scripts/packages.sh "$built" "$platform" >/dev/null
  cp target/packages/* "$out"
  local wheel
  wheel=$(basename target/packages/*.whl)
  python3 -m venv "$work/venv"
  try "$wheel" "installed with pip, runs" bash -c "'$work'/venv/bin/pip install --quiet --disable-pip-version-check --no-index '$out/$wheel'"
  works "$work/venv/bin/agentmd" || row "$wheel" "FAILED: it doesn't run"
  mkdir -p "$work/npm"
  try "agentmd-$platform-$version.tgz, agentmd-$version.tgz" "installed with npm, runs" \
    npm install --silent --no-fund --no-audit --offline --omit=optional --prefix "$work/npm" "$out/agentmd-$platform-$version.tgz" "$out/agentmd-$version.tgz"
  works "$work/npm/node_modules/.bin/agentmd" || row "agentmd-$version.tgz" "FAILED: it doesn't run"
}

extension() {
  step "VS Code extension for $platform"
  local folder=editors/vscode vsix=agentmd-vscode-$version-$platform.vsix
  (cd $folder && npm ci --silent && mkdir -p bin && cp "$built" bin/ && npm run --silent package -- --target "$platform" >/dev/null)
  rm -rf $folder/bin
  mv $folder/agentmd.vsix "$out/$vsix"
  mkdir -p "$work/vsix"
  (cd "$work/vsix" && python3 -m zipfile -e "$out/$vsix" .)
  chmod +x "$work/vsix/extension/bin/agentmd$suffix"
  try "$vsix" "unpacked, its program runs; \`editors/vscode/drive.sh\` drives it in VS Code" works "$work/vsix/extension/bin/agentmd$suffix"
}

crate() {
  step "crate"
  cargo package --no-verify --quiet ${DIRTY:+--allow-dirty}
  cp "target/package/agentmd-$version.crate" "$out"
  mkdir -p "$work/crate"
  tar -C "$work/crate" -xzf "$out/agentmd-$version.crate"
  try "agentmd-$version.crate" "resolves with its lock file; not built" \
    cargo metadata --locked --offline --filter-platform "$host" --format-version 1 --manifest-path "$work/crate/agentmd-$version/Cargo.toml"
}

bill() {
  step "SBOM"
  local name=agentmd-$version.cdx.json
  export PATH=$PATH:$root/target/tools/bin
  if cargo cyclonedx --version >/dev/null 2>&1 || cargo install --quiet --locked --root target/tools "cargo-cyclonedx@$CYCLONEDX"; then
    cargo cyclonedx --format json --spec-version 1.5 --override-filename "agentmd-$version.cdx" --quiet
    mv "$name" "$out/$name"
    # It writes one for each crate of the workspace.
    rm -f "benches/times/$name"
    try "$name" "$(python3 -c "import json; print(len(json.load(open('$out/$name'))['components']), 'components')")" true
  else
    row "$name" "not made: cargo-cyclonedx can't be installed"
  fi
}

manifests() {
  step "manifests"
  local draft='' left_out
  [ "$mode" != --dry-run ] || draft=--draft
  left_out=$(python3 packaging/manifests.py "$version" "$out" $draft)
  why() { python3 -c 'import json, sys; print(json.loads(sys.argv[1]).get(sys.argv[2], ""))' "$left_out" "$1"; }
  check() {
    local name=$1 what=$2 reason
    shift 2
    reason=$(why "$name")
    [ -f "$out/$name" ] || { row "$name" "not made: $reason" && return; }
    try "$name" "$what${reason:+; a draft: $reason}" "$@"
  }
  check install.sh "$(sh -n "$out/install.sh" && echo 'parses')" sh -n "$out/install.sh"
  check install.ps1 "written; no PowerShell here" true
  if command -v ruby >/dev/null; then check agentmd.rb "parses as Ruby" ruby -c "$out/agentmd.rb"; else check agentmd.rb "written; no Ruby here" true; fi
  check scoop-agentmd.json "valid JSON" python3 -m json.tool "$out/scoop-agentmd.json"
  check winget-agentmd.yaml "valid YAML" node -e 'const text = require("fs").readFileSync(process.argv[1], "utf8"); if (/@/.test(text.replace(/^#.*/gm, ""))) process.exit(1)' "$out/winget-agentmd.yaml"
  check PKGBUILD "parses as Bash" bash -n "$out/PKGBUILD"
  if command -v nix-instantiate >/dev/null; then check default.nix "parses as Nix" nix-instantiate --parse "$out/default.nix"; else check default.nix "written; no Nix here" true; fi
  check mason-package.yaml "names archives that release.yml makes" archives "$out/mason-package.yaml"
  check melpa-agentmd "names a file of this repository" test -f "$(sed -n 's/.*:files ("\(.*\)").*/\1/p' "$out/melpa-agentmd")"
  check nvim-lspconfig-agentmd.lua "written; tests/nvim.rs starts it" true
  check Containerfile "written; no container engine here" true
}

# Whether each archive of a Mason package is of a target that a release is built for, and has the name that we give it.
archives() {
  python3 - "$1" <<'EOF'
import re, sys
text, targets = open(sys.argv[1]).read(), re.findall(r"target: ([\w-]+)", open(".github/workflows/release.yml").read())
files = re.findall(r"file: agentmd-\{\{ version \| strip_prefix \"v\" \}\}-(\S+?)\.(tar\.gz|zip)\n", text)
wrong = [(target, packed) for target, packed in files if target not in targets or (packed == "zip") != ("windows" in target)]
sys.exit(f"wrong archives: {wrong}" if wrong or len(files) != text.count("- target:") or "@VERSION" in text else 0)
EOF
}

# install.sh, from the artefacts as if they were published, and with a wrong checksum.
installer() {
  step "install.sh"
  local home=$work/installed
  mkdir -p "$home"
  AGENTMD_BASE_URL=file://$out AGENTMD_TARGET=${name#agentmd-"$version"-} HOME=$home sh "$out/install.sh"
  try install.sh "installs this machine's archive, runs" works "$home/.local/bin/agentmd"
  mkdir -p "$work/forged"
  cp "$out/$name.$packed" "$work/forged"
  echo "0000  $name.$packed" >"$work/forged/$name.$packed.sha256"
  if AGENTMD_BASE_URL=file://$work/forged AGENTMD_TARGET=${name#agentmd-"$version"-} HOME=$work/nobody sh "$out/install.sh" 2>"$work/log" || [ -e "$work/nobody" ]; then
    row install.sh "FAILED: it installs an archive with a wrong checksum"
  else
    row install.sh "refuses a wrong checksum, installs nothing"
  fi
}

# The section of the changelog.
notes() {
  awk -v version="$version" '/^## /{on = index($0, version) || (!seen && /nreleased/); seen = seen || on} on' CHANGELOG.md >"$out/NOTES.md"
  [ -s "$out/NOTES.md" ] || { echo "CHANGELOG.md has no section for $version" >&2 && exit 1; }
}

case $mode in
  --target)
    rm -rf "$out"
    mkdir -p "$out"
    archive
    packages
    extension
    ;;
  --manifests)
    crate
    bill
    manifests
    notes
    python3 packaging/provenance.py "$AGENTMD_COMMIT" "$(rustc --version)" "$out" "$out/agentmd-$version.intoto.json"
    ;;
  --dry-run)
    rm -rf "$out"
    mkdir -p "$out"
    archive
    packages
    extension
    crate
    bill
    manifests
    installer
    notes
    python3 packaging/provenance.py "$AGENTMD_COMMIT" "$(rustc --version)" "$out" "$out/agentmd-$version.intoto.json"
    for other in x86_64-unknown-linux-musl aarch64-unknown-linux-musl aarch64-apple-darwin x86_64-apple-darwin x86_64-pc-windows-msvc aarch64-pc-windows-msvc; do
      [ -f "$out/agentmd-$version-$other.$packed" ] || row "agentmd-$version-$other" "not built: needs that target's toolchain; release.yml builds it"
    done
    ;;
esac

step "artefacts"
python3 - "$out" "$work/rows" <<'END'
import hashlib, pathlib, sys
out = pathlib.Path(sys.argv[1])
said = {}
for line in open(sys.argv[2]):
    names, what = line.rstrip("\n").split("\t")
    for name in names.split(", "):
        said.setdefault(name, []).append(what)
rows = ["| Artefact | Size | SHA-256 | Installed and checked |", "|---|---:|---|---|"]
for path in sorted(out.iterdir()):
    if path.suffix == ".sha256" or path.name in ("TABLE.md", "NOTES.md"):
        continue
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    size = path.stat().st_size
    size = f"{size / 1e6:.1f} MB" if size > 100_000 else f"{size} B"
    rows.append(f"| {path.name} | {size} | `{digest[:16]}…` | {'; '.join(said.pop(path.name, ['written']))} |")
rows += [f"| {name} | – | – | {'; '.join(what)} |" for name, what in said.items()]
table = "\n".join(rows) + "\n"
(out / "TABLE.md").write_text(table)
print(table)
sys.exit("FAILED" in table)
END
