//! The session survives any input from a client, and every range that the server sends is inside
//! the text.

use serde_json::{Value, json};
use tower_lsp::gen_lsp_types::*;

use crate::client::{Client, Setup, peak_memory};
use crate::fixture::program;
use crate::profile;
use crate::text;

/// Sends every request about a document, and checks every range of every answer.
fn ask_everything(client: &mut Client, name: &str) {
    let document = json!({ "textDocument": client.document(name) });
    let whole = client.range(name, 0..client.text(name).len());
    let middle = (0..=client.text(name).len() / 2)
        .rev()
        .find(|at| client.text(name).is_char_boundary(*at))
        .unwrap();
    let position = client.position(name, middle);
    let at = json!({ "textDocument": client.document(name), "position": position });
    let requests = [
        ("textDocument/hover", at.clone()),
        ("textDocument/completion", at.clone()),
        ("textDocument/definition", at),
        ("textDocument/documentSymbol", document.clone()),
        ("textDocument/foldingRange", document.clone()),
        ("textDocument/documentLink", document.clone()),
        ("textDocument/semanticTokens/full", document.clone()),
        (
            "textDocument/selectionRange",
            json!({ "textDocument": client.document(name), "positions": [position] }),
        ),
        (
            "textDocument/codeAction",
            json!({ "textDocument": client.document(name), "range": whole, "context": { "diagnostics": [] } }),
        ),
        ("textDocument/diagnostic", document),
    ];
    let text = client.text(name).to_owned();
    let lined = text::Lined::new(&text, client.encoding());
    for (method, params) in requests {
        let answer = client
            .ask(method, params)
            .unwrap_or_else(|error| panic!("{method} of {name}: {error:?}"));
        check_ranges(&lined, &format!("{method} of {name}"), &answer);
    }
}

fn check_ranges(text: &text::Lined, what: &str, value: &Value) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| check_ranges(text, what, item)),
        Value::Object(map) => {
            for (key, value) in map {
                // Targets are in other documents.
                if matches!(key.as_str(), "range" | "selectionRange" | "originSelectionRange")
                    && value.get("start").is_some()
                {
                    let range: Range = serde_json::from_value(value.clone()).expect("a range");
                    if let Err(error) = text.span(range) {
                        panic!("{what}: {error}");
                    }
                }
                check_ranges(text, what, value);
            }
        }
        _ => {}
    }
}

#[test]
fn hostile_documents_are_answered() {
    let conflict = "<<<<<<< HEAD\n# a\n=======\n# b\n>>>>>>> x\n";
    let texts: Vec<(&str, String)> = vec![
        ("empty", String::new()),
        ("newline", "\n".into()),
        ("nul", "a\0b\n# x\0\n---\n\0: 1\n".into()),
        ("lone-cr", "---\rname: x\rinput: {}\r---\r# A\r\rtext\r".into()),
        ("mixed-breaks", "---\r\nname: x\ninput: {\r}\r\n---\n\r# A\r\n".into()),
        ("bom", format!("\u{feff}{}", program("modle: x\n"))),
        ("line", format!("# A\n{}\n", "x".repeat(1 << 20))),
        ("quotes", "> ".repeat(10_000) + "x\n"),
        ("lists", "- ".repeat(5_000) + "x\n"),
        ("brackets", "[".repeat(20_000) + "\n\n" + &"![a](".repeat(5_000)),
        ("emphasis", "*a ".repeat(20_000) + &"_".repeat(20_000)),
        ("backticks", (1..600).map(|n| "`".repeat(n) + " ").collect()),
        ("unclosed-fence", "# A\n\n```rust\n# no\n~~~\n".into()),
        ("unclosed-front", "---\nname: x\ninput: {\n  a: [1, \"\ntext\n".into()),
        ("unclosed-html", "<!-- a\n\n# b\n<div>\n<![CDATA[\n".into()),
        ("only-front", "---\n---".into()),
        ("flow-bomb", format!("---\nname: {}\ninput: 1\n---\n", "[".repeat(20_000))),
        ("alias-bomb", "---\na: &a [x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c,*c,*c,*c,*c]\nname: [*d,*d,*d,*d,*d]\ninput: *d\noutput: *d\n---\n".into()),
        ("conflict", conflict.into()),
        ("conflict-in-front", program(conflict)),
        ("headings", "# x\n".repeat(5_000)),
        ("long-heading", format!("# {}\n", "🦆".repeat(50_000))),
        ("definitions", (0..5_000).map(|n| format!("[l{n}]: x\n")).collect()),
        ("table", "|a|b|\n|-|-|\n".to_owned() + &"|x|y|\n".repeat(3_000)),
        ("template", program("") + &"{{ if .a }}".repeat(5_000) + "{{ .x"),
    ];
    let mut client = Setup::new("").pull().start();
    for (name, text) in &texts {
        let name = format!("{name}.md");
        client.open_with(&name, text);
        ask_everything(&mut client, &name);
        let end = client.text(&name).len();
        client.edit(&name, end..end, "\n# end\n");
        client.edit(&name, 0..0, "🦆");
        let params = json!({ "textDocument": client.document(&name) });
        assert!(client.request::<FoldingRangeRequest>(params).is_some());
        client.close(&name);
    }
    if let Some(bytes) = peak_memory(client.process()) {
        assert!(bytes < 1 << 30, "{} MB", bytes >> 20);
    }
}

