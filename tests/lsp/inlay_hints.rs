use serde_json::json;
use tower_lsp::gen_lsp_types::*;

use crate::client::{Client, Setup};
use crate::fixture::program;
use crate::profile;

fn hints(client: &mut Client) -> Vec<(String, Position)> {
    let all = client.range("doc.md", 0..client.text("doc.md").len());
    let params = json!({ "textDocument": client.document("doc.md"), "range": all });
    let found = client.request::<InlayHintRequest>(params).unwrap_or_default();
    found
        .into_iter()
        .map(|hint| match hint.label {
            Label::String(label) => (label, hint.position),
            other => panic!("{other:?}"),
        })
        .collect()
}

fn body() -> String {
    program("").replace("Greet {{ .who }}.", "🦆 {{ $name := .who }}{{ $name }}")
}

#[test]
fn variables_show_their_types_in_every_encoding() {
    for encoding in ["utf-8", "utf-16", "utf-32"] {
        let mut client = Setup::new(&body())
            .capabilities(profile::encoded(profile::push(), &[encoding]))
            .start();
        client.open("doc.md");
        let place = client.text("doc.md").find("$name").unwrap() + "$name".len();
        assert_eq!(hints(&mut client), [(": string".to_owned(), client.position("doc.md", place))]);
    }
}

#[test]
fn the_setting_disables_them_and_refreshes_the_client() {
    let capabilities = profile::with(
        profile::push(),
        "/workspace",
        "inlayHint",
        json!({ "refreshSupport": true }),
    );
    let mut client = Setup::new(&body()).capabilities(capabilities).start();
    client.open("doc.md");
    assert_eq!(hints(&mut client).len(), 1);
    client.set_settings(json!({ "inlay-hints": false }));
    client.notify::<DidChangeConfigurationNotification>(json!({ "settings": null }));
    client.wait_for_question("workspace/inlayHint/refresh");
    assert_eq!(hints(&mut client), []);
}
