#!/usr/bin/env python3
"""Compares language servers by their features and their findings in broken documents; writes the tables of docs/comparison.md.

    benches/capabilities.py [--check]

The other servers are installed from their registries into target/peers. Their documentation doesn't count: a feature counts if
the server offers it in its answer to `initialize` or registers it later, and a finding if it's published or can be pulled.
"""
import json
import os
import re
import select
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PEERS = ROOT / "target" / "peers"
PAGE = ROOT / "docs" / "comparison.md"
PYPI = ["rumdl", "panache-cli"]
NPM = ["vscode-markdown-languageserver"]

# The name in the table, the path in the answer to `initialize`, and the method that registers the feature.
FEATURES = [
    ("incremental sync", "textDocumentSync", ""),
    ("UTF-8 positions", "positionEncoding", ""),
    ("pull diagnostics", "diagnosticProvider", "textDocument/diagnostic"),
    ("… for the whole workspace", "diagnosticProvider/workspaceDiagnostics", ""),
    ("completion", "completionProvider", "textDocument/completion"),
    ("hover", "hoverProvider", "textDocument/hover"),
    ("signature help", "signatureHelpProvider", "textDocument/signatureHelp"),
    ("definition", "definitionProvider", "textDocument/definition"),
    ("references", "referencesProvider", "textDocument/references"),
    ("rename", "renameProvider", "textDocument/rename"),
    ("… of files", "workspace/fileOperations/willRename", "workspace/willRenameFiles"),
    ("linked editing", "linkedEditingRangeProvider", "textDocument/linkedEditingRange"),
    ("document highlights", "documentHighlightProvider", "textDocument/documentHighlight"),
    ("outline", "documentSymbolProvider", "textDocument/documentSymbol"),
    ("workspace symbols", "workspaceSymbolProvider", "workspace/symbol"),
    ("call hierarchy", "callHierarchyProvider", "textDocument/prepareCallHierarchy"),
    ("document links", "documentLinkProvider", "textDocument/documentLink"),
    ("code actions", "codeActionProvider", "textDocument/codeAction"),
    ("code lenses", "codeLensProvider", "textDocument/codeLens"),
    ("inlay hints", "inlayHintProvider", "textDocument/inlayHint"),
    ("semantic tokens", "semanticTokensProvider", "textDocument/semanticTokens"),
    ("… as deltas", "semanticTokensProvider/full/delta", ""),
    ("folding", "foldingRangeProvider", "textDocument/foldingRange"),
    ("selection ranges", "selectionRangeProvider", "textDocument/selectionRange"),
    ("formatting", "documentFormattingProvider", "textDocument/formatting"),
]

# A mistake, a document's path and text, the wrong characters, and a pattern that a finding about the mistake matches.
DOCUMENTS = [
    ("a skill whose description is invalid YAML", ".claude/skills/notes/SKILL.md", "---\nname: notes\ndescription: Use when: somebody asks\n---\n\n# Notes\n\nWrite notes.\n", "Use when: somebody asks", "colon|mapping|yaml|front"),
    ("an undeclared input field", "program.md", "---\nname: greet\ndescription: Greets a person by name\ninput:\n  type: object\n  properties:\n    person:\n      type: object\n      properties:\n        name: { type: string }\n  required: [person]\noutput:\n  type: object\n  properties:\n    text: { type: string }\n  required: [text]\n---\n\nGreet {{ .person.nmae }} warmly.\n", "nmae", "nmae|undeclared|unknown"),
    ("an edit block without a match", "reply.md", "I changed the greeting.\n\ngreet.py\n<<<<<<< SEARCH\nprint(\"Hallo\")\n=======\nprint(\"Hei\")\n>>>>>>> REPLACE\n", "print(\"Hallo\")", "search|match|hallo"),
    ("an unclosed marker in a reply", "answer.md", "[REASONING]\nBecause.\n\n[CONFIDENCE] 0.9\n[MOOD] 0.9\n[FOCUS] 0.9\n[STAMINA] 0.9\n\n[ACTION_0_TYPE] create_file\n[ACTION_0_PATH] a.txt\n[ACTION_0_CONTENT_START]\ntext\n", "[ACTION_0_CONTENT_START]", "end|clos|terminat"),
    ("a skipped heading level", "guide.md", "# Guide\n\n### Too deep\n\nText.\n", "### Too deep", "heading|level"),
    ("a link to a missing file", "links.md", "# Links\n\nSee [the plan](gone.md).\n", "gone.md", "gone|link|exist"),
]


