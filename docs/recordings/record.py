#!/usr/bin/env python3
"""Records what a person sees who types into Neovim with agentmd: an animated SVG, and the terminal's bytes as asciicast.

    docs/recordings/record.py SESSION [--nvim PATH] [--agentmd PATH]

needs `pip install pyte`. A session is a Python file in this folder: FILES (path to content), OPEN, and STEPS, each the
keys to type, the seconds to look at the result, and a caption.
"""
import argparse
import fcntl
import html
import json
import os
import pty
import runpy
import select
import shutil
import signal
import struct
import tempfile
import termios
import time
from pathlib import Path

import pyte

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
COLUMNS, LINES = 108, 30
# Between two keys of a step: a quick typist.
BETWEEN_KEYS = 0.06
NAMED = {"<Esc>": "\x1b", "<CR>": "\r", "<Tab>": "\t", "<C-n>": "\x0e", "<C-y>": "\x19", "<C-x>": "\x18", "<C-o>": "\x0f", "<C-u>": "\x15", "<C-l>": "\x0c", "<C-w>": "\x17", "<Space>": " ", "<BS>": "\x7f"}
PALETTE = {
    "black": "#282c34", "red": "#e06c75", "green": "#98c379", "brown": "#e5c07b", "blue": "#61afef", "magenta": "#c678dd",
    "cyan": "#56b6c2", "white": "#abb2bf", "brightblack": "#7f848e", "brightred": "#ff7b86", "brightgreen": "#b5e890",
    "brightbrown": "#ffd68a", "brightblue": "#7cc3ff", "brightmagenta": "#d9a0ee", "brightcyan": "#7fd6df", "brightwhite": "#ffffff",
}


class Terminal:
    def __init__(self, command, environment, folder):
        self.screen = pyte.Screen(COLUMNS, LINES)
        self.stream = pyte.ByteStream(self.screen)
        self.events, self.frames = [], []
        self.start = time.monotonic()
        self.process, self.fd = pty.fork()
        if self.process == 0:
            os.chdir(folder)
            os.execvpe(command[0], command, environment)
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", LINES, COLUMNS, 0, 0))

    def watch(self, seconds, caption, keep=True):
        """Reads what the program draws for this long; every screen that stood still for a moment is a frame."""
        end, changed = time.monotonic() + seconds, False
        while (left := end - time.monotonic()) > 0:
            ready, _, _ = select.select([self.fd], [], [], min(left, 0.03))
            if ready:
                try:
                    data = os.read(self.fd, 65536)
                except OSError:
                    return
                self.events.append((time.monotonic() - self.start, data))
                self.stream.feed(data)
                changed = True
            elif changed and keep:
                self.frame(caption)
                changed = False
        if keep:
            self.frame(caption)

    def frame(self, caption):
        rows = [[self.screen.buffer[row][column] for column in range(COLUMNS)] for row in range(LINES)]
        cursor = (self.screen.cursor.y, self.screen.cursor.x)
        self.frames.append((time.monotonic() - self.start, rows, cursor, caption))

    def type(self, keys, caption):
        index = 0
        while index < len(keys):
            name = next((name for name in NAMED if keys.startswith(name, index)), keys[index])
            index += len(name)
            os.write(self.fd, NAMED.get(name, name).encode())
            self.watch(BETWEEN_KEYS, caption)

    def stop(self):
        os.kill(self.process, signal.SIGKILL)
        os.waitpid(self.process, 0)


def color(name, default):
    if name == "default":
        return default
    return PALETTE.get(name, f"#{name}")


def runs(row):
    """Neighbouring cells of one look: column, text, look."""
    start, text, look = 0, "", None
    for column, cell in enumerate(row):
        foreground, background = color(cell.fg, "#abb2bf"), color(cell.bg, "#1e2127")
        if cell.reverse:
            foreground, background = background, foreground
        next_look = (foreground, background, cell.bold, cell.italics, cell.underscore)
        if next_look != look:
            if text:
                yield start, text, look
            start, text, look = column, "", next_look
        text += cell.data
    if text:
        yield start, text, look


