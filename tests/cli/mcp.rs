//! `mcp` over real pipes.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

use super::Folder;

const SKILL: &str = "---\nname: notes\ndescription: Use when: somebody asks\n---\n\n# Notes\n";

/// A session with a server.
struct Session {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    number: u64,
}

impl Session {
    fn start(folder: &Folder) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_agentmd"))
            .arg("mcp")
            .current_dir(folder.root())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program");
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take().expect("stdout"));
        let mut session = Self { child, input, output, number: 0 };
        let greeting = session.ask(
            "initialize",
            json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": { "name": "test", "version": "1" } }),
        );
        assert_eq!(greeting["result"]["serverInfo"]["name"], "agentmd", "{greeting}");
        session.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
        session
    }

    fn send(&mut self, message: &Value) {
        let input = self.input.as_mut().expect("stdin");
        writeln!(input, "{message}").expect("sent");
        input.flush().expect("sent");
    }

    fn ask(&mut self, method: &str, params: Value) -> Value {
        self.number += 1;
        let id = self.number;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        loop {
            let mut line = String::new();
            assert!(self.output.read_line(&mut line).expect("a line") > 0, "the server has ended");
            let message: Value = serde_json::from_str(&line).expect("JSON, and nothing else");
            if message["id"] == id {
                return message;
            }
        }
    }

    /// Calls a tool and checks that its answer matches its schema.
    fn call(&mut self, name: &str, arguments: Value) -> (Value, String) {
        let answer = self.ask("tools/call", json!({ "name": name, "arguments": arguments }));
        let result = &answer["result"];
        assert_ne!(result["isError"], true, "{answer}");
        let tools = self.ask("tools/list", json!({}));
        let tools = tools["result"]["tools"].as_array().expect("tools");
        let tool = tools.iter().find(|tool| tool["name"] == name).expect("the tool");
        let errors: Vec<String> = jsonschema::validator_for(&tool["outputSchema"])
            .expect("a schema")
            .iter_errors(&result["structuredContent"])
            .map(|error| format!("{}: {error}", error.instance_path()))
            .collect();
        assert_eq!(errors, [""; 0], "{name}: {result}");
        let text = result["content"][0]["text"].as_str().expect("text").to_owned();
        (result["structuredContent"].clone(), text)
    }

    /// The error of a call that must fail.
    fn failure(&mut self, name: &str, arguments: Value) -> String {
        let answer = self.ask("tools/call", json!({ "name": name, "arguments": arguments }));
        assert_eq!(answer["result"]["isError"], true, "{answer}");
        answer["result"]["content"][0]["text"].as_str().expect("text").to_owned()
    }

    /// The server ends when its input does.
    fn end(mut self) {
        drop(self.input.take());
        assert!(self.child.wait().expect("a status").success());
    }
}

#[test]
fn an_agent_gets_findings_verdicts_and_costs() {
    let folder = Folder::with(&[
        (".claude/skills/notes/SKILL.md", SKILL),
        ("CLAUDE.md", "# Rules\n\nBe brief.\n"),
        ("src/app.py", "pass\n"),
    ]);
    let mut session = Session::start(&folder);
    let path = ".claude/skills/notes/SKILL.md";
    let (found, text) = session.call("check", json!({ "paths": [path] }));
    let [finding] = found["findings"].as_array().expect("findings").as_slice() else {
        panic!("{found:#}")
    };
    assert_eq!(
        (&finding["path"], &finding["line"], &finding["column"], &finding["code"]),
        (&json!(path), &json!(3), &json!(14), &json!("agent/front-matter"))
    );
    assert!(text.starts_with(&format!("{path}:3:14 ")) && text.contains("\n  fix: "), "{text}");
    assert!(text.ends_with("\n0 errors, 1 warning in 1 file"), "{text}");
    let (found, text) = session.call("check", json!({ "paths": ["CLAUDE.md"] }));
    assert_eq!(
        (found["findings"].as_array().map(Vec::len), text.as_str()),
        (Some(0), "no problems in 1 file")
    );
    assert_eq!(
        session.failure("check", json!({ "paths": ["gone.md"] })),
        "no such file or folder: gone.md"
    );
    let (found, _) = session.call("check", json!({ "paths": ["gone.md", "CLAUDE.md"] }));
    assert!(found["not_checked"][0].as_str().is_some_and(|why| why.contains("gone.md")), "{found}");

    let (verdicts, text) =
        session.call("verdicts", json!({ "paths": [path], "clients": ["claude-code"] }));
    assert_eq!(verdicts["files"][0]["verdicts"][0]["client"], "claude-code", "{verdicts}");
    assert!(text.contains("  claude-code "), "{text}");
    let (loaded, _) =
        session.call("loaded", json!({ "path": "src/app.py", "clients": ["claude-code"] }));
    assert_eq!(loaded["clients"][0]["files"][0]["path"], "CLAUDE.md", "{loaded:#}");
    let (cost, text) = session.call("cost", json!({ "clients": ["claude-code"] }));
    assert!(cost["clients"][0]["always"].as_u64() > Some(0), "{cost:#}");
    assert!(text.starts_with("claude-code: "), "{text}");
    assert!(session.failure("check", json!({ "clients": ["claude-cod"] })).contains("claude-code"));
    session.end();
}

