//! The graph of imports: cycles, imported programs with errors, call hierarchy, and renamed files.

use std::fmt::Write;

use serde_json::{Value, json};
use tower_lsp::gen_lsp_types::*;

use crate::client::{Client, Setup, code};
use crate::fixture::program;
use crate::profile;

const CIRCULAR: &str = "markdownlang/circular-import";
const INVALID: &str = "markdownlang/invalid-import";
const MISSING: &str = "markdownlang/import-not-found";

/// A program with this name and these imports.
fn named(name: &str, imports: &[&str]) -> String {
    let list: String = imports.iter().map(|import| format!("  - {import}\n")).collect();
    let fields = if imports.is_empty() { String::new() } else { format!("imports:\n{list}") };
    program(&fields).replace("name: greet", &format!("name: {name}"))
}

fn files(each: &[(&str, &[&str])]) -> String {
    let name = |path: &str| path.trim_end_matches(".md").replace('/', "-");
    each.iter().fold(String::new(), |all, (path, imports)| {
        format!("{all}//- {path}\n{}", named(&name(path), imports))
    })
}

fn has(found: &[Diagnostic], wanted: &str) -> bool {
    found.iter().any(|diagnostic| code(diagnostic) == wanted)
}

/// Replaces `old` with `new` in an open document.
fn exchange(client: &mut Client, name: &str, old: &str, new: &str) {
    let at = client.text(name).find(old).unwrap_or_else(|| panic!("no {old} in {name}"));
    client.edit(name, at..at + old.len(), new);
}

/// How often findings of a document have been published so far.
fn published(client: &Client, name: &str) -> usize {
    let uri = client.uri(name);
    client
        .heard
        .iter()
        .filter(|heard| {
            heard.method == "textDocument/publishDiagnostics" && heard.params["uri"] == json!(uri)
        })
        .count()
}

#[test]
fn mdl_20_a_cycle_is_reported_in_all_its_files_while_it_is_typed() {
    let mut client = Setup::new(&files(&[
        ("a.md", &["./b.md"]),
        ("b.md", &["./c.md"]),
        ("c.md", &[]),
        ("d.md", &["./a.md"]),
    ]))
    .start();
    for name in ["a.md", "b.md", "c.md", "d.md"] {
        client.open(name);
        assert_eq!(client.codes(name), [""; 0], "{name}");
    }
    exchange(&mut client, "c.md", "---\n\nGreet", "imports: [./a.md]\n---\n\nGreet");
    for name in ["a.md", "b.md", "c.md"] {
        let said = client.wait_for_findings(name, |found| has(found, CIRCULAR));
        let related =
            said.diagnostics[0].related_information.as_ref().expect("the rest of the cycle");
        assert_eq!(related.len(), 2, "{name}");
    }
    let said = client.wait_for_findings("a.md", |found| has(found, CIRCULAR));
    let places: Vec<_> = said.diagnostics[0]
        .related_information
        .iter()
        .flatten()
        .map(|related| related.location.uri.0.clone())
        .collect();
    assert_eq!(places, [client.uri("b.md"), client.uri("c.md")]);
    // The related location follows the edit.
    exchange(&mut client, "b.md", "description", "# a comment\ndescription");
    client.wait_for_findings("a.md", |found| {
        found[0]
            .related_information
            .iter()
            .flatten()
            .any(|related| related.location.range.start.line == 6)
    });
    client.wait_for_findings("d.md", |found| has(found, INVALID) && !has(found, CIRCULAR));
    exchange(&mut client, "b.md", "./c.md", "./d.md");
    client.wait_for_findings("d.md", |found| has(found, CIRCULAR));
    client.wait_for_findings("c.md", |found| !has(found, CIRCULAR));
    // The unsaved change is gone once the buffer is closed.
    client.close("b.md");
    client.wait_for_findings("d.md", |found| !has(found, CIRCULAR));
    client.wait_for_findings("c.md", |found| has(found, CIRCULAR));
}

