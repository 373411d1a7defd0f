#!/usr/bin/env python3
"""Checks many repositories on a Dask cluster: check_repositories.py LIST OUT [--scheduler ADDRESS] [--workers N]

LIST has a path on each line: a folder, or a bare Git repository, of which HEAD is checked. Each worker needs the program
`agentmd` (or --program) and the paths. For every repository, OUT gets the lines of `agentmd check --format jsonl`, and
`summary.jsonl` a line with its name, the time and the number of findings, as soon as it's done; what has a line there is
skipped when you start again. --workers 0 does the same in this process, without Dask.

Needs `pip install "dask[distributed]"`.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile
import time


def check(path, program, limit):
    """Checks one repository. Returns its summary and its lines; never raises, so that one repository can't stop the rest."""
    begin = time.monotonic()
    path = pathlib.Path(path)
    summary = {"repository": path.name}
    try:
        with tempfile.TemporaryDirectory() as place:
            if (path / "HEAD").is_file() and not (path / ".git").exists():
                packed = subprocess.run(["git", "--git-dir", path, "archive", "HEAD"], capture_output=True, check=True, timeout=limit)
                subprocess.run(["tar", "-x", "-C", place], input=packed.stdout, check=True, timeout=limit)
                folder = place
            else:
                folder = path
            call = [program, "check", ".", "--format", "jsonl", "--quiet"]
            done = subprocess.run(call, cwd=folder, capture_output=True, timeout=limit)
            if done.returncode == 2:
                raise RuntimeError(done.stderr.decode(errors="replace").strip())
            *lines, last = done.stdout.decode().splitlines()
            summary.update(json.loads(last)["summary"])
    except (OSError, RuntimeError, ValueError, subprocess.SubprocessError) as error:
        lines, summary["error"] = [], str(error)
    summary["seconds"] = round(time.monotonic() - begin, 3)
    return summary, lines


def results(paths, arguments):
    if arguments.workers == 0:
        for path in paths:
            yield check(path, arguments.program, arguments.limit)
        return
    from distributed import Client, LocalCluster, as_completed

    if arguments.scheduler:
        client = Client(arguments.scheduler)
    else:
        client = Client(LocalCluster(n_workers=arguments.workers, threads_per_worker=1, dashboard_address=None))
    with client:
        # What a lost worker was doing is done by another.
        futures = client.map(check, paths, program=arguments.program, limit=arguments.limit, retries=2, pure=False)
        for future in as_completed(futures):
            yield future.result()
            future.release()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("list", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--scheduler", help="the address of a running cluster; by default one is started on this machine")
    parser.add_argument("--workers", type=int, default=2, help="of the cluster on this machine; 0 for none")
    parser.add_argument("--program", default="agentmd")
    parser.add_argument("--limit", type=float, default=300, help="seconds for a repository")
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    summary = arguments.out / "summary.jsonl"
    done = set()
    if summary.exists():
        done = {json.loads(line)["repository"] for line in summary.read_text().splitlines()}
    paths = [line.strip() for line in arguments.list.read_text().splitlines() if line.strip()]
    paths = [path for path in paths if pathlib.Path(path).name not in done]
    failed = 0
    begin = time.monotonic()
    with summary.open("a") as log:
        for row, lines in results(paths, arguments):
            (arguments.out / f"{row['repository']}.jsonl").write_text("".join(line + "\n" for line in lines))
            log.write(json.dumps(row) + "\n")
            log.flush()
            failed += "error" in row
    print(f"{len(paths)} repositories in {time.monotonic() - begin:.1f} s, {failed} failed, {len(done)} were done before")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