#[test]
fn an_agent_selects_and_rehearses_without_writing() {
    let folder =
        Folder::with(&[("a.txt", "one\ntwo\n"), ("guide.md", "# Guide\n\n## Use\n\nLike this.\n")]);
    let mut session = Session::start(&folder);
    let (_, text) = session
        .call("select", json!({ "selectors": ["guide::heading:h2[0]"], "files": ["guide.md"] }));
    assert!(text.contains("Like this."), "{text}");
    let (missing, text) = session
        .call("select", json!({ "selectors": ["guide::heading:h2[9]"], "files": ["guide.md"] }));
    assert_eq!(missing["success"], false);
    assert!(text.contains("try "), "{text}");
    let (index, _) = session.call("index", json!({ "files": ["guide.md"] }));
    assert_eq!(index["success"], true, "{index}");

    let reply = "a.txt\n<<<<<<< SEARCH\none\n=======\n1\n>>>>>>> REPLACE\n";
    let (plan, text) = session.call("rehearse", json!({ "reply": reply }));
    assert!(plan["diff"].as_str().is_some_and(|diff| diff.contains("-one\n+1\n")), "{plan:#}");
    assert_eq!(text, plan["diff"].as_str().expect("a diff"));
    let (plan, text) =
        session.call("rehearse", json!({ "reply": reply.replace("one", "two words") }));
    assert_eq!(
        (plan["diff"].as_str(), plan["failed"].as_array().map(Vec::len)),
        (Some(""), Some(1))
    );
    assert!(text.contains("[not_found]"), "{text}");
    assert!(session.failure("rehearse", json!({ "reply": "Hello." })).contains("not a reply"));
    session.end();
    assert_eq!(folder.read("a.txt"), "one\ntwo\n");
}

