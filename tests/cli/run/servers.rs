//! MCP servers: real processes over pipes and HTTP.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};

use super::{Folder, Provider, Reply, server, summary, with_server};

pub const INPUT: [&str; 3] = ["count.md", "--input", r#"{"text": "one two"}"#];

pub fn good() -> Reply {
    Reply::text("{\"n\": 2}")
}

/// The tool results that the model got.
pub fn told(provider: &Provider) -> Vec<String> {
    let asked = provider.asked();
    let messages = asked.last().unwrap().body["messages"].as_array().unwrap().clone();
    messages
        .iter()
        .filter(|message| message["role"] == "tool")
        .map(|message| message["content"].as_str().unwrap().to_owned())
        .collect()
}

pub fn notes(folder: &Folder) -> Vec<String> {
    std::fs::read_to_string(folder.path("notes"))
        .unwrap_or_default()
        .lines()
        .map(str::to_owned)
        .collect()
}

/// The started processes that are still running.
#[cfg(unix)]
pub fn left(folder: &Folder) -> Vec<String> {
    let started =
        notes(folder).into_iter().filter_map(|note| note.strip_prefix("start ").map(str::to_owned));
    started.filter(|process| is_alive(process)).collect()
}

/// Whether a process is running. A zombie has ended, so it doesn't count.
#[cfg(unix)]
fn is_alive(process: &str) -> bool {
    if cfg!(target_os = "linux") {
        let status = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
        return status.rsplit_once(") ").is_some_and(|(_, rest)| !rest.starts_with('Z'));
    }
    let status = Command::new("ps").args(["-o", "stat=", "-p", process]).output().unwrap().stdout;
    !status.is_empty() && !status.starts_with(b"Z")
}

pub fn folder(more: &str) -> Option<Folder> {
    let folder = Folder::agreed(&[]);
    let notes = json!(folder.path("notes").to_string_lossy());
    let env = format!(", env: {{ NOTES: {notes}, ADDED: added to the environment, {more} }}");
    folder.write("count.md", with_server(&server()?, &env));
    Some(folder)
}

#[test]
fn mdl_24_tools_are_listed_and_can_be_called_by_the_same_name() {
    let Some(folder) = folder("") else { return };
    let calls = Reply::calls(&[
        ("mcp__tools__add", r#"{"a": 1, "b": 2}"#),
        ("mcp__tools__fail", ""),
        ("mcp__tools__broken", "{}"),
        ("mcp__tools__structure", "{}"),
        ("add", "{}"),
    ]);
    let provider = Provider::with([calls, good()]);
    let answer = folder.ask(&provider, &[&INPUT[..], &["--summary"]].concat());
    assert_eq!(answer.status, 0, "{answer:?}");
    assert_eq!(summary(&answer)["tools_called"], json!(5));
    let tools = provider.asked()[0].body["tools"].clone();
    let names: Vec<_> = tools
        .as_array()
        .unwrap()
        .iter()
        .map(|tool| tool["function"]["name"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(names.len(), 12, "{names:?}");
    assert_eq!(
        tools[0],
        json!({ "type": "function", "function": { "name": "mcp__tools__add", "description": "Adds two numbers", "parameters":
            { "type": "object", "properties": { "a": { "type": "number" }, "b": { "type": "number" } }, "required": ["a", "b"] } } })
    );
    assert_eq!(
        tools[2],
        json!({ "type": "function", "function": { "name": "mcp__tools__broken", "parameters": { "type": "object", "properties": {} } } })
    );
    let told = told(&provider);
    assert_eq!(
        (told[0].as_str(), told[1].as_str(), told[3].as_str()),
        ("3", r#"{"error":"it did not work"}"#, r#"{"sum":3}"#)
    );
    assert!(
        told[2].contains("no such thing") && told[4].starts_with(r#"{"error":"unknown tool `add`"#),
        "{told:?}"
    );
    assert!(notes(&folder).contains(&"call add {\"a\": 1, \"b\": 2}".to_owned()));
}

#[test]
fn mdl_23_the_environment_is_added_to_the_inherited_one() {
    let Some(folder) = folder("") else { return };
    let calls = Reply::calls(&[
        ("mcp__tools__environment", r#"{"name": "ADDED"}"#),
        ("mcp__tools__environment", r#"{"name": "NO_PROXY"}"#),
    ]);
    let provider = Provider::with([calls, good()]);
    assert_eq!(folder.ask(&provider, &INPUT).status, 0);
    assert_eq!(told(&provider), ["added to the environment", "*"]);
}

#[test]
fn mdl_23_a_disabled_server_is_not_started() {
    let Some(server) = server() else { return };
    let folder = Folder::agreed(&[]);
    let notes_path = json!(folder.path("notes").to_string_lossy());
    folder.write(
        "count.md",
        with_server(&server, &format!(", disabled: true, env: {{ NOTES: {notes_path} }}")),
    );
    let provider = Provider::with([good()]);
    assert_eq!(folder.ask(&provider, &INPUT).status, 0);
    assert_eq!(
        (provider.asked()[0].body.get("tools"), notes(&folder)),
        (None, Vec::<String>::new())
    );
}

#[test]
fn mdl_25_a_server_that_does_not_start_is_reported_and_the_run_continues() {
    let folder =
        Folder::agreed(&[("count.md", &with_server("command: no-such-command-anywhere", ""))]);
    let answer = folder.ask(&Provider::with([good()]), &INPUT);
    assert_eq!((answer.status, answer.out.as_str()), (0, "{\n  \"n\": 2\n}\n"));
    let expected =
        "the MCP server `tools` can't be used: `no-such-command-anywhere` can't be started: ";
    assert!(
        answer.err.starts_with(&format!("warning: {expected}"))
            && answer.err.contains("continues without its tools"),
        "{}",
        answer.err
    );
    let provider = Provider::with([good()]);
    let answer = folder.ask(&provider, &[&INPUT[..], &["-strict-mcp"]].concat());
    assert_eq!((answer.status, answer.out.as_str(), provider.asked().len()), (1, "", 0));
    assert!(answer.err.starts_with(&format!("error: {expected}")), "{}", answer.err);

    // For a server that starts but doesn't speak MCP, its last output is shown.
    let Some(folder) = self::folder("BROKEN: \"1\", SAYS: I need a token") else { return };
    let answer = folder.ask(&Provider::with([good()]), &INPUT);
    assert_eq!(answer.status, 0, "{answer:?}");
    assert!(
        answer.err.contains("doesn't speak MCP")
            && answer.err.contains("its last output: I need a token"),
        "{}",
        answer.err
    );
}

#[cfg(unix)]
#[test]
fn mdl_25_servers_are_stopped_after_success_and_failure() {
    for (reply, status) in [(good(), 0), (Reply::error(400, "no"), 1)] {
        let Some(folder) = folder("") else { return };
        assert_eq!(folder.ask(&Provider::with([reply]), &INPUT).status, status);
        let notes = notes(&folder);
        assert!(notes[0].starts_with("start "), "{notes:?}");
        // The server wasn't killed; it ended because its input did.
        assert_eq!(notes.last().map(String::as_str), Some("end"));
        assert_eq!(left(&folder), Vec::<String>::new());
    }
}

#[cfg(unix)]
#[test]
fn mdl_25_a_server_that_does_not_end_is_killed_with_its_children() {
    let Some(folder) = folder("STUBBORN: \"1\"") else { return };
    let answer = folder.ask(&Provider::with([good()]), &INPUT);
    assert_eq!(answer.status, 0, "{answer:?}");
    assert_eq!(notes(&folder).iter().filter(|note| note.starts_with("start ")).count(), 2);
    assert_eq!(left(&folder), Vec::<String>::new());
}

#[test]
fn mdl_30_a_server_that_dies_is_an_error_for_the_model() {
    let Some(folder) = folder("") else { return };
    let provider = Provider::with([
        // In separate replies, because the calls of one reply run concurrently.
        Reply::calls(&[("mcp__tools__die", "{}")]),
        Reply::calls(&[("mcp__tools__add", r#"{"a": 1, "b": 2}"#)]),
        good(),
    ]);
    let answer = folder.ask(&provider, &INPUT);
    assert_eq!(answer.status, 0, "{answer:?}");
    assert!(
        told(&provider).iter().all(|told| told.starts_with("{\"error\":")),
        "{:?}",
        told(&provider)
    );
}

#[test]
fn mdl_30_a_large_result_is_truncated() {
    let Some(folder) = folder("") else { return };
    let provider = Provider::with([Reply::calls(&[("mcp__tools__large", "{}")]), good()]);
    assert_eq!(folder.ask(&provider, &INPUT).status, 0);
    let told = told(&provider);
    assert!(
        told[0].len() < 1_100_000 && told[0].ends_with("[truncated: the result has 3000000 bytes]"),
        "{}",
        told[0].len()
    );
}

/// A server over HTTP that ends with the test.
pub struct Remote {
    child: Child,
    pub url: String,
}

impl Remote {
    pub fn start(folder: &Folder, way: &str, env: &[(&str, &str)]) -> Option<Self> {
        server()?;
        let python = if cfg!(windows) { "python" } else { "python3" };
        let mut command = Command::new(python);
        command
            .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cli/run/server.py"))
            .arg(way)
            .env("NOTES", folder.path("notes"));
        let mut child = command
            .envs(env.iter().copied())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut url = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut url).unwrap();
        Some(Self { child, url: url.trim().to_owned() })
    }
}

impl Drop for Remote {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn mdl_24_servers_over_http_with_the_new_and_the_old_transport() {
    for (way, transport, first) in [
        ("http", "auto", "POST /mcp"),
        ("http", "http", "POST /mcp"),
        ("sse", "auto", "POST /mcp"),
        ("sse", "sse", "GET /mcp"),
    ] {
        let folder = Folder::agreed(&[]);
        let Some(remote) = Remote::start(&folder, way, &[]) else { return };
        folder.write(
            "count.md",
            with_server(&format!("url: {}, transport: {transport}", json!(remote.url)), ""),
        );
        let provider =
            Provider::with([Reply::calls(&[("mcp__tools__add", r#"{"a": 1, "b": 2}"#)]), good()]);
        let answer = folder.ask(&provider, &INPUT);
        assert_eq!((answer.status, answer.err.as_str()), (0, ""), "{way} {transport}");
        assert_eq!(told(&provider), ["3"], "{way} {transport}");
        let notes = notes(&folder);
        assert_eq!(notes[0], first, "{notes:?}");
        // The session is closed.
        assert!(way == "sse" || notes.contains(&"DELETE /mcp".to_owned()), "{notes:?}");
    }
}

#[test]
fn mdl_24_an_old_server_may_not_send_messages_elsewhere() {
    let folder = Folder::agreed(&[]);
    let Some(remote) =
        Remote::start(&folder, "sse", &[("ENDPOINT", "http://127.0.0.1:9/messages")])
    else {
        return;
    };
    folder
        .write("count.md", with_server(&format!("url: {}, transport: sse", json!(remote.url)), ""));
    let answer = folder.ask(&Provider::with([good()]), &INPUT);
    assert_eq!(answer.status, 0);
    assert!(answer.err.contains("it redirects messages to another server"), "{}", answer.err);
}

#[test]
fn mdl_25_unreachable_and_unsupported_urls() {
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    for (url, expected) in [
        (format!("http://127.0.0.1:{port}/mcp"), "refused"),
        ("ws://127.0.0.1/mcp".to_owned(), "only `http:` and `https:` are supported"),
    ] {
        let folder =
            Folder::agreed(&[("count.md", &with_server(&format!("url: {}", json!(url)), ""))]);
        let answer = folder.ask(&Provider::with([good()]), &INPUT);
        assert_eq!(answer.status, 0, "{answer:?}");
        assert!(
            answer.err.starts_with("warning: the MCP server `tools` can't be used: ")
                && answer.err.contains(expected),
            "{}",
            answer.err
        );
    }
}

#[test]
fn mdl_32_debug_shows_commands_without_secrets() {
    let Some(server) = server() else { return };
    let folder = Folder::agreed(&[]);
    let server =
        server.replace("server.py\"]", "server.py\", --token=by-and-by, --password, so-and-so]");
    let env = "{ API_TOKEN: hush-hush-hush, STORE: \"base://me:by-day-and-night@host\", SAYS: \"I have hush-hush-hush and base://me:by-day-and-night@host\" }";
    folder.write("count.md", with_server(&server, &format!(", env: {env}")));
    let calls = Reply::calls(&[("mcp__tools__environment", r#"{"name": "API_TOKEN"}"#)]);
    let provider = Provider::with([calls, good()]);
    let answer = folder.ask(&provider, &[&INPUT[..], &["-debug"]].concat());
    assert_eq!(answer.status, 0, "{answer:?}");
    for shown in [
        "server.py",
        "API_TOKEN",
        "POST http://127.0.0.1:",
        "tools: I have [hidden] and [hidden]",
        "--token=[hidden]",
        "mcp__tools__add",
        "stopped the MCP server",
    ] {
        assert!(answer.err.contains(shown), "{shown}: {}", answer.err);
    }
    for secret in
        [super::KEY, "hush-hush-hush", "by-and-by", "so-and-so", "by-day-and-night", "Bearer"]
    {
        assert!(!answer.err.contains(secret), "{secret}: {}", answer.err);
    }
    let body: &Value = &provider.asked()[1].body;
    assert_eq!(body["messages"][3]["content"], "hush-hush-hush");
}
