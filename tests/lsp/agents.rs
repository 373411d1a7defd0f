//! Agent files over the protocol: verdicts as lens and hover, findings, and settings that choose
//! the clients.

use serde_json::json;
use tower_lsp::gen_lsp_types::*;

use crate::client::{Client, Setup};
use crate::profile;

const NAME: &str = ".agents/skills/brew-tea/SKILL.md";

fn start(clients: &[&str]) -> Client {
    let files =
        format!("//- {NAME}\n--$0-\nname: 日本 🦆\ndescription: Brews tea\n---\n\nBrew it.\n");
    let mut client = Setup::new(&files)
        .capabilities(profile::push())
        .settings(json!({ "clients": clients }))
        .start();
    client.open(NAME);
    client
}

#[test]
fn verdicts_are_a_lens_and_a_hover() {
    let mut client = start(&["codex", "zed"]);
    client.wait_for_findings(NAME, |found| {
        found.iter().any(|one| one.severity == Some(DiagnosticSeverity::Error))
    });
    let params = json!({ "textDocument": client.document(NAME) });
    let lenses = client.request::<CodeLensRequest>(params).expect("lenses");
    assert_eq!(lenses.len(), 1);
    let command = lenses[0].command.clone().expect("a command");
    assert_eq!(
        (lenses[0].range.start.line, command.title.as_str(), command.command.as_str()),
        (0, "Codex ✓ · Zed: not loaded", "agentmd.show")
    );
    let argument = serde_json::to_value(&command.arguments.expect("arguments")[0]).unwrap();
    assert_eq!(argument["line"], 1);
    let params = client.cursor(NAME);
    let hover = client.request::<HoverRequest>(params).expect("a hover");
    let Contents::MarkupContent(content) = hover.contents else { panic!("no markup") };
    assert!(
        content.value.contains("- Zed: not loaded (name: skill not loaded)"),
        "{}",
        content.value
    );
}

#[test]
fn findings_are_those_of_the_clients_in_the_settings() {
    let mut client = start(&["zed"]);
    let told = client.wait_for_findings(NAME, |found| {
        found.iter().any(|one| one.severity == Some(DiagnosticSeverity::Error))
    });
    let found = &told.diagnostics[0];
    assert_eq!(found.code, Some(Code::String("agent/invalid-name".to_owned())));
    assert_eq!(client.text_at(NAME, found.range), "日本 🦆");
    let mut other = start(&["codex"]);
    let told = other.wait_for_findings(NAME, <[Diagnostic]>::is_empty);
    assert_eq!(told.diagnostics, []);
}
