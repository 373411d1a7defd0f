#!/usr/bin/env python3
"""Counts the mistakes in agent files that a second, simpler reader finds, and how many of them `agentmd check` reports.

    scripts/recall.py AGENTMD FOLDER [--missed]

FOLDER contains one folder for each repository. The second reader is this file: PyYAML, markdown-it-py, regular expressions,
and the tables below, none of them taken from agentmd. Install the two packages with `pip install pyyaml markdown-it-py`.

It knows the mistakes that are certain (confidence A) and mechanical. All clients are judged, since each mistake hurts at least
one. Files that Git ignores (in a folder with `.git`) and links are passed over. `--missed` lists the mistakes that agentmd
doesn't report in the file.
"""

import collections
import json
import pathlib
import re
import subprocess
import sys
import urllib.parse

import markdown_it
import yaml

CLIENTS = "claude-code,spec,copilot,codex,cursor,gemini,opencode,cline,roo,windsurf,kiro"
ASIDE = {"fixtures", "__fixtures__", "test-fixtures", "testdata", "node_modules", "templates", "template", "assets", "references", "reference", "resources"}
DOCS = {"docs", "doc", "documentation", "tests", "test", "website", "blog", "examples", "example", "samples"}
EXPLAIN = {"readme.md", "changelog.md", "contributing.md", "license.md", "index.md"}
TOOLS = set(
    "Agent Artifact AskUserQuestion Bash CronCreate CronDelete CronList Edit EndConversation EnterPlanMode EnterWorktree ExitPlanMode "
    "ExitWorktree Glob Grep ListAgents ListMcpResourcesTool LSP Monitor NotebookEdit PowerShell PushNotification Read ReadMcpResourceTool "
    "RemoteTrigger ReportFindings ScheduleWakeup SendMessage SendUserFile ShareOnboardingGuide Skill TaskCreate TaskGet TaskList TaskOutput "
    "TaskStop TaskUpdate TodoWrite ToolSearch WaitForMcpServers WebFetch WebSearch Workflow Write Task *".split()
)
COLORS = {"red", "blue", "green", "yellow", "purple", "orange", "pink", "cyan"}
SWITCHES = {"true", "false", "yes", "no", "on", "off", "1", "0"}
VALUES = {
    "context": {"fork"},
    "effort": {"low", "medium", "high", "xhigh", "max"},
    "shell": {"bash", "powershell"},
    "permissionMode": {"default", "acceptEdits", "auto", "dontAsk", "bypassPermissions", "plan", "manual"},
    "memory": {"user", "project", "local"},
    "isolation": {"worktree"},
    "disable-model-invocation": SWITCHES,
    "user-invocable": SWITCHES,
    "background": SWITCHES,
}
NOT_IN_AGENTS = {"context", "shell", "disable-model-invocation", "user-invocable"}
OPENCODE = {"mode": {"subagent", "primary", "all"}}
THEME = {"primary", "secondary", "accent", "success", "warning", "error", "info"}
HIDDEN = re.compile("[\u202a-\u202e\u2066-\u2069\U000e0000-\U000e007f]")
FRONT = re.compile(r"\A---[ \t]*\r?\n(.*?)^---[ \t]*\r?$", re.DOTALL | re.MULTILINE)
SLUG = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
DOLLAR = re.compile(r"(?<!\\)\$(\d+)(?!\w)")
LINK = re.compile(r"(?<!!)\[[^\]\n]*\]\(([^)\s]+)\)")


