#!/usr/bin/env python3
"""Measures the cost of a keystroke in documents of every format, in one run, and writes docs/performance-formats.md.

    benches/formats.py [--server target/release/agentmd] [--keys 60]

The documents are generated here and are large; every server is a new process. The results are ratios to plain Markdown of
1 MB: the machine is noisy, but all documents take turns on it.
"""
import argparse
import json
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ROUNDS = 3


class Server:
    def __init__(self, program, root):
        self.process = subprocess.Popen([program, "server"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        capabilities = {"textDocument": {"publishDiagnostics": {"versionSupport": True}}}
        self.send({"id": 1, "method": "initialize", "params": {"capabilities": capabilities, "processId": None, "rootUri": root.as_uri()}})
        self.read()
        self.notify("initialized", {})

    def send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def notify(self, method, params):
        self.send({"method": method, "params": params})

    def read(self):
        length = 0
        while line := self.process.stdout.readline().strip():
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])
        return json.loads(self.process.stdout.read(length))

    def findings(self, uri, version):
        """Waits for the findings of one version of a document."""
        while True:
            message = self.read()
            if "method" in message and "id" in message:
                self.send({"id": message["id"], "result": None})
            elif message.get("method") == "textDocument/publishDiagnostics":
                params = message["params"]
                if params["uri"] == uri and params.get("version") == version:
                    return params["diagnostics"]

    def close(self):
        self.process.kill()
        self.process.wait()


def measure(program, root, name, text, line, keys):
    """Seconds from opening a document to its findings, and from each keystroke to the findings after it."""
    server = Server(program, root)
    uri = (root / name).as_uri()
    start = time.perf_counter()
    document = {"uri": uri, "languageId": "markdown", "version": 1, "text": text}
    server.notify("textDocument/didOpen", {"textDocument": document})
    server.findings(uri, 1)
    opened = time.perf_counter() - start
    taken = []
    for version in range(2, keys + 2):
        added = version % 2 == 0
        place = {"start": {"line": line, "character": 0}, "end": {"line": line, "character": 0 if added else 1}}
        change = {"range": place, "text": "x" if added else ""}
        start = time.perf_counter()
        server.notify("textDocument/didChange", {"textDocument": {"uri": uri, "version": version}, "contentChanges": [change]})
        server.findings(uri, version)
        taken.append(time.perf_counter() - start)
        time.sleep(0.01)
    server.close()
    return opened, taken


def line_of(text, word):
    return text[: text.index(word)].count("\n")


def plain():
    section = "## Part {}\n\nSome words of *running* text with a [link](#part-1), and `code`.\n\n- one\n- two\n\n```py\nprint({})\n```\n\n"
    text = "# Document\n\n" + "".join(section.format(i, i) for i in range(10_500))
    return "plain.md", text, line_of(text, "## Part 5000\n") + 2


def duckflow(actions):
    head = "[REASONING]\nWhy.\n\n[CONFIDENCE] 0.9\n[MOOD] 0.9\n[FOCUS] 0.9\n[STAMINA] 0.9\n\n"
    action = "[ACTION_{0}_TYPE] create_file\n[ACTION_{0}_PATH] new/m{0}.py\n[ACTION_{0}_CONTENT_START]\n{1}[ACTION_{0}_CONTENT_END]\n\n"
    text = head + "".join(action.format(i, f"print({i})\n" * 100) for i in range(actions))
    text += f"[ACTION_{actions}_TYPE] finish\n[ACTION_{actions}_RESULT] Done.\n"
    return "reply.md", text, line_of(text, f"print({actions // 2})")


def edits(blocks):
    block = "src/m{}.py\n```python\n<<<<<<< SEARCH\ndef f{}(x):\n=======\ndef g{}(x):\n>>>>>>> REPLACE\n```\n\nThen this.\n\n"
    text = "Sure.\n\n" + "".join(block.format(i % 50, i, i) for i in range(blocks))
    return "edits.md", text, line_of(text, "Then this.")


def llmd(entries):
    code = "\n".join(f"line {i}" for i in range(300))
    head = f"# Project: T\n\n## Meta: LLMD\n\nm\n\n## Instructions\n\ni\n\n## Mission\n\nBe small.\n\n## Code Context\n\n### src/a.py\n\n```python\n{code}\n```\n\n## Changelog\n\n- x\n\n## Conversation Thread\n\n"
    entry = "### Entry {}\n\n**Human:** {}\n\n**Assistant:** {}\n\nsrc/a.py\n<<<<<< SEARCH\nline {}\n=======\nline {}!\n>>>>>> REPLACE\n\n"
    text = head + "".join(entry.format(i, "word " * 100, "more words " * 45, i % 300, i % 300) for i in range(1, entries + 1))
    return "project.ll.md", text, line_of(text, f"### Entry {entries // 2}\n") + 2


def pack(items):
    item = "### Code (from src/m{}.py:{}-{})\n```python\nx\ny\n```\n\n"
    text = "## Context\n\n" + "".join(item.format(i % 50, 1 + i % 100, 2 + i % 100) for i in range(items))
    return "pack.md", text, 4


DOCUMENTS = [
    ("Plain Markdown", plain()),
    ("Duckflow, 1,000 actions", duckflow(1000)),
    ("Reply with 100 edit blocks in 50 files", edits(100)),
    ("LLMD, 1,000 entries with a block each", llmd(1000)),
    ("Context pack, 50 items", pack(50)),
    ("Context pack, 10,000 items", pack(10_000)),
]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--server", default=ROOT / "target" / "release" / "agentmd")
    parser.add_argument("--keys", type=int, default=60)
    arguments = parser.parse_args()
    opened, keys = {}, {}
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        (root / "src").mkdir()
        for module in range(50):
            source = "\n".join(f"def f{i}(x):\n    return x + {i}\n" for i in range(200))
            (root / "src" / f"m{module}.py").write_text(source)
        for _ in range(ROUNDS):
            for name, document in DOCUMENTS:
                first, taken = measure(arguments.server, root, *document, arguments.keys)
                opened.setdefault(name, []).append(first)
                keys.setdefault(name, []).extend(taken)
    floor = statistics.median(keys["Plain Markdown"])
    rows = []
    for name, (_, text, _) in DOCUMENTS:
        key, ninth = statistics.median(keys[name]), statistics.quantiles(keys[name], n=10)[-1]
        rows.append(f"| {name} | {len(text) >> 10} KB | {statistics.median(opened[name]) / floor:.0f} | {key / floor:.1f} | {ninth / floor:.1f} |")
        print(f"{name}: key {key * 1e3:.2f} ms, p90 {ninth * 1e3:.2f} ms, open {statistics.median(opened[name]) * 1e3:.0f} ms")
    page = [
        "# Performance by format",
        "",
        "These are ratios from one run of `benches/formats.py`, in which all documents take turns. Every number is a multiple of the",
        "time from keystroke to findings in the middle of the plain document in the first row.",
        "[Performance](performance.md) compares that with other servers.",
        "",
        "| Document | size | open | **key, median** | key, slowest tenth |",
        "|---|---:|---:|---:|---:|",
        *rows,
        "",
        "A keystroke reads the part that it touches. With the document grow the lists that its parts are put together from, and",
        "the files that it names: up to 256 of them are looked up with each key.",
        "",
    ]
    (ROOT / "docs" / "performance-formats.md").write_text("\n".join(page))


if __name__ == "__main__":
    main()
