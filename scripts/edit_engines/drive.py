"""Drives one edit engine: reads cases from stdin, one JSON object per line, and answers each with the file that comes out.

An engine is a function of a case and the path of a file that holds the case's text. It changes the file, or returns its new
text. Any exception is a refusal.
"""

import difflib
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import types

NAME = "target.txt"


def main():
    name, program = sys.argv[1:3]
    apply = ENGINES[name](program)
    answers, sys.stdout = sys.stdout, sys.stderr
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        path = pathlib.Path(folder, NAME)
        for line in sys.stdin.buffer:
            case = json.loads(line)
            path.write_bytes(case["before"].encode())
            try:
                after = apply(case, path)
                answer = {"after": path.read_bytes().decode() if after is None else after}
            except Exception as error:
                answer = {"after": None, "error": f"{type(error).__name__}: {error}".strip()}
            print(json.dumps(answer), file=answers)


def agentmd(program):
    def apply(case, path):
        block = f"{NAME}\n```\n<<<<<<< SEARCH\n{case['search']}=======\n{case['replace']}>>>>>>> REPLACE\n```\n"
        call([program, "apply", "-"], block)

    return apply


def aider(_):
    # The engine without the chat around it: the package of the coders would import all of them.
    import aider

    coders = types.ModuleType("aider.coders")
    coders.__path__ = [str(pathlib.Path(aider.__file__).parent / "coders")]
    base = types.ModuleType("aider.coders.base_coder")
    base.Coder = object
    sys.modules.update({"aider.coders": coders, "aider.coders.base_coder": base})
    from aider.coders.editblock_coder import do_replace

    def apply(case, path):
        # Read and written as aider.io does.
        content = path.read_text(encoding="utf-8")
        content = do_replace(str(path), content, case["search"], case["replace"], ("```", "```"))
        if not content:
            raise ValueError("SearchReplaceNoExactMatch")
        path.write_text(content, encoding="utf-8")

    return apply


def apply_edit_block(_):
    from apply_edit_block import apply_edit

    def apply(case, path):
        # As its parse_blocks reads a block.
        search, replace = without_end(case)
        result = apply_edit(case["before"], {"search": search, "replace": replace})
        if not result.ok:
            raise ValueError("no match")
        return result.text

    return apply


def codex(program):
    def apply(case, path):
        hunk = "".join(f"{sign}{line}\n" for sign, line in changes(case))
        patch = f"*** Begin Patch\n*** Update File: {NAME}\n@@\n{hunk}*** End Patch\n"
        call([program, "--codex-run-as-apply-patch", patch])

    return apply


def git(program, *options):
    # The hunks have context on one side only, which git takes for the start or the end of the file without --unidiff-zero.
    def apply(case, path):
        call([program, "apply", "--unidiff-zero", *options, "-"], diff(case, case["hint"] or case["line"]))

    return apply


def gptme(_):
    from gptme.tools.patch import execute_patch_impl

    def apply(case, path):
        block = f"<<<<<<< ORIGINAL\n{case['search']}=======\n{case['replace']}>>>>>>> UPDATED\n"
        list(execute_patch_impl(block, path))

    return apply


def mpatch_diff(_):
    import mpatch

    def apply(case, path):
        lines = [sign + line for sign, line in changes(case)]
        patch = mpatch.Patch(NAME, [mpatch.Hunk(lines, old_start_line=case["hint"])])
        result = mpatch.apply_patch_to_content(patch, case["before"])
        if not result.report.all_applied_cleanly:
            raise ValueError(result.report.failures[0].error_type)
        return result.new_content

    return apply


def mpatch_blocks(_):
    import mpatch

    def apply(case, path):
        block = f"{NAME}\n<<<<<<< SEARCH\n{case['search']}=======\n{case['replace']}>>>>>>> REPLACE\n"
        return mpatch.patch_content(block, case["before"])

    return apply


def openhands(_):
    from openhands_aci.editor import OHEditor

    editor = OHEditor()

    def apply(case, path):
        old, new = without_end(case)
        editor(command="str_replace", path=str(path), old_str=old, new_str=new)

    return apply


def patch(program):
    def apply(case, path):
        text = diff(case, case["hint"] or case["line"])
        call([program, "--batch", "--forward", "--no-backup-if-mismatch", "--reject-file=-", NAME], text)

    return apply


def call(command, text=None):
    done = subprocess.run(command, input=text and text.encode(), capture_output=True)
    if done.returncode != 0:
        said = (done.stderr + b" " + done.stdout).decode(errors="replace").strip()
        raise ValueError(f"exit {done.returncode}: {said}")


def without_end(case):
    """Both sides without the last line break, as models write them in tool calls."""
    return case["search"].removesuffix("\n"), case["replace"].removesuffix("\n")


def changes(case):
    """The block as the lines of a diff, with ` `, `-` or `+`."""
    old, new = case["search"].split("\n")[:-1], case["replace"].split("\n")[:-1]
    for what, start, end, new_start, new_end in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if what == "equal":
            yield from ((" ", line) for line in old[start:end])
        else:
            yield from (("-", line) for line in old[start:end])
            yield from (("+", line) for line in new[new_start:new_end])


def diff(case, line):
    """The block as a unified diff with one hunk at this line."""
    lines = list(changes(case))
    old, new = (sum(sign in kept for sign, _ in lines) for kept in (" -", " +"))
    return f"--- a/{NAME}\n+++ b/{NAME}\n@@ -{line},{old} +{line},{new} @@\n" + "".join(f"{sign}{line}\n" for sign, line in lines)


ENGINES = {
    "agentmd": agentmd,
    "aider": aider,
    "apply-edit-block": apply_edit_block,
    "codex apply_patch": codex,
    "git apply": git,
    "git apply --ignore-whitespace": lambda program: git(program, "--ignore-whitespace"),
    "gptme": gptme,
    "mpatch diff": mpatch_diff,
    "mpatch search/replace": mpatch_blocks,
    "openhands-aci": openhands,
    "patch": patch,
}


if __name__ == "__main__":
    main()
