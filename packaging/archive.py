#!/usr/bin/env python3
"""Packs a folder reproducibly: archive.py FOLDER SECONDS. Makes a zip if it contains a Windows program."""

import gzip
import io
import pathlib
import sys
import tarfile
import time
import zipfile


def main(folder, seconds):
    folder, seconds = pathlib.Path(folder), int(seconds)
    files = sorted(path for path in folder.rglob("*") if path.is_file())

    def name(path):
        return path.relative_to(folder.parent).as_posix()

    if any(path.suffix == ".exe" for path in files):
        out = folder.with_name(folder.name + ".zip")
        with zipfile.ZipFile(out, "w") as archive:
            for path in files:
                entry = zipfile.ZipInfo(name(path), time.gmtime(seconds)[:6])
                entry.compress_type = zipfile.ZIP_DEFLATED
                entry.create_system, entry.external_attr = 3, 0o100644 << 16
                archive.writestr(entry, path.read_bytes(), compresslevel=9)
    else:
        out = folder.with_name(folder.name + ".tar.gz")
        with out.open("wb") as raw, gzip.GzipFile("", "wb", 9, raw, mtime=0) as packed:
            with tarfile.open(fileobj=packed, mode="w", format=tarfile.USTAR_FORMAT) as archive:
                for path in files:
                    entry = tarfile.TarInfo(name(path))
                    content = path.read_bytes()
                    entry.size, entry.mtime = len(content), seconds
                    entry.mode = 0o755 if path.stat().st_mode & 0o100 else 0o644
                    archive.addfile(entry, io.BytesIO(content))
    print(out)


if __name__ == "__main__":
    main(*sys.argv[1:])