def kind_of(path, root):
    """The kind of a file, and whether Claude Code reads it."""
    parts, name = path.relative_to(root).parts, path.name
    folders = parts[:-1]
    hidden = next((part for part in folders if part.startswith(".") and part != ".."), None)
    before = folders[: folders.index(hidden)] if hidden else folders
    if set(before) & ASIDE or name.lower() in EXPLAIN or not hidden and set(folders) & DOCS:
        return None, False
    if set(folders) & {"fixtures", "__fixtures__", "test-fixtures", "testdata", "node_modules"}:
        return None, False

    def plugin(at):
        folder = root.joinpath(*parts[:at])
        return (folder / ".claude-plugin" / "plugin.json").exists()

    if name == "SKILL.md":
        ours = ".claude" in folders and len(folders) >= 3 and folders[-3:-1] == (".claude", "skills")
        return "skill", ours or len(folders) >= 2 and folders[-2] == "skills" and plugin(len(parts) - 3)
    for kind, word in (("agent", "agents"), ("command", "commands")):
        for at, part in enumerate(folders):
            inside = set(folders[at + 1 :])
            if kind == "agent" and (inside & ASIDE or name in ("CLAUDE.md", "AGENTS.md", "GEMINI.md")):
                continue
            if part == word and name.endswith(".agent.md") and folders[at - 1 : at] != (".claude",):
                continue
            if part == word and (at > 0 and folders[at - 1] == ".claude" or plugin(at)) and name.endswith(".md"):
                return kind, True
    if name in ("CLAUDE.md", "GEMINI.md", "AGENTS.md"):
        return "memory", name == "CLAUDE.md"
    if name == "skill.md" and len(folders) >= 2 and folders[-2] == "skills":
        return "miscased", False
    if name.endswith(".instructions.md"):
        return "instructions", False
    if name.endswith(".prompt.md"):
        return "prompt", False
    if name.endswith(".agent.md") or folders[-2:] == (".github", "agents") and name.endswith(".md"):
        return "copilot agent", False
    if hidden == ".opencode" and len(folders) > len(before) + 1 and name.endswith(".md"):
        kind = {"agent": "opencode agent", "agents": "opencode agent", "command": "opencode command", "commands": "opencode command"}.get(folders[len(before) + 1])
        if kind:
            return kind, False
    if hidden == ".claude" and folders[len(before) + 1 : len(before) + 2] == ("rules",) and name.endswith(".md"):
        return "claude rule", True
    if folders[-2:] == (".windsurf", "rules") and name.endswith(".md"):
        return "windsurf rule", False
    if folders[-2:] == (".kiro", "steering") and name.endswith(".md"):
        return "steering", False
    if len(folders) >= 2 and folders[:2] == (".cursor", "rules") and name.endswith(".md"):
        return "misplaced", False
    return None, False


def without_code(body):
    body = re.sub(r"^([ \t]*)(`{3,}|~{3,}).*?^\1?[ \t]*\2[`~]*[ \t]*$", "", body, flags=re.DOTALL | re.MULTILINE)
    body = re.sub(r"<!--.*?-->", "", body, flags=re.DOTALL)
    return re.sub(r"(`+)(?!`).*?(?<!`)\1(?!`)", "", body)


def open_fence(body):
    """Whether a fence is open at the end, both for markdown-it and for a reader of lines."""
    fence = None
    for line in body.splitlines():
        mark = re.match(r"\s*(`{3,}|~{3,})([^`]*)$", line)
        if not mark:
            continue
        if fence is None:
            fence = mark.group(1)
        elif mark.group(1)[0] == fence[0] and len(mark.group(1)) >= len(fence) and not mark.group(2).strip():
            fence = None
    if fence is None:
        return False
    tokens = [token for token in markdown_it.MarkdownIt().parse(body) if token.map]
    last = tokens[-1] if tokens else None
    if last is None or last.type != "fence" or last.level:
        return False
    lines = body.splitlines()[last.map[0] : last.map[1]]
    return len(lines) < 2 or not re.match(r" {0,3}" + re.escape(last.markup[0]) + "{3,}[ \t]*$", lines[-1])


def tools_of(value):
    items = value if isinstance(value, list) else re.split(r"[,\s]+(?![^()]*\))", str(value or ""))
    return [str(item).split("(")[0].strip() for item in items if str(item).strip()]


