use serde_json::json;
use tower_lsp::gen_lsp_types::*;

use crate::client::{Client, Setup};
use crate::profile;

fn folds(client: &mut Client) -> Vec<FoldingRange> {
    let params = json!({ "textDocument": client.document("doc.md") });
    client.request::<FoldingRangeRequest>(params).expect("folds")
}

const TEXT: &str =
    "# A\n\n<!-- a\n comment -->\n\n## B\n\n- x\n- y\n\n```\ncode\n```\n\n# C\n\nlast\n";

#[test]
fn sections_lists_fences_and_comments_fold() {
    let mut client = Setup::new(TEXT).start();
    client.open("doc.md");
    let found = folds(&mut client);
    let lines: Vec<_> = found.iter().map(|fold| (fold.start_line, fold.end_line)).collect();
    assert_eq!(lines, [(0, 12), (2, 3), (5, 12), (7, 8), (10, 12), (14, 16)]);
    let comments: Vec<_> = found
        .iter()
        .filter(|fold| fold.kind == Some(FoldingRangeKind::Comment))
        .map(|fold| fold.start_line)
        .collect();
    assert_eq!(comments, [2]);
    assert!(
        found.iter().all(|fold| fold.start_character.is_some() && fold.end_character.is_some())
    );
}

#[test]
fn whole_lines_and_at_most_the_number_that_the_client_supports() {
    let limited = profile::with(
        profile::push(),
        "/textDocument",
        "foldingRange",
        json!({ "lineFoldingOnly": true, "rangeLimit": 2 }),
    );
    let mut client = Setup::new(TEXT).capabilities(limited).start();
    client.open("doc.md");
    let found = folds(&mut client);
    assert_eq!(found.len(), 2);
    assert!(
        found.iter().all(|fold| fold.start_character.is_none() && fold.end_character.is_none())
    );
}
