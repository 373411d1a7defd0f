use serde_json::{Value, json};
use tower_lsp::gen_lsp_types::*;

use crate::client::{Client, Setup, code};
use crate::fixture::program;
use crate::profile;

const MISSPELT: &str = "modle: gpt-4o\n";

fn wrong() -> String {
    program(MISSPELT)
}

fn has(found: &[Diagnostic], wanted: &str) -> bool {
    found.iter().any(|diagnostic| code(diagnostic) == wanted)
}

const UNKNOWN: &str = "markdownlang/unknown-field";
const MISSING: &str = "markdownlang/import-not-found";

#[test]
fn findings_are_published_with_the_version_they_are_of() {
    let mut client = Setup::new(&wrong()).start();
    client.open("doc.md");
    assert_eq!(client.findings("doc.md"), [(UNKNOWN.to_owned(), "modle".to_owned())]);
    let at = client.text("doc.md").find("modle").unwrap();
    client.edit("doc.md", at..at + 5, "model");
    // The client accepts no publication but one of the newest version here.
    assert_eq!(client.codes("doc.md"), [""; 0]);
    for heard in client.heard.iter().filter(|heard| heard.method == "textDocument/publishDiagnostics") {
        assert!(heard.params["version"].is_i64(), "{heard:?}");
    }
}

#[test]
fn every_pause_in_typing_is_followed_by_a_publication() {
    let mut client = Setup::new(&wrong()).start();
    client.open("doc.md");
    for _ in 0..20 {
        let end = client.text("doc.md").len();
        client.edit("doc.md", end..end, "x");
        // Waits for a publication of just this version, though the findings are the same.
        assert_eq!(client.codes("doc.md"), [UNKNOWN]);
    }
}

#[test]
fn a_closed_document_shows_nothing() {
    let mut client = Setup::new(&wrong()).start();
    client.open("doc.md");
    client.diagnostics("doc.md");
    client.heard.clear();
    client.close("doc.md");
    let last = client.take::<PublishDiagnosticsNotification>(|_| true);
    assert_eq!((last.uri.0, last.diagnostics.len()), (client.uri("doc.md"), 0));
    client.open("doc.md");
    assert_eq!(client.codes("doc.md"), [UNKNOWN]);
}

#[test]
fn a_finding_says_all_that_the_client_can_take() {
    let text = program("imports:\n  - ./a.md\n  - ./a.md\n");
    let files = format!("//- doc.md\n{text}//- a.md\n{}", program(""));
    for (full, capabilities) in [(true, profile::push()), (false, profile::minimal())] {
        let mut client = Setup::new(&files).capabilities(capabilities).start();
        client.open("doc.md");
        let found = client.diagnostics("doc.md");
        let twice = found.iter().find(|diagnostic| code(diagnostic) == "markdownlang/duplicate-import").expect("the second import");
        assert_eq!(twice.source.as_deref(), Some("agentmd"));
        assert_eq!(twice.tags.is_some(), full);
        assert_eq!(twice.data.is_some(), full);
        assert_eq!(twice.code_description.is_some(), full);
        let related = twice.related_information.clone().unwrap_or_default();
        assert_eq!(related.len(), usize::from(full));
        if let Some(first) = related.first() {
            assert_eq!(first.location.uri.0, client.uri("doc.md"));
            assert_eq!(client.text_at("doc.md", first.location.range), "./a.md");
            assert!(first.location.range.start < twice.range.start);
            assert_eq!(twice.tags, Some(vec![DiagnosticTag::Unnecessary]));
            assert!(twice.code_description.as_ref().unwrap().href.0.ends_with("markdownlang/duplicate-import.md"));
        }
    }
}

fn pull(client: &mut Client, name: &str, previous: Option<&str>) -> DocumentDiagnosticReport {
    let mut params = json!({ "textDocument": client.document(name) });
    if let Some(previous) = previous {
        params["previousResultId"] = json!(previous);
    }
    client.request::<DocumentDiagnosticRequest>(params)
}

fn full(report: DocumentDiagnosticReport) -> (String, Vec<Diagnostic>) {
    let DocumentDiagnosticReport::RelatedFullDocumentDiagnosticReport(report) = report else { panic!("no full report: {report:?}") };
    let report = report.full_document_diagnostic_report;
    (report.result_id.expect("a result id"), report.items)
}

#[test]
fn pulled_findings_are_sent_once() {
    let mut client = Setup::new(&wrong()).pull().start();
    assert!(client.server.diagnostic_provider.is_some());
    client.open("doc.md");
    let (id, items) = full(pull(&mut client, "doc.md", None));
    assert!(has(&items, UNKNOWN));
    let again = pull(&mut client, "doc.md", Some(&id));
    let DocumentDiagnosticReport::RelatedUnchangedDocumentDiagnosticReport(again) = again else { panic!("not unchanged: {again:?}") };
    assert_eq!(again.unchanged_document_diagnostic_report.result_id, id);
    // A change behind the findings changes nothing of them.
    let end = client.text("doc.md").len();
    client.edit("doc.md", end..end, "More.\n");
    assert!(matches!(pull(&mut client, "doc.md", Some(&id)), DocumentDiagnosticReport::RelatedUnchangedDocumentDiagnosticReport(_)));
    let at = client.text("doc.md").find("modle").unwrap();
    client.edit("doc.md", at..at + 5, "model");
    let (other, items) = full(pull(&mut client, "doc.md", Some(&id)));
    assert!(other != id && items.is_empty());
    // The full report again for a client that has lost what it knew.
    assert_eq!(full(pull(&mut client, "doc.md", Some("no such id"))), (other, Vec::new()));
}

