//! How a session begins and ends, and which messages the stream may contain.

use std::io::{BufReader, Write};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tower_lsp::gen_lsp_types::*;

use crate::client::{Client, DEADLINE, Setup, frame, is_alive, read_message};

fn codes<T: std::fmt::Debug>(answer: Result<T, crate::client::RpcError>) -> Option<i64> {
    answer.err().map(|error| error.code)
}

#[test]
fn notifications_sent_as_requests_are_refused() {
    let mut client = Setup::new("# A\n").start();
    let item =
        json!({ "uri": client.uri("doc.md"), "languageId": "markdown", "version": 1, "text": "" });
    let document = json!({ "uri": client.uri("doc.md"), "version": 2 });
    for (method, params) in [
        ("textDocument/didOpen", json!({ "textDocument": item })),
        (
            "textDocument/didChange",
            json!({ "textDocument": document, "contentChanges": [{ "text": "x" }] }),
        ),
        ("textDocument/didClose", json!({ "textDocument": document })),
    ] {
        assert_eq!(codes(client.ask(method, params)), Some(-32600), "{method}");
    }
}

#[test]
fn exit_without_shutdown_is_a_failure() {
    let mut client = Setup::new("").start();
    client.sync();
    client.notify::<ExitNotification>(Value::Null);
    assert_eq!(client.exit_code(), Some(1));
    let mut never_started = Setup::new("").spawn();
    never_started.notify::<ExitNotification>(Value::Null);
    assert_eq!(never_started.exit_code(), Some(1));
}

#[test]
fn the_end_of_input_ends_the_process() {
    let mut client = Setup::new("# A\n").start();
    client.open("doc.md");
    client.sync();
    client.close_input();
    assert_eq!(client.exit_code(), Some(1));
    let mut polite = Setup::new("").start();
    polite.request::<ShutdownRequest>(Value::Null);
    polite.close_input();
    assert_eq!(polite.exit_code(), Some(0));
}

#[test]
fn the_end_of_input_ends_the_process_while_it_works() {
    let mut client = Setup::new("//- doc.md\nagentmd-test-wait\n//- gate\n")
        .environment("AGENTMD_TEST_GATE", "{folder}/gate")
        .start();
    client.open("doc.md");
    client.wait_for_waiting(1);
    client.close_input();
    assert_eq!(client.exit_code(), Some(1));
    assert!(client.path("gate").exists());
}

#[test]
fn messages_may_come_from_a_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let item =
        json!({ "uri": "untitled:1", "languageId": "markdown", "version": 1, "text": "# A\n" });
    let messages: Vec<u8> = [
        json!({ "id": 1, "method": "initialize", "params": { "capabilities": {} } }),
        json!({ "method": "initialized", "params": {} }),
        json!({ "method": "textDocument/didOpen", "params": { "textDocument": item } }),
        json!({ "id": 2, "method": "shutdown" }),
        json!({ "method": "exit" }),
    ]
    .iter_mut()
    .flat_map(|message| {
        message["jsonrpc"] = json!("2.0");
        frame(message)
    })
    .collect();
    let path = folder.path().join("messages");
    std::fs::write(&path, messages).expect("a file");
    let output = Command::new(env!("CARGO_BIN_EXE_agentmd"))
        .arg("server")
        .stdin(std::fs::File::open(&path).expect("the file"))
        .output()
        .expect("the server");
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let mut written = output.stdout.as_slice();
    let mut answered = Vec::new();
    while let Some(message) = read_message(&mut written).expect("messages") {
        answered.extend(message["id"].as_i64().filter(|_| message.get("method").is_none()));
    }
    assert_eq!(answered, [1, 2]);
}

#[cfg(target_os = "linux")]
#[test]
fn the_process_ends_with_the_one_that_started_it() {
    let mut setup = Setup::new("");
    // The shell stays the parent, and the test keeps the input open.
    setup.wrapper = ["sh", "-c", "exec 3<&0; \"$0\" \"$@\" <&3 & wait"].map(str::to_owned).to_vec();
    let mut client = setup.start();
    client.sync();
    client.kill_child();
    // The stream ends when the server does; the exit status is the shell's.
    assert_eq!(client.exit_code(), None);
}

#[cfg(target_os = "linux")]
#[test]
fn the_process_ends_with_the_client_whose_id_it_was_given() {
    let mut editor = Command::new("sleep").arg("600").stdin(Stdio::null()).spawn().expect("sleep");
    let mut setup = Setup::new("");
    setup.process = json!(editor.id());
    let mut client = setup.start();
    client.sync();
    assert!(is_alive(client.process()));
    editor.kill().expect("it runs");
    editor.wait().expect("it ends");
    assert_eq!(client.exit_code(), Some(1));
}

