//! Sessions with the capabilities of real editors.

use serde_json::json;
use tower_lsp::gen_lsp_types::*;

use crate::client::Setup;
use crate::fixture::program;
use crate::profile;

#[test]
fn every_captured_editor_gets_findings_and_outlines() {
    for (name, capabilities) in profile::captured() {
        let refreshes = ["diagnostics", "diagnostic"]
            .iter()
            .any(|key| capabilities["workspace"][key]["refreshSupport"] == true);
        let pulls = capabilities.pointer("/textDocument/diagnostic").is_some() && refreshes;
        let mut client = Setup::new(&program("modle: x\n")).capabilities(capabilities).start();
        assert_eq!(client.server.diagnostic_provider.is_some(), pulls, "{name}");
        client.open("doc.md");
        assert_eq!(client.codes("doc.md"), ["markdownlang/unknown-field"], "{name}");
        let params = json!({ "textDocument": client.document("doc.md") });
        assert!(client.request::<DocumentSymbolRequest>(params).is_some(), "{name}");
    }
}
