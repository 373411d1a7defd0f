use serde_json::json;
use tower_lsp::gen_lsp_types::*;

use crate::client::Setup;

#[test]
fn the_selection_grows_from_the_word_to_the_document() {
    let mut client = Setup::new("# A\n\nwords [🦆 li$0nk](x.md) here\n\n## B\n").start();
    client.open("doc.md");
    let cursor = client.cursor("doc.md");
    let params = json!({ "textDocument": cursor["textDocument"], "positions": [cursor["position"], { "line": 999, "character": 999 }] });
    let found = client.request::<SelectionRangeRequest>(params).expect("ranges");
    assert_eq!(found.len(), 2);
    let mut texts = Vec::new();
    let mut next = Some(&found[0]);
    while let Some(range) = next {
        texts.push(client.text_at("doc.md", range.range));
        next = range.parent.as_deref();
    }
    let whole = client.text("doc.md");
    assert_eq!((texts.first(), texts.last()), (Some(&"link"), Some(&whole)));
    assert!(
        texts.contains(&"[🦆 link](x.md)") && texts.contains(&"words [🦆 link](x.md) here"),
        "{texts:?}"
    );
    for pair in texts.windows(2) {
        assert!(pair[1].contains(pair[0]) && pair[1].len() > pair[0].len(), "{pair:?}");
    }
}
