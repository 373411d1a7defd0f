#!/usr/bin/env python3
"""Draws what `agentmd check` prints about one skill for three clients, before and after its fix, as an SVG.

    docs/recordings/fates.py AGENTMD

writes docs/pictures/fates.svg. The text is the program's own, colors included; nothing is added to it.
"""
import html
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

OUT = Path(__file__).resolve().parent.parent / "pictures" / "fates.svg"
SKILL = ".claude/skills/brew-tea/SKILL.md"
TEXT = """---
name: brew-tea
description: Brews tea. Triggers on: kettle, cup, leaves
license: MIT
---

Boil the water first.
"""
CLIENTS = "claude-code,copilot,cline"
COMMANDS = [["check", "--for", CLIENTS, "."], ["check", "--fix", "--for", CLIENTS, "."]]
COLORS = {30: "#5c6370", 31: "#e06c75", 32: "#98c379", 33: "#e5c07b", 34: "#61afef", 35: "#c678dd", 36: "#56b6c2", 37: "#abb2bf"}
FORE, BACK, DIM = "#d7dae0", "#21252b", "#7f848e"
SIZE, WIDTH, HEIGHT, MARGIN, COLUMNS = 14, 8.43, 20, 18, 104


def spans(line):
    """Text with its color and weight, from the escapes of a terminal."""
    color, bold = FORE, False
    for piece in re.split(r"(\x1b\[[0-9;]*m)", line):
        if not piece.startswith("\x1b"):
            if piece:
                yield piece, color, bold
            continue
        for code in (int(part or 0) for part in piece[2:-1].split(";")):
            if code == 0:
                color, bold = FORE, False
            elif code == 1:
                bold = True
            elif code == 2:
                color = DIM
            elif code in (39,):
                color = FORE
            elif code % 10 in range(8) and code // 10 in (3, 9):
                color = COLORS[30 + code % 10]


def wrapped(line):
    """The rows of a line, broken at spaces as a terminal of COLUMNS would be with word wrap."""
    row, length = [], 0
    for text, color, bold in spans(line):
        for word in re.findall(r" *[^ ]+| +", text):
            if length + len(word) > COLUMNS and row:
                yield row
                row, length, word = [], 0, "  " + word.lstrip()
            row.append((word, color, bold))
            length += len(word)
    yield row


def main():
    program = str(Path(sys.argv[1]).resolve())
    lines = []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / SKILL
        path.parent.mkdir(parents=True)
        path.write_text(TEXT)
        environment = {**os.environ, "COLUMNS": "100"}
        for command in COMMANDS:
            answer = subprocess.run([program, "--color", "always", *command], cwd=folder, env=environment, capture_output=True, text=True)
            lines.append(f"\x1b[2m$\x1b[0m \x1b[1magentmd {' '.join(command)}\x1b[0m")
            lines += (answer.stdout + answer.stderr).rstrip("\n").split("\n") + [""]
    while not lines[-1]:
        lines.pop()
    rows = [row for line in lines for row in wrapped(line)]
    width = MARGIN * 2 + WIDTH * max(sum(len(text) for text, _, _ in row) for row in rows)
    height = MARGIN * 2 + HEIGHT * len(rows)
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height}" viewBox="0 0 {width:.0f} {height}" '
        f'font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="{SIZE}">',
        f'<rect width="100%" height="100%" rx="8" fill="{BACK}"/>',
    ]
    for number, pieces in enumerate(rows):
        at, row = 0, []
        for text, color, bold in pieces:
            weight = ' font-weight="bold"' if bold else ""
            if text.strip():
                word = text.lstrip(" ")
                x = MARGIN + WIDTH * (at + len(text) - len(word))
                row.append(f'<tspan x="{x:.1f}" fill="{color}"{weight} textLength="{WIDTH * len(word):.1f}">{html.escape(word)}</tspan>')
            at += len(text)
        if row:
            out.append(f'<text y="{MARGIN + HEIGHT * number + SIZE}" xml:space="preserve">{"".join(row)}</text>')
    out.append("</svg>\n")
    OUT.write_text("\n".join(out))
    print(f"wrote {OUT}")


if __name__ == "__main__":
    main()