def svg(frames, title):
    """One group a frame, shown one after another. Rows that stay the same are written once and used again."""
    width, height, bar = 8.4, 18, 34
    distinct = []
    for frame in frames:
        if not distinct or frame[1:] != distinct[-1][1:]:
            distinct.append(frame)
    first, total = distinct[0][0], frames[-1][0] - distinct[0][0] + 2.0
    rows, out, style = {}, [], []
    for index, (at, screen, (line, column), caption) in enumerate(distinct):
        until = distinct[index + 1][0] - first if index + 1 < len(distinct) else total
        begin, finish = 100 * (at - first) / total, 100 * until / total
        style.append(f"@keyframes f{index}{{0%{{opacity:0}}{begin:.3f}%{{opacity:1}}{finish:.3f}%{{opacity:0}}}}#f{index}{{animation:f{index} {total:.2f}s step-end infinite}}")
        body = []
        for number, row in enumerate(screen):
            drawn = "".join(cells(row, width, height))
            if drawn:
                name = rows.setdefault(drawn, f"r{len(rows)}")
                body.append(f'<use href="#{name}" y="{number * height}"/>')
        body.append(f'<rect x="{column * width:.1f}" y="{line * height}" width="{width}" height="{height}" fill="#abb2bf" opacity=".55"/>')
        body.append(f'<text class="c" x="6" y="{LINES * height + 22}">{html.escape(caption)}</text>')
        out.append(f'<g id="f{index}" opacity="0">{"".join(body)}</g>')
    symbols = "".join(f'<g id="{name}">{drawn}</g>' for drawn, name in rows.items())
    page = (COLUMNS * width, LINES * height + bar)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {page[0]:.0f} {page[1]}" font-family="ui-monospace,Menlo,Consolas,monospace" font-size="14">'
        f"<title>{html.escape(title)}</title><style>text{{white-space:pre}}.c{{fill:#e5c07b;font-size:15px}}{''.join(style)}</style>"
        f'<defs>{symbols}</defs><rect width="100%" height="100%" rx="6" fill="#1e2127"/>{"".join(out)}</svg>\n'
    )


def cells(row, width, height):
    for column, text, (foreground, background, bold, italic, underline) in runs(row):
        x, length = column * width, len(text) * width
        # Not every viewer keeps blanks at the ends of text.
        lead, bare = len(text) - len(text.lstrip(" ")), text.strip(" ")
        if background != "#1e2127":
            yield f'<rect x="{x:.1f}" width="{length:.1f}" height="{height}" fill="{background}"/>'
        if text.strip():
            look = (' font-weight="bold"' if bold else "") + (' font-style="italic"' if italic else "") + (' text-decoration="underline"' if underline else "")
            yield f'<text x="{x + lead * width:.1f}" y="14" fill="{foreground}" textLength="{len(bare) * width:.1f}"{look}>{html.escape(bare)}</text>'
        elif underline:
            yield f'<rect x="{x:.1f}" y="15" width="{length:.1f}" height="1" fill="{foreground}"/>'


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("session")
    parser.add_argument("--nvim", default=str(ROOT / "target/editors/bin/nvim"))
    parser.add_argument("--agentmd", default=str(ROOT / "target/debug/agentmd"))
    given = parser.parse_args()
    session = runpy.run_path(str(HERE / f"{given.session}.py"))
    folder = Path(tempfile.mkdtemp(prefix="session-"))
    try:
        (folder / "work" / ".git").mkdir(parents=True)
        for path, content in session["FILES"].items():
            (folder / "work" / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / "work" / path).write_text(content)
        environment = dict(
            os.environ, TERM="xterm-256color", COLORTERM="truecolor", HOME=str(folder), XDG_STATE_HOME=str(folder), XDG_CACHE_HOME=str(folder), NVIM_LOG_FILE=str(folder / "log"),
            PATH=f"{Path(given.agentmd).resolve().parent}:{os.environ['PATH']}",
        )
        settings = "set noswapfile updatetime=100 shortmess+=I completeopt=menuone,noselect,popup noruler laststatus=0 signcolumn=yes rtp^=" + str(ROOT / "editors/nvim")
        command = [given.nvim, "--clean", "-n", "--cmd", settings, "-c", "lua " + session.get("SETUP", "do end"), session["OPEN"]]
        terminal = Terminal(command, environment, folder / "work")
        terminal.watch(3.0, "", keep=False)
        for keys, seconds, caption in session["STEPS"]:
            terminal.type(keys, caption)
            terminal.watch(seconds, caption)
        terminal.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    (HERE / f"{given.session}.svg").write_text(svg(terminal.frames, session["TITLE"]))
    with open(HERE / f"{given.session}.cast", "w") as out:
        out.write(json.dumps({"version": 2, "width": COLUMNS, "height": LINES, "title": session["TITLE"]}) + "\n")
        for at, data in terminal.events:
            out.write(json.dumps([round(at, 3), "o", data.decode("utf-8", "replace")]) + "\n")
    # What stood on the screen at the end of each step, for whoever has no eyes for moving pictures.
    shown, last = [], None
    for _, rows, _, caption in terminal.frames:
        if last is not None and caption != last[1]:
            shown.append(last)
        last = (rows, caption)
    shown.append(last)
    with open(HERE / f"{given.session}.txt", "w") as out:
        for rows, caption in shown:
            text = "\n".join("".join(cell.data for cell in row).rstrip() for row in rows).rstrip()
            out.write(f"== {caption}\n\n{text}\n\n")


if __name__ == "__main__":
    main()
