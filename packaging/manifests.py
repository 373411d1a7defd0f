#!/usr/bin/env python3
"""Fills the manifests of package managers: manifests.py VERSION FOLDER [--draft].

FOLDER has the archives of a release with their checksums (`NAME.sha256`). A manifest that names an archive which isn't
there is left out, and printed with the reason. With --draft it is written with zeros, so that it can be linted.
"""

import json
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).parent
ADDRESS = "https://github.com/agentmd/agentmd/releases/download"
TEMPLATES = {
    "homebrew/agentmd.rb": "agentmd.rb",
    "scoop/agentmd.json": "scoop-agentmd.json",
    "winget/agentmd.yaml": "winget-agentmd.yaml",
    "aur/PKGBUILD": "PKGBUILD",
    "nix/default.nix": "default.nix",
    "container/Containerfile": "Containerfile",
    "mason/package.yaml": "mason-package.yaml",
    "melpa/agentmd": "melpa-agentmd",
    "nvim-lspconfig/agentmd.lua": "nvim-lspconfig-agentmd.lua",
    "install/install.sh": "install.sh",
    "install/install.ps1": "install.ps1",
}


def archive(version, target):
    return f"agentmd-{version}-{target}.{'zip' if 'windows' in target else 'tar.gz'}"


def main(version, folder, draft=""):
    folder = pathlib.Path(folder)
    left_out = {}
    for template, name in TEMPLATES.items():
        text = (HERE / template).read_text()
        missing = set()

        def fill(found):
            what, _, target = found.group(1).partition(":")
            if what == "VERSION":
                return version
            file = archive(version, target)
            checksum = folder / f"{file}.sha256"
            if not checksum.exists():
                missing.add(target)
            if what == "URL":
                return f"{ADDRESS}/v{version}/{file}"
            return checksum.read_text().split()[0] if checksum.exists() else "0" * 64

        text = re.sub(r"@((?:VERSION)|(?:URL|SHA256):[\w-]+)@", fill, text)
        (folder / name).unlink(missing_ok=True)
        if missing:
            left_out[name] = f"no archive for {', '.join(sorted(missing))}"
            if not draft:
                continue
        (folder / name).write_text(text)
        if name == "install.sh":
            (folder / name).chmod(0o755)
    print(json.dumps(left_out))


if __name__ == "__main__":
    main(*sys.argv[1:])