#[test]
fn mdl_20_a_cycle_that_appears_on_disk_is_reported() {
    let mut client =
        Setup::new(&files(&[("a.md", &["./b.md"]), ("b.md", &["./c.md"]), ("c.md", &[])])).start();
    client.open("a.md");
    assert_eq!(client.codes("a.md"), [""; 0]);
    client.wait_for_index();
    let event = |client: &Client| json!({ "changes": [{ "uri": client.uri("c.md"), "type": 2 }] });
    client.write("c.md", named("c", &["./a.md"]));
    client.notify::<DidChangeWatchedFilesNotification>(event(&client));
    client.wait_for_findings("a.md", |found| has(found, CIRCULAR));
    client.write("c.md", named("c", &["./sub/none.md"]));
    client.notify::<DidChangeWatchedFilesNotification>(event(&client));
    client.wait_for_findings("a.md", |found| !has(found, CIRCULAR));
}

#[cfg(unix)]
#[test]
fn mdl_20_a_cycle_through_a_symlink_is_reported() {
    let mut client = Setup::new(&files(&[("a.md", &["./link.md"])])).spawn();
    std::os::unix::fs::symlink(client.path("a.md"), client.path("link.md")).unwrap();
    client.initialize();
    client.open("a.md");
    assert_eq!(client.codes("a.md"), [CIRCULAR]);
    // The link leads to the same file, so the content in the editor counts.
    exchange(&mut client, "a.md", "imports:\n  - ./link.md\n", "");
    assert_eq!(client.codes("a.md"), [""; 0]);
}

#[test]
fn mdl_21_importers_are_checked_again_only_for_errors() {
    let mut client =
        Setup::new(&files(&[("doc.md", &["./helper.md"]), ("helper.md", &[])])).start();
    for name in ["doc.md", "helper.md"] {
        client.open(name);
        assert_eq!(client.codes(name), [""; 0]);
    }
    for _ in 0..20 {
        let end = client.text("helper.md").len();
        client.edit("helper.md", end..end, "x");
        client.diagnostics("helper.md");
    }
    exchange(&mut client, "helper.md", "type: object", "type: objec");
    client.wait_for_findings("doc.md", |found| has(found, INVALID));
    assert_eq!(
        published(&client, "doc.md"),
        2,
        "when it was opened, and when its import had an error"
    );
    exchange(&mut client, "helper.md", "type: objec", "type: object");
    client.wait_for_findings("doc.md", |found| found.is_empty());
    // An error in the body, which moves nothing else.
    exchange(&mut client, "helper.md", "Greet {{ .who }}", "Greet {{ .who ");
    client.wait_for_findings("doc.md", |found| has(found, INVALID));
    client.close("helper.md");
    client.wait_for_findings("doc.md", |found| found.is_empty());
}

#[test]
fn mdl_21_importers_report_imports_that_fail() {
    let mut client = Setup::new(&files(&[
        ("doc.md", &["./helper.md"]),
        ("helper.md", &["./leaf.md"]),
        ("leaf.md", &[]),
    ]))
    .start();
    for name in ["doc.md", "helper.md"] {
        client.open(name);
        assert_eq!(client.codes(name), [""; 0]);
    }
    exchange(&mut client, "helper.md", "./leaf.md", "./leaf🦆.md");
    client.wait_for_findings("doc.md", |found| has(found, INVALID));
    exchange(&mut client, "helper.md", "./leaf🦆.md", "./leaf.md");
    client.wait_for_findings("doc.md", |found| found.is_empty());
    exchange(&mut client, "helper.md", "./leaf.md", "./helper.md");
    client.wait_for_findings("doc.md", |found| has(found, INVALID));
    exchange(&mut client, "helper.md", "./helper.md", "./leaf.md");
    client.wait_for_findings("doc.md", |found| found.is_empty());
    // A file that only the imported one imports.
    let event = |client: &Client, kind: u8| json!({ "changes": [{ "uri": client.uri("leaf.md"), "type": kind }] });
    std::fs::remove_file(client.path("leaf.md")).unwrap();
    client.notify::<DidChangeWatchedFilesNotification>(event(&client, 3));
    client.wait_for_findings("doc.md", |found| has(found, INVALID));
    client.write("leaf.md", named("leaf", &[]));
    client.notify::<DidChangeWatchedFilesNotification>(event(&client, 1));
    client.wait_for_findings("doc.md", |found| found.is_empty());
    // A cycle between the imported file and a closed one.
    client.write("leaf.md", named("leaf", &["./helper.md"]));
    client.notify::<DidChangeWatchedFilesNotification>(event(&client, 2));
    client.wait_for_findings("doc.md", |found| has(found, INVALID));
}

