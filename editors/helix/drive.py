#!/usr/bin/env python3
"""Tests the server in a real Helix: keys in, screen out. `AGENTMD=target/release/agentmd python3 editors/helix/drive.py [WORD…]`

Uses Helix 25.07 from AGENTMD_HELIX or the PATH. On Debian, it unpacks the newest package under `target/` and installs nothing.
The screen is tmux. If Helix or tmux isn't available, it prints that and exits with status 0. Words select steps."""

import os
import pathlib
import re
import shutil
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "drive"))

import install  # noqa: E402
import screen  # noqa: E402

SERVER = os.path.abspath(os.environ.get("AGENTMD") or install.ROOT / "target/release/agentmd")
TRIAGE = """---
name: triage
description: Sorts the tickets of a day and drafts an answer
input:
  type: object
  properties:
    customer:
      type: object
      properties:
        name: { type: string, description: What we call them }
        email: { type: string }
      required: [name, email]
    tickets: { type: array, items: { type: string } }
  required: [customer, tickets]
output:
  type: object
  properties:
    urgent: { type: boolean }
  required: [urgent]
---

# Triage

Dear {{ .customer.nmae }}, 日本 😀 {{ .customer.email }}
{{ range $ticket := .tickets }}{{ $ticket }}{{ end }}

## Answer

Write `guide::heading:h2[7]` down.
"""
HELPER = "---\nname: sort\ndescription: Sorts\ninput: { type: object }\noutput: { type: object, properties: { ok: { type: boolean } } }\n---\n\nSort.\n"
MAIN = HELPER.replace("name: sort", "name: main").replace("output:", "imports:\n  - ./sort.md\noutput:")
REPLY = """Here you are. 🦆

greet.txt
<<<<<<< SEARCH
Hello world
=======
Hei maailma
>>>>>>> REPLACE

new/deep.py
<<<<<<< SEARCH
=======
print("日本")
>>>>>>> REPLACE

greet.txt
<<<<<<< SEARCH
The end.
=======
Loppu.
>>>>>>> REPLACE
"""
DUCK = """[REASONING]
Why.

[CONFIDENCE] 0.9
[MOOD] 0.9
[FOCUS] 0.9
[STAMINA] 0.9

[ACTION_0_TYPE] create_file
[ACTION_0_PATH] made/a.txt
[ACTION_0_CONTENT_START]
one
[ACTION_0_CONTENT_END]

[ACTION_1_TYPE] finish
[ACTION_1_RESULT] done
"""
FILES = {
    "agentmd.toml": "",
    "triage.md": TRIAGE,
    "guide.md": "# Guide\n\n## Setup\n\nRun it.\n\n## Use\n\nLong text.\n",
    "dos.md": "---\nname: notes\ndescription: Use when: asked 🦆\n---\n\n# Notes\n".replace("\n", "\r\n"),
    "locked.md": "---\nname: locked\ndescription: Use when: asked\n---\n\n# Locked\n",
    "main.md": MAIN,
    "sort.md": HELPER,
    "reply.md": REPLY,
    "duck.md": DUCK,
    "greet.txt": "Hello world\nThe middle.\nThe end.\n",
    "fences.md": "# Fences\n\nA **bold** {{ .action }}.\n\n```src/b.c\nint named;\n```\n\n```c\nint plain;\n```\n\n```llmd\n# Inside\n```\n",
    "pack.md": "# Prompt\n\n## Context\n\n### Code (from greet.txt:1-2)\n```\nold\n```\n\n## Request\n\nGo.\n",
}
steps = []


def step(run):
    steps.append(run)
    return run


def content(path):
    """The content of a file. Helix moves a file aside while it rewrites it."""
    try:
        return path.read_bytes().decode()
    except FileNotFoundError:
        return None


@step
def health(helix):
    said = re.sub(r"\x1b\[[0-9;]*m", "", helix.command("--health", "markdown"))
    return f"✓ agentmd: {helix.home}" in said


@step
def findings(helix):
    helix.open("triage.md")
    helix.sees("has no field `nmae`")
    return helix.wait("the underline", lambda: "nmae" in helix.underlined()) and helix.underlined()


@step
def inlay_hints(helix):
    return helix.sees("$ticket: string")


@step
def hover(helix):
    helix.go("email }}")
    helix.key("Space", "k")
    return helix.sees("email: required")


@step
def disable(helix):
    """A rule is disabled in place, which is then undone."""
    helix.go("nmae")
    helix.key("Space", "a")
    helix.sees("Disable `markdownlang/unknown-variable` in the workspace")
    helix.take("Disable `markdownlang/unknown-variable` here")
    helix.sees("agentmd-disable")
    helix.key("u")
    return helix.sees("{{ .customer.nmae }}")


@step
def quick_fix(helix):
    helix.go("nmae")
    helix.key("Space", "a")
    helix.take("Replace with `name`")
    return helix.sees("{{ .customer.name }}, 日本 😀 {{ .customer.email }}")