fn position(line: u64, character: u64) -> Value {
    json!({ "line": line, "character": character })
}

fn partial(start: Value, end: Value, text: &str) -> Value {
    json!({ "range": { "start": start, "end": end }, "text": text })
}

/// The headings of the server's text.
fn headings(client: &mut Client, name: &str) -> Vec<String> {
    let params = json!({ "textDocument": client.document(name) });
    let Some(DocumentSymbolResponse::DocumentSymbolList(symbols)) =
        client.request::<DocumentSymbolRequest>(params)
    else {
        panic!("no tree")
    };
    symbols.into_iter().map(|symbol| symbol.name).collect()
}

#[test]
fn edits_outside_the_text_are_cut_to_it() {
    let mut client = Setup::new("").start();
    client.open_with("doc.md", "# a\n# b\n");
    let most = u64::from(u32::MAX);
    // Past the end of a line means its end; past the last line, the end of the text.
    client.change(
        "doc.md",
        json!([partial(position(0, 999), position(0, most), "x")]),
        "# ax\n# b\n".into(),
    );
    assert_eq!(headings(&mut client, "doc.md"), ["ax", "b"]);
    client.change(
        "doc.md",
        json!([partial(position(999, 9), position(most, most), "# c\n")]),
        "# ax\n# b\n# c\n".into(),
    );
    assert_eq!(headings(&mut client, "doc.md"), ["ax", "b", "c"]);
    // If the end is before the start, they are swapped.
    client.change(
        "doc.md",
        json!([partial(position(2, 0), position(1, 0), "")]),
        "# ax\n# c\n".into(),
    );
    assert_eq!(headings(&mut client, "doc.md"), ["ax", "c"]);
}

#[test]
fn edits_inside_a_character_take_effect_at_its_start() {
    let mut client = Setup::new("").start();
    client.open_with("doc.md", "# 🦆🦆\n");
    client.change(
        "doc.md",
        json!([partial(position(0, 3), position(0, 5), "x")]),
        "# x🦆\n".into(),
    );
    assert_eq!(headings(&mut client, "doc.md"), ["x🦆"]);
    let mut client =
        Setup::new("").capabilities(profile::encoded(profile::push(), &["utf-8"])).start();
    client.open_with("doc.md", "# 🦆🦆\n");
    client.change(
        "doc.md",
        json!([partial(position(0, 3), position(0, 8), "x")]),
        "# x🦆\n".into(),
    );
    assert_eq!(headings(&mut client, "doc.md"), ["x🦆"]);
}

#[test]
fn several_changes_in_one_message_follow_each_other() {
    let mut client = Setup::new("").start();
    client.open_with("doc.md", "# a\n");
    let changes = json!([{ "text": "# b\n# c\n" }, partial(position(1, 2), position(1, 3), "🦆d"), partial(position(1, 4), position(1, 5), ""), partial(position(0, 0), position(1, 0), "")]);
    client.change("doc.md", changes, "# 🦆\n".into());
    assert_eq!(headings(&mut client, "doc.md"), ["🦆"]);
    // An empty list of changes still makes a new version.
    let same = client.text("doc.md").to_owned();
    client.change("doc.md", json!([]), same);
    client.diagnostics("doc.md");
}

#[test]
fn positions_out_of_range_are_answered() {
    let mut client = Setup::new("").pull().start();
    client.open_with("doc.md", "# 🦆 a\n\n[x](y.md)");
    let most = u64::from(u32::MAX);
    for at in [
        position(0, most),
        position(most, 0),
        position(most, most),
        position(0, 3),
        position(2, 9),
        position(3, 0),
    ] {
        for method in ["hover", "completion", "definition"] {
            let params = json!({ "textDocument": client.document("doc.md"), "position": at });
            client
                .ask(&format!("textDocument/{method}"), params)
                .unwrap_or_else(|error| panic!("{method} at {at}: {error:?}"));
        }
        let params = json!({ "textDocument": client.document("doc.md"), "positions": [at] });
        client.ask("textDocument/selectionRange", params).unwrap();
        let params = json!({ "textDocument": client.document("doc.md"), "range": { "start": at, "end": position(0, 0) }, "context": { "diagnostics": [] } });
        client.ask("textDocument/codeAction", params).unwrap();
    }
}

