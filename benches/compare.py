#!/usr/bin/env python3
"""Measures agentmd, the null server, rumdl and agnix in one run, and writes docs/performance.md.

    benches/compare.py [--rounds 2] [--budget 2] [--quick] [--repositories FOLDER]

Needs the benchmark tools in ../shared/tools; rumdl and agnix are installed from their registries into target/peers. The results
are ratios: the machine is noisy, but all servers take turns on it.
"""
import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TOOLS = ROOT.parent / "shared" / "tools"
PEERS = ROOT / "target" / "peers"
CORPUS = ROOT / "target" / "corpus"
SIZES = ["10k", "100k", "1m", "10m"]
# The documents of each format, by the names of their files.
FORMATS = {"plain": "md", "markdownlang": "program", "Duckflow": "duckflow", "LLMD": "llmd", "context pack": "context"}
NAMES = ["null", "agentmd", "rumdl", "agnix"]


def run(*command, **options):
    return subprocess.run([str(part) for part in command], check=True, **options)


def prepare():
    """Builds or installs every server, and writes the documents to measure with."""
    run("cargo", "build", "--release", cwd=ROOT)
    null = PEERS / "null-server"
    if not null.exists():
        target = PEERS / "null-target"
        run("cargo", "build", "--release", "--manifest-path", TOOLS / "null-server" / "Cargo.toml", "--target-dir", target)
        null.symlink_to(target / "release" / "null-server")
    venv = PEERS / "venv"
    if not (venv / "bin" / "rumdl").exists():
        run(sys.executable, "-m", "venv", venv)
        run(venv / "bin" / "pip", "install", "-q", "rumdl", "agnix")
    if not (PEERS / "bin" / "agnix-lsp").exists():
        run("cargo", "install", "agnix-lsp", "--root", PEERS)
    if not (CORPUS / "ws-10000").exists():
        run(sys.executable, TOOLS / "gencorpus.py", CORPUS, "--sizes", ",".join(SIZES), "--ws", "1000,10000")
    servers = {
        "null": {"cmd": [str(null)]},
        "agentmd": {"cmd": [str(ROOT / "target" / "release" / "agentmd"), "server"]},
        "rumdl": {"cmd": [str(venv / "bin" / "rumdl"), "server"]},
        # agnix reads only files with certain names.
        "agnix": {"cmd": [str(PEERS / "bin" / "agnix-lsp")], "docname": "CLAUDE.md"},
    }
    config = PEERS / "servers.json"
    config.write_text(json.dumps(servers))
    return config


def measure(config, arguments, suite, *inputs):
    """One run of lspbench; its samples by metric and server."""
    out = PEERS / f"result-{suite.replace(',', '-')}-{len(inputs)}.json"
    command = [sys.executable, TOOLS / "lspbench.py", config, "--suite", suite, *inputs, "--out", out, "--timeout", "20"]
    run(*command, "--rounds", arguments.rounds, "--budget", arguments.budget, stdout=subprocess.DEVNULL)
    return json.loads(out.read_text())["samples"]


def median(samples, metric, name):
    values = [value for value in samples.get(metric, {}).get(name, []) if isinstance(value, (int, float))]
    return statistics.median(values) if values else None


def ratio(samples, metric, name, base):
    a, b = median(samples, metric, name), median(samples, metric, base)
    return "" if a is None or not b else f"{a / b:.2g}"


def editing(samples, sizes):
    """The table of one document: the cost of each server as a multiple of the null server's."""
    rows = [("open to diagnostics", "open ms"), ("**key to diagnostics**", "key ms"), ("line break", "enter ms"), ("fence", "fence ms"),
            ("outline after a key", "documentSymbol ms"), ("completion after a key", "completion ms"), ("hover after a key", "hover ms"),
            ("200 keys at once", "burst ms")]
    out = ["| | " + " | ".join(f"{size.upper()}: {name}" for size in sizes for name in NAMES[1:]) + " |",
           "|---|" + "---:|" * (3 * len(sizes))]
    for title, metric in rows:
        cells = [ratio(samples, f"md-{size}.{metric}", name, "null") or "–" for size in sizes for name in NAMES[1:]]
        out.append(f"| {title} | " + " | ".join(cells) + " |")
    cells = [f"{median(samples, f'md-{size}.peak MB', name):.0f} MB" if median(samples, f"md-{size}.peak MB", name) else "–" for size in sizes for name in NAMES[1:]]
    out.append("| peak memory | " + " | ".join(cells) + " |")
    return out


def growth(samples, metric, name, sizes, kind="md"):
    """The exponent of time against size, by least squares on logarithms."""
    import math
    scale = {"k": 1 << 10, "m": 1 << 20}
    points = [(math.log(int(size[:-1]) * scale[size[-1]]), median(samples, f"{kind}-{size}.{metric}", name)) for size in sizes]
    points = [(x, math.log(y)) for x, y in points if y]
    if len(points) < 2:
        return "–"
    mx, my = statistics.mean(x for x, _ in points), statistics.mean(y for _, y in points)
    return f"{sum((x - mx) * (y - my) for x, y in points) / sum((x - mx) ** 2 for x, _ in points):.2f}"