const MANY: usize = 1_200;

/// A tree of programs: each is imported by one other, and every tenth also imports `0.md`.
fn many() -> String {
    let mut all = String::new();
    for number in 0..MANY {
        let next = format!("./{}.md", number * 2 + 1);
        let imports: &[&str] = match (number * 2 + 1 < MANY, number % 10 == 3) {
            (true, true) => &[&next, "./0.md"],
            (true, false) => &[&next],
            (false, true) => &["./0.md"],
            (false, false) => &[],
        };
        write!(all, "//- {number}.md\n{}", named(&format!("n{number}"), imports)).unwrap();
    }
    all
}

#[test]
fn mdl_20_an_edit_rechecks_only_its_dependants() {
    let mut client =
        Setup::new(&many()).environment("AGENTMD_TEST_GATE", "{folder}/no gate").start();
    // The first answers don't wait for the workspace.
    let (dependants, others) =
        (["13.md", "23.md", "33.md"], ["2.md", "40.md", "500.md", "1100.md"]);
    for name in dependants.iter().chain(&others).chain(&["0.md"]) {
        client.open(name);
        client.diagnostics(name);
    }
    client.wait_for_index();
    client.sync();
    let counts = |client: &Client| {
        dependants.iter().chain(&others).map(|name| published(client, name)).collect::<Vec<_>>()
    };
    let before = counts(&client);
    // `0.md` is always in a cycle: 0 → 1 → 3 → 0.
    let misspelt = |found: &[Diagnostic]| {
        assert!(has(found, INVALID), "{found:?}");
        json!(found).to_string().contains("`objec`")
    };
    exchange(&mut client, "0.md", "type: object", "type: objec");
    for name in dependants {
        client.wait_for_findings(name, misspelt);
    }
    exchange(&mut client, "0.md", "type: objec", "type: object");
    for name in dependants {
        client.wait_for_findings(name, |found| !misspelt(found));
    }
    // A cycle through a closed file: 0 → 6 → 13 → 0.
    exchange(&mut client, "0.md", "./1.md", "./6.md");
    client.wait_for_findings("13.md", |found| has(found, CIRCULAR));
    assert!(has(&client.diagnostics("0.md"), CIRCULAR));
    let after = counts(&client);
    let more: Vec<usize> =
        after.iter().zip(&before).map(|(after, before)| after - before).collect();
    assert_eq!(more, [3, 2, 2, 0, 0, 0, 0]);
}

/// A cycle of more programs than a check reads before the workspace has been read.
fn long() -> String {
    let each = (0..400).fold(String::new(), |mut all, number| {
        write!(
            all,
            "//- {number}.md\n{}",
            named(&format!("n{number}"), &[&format!("./{}.md", (number + 1) % 400)])
        )
        .unwrap();
        all
    });
    format!("{each}//- gate\n")
}

