#!/usr/bin/env python3
"""Measures `agentmd check` on repositories with agent files.

    scripts/precision.py AGENTMD FOLDER [LABELS]

FOLDER contains one folder for each repository. Prints how often each rule was broken, by severity. Prints the recall for front
matter that is not YAML, judged by PyYAML. With LABELS, prints the share of labelled errors and warnings that are right.

A line of LABELS is `repository<TAB>path<TAB>line<TAB>rule<TAB>right|wrong`. Without a label for a finding, it doesn't count.
"""

import collections
import json
import pathlib
import re
import subprocess
import sys

FRONT = re.compile(r"\A\ufeff?---[ \t]*\r?\n(.*?)^---[ \t]*$", re.DOTALL | re.MULTILINE)


def findings(program, repository):
    answer = subprocess.run([program, "check", "--no-config", "--format", "json", "."], cwd=repository, capture_output=True, text=True)
    return json.loads(answer.stdout)


def is_broken(text, yaml):
    found = FRONT.match(text)
    if not found:
        return False
    try:
        yaml.safe_load(found.group(1))
    except yaml.YAMLError:
        return True
    except ValueError:
        return False
    return False


def main():
    program, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    counts, files, agents, seen = collections.Counter(), 0, 0, {}
    broken, reported, most = 0, 0, 0
    try:
        import yaml
    except ImportError:
        yaml = None
    for repository in sorted(path for path in folder.iterdir() if path.is_dir()):
        answer = findings(program, repository)
        files += answer["summary"]["files"]
        for file in answer["files"]:
            agents += "kind" in file
            codes = [finding["code"] for finding in file["diagnostics"]]
            most = max(most, sum("front-matter" in code for code in codes))
            for finding in file["diagnostics"]:
                counts[finding["code"], finding["severity"]] += 1
                seen[repository.name, file["path"], finding["range"]["start"]["line"], finding["code"]] = finding["severity"]
            strict = file.get("kind") in ("skill", "agent", "command", "prompt", "instructions")
            if yaml and strict and is_broken((repository / file["path"]).read_text(errors="replace"), yaml):
                broken += 1
                reported += any("front-matter" in code for code in codes)
    print(f"{files} files, {agents} of them agent files")
    for (code, severity), count in sorted(counts.items()):
        print(f"{count:6}  {severity:8} {code}")
    loud = sum(count for (code, severity), count in counts.items() if severity in ("error", "warning"))
    print(f"{loud} errors and warnings; at most {most} findings about the front matter of one file")
    if yaml:
        print(f"front matter that PyYAML refuses: {reported} of {broken} files reported")
    if len(sys.argv) > 3:
        verdicts = collections.Counter()
        for line in pathlib.Path(sys.argv[3]).read_text().splitlines():
            repository, path, number, code, verdict = line.split("\t")
            if seen.get((repository, path, int(number), code)) in ("error", "warning"):
                verdicts[verdict] += 1
        total = sum(verdicts.values())
        print(f"labelled errors and warnings: {verdicts['right']} of {total} right")


if __name__ == "__main__":
    main()