# The requests that an editor sends after a keystroke, with their names in `lspbench.py`.
REQUESTS = {"outline": "documentSymbol", "folds": "foldingRange", "links": "documentLink", "semantic tokens of everything": "semanticTokens/full",
            "completion": "completion", "hover": "hover", "definition": "definition", "code actions": "codeAction"}


def formats(config, arguments):
    """The tables of the formats: a keystroke and each request after it, in milliseconds and relative to the null server."""
    sizes = SIZES[:3]
    names = [f"{kind}-{size}" for kind in FORMATS.values() for size in sizes]
    samples = measure(config, arguments, "doc", "--only", "null,agentmd", "--docs", *[CORPUS / "docs" / f"{name}.md" for name in names])
    out = ["| key to diagnostics, ms (× null) | " + " | ".join(f"{size[:-1]} {size[-1].upper()}B" for size in sizes) + " | growth |", "|---|" + "---:|" * 4]
    for title, kind in FORMATS.items():
        metrics = [f"{kind}-{size}.key ms" for size in sizes]
        cells = [f"{median(samples, metric, 'agentmd'):.2g} ({ratio(samples, metric, 'agentmd', 'null')})" for metric in metrics]
        out.append(f"| {title} | " + " | ".join(cells) + f" | {growth(samples, 'key ms', 'agentmd', sizes, kind)} |")
    asked = []
    for size in sizes:
        asked += [f"| at {size[:-1]} {size[-1].upper()}B, ms (× null) | " + " | ".join(FORMATS) + " |", "|---|" + "---:|" * len(FORMATS)]
        for title, method in REQUESTS.items():
            metrics = [f"{kind}-{size}.{method} ms" for kind in FORMATS.values()]
            cells = [cell(samples, metric) for metric in metrics]
            asked.append(f"| {title} | " + " | ".join(cells) + " |")
        asked.append("")
    return out, asked


def cell(samples, metric):
    took = median(samples, metric, "agentmd")
    return "–" if took is None else f"{took:.2g} ({ratio(samples, metric, 'agentmd', 'null') or '–'})"


