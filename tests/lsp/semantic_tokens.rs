use serde_json::{Value, json};
use tower_lsp::gen_lsp_types::*;

use crate::client::{Client, Setup};

const TEXT: &str = "# Title 🦆\n\nSome *emphasis*, `code` and a [link](x.md).\n\n- item\n- **strong**\n\n```rust\nfn main() {}\n```\n\n> quote\n\n## More\n\n1. one\n2. two\n";

fn flat(data: &[SemanticToken]) -> Vec<u32> {
    data.iter()
        .flat_map(|token| {
            [
                token.delta_line,
                token.delta_start,
                token.length,
                token.token_type,
                token.token_modifiers_bitset,
            ]
        })
        .collect()
}

fn full(client: &mut Client) -> (String, Vec<u32>) {
    let params = json!({ "textDocument": client.document("doc.md") });
    let tokens = client.request::<SemanticTokensRequest>(params).expect("tokens");
    (tokens.result_id.expect("an id"), flat(&tokens.data))
}

/// Line, column, length and type of each token. Panics if tokens overlap.
fn places(data: &[u32]) -> Vec<(u32, u32, u32, u32)> {
    let (mut line, mut column, mut end) = (0, 0, 0);
    let place = |token: &[u32]| {
        if token[0] > 0 {
            (line, column, end) = (line + token[0], 0, 0);
        }
        column += token[1];
        assert!(column >= end && token[2] > 0, "tokens overlap in line {line}");
        end = column + token[2];
        (line, column, token[2], token[3])
    };
    data.chunks_exact(5).map(place).collect()
}

#[test]
fn tokens_are_on_the_text_that_they_style() {
    let mut client = Setup::new(TEXT).start();
    let Some(SemanticTokensProvider::SemanticTokensOptions(options)) =
        client.server.semantic_tokens_provider.clone()
    else {
        panic!("no legend")
    };
    client.open("doc.md");
    let (_, data) = full(&mut client);
    let tokens = places(&data);
    assert!(!tokens.is_empty());
    let lines: Vec<&str> = client.text("doc.md").lines().collect();
    for (line, column, length, kind) in tokens {
        assert!((kind as usize) < options.legend.token_types.len());
        assert!(
            (column + length) as usize <= lines[line as usize].encode_utf16().count(),
            "line {line}"
        );
    }
}

#[test]
fn a_range_gives_the_tokens_that_touch_it() {
    let mut client = Setup::new(TEXT).start();
    client.open("doc.md");
    let (_, data) = full(&mut client);
    let expected: Vec<_> =
        places(&data).into_iter().filter(|token| (4..=9).contains(&token.0)).collect();
    assert!(!expected.is_empty() && expected.len() < places(&data).len());
    let params = json!({ "textDocument": client.document("doc.md"), "range": { "start": { "line": 4, "character": 0 }, "end": { "line": 9, "character": 3 } } });
    let part = client.request::<SemanticTokensRangeRequest>(params).expect("tokens");
    assert_eq!(places(&flat(&part.data)), expected);
}

fn apply(old: &[u32], edits: &[SemanticTokensEdit]) -> Vec<u32> {
    let mut new = old.to_vec();
    for edit in edits.iter().rev() {
        let start = edit.start as usize;
        new.splice(
            start..start + edit.delete_count as usize,
            edit.data.clone().unwrap_or_default(),
        );
    }
    new
}

#[test]
fn deltas_applied_equal_the_whole() {
    let mut client = Setup::new(TEXT).start();
    client.open("doc.md");
    let (mut id, mut known) = full(&mut client);
    let mut random = 1_u32;
    let mut deltas = 0;
    for _ in 0..60 {
        random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let text = client.text("doc.md").to_owned();
        let mut at = (random >> 8) as usize % (text.len() + 1);
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        let new = ["# x\n", "`", "*a*", "\n\n", "```\n", "é🦆", "", "\n## y\n"]
            [(random >> 4) as usize % 8];
        let end = if random.is_multiple_of(3) {
            text[at..].char_indices().nth(3).map_or(text.len(), |(i, _)| at + i)
        } else {
            at
        };
        client.edit("doc.md", at..end, new);
        let params = json!({ "textDocument": client.document("doc.md"), "previousResultId": id });
        let applied = match client.request::<SemanticTokensDeltaRequest>(params) {
            Some(SemanticTokensDeltaResponse::SemanticTokensDelta(delta)) => {
                deltas += 1;
                apply(&known, &delta.edits)
            }
            other => panic!("no delta: {other:?}"),
        };
        (id, known) = full(&mut client);
        assert_eq!(applied, known, "after {new:?} at {at}");
        places(&known);
    }
    assert_eq!(deltas, 60);
}