#[test]
fn an_agent_sees_nothing_outside_of_the_root() {
    let folder =
        Folder::with(&[("in/a.md", "# A\n"), ("out.md", "# Secret\n"), ("in/b.md", "# B\n")]);
    let inner = folder.root().join("in");
    #[cfg(unix)]
    std::os::unix::fs::symlink("../out.md", inner.join("link.md")).expect("a link");
    let mut session = Session::start(&folder);
    session.end();
    let mut child = Command::new(env!("CARGO_BIN_EXE_agentmd"));
    let child = child.arg("mcp").arg(&inner).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = child.spawn().expect("the program");
    let input = child.stdin.take();
    let output = BufReader::new(child.stdout.take().expect("stdout"));
    session = Session { child, input, output, number: 0 };
    session.ask("initialize", json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": { "name": "t", "version": "1" } }));
    session.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
    let absolute = folder.root().join("out.md");
    let mut outside = vec![
        "../out.md".to_owned(),
        "a.md/../../out.md".to_owned(),
        absolute.display().to_string(),
    ];
    if cfg!(unix) {
        outside.push("link.md".to_owned());
    }
    for path in outside {
        for (name, arguments) in [
            ("check", json!({ "paths": [path] })),
            ("verdicts", json!({ "paths": [path] })),
            ("loaded", json!({ "path": path })),
            ("cost", json!({ "path": path })),
            ("index", json!({ "files": [path] })),
            ("select", json!({ "selectors": ["root"], "files": [path] })),
        ] {
            let why = session.failure(name, arguments);
            assert!(why.contains("outside of the root"), "{name} {path}: {why}");
        }
    }
    let (whole, _) =
        session.call("select", json!({ "selectors": ["heading:h1[0]"], "files": ["."] }));
    assert!(!whole.to_string().contains("Secret"), "{whole}");
    let reply = "../out.md\n<<<<<<< SEARCH\n# Secret\n=======\n# Known\n>>>>>>> REPLACE\n";
    let (plan, _) = session.call("rehearse", json!({ "reply": reply }));
    assert_eq!(plan["diff"], "");
    session.end();
}

#[test]
fn an_agent_reads_the_pages_of_rules_and_clients() {
    let folder = Folder::empty();
    let mut session = Session::start(&folder);
    let listed = session.ask("resources/list", json!({}));
    let listed = listed["result"]["resources"].as_array().expect("resources").clone();
    assert!(listed.len() > 200, "{}", listed.len());
    for one in [&listed[0], &listed[listed.len() - 1]] {
        let page = session.ask("resources/read", json!({ "uri": one["uri"] }));
        let page = page["result"]["contents"][0]["text"].as_str().expect("a page").to_owned();
        assert!(page.starts_with("# "), "{page}");
    }
    let none = session.ask("resources/read", json!({ "uri": "agentmd://rules/agent/front-mater" }));
    assert!(
        none["error"]["message"].as_str().is_some_and(|why| why.contains("agent/front-matter")),
        "{none}"
    );
    let none = session.ask("tools/call", json!({ "name": "apply", "arguments": {} }));
    assert!(
        none["error"]["message"].as_str().is_some_and(|why| why.contains("unknown tool")),
        "{none}"
    );
    session.end();
}

#[test]
fn a_hook_reports_findings_in_the_written_file() {
    let folder = Folder::with(&[
        ("SKILL.md", SKILL),
        ("CLAUDE.md", "# Rules\n\nBe brief.\n"),
        ("a.py", "x = (\n"),
    ]);
    let event = |file: &str| {
        let path = folder.root().join(file);
        json!({ "hook_event_name": "PostToolUse", "tool_name": "Write", "cwd": folder.root(), "tool_input": { "file_path": path, "content": "…" } })
    };
    let told = folder.run_with(&["mcp", "--hook"], event("SKILL.md").to_string().as_bytes());
    assert_eq!((told.status, told.out.as_str()), (2, ""), "{}", told.err);
    assert_eq!(
        told.err.lines().collect::<Vec<_>>(),
        [
            "agentmd checked what you have just written. Repair this:",
            "SKILL.md:3:14 warning agent/front-matter: `description` contains `: `, which YAML reads as a new key; quote the value (the open specification: not a valid skill)",
            "  fix: Quote the value: replace 3:14 to 3:37 with `\"Use when: somebody asks\"`",
            "0 errors, 1 warning in 1 file",
        ],
    );
    for silent in ["CLAUDE.md", "a.py", "../elsewhere.md"] {
        let told = folder.run_with(&["mcp", "--hook"], event(silent).to_string().as_bytes());
        assert_eq!((told.status, told.err.as_str()), (0, ""), "{silent}");
    }
    // These errors are for the user, not the model.
    for broken in
        ["no event", "{\"cwd\": \"/none\", \"tool_input\": {\"file_path\": \"/none/a.md\"}}"]
    {
        let told = folder.run_with(&["mcp", "--hook"], broken.as_bytes());
        assert_eq!((told.status, told.out.as_str()), (1, ""), "{broken}");
        assert!(told.err.starts_with("agentmd mcp --hook: "), "{}", told.err);
    }
}

/// A hook that can't check anything must not be silent.
#[test]
fn a_hook_that_cannot_check_fails() {
    for toml in ["x=", "select = [\"markdwn\"]\n"] {
        let folder = Folder::with(&[("SKILL.md", SKILL), ("agentmd.toml", toml)]);
        let event = json!({ "cwd": folder.root(), "tool_input": { "file_path": "SKILL.md" } });
        let told = folder.run_with(&["mcp", "--hook"], event.to_string().as_bytes());
        assert_eq!((told.status, told.out.as_str()), (1, ""), "{told:?}");
        assert!(
            told.err.starts_with("agentmd mcp --hook: ") && told.err.contains("agentmd.toml: "),
            "{}",
            told.err
        );
    }
}

/// An agent may change into a folder of its project and write files elsewhere in it.
#[test]
fn a_hook_knows_the_repository_around_the_folder_of_the_agent() {
    let folder = Folder::with(&[
        ("p/.git/HEAD", "ref: refs/heads/main\n"),
        ("p/SKILL.md", SKILL),
        ("p/src/SKILL.md", SKILL),
        ("other/SKILL.md", SKILL),
    ]);
    for (file, status) in [
        ("p/SKILL.md", 2),
        ("p/src/SKILL.md", 2),
        ("p/src/../SKILL.md", 2),
        ("other/SKILL.md", 0),
        ("p/../other/SKILL.md", 0),
    ] {
        let path = folder.root().join(file);
        let event = json!({ "cwd": folder.path("p/src"), "tool_input": { "file_path": path } });
        let told = folder.run_with(&["mcp", "--hook"], event.to_string().as_bytes());
        assert_eq!(told.status, status, "{file}: {}", told.err);
        assert_eq!(told.err.contains("SKILL.md:3:14 warning"), status == 2, "{file}: {}", told.err);
    }
}