def mistakes(path, root, text):
    kind, claude = kind_of(path, root)
    if kind is None:
        return
    if kind == "misplaced":
        yield "M1 .md in .cursor/rules", {"agent/misplaced-file"}
        return
    if kind == "miscased":
        yield "S25 skill.md", {"agent/misplaced-file"}
        return
    front = FRONT.match(text)
    if HIDDEN.search(re.sub("\U0001f3f4[\U000e0000-\U000e007f]+", "", text)):
        yield "X1 hidden characters", {"agent/hidden-text"}
    if kind == "windsurf rule" and len(text) > 12000:
        yield "W1 rule too long", {"agent/too-long"}
    body = text[front.end():] if front else text
    if kind == "memory":
        if path.name == "AGENTS.md" and path.parent == root and len(text.encode()) > 32768:
            yield "G1 AGENTS.md over 32 KiB", {"agent/too-long"}
        for written in re.findall(r"(?:^|(?<=\s))@((?:\.{1,2}/)?[\w.-]+(?:/[\w.-]+)*\.md)\b", without_code(body)) if path.name != "AGENTS.md" else ():
            if not (path.parent / written).exists() and not (root / written).exists():
                yield "G4 missing import", {"agent/missing-import"}
        return
    keys = {}
    if front:
        raw = front.group(1)
        if kind == "windsurf rule":
            # Not certain: surveys of Windsurf's documentation quote `globs: **/*.test.ts`, which isn't YAML.
            raw = re.sub(r"^globs:[ \t]*\*.*$", "", raw, flags=re.MULTILINE)
        try:
            keys = yaml.safe_load(raw)
        except (yaml.YAMLError, ValueError):
            yield {"skill": "S10", "agent": "A"}.get(kind, "K") + " front matter is not YAML", {"agent/front-matter", "markdown/front-matter"}
            return
        if not isinstance(keys, dict):
            return
    elif kind == "skill" and path.parent.parent.name != "skills":
        return
    elif kind in ("skill", "agent") and text.strip():
        wanted = {"agent/missing-front-matter", "agent/late-front-matter", "agent/front-matter"}
        # A client that skips a byte order mark misses the keys instead.
        if kind == "agent" and text.startswith("\ufeff---"):
            wanted.add("agent/missing-key")
        yield "S11 no front matter", wanted
        return
    name, description = keys.get("name"), keys.get("description")
    if kind in ("skill", "agent"):
        if not name or not description:
            yield "A9 name or description missing", {"agent/missing-key"}
    if kind == "skill" and isinstance(name, str):
        if not SLUG.fullmatch(name) or len(name) > 64:
            yield "S5 name", {"agent/invalid-name"}
        elif name != path.parent.name and path.parent != root and SLUG.fullmatch(path.parent.name):
            yield "S3 name differs from folder", {"agent/name-folder"}
    if kind == "skill" and isinstance(description, str) and len(description) > 1024:
        yield "S12 description too long", {"agent/too-long"}
    if kind == "skill" and claude and "allowed-tools" not in keys and {"tools", "allowed_tools", "allowedTools"} & set(keys):
        yield "S1 near miss of a key", {"agent/unknown-key"}
    if kind == "agent" and {"allowed-tools", "allowed_tools", "allowedTools", "max_turns", "max-turns", "disallowed-tools"} & set(keys):
        yield "A8 key of another kind", {"agent/unknown-key"}
    if claude and kind in ("skill", "agent", "command"):
        for key, allowed in VALUES.items():
            value = keys.get(key)
            if kind == "agent" and key in NOT_IN_AGENTS:
                continue
            if value is not None and str(value).lower() not in {word.lower() for word in allowed} and not (key == "effort" and isinstance(value, int)):
                yield "S16 value", {"agent/wrong-value", "agent/wrong-type"}
    if kind == "opencode agent":
        if "tools" in keys and keys["tools"] is not None and not isinstance(keys["tools"], dict):
            yield "A15 OpenCode does not start", {"agent/wrong-type"}
        color = keys.get("color")
        if color is not None and color not in THEME and not re.fullmatch(r"#[0-9a-fA-F]{6}", str(color)):
            yield "A15 OpenCode does not start", {"agent/wrong-value", "agent/wrong-type"}
        if keys.get("mode") is not None and keys["mode"] not in OPENCODE["mode"]:
            yield "A15 OpenCode does not start", {"agent/wrong-value"}
    scope = [keys[key] for key in ("globs", "applyTo") if key in keys]
    if kind == "claude rule" and not keys.get("paths") and scope and not {"**", "**/*"} & set(re.split(r"[\s,'\"\[\]]+", str(scope[0]))):
        yield "R1 globs instead of paths", {"agent/unknown-key", "agent/no-effect", "agent/unused-key"}
    if kind == "prompt" and "mode" in keys:
        yield "C3 deprecated mode", {"agent/deprecated-key"}
    if kind == "copilot agent" and front and not keys.get("description"):
        yield "C6 description missing", {"agent/missing-key"}
    if kind == "skill" and claude and DOLLAR.search(body) and "$ARGUMENTS" not in body and not {"arguments", "argument-hint"} & set(keys):
        yield "S4 $N that is replaced", {"agent/substituted-text"}
    if kind == "command" and claude and keys.get("argument-hint") and "arguments" not in keys:
        numbers = {int(number) for number in DOLLAR.findall(body)}
        if numbers and min(numbers) == 1:
            yield "K1 $1 as the first argument", {"agent/argument-index", "agent/substituted-text"}
    if kind == "agent" and claude:
        named = tools_of(keys.get("tools"))
        unknown = [tool for tool in named if tool not in TOOLS and not tool.startswith("mcp__")]
        if named and len(unknown) == len(named):
            yield "A2 no tool resolves", {"agent/no-usable-tool"}
        elif unknown:
            yield "A1 unknown tool", {"agent/unknown-tool"}
        if keys.get("color") and keys["color"] not in COLORS:
            yield "A11 color", {"agent/wrong-value"}
    if kind == "instructions" and isinstance(keys.get("applyTo"), list):
        yield "I1 applyTo is a list", {"agent/wrong-type"}
    if open_fence(body):
        yield "S22 open fence", {"agent/unclosed-fence"}
    else:
        for target in LINK.findall(without_code(body)):
            target = urllib.parse.unquote(re.split(r"[#?]", target)[0])
            if re.fullmatch(r"(\.{1,2}/)*[\w@.-]+(/[\w@.-]+)*\.(md|py|sh|js|ts|json|ya?ml|txt)", target) and "example" not in target.lower():
                if not (path.parent / target).exists() and not (root / target).exists():
                    yield "S9 dead link", {"agent/dead-link"}
                    break


