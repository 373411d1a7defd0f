#!/usr/bin/env python3
"""Writes a workspace of agent files, to measure `agentmd loaded`, `cost` and `graph`.

agent_tree.py FOLDER [COUNT]: COUNT files (1,000 without it), half of them skills.
"""
import pathlib
import random
import sys

if len(sys.argv) < 2 or sys.argv[1].startswith("-"):
    sys.exit(__doc__)
folder = pathlib.Path(sys.argv[1])
count = int(sys.argv[2]) if len(sys.argv) > 2 else 1000
random.seed(1)
WORDS = "review the change before it is merged and say what could break in other modules of this project".split()


def text(words):
    return " ".join(random.choice(WORDS) for _ in range(words))


def write(path, content):
    path = folder / path
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content)


write(".git/HEAD", "ref: refs/heads/main\n")
write("CLAUDE.md", f"# Project\n\n@docs/style.md\n\n{text(400)}\n")
write("docs/style.md", text(300))
write("AGENTS.md", text(500))
for number in range(count):
    body = "\n\n".join(text(60) for _ in range(8))
    front = f"name: thing-{number}\ndescription: {text(25)}"
    kind = number % 10
    if kind < 5:
        root = ".claude" if kind < 3 else ".agents"
        write(f"{root}/skills/thing-{number}/SKILL.md", f"---\n{front}\n---\n\nSee `references/a.md`.\n\n{body}\n")
    elif kind < 7:
        write(f".claude/agents/thing-{number}.md", f"---\n{front}\nskills: [thing-{number - kind}]\n---\n\n{body}\n")
    elif kind < 8:
        write(f".claude/commands/thing-{number}.md", f"---\ndescription: {text(12)}\n---\n\n{body}\n")
    elif kind < 9:
        write(f".claude/rules/thing-{number}.md", f'---\npaths: "src/**/*.{{ts,tsx}}, lib{number}/**"\n---\n\n{body}\n')
    else:
        write(f".github/instructions/thing-{number}.instructions.md", f"---\napplyTo: 'src/**/*.ts'\ndescription: {text(12)}\n---\n\n{body}\n")