@step
def definition(helix):
    helix.go("email }}")
    helix.key("g", "d")
    return helix.sees(" 11:9")


@step
def references(helix):
    helix.go("email }}")
    helix.key("g", "r")
    helix.sees("triage.md:11")
    helix.sees("triage.md:24")
    helix.key("Escape")
    return True


@step
def highlights(helix):
    helix.go("email }}")
    helix.key("Space", "h")
    helix.sees("3/3 sels")
    helix.key(",")
    return True


@step
def rename(helix):
    helix.go("email }}")
    helix.key("Space", "r")
    helix.sees("rename-to:email")
    helix.key("C-u")
    helix.type("mail")
    helix.key("Enter")
    helix.sees("{{ .customer.mail }}")
    helix.sees("mail: { type: string }")
    helix.sees("required: [name, mail]")
    helix.key("u")
    return helix.sees("{{ .customer.email }}")


@step
def completion(helix):
    helix.go("## Answer")
    helix.key("O")
    helix.mode("INS")
    helix.type("🦆 {{ .customer.")
    helix.offers("email", "name")
    helix.type("em")
    helix.wait("one item", lambda: len(helix.offered()) == 1)
    helix.key("Tab", "Enter")
    helix.sees("🦆 {{ .customer.email }}")
    helix.key("Escape", "x", "d")
    return helix.misses("🦆 {{")


@step
def paths(helix):
    """A file is offered once, although Helix also completes paths."""
    helix.go("## Answer")
    helix.key("O")
    helix.mode("INS")
    helix.type("[guide](./gu")
    helix.offers("guide.md")
    once = [row for row in helix.offered() if "guide.md" in row]
    helix.key("Tab", "Enter")
    helix.sees("[guide](./guide.md")
    helix.key("Escape", "x", "d")
    return helix.misses("[guide]") and len(once) == 1


@step
def margin(helix):
    """Helix indents a new line like the one above; program keys complete anyway."""
    helix.go("required: [customer")
    helix.key("o")
    helix.mode("INS")
    helix.type("mod")
    helix.offers("model")
    helix.key("Tab", "Enter")
    helix.wait("the key at the margin", lambda: re.search(r"^ +\d+  model: gpt", helix.text(), re.M))
    helix.key("Escape", "x", "d")
    return helix.misses("model: gpt")


@step
def signature(helix):
    helix.go("## Answer")
    helix.key("O")
    helix.mode("INS")
    helix.type('{{ printf "%s" ')
    helix.sees("printf")
    shown = helix.wait("the parameters", lambda: [row.strip() for row in helix.text().splitlines() if "format" in row])
    helix.key("Escape", "Escape", "x", "d")
    helix.misses('{{ printf "%s" ')
    return shown[0]


@step
def symbols(helix):
    helix.key("Space", "s")
    helix.sees("10/10", "key      customer", "Answer   Triage")
    helix.key("Escape")
    helix.misses("10/10")
    helix.key("Space", "S")
    # Helix asks for workspace symbols only once some letters have been typed.
    helix.sees("kind name container path")
    helix.type("Setup")
    helix.sees("1/1")
    helix.key("Enter")
    return helix.sees("# Guide", "guide.md")


@step
def selectors(helix):
    helix.open("triage.md")
    helix.go("heading:h2[7]")
    helix.key("Space", "a")
    helix.take("guide::heading:h2[1]")
    helix.sees("Write `guide::heading:h2[1]` down.")
    helix.go("heading:h2[1]")
    helix.key("Space", "k")
    helix.sees("Long text.")
    helix.key("Escape")
    helix.key("g", "d")
    helix.sees("guide.md", " 7:1")
    return True


@step
def edit_block(helix):
    helix.open("reply.md")
    helix.go("Hei maailma")
    helix.key("Space", "k")
    helix.sees("-Hello world", "+Hei maailma")
    helix.key("Escape")
    helix.misses("+Hei maailma")
    helix.key("Space", "a")
    helix.sees("Apply 1 change to greet.txt", "Apply 3 changes")
    helix.key("Escape")
    return helix.misses("Apply 1 change to greet.txt")


@step
def apply(helix):
    helix.go("Here you are")
    helix.key("Space", "a")
    helix.take("Apply 3 changes")
    helix.wait("the new file", lambda: (helix.root / "new/deep.py").exists())
    helix.run("write-all")
    helix.wait("the files", lambda: content(helix.root / "greet.txt") == "Hei maailma\nThe middle.\nLoppu.\n")
    helix.wait("the new file", lambda: content(helix.root / "new/deep.py") == 'print("日本")\n')
    return True


@step
def duckflow(helix):
    helix.open("duck.md")
    helix.go("made/a.txt")
    helix.key("Space", "a")
    helix.take("made/a.txt")
    helix.wait("the new file", lambda: (helix.root / "made/a.txt").exists())
    helix.run("write-all")
    return helix.wait("its text", lambda: content(helix.root / "made/a.txt") == "one\n")


