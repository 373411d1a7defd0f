"""Helix on a virtual screen: keys in, text out."""

import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import time

PATIENCE = 20  # seconds: a debug build on a busy machine
ASK_AGAIN = 3
WIDTH, HEIGHT = 150, 45
# Distinguishable colours, and styles that nothing else has.
THEME = """
"ui.selection" = { bg = "gray" }
"ui.cursor" = { bg = "white" }
"ui.menu" = { fg = "light-magenta" }
"ui.menu.selected" = { fg = "light-magenta", modifiers = ["reversed"] }
"ui.virtual.inlay-hint" = { fg = "gray", modifiers = ["dim"] }
"diagnostic.error" = { underline = { style = "line" } }
"diagnostic.warning" = { underline = { style = "line" } }
"markup.heading" = "blue"
"markup.raw" = "yellow"
"markup.bold" = "light-green"
"variable" = "cyan"
"attribute" = "cyan"
"string" = "green"
"keyword" = "magenta"
"operator" = "light-red"
"punctuation" = "gray"
"label" = "light-blue"
"""
CONFIG = """
theme = "drive"
[editor]
true-color = true
auto-info = true
color-modes = false
idle-timeout = 50
completion-timeout = 5
[editor.lsp]
display-inlay-hints = true
display-progress-messages = false
[editor.file-picker]
hidden = false
"""


NAMES = ("black", "red", "green", "yellow", "blue", "magenta", "cyan", "light-gray")


class Problem(Exception):
    """An expectation that failed."""


def read(line):
    """A row of the terminal: characters with their attributes."""
    row, colour, looks = [], None, set()
    for piece in re.finditer(r"\x1b\[([0-9;:]*)m|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|(.)", line):
        for code in piece[1].split(";") if piece[1] is not None else ():
            number = int(code.partition(":")[0] or 0)
            if number == 0:
                colour, looks = None, set()
            elif number in (4, 7):
                looks.add({4: "underlined", 7: "reversed"}[number])
            elif number in (24, 27):
                looks.discard({24: "underlined", 27: "reversed"}[number])
            elif 30 <= number <= 37 or 90 <= number <= 97:
                colour = ("light-" if number > 37 else "") + NAMES[number % 10]
            elif number == 39:
                colour = None
        if piece[2]:
            row.append((piece[2], frozenset(looks | {colour})))
    return row


