#!/usr/bin/env python3
"""Starts `agentmd mcp` with each configuration file here, and tests it with the MCP client from PyPI (`pip install 'mcp>=2'`).
AGENTMD names the program to run instead of `agentmd`. The client validates every answer against the tool's output schema."""

import asyncio
import json
import os
import pathlib
import sys
import tempfile
import tomllib

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

HERE = pathlib.Path(__file__).resolve().parent
PROGRAM = os.path.abspath(os.environ.get("AGENTMD") or HERE.parents[2] / "target/release/agentmd")
SKILL = "---\nname: notes\ndescription: Use when: somebody asks\n---\n\n# Notes\n"
REPLY = "notes.txt\n<<<<<<< SEARCH\none\n=======\ntwo\n>>>>>>> REPLACE\n"


def starts():
    for name in ["mcp.json", "../claude-code/.mcp.json"]:
        yield name, json.loads((HERE / name).read_text())["mcpServers"]["agentmd"]
    yield "vscode.json", json.loads((HERE / "vscode.json").read_text())["servers"]["agentmd"]
    yield "codex.toml", tomllib.loads((HERE / "codex.toml").read_text())["mcp_servers"]["agentmd"]
    command, *rest = json.loads((HERE / "../opencode/opencode.json").read_text())["mcp"]["agentmd"]["command"]
    yield "opencode.json", {"command": command, "args": rest}


async def drive(folder, args):
    server = StdioServerParameters(command=PROGRAM, args=args, cwd=folder)
    async with stdio_client(server) as (read, write), ClientSession(read, write) as session:
        greeting = await session.initialize()
        assert greeting.server_info.name == "agentmd" and "check" in greeting.instructions, greeting
        tools = {tool.name: tool for tool in (await session.list_tools()).tools}
        assert all(tool.annotations.read_only_hint and tool.output_schema for tool in tools.values())
        asked = {
            "check": {"paths": ["skills/notes/SKILL.md"]},
            "verdicts": {"clients": ["claude-code"]},
            "loaded": {"path": "src/app.py", "clients": ["claude-code"]},
            "cost": {"clients": ["claude-code"]},
            "index": {"files": ["CLAUDE.md"]},
            "select": {"selectors": ["claude::heading:h1[0]"], "files": ["CLAUDE.md"]},
            "rehearse": {"reply": REPLY},
        }
        assert sorted(asked) == sorted(tools), sorted(tools)
        for name, arguments in asked.items():
            answer = await session.call_tool(name, arguments)
            assert not answer.is_error and answer.structured_content and answer.content[0].text, (name, answer)
            if name == "check":
                codes = [found["code"] for found in answer.structured_content["findings"]]
                assert codes == ["agent/front-matter"], codes
            if name == "rehearse":
                assert "-one\n+two" in answer.structured_content["diff"], answer
        outside = await session.call_tool("check", {"paths": ["../elsewhere.md"]})
        assert outside.is_error and "outside of the root" in outside.content[0].text, outside
        pages = (await session.list_resources()).resources
        page = await session.read_resource("agentmd://rules/agent/front-matter")
        assert page.contents[0].text.startswith("# agent/front-matter"), page
        return f"{len(tools)} tools, {len(pages)} pages"


def main():
    failed = 0
    for name, start in starts():
        assert start["command"] == "agentmd", name
        with tempfile.TemporaryDirectory() as place:
            folder = pathlib.Path(place)
            for path, text in {"skills/notes/SKILL.md": SKILL, "CLAUDE.md": "# Rules\n\nBe brief.\n", "notes.txt": "one\n"}.items():
                (folder / path).parent.mkdir(parents=True, exist_ok=True)
                (folder / path).write_text(text)
            args = [place if arg == "${workspaceFolder}" else arg for arg in start["args"]]
            try:
                print("ok  ", f"{name:26}", asyncio.run(drive(place, args)))
            except Exception as error:  # Go on with the other configurations.
                failed += 1
                print("FAIL", f"{name:26}", repr(error), getattr(error, "exceptions", ""))
            assert (folder / "notes.txt").read_text() == "one\n", "nothing is written"
    print("all is well" if not failed else f"{failed} failed")
    return min(failed, 1)


if __name__ == "__main__":
    sys.exit(main())
