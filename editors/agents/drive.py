#!/usr/bin/env python3
"""Starts the server with each configuration file for agents and editors, opens a broken skill with each of its file extensions,
and waits for the finding. AGENTMD names the program to run instead of `agentmd`."""

import json
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile
import tomllib

HERE = pathlib.Path(__file__).resolve().parent
PROGRAM = os.path.abspath(os.environ.get("AGENTMD") or HERE.parents[1] / "target/release/agentmd")
LLMD = "# Project: notes\n\n## Meta: LLMD\n\n## Mission\n\nNotes.\n\n## Mission\n\nTwice.\n"
SKILL = "---\nname: notes\ndescription: Use when: somebody asks\n---\n\n# Notes\n"


def starts():
    """For each file: its name, its command, and the language of every extension."""
    claude = json.loads((HERE / "claude-code/.lsp.json").read_text())["agentmd"]
    yield "Claude Code", [claude["command"], *claude["args"]], claude["extensionToLanguage"]
    copilot = json.loads((HERE / "copilot/lsp.json").read_text())["lspServers"]["agentmd"]
    yield "Copilot CLI", [copilot["command"], *copilot["args"]], copilot["fileExtensions"]
    opencode = json.loads((HERE / "opencode/opencode.json").read_text())["lsp"]["agentmd"]
    yield "OpenCode", opencode["command"], dict.fromkeys(opencode["extensions"], "markdown")
    helix = tomllib.loads((HERE.parent / "helix/languages.toml").read_text())
    server = helix["language-server"]["agentmd"]
    (language, tests) = helix["language"]
    assert all(one["language-servers"] == ["agentmd"] for one in (language, tests)), helix
    # The only YAML files are tests of programs.
    assert all(file["glob"].startswith("*.test.") for file in tests["file-types"]), tests
    named = [one for one in language["file-types"] if isinstance(one, str)]
    yield "Helix", [server["command"], *server["args"]], {f".{one}": language["name"] for one in named if one in ("md", "mdc", "llmd")}
    template = lsp4ij(HERE.parent / "jetbrains/agentmd")
    (mapping,) = template["fileTypeMappings"]
    patterns = [pattern.removeprefix("*") for pattern in mapping["fileType"]["patterns"]]
    # The command for Windows, and the one for other systems, which finds the program through a shell's PATH.
    for command in (template["programArgs"]["windows"].replace(".exe", ""), template["programArgs"]["default"]):
        yield "LSP4IJ", shlex.split(command), dict.fromkeys(patterns, mapping["languageId"])


# The parts of a template that LSP4IJ reads; it silently ignores everything else.
LSP4IJ_FILES = {
    "README.md", "clientSettings.json", "experimental.json", "initializationOptions.json", "installer.json", "settings.json",
    "settings.schema.json", "template.json", "workspaceFolderSettings.json",
}
LSP4IJ_KEYS = {
    "dev", "disablePromotionFor", "env", "expandConfiguration", "fileTypeMappings", "id", "languageMappings", "name", "programArgs",
    "url", "workingDir",
}


def lsp4ij(folder):
    """The template, after checking that LSP4IJ reads every file and key in it."""
    names = {path.name for path in folder.iterdir()}
    assert names <= LSP4IJ_FILES, names - LSP4IJ_FILES
    files = {name: json.loads((folder / name).read_text()) for name in names if name.endswith(".json")}
    template = files["template.json"]
    assert template.keys() <= LSP4IJ_KEYS, template.keys() - LSP4IJ_KEYS
    assert {"id", "name", "programArgs", "fileTypeMappings"} <= template.keys(), template
    assert "default" in template["programArgs"] and template["programArgs"].keys() <= {"default", "windows", "mac", "unix"}, template
    for mapping in template["fileTypeMappings"]:
        assert mapping.keys() == {"fileType", "languageId"} and mapping["fileType"].keys() <= {"name", "patterns"}, mapping
    # LSP4IJ's own templates use this draft.
    assert files["settings.schema.json"]["$schema"] == "http://json-schema.org/draft-07/schema#"
    return template


