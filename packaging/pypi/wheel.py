#!/usr/bin/env python3
"""Makes a wheel with the program: wheel.py PROGRAM VERSION PLATFORM FOLDER. Needs only Python."""

import base64
import hashlib
import pathlib
import subprocess
import sys
import sysconfig
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
METADATA = """\
Metadata-Version: 2.4
Name: agentmd
Version: {version}
Summary: A language server and command line for agent markdown
License-Expression: MIT OR Apache-2.0
License-File: LICENSE-MIT
License-File: LICENSE-APACHE
Project-URL: Source, https://github.com/agentmd/agentmd
Requires-Python: >=3.8
Description-Content-Type: text/markdown

"""


TAGS = {
    "darwin-arm64": "macosx_11_0_arm64",
    "darwin-x64": "macosx_10_12_x86_64",
    "linux-arm64": "manylinux_2_17_aarch64.manylinux2014_aarch64.musllinux_1_1_aarch64",
    "linux-x64": "manylinux_2_17_x86_64.manylinux2014_x86_64.musllinux_1_1_x86_64",
    "win32-arm64": "win_arm64",
    "win32-x64": "win_amd64",
}


def platform_tag(program, platform):
    """A static program runs on any Linux with this architecture; others are tagged for this machine only."""
    if platform not in TAGS:
        sys.exit(f"there is no wheel for {platform}; there is one for {', '.join(TAGS)}")
    if platform.startswith("linux-"):
        said = subprocess.run(["ldd", program], capture_output=True, text=True, check=False)
        if "=>" in said.stdout:
            return sysconfig.get_platform().replace("-", "_").replace(".", "_")
    return TAGS[platform]


def main(program, version, platform, folder):
    tag = f"py3-none-{platform_tag(program, platform)}"
    suffix = ".exe" if platform.startswith("win32-") else ""
    info = f"agentmd-{version}.dist-info"
    plain = 0o100644
    files = {
        f"agentmd-{version}.data/scripts/agentmd{suffix}": (pathlib.Path(program).read_bytes(), 0o100755),
        f"{info}/METADATA": (METADATA.format(version=version).encode() + (ROOT / "README.md").read_bytes(), plain),
        f"{info}/WHEEL": ("Wheel-Version: 1.0\nGenerator: agentmd\nRoot-Is-Purelib: false\n" + "".join(f"Tag: py3-none-{one}\n" for one in tag.removeprefix("py3-none-").split(".")), plain),
        f"{info}/licenses/LICENSE-MIT": ((ROOT / "LICENSE-MIT").read_bytes(), plain),
        f"{info}/licenses/LICENSE-APACHE": ((ROOT / "LICENSE-APACHE").read_bytes(), plain),
    }
    record = []
    wheel = pathlib.Path(folder) / f"agentmd-{version}-{tag}.whl"
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:

        def add(name, content, mode):
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.external_attr = mode << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, content)

        for name, (content, mode) in files.items():
            content = content.encode() if isinstance(content, str) else content
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            record.append(f"{name},sha256={digest},{len(content)}\n")
            add(name, content, mode)
        add(f"{info}/RECORD", "".join(record) + f"{info}/RECORD,,\n", plain)
    print(wheel)


if __name__ == "__main__":
    main(*sys.argv[1:])
