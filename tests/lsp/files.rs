//! Files that change, that aren't text, or that are large.

use serde_json::json;
use tower_lsp::gen_lsp_types::*;

use crate::client::{Setup, peak_memory};
use crate::fixture::program;
use crate::symbols::search;

#[test]
fn files_that_are_not_text_are_skipped() {
    let mut client = Setup::new(&format!("//- doc.md\n{}", program("imports:\n  - ./latin.md\n")))
        .pull()
        .spawn();
    client.write("latin.md", b"# caf\xe9 mark\n");
    client.write("zero.md", b"# zero \0 mark\n");
    client.write("utf16.md", [0xff_u8, 0xfe, b'#', 0, b' ', 0]);
    client.write("empty.md", "");
    std::fs::create_dir(client.path("folder.md")).unwrap();
    client.initialize();
    client.wait_for_index();
    let report = client.request::<WorkspaceDiagnosticRequest>(json!({ "previousResultIds": [] }));
    assert!(report.items.len() <= 2, "{report:?}");
    client.open("doc.md");
    client.diagnostics("doc.md");
    // The editor may have it open as text.
    client.open_with("latin.md", "# café mark\n");
    let params = json!({ "textDocument": client.document("latin.md") });
    assert!(client.request::<DocumentSymbolRequest>(params).is_some());
}

#[test]
fn events_of_files_that_are_gone_or_strange_do_no_harm() {
    let mut client = Setup::new("# Mark\n").start();
    client.wait_for_index();
    let uris = [
        client.uri("gone.md"),
        client.uri(""),
        "file:///".to_owned(),
        "untitled:x".to_owned(),
        "no uri".to_owned(),
        "file:///%ff.md".to_owned(),
    ];
    for kind in 1..=3 {
        let changes: Vec<_> = uris.iter().map(|uri| json!({ "uri": uri, "type": kind })).collect();
        client.notify::<DidChangeWatchedFilesNotification>(json!({ "changes": changes }));
    }
    assert_eq!(search(&mut client, "mark").len(), 1);
}

#[test]
fn a_document_that_is_deleted_while_open_stays_open() {
    let mut client = Setup::new(&program("modle: x\n")).start();
    client.open("doc.md");
    client.diagnostics("doc.md");
    std::fs::remove_file(client.path("doc.md")).unwrap();
    let event = json!({ "changes": [{ "uri": client.uri("doc.md"), "type": 3 }] });
    client.notify::<DidChangeWatchedFilesNotification>(event);
    let end = client.text("doc.md").len();
    client.edit("doc.md", end..end, "x");
    assert_eq!(client.codes("doc.md"), ["markdownlang/unknown-field"]);
}

#[test]
fn a_large_file_is_read_and_does_not_stop_the_rest() {
    let mut client = Setup::new("# Mark\n").pull().spawn();
    // Reading is slow without optimisation.
    let megabytes = if cfg!(debug_assertions) { 10 } else { 50 };
    let large = program("modle: x\n")
        + &"words and words and words and more words in a line of a log\n".repeat(megabytes << 14);
    client.write("large.md", &large);
    client.initialize();
    // The server answers while the file is being read.
    client.open("doc.md");
    let params = json!({ "textDocument": client.document("doc.md") });
    assert!(client.request::<DocumentSymbolRequest>(params).is_some());
    client.wait_for_index();
    let report = client.request::<WorkspaceDiagnosticRequest>(json!({ "previousResultIds": [] }));
    assert_eq!(report.items.len(), 2, "the large file, and the open one");
    if let Some(bytes) = peak_memory(client.process()) {
        assert!(bytes < 2 << 30, "{} MB", bytes >> 20);
    }
}
