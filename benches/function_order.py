#!/usr/bin/env python3
"""Writes scripts/function_order.txt: the functions that a server runs, those of its start first.

    benches/function_order.py [PROGRAM...]    default: the release and the dist build, which it makes

Runs each program in Valgrind with a document of each format, and needs the tools in ../shared/tools. What one build inlines is a
function in the other, and the next build inlines others again: names that these programs don't have stay in the list, at its end.
Names that a change adds or renames are missing from the list until it's written anew; nothing else depends on it.
"""
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TOOLS = ROOT.parent / "shared" / "tools"
sys.path[:0] = [str(TOOLS), str(ROOT / "scripts")]
import link_ordered  # noqa: E402
import lspbench  # noqa: E402

PROFILES = ["release", "dist"]
# A session that opens nothing, then one for each format, by the names of their files.
SESSIONS = [None, "md", "program", "duckflow", "llmd", "context"]
REQUESTS = ["codeAction", "completion", "hover", "documentSymbol", "foldingRange", "documentLink", "semanticTokens/range"]
SIZE = "100k"
KEYS = 12
HEADER = "# Functions that a server runs, in the order of the program: `benches/function_order.py` writes this, `link_ordered.py` reads it."


def work(client, document):
    client.initialize(120)
    client.settle(1)
    if document is None:
        return
    path = client.root / document.name
    text = document.read_text()
    path.write_text(text)
    opened = lspbench.Doc(client, path, text)
    opened.diagnostics(opened.open(), 300)
    client.settle(1)
    for number in range(KEYS):
        opened.diagnostics(opened.key(number), 60)
        client.settle(0.02)
    place = opened.at(opened.typed)
    for request in REQUESTS:
        parameters = {"textDocument": {"uri": opened.uri}, "position": place, "range": {"start": place, "end": place}, "context": {"diagnostics": []}}
        client.wait(client.ask(f"textDocument/{request}", parameters)[0], 60)


def functions(program, document):
    """The mangled names of what one session runs."""
    with tempfile.TemporaryDirectory() as folder:
        counts = Path(folder, "counts")
        command = ["valgrind", "--tool=callgrind", "--demangle=no", f"--callgrind-out-file={counts}", str(program), "server"]
        root = Path(folder, "root")
        root.mkdir()
        client = lspbench.Client({"cmd": command}, root)
        work(client, document)
        client.close()
        return re.findall(r"^c?fn=\(\d+\) ([^\s']+)", counts.read_text(errors="replace"), re.MULTILINE)


def built(profile):
    subprocess.run(["cargo", "build", "--profile", profile], cwd=ROOT, check=True)
    return ROOT / "target" / profile / "agentmd"


def main():
    programs = [Path(given).resolve() for given in sys.argv[1:]] or [built(profile) for profile in PROFILES]
    own = {program: set(link_ordered.functions(program)) for program in programs}
    digests = {}
    with tempfile.TemporaryDirectory() as corpus:
        subprocess.run([sys.executable, TOOLS / "gencorpus.py", corpus, "--sizes", SIZE, "--ws", "", "--stress", "1k"], check=True)
        for session in SESSIONS:
            document = session and Path(corpus, "docs", f"{session}-{SIZE}.md")
            for program in programs:
                for symbol in functions(program, document):
                    if symbol in own[program]:
                        digests.setdefault(link_ordered.digest(symbol))
            print(f"{session or 'start'}: {len(digests)} functions so far", flush=True)
    present = {link_ordered.digest(symbol) for symbols in own.values() for symbol in symbols}
    earlier = [digest for digest in link_ordered.places() if digest not in present and digest not in digests]
    link_ordered.LIST.write_text("\n".join([HEADER, *digests, link_ordered.EARLIER, *earlier]) + "\n")
    # Cargo doesn't know that a program depends on the list.
    (ROOT / "src" / "main.rs").touch()


if __name__ == "__main__":
    main()
