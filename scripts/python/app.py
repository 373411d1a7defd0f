"""The Python of agentmd's `python` tool: runs a program inside a WebAssembly component.

Only modules that are imported here exist in the sandbox, because componentize-py takes a snapshot of
the interpreter after these imports.
"""

import __future__, _strptime, abc, argparse, array, ast, base64, binascii, bisect, calendar, cmath, codecs
import collections, collections.abc, colorsys, configparser, contextlib, contextvars, copy, copyreg, csv
import dataclasses, datetime, decimal, difflib, dis, email.message, email.parser, enum, errno, fnmatch
import fractions, functools, gc, getopt, glob, graphlib, gzip, hashlib, heapq, hmac, html, html.entities
import html.parser, inspect, io, ipaddress, itertools, json, keyword, linecache, locale, logging, math
import mimetypes, numbers, opcode, operator, os, os.path, pathlib, pickle, pprint, quopri, random, re
import reprlib, sched, secrets, shlex, shutil, stat, statistics, string, struct, sys, tempfile, textwrap
import time, timeit, token, tokenize, tomllib, traceback, types, typing, unicodedata, unittest, urllib.parse
import uuid, warnings, weakref, xml.etree.ElementTree, zipfile, zlib, zoneinfo
import encodings.ascii, encodings.cp1252, encodings.idna, encodings.latin_1, encodings.utf_8
import encodings.utf_8_sig, encodings.utf_16

import wit_world
from componentize_py_types import Err

LONGEST_ERROR = 4000


class WitWorld(wit_world.WitWorld):
    def run(self, code: str) -> None:
        # The snapshot's seed would give every run the same numbers.
        random.seed()
        os.chdir("/tmp")
        linecache.cache["<code>"] = (len(code), None, code.splitlines(True), "<code>")
        error = None
        try:
            exec(compile(code, "<code>", "exec"), {"__name__": "__main__", "__builtins__": __builtins__})
        except SystemExit as stop:
            if stop.code not in (None, 0):
                error = f"exit status {stop.code}"[:LONGEST_ERROR]
        except BaseException as raised:
            # Without the frame of this function.
            raised.__traceback__ = raised.__traceback__.tb_next if raised.__traceback__ else None
            traceback.print_exception(raised, limit=-20)
            error = "".join(traceback.format_exception_only(raised)).strip()[-LONGEST_ERROR:]
        for stream in (sys.stdout, sys.stderr):
            try:
                stream.flush()
            except Exception:
                pass
        if error is not None:
            raise Err(error)