#[test]
fn mdl_20_documents_are_checked_again_once_the_workspace_has_been_read() {
    for setup in [Setup::new(&long()), Setup::new(&long()).pull()] {
        let pulls = setup.capabilities == profile::pull();
        let mut client = setup.environment("AGENTMD_TEST_READING", "{folder}/gate").start();
        client.open("0.md");
        assert!(
            !has(&client.diagnostics("0.md"), CIRCULAR),
            "the cycle is longer than a check reads at once"
        );
        std::fs::remove_file(client.path("gate")).expect("the gate");
        if pulls {
            client.wait_for_question("workspace/diagnostic/refresh");
            assert!(has(&client.diagnostics("0.md"), CIRCULAR));
        } else {
            client.wait_for_findings("0.md", |found| has(found, CIRCULAR));
            // Later edits are checked as usual.
            exchange(&mut client, "0.md", "./1.md", "./none.md");
            client.wait_for_findings("0.md", |found| has(found, MISSING));
        }
    }
}

#[test]
fn mdl_20_requests_about_the_whole_workspace_block_no_others() {
    let files = files(&[("a.md", &["./b.md"]), ("b.md", &[])]);
    let mut client = renaming(&format!("{files}//- gate\n"))
        .environment("AGENTMD_TEST_READING", "{folder}/gate")
        .start();
    client.open("b.md");
    let at = client.at("b.md", client.text("b.md").find("name: ").expect("a name") + 7);
    let mut asked = at.clone();
    asked["context"] = json!({ "includeDeclaration": false });
    let waiting: Vec<_> =
        (0..40).map(|_| client.begin::<ReferencesRequest>(asked.clone())).collect();
    let moved = renames(&client, &[("b.md", "c.md")]);
    let renaming = client.begin::<WillRenameFilesRequest>(moved);
    // The workspace hasn't been read, yet this is answered while all those requests wait.
    assert!(client.request::<HoverRequest>(at).is_some());
    assert!(client.path("gate").exists());
    std::fs::remove_file(client.path("gate")).expect("the gate");
    for pending in waiting {
        let found = client.finish(pending).expect("references").unwrap_or_default();
        assert_eq!(
            found.iter().map(|place| place.uri.0.clone()).collect::<Vec<_>>(),
            [client.uri("a.md")]
        );
    }
    assert!(client.finish(renaming).expect("edits").is_some());
}

#[test]
fn mdl_20_pulled_reports_of_closed_files_include_the_cycle() {
    let mut client =
        Setup::new(&files(&[("a.md", &["./b.md"]), ("b.md", &["./c.md"]), ("c.md", &[])]))
            .pull()
            .start();
    let report = |client: &mut Client, previous: Value| {
        let report =
            client.request::<WorkspaceDiagnosticRequest>(json!({ "previousResultIds": previous }));
        let mut found = Vec::new();
        let mut ids = Vec::new();
        for item in report.items {
            let WorkspaceDocumentDiagnosticReport::WorkspaceFullDocumentDiagnosticReport(full) =
                item
            else {
                continue;
            };
            let items = full.full_document_diagnostic_report;
            ids.push(json!({ "uri": full.uri, "value": items.result_id }));
            found.push((
                full.uri.0.rsplit('/').next().unwrap().to_owned(),
                items.items.iter().map(code).collect::<Vec<_>>(),
            ));
        }
        found.sort();
        (found, Value::Array(ids))
    };
    let (found, _) = report(&mut client, json!([]));
    assert_eq!(found.iter().flat_map(|(_, codes)| codes).count(), 0, "{found:?}");
    client.open("c.md");
    exchange(&mut client, "c.md", "---\n\nGreet", "imports: [./a.md]\n---\n\nGreet");
    let (found, ids) = report(&mut client, json!([]));
    let ring = |name: &str| (name.to_owned(), vec![CIRCULAR.to_owned()]);
    assert_eq!(found, [ring("a.md"), ring("b.md"), ring("c.md")]);
    assert_eq!(report(&mut client, ids.clone()).0, [], "nothing changed");
    exchange(&mut client, "c.md", "imports: [./a.md]\n", "");
    let (found, _) = report(&mut client, ids);
    assert_eq!(
        found.iter().map(|(name, codes)| (name.as_str(), codes.len())).collect::<Vec<_>>(),
        [("a.md", 0), ("b.md", 0), ("c.md", 0)]
    );
}

