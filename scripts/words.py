#!/usr/bin/env python3
"""words.py PACKAGE...: counts the words of packages and writes src/edit/frequent.txt and src/edit/words.txt.

A PACKAGE is a wheel, a source archive, an npm archive or a folder. A word is a run of letters up to the next capital, in
lower case. Frequent words are those of many packages; the other list has words of two or more files that are one letter
away from a frequent one, so that they can't be taken for a misspelling of it. Words that the second list already has
stay in it."""
import collections
import os
import pathlib
import re
import string
import sys
import tarfile
import zipfile

EXTENSIONS = (".py", ".pyi", ".js", ".mjs", ".cjs", ".ts", ".jsx", ".tsx", ".rs", ".go", ".c", ".h", ".md", ".rst", ".txt",
              ".toml", ".yaml", ".yml", ".json", ".html", ".css", ".sh", ".cfg", ".ini")
LARGEST = 400_000
LONGEST_LINE = 2_000
SHORTEST, LONGEST = 3, 20
# A word is frequent in so many packages and files.
PACKAGES, FILES = 12, 60


def files(package):
    if os.path.isdir(package):
        for folder, _, names in os.walk(package):
            for name in names:
                path = os.path.join(folder, name)
                if name.endswith(EXTENSIONS) and os.path.isfile(path):
                    yield name, pathlib.Path(path).read_bytes()
    elif package.endswith(".whl"):
        with zipfile.ZipFile(package) as archive:
            for name in archive.namelist():
                if name.endswith(EXTENSIONS):
                    yield name, archive.read(name)
    else:
        with tarfile.open(package) as archive:
            for member in archive:
                if member.isfile() and member.name.endswith(EXTENSIONS):
                    yield member.name, archive.extractfile(member).read()


def words(text):
    for run in re.findall(r"[^\W\d_]+", text):
        for word in re.sub(r"(?<=[a-z])(?=[A-Z])", " ", run).lower().split():
            if SHORTEST <= len(word) <= LONGEST and word.isascii():
                yield word


def near(word):
    for at in range(len(word) + 1):
        yield from (word[:at] + letter + word[at:] for letter in string.ascii_lowercase)
        if at < len(word):
            yield word[:at] + word[at + 1:]
            yield from (word[:at] + letter + word[at + 1:] for letter in string.ascii_lowercase)
        if at + 1 < len(word):
            yield word[:at] + word[at + 1] + word[at] + word[at + 2:]


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    packages, counts = collections.Counter(), collections.Counter()
    for package in sys.argv[1:]:
        seen = set()
        for name, content in files(package):
            text = content.decode(errors="ignore")
            generated = ".min." in name or max(map(len, text.split("\n"))) > LONGEST_LINE
            if len(content) <= LARGEST and not generated:
                found = set(words(text))
                counts.update(found)
                seen |= found
        packages.update(seen)
    room = pathlib.Path(__file__).parent.parent / "src/edit"
    frequent = {word for word in packages if packages[word] >= PACKAGES and counts[word] >= FILES}
    known = {other for word in frequent for other in near(word) if counts[other] >= 2}
    known |= set((room / "words.txt").read_text().split())
    (room / "frequent.txt").write_text("".join(f"{word}\n" for word in sorted(frequent)))
    (room / "words.txt").write_text("".join(f"{word}\n" for word in sorted(known - frequent)))
    print(f"{len(frequent)} frequent words, {len(known - frequent)} that are near one")


if __name__ == "__main__":
    main()
