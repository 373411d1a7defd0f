use tower_lsp::gen_lsp_types::*;

use crate::client::{Client, Setup};
use crate::fixture::program;
use crate::profile;

fn signature(client: &mut Client) -> Option<SignatureHelp> {
    let params = client.cursor("doc.md");
    client.request::<SignatureHelpRequest>(params)
}

fn body(text: &str) -> String {
    program("").replace("Greet {{ .who }}.", text)
}

#[test]
fn the_call_that_is_typed_shows_its_parameter() {
    let signatures = serde_json::json!({ "documentationFormat": ["markdown"], "activeParameterSupport": true, "parameterInformation": { "labelOffsetSupport": true } });
    let capabilities = profile::with(
        profile::push(),
        "/textDocument",
        "signatureHelp",
        serde_json::json!({ "signatureInformation": signatures }),
    );
    let mut client = Setup::new(&body("🦆 {{ split .who $0 }}")).capabilities(capabilities).start();
    client.open("doc.md");
    let found = signature(&mut client).expect("a signature");
    assert_eq!(found.active_parameter, Some(ActiveParameter::Int(1)));
    let first = &found.signatures[0];
    assert!(first.label.starts_with("split text: string, separator: string"), "{}", first.label);
    let parameters = first.parameters.as_ref().expect("parameters");
    assert_eq!(parameters[1].label, ParameterInformationLabel::Tuple((20, 37)));
}

#[test]
fn clients_without_label_offsets_get_the_words() {
    let mut client = Setup::new(&body("{{ split $0 }}")).capabilities(profile::minimal()).start();
    client.open("doc.md");
    let found = signature(&mut client).expect("a signature");
    let parameters = found.signatures[0].parameters.clone().expect("parameters");
    assert_eq!(parameters[0].label, ParameterInformationLabel::String("text: string".to_owned()));
}

#[test]
fn text_calls_nothing() {
    let mut client = Setup::new(&body("some $0 text")).start();
    client.open("doc.md");
    assert!(signature(&mut client).is_none());
}