def servers():
    (PEERS / "bin").mkdir(parents=True, exist_ok=True)
    venv, node = PEERS / "venv", PEERS / "node"
    if not (venv / "bin" / "panache").exists() or not (venv / "bin" / "rumdl").exists():
        subprocess.run([sys.executable, "-m", "venv", venv], check=True)
        subprocess.run([venv / "bin" / "pip", "install", "-q", *PYPI], check=True)
    if not (node / "node_modules" / NPM[0]).exists():
        subprocess.run(["npm", "install", "--silent", "--no-audit", "--no-fund", "--prefix", node, *NPM], check=True)
    if not (PEERS / "bin" / "agnix-lsp").exists():
        subprocess.run(["cargo", "install", "-q", "agnix-lsp", "--root", PEERS], check=True)
    program = os.environ.get("AGENTMD") or str(ROOT / "target" / "release" / "agentmd")
    version = lambda *command: re.search(r"\d+\.\d+\.\d+", subprocess.run([str(part) for part in command], capture_output=True, text=True).stdout + " 0.0.0")[0]
    markdown = json.loads((node / "node_modules" / NPM[0] / "package.json").read_text())
    return [
        ("agentmd", version(program, "--version"), [program, "server"]),
        ("agnix", version(PEERS / "bin" / "agnix-lsp", "--version"), [PEERS / "bin" / "agnix-lsp"]),
        ("rumdl", version(venv / "bin" / "rumdl", "--version"), [venv / "bin" / "rumdl", "server"]),
        ("panache", version(venv / "bin" / "panache", "--version"), [venv / "bin" / "panache", "lsp"]),
        ("VS Code's", markdown["version"], ["node", node / "node_modules" / NPM[0] / markdown["main"], "--stdio"]),
    ]


