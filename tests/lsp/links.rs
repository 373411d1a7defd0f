use serde_json::json;
use tower_lsp::gen_lsp_types::*;

use crate::client::Setup;

#[test]
fn links_lead_to_files_and_pages() {
    let text = "[a](b%20c.md#x) 🦆 <https://example.org> ![i](../i.png)\n\n[d]: other.md\n\n`[no](x.md)`\n";
    let mut client = Setup::new(&format!("//- sub/doc.md\n{text}")).start();
    client.open("sub/doc.md");
    let params = json!({ "textDocument": client.document("sub/doc.md") });
    let found = client.request::<DocumentLinkRequest>(params).expect("links");
    let read = |link: &DocumentLink| {
        (
            client.text_at("sub/doc.md", link.range).to_owned(),
            link.target.clone().expect("a target").0,
        )
    };
    let expected = [
        ("b%20c.md#x", client.uri("sub/b%20c.md#x")),
        ("https://example.org", "https://example.org".to_owned()),
        ("../i.png", client.uri("i.png")),
        ("other.md", client.uri("sub/other.md")),
    ];
    assert_eq!(
        found.iter().map(read).collect::<Vec<_>>(),
        expected.map(|(text, target)| (text.to_owned(), target))
    );
}
