#!/usr/bin/env python3
"""Measures other edit engines on the cases and traps of tests/edit_noise.rs and prints a table.

    AGENTMD_NOISE_DUMP=cases.jsonl AGENTMD_NOISE_CASES=2400 cargo test --release --test edit_noise
    python3 scripts/edit_engines/measure.py cases.jsonl

Each engine is installed from its package into target/edit-engines, and drive.py or drive.mjs runs it in its own process. The
engine sees the file, SEARCH, REPLACE and, if it reads line numbers, the hint; never the expected result. git and patch can't do
without a line number, so they get the true one where a case has no hint; it tells them which copy a `Duplicate` trap is about. No
engine calls a model. `cline apply_patch` needs seconds per case: use `--every`.

Needs Python 3.12, Node 20, git and patch. Engines that can't be installed or run are listed below the table.
"""

import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
WORK = ROOT / "target" / "edit-engines"

# How each engine is installed: pip or npm packages, or a program that must already be there. Engines with the same packages
# share a folder.
AIDER = ["--no-deps", "aider-chat==0.86.2"], ["oslex==2.0.0", "rich==14.3.2", "packaging==26.0"]
ENGINES = {
    "agentmd": ("program", str(ROOT / "target/release/agentmd")),
    "aider": ("pip", *AIDER),
    "apply-edit-block": ("pip", ["apply-edit-block==0.1.0"]),
    "cline apply_patch": ("npm", ["@cline/core@0.0.86"]),
    "cline editor": ("npm", ["@cline/core@0.0.86"]),
    "codex apply_patch": ("npm", ["@openai/codex@0.169.0"]),
    "gemini-cli": ("npm", ["@google/gemini-cli-core@0.61.0"]),
    "git apply": ("program", "git"),
    "git apply --ignore-whitespace": ("program", "git"),
    "gptme": ("pip", ["gptme==0.35.1"]),
    "mpatch diff": ("pip", ["mpatch==1.8.1"]),
    "mpatch search/replace": ("pip", ["mpatch==1.8.1"]),
    "openhands-aci": ("pip", ["openhands-aci==0.3.3"]),
    "patch": ("program", "patch"),
    "pi": ("npm", ["@mariozechner/pi-coding-agent@0.73.1"]),
}


def install(name):
    """The command that drives the engine, and its version."""
    kind, *steps = ENGINES[name]
    if kind == "program":
        program = os.environ.get("AGENTMD", steps[0]) if name == "agentmd" else steps[0]
        if shutil.which(program) is None:
            raise RuntimeError(f"{program} is not installed")
        version = subprocess.run([program, "--version"], capture_output=True, text=True).stdout.split("\n")[0]
        return [sys.executable, HERE / "drive.py", name, program], version
    package = steps[0][-1]
    folder = WORK / package.strip("@").replace("/", "-")
    done = folder / "done"
    if kind == "pip":
        python = folder / "bin" / "python"
        if not done.exists():
            run([sys.executable, "-m", "venv", "--clear", folder])
            for step in steps:
                run([python, "-m", "pip", "install", "--quiet", *step])
        command = [python, HERE / "drive.py", name, ""]
    else:
        if not done.exists():
            folder.mkdir(parents=True, exist_ok=True)
            (folder / "package.json").write_text('{"private": true, "type": "module"}\n')
            run(["npm", "install", "--silent", "--ignore-scripts", *steps[0]], cwd=folder)
        if name == "codex apply_patch":
            program = next(folder.glob("node_modules/@openai/codex-*/vendor/*/bin/codex"))
            command = [sys.executable, HERE / "drive.py", name, program]
        else:
            command = ["node", HERE / "drive.mjs", name, folder]
    done.touch()
    return command, package


def run(command, **options):
    done = subprocess.run(command, capture_output=True, text=True, **options)
    if done.returncode != 0:
        raise RuntimeError(f"{command[0]}: {(done.stderr or done.stdout).strip()[-300:]}")


def measure(command, cases):
    """What the engine makes of each case: its text, or the error with which it refuses."""
    shown = ("before", "search", "replace", "hint", "line")
    asked = "".join(json.dumps({key: case[key] for key in shown}) + "\n" for case in cases)
    done = subprocess.run(list(map(str, command)), input=asked, capture_output=True, text=True, encoding="utf-8")
    answers = [json.loads(line) for line in done.stdout.split("\n") if line.startswith("{")]
    if done.returncode != 0 or len(answers) != len(cases):
        raise RuntimeError(f"{len(answers)} answers, exit {done.returncode}: {done.stderr.strip()[-600:]}")
    return answers


def judge(case, after):
    """As tests/edit_noise/verdict.rs, but results that are not right are divided by what is wrong with them."""
    before, wanted = case["before"], case["wanted"]
    if after is None or after == before:
        return "refused"
    if wanted is None:
        return "written"
    if after == wanted or only_whitespace(before, after, wanted):
        return "right"
    if plain_ends(after) == plain_ends(wanted):
        return "endings"
    return "altered" if in_place(case, after) else "wrong"


