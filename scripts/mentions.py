#!/usr/bin/env python3
"""Finds mentions of skills, agents, commands, tools and files that don't exist, and which of them `agentmd check` reports.

    scripts/mentions.py AGENTMD FOLDER [LABELS] [--list]

FOLDER contains one folder for each repository. The second reader is this file and `recall.py`: PyYAML, markdown-it-py, regular
expressions, and tables of their own. Install the two packages with `pip install pyyaml markdown-it-py`. It takes something for
dead if no file of the repository has that name.

`--list` prints every candidate and every warning of agentmd about names, tools and files, as
`repository<TAB>path<TAB>line<TAB>kind or rule<TAB>name<TAB>reported or missed`.

A line of LABELS is `repository<TAB>path<TAB>line<TAB>kind or rule<TAB>right|wrong|open`. With it, candidates and warnings that
are labelled wrong don't count as mistakes, and those without a label, or `open`, count for neither side.
"""

import collections
import difflib
import json
import pathlib
import re
import subprocess
import sys
import urllib.parse

import yaml

from recall import FRONT, LINK, TOOLS, kind_of, without_code

RULES = {
    "agent/unknown-skill", "agent/unknown-agent", "agent/unknown-command", "agent/unknown-plugin-item", "agent/unknown-server",
    "agent/unknown-tool", "agent/no-usable-tool", "agent/dead-link", "agent/missing-file", "agent/missing-import", "agent/missing-script",
}
# What clients have without a file.
BUILT_IN = set(
    "general-purpose explore plan agent ask edit build general statusline-setup claude-code-guide output-style-setup Bash default main "
    "claude worker * all none explorer".lower().split()
)
# Tools that other programs' agent files name, and Claude Code's that `recall.py` doesn't know.
MORE_TOOLS = set("BashOutput KillShell KillBash SlashCommand AgentOutputTool TeamCreate TeamDelete Brief".split())
SPAN = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")


def lines_of(text):
    """The lines outside of fences, with their numbers."""
    fence = None
    for number, line in enumerate(text.splitlines(), 1):
        mark = re.match(r"\s*(`{3,}|~{3,})", line)
        if mark and fence is None:
            fence = mark.group(1)
        elif mark and mark.group(1)[0] == fence[0] and len(mark.group(1)) >= len(fence) and line.strip() == mark.group(1):
            fence = None
        elif fence is None:
            yield number, line


def keys_of(text):
    front = FRONT.match(text)
    try:
        keys = yaml.safe_load(front.group(1)) if front else {}
    except (yaml.YAMLError, ValueError):
        keys = {}
    return keys if isinstance(keys, dict) else {}


def listed(value):
    if isinstance(value, str):
        return [item.strip() for item in re.split(r"[,\s]+", value) if item.strip()]
    return [item.strip() for item in value if isinstance(item, str)] if isinstance(value, list) else []


