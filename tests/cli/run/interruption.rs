//! Runs that are interrupted, killed or timed out.

#![cfg(unix)]

use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

use super::servers::left;
use super::{Folder, KEY, Provider, Reply, server, with_server};

/// A folder with a program and its server, whose environment `more` extends.
fn folder(more: &str) -> Option<Folder> {
    let folder = Folder::agreed(&[]);
    let notes = json!(folder.path("notes").to_string_lossy());
    folder.write(
        "count.md",
        with_server(&server()?, &format!(", env: {{ NOTES: {notes}, {more} }}")),
    );
    Some(folder)
}

/// Starts a run and waits until it has sent its first request.
fn begun(folder: &Folder, provider: &Provider, arguments: &[&str]) -> Child {
    let arguments = [&["run", "count.md", "--input", r#"{"text": "a"}"#], arguments].concat();
    let mut command = folder.at_home(&arguments);
    let mut child = command
        .env("OPENAI_BASE_URL", &provider.url)
        .env("OPENAI_API_KEY", KEY)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    while provider.asked().is_empty() {
        assert!(child.try_wait().unwrap().is_none(), "the run ended without a request");
        std::thread::sleep(Duration::from_millis(10));
    }
    child
}

pub fn kill(child: &Child, signal: &str) {
    assert!(
        std::process::Command::new("sh")
            .args(["-c", &format!("kill {signal} {}", child.id())])
            .status()
            .unwrap()
            .success()
    );
}

#[test]
fn mdl_25_a_signal_stops_the_servers_and_the_summary_is_still_printed() {
    for (signal, number) in [("-INT", 2), ("-TERM", 15), ("-HUP", 1)] {
        let Some(folder) = folder("STUBBORN: \"1\"") else { return };
        let provider = Provider::always(Reply::text("{\"n\": 1}").after(Duration::from_secs(30)));
        let child = begun(&folder, &provider, &["--summary", "-output", "out.json"]);
        assert_eq!(left(&folder).len(), 2);
        kill(&child, signal);
        let output = child.wait_with_output().unwrap();
        assert_eq!(
            output.status.signal(),
            Some(number),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        assert_eq!(left(&folder), Vec::<String>::new());
        let said = String::from_utf8(output.stderr).unwrap();
        let summary = said
            .strip_prefix("error: the run was interrupted\n")
            .unwrap_or_else(|| panic!("{said}"));
        let summary: Value = serde_json::from_str(summary).unwrap();
        assert_eq!((&summary["success"], &summary["iterations"]), (&json!(false), &json!(1)));
        assert!(!folder.path("out.json").exists());
    }
}

#[test]
fn mdl_25_servers_are_stopped_on_timeout_even_during_a_tool_call() {
    let Some(folder) = folder("") else { return };
    let provider = Provider::with([Reply::calls(&[("mcp__tools__sleep", "{}")])]);
    let child = begun(&folder, &provider, &["--timeout", "8"]);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("the run took more than"));
    assert_eq!(left(&folder), Vec::<String>::new());
}

#[test]
fn mdl_25_killing_a_run_ends_its_servers() {
    let Some(folder) = folder("") else { return };
    let provider = Provider::always(Reply::text("{\"n\": 1}").after(Duration::from_secs(30)));
    let mut child = begun(&folder, &provider, &[]);
    kill(&child, "-KILL");
    child.wait().unwrap();
    // The servers end once their input is closed, which may take long on a busy machine.
    let looks = (0..6_000).take_while(|_| !left(&folder).is_empty());
    looks.for_each(|_| std::thread::sleep(Duration::from_millis(50)));
    assert_eq!(left(&folder), Vec::<String>::new());
}

#[cfg(target_os = "linux")]
#[test]
fn mdl_25_an_interrupted_run_ends_children_that_left_their_session() {
    for signal in ["-INT", "-TERM"] {
        let Some(folder) = folder("") else { return };
        let slow = Reply::text("{\"n\": 1}").after(Duration::from_secs(30));
        let provider = Provider::with([Reply::calls(&[("mcp__tools__orphan", "{}")]), slow]);
        let child = begun(&folder, &provider, &[]);
        // The second request contains the result of the tool, so the orphan has been started by
        // then.
        while provider.asked().len() < 2 {
            std::thread::sleep(Duration::from_millis(10));
        }
        assert_eq!(left(&folder).len(), 2);
        kill(&child, signal);
        child.wait_with_output().unwrap();
        assert_eq!(left(&folder), Vec::<String>::new(), "{signal}");
    }
}
