//! Servers within a run: concurrent calls, shared servers, and odd or huge answers.

use std::time::{Duration, Instant};

use serde_json::json;

use super::servers::{INPUT, Remote, folder, good, notes, told};
use super::{Folder, Provider, Reply, server, with_server};

fn slow_calls() -> Provider {
    Provider::with([Reply::calls(&[("mcp__tools__slow", "{}"); 3]), good()])
}

#[test]
fn mdl_24_the_tool_calls_of_a_reply_run_concurrently() {
    let Some(folder) = folder("SLOW: \"2\"") else { return };
    let time = |parallel: &str| {
        let provider = slow_calls();
        let began = Instant::now();
        let answer = folder.ask(&provider, &[&INPUT[..], &["--parallel", parallel]].concat());
        assert_eq!(answer.status, 0, "{answer:?}");
        assert_eq!(told(&provider), ["slowly"; 3]);
        began.elapsed()
    };
    let (one, three) = (time("1"), time("3"));
    // Concurrent calls take no longer than a single one.
    assert!(one > three + Duration::from_secs(2), "{one:?} {three:?}");
}

#[test]
fn mdl_24_results_keep_the_order_of_their_calls() {
    let Some(folder) = folder("SLOW: \"0.5\"") else { return };
    let calls = [("mcp__tools__slow", "{}"), ("mcp__tools__add", r#"{"a": 1, "b": 2}"#)];
    let provider = Provider::with([Reply::calls(&calls), good()]);
    assert_eq!(folder.ask(&provider, &INPUT).status, 0);
    assert_eq!(told(&provider), ["slowly", "3"]);
}

#[test]
fn mdl_25_the_servers_of_an_imported_program_are_started_once() {
    let Some(folder) = folder("") else { return };
    let main = super::COUNT.replace("name: count", "name: main\nimports: [./count.md]");
    folder.write("main.md", main);
    let call = || Reply::calls(&[("count", r#"{"text": "a"}"#)]);
    let provider = Provider::with([call(), good(), call(), good(), good()]);
    let arguments = ["main.md", "--input", r#"{"text": "x"}"#];
    let answer = folder.ask(&provider, &arguments);
    assert_eq!(answer.status, 0, "{answer:?}");
    let starts = notes(&folder).iter().filter(|note| note.starts_with("start ")).count();
    assert_eq!((starts, provider.asked().len()), (1, 5));
    assert_eq!(notes(&folder).last().map(String::as_str), Some("end"));
}

#[test]
fn mdl_25_unknown_content_and_huge_answers_leave_the_rest_usable() {
    let calls = [
        ("mcp__tools__odd", "{}"),
        ("mcp__tools__huge", "{}"),
        ("mcp__tools__add", r#"{"a": 1, "b": 2}"#),
    ];
    for way in ["pipe", "http", "plain", "sse"] {
        let folder = Folder::agreed(&[]);
        let plain: &[(&str, &str)] = if way == "plain" { &[("PLAIN", "1")] } else { &[] };
        let transport = if way == "sse" { "sse" } else { "http" };
        let remote = match way {
            "pipe" => None,
            _ => Some(match Remote::start(&folder, transport, plain) {
                Some(remote) => remote,
                None => return,
            }),
        };
        let text = match &remote {
            Some(remote) => format!("url: {}, transport: {transport}", json!(remote.url)),
            None => server().unwrap(),
        };
        folder.write("count.md", with_server(&text, ""));
        let provider = Provider::with([Reply::calls(&calls), good()]);
        let answer = folder.ask(&provider, &[&INPUT[..], &["--parallel", "1"]].concat());
        assert_eq!(answer.status, 0, "{way}: {answer:?}");
        let told = told(&provider);
        assert_eq!(told[0], "before\n[unsupported content: hologram]\nafter", "{way}");
        assert!(told[1].contains("the server's answer exceeds 16 MB"), "{way}: {}", told[1]);
        // With the older transport, no events can be read after one that is too long.
        if way != "sse" {
            assert_eq!(told[2], "3", "{way}");
        }
    }
}

#[test]
fn mdl_25_a_server_has_the_timeout_of_its_program() {
    let Some(server) = server() else { return };
    for (more, flag) in [(", timeout: 1.5", &[][..]), ("", &["--mcp-timeout", "1.5"][..])] {
        let folder = Folder::agreed(&[("count.md", &with_server(&server, more))]);
        let provider = Provider::with([Reply::calls(&[("mcp__tools__sleep", "{}")]), good()]);
        let answer = folder.ask(&provider, &[&INPUT[..], flag].concat());
        assert_eq!(answer.status, 0, "{answer:?}");
        assert_eq!(told(&provider), [r#"{"error":"the tool did not answer within 1.5s"}"#]);
    }
    // `sleep` starts but never answers.
    let folder =
        Folder::agreed(&[("count.md", &with_server("command: sleep, args: [\"60\"]", ""))]);
    let answer = folder
        .ask(&Provider::with([good()]), &[&INPUT[..], &["--mcp-start-timeout", "0.5"]].concat());
    assert!(
        answer.status == 0 && answer.err.contains("`sleep` did not answer within 500ms"),
        "{answer:?}"
    );
}

#[cfg(target_os = "linux")]
#[test]
fn mdl_25_a_child_that_leaves_its_group_ends_with_the_run() {
    let Some(folder) = folder("") else { return };
    let provider = Provider::with([Reply::calls(&[("mcp__tools__orphan", "{}")]), good()]);
    let answer = folder.ask(&provider, &INPUT);
    assert_eq!(answer.status, 0, "{answer:?}");
    assert_eq!(told(&provider), ["started"]);
    assert_eq!(notes(&folder).iter().filter(|note| note.starts_with("start ")).count(), 2);
    assert_eq!(super::servers::left(&folder), Vec::<String>::new());
}