#[test]
fn nothing_is_answered_before_initialize() {
    let mut client = Setup::new("").spawn();
    let hover = json!({ "textDocument": { "uri": "file:///x.md" }, "position": { "line": 0, "character": 0 } });
    assert_eq!(codes(client.ask("textDocument/hover", hover.clone())), Some(-32002));
    assert_eq!(codes(client.ask("agentmd/nothing", Value::Null)), Some(-32601));
    // Notifications are dropped.
    client.notify::<DidOpenTextDocumentNotification>(
        json!({ "textDocument": { "uri": "file:///x.md", "languageId": "markdown", "version": 1, "text": "[a](https://b.c)" } }),
    );
    client.initialize();
    assert!(client.ask("textDocument/hover", hover).is_ok_and(|answer| answer.is_null()));
}

#[test]
fn initialize_comes_once() {
    let mut client = Setup::new("").start();
    let params = client.initialize_params();
    assert_eq!(codes(client.ask("initialize", params)), Some(-32600));
    client.sync();
}

#[test]
fn after_shutdown_requests_are_refused_and_nothing_is_sent() {
    let mut client = Setup::new("# A\n").start();
    client.open("doc.md");
    client.diagnostics("doc.md");
    client.request::<ShutdownRequest>(Value::Null);
    let params = json!({ "textDocument": client.document("doc.md") });
    assert_eq!(codes(client.ask("textDocument/documentSymbol", params)), Some(-32600));
    assert_eq!(codes(client.ask("shutdown", Value::Null)), Some(-32600));
    client.heard.clear();
    client.asked.clear();
    client.notify::<DidChangeConfigurationNotification>(json!({ "settings": null }));
    client.open_with("other.md", "# B\n");
    client.notify::<ExitNotification>(Value::Null);
    assert_eq!(client.exit_code(), Some(0));
    assert!(
        client.heard.is_empty() && client.asked.is_empty(),
        "{:?} {:?}",
        client.heard,
        client.asked
    );
}

#[test]
fn unknown_methods() {
    let mut client = Setup::new("").start();
    for method in ["agentmd/none", "$/none", "textDocument/none", ""] {
        assert_eq!(codes(client.ask(method, json!({}))), Some(-32601), "{method:?}");
    }
    // Unknown notifications are ignored, whether or not they're optional.
    for method in ["agentmd/none", "$/none", "$/setTrace", "window/workDoneProgress/cancel"] {
        client.send(&json!({ "jsonrpc": "2.0", "method": method, "params": { "value": "off", "token": "x" } }));
    }
    client.sync();
    let unknown = client.ask("workspace/executeCommand", json!({ "command": "no.such.command" }));
    assert_eq!(codes(unknown), Some(-32602));
}

#[test]
fn malformed_parameters_fail_only_their_own_request() {
    let mut client = Setup::new("").start();
    for params in [
        Value::Null,
        json!([]),
        json!({}),
        json!({ "textDocument": 3 }),
        json!({ "textDocument": { "uri": "file:///x" }, "position": { "line": -1, "character": 0 } }),
    ] {
        assert_eq!(
            codes(client.ask("textDocument/hover", params.clone())),
            Some(-32602),
            "{params}"
        );
        client.send(
            &json!({ "jsonrpc": "2.0", "method": "textDocument/didChange", "params": params }),
        );
        client.send(&json!({ "jsonrpc": "2.0", "method": "workspace/didChangeWatchedFiles", "params": params }));
    }
    client.sync();
}

/// The codes of the server's errors for messages that it could not read, in order.
fn refused(client: &mut Client) -> Vec<i64> {
    client.sync();
    std::mem::take(&mut client.refusals).into_iter().map(|error| error.code).collect()
}

fn framed(body: &[u8]) -> Vec<u8> {
    [format!("Content-Length: {}\r\n\r\n", body.len()).as_bytes(), body].concat()
}

#[test]
fn malformed_messages_are_refused_and_the_session_goes_on() {
    let mut client = Setup::new("").start();
    for (body, code) in [
        (&b"{\"broken\""[..], -32700),
        (b"", -32700),
        (b"\xff\xfe{}", -32700),
        (b"{\"jsonrpc\":\"2.0\",\"method\":\"x\",\"id\":1}}", -32700),
        (b"[]", -32600),
        (b" [77, \"textDocument/documentSymbol\", {}]", -32600),
        (b"[null, \"exit\", null]", -32600),
        (b"3", -32600),
        (b"{\"jsonrpc\":\"2.0\",\"method\":3}", -32600),
        (b"{}", -32600),
    ] {
        client.raw(&framed(body));
        assert_eq!(refused(&mut client), [code], "{}", String::from_utf8_lossy(body));
    }
}