#[test]
fn documents_that_are_not_open_have_no_answers() {
    let mut client = Setup::new("# on disk\n").pull().start();
    let document = json!({ "textDocument": client.document("doc.md") });
    let at = json!({ "textDocument": client.document("doc.md"), "position": position(0, 0) });
    for (method, params) in [
        ("documentSymbol", &document),
        ("foldingRange", &document),
        ("documentLink", &document),
        ("hover", &at),
        ("completion", &at),
    ] {
        assert_eq!(
            client.ask(&format!("textDocument/{method}"), params.clone()),
            Ok(Value::Null),
            "{method}"
        );
    }
    let report = client.ask("textDocument/diagnostic", document).unwrap();
    assert_eq!(
        (report["kind"].as_str(), report["items"].as_array().map(Vec::len)),
        (Some("full"), Some(0))
    );
}

#[test]
fn changes_after_close_and_closing_twice_do_nothing() {
    let mut client = Setup::new("# A\n").start();
    let uri = client.uri("doc.md");
    let change = json!({ "textDocument": { "uri": uri, "version": 9 }, "contentChanges": [{ "text": "# B\n" }] });
    client.notify::<DidChangeTextDocumentNotification>(change.clone());
    client.open("doc.md");
    client.close("doc.md");
    client.notify::<DidChangeTextDocumentNotification>(change);
    client.close("doc.md");
    client.notify::<DidSaveTextDocumentNotification>(json!({ "textDocument": { "uri": uri } }));
    assert_eq!(
        client.ask("textDocument/documentSymbol", json!({ "textDocument": { "uri": uri } })),
        Ok(Value::Null)
    );
}

#[test]
fn opening_twice_uses_the_newer_text() {
    let mut client = Setup::new("").start();
    client.open_with("doc.md", &program(""));
    client.open_with("doc.md", &program("modle: x\n"));
    assert_eq!(client.codes("doc.md"), ["markdownlang/unknown-field"]);
}

#[test]
fn every_spelling_of_a_uri_is_the_same_document_and_is_sent_back_as_it_was() {
    let mut client = Setup::new("").start();
    let folder = client.uri("");
    for (opened, asked) in [
        (format!("{folder}/a%20b.md"), format!("{folder}/a%20b.md")),
        (format!("{folder}/%F0%9F%A6%86.md"), format!("{folder}/🦆.md")),
        (format!("{folder}/%63.md"), format!("{folder}/c.md")),
        ("file:///c%3A/x%20y/z.md".to_owned(), "file:///C:/x y/z.md".to_owned()),
        ("file://server/share/x.md".to_owned(), "file://server/share/x.md".to_owned()),
        ("untitled:Untitled-1".to_owned(), "untitled:Untitled-1".to_owned()),
        ("vscode-notebook-cell:/a.md#W1".to_owned(), "vscode-notebook-cell:/a.md#W1".to_owned()),
        ("git:/a.md?%7B%7D".to_owned(), "git:/a.md?%7B%7D".to_owned()),
    ] {
        client.open_with(&opened, &program("modle: x\n"));
        // The client stores publications under the URI that the server sent.
        assert_eq!(client.codes(&opened), ["markdownlang/unknown-field"], "{opened}");
        let answer = client
            .ask("textDocument/foldingRange", json!({ "textDocument": { "uri": asked } }))
            .unwrap();
        assert!(answer.as_array().is_some_and(|folds| !folds.is_empty()), "{asked}");
        client.close(&opened);
    }
}

#[test]
fn ten_thousand_edits_at_once_stay_bounded() {
    let mut client = Setup::new("").start();
    client.open_with("doc.md", &(program("modle: x\n") + &"plain text\n".repeat(2_000)));
    client.sync();
    let before = peak_memory(client.process());
    let version = client.version("doc.md");
    let uri = client.uri("doc.md");
    client.skip_to_version("doc.md", version + 10_000);
    client.hold();
    // This bypasses the client's own model, which keeps every version.
    for number in 0..10_000 {
        let change =
            json!([partial(position(10 + number % 1000, 0), position(10 + number % 1000, 0), "x")]);
        let params = json!({ "textDocument": { "uri": uri, "version": version + 1 + number as i32 }, "contentChanges": change });
        client.notify::<DidChangeTextDocumentNotification>(params);
    }
    client.release();
    let answer = client
        .take::<PublishDiagnosticsNotification>(|said| said.version == Some(version + 10_000));
    assert_eq!(answer.diagnostics.len(), 1);
    if let (Some(before), Some(after)) = (before, peak_memory(client.process())) {
        assert!(after < before + (256 << 20), "{} MB, then {} MB", before >> 20, after >> 20);
    }
}
