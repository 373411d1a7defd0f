use tower_lsp::gen_lsp_types::*;

use crate::client::{Client, Setup};
use crate::profile;

fn items(client: &mut Client, name: &str) -> Vec<CompletionItem> {
    let params = client.cursor(name);
    let mut items = match client.request::<CompletionRequest>(params) {
        Some(CompletionResponse::CompletionItemList(items)) => items,
        Some(CompletionResponse::CompletionList(list)) => list.items,
        None => Vec::new(),
    };
    // In the order in which editors show them.
    items.sort_by_key(|item| item.sort_text.clone().unwrap_or_else(|| item.label.clone()));
    items
}

/// The document after accepting each item.
fn taken(client: &Client, name: &str, items: &[CompletionItem]) -> Vec<String> {
    let apply = |item: &CompletionItem| {
        let Some(CompletionItemTextEdit::TextEdit(edit)) = &item.text_edit else {
            panic!("no edit: {item:?}")
        };
        let cursor = client.position(name, client.file(name).cursors[0]);
        assert!(
            edit.range.start.line == edit.range.end.line
                && edit.range.start <= cursor
                && cursor <= edit.range.end,
            "{item:?}"
        );
        let edits = item.additional_text_edits.iter().flatten().chain([edit]);
        let span = |edit: &TextEdit| {
            crate::text::span(client.text(name), edit.range, client.encoding()).unwrap()
        };
        crate::text::apply(
            client.text(name),
            edits.map(|edit| (span(edit), edit.new_text.clone())).collect(),
        )
    };
    items.iter().map(apply).collect()
}

const FILES: &str = "//- doc.md\n# 🦆 Top\n\n[🦆](ot$0)\n//- other.md\n# One\n//- notes/x.md\n# Two\n//- .hidden.md\n";

#[test]
fn link_destinations_complete_to_files() {
    let mut client = Setup::new(FILES).start();
    client.open("doc.md");
    let found = items(&mut client, "doc.md");
    let labels: Vec<_> = found.iter().map(|item| item.label.as_str()).collect();
    assert_eq!(labels, ["other.md", "notes/"]);
    assert_eq!(taken(&client, "doc.md", &found)[0], "# 🦆 Top\n\n[🦆](other.md)\n");
}

#[test]
fn very_many_anchors_are_filtered_and_the_list_is_incomplete() {
    let headings: String = (0..1000).map(|at| format!("## Part {at}\n\n")).collect();
    let mut client = Setup::new(&format!("//- doc.md\n[x](#$0)\n\n{headings}")).start();
    client.open("doc.md");
    let list = |client: &mut Client, typed: usize| {
        let mut params = client.cursor("doc.md");
        params["position"]["character"] = (5 + typed).into();
        match client.request::<CompletionRequest>(params) {
            Some(CompletionResponse::CompletionList(list)) => list,
            other => panic!("{other:?} is complete"),
        }
    };
    let all = list(&mut client, 0);
    assert_eq!((all.items.len(), all.is_incomplete), (200, true));
    assert_eq!(all.items[0].label, "part-0");
    client.edit("doc.md", 5..5, "Part-99");
    let found = list(&mut client, 7);
    assert!(found.is_incomplete);
    let labels: Vec<&str> = found.items.iter().map(|item| item.label.as_str()).collect();
    assert_eq!(labels[0], "part-99");
    // 11 begin with `part-99`; the others contain its characters in order, such as `part-939`.
    assert_eq!(labels.len(), 28);
    // Clients that filter the list themselves use this.
    assert!(found.items.iter().all(|item| item.filter_text.as_ref() == Some(&item.label)));
}

#[test]
fn anchors_complete_from_the_buffer_that_is_open() {
    let mut client = Setup::new("//- doc.md\n[x](other.md#$0)\n//- other.md\n# On disk\n").start();
    client.open("doc.md");
    client.open_with("other.md", "# In the editor\n\n## Again\n");
    let found = items(&mut client, "doc.md");
    assert_eq!(
        taken(&client, "doc.md", &found),
        ["[x](other.md#in-the-editor)\n", "[x](other.md#again)\n"]
    );
}

#[test]
fn nothing_is_offered_in_code() {
    let mut client = Setup::new("//- doc.md\n```\n[x](ot$0\n```\n//- other.md\n").start();
    client.open("doc.md");
    assert_eq!(items(&mut client, "doc.md").len(), 0);
}

#[test]
fn clients_without_snippets_get_none() {
    for capabilities in [profile::push(), profile::minimal()] {
        let snippets = capabilities != profile::minimal();
        let mut client =
            Setup::new(&crate::fixture::program("$0\n")).capabilities(capabilities).start();
        client.open("doc.md");
        for item in items(&mut client, "doc.md") {
            assert!(
                snippets || item.insert_text_format != Some(InsertTextFormat::Snippet),
                "{item:?}"
            );
        }
    }
}

#[test]
fn the_list_opens_again_after_a_folder_if_the_editor_has_a_command_for_it() {
    for (name, command) in [
        (Some("Visual Studio Code"), Some("editor.action.triggerSuggest")),
        (Some("Neovim"), None),
        (None, None),
    ] {
        let mut setup = Setup::new(FILES);
        setup.name = name.map(str::to_owned);
        let mut client = setup.start();
        client.open("doc.md");
        let commands: Vec<_> = items(&mut client, "doc.md")
            .into_iter()
            .map(|item| (item.label, item.command.map(|command| command.command)))
            .collect();
        assert_eq!(
            commands,
            [("other.md".to_owned(), None), ("notes/".to_owned(), command.map(str::to_owned))],
            "{name:?}"
        );
    }
}

#[test]
fn fields_are_completed_in_every_encoding() {
    for encoding in ["utf-8", "utf-16", "utf-32"] {
        let text =
            crate::fixture::program("").replace("Greet {{ .who }}.", "🦆日本 {{ .w$0 }} e\u{301}");
        let mut client =
            Setup::new(&text).capabilities(profile::encoded(profile::push(), &[encoding])).start();
        client.open("doc.md");
        let found = items(&mut client, "doc.md");
        assert_eq!(found.iter().map(|item| item.label.as_str()).collect::<Vec<_>>(), ["who"]);
        assert!(taken(&client, "doc.md", &found)[0].ends_with("🦆日本 {{ .who }} e\u{301}\n"));
    }
}

/// Editors indent a new line like the one above. They match the typed word against the replaced
/// range, so the indentation is removed by a separate edit.
#[test]
fn a_key_that_is_indented_too_far_moves_to_the_margin() {
    for encoding in ["utf-8", "utf-16"] {
        let text = "//- p.md\n---\nname: a\ninput:\n  type: object\n  required: [日本]\n  mod$0\n---\n\nText.\n";
        let mut client =
            Setup::new(text).capabilities(profile::encoded(profile::push(), &[encoding])).start();
        client.open("p.md");
        let found = items(&mut client, "p.md");
        let item = found.iter().find(|item| item.label == "model").expect("the key");
        let Some(CompletionItemTextEdit::TextEdit(edit)) = &item.text_edit else {
            panic!("no edit: {item:?}")
        };
        assert_eq!((edit.range.start.character, edit.range.end.character), (2, 5));
        let plain = CompletionItem {
            text_edit: Some(CompletionItemTextEdit::TextEdit(TextEdit {
                new_text: "model: x".into(),
                ..edit.clone()
            })),
            ..item.clone()
        };
        let expected =
            "---\nname: a\ninput:\n  type: object\n  required: [日本]\nmodel: x\n---\n\nText.\n";
        assert_eq!(taken(&client, "p.md", &[plain])[0], expected);
    }
}