#[test]
fn an_unknown_result_id_gets_everything() {
    let mut client = Setup::new(TEXT).start();
    client.open("doc.md");
    let (_, data) = full(&mut client);
    let params =
        json!({ "textDocument": client.document("doc.md"), "previousResultId": "never sent" });
    let Some(SemanticTokensDeltaResponse::SemanticTokens(all)) =
        client.request::<SemanticTokensDeltaRequest>(params)
    else {
        panic!("no tokens")
    };
    assert_eq!(flat(&all.data), data);
    let ask = |client: &mut Client, id: Value| {
        let params = json!({ "textDocument": client.document("doc.md"), "previousResultId": id });
        client.request::<SemanticTokensDeltaRequest>(params)
    };
    // Without a change, the delta is empty.
    let Some(SemanticTokensDeltaResponse::SemanticTokensDelta(none)) =
        ask(&mut client, json!(all.result_id))
    else {
        panic!("no delta")
    };
    assert_eq!(none.edits, []);
}

#[test]
fn a_cancelled_request_keeps_the_base_of_the_next_delta() {
    let text = format!("{TEXT}\nagentmd-test-wait\n");
    let mut client =
        Setup::new("").pull().environment("AGENTMD_TEST_GATE", "{folder}/gate").start();
    client.open_with("doc.md", &text);
    let (id, known) = full(&mut client);
    client.edit("doc.md", 0..0, "# New\n");
    let params = json!({ "textDocument": client.document("doc.md"), "previousResultId": id });
    client.write("gate", "");
    let pending = client.begin::<SemanticTokensDeltaRequest>(params.clone());
    client.wait_for_waiting(2);
    client.cancel(pending.id);
    assert_eq!(client.finish(pending).map_err(|error| error.code), Err(-32800));
    // Gives the cancelled work time to end.
    std::thread::sleep(std::time::Duration::from_millis(100));
    std::fs::remove_file(client.path("gate")).expect("the gate");
    let Some(SemanticTokensDeltaResponse::SemanticTokensDelta(delta)) =
        client.request::<SemanticTokensDeltaRequest>(params)
    else {
        panic!("no delta")
    };
    assert_eq!(apply(&known, &delta.edits), full(&mut client).1);
}

/// Documents with hundreds of sections, in several formats.
fn long() -> [String; 3] {
    let many = |part: &dyn Fn(usize) -> String| (0..200).map(part).collect::<String>();
    [
        many(&|at| format!("## Part {at} 🦆\n\n*Some* `code` and [it](a.md#p).\n\n- item\n\n")),
        format!(
            "[REASONING]\nMuch.\n\n{}",
            many(&|at| {
                format!(
                    "[ACTION_{at}_TYPE] create_file\n[ACTION_{at}_PATH] a/{at}.md\n[ACTION_{at}_CONTENT_START]\n# A `b`\n[ACTION_{at}_CONTENT_END]\n\n"
                )
            })
        ),
        format!(
            "## Context\n\n{}",
            many(&|at| format!("### Code (from src/{at}.py:{at}-{at})\n```\nx = {at}\n```\n\n"))
        ),
    ]
}

#[test]
fn after_every_edit_of_a_long_document_its_parts_equal_a_fresh_one() {
    for text in long() {
        let mut client = Setup::new("").start();
        client.open_with("doc.md", &text);
        let (mut id, mut known) = full(&mut client);
        let mut random = 7_u32;
        for step in 0..14 {
            random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let text = client.text("doc.md").to_owned();
            let at = text.floor_char_boundary((random >> 8) as usize % (text.len() + 1));
            let new = ["x", "\n", "```\n", "# H\n", "", "[ACTION_7_TYPE] finish\n", "`"][step % 7];
            let end = text.floor_char_boundary(at + if new.is_empty() { 3000 } else { 0 });
            client.edit("doc.md", at..end.max(at), new);
            let params =
                json!({ "textDocument": client.document("doc.md"), "previousResultId": id });
            let delta = client.request::<SemanticTokensDeltaRequest>(params);
            let Some(SemanticTokensDeltaResponse::SemanticTokensDelta(delta)) = delta else {
                panic!("no delta")
            };
            known = apply(&known, &delta.edits);
            id = delta.result_id.expect("an id");
            places(&known);
            let fresh = format!("fresh-{step}.md");
            let text = client.text("doc.md").to_owned();
            client.open_with(&fresh, &text);
            let params = json!({ "textDocument": client.document(&fresh) });
            let tokens = client.request::<SemanticTokensRequest>(params.clone()).expect("tokens");
            assert!(flat(&tokens.data) == known, "after {new:?} at {at}");
            // Other answers about the whole document.
            let whole = |client: &mut Client, name: &str| {
                let params = json!({ "textDocument": client.document(name) });
                let symbols = client.request::<DocumentSymbolRequest>(params.clone());
                let folds = client.request::<FoldingRangeRequest>(params.clone());
                let links = client.request::<DocumentLinkRequest>(params);
                serde_json::to_string(&json!([symbols, folds, links])).unwrap().replace(name, "")
            };
            assert!(
                whole(&mut client, "doc.md") == whole(&mut client, &fresh),
                "after {new:?} at {at}"
            );
        }
    }
}