class Repository:
    def __init__(self, root):
        self.root = root
        self.skills, self.agents, self.commands = set(), set(), set()
        self.plugins = {}
        self.texts = {}
        for path in sorted(root.rglob("*")):
            if "node_modules" in path.parts or ".git" in path.relative_to(root).parts[:1] or not path.is_file():
                continue
            if path.name in ("plugin.json", "marketplace.json"):
                self.manifest(path)
            if path.suffix in (".md", ".mdc", ".toml", ".js", ".ts"):
                self.name(path)

    def manifest(self, path):
        try:
            data = json.loads(path.read_text(errors="replace"))
        except ValueError:
            return
        base = path.parent.parent if path.parent.name.startswith(".") else path.parent
        if path.name == "plugin.json" and isinstance(data.get("name"), str):
            self.plugins.setdefault(data["name"], set()).add(base)
        for plugin in data.get("plugins") or [] if isinstance(data, dict) else []:
            if isinstance(plugin, dict) and isinstance(plugin.get("source"), str) and isinstance(plugin.get("name"), str):
                self.plugins.setdefault(plugin["name"], set()).add((base / plugin["source"]).resolve())

    def name(self, path):
        text = path.read_text(errors="replace") if path.suffix == ".md" else ""
        if text and not path.is_symlink():
            self.texts[path] = text
        own = {path.name.split(".")[0]}
        declared = keys_of(text).get("name") if text.startswith("---") else None
        own |= {declared.strip()} if isinstance(declared, str) else set()
        if path.name.lower() == "skill.md":
            self.skills |= {path.parent.name} | (own - {path.name.split(".")[0]})
        if set(path.parts) & {"agents", "agent", "modes", "chatmodes"} or ".agent." in path.name or ".chatmode." in path.name:
            self.agents |= own
        if set(path.parts) & {"commands", "command", "prompts", "workflows"} or ".prompt." in path.name:
            self.commands |= own
            # `frontend/test.md` is also `/frontend:test`.
            self.commands.add(f"{path.parent.name}:{path.name.split('.')[0]}")

    def in_plugin(self, plugin, name):
        for folder in self.plugins.get(plugin, ()):
            if not folder.exists() or folder == self.root:
                return True
            for path in folder.rglob("*"):
                if path.name.split(".")[0] == name or path.name == name:
                    return True
                if path.suffix == ".md" and path in self.texts and keys_of(self.texts[path]).get("name") == name:
                    return True
        return False

    def line(self, text, name):
        front = FRONT.match(text)
        for number, line in enumerate(text.splitlines(), 1):
            if re.search(r"(?<![\w-])" + re.escape(name) + r"(?![\w-])", line) and (number > 1):
                return number
            if front and number > front.group(0).count("\n") + 1:
                break
        return 1

    def candidates(self, path, text):
        kind, claude = kind_of(path, self.root)
        if kind is None:
            return
        keys = keys_of(text)
        for key, names in (("skills", self.skills), ("agent", self.agents), ("agents", self.agents)):
            if key == "skills" and kind not in ("agent", "copilot agent") or key == "agents" and kind != "copilot agent":
                continue
            if key == "agent" and kind not in ("skill", "command", "prompt"):
                continue
            for name in listed(keys.get(key)) if key != "agent" or not isinstance(keys.get(key), str) else [keys[key].strip()]:
                if re.search(r"[*${<\[/ ]", name) or not name or name.lower() in BUILT_IN:
                    continue
                plugin, _, own = name.rpartition(":")
                if plugin and plugin not in self.plugins:
                    continue
                if plugin and not self.in_plugin(plugin, own) or not plugin and name not in names:
                    yield self.line(text, name), "front " + key.rstrip("s"), name
        for handoff in keys.get("handoffs") or [] if isinstance(keys.get("handoffs"), list) else []:
            name = handoff.get("agent") if isinstance(handoff, dict) else None
            if isinstance(name, str) and name.strip().lower() not in BUILT_IN and name.strip() not in self.agents and "{" not in name:
                yield self.line(text, name.strip()), "front agent", name.strip()
        if claude and kind in ("agent", "command", "skill"):
            for key in ("tools", "allowed-tools", "disallowedTools"):
                value = keys.get(key)
                items = value if isinstance(value, list) else re.split(r",|\s+(?![^()]*\))", str(value or ""))
                for item in (str(item).strip() for item in items):
                    tool, _, inside = item.partition("(")
                    inside = inside.rstrip(")").split(" ")[0].strip()
                    if tool in ("Skill", "Task", "Agent") and re.fullmatch(r"[a-z][\w-]+", inside) and inside.lower() not in BUILT_IN:
                        if inside not in (self.skills | self.commands if tool == "Skill" else self.agents):
                            yield self.line(text, inside), "front " + tool.lower(), inside
                    tool = tool.strip()
                    if re.fullmatch(r"[A-Za-z][\w-]*", tool) and tool not in TOOLS | MORE_TOOLS and not tool.startswith("mcp__"):
                        yield self.line(text, tool), "tool", tool
        every = self.skills | self.commands
        for number, line in lines_of(text):
            for span in SPAN.findall(line):
                slash = re.match(r"/([a-z][a-z0-9-]{3,})(?=$|\s)", span)
                if slash and slash.group(1) not in every | self.agents and slash.group(1) not in self.plugins:
                    near = difflib.get_close_matches(slash.group(1), every, 1, 0.85)
                    if near and not near[0] + "s" == slash.group(1):
                        yield number, "slash", slash.group(1)
                scoped = re.fullmatch(r"/?([a-z][\w-]+):([a-z][\w-]+)(?: .*)?", span)
                if scoped and scoped.group(1) in self.plugins and not self.in_plugin(*scoped.groups()):
                    if f"{scoped.group(1)}:{scoped.group(2)}" not in self.commands:
                        yield number, "plugin item", f"{scoped.group(1)}:{scoped.group(2)}"
        for number, line in lines_of(without_code(text) if kind != "memory" else re.sub(r"(`+).*?\1", "", text)):
            if kind == "memory" and path.name != "AGENTS.md":
                for written in re.findall(r"(?:^|(?<=\s))@((?:\.{1,2}/)?[\w.-]+(?:/[\w.-]+)*\.md)\b", line):
                    if not (path.parent / written).exists() and not (self.root / written).exists():
                        yield number, "import", written
        seen = set()
        body = without_code(text)
        for target in LINK.findall(body):
            target = urllib.parse.unquote(re.split(r"[#?]", target)[0])
            if re.fullmatch(r"(\.{1,2}/)*[\w@.-]+(/[\w@.-]+)*\.(md|py|sh|js|ts|json|ya?ml|txt)", target) and "example" not in target.lower():
                if target not in seen and not (path.parent / target).exists() and not (self.root / target).exists():
                    seen.add(target)
                    where = next((number for number, line in enumerate(text.splitlines(), 1) if f"]({target}" in line), 1)
                    yield where, "link", target


