#!/usr/bin/env python3
"""Checks that every relative link and picture in the docs leads to a file, and that both indexes list every page."""

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
PARTS = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "llms.txt", "docs", "editors")
LINK = re.compile(r"\]\(<?([^)\s>]+)>?(?:\s+\"[^\"]*\")?\)")


def pages():
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard", *PARTS], cwd=ROOT, capture_output=True, text=True, check=True)
    for name in listed.stdout.splitlines():
        # The workspaces of the editor tests are broken on purpose.
        if name.endswith((".md", ".txt")) and "/drive/" not in name and "docs/rules/" not in name and (ROOT / name).exists():
            yield ROOT / name


def main():
    wrong, count = [], 0
    for page in pages():
        fence = False
        for number, line in enumerate(page.read_text().splitlines(), 1):
            if line.lstrip().startswith("```"):
                fence = not fence
            for target in [] if fence else LINK.findall(re.sub(r"`[^`]*`", "", line)):
                if re.match(r"[a-z]+:|#", target):
                    continue
                count += 1
                if not (page.parent / target.split("#")[0]).exists():
                    wrong.append(f"{page.relative_to(ROOT)}:{number}: {target}")
    for listed, folder in (("docs/README.md", ""), ("llms.txt", "docs/")):
        text = (ROOT / listed).read_text()
        names = (page.name for page in pages() if page.parent == ROOT / "docs" and page.suffix == ".md" and page.name != "README.md")
        wrong += [f"{listed}: {name} is not in the list" for name in names if f"]({folder}{name})" not in text]
    print("\n".join(wrong) or f"{count} links are fine")
    return 1 if wrong or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
