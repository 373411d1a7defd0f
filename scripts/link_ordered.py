"""Links a program with the functions of `function_order.txt` first, side by side.

    link_ordered.py ARGUMENT...      the arguments of the C compiler
    link_ordered.py --fit PROGRAM    tells how much of the list a program has; it's a failure if the list is out of date

A server runs a fifth of the program's code. Linux loads a program in pieces of 64 KiB, so without an order nearly every piece has
something that is needed, and after a pause each key waits for pages from all over the file. The order doesn't change what the
program does: functions that aren't in the list follow in the linker's own order, and if the linker takes no order, it links without.
`benches/function_order.py` writes the list.
"""
import hashlib
import re
import subprocess
import sys
import tempfile
from pathlib import Path

LIST = Path(__file__).with_name("function_order.txt")
# Above it, what the programs run that the list was made with; below it, what earlier ones ran.
EARLIER = "# Not in these programs, but in earlier ones:"
# An optimized program misses up to a third: it inlines what is a function in the other.
LEAST = 0.65


def digest(symbol):
    """What the list knows a mangled name by: without the hashes of crates, the distances that depend on them, and the number that
    LLVM appends to the names that several units of code share, which is another one in every build."""
    name = re.sub(r"\.llvm\.[0-9]+$", "", symbol)
    name = re.sub(r"Cs[0-9A-Za-z]*_", "C", name)
    name = re.sub(r"B[0-9A-Za-z]*_", "B", name)
    return hashlib.sha256(name.encode()).hexdigest()[:10]


def functions(program):
    """The mangled names of a program's functions."""
    lines = subprocess.run(["nm", program], check=True, capture_output=True, text=True).stdout.splitlines()
    return [line.split()[2] for line in lines if re.match(r"[0-9a-f]+ [tTwW] ", line)]


def places(end=None):
    """The digests in the list, or those above the line `end`, with their places."""
    text = LIST.read_text()
    lines = (text.partition(end)[0] if end else text).split("\n")
    return {line: place for place, line in enumerate(lines) if line and not line.startswith("#")}


def order(program):
    """The functions of `program` that are in the list, in its order."""
    known = places()
    found = {symbol: known.get(digest(symbol)) for symbol in functions(program)}
    return sorted((symbol for symbol, place in found.items() if place is not None), key=found.get)


def link(arguments):
    return subprocess.run(["cc", *arguments]).returncode


def fit(program):
    known = places(EARLIER)
    share = len(known.keys() & {digest(symbol) for symbol in functions(program)}) / len(known)
    print(f"{program} has {share:.0%} of the {len(known)} functions in {LIST.name}")
    if share < LEAST:
        print(f"less than {LEAST:.0%}: write the list anew with benches/function_order.py", file=sys.stderr)
    return int(share < LEAST)


def main(arguments):
    if arguments[:1] == ["--fit"]:
        return fit(*arguments[1:])
    output = arguments[arguments.index("-o") + 1]
    # Names are needed first, even if the program is to have none.
    status = link([argument for argument in arguments if argument != "-Wl,--strip-all"])
    if status != 0:
        return status
    try:
        symbols = order(output)
    except (OSError, subprocess.CalledProcessError) as error:
        print(f"link_ordered.py: functions keep the linker's order: {error}", file=sys.stderr)
        return link(arguments)
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
        file.write("\n".join(symbols))
        file.flush()
        ordered = [*arguments, f"-Wl,--symbol-ordering-file={file.name}", "-Wl,--no-warn-symbol-ordering"]
        if subprocess.run(["cc", *ordered], stderr=subprocess.DEVNULL).returncode == 0:
            return 0
    return link(arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