#[test]
fn calls_lead_from_program_to_program() {
    let mut client = Setup::new(&files(&[
        ("main.md", &["./tools/help.md"]),
        ("tools/help.md", &["../leaf.md"]),
        ("leaf.md", &[]),
    ]))
    .start();
    client.open("leaf.md");
    // Never saved, with a mention in the body.
    client.open_with("new.md", &named("new", &["./leaf.md"]).replace("Greet", "🦆 Ask `leaf`:"));
    let at = client.text("leaf.md").find("leaf").unwrap();
    let params = client.at("leaf.md", at);
    let items = client.request::<CallHierarchyPrepareRequest>(params).expect("an item");
    assert_eq!(
        (items.len(), items[0].name.as_str(), items[0].detail.as_deref()),
        (1, "leaf", Some("Greets a person"))
    );
    let incoming = client
        .request::<CallHierarchyIncomingCallsRequest>(json!({ "item": items[0] }))
        .expect("callers");
    let names: Vec<_> =
        incoming.iter().map(|call| (call.from.name.as_str(), call.from_ranges.len())).collect();
    assert_eq!(names, [("new", 2), ("tools-help", 1)]);
    assert_eq!(client.text_at("new.md", incoming[0].from_ranges[1]), "leaf");
    // Further up, through closed files.
    let further = client
        .request::<CallHierarchyIncomingCallsRequest>(json!({ "item": incoming[1].from }))
        .expect("callers");
    assert_eq!(further.iter().map(|call| call.from.name.as_str()).collect::<Vec<_>>(), ["main"]);
    let outgoing = client
        .request::<CallHierarchyOutgoingCallsRequest>(json!({ "item": further[0].from }))
        .expect("calls");
    assert_eq!(
        outgoing.iter().map(|call| call.to.name.as_str()).collect::<Vec<_>>(),
        ["tools-help"]
    );
    let params = json!({ "textDocument": client.document("leaf.md"), "position": client.position("leaf.md", at), "context": { "includeDeclaration": true } });
    let found = client.request::<ReferencesRequest>(params).expect("references");
    assert_eq!(found.len(), 4, "{found:?}");
}

fn renaming(files: &str) -> Setup {
    let abilities = json!({ "willRename": true, "didRename": true });
    Setup::new(files).capabilities(profile::with(
        profile::push(),
        "/workspace",
        "fileOperations",
        abilities,
    ))
}

fn renames(client: &Client, moves: &[(&str, &str)]) -> Value {
    let files: Vec<Value> = moves
        .iter()
        .map(|(old, new)| json!({ "oldUri": client.uri(old), "newUri": client.uri(new) }))
        .collect();
    json!({ "files": files })
}

/// The edits in an answer: file, version, and the text of each edit.
fn edits(client: &Client, edit: Option<WorkspaceEdit>) -> Vec<(String, Option<i32>, Vec<String>)> {
    let folder = client.uri("");
    let changes = edit.and_then(|edit| edit.document_changes).unwrap_or_default();
    let mut found: Vec<_> = changes
        .into_iter()
        .map(|change| {
            let DocumentChange::TextDocumentEdit(change) = change else {
                panic!("no edit of text: {change:?}")
            };
            let document = change.text_document;
            let texts = change.edits.into_iter().map(|edit| match edit {
                Edit::TextEdit(edit) => edit.new_text,
                other => panic!("no plain edit: {other:?}"),
            });
            let name = document
                .text_document_identifier
                .uri
                .0
                .trim_start_matches(&folder)
                .trim_start_matches('/')
                .to_owned();
            (name, document.version, texts.collect())
        })
        .collect();
    found.sort();
    found
}

