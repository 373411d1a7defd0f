//! Properties that hold for every file and every block.

use proptest::prelude::*;

use super::super::*;
use crate::edit::batch::Request;

/// Lines that are all different.
fn distinct() -> impl Strategy<Value = Vec<String>> {
    let line =
        |index: usize, indent: usize| format!("{}line {index} of the text", "  ".repeat(indent));
    prop::collection::vec(0..3usize, 4..14).prop_map(move |indents| {
        indents.into_iter().enumerate().map(|(index, indent)| line(index, indent)).collect()
    })
}

fn whole(lines: &[String], eol: &str) -> String {
    lines.iter().map(|line| format!("{line}{eol}")).collect()
}

/// A block that changes, adds or removes lines in the middle of an excerpt.
fn cut(lines: &[String], start: usize, change: usize, name: &str) -> Block {
    let end = (start + 3).min(lines.len());
    let part = &lines[start..end];
    let mut new = part.to_vec();
    match change {
        0 => new[1] = format!("new line {name}"),
        1 => new.insert(1, format!("more of {name}")),
        _ => drop(new.remove(1)),
    }
    Block::of(Dialect::SearchReplace, whole(part, "\n"), whole(&new, "\n"))
}

fn run(text: &str, blocks: &[&Block]) -> Batch {
    apply(Some(text), blocks, Request::default())
}

proptest! {
    #[test]
    fn applying_is_idempotent(lines in distinct(), start in 0..12usize, change in 0..3usize, crlf in any::<bool>()) {
        let text = whole(&lines, if crlf { "\r\n" } else { "\n" });
        let block = cut(&lines, start.min(lines.len() - 3), change, "a");
        let once = run(&text, &[&block]);
        prop_assert!(once.is_complete() && once.text.as_deref() != Some(text.as_str()));
        let twice = run(once.text.as_deref().unwrap_or_default(), &[&block]);
        prop_assert_eq!(twice.results[0].as_ref().map_err(|refused| refused.reason), Err(Reason::AlreadyApplied));
        prop_assert_eq!(twice.text, once.text);
    }

    #[test]
    fn the_reversed_block_restores_the_text(lines in distinct(), start in 0..12usize, change in 0..3usize, crlf in any::<bool>()) {
        let text = whole(&lines, if crlf { "\r\n" } else { "\n" });
        let block = cut(&lines, start.min(lines.len() - 3), change, "a");
        let there = run(&text, &[&block]);
        let back = run(there.text.as_deref().unwrap_or_default(), &[&block.reversed()]);
        prop_assert_eq!(back.text, Some(text));
    }

    #[test]
    fn the_order_of_disjoint_blocks_does_not_matter(lines in distinct(), changes in prop::collection::vec(0..3usize, 2..5)) {
        let text = whole(&lines, "\n");
        let starts = (0..lines.len().saturating_sub(2)).step_by(3);
        let blocks: Vec<Block> = starts.zip(&changes).enumerate().map(|(name, (start, change))| cut(&lines, start, *change, &name.to_string())).collect();
        let forth = run(&text, &blocks.iter().collect::<Vec<_>>());
        let back = run(&text, &blocks.iter().rev().collect::<Vec<_>>());
        prop_assert!(forth.is_complete());
        prop_assert_eq!(forth.text, back.text);
    }

    #[test]
    fn any_reply_on_any_text_terminates(text in "([a-z{};,\"' \t]{0,8}\r?\n){0,12}", reply in "(<{5,7} SEARCH\n|={7}\n|>{5,7} REPLACE\n|--- a\n\\+\\+\\+ b\n|@@ -1,2 \\+1 @@\n|[-+ ][a-z{};,\"' ]{0,6}\n|\\.\\.\\.\n|<old_text>|</old_text>|<new_text>|\\{\"old_str\": \"a\", \"new_str\": \"b\"\\}|[a-z\u{2019}\u{a0} ]{0,8}\n){0,20}", sequential in any::<bool>()) {
        let blocks = read(&reply);
        for pair in blocks.windows(2) {
            prop_assert!(pair[0].span.end <= pair[1].span.start);
        }
        let batch = apply(Some(&text), &blocks.iter().collect::<Vec<_>>(), Request { confirmed: true, sequential, ..Request::default() });
        prop_assert_eq!(batch.results.len(), blocks.len());
    }
}

#[test]
fn hostile_text_is_read_quickly() {
    for line in [
        "<<<<<<< SEARCH\n",
        "<<<<\n",
        "=======\n",
        ">>>>>>> REPLACE\n",
        "@@\n",
        "--- a\n",
        "<old_text",
        "<old_text>\n",
        "{\"old_str\":",
        "*** Begin Patch\n",
    ] {
        read(&line.repeat(20_000));
    }
    let equal = "}\n".repeat(20_000);
    let blocks: Vec<Block> = (0..20)
        .map(|index| {
            Block::of(Dialect::SearchReplace, equal[..4000].to_owned(), format!("{index}\n"))
        })
        .collect();
    let batch = run(&equal, &blocks.iter().collect::<Vec<_>>());
    assert!(
        batch
            .results
            .iter()
            .all(|result| matches!(result, Err(refused) if refused.reason == Reason::Ambiguous))
    );
}