class Client:
    """A client that sends the minimal messages of an agent."""

    def __init__(self, command, folder):
        self.number = 0
        path = os.pathsep.join([os.path.dirname(PROGRAM), os.environ.get("PATH", "")])
        self.process = subprocess.Popen(command, cwd=folder, env={**os.environ, "PATH": path}, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def read(self):
        length = 0
        while (line := self.process.stdout.readline().strip()) or not length:
            if not line and self.process.poll() is not None:
                sys.exit("the server has ended")
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
        return json.loads(self.process.stdout.read(length))

    def wait(self, fits):
        while not fits(message := self.read()):
            if "id" in message and "method" in message:
                self.send({"id": message["id"], "result": None})
        return message

    def ask(self, method, params):
        self.number += 1
        self.send({"id": self.number, "method": method, "params": params})
        return self.wait(lambda message: message.get("id") == self.number and "method" not in message)["result"]


def helix(client, uri, findings):
    """Helix resolves every action without an edit or a command, and then applies the result."""
    (finding,) = findings
    params = {"textDocument": {"uri": uri}, "range": finding["range"], "context": {"diagnostics": findings, "triggerKind": 1}}
    actions = client.ask("textDocument/codeAction", params) or []
    resolved = [client.ask("codeAction/resolve", one) if not one.get("edit") or not one.get("command") else one for one in actions]
    whole = all(one.get("edit") or one.get("command") for one in resolved)
    same = all(old == new for old, new in zip(actions, resolved) if "data" not in old)
    good = bool(actions) and whole and same
    print("ok  " if good else "FAIL", "Helix        actions   ", [one["title"] for one in resolved])
    return not good


def main():
    failed = 0
    for name, (program, *rest), languages in starts():
        assert program in ("agentmd", "sh"), f"{name} starts {program}"
        program = PROGRAM if program == "agentmd" else program
        with tempfile.TemporaryDirectory() as folder:
            client = Client([program, *rest], folder)
            root = pathlib.Path(folder).as_uri()
            literals = {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["", "quickfix", "refactor", "source"]}}}
            capabilities = {"textDocument": {"publishDiagnostics": {"versionSupport": True}, "codeAction": literals}}
            # Outside a project, Helix sends no folder.
            folders = {"rootUri": None, "workspaceFolders": []} if name == "Helix" else {"rootUri": root}
            client.ask("initialize", {"processId": os.getpid(), "capabilities": capabilities, **folders})
            client.send({"method": "initialized", "params": {}})
            for extension, language in languages.items():
                uri = f"{root}/SKILL{extension}"
                document = {"uri": uri, "languageId": language, "version": 7, "text": LLMD if extension == ".llmd" else SKILL}
                client.send({"method": "textDocument/didOpen", "params": {"textDocument": document}})
                told = client.wait(lambda message: message.get("method") == "textDocument/publishDiagnostics" and message["params"]["uri"] == uri)["params"]
                codes = [finding.get("code") for finding in told["diagnostics"]]
                # Cursor's rules aren't YAML.
                wanted = {".llmd": "llmd/duplicate-section", ".md": "agent/front-matter", ".mdc": None}.get(extension, "markdown/front-matter")
                good = told.get("version") == 7 and (wanted in codes if wanted else not codes)
                failed += not good
                print("ok  " if good else "FAIL", f"{name:12} {extension:10} {codes}")
                if name == "Helix" and extension == ".md":
                    failed += helix(client, uri, told["diagnostics"])
            client.ask("shutdown", None)
            client.send({"method": "exit"})
            failed += client.process.wait(10) != 0
    print("all is well" if not failed else f"{failed} failed")
    return min(failed, 1)


if __name__ == "__main__":
    sys.exit(main())