#[test]
fn unusual_headers_are_accepted() {
    let mut client = Setup::new("").start();
    let good = |method: &str| json!({ "jsonrpc": "2.0", "method": method }).to_string();
    let body = good("$/nothing");
    for header in [
        "content-length: {}\r\n\r\n",
        "CONTENT-LENGTH:{}\r\n\r\n",
        "Content-Type: application/vscode-jsonrpc; charset=utf-8\r\nContent-Length: {}\r\n\r\n",
        "Content-Length: {}\n\n",
    ] {
        client.raw(header.replace("{}", &body.len().to_string()).as_bytes());
        client.raw(body.as_bytes());
        assert_eq!(refused(&mut client), [0; 0], "{header:?}");
    }
    for header in [
        "Content-Length: pony\r\n\r\n",
        "Content-Length: -1\r\n\r\n",
        "X: y\r\n\r\n",
        "Content-Length: 99999999999999999999999\r\n\r\n",
    ] {
        client.raw(header.as_bytes());
        assert_eq!(refused(&mut client), [-32700], "{header:?}");
    }
    // If the length is too short, the rest of the body is skipped.
    let whole = good("$/nothing");
    client.raw(format!("Content-Length: {}\r\n\r\n{whole}", whole.len() - 4).as_bytes());
    assert_eq!(refused(&mut client), [-32700]);
}

#[test]
fn messages_may_come_in_any_pieces() {
    let mut client = Setup::new("").start();
    let message = json!({ "jsonrpc": "2.0", "id": "text 🦆", "method": "$/x" });
    for byte in frame(&message) {
        client.raw(&[byte]);
    }
    // A string ID is returned as a string, which the client counts as an error for none of its
    // requests.
    assert_eq!(refused(&mut client), [-32601]);
    client.raw(&[frame(&message), frame(&message)].concat());
    assert_eq!(refused(&mut client), [-32601, -32601]);
}

#[test]
fn lone_surrogates_are_repaired() {
    let mut client = Setup::new("").start();
    let uri = client.uri("s.md");
    let body = format!(
        r##"{{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{{"textDocument":{{"uri":"{uri}","languageId":"markdown","version":1,"text":"# a\ud800b \ud83e\udd86\n"}}}}}}"##
    );
    client.raw(&framed(body.as_bytes()));
    let symbols = client
        .ask("textDocument/documentSymbol", json!({ "textDocument": { "uri": uri } }))
        .expect("an outline");
    assert_eq!(symbols[0]["name"], "a\u{fffd}b 🦆");
}

/// A session whose standard output isn't read until the test does so.
struct Unread(Child);

impl Unread {
    fn start(text: &str) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_agentmd"));
        command.arg("server").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut unread = Self(command.spawn().expect("the program starts"));
        unread.send(json!({ "id": 0, "method": "initialize", "params": { "processId": null, "rootUri": null, "capabilities": {} } }));
        unread.send(json!({ "method": "initialized", "params": {} }));
        let document =
            json!({ "uri": "untitled:1", "languageId": "markdown", "version": 1, "text": text });
        unread.send(
            json!({ "method": "textDocument/didOpen", "params": { "textDocument": document } }),
        );
        unread
    }

    fn send(&mut self, mut message: Value) {
        message["jsonrpc"] = json!("2.0");
        self.0
            .stdin
            .as_mut()
            .expect("stdin")
            .write_all(&frame(&message))
            .expect("the server reads");
    }

    fn outline(&mut self, id: usize) {
        self.send(json!({ "id": id, "method": "textDocument/documentSymbol", "params": { "textDocument": { "uri": "untitled:1" } } }));
    }

    fn end(mut self) -> Option<i32> {
        self.send(json!({ "id": "end", "method": "shutdown" }));
        self.send(json!({ "method": "exit" }));
        let end = Instant::now() + DEADLINE;
        while Instant::now() < end {
            if let Some(status) = self.0.try_wait().expect("a process") {
                return status.code();
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        self.0.kill().expect("it runs");
        panic!("the process is still running");
    }
}

#[test]
fn a_client_that_never_reads_does_not_keep_the_process() {
    let mut unread = Unread::start("# heading\n");
    // The error contains the method, and is longer than a pipe's buffer.
    unread.send(json!({ "id": 1, "method": format!("$/{}", "x".repeat(1 << 20)) }));
    assert_eq!(unread.end(), Some(0));
}

#[test]
fn a_client_that_does_not_read_is_refused_more_until_it_does() {
    let mut unread = Unread::start("# heading\n");
    // Errors this long fill the queue at once.
    let method = format!("$/{}", "x".repeat(5 << 20));
    for id in 1..=14 {
        unread.send(json!({ "id": id, "method": method }));
    }
    unread.outline(100);
    // Longer than the buffers of the pipe and the server: once it's written, the server has read
    // everything before it.
    unread.send(json!({ "method": "$/nothing", "params": ["x".repeat(1 << 20)] }));
    let mut output = BufReader::new(unread.0.stdout.take().expect("stdout"));
    let mut answer = |id: usize| loop {
        let message = read_message(&mut output).expect("a message").expect("the stream goes on");
        if message["id"] == id {
            return message;
        }
    };
    assert_eq!(answer(100)["error"]["code"], -32803);
    unread.outline(101);
    assert_eq!(answer(101)["result"][0]["name"], "heading");
    assert_eq!(unread.end(), Some(0));
}
