//! Positions mean the same on both sides, for all encodings, line breaks and kinds of characters.

use serde_json::{Value, json};
use tower_lsp::gen_lsp_types::*;

use crate::client::{Client, Setup};
use crate::fixture::program;
use crate::profile;
use crate::text::{self, Encoding};

const HARD: &str = "ä\t🦆日本e\u{301}👩‍👩‍👧 x";

/// A program with a finding, a heading and a link after difficult characters on the same line.
fn text(line_break: &str, mark: &str) -> String {
    let mut text = program("\"🦆日本\": { \"é🦆\": 1 }\n");
    text.push_str(&format!("\n# {HARD} heading\n\n{HARD} [🦆 link](other.md) end\n\nlast 🦆"));
    format!("{mark}{}", text.replace('\n', line_break))
}

fn each(test: impl Fn(&mut Client, &str)) {
    for (offered, encoding) in
        [("utf-8", Encoding::Utf8), ("utf-16", Encoding::Utf16), ("utf-32", Encoding::Utf32)]
    {
        for line_break in ["\n", "\r\n", "\r"] {
            for mark in ["", "\u{feff}"] {
                let mut client = Setup::new("")
                    .capabilities(profile::encoded(profile::push(), &[offered]))
                    .start();
                assert_eq!(client.encoding(), encoding);
                client.open_with("doc.md", &text(line_break, mark));
                test(&mut client, &format!("{offered}, {line_break:?}, {mark:?}"));
            }
        }
    }
}

#[test]
fn findings_are_on_their_characters() {
    each(|client, case| {
        let found = client.findings("doc.md");
        assert_eq!(
            found,
            [("markdownlang/unknown-field".to_owned(), "\"🦆日本\"".to_owned())],
            "{case}"
        );
    });
}

#[test]
fn symbols_and_links_are_on_their_characters() {
    each(|client, case| {
        let params = json!({ "textDocument": client.document("doc.md") });
        let Some(DocumentSymbolResponse::DocumentSymbolList(symbols)) =
            client.request::<DocumentSymbolRequest>(params.clone())
        else {
            panic!()
        };
        let heading =
            symbols.iter().find(|symbol| symbol.name.ends_with("heading")).expect("the heading");
        assert_eq!(
            client.text_at("doc.md", heading.selection_range),
            format!("{HARD} heading"),
            "{case}"
        );
        let links = client.request::<DocumentLinkRequest>(params).expect("links");
        assert_eq!(
            links.iter().map(|link| client.text_at("doc.md", link.range)).collect::<Vec<_>>(),
            ["other.md"],
            "{case}"
        );
        let at = client.text("doc.md").find("link]").unwrap();
        let params = client.at("doc.md", at);
        let hover = client.request::<HoverRequest>(params).expect("a hover");
        assert_eq!(client.text_at("doc.md", hover.range.unwrap()), "[🦆 link](other.md)", "{case}");
    });
}

#[test]
fn tokens_cover_whole_characters() {
    each(|client, case| {
        let params = json!({ "textDocument": client.document("doc.md") });
        let tokens = client.request::<SemanticTokensRequest>(params).expect("tokens");
        let (mut line, mut column) = (0, 0);
        for token in tokens.data {
            (line, column) = if token.delta_line > 0 {
                (line + token.delta_line, token.delta_start)
            } else {
                (line, column + token.delta_start)
            };
            let range = Range {
                start: Position { line, character: column },
                end: Position { line, character: column + token.length },
            };
            assert!(!client.text_at("doc.md", range).is_empty(), "{case}");
        }
    });
}

#[test]
fn edits_at_any_character_keep_both_sides_equal() {
    each(|client, case| {
        let mut random = 3_u32;
        for _ in 0..40 {
            random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let text = client.text("doc.md").to_owned();
            let body = text.rfind("---").unwrap() + 6;
            let places: Vec<usize> = text
                .char_indices()
                .map(|(at, _)| at)
                .filter(|at| *at >= body)
                .chain([text.len()])
                .collect();
            let at = (random >> 8) as usize % places.len();
            let span = places[at]..places[(at + (random >> 5) as usize % 3).min(places.len() - 1)];
            // No position is inside a line break.
            if [span.start, span.end]
                .iter()
                .any(|at| text[..*at].ends_with('\r') && text[*at..].starts_with('\n'))
            {
                continue;
            }
            let new = ["x", "🦆", "é\n", "日", ""][(random >> 20) as usize % 5];
            client.edit("doc.md", span, new);
        }
        let marker = client.text("doc.md").len();
        client.edit("doc.md", marker..marker, "\n\n# the 🦆 end\n");
        // The last heading is at the same place as in the client's own text.
        let params = json!({ "textDocument": client.document("doc.md") });
        let Some(DocumentSymbolResponse::DocumentSymbolList(symbols)) =
            client.request::<DocumentSymbolRequest>(params)
        else {
            panic!()
        };
        fn last(symbols: &[DocumentSymbol]) -> Option<&DocumentSymbol> {
            let symbol = symbols.last()?;
            symbol.children.as_deref().and_then(last).or(Some(symbol))
        }
        let symbol = last(&symbols).expect("a heading");
        assert_eq!(client.text_at("doc.md", symbol.selection_range), "the 🦆 end", "{case}");
        assert_eq!(
            client.position("doc.md", client.text("doc.md").find("the 🦆 end").unwrap()),
            symbol.selection_range.start,
            "{case}"
        );
    });
}