@step
def context_pack(helix):
    helix.open("pack.md")
    helix.go("greet")
    helix.key("Space", "a")
    helix.take("Refresh from the file")
    return helix.sees("Hei maailma", "The middle.")


@step
def carriage_returns(helix):
    helix.open("dos.md")
    helix.go("Use when")
    helix.key("Space", "a")
    helix.take("Quote the value")
    helix.sees('description: "Use when: asked 🦆"')
    helix.run("write")
    wanted = FILES["dos.md"].replace("Use when: asked 🦆", '"Use when: asked 🦆"')
    return helix.wait("the file", lambda: content(helix.root / "dos.md") == wanted)


@step
def move(helix):
    helix.open("sort.md")
    helix.run("move! helpers/sort.md")
    helix.wait("the file", lambda: (helix.root / "helpers/sort.md").exists())
    helix.open("main.md")
    return helix.sees("- ./helpers/sort.md")


@step
def fix_all(helix):
    helix.open("locked.md")
    helix.go("Use when")
    helix.key("Space", "a")
    helix.take("Fix everything")
    helix.sees('"Use when: asked"')
    helix.key("u")
    return helix.sees(": Use when: asked")


@step
def read_only(helix):
    if os.geteuid() == 0:
        return "skipped: root may write to every file"
    (helix.root / "locked.md").chmod(0o444)
    helix.run("reload")
    helix.go("Use when")
    helix.key("Space", "a")
    helix.take("Quote the value")
    helix.run("write")
    return helix.sees("read only") and content(helix.root / "locked.md") == FILES["locked.md"]


@step
def fences(helix):
    """Embedded languages: our queries compile and include everything that Helix's own queries have."""
    if not helix.colours:
        return "skipped: Neovim's grammars are missing"

    def layers(text):
        helix.go(text)
        helix.run("tree-sitter-layers")
        row = helix.wait("the layers", lambda: re.search(r"\bmarkdown(, [a-z.]+)*\b", helix.text()))[0]
        helix.key("Escape")
        helix.misses(row)
        return row.split(", ")[-1]

    helix.open("fences.md")
    helix.wait("the colours", lambda: "# Fences" in helix.coloured("blue"))
    found = [layers(text) for text in ("int named", "int plain", "Inside", "bold")]
    return found == ["c", "c", "markdown.inline", "markdown.inline"] and "bold" in helix.coloured("light-green")


@step
def crash(helix):
    helix.open("guide.md")
    (server,) = helix.servers()
    os.kill(server, 9)
    # The second one is the error of an unanswered request.
    ends = ("Language server exited", "server closed the stream")
    helix.wait("the end of the server", lambda: any(end in helix.text() for end in ends))
    helix.open("triage.md")
    helix.run("lsp-restart")
    helix.wait("another server", lambda: set(helix.servers()) - {server})
    helix.go("email }}")
    # Helix shows nothing while the server is still starting, so ask repeatedly.
    helix.wait("the answer", lambda: (helix.key("Space", "k"), time.sleep(0.1), "string" in helix.text())[-1])
    return True


@step
def no_folder(helix):
    """Outside a project, there is no root, and each file is checked by itself."""
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "SKILL.md").write_text("---\nname: notes\ndescription: Use when: asked\n---\n\n# Notes\n")
        helix.start("SKILL.md", folder=folder)
        helix.sees("reads as a new key")
        helix.go("Use when")
        helix.key("Space", "a")
        helix.take("Quote the value")
        helix.sees('description: "Use when: asked"')
        said = helix.messages()
        return '"rootUri":null' in said and '"workspaceFolders":[]' in said


def main():
    if not os.access(SERVER, os.X_OK):
        print(f"{SERVER} is not there: build it, or name another with AGENTMD")
        return 1
    try:
        program = install.find()
    except install.Missing as reason:
        print(f"skipped: {reason}")
        return 0
    if not shutil.which("tmux"):
        print("skipped: there is no tmux on this machine")
        return 0
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        (root / ".git").mkdir()
        for name, text in FILES.items():
            (root / name).write_bytes(text.encode())
        helix = screen.Helix(program, root, HERE / "languages.toml", SERVER, install.grammars, HERE / "runtime")
        failed = count = 0
        try:
            helix.start("triage.md")
            for run in steps:
                if sys.argv[1:] and run.__name__ not in sys.argv[1:]:
                    continue
                count += 1
                started = time.monotonic()
                try:
                    good = run(helix)
                except (screen.Problem, OSError, ValueError) as problem:
                    good = None
                    print(problem, helix.shown(), sep="\n")
                failed += not good
                print(f"{'ok  ' if good else 'FAIL'} {run.__name__:16} {1000 * (time.monotonic() - started):5.0f} ms  {good if good is not True else ''}", flush=True)
        finally:
            helix.close()
    print(f"{count - failed} passed, {failed} failed")
    return min(failed, 1)


if __name__ == "__main__":
    sys.exit(main())
