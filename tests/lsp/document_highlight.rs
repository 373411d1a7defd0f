use tower_lsp::gen_lsp_types::*;

use crate::client::Setup;
use crate::fixture::program;

fn marked(text: &str) -> Vec<(String, Option<DocumentHighlightKind>)> {
    let mut client = Setup::new(&program("").replace("Greet {{ .who }}.", text)).start();
    client.open("doc.md");
    let params = client.cursor("doc.md");
    let found = client.request::<DocumentHighlightRequest>(params).unwrap_or_default();
    found
        .into_iter()
        .map(|found| (client.text_at("doc.md", found.range).to_owned(), found.kind))
        .collect()
}

#[test]
fn reads_and_writes_are_distinguished() {
    let (write, read) = (Some(DocumentHighlightKind::Write), Some(DocumentHighlightKind::Read));
    let variable = |kind: &Option<DocumentHighlightKind>| ("$x".to_owned(), *kind);
    assert_eq!(
        marked("🦆 {{ $x := .who }}{{ $x = 1 }}{{ $$0x }}"),
        [variable(&write), variable(&write), variable(&read)]
    );
}

#[test]
fn a_block_is_marked_from_its_keyword_to_its_end() {
    let words: Vec<String> =
        marked("{{ i$0f .who }}a{{ else }}b{{ end }}").into_iter().map(|(text, _)| text).collect();
    assert_eq!(words, ["if", "else", "end"]);
    assert_eq!(marked("wo$0rd"), []);
}
