use serde_json::{Value, json};
use tower_lsp::gen_lsp_types::*;

use crate::client::{Client, DEADLINE, Setup, code};
use crate::fixture::program;
use crate::profile;
use crate::symbols;

/// The environment variable for the home folder.
const HOME: &str = if cfg!(windows) { "USERPROFILE" } else { "HOME" };

fn search(client: &mut Client, query: &str) -> Vec<String> {
    let mut names: Vec<_> =
        symbols::search(client, query).into_iter().map(|(name, ..)| name).collect();
    names.sort();
    names
}

fn wait_for(client: &mut Client, expected: &[&str]) {
    let end = std::time::Instant::now() + DEADLINE;
    while search(client, "mark") != expected {
        assert!(
            std::time::Instant::now() < end,
            "{:?} instead of {expected:?}",
            search(client, "mark")
        );
    }
}

fn folders(client: &Client, added: &[&str], removed: &[&str]) -> Value {
    let list = |names: &[&str]| {
        names
            .iter()
            .map(|name| json!({ "uri": client.uri(name), "name": name }))
            .collect::<Vec<_>>()
    };
    json!({ "event": { "added": list(added), "removed": list(removed) } })
}

const FILES: &str = "//- a/x.md\n# Mark A\n//- b/x.md\n# Mark B\n//- c/x.md\n# Mark C\n";

#[test]
fn several_folders_that_come_and_go() {
    let mut client = Setup::new(FILES).folders(&["a", "b"]).start();
    client.wait_for_index();
    assert_eq!(search(&mut client, "mark"), ["Mark A", "Mark B"]);
    let change = folders(&client, &["c"], &["a"]);
    client.notify::<DidChangeWorkspaceFoldersNotification>(change);
    wait_for(&mut client, &["Mark B", "Mark C"]);
    let change = folders(&client, &[], &["b", "c", "never-there"]);
    client.notify::<DidChangeWorkspaceFoldersNotification>(change);
    wait_for(&mut client, &[]);
    client.notify::<DidChangeWorkspaceFoldersNotification>(
        json!({ "event": { "added": [{ "uri": "vscode-vfs://x/y", "name": "y" }], "removed": [] } }),
    );
    client.sync();
}

#[test]
fn without_a_folder_only_open_documents_exist() {
    let mut client = Setup::new(&format!(
        "//- doc.md\n{}\n# Mark\n//- other.md\n# Mark too\n",
        program("modle: x\n")
    ))
    .no_folder()
    .start();
    client.open("doc.md");
    assert_eq!(client.codes("doc.md"), ["markdownlang/unknown-field"]);
    client.wait_for_index();
    assert_eq!(search(&mut client, "mark"), ["Mark"]);
}

#[test]
fn slow_reading_of_the_workspace_shows_progress() {
    let mut client = Setup::new("//- x.md\n# Mark\n//- gate\n")
        .environment("AGENTMD_TEST_READING", "{folder}/gate")
        .start();
    client.wait_until("progress", |client| (client.shown_reading() == ["begun"]).then_some(()));
    std::fs::remove_file(client.path("gate")).expect("the gate");
    client.wait_until("its end", |client| (client.shown_reading() == ["end"]).then_some(()));
    assert_eq!(search(&mut client, "mark"), ["Mark"]);
}

#[test]
fn documents_are_checked_again_when_another_folder_has_been_read() {
    let mut client =
        Setup::new("//- a/x.md\nSee `zed::heading:h2[5]`.\n//- b/zed.md\n# Zed\n\n## One\n")
            .folders(&["a"])
            .environment("AGENTMD_TEST_READING", "{folder}/gate")
            .start();
    client.wait_for_index();
    client.open("a/x.md");
    client.wait_for_findings("a/x.md", |found| {
        found.iter().map(code).eq(["selector/unknown-document"])
    });
    client.write("gate", "");
    let change = folders(&client, &["b"], &[]);
    client.notify::<DidChangeWorkspaceFoldersNotification>(change);
    // A search for symbols waits for all folders.
    let waiting = client.send_request("workspace/symbol", json!({ "query": "zed" }));
    client.wait_until("progress", |client| {
        (client.shown_reading().last() == Some(&"begun")).then_some(())
    });
    std::fs::remove_file(client.path("gate")).expect("the gate");
    let found = client.wait_for_answer(waiting).expect("symbols");
    assert_eq!(found.as_array().map(Vec::len), Some(1), "{found}");
    client.wait_for_findings("a/x.md", |found| found.iter().map(code).eq(["selector/unresolved"]));
}

#[test]
fn an_empty_list_of_folders_and_no_root() {
    let mut client = Setup::new("# Mark\n").folders(&[]).pull().start();
    client.open("doc.md");
    assert_eq!(client.codes("doc.md"), [""; 0]);
    // Only open documents are known.
    assert_eq!(
        client
            .request::<WorkspaceDiagnosticRequest>(json!({ "previousResultIds": [] }))
            .items
            .len(),
        1
    );
}