KINDS = {
    "tool": {"agent/unknown-tool", "agent/no-usable-tool", "agent/renamed-tool", "agent/withheld-tool"},
    "link": {"agent/dead-link", "agent/missing-file", "agent/outside-link"},
    "import": {"agent/missing-import"},
    "slash": {"agent/unknown-command"},
    "plugin item": {"agent/unknown-plugin-item"},
}


def main():
    arguments = [argument for argument in sys.argv[1:] if not argument.startswith("--")]
    program, folder = arguments[0], pathlib.Path(arguments[1]).resolve()
    labels = {}
    if len(arguments) > 2:
        for line in pathlib.Path(arguments[2]).read_text().splitlines():
            repository, path, number, kind, label = line.split("\t")
            labels[repository, path, int(number), kind] = label
    counts = collections.defaultdict(collections.Counter)
    rules = collections.defaultdict(collections.Counter)
    for root in sorted(path for path in folder.iterdir() if path.is_dir()):
        answer = subprocess.run([program, "check", "--no-config", "--format", "json", "."], cwd=root, capture_output=True, text=True)
        findings = collections.defaultdict(list)
        for file in json.loads(answer.stdout)["files"]:
            for finding in file["diagnostics"]:
                span = finding["range"]
                found = (span["start"]["line"], span["end"]["line"], finding["code"], finding["message"], finding["severity"])
                findings[file["path"]].append(found)
        repository = Repository(root)
        for path, text in repository.texts.items():
            short = str(path.relative_to(root))
            for number, kind, name in sorted(set(repository.candidates(path, text))):
                wanted = KINDS.get(kind, {"agent/unknown-skill", "agent/unknown-agent", "agent/unknown-plugin-item"})
                told = any(
                    code in wanted and (first <= number <= last or name.split(":")[-1] in message)
                    for first, last, code, message, _ in findings[short]
                )
                label = labels.get((root.name, short, number, kind), "")
                counts[kind][label or "unlabelled", told] += 1
                if "--list" in sys.argv:
                    print(root.name, short, number, kind, name, "reported" if told else "missed", label, sep="\t")
        for short, found in sorted(findings.items()):
            for first, _, code, message, severity in found:
                if code in RULES and severity in ("error", "warning"):
                    label = labels.get((root.name, short, first, code), "")
                    rules[code][label or "unlabelled"] += 1
                    if "--list" in sys.argv:
                        print(root.name, short, first, code, message, "finding", label, sep="\t")
    print(f"{'':22}{'candidates':>11}{'reported':>9}{'mistakes':>9}{'reported':>9}")
    total = collections.Counter()
    for kind, count in sorted(counts.items()):
        every, told = sum(count.values()), sum(number for (_, told), number in count.items() if told)
        right, hit = count["right", True] + count["right", False], count["right", True]
        total.update(every=every, told=told, right=right, hit=hit)
        print(f"{kind:22}{every:11}{told:9}{right:9}{hit:9}")
    print(f"{'all':22}{total['every']:11}{total['told']:9}{total['right']:9}{total['hit']:9}")
    print(f"\n{'':26}{'findings':>9}{'right':>7}{'wrong':>7}")
    for code, count in sorted(rules.items()):
        print(f"{code:26}{sum(count.values()):9}{count['right']:7}{count['wrong']:7}")


if __name__ == "__main__":
    main()
