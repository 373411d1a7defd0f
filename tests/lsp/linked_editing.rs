use tower_lsp::gen_lsp_types::*;

use crate::client::Setup;
use crate::fixture::program;

fn linked(text: &str) -> Option<Vec<String>> {
    let mut client = Setup::new(&program("").replace("Greet {{ .who }}.", text)).start();
    client.open("doc.md");
    let params = client.cursor("doc.md");
    let found = client.request::<LinkedEditingRangeRequest>(params)?;
    assert!(found.word_pattern.is_some());
    Some(found.ranges.into_iter().map(|range| client.text_at("doc.md", range).to_owned()).collect())
}

#[test]
fn the_name_of_a_template_is_edited_with_its_calls() {
    assert_eq!(
        linked("🦆 {{ define \"日$0本\" }}{{ end }}{{ template \"日本\" }}"),
        Some(vec!["日本".to_owned(); 2])
    );
}

#[test]
fn keywords_are_not_linked() {
    assert_eq!(linked("{{ i$0f .who }}{{ end }}"), None);
}