fn workspace(client: &mut Client, previous: &[(String, String)], token: Option<&str>) -> Vec<WorkspaceDocumentDiagnosticReport> {
    let previous: Vec<Value> = previous.iter().map(|(uri, value)| json!({ "uri": uri, "value": value })).collect();
    let mut params = json!({ "previousResultIds": previous });
    if let Some(token) = token {
        params["partialResultToken"] = json!(token);
    }
    client.request::<WorkspaceDiagnosticRequest>(params).items
}

/// URI, result id, codes; no codes where nothing changed.
fn reports(items: Vec<WorkspaceDocumentDiagnosticReport>) -> Vec<(String, String, Option<Vec<String>>)> {
    let read = |item| match item {
        WorkspaceDocumentDiagnosticReport::WorkspaceFullDocumentDiagnosticReport(full) => {
            let report = full.full_document_diagnostic_report;
            (full.uri.0, report.result_id.unwrap(), Some(report.items.iter().map(code).collect()))
        }
        WorkspaceDocumentDiagnosticReport::WorkspaceUnchangedDocumentDiagnosticReport(same) => {
            (same.uri.0, same.unchanged_document_diagnostic_report.result_id, None)
        }
    };
    items.into_iter().map(read).collect()
}

#[test]
fn the_workspace_is_reported_file_by_file() {
    let files = format!("//- a.md\n{}//- b.md\n# Fine\n//- sub/c.md\n{}", wrong(), wrong());
    let mut client = Setup::new(&files).pull().start();
    let first = reports(workspace(&mut client, &[], None));
    let unknown = Some(vec![UNKNOWN.to_owned()]);
    let names = |client: &Client| [client.uri("a.md"), client.uri("sub/c.md")];
    assert_eq!(
        first.iter().map(|(uri, _, codes)| (uri.clone(), codes.clone())).collect::<Vec<_>>(),
        names(&client).map(|uri| (uri, unknown.clone()))
    );
    let known: Vec<(String, String)> = first.iter().map(|(uri, id, _)| (uri.clone(), id.clone())).collect();
    let second = reports(workspace(&mut client, &known, None));
    assert_eq!(second, first.iter().map(|(uri, id, _)| (uri.clone(), id.clone(), None)).collect::<Vec<_>>());

    // A file that was mended is reported empty, once; an open one as it is in the editor.
    client.write("a.md", program(""));
    client.open_with("sub/c.md", &program("modle: x\nmcp_servers:\n  - name: a\n    command: b\n    disabled: yes\n"));
    let third = reports(workspace(&mut client, &known, None));
    let find = |name: &str| third.iter().find(|(uri, ..)| *uri == client.uri(name)).map(|(_, _, codes)| codes.clone());
    assert_eq!(find("a.md"), Some(Some(vec![])));
    assert_eq!(find("sub/c.md"), Some(Some(vec![UNKNOWN.to_owned(), "markdownlang/string-boolean".to_owned()])));
}

#[test]
fn workspace_findings_come_in_parts_when_asked_for() {
    let files: String = (0..150).map(|i| format!("//- f{i:03}.md\n{}", wrong())).collect();
    let mut client = Setup::new(&files).pull().start();
    assert_eq!(workspace(&mut client, &[], Some("parts")).len(), 0);
    let parts: Vec<_> = client.heard.iter().filter(|heard| heard.method == "$/progress" && heard.params["token"] == "parts").collect();
    assert!(parts.len() > 1, "{}", parts.len());
    let uris: Vec<_> =
        parts.iter().flat_map(|part| part.params["value"]["items"].as_array().unwrap()).map(|item| item["uri"].as_str().unwrap()).collect();
    let all: Vec<_> = (0..150).map(|i| client.uri(&format!("f{i:03}.md"))).collect();
    assert_eq!(uris, all);
}

#[test]
fn a_file_that_appears_on_disk_rechecks_its_readers() {
    let mut client = Setup::new(&program("imports:\n  - ./helper.md\n")).start();
    client.open("doc.md");
    assert!(has(&client.diagnostics("doc.md"), MISSING));
    client.write("helper.md", program(""));
    let event = |client: &Client, kind: u32| json!({ "changes": [{ "uri": client.uri("helper.md"), "type": kind }] });
    client.notify::<DidChangeWatchedFilesNotification>(event(&client, 1));
    client.wait_for_findings("doc.md", |found| !has(found, MISSING));
    std::fs::remove_file(client.path("helper.md")).unwrap();
    client.notify::<DidChangeWatchedFilesNotification>(event(&client, 3));
    client.wait_for_findings("doc.md", |found| has(found, MISSING));
}

#[test]
fn a_file_that_is_opened_elsewhere_rechecks_its_readers() {
    let mut client = Setup::new(&program("imports:\n  - ./helper.md\n")).start();
    client.open("doc.md");
    assert!(has(&client.diagnostics("doc.md"), MISSING));
    // Not on disk, but open: that is as good.
    client.open_with("helper.md", &program(""));
    client.wait_for_findings("doc.md", |found| !has(found, MISSING));
    client.close("helper.md");
    client.wait_for_findings("doc.md", |found| has(found, MISSING));
}

#[test]
fn a_client_that_pulls_is_told_to_pull_again() {
    let mut client = Setup::new(&program("imports:\n  - ./helper.md\n")).pull().start();
    client.open("doc.md");
    assert!(has(&client.diagnostics("doc.md"), MISSING));
    client.asked.clear();
    client.open_with("helper.md", &program(""));
    client.wait_for_question("workspace/diagnostic/refresh");
    assert!(!has(&client.diagnostics("doc.md"), MISSING));
}

#[test]
fn documents_that_are_no_files_are_checked_too() {
    let mut client = Setup::new("").start();
    client.open_with("untitled:Untitled-1", &wrong());
    assert_eq!(client.codes("untitled:Untitled-1"), [UNKNOWN]);
}