def seconds(command, folder):
    """Wall and processor seconds of a command."""
    start = time.perf_counter()
    process = subprocess.Popen([str(part) for part in command], cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, _, usage = os.wait4(process.pid, 0)
    return time.perf_counter() - start, usage.ru_utime + usage.ru_stime


def command_lines():
    return {
        "agentmd": [ROOT / "target" / "release" / "agentmd", "check", "--quiet", "."],
        "rumdl": [PEERS / "venv" / "bin" / "rumdl", "check", "--no-cache", "."],
        "agnix": [PEERS / "venv" / "bin" / "agnix", "."],
    }


def megabytes(folder):
    return sum(file.stat().st_size for file in folder.rglob("*.md") if file.is_file()) / 1e6


def folders():
    """`check` on 10,000 files: wall and processor seconds of each command line, taking turns."""
    folder = CORPUS / "ws-10000"
    tools = {name: command for name, command in command_lines().items() if name != "agnix"}
    took = {name: [] for name in tools}
    for _ in range(3):
        for name, command in tools.items():
            took[name].append(seconds(command, folder))
    out = ["| | wall, of agentmd's | processor time, of agentmd's | MB per processor second |", "|---|---:|---:|---:|"]
    middle = {name: [statistics.median(run[part] for run in runs) for part in (0, 1)] for name, runs in took.items()}
    for name, (wall, cpu) in middle.items():
        out.append(f"| {name} | {wall / middle['agentmd'][0]:.2g} | {cpu / middle['agentmd'][1]:.2g} | {megabytes(folder) / cpu:.0f} |")
    return out


def repositories(folder):
    """`check` in each repository below a folder: the least processor time of three runs, taking turns."""
    places = sorted(place for place in folder.iterdir() if place.is_dir())
    tools = command_lines()
    took = {name: {} for name in tools}
    for place in places:
        for _ in range(3):
            for name, command in tools.items():
                cpu = seconds(command, place)[1]
                took[name][place] = min(cpu, took[name].get(place, cpu))
    size = sum(map(megabytes, places))
    total = {name: sum(times.values()) for name, times in took.items()}
    out = [f"| {len(places)} repositories, {size:.0f} MB of Markdown | processor time, of agentmd's | MB per processor second | agentmd takes less in |", "|---|---:|---:|---:|"]
    for name, cpu in total.items():
        less = sum(took["agentmd"][place] < took[name][place] for place in places)
        out.append(f"| {name} | {cpu / total['agentmd']:.2g} | {size / cpu:.0f} | {less if name != 'agentmd' else '–'} |")
    return out


def own_memory(document):
    """The server's own memory after 50 keystrokes in a document, if any, and all resident memory; in MB."""
    sys.path.insert(0, str(TOOLS))
    import lspbench
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        client = lspbench.Client({"cmd": [ROOT / "target" / "release" / "agentmd", "server"]}, folder, False)
        client.initialize(20)
        if document:
            text = document.read_text()
            path = folder / document.name
            path.write_text(text)
            opened = lspbench.Doc(client, path, text)
            opened.diagnostics(opened.open(), 30)
            for number in range(50):
                opened.diagnostics(opened.key(number), 20)
        client.settle(1)
        status = Path(f"/proc/{client.proc.pid}/status").read_text()
        client.close()
    return [int(re.search(rf"{key}:\s+(\d+)", status)[1]) / 1024 for key in ("RssAnon", "VmRSS")]


def memory(own):
    """The table of the server's own memory."""
    rows = [f"| {title} | {anonymous:.1f} |" for title, (anonymous, _) in own.items()]
    return ["| | MB |", "|---|---:|", *rows]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", default="2")
    parser.add_argument("--budget", default="2")
    parser.add_argument("--quick", action="store_true", help="without the 10 MB document")
    parser.add_argument("--repositories", type=Path, help="a folder of repositories to check, too")
    arguments = parser.parse_args()
    if not TOOLS.exists():
        sys.exit("the measuring tools are not here: ../shared/tools")
    PEERS.mkdir(parents=True, exist_ok=True)
    config = prepare()
    sizes = SIZES[:3] if arguments.quick else SIZES
    docs = measure(config, arguments, "start,doc", "--docs", *[CORPUS / "docs" / f"md-{size}.md" for size in sizes])
    by_format, asked = formats(config, arguments)
    workspace = measure(config, arguments, "ws", "--ws", CORPUS / "ws-10000")
    own = {"after the start": own_memory(None)} | {title: own_memory(CORPUS / "docs" / f"{kind}-1m.md") for title, kind in FORMATS.items()}
    shared = round(statistics.median(resident - anonymous for anonymous, resident in own.values()))
    small = SIZES[:3]
    key = {name: {size: median(docs, f"md-{size}.key ms", name) for size in sizes} for name in NAMES}
    lines = [
        "# Performance",
        "",
        "These are ratios of medians from one run, in which all servers take turns. Every number in the first table is a multiple of",
        "the null server, which answers immediately and does nothing: 1 is the minimum. `benches/compare.py` measures it again.",
        "Here agnix gets documents named `CLAUDE.md`; it rejects those over 5 MiB, and answers some requests with nothing (–).",
        "",
        "## One document",
        "",
        *editing(docs, sizes),
        "",
        "Growth of the time from keystroke to diagnostics with the document's size (10 KB to 1 MB; 1 is linear): "
        + ", ".join(f"{name} {growth(docs, 'key ms', name, small)}" for name in NAMES) + ".",
        "",
        f"At 1 MB, a keystroke costs rumdl {key['rumdl']['1m'] / key['agentmd']['1m']:.0f} times as much as agentmd"
        + (f", and agnix {key['agnix']['1m'] / key['agentmd']['1m']:.0f} times." if key["agnix"].get("1m") else "."),
        "",
        "## Every format",
        "",
        "The documents of `gencorpus.py`, with all findings on. Growth is the exponent of time against size: 0 is independent of it.",
        "",
        *by_format,
        "",
        "## Requests after a key",
        "",
        "The size of the answer grows with the document for outlines, folds, links and tokens; editors ask for the tokens of the lines on",
        "the screen first, and then for what changes.",
        "",
        *asked,
        "## A workspace of 10,000 files",
        "",
        "| | " + " | ".join(NAMES[1:]) + " |",
        "|---|" + "---:|" * 3,
    ]
    for title, metric in [("start to first diagnostics", "start-to-diagnostics ms"), ("index complete", "index ms"), ("symbol query", "symbol-query ms"),
                          ("key to diagnostics", "key ms"), ("processor time of the session", "cpu s"), ("memory", "rss MB")]:
        cells = [ratio(workspace, f"ws-10000.{metric}", name, "agentmd") or "–" for name in NAMES[1:]]
        lines.append(f"| {title} (agentmd = 1) | " + " | ".join(cells) + " |")
    lines += ["", "## `check` on the same 10,000 files", "", *folders(), "",
              "Two of five files are programs, context packs, replies or LLMD documents. agnix isn't in the table: it takes none of",
              "these files for one of its kinds.", ""]
    if arguments.repositories:
        lines += ["## `check` on public repositories", "", *repositories(arguments.repositories), "",
                  "agnix reads the files that it takes for agent files, the others all Markdown files.", ""]
    lines += [
              "## Memory", "",
              "The server's own memory (`RssAnon` in `/proc/PID/status`) after 50 keys in a document of 1 MB. What the system reports as",
              f"resident is about {shared} MB more: pages of the program file, which are shared and can be dropped at any time.", "",
              *memory(own), ""]
    (ROOT / "docs" / "performance.md").write_text("\n".join(lines))
    print((ROOT / "docs" / "performance.md").read_text())


if __name__ == "__main__":
    main()