fn changed(name: &str, version: Option<i32>, texts: &[&str]) -> (String, Option<i32>, Vec<String>) {
    (name.to_owned(), version, texts.iter().map(|text| (*text).to_owned()).collect())
}

#[test]
fn imports_follow_files_that_are_renamed() {
    let mut client = renaming(&files(&[
        ("main.md", &["./tools/help.md"]),
        ("tools/help.md", &["../leaf.md"]),
        ("leaf.md", &[]),
    ]))
    .start();
    let operations = client
        .server
        .workspace
        .as_ref()
        .and_then(|workspace| workspace.file_operations.clone())
        .expect("file operations");
    assert_eq!(
        (
            operations.will_rename.map(|options| {
                options.filters.into_iter().map(|filter| filter.pattern.glob).collect::<Vec<_>>()
            }),
            operations.did_rename.is_some()
        ),
        // Documents refer to all kinds of files.
        (Some(vec!["**/*".to_owned(), "**".to_owned()]), true)
    );
    client.open("main.md");
    // The buffer takes precedence over the file.
    exchange(
        &mut client,
        "main.md",
        "  - ./tools/help.md\n",
        "  - \"./tools/help.md\"\n  - ./leaf.md\n",
    );
    let params = renames(&client, &[("leaf.md", "deep/er/leaf.md")]);
    let answer = client.request::<WillRenameFilesRequest>(params);
    assert_eq!(
        edits(&client, answer),
        [
            changed("main.md", Some(2), &["./deep/er/leaf.md"]),
            changed("tools/help.md", None, &["../deep/er/leaf.md"])
        ]
    );
    let params = renames(&client, &[("tools", "lib/of")]);
    let answer = client.request::<WillRenameFilesRequest>(params.clone());
    assert_eq!(
        edits(&client, answer.clone()),
        [
            changed("main.md", Some(2), &["\"./lib/of/help.md\""]),
            changed("tools/help.md", None, &["../../leaf.md"])
        ]
    );
    // The editor applies the edit and moves the folder.
    exchange(&mut client, "main.md", "./tools/help.md", "./lib/of/help.md");
    std::fs::create_dir(client.path("lib")).unwrap();
    std::fs::rename(client.path("tools"), client.path("lib/of")).unwrap();
    client.write("lib/of/help.md", named("tools-help", &["../../leaf.md"]));
    client.notify::<DidRenameFilesNotification>(params);
    client.wait_for_findings("main.md", |found| !has(found, MISSING));
    client.open("leaf.md");
    let at = client.text("leaf.md").find("leaf").unwrap();
    let params = client.at("leaf.md", at);
    let items = client.request::<CallHierarchyPrepareRequest>(params).expect("an item");
    // The moved folder is read in the background, and no message announces the end of that.
    let callers = (0..1000).find_map(|_| {
        let incoming = client
            .request::<CallHierarchyIncomingCallsRequest>(json!({ "item": items[0] }))
            .expect("callers");
        let names: Vec<_> = incoming.iter().map(|call| call.from.uri.0.clone()).collect();
        std::thread::sleep(std::time::Duration::from_millis(10));
        names.contains(&client.uri("lib/of/help.md")).then_some(names)
    });
    let callers = callers.expect("the folder's new place");
    assert_eq!(callers, [client.uri("lib/of/help.md"), client.uri("main.md")]);
    let params = renames(&client, &[("nowhere", "elsewhere")]);
    assert_eq!(client.request::<WillRenameFilesRequest>(params), None);
}

#[test]
fn clients_that_rename_no_files_are_offered_nothing() {
    let client = Setup::new("# A\n").start();
    assert_eq!(
        client.server.workspace.as_ref().and_then(|workspace| workspace.file_operations.clone()),
        None
    );
}
