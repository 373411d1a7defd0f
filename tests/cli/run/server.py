"""An MCP server for tests, over stdin and stdout, or over HTTP with the new or the old transport. Needs only Python itself.

    server.py                   over stdin and stdout
    server.py http|sse          over HTTP; its first line of output is its URL

Appends a line for each event to the file that NOTES names.
"""

import http.server
import json
import os
import queue
import signal
import subprocess
import sys
import threading
import time

NOTES = os.environ.get("NOTES")
ADD = {"type": "object", "properties": {"a": {"type": "number"}, "b": {"type": "number"}}, "required": ["a", "b"]}
TOOLS = [
    {"name": "add", "description": "Adds two numbers", "inputSchema": ADD},
    {"name": "fail", "description": "Fails", "inputSchema": {"type": "object"}},
    {"name": "broken", "inputSchema": {"type": "object"}},
    {"name": "environment", "inputSchema": {"type": "object", "properties": {"name": {"type": "string"}}}},
    {"name": "structure", "inputSchema": {"type": "object"}},
    {"name": "sleep", "inputSchema": {"type": "object"}},
    {"name": "die", "inputSchema": {"type": "object"}},
    {"name": "large", "inputSchema": {"type": "object"}},
    {"name": "slow", "inputSchema": {"type": "object"}},
    {"name": "odd", "inputSchema": {"type": "object"}},
    {"name": "huge", "inputSchema": {"type": "object"}},
    {"name": "orphan", "inputSchema": {"type": "object"}},
]


def note(text):
    if NOTES:
        with open(NOTES, "a", encoding="utf-8") as file:
            file.write(text + "\n")


def call(name, arguments):
    note("call " + name + " " + json.dumps(arguments, sort_keys=True))
    text = lambda text: {"content": [{"type": "text", "text": text}]}
    if name == "add":
        return text(str(arguments["a"] + arguments["b"]))
    if name == "fail":
        return {**text("it did not work"), "isError": True}
    if name == "environment":
        return text(str(os.environ.get(arguments["name"])))
    if name == "structure":
        return {"content": [], "structuredContent": {"sum": 3}}
    if name == "sleep":
        time.sleep(60)
    if name == "slow":
        time.sleep(float(os.environ.get("SLOW", "1")))
        return text("slowly")
    if name == "odd":
        return {"content": [{"type": "text", "text": "before"}, {"type": "hologram", "depth": 3}, {"type": "text", "text": "after"}]}
    if name == "huge":
        return text("x" * (17 << 20))
    if name == "orphan":
        # The orphan leaves its process group and session, and its parent ends at once.
        code = "import os, signal, sys, time; os.setsid(); signal.signal(signal.SIGTERM, signal.SIG_IGN); pid = os.fork(); pid and (print(pid, flush=True), os._exit(0)); os.close(1); time.sleep(60)"
        started = subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True).stdout
        note("start " + started.strip())
        return text("started")
    if name == "die":
        os._exit(3)
    if name == "large":
        return text("x" * 3_000_000)
    return None


def answer(message):
    """The answer to a message; None if it needs none."""
    if "id" not in message or "method" not in message:
        return None
    method, parameters = message["method"], message.get("params") or {}
    if method == "initialize":
        version = os.environ.get("VERSION", parameters["protocolVersion"])
        result = {"protocolVersion": version, "capabilities": {"tools": {}}, "serverInfo": {"name": "test", "version": "1"}}
    elif method == "tools/list":
        # Two pages.
        if parameters.get("cursor"):
            result = {"tools": TOOLS[2:]}
        else:
            result = {"tools": TOOLS[:2], "nextCursor": "more"}
    elif method == "tools/call":
        result = call(parameters["name"], parameters.get("arguments") or {})
    elif method == "ping":
        result = {}
    else:
        result = None
    if result is None:
        return {"jsonrpc": "2.0", "id": message["id"], "error": {"code": -32601, "message": "no such thing"}}
    return {"jsonrpc": "2.0", "id": message["id"], "result": result}


def over_pipes():
    note("start " + str(os.getpid()))
    if os.environ.get("STUBBORN"):
        # Neither the server nor its child ends when the input is closed or on SIGTERM.
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        child = subprocess.Popen([sys.executable, "-c", "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(60)"])
        note("start " + str(child.pid))
    if os.environ.get("SAYS"):
        print(os.environ["SAYS"], file=sys.stderr, flush=True)
    if os.environ.get("BROKEN"):
        sys.exit(1)
    print("this line is no message", flush=True)
    lock = threading.Lock()

    def reply(message):
        given = answer(message)
        if given:
            with lock:
                print(json.dumps(given), flush=True)

    for line in sys.stdin:
        message = json.loads(line)
        if (message.get("params") or {}).get("name") == "slow":
            threading.Thread(target=reply, args=[message], daemon=True).start()
        else:
            reply(message)
    note("end")
    if os.environ.get("STUBBORN"):
        time.sleep(60)


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    way = "http"
    sessions = {}

    def log_message(self, *_):
        pass

    def send(self, status, body=b"", kind="application/json", **headers):
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body)))
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        note("POST " + self.path)
        if os.environ.get("TOKEN") and self.headers.get("authorization") != "Bearer " + os.environ["TOKEN"]:
            return self.send(401)
        if self.way == "sse":
            events = self.sessions.get(self.path)
            if events is None:
                return self.send(405)
            given = answer(json.loads(body))
            if given:
                events.put(given)
            return self.send(202)
        given = answer(json.loads(body))
        if given is None:
            return self.send(202)
        if "initialize" in body.decode():
            return self.send(200, json.dumps(given).encode(), mcp_session_id="session-1")
        note("session " + str(self.headers.get("mcp-session-id")))
        if os.environ.get("PLAIN"):
            return self.send(200, json.dumps(given).encode())
        return self.send(200, ("event: message\ndata: " + json.dumps(given) + "\n\n").encode(), "text/event-stream")

    def do_DELETE(self):
        note("DELETE " + self.path)
        self.send(200)

    def do_GET(self):
        note("GET " + self.path)
        if self.way != "sse":
            return self.send(405)
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.end_headers()
        path = "/messages?session=" + str(len(self.sessions))
        events = self.sessions[path] = queue.Queue()
        try:
            self.wfile.write(("event: endpoint\ndata: " + os.environ.get("ENDPOINT", path) + "\n\n").encode())
            while True:
                try:
                    self.wfile.write(("event: message\ndata: " + json.dumps(events.get(timeout=0.2)) + "\n\n").encode())
                except queue.Empty:
                    self.wfile.write(b": nothing new\n\n")
        except OSError:
            note("gone")
            self.close_connection = True


def over_http(way):
    Handler.way = way
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    print(f"http://127.0.0.1:{server.server_port}/mcp", flush=True)
    # End when the input is closed, and so with the process that started the server.
    threading.Thread(target=lambda: (sys.stdin.read(), os._exit(0)), daemon=True).start()
    server.serve_forever()


if sys.argv[1:] in (["http"], ["sse"]):
    over_http(sys.argv[1])
else:
    over_pipes()