class Server:
    """A server, with its registrations, published findings and answers."""

    def __init__(self, command, folder):
        self.process = subprocess.Popen([str(part) for part in command], cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        os.set_blocking(self.process.stdout.fileno(), False)
        self.buffer, self.number, self.folder = b"", 0, folder
        self.registered, self.published, self.answers = set(), {}, {}

    def send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def listen(self, seconds, until=lambda: False):
        end = time.monotonic() + seconds
        while time.monotonic() < end and not until():
            if select.select([self.process.stdout], [], [], 0.05)[0]:
                self.buffer += self.process.stdout.read() or b""
            while match := re.match(rb"(?:[^\r\n]+\r\n)*?Content-Length: *(\d+)\r\n(?:[^\r\n]+\r\n)*\r\n", self.buffer, re.IGNORECASE):
                last = match.end() + int(match[1])
                if len(self.buffer) < last:
                    break
                message, self.buffer = json.loads(self.buffer[match.end() : last]), self.buffer[last:]
                self.take(message)

    def take(self, message):
        method, params = message.get("method"), message.get("params")
        if method is None:
            self.answers[message["id"]] = message.get("result")
        elif method == "textDocument/publishDiagnostics":
            self.published[params["uri"]] = params["diagnostics"]
        elif "id" in message:
            if method == "client/registerCapability":
                self.registered |= {one["method"] for one in params["registrations"]}
            self.send({"id": message["id"], "result": self.reply(method, params)})

    def reply(self, method, params):
        """The answer to a request from a server. VS Code's server lets its client read files."""
        if method == "workspace/configuration":
            return [None for _ in params["items"]]
        path = Path(re.sub("^file://", "", (params or {}).get("uri", ""))) if isinstance(params, dict) else None
        if method == "markdown/fs/stat":
            return {"isDirectory": path.is_dir()} if path.exists() else None
        if method == "markdown/fs/readFile":
            return list(path.read_bytes())
        if method == "markdown/fs/readDirectory":
            return [[one.name, {"isDirectory": one.is_dir()}] for one in path.iterdir()]
        if method in ("markdown/parse", "markdown/findMarkdownFilesInWorkspace"):
            return []
        return None

    def ask(self, method, params, seconds=20):
        self.number += 1
        number = self.number
        self.send({"id": number, "method": method, "params": params})
        self.listen(seconds, lambda: number in self.answers)
        return self.answers.get(number)


def capabilities():
    dynamic = {"dynamicRegistration": True}
    names = "completion hover signatureHelp definition references rename linkedEditingRange documentHighlight documentSymbol callHierarchy documentLink codeAction codeLens inlayHint semanticTokens foldingRange selectionRange formatting diagnostic"
    document = {name: dict(dynamic) for name in names.split()}
    document["codeAction"]["codeActionLiteralSupport"] = {"codeActionKind": {"valueSet": ["quickfix", "refactor", "source"]}}
    document["semanticTokens"] |= {"requests": {"full": {"delta": True}, "range": True}, "tokenTypes": [], "tokenModifiers": [], "formats": ["relative"]}
    document["rename"]["prepareSupport"] = True
    document["publishDiagnostics"] = {"versionSupport": True}
    workspace = {"applyEdit": True, "configuration": True, "workspaceFolders": True, "symbol": dict(dynamic), "fileOperations": {"dynamicRegistration": True, "willRename": True}, "diagnostics": {"refreshSupport": True}}
    return {"general": {"positionEncodings": ["utf-8", "utf-16"]}, "textDocument": document, "workspace": workspace}


def offered(server, told, name, path, method):
    value = told
    for part in path.split("/"):
        value = value.get(part) if isinstance(value, dict) else None
    if path == "textDocumentSync":
        return (value.get("change") if isinstance(value, dict) else value) == 2
    if path == "positionEncoding":
        return value == "utf-8"
    return value not in (None, False) or (method != "" and any(one.startswith(method) for one in server.registered))


def look(command):
    """The features that a server offers, and a grade for its findings in each document."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "greet.py").write_text('print("Hello")\n')
        for _, path, text, *_ in DOCUMENTS:
            (Path(folder) / path).parent.mkdir(parents=True, exist_ok=True)
            (Path(folder) / path).write_text(text)
        root = Path(folder).as_uri()
        server = Server(command, folder)
        params = {"processId": os.getpid(), "rootUri": root, "workspaceFolders": [{"uri": root, "name": "x"}], "capabilities": capabilities(), "initializationOptions": {"markdownFileExtensions": ["md"]}}
        told = (server.ask("initialize", params) or {}).get("capabilities", {})
        server.send({"method": "initialized", "params": {}})
        # The settings that VS Code sends to its own server.
        markdown = {"suggest": {"paths": {"enabled": True}}, "occurrencesHighlight": {"enabled": False}, "validate": {"enabled": False}}
        server.send({"method": "workspace/didChangeConfiguration", "params": {"settings": {"markdown": markdown}}})
        server.listen(1.5)
        features = [offered(server, told, *feature) for feature in FEATURES]
        said = []
        for _, path, text, wrong, words in DOCUMENTS:
            uri = f"{root}/{path}"
            server.send({"method": "textDocument/didOpen", "params": {"textDocument": {"uri": uri, "languageId": "markdown", "version": 1, "text": text}}})
            server.listen(2.0, lambda: server.published.get(uri))
            found = list(server.published.get(uri, []))
            if told.get("diagnosticProvider") or "textDocument/diagnostic" in server.registered:
                found += (server.ask("textDocument/diagnostic", {"textDocument": {"uri": uri}}, 5) or {}).get("items", [])
            said.append(judge(text, wrong, words, found))
        server.process.kill()
        server.process.wait()
        return features, said


def judge(text, wrong, words, found):
    """How close the best finding about the mistake is to it. The documents are ASCII, so the encoding doesn't matter."""
    lines = text.split("\n")
    row = next(number for number, line in enumerate(lines) if wrong in line)
    first, last = lines[row].index(wrong), lines[row].index(wrong) + len(wrong)
    best = 0
    for one in found:
        start, end = one["range"]["start"], one["range"]["end"]
        if not re.search(words, f"{one['message']} {one.get('code', '')}", re.IGNORECASE):
            continue
        on_row = start["line"] <= row <= end["line"]
        touches = start["line"] == end["line"] == row and start["character"] < last and first < end["character"] and end["character"] - start["character"] > 1
        best = max(best, 3 if touches else 2 if on_row else 1)
    return best


def tables():
    names = servers()
    seen = [look(command) for _, _, command in names]
    head = "| | " + " | ".join(f"{name} {version}" for name, version, _ in names) + " |\n|---|" + ":---:|" * len(names)
    features = [head] + [f"| {name} | " + " | ".join("yes" if one[0][number] else "–" for one in seen) + " |" for number, (name, *_) in enumerate(FEATURES)]
    words = ["–", "on another line", "on the line", "**at the characters**"]
    findings = [head] + [f"| {name} | " + " | ".join(words[one[1][number]] for one in seen) + " |" for number, (name, *_) in enumerate(DOCUMENTS)]
    return {"features": "\n".join(features), "findings": "\n".join(findings)}


def main():
    page = PAGE.read_text()
    for name, table in tables().items():
        page = re.sub(rf"(<!-- {name} -->\n).*?(<!-- end -->)", lambda match: f"{match[1]}\n{table}\n\n{match[2]}", page, flags=re.DOTALL)
    if "--check" in sys.argv:
        print(page)
        return int(page != PAGE.read_text())
    PAGE.write_text(page)
    return 0


if __name__ == "__main__":
    sys.exit(main())
