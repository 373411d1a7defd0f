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
    // Here, the client accepts only a publication for the newest version.
    assert_eq!(client.codes("doc.md"), [""; 0]);
    for heard in
        client.heard.iter().filter(|heard| heard.method == "textDocument/publishDiagnostics")
    {
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
        // Waits for a publication for exactly this version, even though the findings are the same.
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
fn a_finding_has_everything_that_the_client_supports() {
    let text = program("imports:\n  - ./a.md\n  - ./a.md\n");
    let files = format!("//- doc.md\n{text}//- a.md\n{}", program(""));
    for (full, capabilities) in [(true, profile::push()), (false, profile::minimal())] {
        let mut client = Setup::new(&files).capabilities(capabilities).start();
        client.open("doc.md");
        let found = client.diagnostics("doc.md");
        let twice = found
            .iter()
            .find(|diagnostic| code(diagnostic) == "markdownlang/duplicate-import")
            .expect("the second import");
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
            assert!(
                twice
                    .code_description
                    .as_ref()
                    .unwrap()
                    .href
                    .0
                    .ends_with("markdownlang/duplicate-import.md")
            );
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
    let DocumentDiagnosticReport::RelatedFullDocumentDiagnosticReport(report) = report else {
        panic!("no full report: {report:?}")
    };
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
    let DocumentDiagnosticReport::RelatedUnchangedDocumentDiagnosticReport(again) = again else {
        panic!("not unchanged: {again:?}")
    };
    assert_eq!(again.unchanged_document_diagnostic_report.result_id, id);
    // A change after the findings doesn't affect them.
    let end = client.text("doc.md").len();
    client.edit("doc.md", end..end, "More.\n");
    assert!(matches!(
        pull(&mut client, "doc.md", Some(&id)),
        DocumentDiagnosticReport::RelatedUnchangedDocumentDiagnosticReport(_)
    ));
    let at = client.text("doc.md").find("modle").unwrap();
    client.edit("doc.md", at..at + 5, "model");
    let (other, items) = full(pull(&mut client, "doc.md", Some(&id)));
    assert!(other != id && items.is_empty());
    // A client that sends an unknown result ID gets a full report again.
    assert_eq!(full(pull(&mut client, "doc.md", Some("no such id"))), (other, Vec::new()));
}

fn workspace(
    client: &mut Client,
    previous: &[(String, String)],
    token: Option<&str>,
) -> Vec<WorkspaceDocumentDiagnosticReport> {
    let previous: Vec<Value> =
        previous.iter().map(|(uri, value)| json!({ "uri": uri, "value": value })).collect();
    let mut params = json!({ "previousResultIds": previous });
    if let Some(token) = token {
        params["partialResultToken"] = json!(token);
    }
    client.request::<WorkspaceDiagnosticRequest>(params).items
}

/// URI, result ID and codes; `None` for the codes if nothing has changed.
fn reports(
    items: Vec<WorkspaceDocumentDiagnosticReport>,
) -> Vec<(String, String, Option<Vec<String>>)> {
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
    let known: Vec<(String, String)> =
        first.iter().map(|(uri, id, _)| (uri.clone(), id.clone())).collect();
    let second = reports(workspace(&mut client, &known, None));
    assert_eq!(
        second,
        first.iter().map(|(uri, id, _)| (uri.clone(), id.clone(), None)).collect::<Vec<_>>()
    );

    // A fixed file is reported as empty, once; an open one as it is in the editor.
    client.write("a.md", program(""));
    client.open_with(
        "sub/c.md",
        &program("modle: x\nmcp_servers:\n  - name: a\n    command: b\n    disabled: yes\n"),
    );
    let third = reports(workspace(&mut client, &known, None));
    let find = |name: &str| {
        third.iter().find(|(uri, ..)| *uri == client.uri(name)).map(|(_, _, codes)| codes.clone())
    };
    assert_eq!(find("a.md"), Some(Some(vec![])));
    assert_eq!(
        find("sub/c.md"),
        Some(Some(vec![UNKNOWN.to_owned(), "markdownlang/string-boolean".to_owned()]))
    );
}

#[test]
fn workspace_findings_come_in_parts_when_asked_for() {
    let files: String = (0..150).map(|i| format!("//- f{i:03}.md\n{}", wrong())).collect();
    let mut client = Setup::new(&files).pull().start();
    assert_eq!(workspace(&mut client, &[], Some("parts")).len(), 0);
    let parts: Vec<_> = client
        .heard
        .iter()
        .filter(|heard| heard.method == "$/progress" && heard.params["token"] == "parts")
        .collect();
    assert!(parts.len() > 1, "{}", parts.len());
    let uris: Vec<_> = parts
        .iter()
        .flat_map(|part| part.params["value"]["items"].as_array().unwrap())
        .map(|item| item["uri"].as_str().unwrap())
        .collect();
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
    // An open document counts as a file even if it isn't on disk.
    client.open_with("helper.md", &program(""));
    client.wait_for_findings("doc.md", |found| !has(found, MISSING));
    client.close("helper.md");
    client.wait_for_findings("doc.md", |found| has(found, MISSING));
}

#[test]
fn a_client_that_pulls_is_asked_to_pull_again() {
    let mut client = Setup::new(&program("imports:\n  - ./helper.md\n")).pull().start();
    client.open("doc.md");
    assert!(has(&client.diagnostics("doc.md"), MISSING));
    client.asked.clear();
    client.open_with("helper.md", &program(""));
    client.wait_for_question("workspace/diagnostic/refresh");
    assert!(!has(&client.diagnostics("doc.md"), MISSING));
}

#[test]
fn documents_without_a_file_are_checked_too() {
    let mut client = Setup::new("").start();
    client.open_with("untitled:Untitled-1", &wrong());
    assert_eq!(client.codes("untitled:Untitled-1"), [UNKNOWN]);
}

fn refreshes(client: &Client) -> usize {
    client.asked.iter().filter(|asked| asked.method == "workspace/diagnostic/refresh").count()
}

/// Waits until the server has processed everything sent so far, and has sent what follows from it.
fn settle(client: &mut Client) {
    client.sync();
    pull(client, "doc.md", None);
    client.sync();
}

#[test]
fn edits_of_a_file_that_need_only_exist_cause_no_pull() {
    let mut client = Setup::new(&format!(
        "//- doc.md\n{}//- helper.md\n{}",
        program("imports:\n  - ./hepler.md\n"),
        program("")
    ))
    .pull()
    .start();
    client.open("doc.md");
    assert_eq!(client.codes("doc.md"), [MISSING]);
    settle(&mut client);
    client.asked.clear();
    // The file already exists, so opening it changes nothing.
    client.open("helper.md");
    for _ in 0..50 {
        let end = client.text("helper.md").len();
        client.edit("helper.md", end..end, "x");
        client.sync();
    }
    settle(&mut client);
    assert_eq!(refreshes(&client), 0);
    client.close("helper.md");
    settle(&mut client);
    assert_eq!(refreshes(&client), 0);
    // Deleting it does.
    std::fs::remove_file(client.path("helper.md")).unwrap();
    client.notify::<DidChangeWatchedFilesNotification>(
        json!({ "changes": [{ "uri": client.uri("helper.md"), "type": 3 }] }),
    );
    client.wait_for_question("workspace/diagnostic/refresh");
}

#[test]
fn edits_of_a_file_that_need_only_exist_check_nothing_else() {
    let text = program("imports:\n  - ./hepler.md\n");
    let files = format!("//- doc.md\n{text}agentmd-test-wait\n//- helper.md\n{}", program(""));
    let mut client =
        Setup::new(&files).environment("AGENTMD_TEST_GATE", "{folder}/no gate").start();
    client.open("doc.md");
    client.diagnostics("doc.md");
    client.open("helper.md");
    for _ in 0..20 {
        let end = client.text("helper.md").len();
        client.edit("helper.md", end..end, "x");
        client.diagnostics("helper.md");
    }
    client.edit("doc.md", 0..0, "");
    client.diagnostics("doc.md");
    client.shut_down();
    assert_eq!(client.begun(), 2, "once when it was opened, and once when it was edited");
}

#[test]
fn a_client_that_has_not_answered_is_asked_once_more_at_most() {
    let mut client = Setup::new(&program("imports:\n  - ./helper.md\n")).pull().start();
    client.open("doc.md");
    settle(&mut client);
    client.wait_for_index();
    client.asked.clear();
    client.keep_silent();
    client.open_with("helper.md", &program(""));
    client.wait_until("the first request", |client| (refreshes(client) >= 1).then_some(()));
    for _ in 0..20 {
        client.close("helper.md");
        client.open_with("helper.md", &program(""));
        settle(&mut client);
    }
    assert_eq!(refreshes(&client), 1);
    client.speak();
    client.wait_until("the second request", |client| (refreshes(client) >= 2).then_some(()));
    settle(&mut client);
    assert_eq!(refreshes(&client), 2);
    // Once all requests have been answered, a change is again followed by a request at once.
    client.close("helper.md");
    client.wait_until("another request", |client| (refreshes(client) >= 3).then_some(()));
}

#[test]
fn a_document_that_was_closed_while_it_was_pulled_is_forgotten() {
    let reader = program("imports:\n  - ./helper.md\n") + "agentmd-test-wait\n";
    let mut client = Setup::new(&format!("//- doc.md\n# Plain\n//- reader.md\n{reader}//- gate\n"))
        .pull()
        .environment("AGENTMD_TEST_GATE", "{folder}/gate")
        .start();
    client.open("doc.md");
    client.open("reader.md");
    let params = json!({ "textDocument": client.document("reader.md") });
    let pending = client.begin::<DocumentDiagnosticRequest>(params);
    client.wait_for_waiting(1);
    client.close("reader.md");
    client.sync();
    std::fs::remove_file(client.path("gate")).expect("the gate");
    client.finish(pending).expect("a report");
    client.asked.clear();
    client.open_with("helper.md", &program(""));
    settle(&mut client);
    assert_eq!(refreshes(&client), 0);
}

#[test]
fn a_burst_of_keys_in_a_slow_document_is_checked_once() {
    let mut client =
        Setup::new(&format!("//- doc.md\n{}//- gate\n", program("modle: agentmd-test-wait\n")))
            .environment("AGENTMD_TEST_GATE", "{folder}/gate")
            .start();
    client.open("doc.md");
    let mut fewest = usize::MAX;
    // The server may not get to read a burst in one go, so one good round is enough.
    for round in 1..=12 {
        client.wait_for_waiting(1);
        // Long enough for the check to count as slow.
        std::thread::sleep(std::time::Duration::from_millis(50));
        std::fs::remove_file(client.path("gate")).expect("the gate");
        client.diagnostics("doc.md");
        let before = client.begun();
        client.hold();
        for _ in 0..10 {
            let end = client.text("doc.md").len();
            client.edit("doc.md", end..end, "x\n");
        }
        client.release();
        client.diagnostics("doc.md");
        // Longer than the pause before another check.
        std::thread::sleep(std::time::Duration::from_millis(250));
        client.sync();
        fewest = fewest.min(client.begun() - before);
        if fewest == 1 || round == 12 {
            break;
        }
        let before = client.begun();
        client.write("gate", "");
        client.edit("doc.md", 0..0, "");
        client.wait_for_waiting(before + 1);
    }
    assert_eq!(fewest, 1);
}

fn known(items: &[(String, String, Option<Vec<String>>)]) -> Vec<(String, String)> {
    items.iter().map(|(uri, id, _)| (uri.clone(), id.clone())).collect()
}

#[test]
fn a_closed_files_report_follows_the_open_buffer_that_it_depends_on() {
    let mut client = Setup::new(&program("imports:\n  - ./helper.md\n")).pull().start();
    client.wait_for_index();
    let uri = client.uri("doc.md");
    let report = |client: &mut Client, previous: &[(String, String)]| {
        let items = reports(workspace(client, previous, None));
        let found = items.iter().find(|(other, ..)| *other == uri).map(|(.., codes)| codes.clone());
        (known(&items), found)
    };
    let missing = Some(Some(vec![MISSING.to_owned()]));
    let (before, found) = report(&mut client, &[]);
    assert_eq!(found, missing);
    client.open_with("helper.md", &program("").replacen("name: ", "name: other-", 1));
    let (after, found) = report(&mut client, &before);
    assert_eq!(found, Some(Some(vec![])), "an open buffer counts as a file");
    client.close("helper.md");
    let (gone, found) = report(&mut client, &after);
    assert_eq!(found, missing, "the buffer is closed, and the file does not exist");
    assert_eq!(report(&mut client, &gone).1, Some(None), "nothing has changed");
    // The same for a client without previous results.
    client.open_with("helper.md", &program("").replacen("name: ", "name: other-", 1));
    assert_eq!(report(&mut client, &[]).1, None);
    client.close("helper.md");
    assert_eq!(report(&mut client, &[]).1, missing);
}

#[test]
fn the_workspace_names_no_file_twice() {
    let mut client = Setup::new(&format!("//- w/a.md\n{0}//- outside.md\n{0}", wrong()))
        .folders(&["w"])
        .pull()
        .start();
    client.open("w/a.md");
    client.open("outside.md");
    for number in 0..5 {
        client.open_with(&format!("untitled:{number}"), &wrong());
    }
    let first = reports(workspace(&mut client, &[], None));
    let mut previous = known(&first);
    let gone = client.uri("w/gone.md");
    previous.push((gone.clone(), "0".to_owned()));
    let second = reports(workspace(&mut client, &previous, None));
    let mut uris: Vec<String> = second.into_iter().map(|(uri, ..)| uri).collect();
    let mut expected: Vec<String> = previous.into_iter().map(|(uri, _)| uri).collect();
    uris.sort();
    expected.sort();
    assert_eq!(uris, expected);
}

#[test]
fn a_pull_between_edits_is_answered_for_the_text_at_its_place() {
    let text = |wrong: usize| {
        program(&(0..wrong).map(|number| format!("field{number}: x\n")).collect::<String>())
    };
    let mut client = Setup::new(&text(0)).pull().start();
    client.open("doc.md");
    let mut known: Vec<(String, usize)> = Vec::new();
    for wrong in 0..5 {
        client.replace("doc.md", &text(wrong));
        let (id, found) = full(pull(&mut client, "doc.md", None));
        assert_eq!(found.len(), wrong);
        known.push((id, wrong));
    }
    // All at once: no answer may wait for edits sent after its request, or take them into account.
    client.hold();
    let mut expected = Vec::new();
    for round in 0..300 {
        let wrong = round * 7 % 5;
        client.replace("doc.md", &text(wrong));
        let previous = &known[round * 3 % known.len()];
        let params =
            json!({ "textDocument": client.document("doc.md"), "previousResultId": previous.0 });
        expected.push((client.begin::<DocumentDiagnosticRequest>(params), wrong, previous.1));
    }
    client.release();
    for (round, (pending, wrong, previous)) in expected.into_iter().enumerate() {
        match client.finish(pending).expect("a report") {
            DocumentDiagnosticReport::RelatedFullDocumentDiagnosticReport(report) => {
                assert_eq!(
                    report.full_document_diagnostic_report.items.len(),
                    wrong,
                    "round {round}"
                );
                assert_ne!(wrong, previous, "round {round}: nothing has changed");
            }
            DocumentDiagnosticReport::RelatedUnchangedDocumentDiagnosticReport(_) => {
                assert_eq!(wrong, previous, "round {round}")
            }
        }
    }
}
