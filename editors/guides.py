#!/usr/bin/env python3
"""Follows the guides for Neovim, Emacs, Vim and Helix literally, each in an empty home: the code in the guide becomes the editor's
configuration, docs/editors.md names the file to open, and the screen must mark its mistake.

    AGENTMD=target/debug/agentmd python3 editors/guides.py [--runs N] [EDITOR]...

Needs tmux and the editors; those that aren't installed are reported as skipped. AGENTMD_NVIM names Neovim."""

import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROGRAM = pathlib.Path(os.environ.get("AGENTMD") or ROOT / "target/release/agentmd").resolve()
PATIENCE = 30  # seconds: a debug build on a busy machine
WRONG = "Use when: somebody asks for release notes"
MESSAGE = "YAML reads as a new k"


def block(text, language):
    """The first code block in this language, without the indentation of a list."""
    indent, code = re.search(rf"^( *)```{language}\n(.*?)^ *```$", text, re.M | re.S).groups()
    return "".join(line.removeprefix(indent) for line in code.splitlines(keepends=True))


def row(name):
    """The pieces of code in a row of the table of docs/editors.md."""
    table = (ROOT / "docs/editors.md").read_text()
    return re.findall(r"`([^`]+)`", re.search(rf"^\| \*\*{name}\*\*.*$", table, re.M)[0])


def guides():
    """Each guide: the editor, its name, the configuration's path and text, the command."""
    nvim = os.environ.get("AGENTMD_NVIM") or shutil.which("nvim") or str(ROOT / "target/editors/bin/nvim")
    readme = {name: (ROOT / f"editors/{name}/README.md").read_text() for name in ["nvim", "emacs", "vim"]}
    # Debian's ALE is a package that must be added. If ALE is installed in another way, this does nothing.
    ale = "set packpath+=/usr/share/vim/vimfiles\nsilent! packadd! ale\n"
    lines = {name: [part for part in row(title) if part.startswith(starts)] for name, title, starts in [
        ("nvim", "Neovim", "vim."), ("emacs", "Emacs", "("), ("vim", "Vim", ("filetype ", "set ", "let "))]}
    for name, path, command, code, before in [
        ("nvim", ".config/nvim/init.lua", [nvim], "lua", ""),
        ("emacs", ".emacs.d/init.el", ["emacs", "-nw"], "elisp", ""),
        ("vim", ".vimrc", ["vim"], "vim", ale),
    ]:
        yield name, f"editors/{name}/README.md", path, before + block(readme[name], code), command
        yield name, "docs/editors.md", path, before + "\n".join(lines[name]) + "\n", command
    # Helix's guide copies a file. `editors/helix/drive.py` unpacks Debian's package if Helix isn't installed.
    helix = shutil.which("hx") or str(ROOT / "target/editors/helix/hx")
    yield "helix", "editors/helix/README.md", ".config/helix/languages.toml", (ROOT / "editors/helix/languages.toml").read_text(), [helix]


def shown(screen):
    """The pieces of text on a screen that stand out: underlined, bold, or on a coloured background."""
    marked = []
    for line in screen.splitlines():
        looks, text = set(), []
        for escape, letters in re.findall(r"\x1b\[([0-9;:]*)m|([^\x1b]+)", line):
            if letters:
                text.append((bool(looks), letters))
                continue
            for code in (escape or "0").split(";"):
                number = int(code.split(":")[0] or 0)
                if number in (0, 24):
                    looks.discard("line")
                if number in (0, 49, 27):
                    looks.discard("back")
                # Emacs shows no wavy lines in a terminal, but bold text.
                if number in (0, 22):
                    looks.discard("bold")
                if number == 1:
                    looks.add("bold")
                if number == 4:
                    looks.add("line")
                if number in (7, 48) or 40 < number < 48 or 100 <= number < 108:
                    looks.add("back")
        marked += [letters for is_marked, letters in text if is_marked]
    return marked


def follow(name, path, config, command):
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        home = pathlib.Path(folder)
        (home / "src").mkdir()
        (home / "src/agentmd").symlink_to(ROOT)
        (home / ".cargo/bin").mkdir(parents=True)
        (home / ".cargo/bin/agentmd").symlink_to(PROGRAM)
        (home / path).parent.mkdir(parents=True, exist_ok=True)
        (home / path).write_text(config)
        (home / "SKILL.md").write_text(block((ROOT / "docs/editors.md").read_text(), "markdown"))
        socket = str(home / "tmux")
        environment = {"HOME": folder, "PATH": f"{home}/.cargo/bin:/usr/local/bin:/usr/bin:/bin", "TERM": "screen-256color", "LANG": "C.UTF-8"}

        def tmux(*words):
            return subprocess.run(["tmux", "-S", socket, "-f", "/dev/null", *words], capture_output=True, text=True, env=environment)

        tmux("new-session", "-d", "-x", "120", "-y", "30", "-c", folder, "--", *command, "SKILL.md")
        try:
            began, screen = time.monotonic(), ""
            while time.monotonic() - began < PATIENCE:
                time.sleep(0.2)
                screen = tmux("capture-pane", "-p", "-e").stdout
                marks = any(WRONG in text or text in WRONG and len(text) > 8 for text in shown(screen))
                # Helix shows the message next to the line.
                if marks or MESSAGE in screen:
                    return time.monotonic() - began, None
            return None, re.sub(r"\x1b\[[0-9;:]*m", "", screen)
        finally:
            tmux("kill-server")


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--runs", type=int, default=1)
    options.add_argument("editors", nargs="*")
    options = options.parse_args()
    if not shutil.which("tmux"):
        print("skipped: tmux is not installed")
        return 0
    failed = 0
    for name, guide, path, config, command in guides():
        if options.editors and name not in options.editors:
            continue
        if not shutil.which(command[0]):
            print(f"skipped: {name} is not installed")
            continue
        times = []
        for _ in range(options.runs):
            seconds, screen = follow(name, path, config, command)
            if seconds is None:
                failed += 1
                print(f"FAIL {name:6} {guide}: nothing is marked after {PATIENCE} s\n{config}\n{screen}")
                break
            times.append(seconds)
        else:
            print(f"ok   {name:6} {guide}: {len(times)} of {options.runs}, marked after {min(times):.1f} to {max(times):.1f} s")
    return min(failed, 1)


if __name__ == "__main__":
    sys.exit(main())
