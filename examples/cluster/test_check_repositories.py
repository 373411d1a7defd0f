#!/usr/bin/env python3
"""One process and a cluster of two workers find the same: test_check_repositories.py AGENTMD FOLDER"""

import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent


def run(listing, out, program, workers):
    call = [sys.executable, HERE / "check_repositories.py", listing, out, "--program", program, "--workers", str(workers)]
    done = subprocess.run(call, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    print(f"{workers} workers: {done.stdout.strip()}")
    return {path.name: path.read_text() for path in pathlib.Path(out).iterdir() if path.name != "summary.jsonl"}


def main(program, folder):
    repositories = sorted(path for path in pathlib.Path(folder).iterdir() if path.is_dir())
    with tempfile.TemporaryDirectory() as place:
        place = pathlib.Path(place)
        listing = place / "list"
        listing.write_text("".join(f"{path}\n" for path in repositories))
        alone = run(listing, place / "alone", program, 0)
        together = run(listing, place / "together", program, 2)
        assert len(alone) == len(repositories) and alone == together, "the results differ"
        again = subprocess.run(
            [sys.executable, HERE / "check_repositories.py", listing, place / "together", "--program", program],
            capture_output=True, text=True, check=True,
        )
        assert again.stdout.startswith("0 repositories"), again.stdout
    print(f"{len(repositories)} repositories, the same {sum(text.count(chr(10)) for text in alone.values())} lines")


if __name__ == "__main__":
    main(*sys.argv[1:])