def plain_ends(text):
    return text.replace("\r\n", "\n").rstrip("\n")


def only_whitespace(before, after, wanted):
    """The same lines change, into lines that differ from the wanted ones in nothing but whitespace."""
    ours, theirs = after.split("\n"), wanted.split("\n")
    known = set(before.split("\n"))
    same = lambda mine, other: "".join(mine.split()) == "".join(other.split()) and other not in known
    ends_alike = lambda mine, other: mine.endswith("\r") == other.endswith("\r")
    return len(ours) == len(theirs) and all(
        mine == other or same(mine, other) and ends_alike(mine, other) for mine, other in zip(ours, theirs)
    )


def in_place(case, after):
    """Whether nothing outside the lines that the block is about has changed, line endings aside."""
    old, new = case["before"].splitlines(), after.splitlines()
    start = 0
    while start < min(len(old), len(new)) and old[start] == new[start]:
        start += 1
    end = len(old)
    while end > start and len(new) - (len(old) - end) > start and old[end - 1] == new[len(new) - (len(old) - end) - 1]:
        end -= 1
    first = case["line"] - 1
    # A block may leave out up to four lines of its place.
    return first <= start and end <= first + case["search"].count("\n") + 4


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("cases", type=pathlib.Path)
    options.add_argument("--engine", action="append", choices=ENGINES, help="run only this engine; can be repeated")
    options.add_argument("--every", type=int, default=1, help="take only every Nth case and trap, for slow engines")
    options.add_argument("--kinds", action="store_true", help="also print a row for each kind of case")
    options.add_argument("--errors", action="store_true", help="also print the most frequent refusals")
    options.add_argument("--results", type=pathlib.Path, help="write what each engine made to a file in this folder")
    options.add_argument("--jobs", type=int, default=2, help="how many engines run at once")
    options = options.parse_args()

    lines = options.cases.read_text(encoding="utf-8").split("\n")
    cases = [json.loads(line) for line in lines if line][:: options.every]
    traps = sum(case["wanted"] is None for case in cases)
    seeds = sorted({case["seed"] for case in cases})
    print(f"{len(cases) - traps} cases and {traps} traps, seed {', '.join(map(str, seeds))}\n")
    columns = ["right", "right but for line endings", "other changes in the block", "changes outside the block", "refused", "traps written"]
    print(f"| engine | {' | '.join(columns)} |\n| --- |{' ---: |' * len(columns)}")
    missing, details, errors = [], [], []
    installed = {}
    for name in options.engine or ENGINES:
        try:
            installed[name] = install(name)
        except (RuntimeError, OSError, StopIteration) as error:
            missing.append(f"{name} could not be installed: {error}")
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        runs = {name: pool.submit(measure, command, cases) for name, (command, _) in installed.items()}
        for name, future in runs.items():
            version = installed[name][1]
            try:
                answers = future.result()
            except (RuntimeError, OSError) as error:
                missing.append(f"{name} could not be run: {error}")
                continue
            verdicts = [judge(case, answer.get("after")) for case, answer in zip(cases, answers)]
            print(row(f"{name} ({version})" if name not in version else version, zip(cases, verdicts)), flush=True)
            for kind in sorted({(case["wanted"] is None, case["kind"]) for case in cases}):
                picked = [pair for pair in zip(cases, verdicts) if pair[0]["kind"] == kind[1]]
                details.append(row(f"{name}: {kind[1]}", picked))
            counts = collections.Counter(answer["error"][:100] for answer in answers if answer.get("error"))
            errors += [f"{name}: {count} × {error}" for error, count in counts.most_common(8)]
            if options.results:
                options.results.mkdir(parents=True, exist_ok=True)
                kept = [{**answer, "verdict": verdict} for answer, verdict in zip(answers, verdicts)]
                text = "".join(json.dumps(entry) + "\n" for entry in kept)
                (options.results / f"{name.replace('/', '-')}.jsonl").write_text(text, encoding="utf-8")
    for shown, entries in ((True, missing), (options.kinds, details), (options.errors, errors)):
        if shown and entries:
            print("\n" + "\n".join(entries))


def row(name, judged):
    counts = collections.Counter((case["wanted"] is None, verdict) for case, verdict in judged)
    all_cases = sum(count for (trap, _), count in counts.items() if not trap)
    traps = sum(count for (trap, _), count in counts.items() if trap)
    share = lambda verdict: f"{100 * counts[False, verdict] / all_cases:.1f} %" if all_cases else ""
    number = lambda trap, verdict, of: f"{counts[trap, verdict]} ({100 * counts[trap, verdict] / of:.1f} %)" if of else ""
    shares = " | ".join(map(share, ("right", "endings", "altered")))
    return f"| {name} | {shares} | {number(False, 'wrong', all_cases)} | {share('refused')} | {number(True, 'written', traps)} |"


if __name__ == "__main__":
    main()
