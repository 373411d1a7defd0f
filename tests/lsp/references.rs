use serde_json::json;
use tower_lsp::gen_lsp_types::*;

use crate::client::Setup;
use crate::fixture::program;
use crate::profile;

fn body() -> String {
    program("")
        .replace("Greet {{ .who }}.", "🦆 {{ .w$0ho }} {{ if .who }}日本{{ $.who }}{{ end }}")
}

#[test]
fn a_property_is_found_everywhere_with_its_declaration_on_request() {
    for encoding in ["utf-8", "utf-16", "utf-32"] {
        let mut client = Setup::new(&body())
            .capabilities(profile::encoded(profile::push(), &[encoding]))
            .start();
        client.open("doc.md");
        for (declaration, count) in [(true, 5), (false, 4)] {
            let mut params = client.cursor("doc.md");
            params["context"] = json!({ "includeDeclaration": declaration });
            let found = client.request::<ReferencesRequest>(params).expect("places");
            assert_eq!(found.len(), count);
            assert!(
                found.iter().all(|place| client.text_at("doc.md", place.range) == "who"),
                "{found:?}"
            );
        }
    }
}