class Helix:
    def __init__(self, program, root, languages, server, grammars=lambda folder: False, queries=None):
        """`server` replaces `agentmd`; `languages` is the file that users copy."""
        self.root = pathlib.Path(root)
        self.home = pathlib.Path(tempfile.mkdtemp(prefix="agentmd-helix"))
        config = self.home / ".config/helix"
        (config / "themes").mkdir(parents=True)
        (config / "config.toml").write_text(CONFIG)
        (config / "themes/drive.toml").write_text(THEME)
        shutil.copyfile(languages, config / "languages.toml")
        if queries:
            shutil.copytree(queries, config / "runtime", dirs_exist_ok=True)
        self.colours = grammars(config / "runtime/grammars")
        (self.home / "bin").mkdir()
        (self.home / "bin/agentmd").symlink_to(server)
        path = f"{self.home}/bin:/usr/bin:/bin"
        self.environment = {"HOME": str(self.home), "PATH": path, "TERM": "xterm-256color", "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8", "SHELL": "/bin/sh"}
        self.program = program
        self.number = 0

    def socket(self):
        # A new socket for each start, because a server that is ending still listens for a moment.
        return str(self.home / f"tmux{self.number}")

    def tmux(self, *words):
        done = subprocess.run(["tmux", "-S", self.socket(), "-f", "/dev/null", *words], capture_output=True, text=True, env=self.environment)
        if done.returncode != 0:
            raise Problem(f"tmux {words[0]}: {done.stderr.strip()}")
        return done.stdout

    def command(self, *arguments):
        """The program's output."""
        return subprocess.run([self.program, *arguments], capture_output=True, text=True, env=self.environment, cwd=self.root).stdout

    def start(self, *files, folder=None):
        """Starts the editor, replacing a running one."""
        self.stop()
        self.number += 1
        self.log = self.home / f"{self.number}.log"
        words = ["new-session", "-d", "-s", "helix", "-x", str(WIDTH), "-y", str(HEIGHT), "-c", str(folder or self.root)]
        # The screen should not depend on how the keys are grouped.
        self.tmux(*words, self.program, "-v", "--log", str(self.log), *files, ";", "set", "-s", "escape-time", "0")
        self.wait("the first screen", lambda: " NOR " in self.text())

    def stop(self):
        subprocess.run(["tmux", "-S", self.socket(), "kill-server"], capture_output=True, env=self.environment)

    def close(self):
        self.stop()
        shutil.rmtree(self.home, ignore_errors=True)

    def text(self):
        return self.tmux("capture-pane", "-t", "helix", "-p")

    def shown(self):
        """The contents of the screen, if there is one."""
        try:
            return "\n".join(row.rstrip() for row in self.text().splitlines() if row.strip(" ~"))
        except Problem as problem:
            return str(problem)

    def cells(self):
        """The rows of the screen, each a list of characters with their attributes: a set of `red`, `underlined` and so on."""
        return [read(line) for line in self.tmux("capture-pane", "-t", "helix", "-p", "-e").split("\n")]

    def key(self, *names):
        """Presses keys one at a time: an escape sent together with the next key would be a different key."""
        for name in names:
            self.tmux("send-keys", "-t", "helix", name)
            if name == "Escape":
                time.sleep(0.03)

    def type(self, text):
        self.tmux("send-keys", "-t", "helix", "-l", "--", text)

    def wait(self, what, probe):
        end = time.monotonic() + PATIENCE
        while not (found := probe()):
            if time.monotonic() > end:
                raise Problem(f"timed out waiting for {what}")
            time.sleep(0.02)
        return found

    def sees(self, *parts):
        self.wait(" and ".join(f"`{part}`" for part in parts), lambda: all(part in self.text() for part in parts))
        return True

    def misses(self, part):
        self.wait(f"`{part}` to go", lambda: part not in self.text())
        return True

    def mode(self, name):
        self.wait(f"the mode {name}", lambda: f"\n {name} " in self.text())

    def coloured(self, colour):
        """The strings on the screen in one colour."""
        found = []
        for row in self.cells():
            run = ""
            for sign, looks in [*row, ("", frozenset())]:
                if colour in looks:
                    run += sign
                elif run:
                    found.append(run.strip())
                    run = ""
        return [text for text in found if text]

    def run(self, command):
        """A typable command."""
        self.key("Escape")
        self.mode("NOR")
        self.type(":" + command)
        self.sees(":" + command)
        self.key("Enter")

    def open(self, path):
        self.run(f"open {path}")
        self.wait(f"the file {path}", lambda: re.search(rf"^ NOR .*{re.escape(pathlib.PurePath(path).name)}", self.text(), re.M))

    def go(self, text):
        """Selects the first occurrence of `text` in the file."""
        self.key("Escape", "g", "g")
        self.type("/" + re.sub(r"([^\w\s]|_)", lambda found: "\\" + found[0] if found[0].isascii() and found[0] != "_" else found[0], text))
        # tmux would interpret a semicolon at the end of a word.
        self.key("Enter", "M-\\;", "\\;")

    def offered(self):
        """The rows of the menu."""
        return self.coloured("light-magenta")

    def offers(self, *labels):
        """Waits for a menu in insert mode. Helix asks once after a pause in typing, and drops an answer that a redraw overtakes,
        so on a busy machine it must be asked again."""
        asked = time.monotonic()

        def shown():
            nonlocal asked
            rows = self.offered()
            if not rows and time.monotonic() > asked + ASK_AGAIN:
                asked = time.monotonic()
                self.key("C-x")
            return all(any(label in row for row in rows) for label in labels)

        self.wait(f"a menu with {labels}", shown)

    def take(self, title):
        """Selects a row of the menu; the first one is selected when it opens."""
        self.wait(f"a menu with `{title}`", lambda: title in self.text() and self.selected())
        for _ in range(30):
            before = self.selected()
            if title in before:
                self.key("Enter")
                return
            self.key("Tab")
            self.wait("another row of the menu", lambda: self.selected() not in ("", before))
        raise Problem(f"`{title}` cannot be chosen")

    def selected(self):
        """The selected row of the menu."""
        return " ".join("".join(sign for sign, looks in row if "reversed" in looks) for row in self.cells()[:-3]).strip()

    def underlined(self):
        found = []
        for row in self.cells():
            run = ""
            for sign, looks in [*row, ("", frozenset())]:
                if "underlined" in looks:
                    run += sign
                elif run:
                    found.append(run)
                    run = ""
        return found

    def servers(self):
        """The servers that this editor has started."""
        found = []
        for entry in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                words = (entry / "cmdline").read_bytes().split(b"\0")
                alive = (entry / "stat").read_text().rpartition(")")[2].split()[0] != "Z"
                ours = alive and words[0].endswith(b"agentmd") and words[1:2] == [b"server"]
                if ours and f"HOME={self.home}\0".encode() in (entry / "environ").read_bytes():
                    found.append(int(entry.name))
            except OSError:
                continue
        return found

    def messages(self):
        """The messages between editor and server."""
        return self.log.read_text() if self.log.exists() else ""