def listed_paths(path, root):
    """The paths that a manifest of Claude Code or Codex lists, each with the folder that it is relative to, and whether it is a plugin's."""
    try:
        data = json.loads(path.read_text())
    except (OSError, ValueError):
        return
    base = path.parent.parent
    if not isinstance(data, dict):
        return

    def of(folder, keys):
        for key in ("skills", "commands", "agents", "hooks", "mcpServers"):
            value = keys.get(key)
            for text in [value] if isinstance(value, str) else value if isinstance(value, list) else ():
                if isinstance(text, str) and re.fullmatch(r"[\w./@ -]+", text):
                    yield folder, text, False

    if path.name == "plugin.json":
        yield from of(base, data)
    for plugin in data.get("plugins") or [] if path.name == "marketplace.json" else []:
        source = plugin.get("source") if isinstance(plugin, dict) else None
        if isinstance(source, str) and re.fullmatch(r"[\w./@ -]+", source):
            start = base / (data.get("metadata") or {}).get("pluginRoot", "")
            yield start, source, True
            if (start / source).exists():
                yield from of(start / source, plugin)


def manifest_mistakes(path, root):
    for folder, text, _ in listed_paths(path, root):
        target = (folder / text).resolve()
        if not target.exists() and not (root / text).exists() and target.is_relative_to(root):
            yield "P1 path of a manifest", {"configuration/missing-path", "configuration/unusable-path"}


def main():
    program, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    found, all_ = collections.Counter(), collections.Counter()
    for root in sorted(path for path in folder.iterdir() if path.is_dir()):
        answer = subprocess.run([program, "check", "--no-config", "--for", CLIENTS, "--format", "json", "."], cwd=root, capture_output=True, text=True)
        codes = {file["path"]: {finding["code"] for finding in file["diagnostics"]} for file in json.loads(answer.stdout)["files"]}
        paths = [path for path in sorted(root.rglob("*.md")) if not path.is_symlink()]
        ignored = subprocess.run(["git", "check-ignore", "--no-index", "--stdin"], cwd=root, input="\n".join(str(path.relative_to(root)) for path in paths), capture_output=True, text=True).stdout.splitlines()
        paths += [path for path in sorted(root.rglob("*.json")) if path.parent.name in (".claude-plugin", ".codex-plugin")]
        for path in paths:
            if str(path.relative_to(root)) in ignored or set(path.relative_to(root).parts) & (ASIDE | DOCS) and path.suffix == ".json":
                continue
            try:
                text = path.read_text()
            except (OSError, UnicodeDecodeError):
                continue
            found_here = manifest_mistakes(path, root) if path.suffix == ".json" else mistakes(path, root, text)
            for mistake, wanted in set((name, frozenset(codes)) for name, codes in found_here):
                all_[mistake] += 1
                here = codes.get(str(path.relative_to(root)), set())
                if here & wanted:
                    found[mistake] += 1
                elif "--missed" in sys.argv:
                    print(f"missed: {mistake}: {root.name}/{path.relative_to(root)} {sorted(here)}")
    for mistake, count in sorted(all_.items()):
        print(f"{found[mistake]:5} of {count:5}  {mistake}")
    print(f"{sum(found.values())} of {sum(all_.values())} mistakes reported")


if __name__ == "__main__":
    main()
