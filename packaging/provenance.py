#!/usr/bin/env python3
"""Writes an in-toto statement of what was built from what: provenance.py COMMIT TOOLCHAIN FOLDER OUT.

An unsigned SLSA provenance: on GitHub, `actions/attest-build-provenance` signs one of its own beside it.
"""

import hashlib
import json
import pathlib
import sys


def main(commit, toolchain, folder, out):
    files = sorted(path for path in pathlib.Path(folder).iterdir() if path.is_file() and path.suffix != ".sha256")
    statement = {
        "_type": "https://in-toto.io/Statement/v1",
        "subject": [
            {"name": path.name, "digest": {"sha256": hashlib.sha256(path.read_bytes()).hexdigest()}}
            for path in files
            if path.name != pathlib.Path(out).name
        ],
        "predicateType": "https://slsa.dev/provenance/v1",
        "predicate": {
            "buildDefinition": {
                "buildType": "https://github.com/agentmd/agentmd/blob/main/scripts/release.sh",
                "externalParameters": {"commit": commit},
                "resolvedDependencies": [
                    {"uri": "git+https://github.com/agentmd/agentmd", "digest": {"gitCommit": commit}},
                    {"uri": "Cargo.lock", "digest": {"sha256": hashlib.sha256(pathlib.Path("Cargo.lock").read_bytes()).hexdigest()}},
                ],
                "internalParameters": {"toolchain": toolchain},
            },
            "runDetails": {"builder": {"id": "https://github.com/agentmd/agentmd/blob/main/.github/workflows/release.yml"}},
        },
    }
    pathlib.Path(out).write_text(json.dumps(statement, indent=2) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