#[test]
fn a_root_is_used_if_there_are_no_folders() {
    let mut client = Setup::new("# Mark\n").spawn();
    let root = client.uri("");
    let params = json!({ "processId": null, "rootUri": root, "capabilities": profile::minimal() });
    client.ask("initialize", params).expect("it starts");
    client.notify::<InitializedNotification>(json!({}));
    wait_for(&mut client, &["Mark"]);
    // The older form of the same field.
    let mut client = Setup::new("# Mark\n").spawn();
    let root = client.path("");
    let params = json!({
        "processId": null, "rootUri": null, "rootPath": root, "capabilities": profile::minimal(),
    });
    client.ask("initialize", params).expect("it starts");
    client.notify::<InitializedNotification>(json!({}));
    wait_for(&mut client, &["Mark"]);
}

#[test]
fn findings_go_with_their_removed_folder() {
    let bad = program("modle: x\n");
    let mut client = Setup::new(&format!("//- a/doc.md\n{bad}//- b/doc.md\n{bad}"))
        .folders(&["a", "b"])
        .pull()
        .start();
    let reports = |client: &mut Client, known: &Value| {
        let report = client
            .ask("workspace/diagnostic", json!({ "previousResultIds": known }))
            .expect("a report");
        report["items"].as_array().expect("items").clone()
    };
    let found = reports(&mut client, &json!([]));
    assert_eq!(found.len(), 2, "{found:?}");
    let known: Vec<Value> =
        found.iter().map(|item| json!({ "uri": item["uri"], "value": item["resultId"] })).collect();
    let change = folders(&client, &[], &["b"]);
    client.notify::<DidChangeWorkspaceFoldersNotification>(change);
    let left = reports(&mut client, &json!(known));
    let left: Vec<(&Value, &Value)> =
        left.iter().map(|item| (&item["uri"], &item["items"])).collect();
    let (a, b) = (json!(client.uri("a/doc.md")), json!(client.uri("b/doc.md")));
    assert_eq!(left, [(&a, &Value::Null), (&b, &json!([]))]);
}

#[test]
fn a_home_folder_is_not_read() {
    let mut client = Setup::new("# Mark\n").environment(HOME, "{folder}").start();
    client.wait_for_index();
    assert_eq!(search(&mut client, "mark"), [""; 0]);
    // A project inside the home folder is read.
    let mut client = Setup::new("//- project/doc.md\n# Mark\n")
        .environment(HOME, "{folder}")
        .folders(&["project"])
        .start();
    client.wait_for_index();
    assert_eq!(search(&mut client, "mark"), ["Mark"]);
}

#[cfg(unix)]
#[test]
fn links_that_go_round_in_circles_end() {
    let mut client = Setup::new("//- a/doc.md\n# Mark\n").folders(&["a"]).spawn();
    std::os::unix::fs::symlink(client.path("a"), client.path("a/again")).expect("a link");
    std::os::unix::fs::symlink(client.path("a/self"), client.path("a/self")).expect("a link");
    std::os::unix::fs::symlink(client.path("a/gone.md"), client.path("a/dangling.md"))
        .expect("a link");
    client.initialize();
    client.wait_for_index();
    assert_eq!(search(&mut client, "mark"), ["Mark"]);
}

#[test]
fn files_that_git_ignores_or_the_settings_exclude_are_skipped() {
    let files = "//- doc.md\n# Mark\n//- vendor/x.md\n# Mark V\n//- out/x.md\n# Mark O\n//- .gitignore\nout/\n//- .git/HEAD\nx\n//- agentmd.toml\nexclude = [\"vendor\"]\n";
    let mut client = Setup::new(files).start();
    client.wait_for_index();
    assert_eq!(search(&mut client, "mark"), ["Mark"]);
}

#[test]
fn files_of_a_removed_folder_stay_if_another_folder_contains_them() {
    let mut client =
        Setup::new("//- x.md\n# Mark X\n//- sub/y.md\n# Mark Y\n").folders(&["", "sub"]).start();
    client.wait_for_index();
    assert_eq!(search(&mut client, "mark"), ["Mark X", "Mark Y"]);
    let change = folders(&client, &[], &["sub"]);
    client.notify::<DidChangeWorkspaceFoldersNotification>(change);
    assert_eq!(search(&mut client, "mark"), ["Mark X", "Mark Y"]);
    // The outer folder goes, the inner one stays.
    let change = folders(&client, &["sub"], &[""]);
    client.notify::<DidChangeWorkspaceFoldersNotification>(change);
    wait_for(&mut client, &["Mark Y"]);
}