#[test]
fn a_client_that_names_no_encoding_counts_in_utf_16() {
    for capabilities in [
        profile::minimal(),
        profile::encoded(profile::push(), &["utf-7"]),
        profile::encoded(profile::push(), &[]),
    ] {
        assert_eq!(Setup::new("").capabilities(capabilities).start().encoding(), Encoding::Utf16);
    }
    assert_eq!(
        Setup::new("")
            .capabilities(profile::encoded(profile::push(), &["utf-32", "utf-8"]))
            .start()
            .encoding(),
        Encoding::Utf32
    );
}

/// Every range in an answer, with its text in an editor, which doesn't count the byte order mark.
fn places(client: &Client, value: &Value, uri: &str, found: &mut Vec<String>) {
    let own = value.get("uri").or_else(|| value.get("targetUri"));
    let own = own.or_else(|| value.pointer("/textDocument/uri")).and_then(Value::as_str);
    let uri = own.unwrap_or(uri);
    for (name, value) in value.as_object().into_iter().flatten() {
        if name.to_lowercase().ends_with("range") && !name.starts_with("origin") {
            let range: Range = serde_json::from_value(value.clone()).expect("a range");
            let path = uri.strip_prefix(&client.uri("")).unwrap_or_default();
            let text = std::fs::read_to_string(client.path(path.trim_start_matches('/')));
            let text = text.expect("a file");
            let shown = text.strip_prefix('\u{feff}').expect("a mark");
            let span = text::span(shown, range, client.encoding()).expect("a place in the file");
            found.push(format!("{path} {}", &shown[span]));
        } else {
            places(client, value, uri, found);
        }
    }
    value.as_array().into_iter().flatten().for_each(|value| places(client, value, uri, found));
}

#[test]
fn positions_in_closed_files_count_no_byte_order_mark() {
    let skill = ".claude/skills/tea/SKILL.md";
    for encoding in ["utf-8", "utf-16", "utf-32"] {
        let able = profile::encoded(profile::pull(), &[encoding]);
        let mut client = Setup::new(&format!(
            "//- {skill}\n---\nname: tea\ndescription: d\n---\n//- a.md\nSee [n](notes.md#notes).\n"
        ))
        .capabilities(able)
        .spawn();
        client.write("CLAUDE.md", "\u{feff}Run /tea, see [n](notes.md) and [x](nope.md).\n");
        client.write("notes.md", "\u{feff}# Notes\n");
        client.initialize();
        client.wait_for_index();
        client.open(skill);
        client.open("a.md");
        let name = client.text(skill).find("tea").expect("the name");
        let mut renaming = client.at(skill, name);
        renaming["newName"] = json!("coffee");
        let mut references = client.at(skill, name);
        references["context"] = json!({ "includeDeclaration": false });
        let (old, new) = (client.uri("notes.md"), client.uri("memo.md"));
        let link = client.at("a.md", "See [n](notes.md#no".len());
        let own = client.uri("CLAUDE.md");
        for (method, params, expected) in [
            ("textDocument/rename", renaming, "/CLAUDE.md tea"),
            ("textDocument/references", references, "/CLAUDE.md tea"),
            ("textDocument/definition", link, "/notes.md # Notes"),
            ("workspace/symbol", json!({ "query": "notes" }), "/notes.md Notes"),
            (
                "workspace/willRenameFiles",
                json!({ "files": [{ "oldUri": old, "newUri": new }] }),
                "/CLAUDE.md notes.md",
            ),
            ("workspace/diagnostic", json!({ "previousResultIds": [] }), "/CLAUDE.md nope.md"),
        ] {
            let mut answer = client.ask(method, params).expect("an answer");
            // Only closed files are of interest here.
            let closed = |item: &Value| {
                let uri = item.get("uri").or_else(|| item.get("targetUri"));
                let uri = uri.or_else(|| item.pointer("/textDocument/uri"));
                let uri = uri.or_else(|| item.pointer("/location/uri"));
                uri.and_then(Value::as_str).is_some_and(|uri| uri == own || uri == old)
            };
            for list in ["documentChanges", "items"] {
                if let Some(Value::Array(list)) = answer.get_mut(list) {
                    list.retain(closed);
                }
            }
            if let Some(list) = answer.as_array_mut() {
                list.retain(closed);
            }
            let mut found = Vec::new();
            places(&client, &answer, "", &mut found);
            assert!(found.iter().any(|place| place == expected), "{method}: {found:?}");
        }
    }
}
