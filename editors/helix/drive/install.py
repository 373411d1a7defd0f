"""Finds a recent Helix, or unpacks Debian's newest package into a build folder."""

import os
import pathlib
import re
import shutil
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[3]
HOME = ROOT / "target/editors/helix"
OLDEST = (25, 7)
# The libraries come from the same release as Helix, since this machine's C library may be older.
PACKAGES = ["hx", "libc6", "libgcc-s1"]
KEYS = "/usr/share/keyrings/debian-archive-keyring.gpg"


class Missing(Exception):
    """Helix isn't available; the message has the reason."""


def run(*command, **rest):
    return subprocess.run(command, capture_output=True, text=True, timeout=240, **rest)


def version(program):
    try:
        found = re.match(r"helix (\d+)\.(\d+)", run(program, "--version").stdout)
    except OSError:
        return None
    return found and (int(found[1]), int(found[2]))


def find():
    """The path of the program."""
    named = os.environ.get("AGENTMD_HELIX")
    for program in [named] if named else ["hx", "helix", str(HOME / "hx")]:
        found = version(program)
        if found and found >= OLDEST:
            return shutil.which(program)
    if named:
        raise Missing(f"AGENTMD_HELIX={named} is not Helix {OLDEST[0]}.{OLDEST[1]:02} or newer")
    unpack()
    program = str(HOME / "hx")
    if not version(program):
        raise Missing("the packaged Helix does not start here: " + run(program, "--version").stderr.strip())
    return program


def unpack():
    if not shutil.which("apt-get") or not pathlib.Path(KEYS).exists():
        raise Missing("Helix 25.07 or newer is missing, and can be unpacked only on Debian")
    if run("dpkg", "--print-architecture").stdout.strip() != "amd64":
        raise Missing("Debian's package can be unpacked only on amd64")
    shutil.rmtree(HOME, ignore_errors=True)
    lists, cache = HOME / "apt/state", HOME / "apt/cache"
    (lists / "lists/partial").mkdir(parents=True)
    (cache / "archives/partial").mkdir(parents=True)
    (HOME / "apt/sources.list").write_text(f"deb [arch=amd64 signed-by={KEYS}] {mirror()} sid main\n")
    # Use separate package lists, so that the machine's own stay as they are.
    options = {"Dir::State": lists, "Dir::State::status": "/dev/null", "Dir::Cache": cache, "Dir::Etc::sourcelist": HOME / "apt/sources.list"}
    options |= {"Dir::Etc::sourceparts": "/dev/null", "Acquire::Languages": "none", "Acquire::Retries": "2", "APT::Sandbox::User": "root"}
    options |= {"Acquire::IndexTargets::deb::DEP-11::DefaultEnabled": "false", "Acquire::http::Timeout": "20"}
    apt = ["apt-get", "-qq", *[part for name, value in options.items() for part in ("-o", f"{name}={value}")]]
    for step in (["update"], ["download", *PACKAGES]):
        try:
            done = run(*apt, *step, cwd=HOME)
        except subprocess.TimeoutExpired:
            raise Missing("downloading the packages timed out")
        if done.returncode != 0:
            raise Missing("the packages cannot be downloaded: " + (done.stderr.strip().splitlines() or ["apt-get failed"])[-1])
    for package in HOME.glob("*.deb"):
        if run("dpkg-deb", "-x", str(package), str(HOME)).returncode != 0:
            raise Missing(f"{package.name} cannot be unpacked")
        package.unlink()
    shutil.rmtree(HOME / "apt")
    libraries = HOME / "usr/lib/x86_64-linux-gnu"
    start = f'#!/bin/sh\nHELIX_RUNTIME="{HOME}/usr/lib/hx/runtime" exec "{libraries}/ld-linux-x86-64.so.2" --library-path "{libraries}" "{HOME}/usr/lib/hx/hx" "$@"\n'
    (HOME / "hx").write_text(start)
    (HOME / "hx").chmod(0o755)


def mirror():
    """The Debian mirror that this machine uses."""
    listed = run("apt-get", "indextargets", "--format", "$(SITE) $(LABEL)", "Created-By: Packages").stdout
    if not listed and os.geteuid() == 0:
        run("apt-get", "update", "-qq")
        listed = run("apt-get", "indextargets", "--format", "$(SITE) $(LABEL)", "Created-By: Packages").stdout
    for line in listed.splitlines():
        site, _, label = line.partition(" ")
        if label == "Debian":
            return site
    raise Missing("apt-get has no source of Debian's packages")


def grammars(folder):
    """Copies Neovim's grammars into a folder; false if it has none."""
    found = sorted(ROOT.glob("target/editors/lib/**/parser/markdown.so"))
    if found:
        folder.mkdir(parents=True, exist_ok=True)
        for name in ("markdown.so", "markdown_inline.so", "c.so"):
            shutil.copyfile(found[0].with_name(name), folder / name)
    return bool(found)
