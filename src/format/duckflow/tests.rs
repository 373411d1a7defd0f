//! DUCK-1 to DUCK-17 of the conformance list.

mod damage;
mod editing;
mod fixes;
mod mutations;
mod parts;
mod reference;
mod round_trip;
mod statements;

use std::path::Path;

use super::layout::Layout;
use super::{FORMAT, Response, rules};
use crate::config::Config;
use crate::format::Context;
use crate::rule::{Diagnostic, Report};
use crate::source::Source;
use crate::world::Memory;

fn read(text: &str) -> Layout {
    super::read(&Source::new(text))
}

/// The findings in a reply.
fn findings(text: &str) -> Vec<Diagnostic> {
    let (source, config, world) = (Source::new(text), Config::default(), Memory::default());
    let mut report = Report::default();
    rules::check(
        &Response::new(&source, None),
        &Context::new(&source, Some(Path::new("/w/reply.md")), &world, &config),
        &mut report,
    );
    report.diagnostics
}

/// The text in the content blocks.
fn contents(text: &str) -> Vec<(u64, &str)> {
    read(text).contents.into_iter().map(|content| (content.index, &text[content.span])).collect()
}

#[test]
fn duck_06_content_is_kept_byte_for_byte() {
    let text = "[ACTION_0_TYPE] create_file\r\n[ACTION_0_CONTENT_START]\r\n  a\r\n[NOTES] no\r\n\r\n[ACTION_0_CONTENT_END]\r\n";
    assert_eq!(contents(text), [(0, "  a\r\n[NOTES] no\r\n")]);
    let layout = read(text);
    assert_eq!(layout.inside.iter().filter(|inside| inside.is_some()).count(), 1);
    assert!(layout.sections.is_empty());
}

#[test]
fn duck_06_content_may_begin_and_end_with_any_character() {
    for content in ["é", "日本\n🦆", "\u{301}", "a\u{85}"] {
        for end in ["\n", "\r\n", "\r"] {
            let text =
                format!("[ACTION_0_CONTENT_START]{end}{content}{end}[ACTION_0_CONTENT_END]{end}");
            assert_eq!(contents(&text), [(0, content)]);
            let reply = super::reply::marked(&format!("[ACTION_0_TYPE] create_file{end}{text}"));
            assert_eq!(reply.actions[0].content.as_deref(), Some(content));
        }
    }
}

#[test]
fn duck_07_a_missing_end() {
    let text = "[ACTION_0_CONTENT_START]\na\n[ACTION_0_PATH] x\nb\n\n[ACTION_1_TYPE] finish\n[ACTION_1_RESULT] done\n";
    assert_eq!(contents(text), [(0, "a\n[ACTION_0_PATH] x\nb\n")]);
    assert_eq!(contents("[ACTION_0_CONTENT_START]\na\nb"), [(0, "a\nb")]);
    assert_eq!(contents("[ACTION_0_CONTENT_START]"), [(0, "")]);
}

#[test]
fn duck_07_an_end_of_another_index() {
    assert_eq!(
        contents("[ACTION_0_CONTENT_START]\ncode\n[ACTION_1_CONTENT_END]\n[NOTES] n"),
        [(0, "code")]
    );
    let text =
        "[ACTION_0_CONTENT_START]\ncode\n[ACTION_1_CONTENT_END]\nmore\n[ACTION_0_CONTENT_END]\n";
    assert_eq!(contents(text), [(0, "code\n[ACTION_1_CONTENT_END]\nmore")]);
}

#[test]
fn duck_02_recognised_replies() {
    let is = |text: &str| (FORMAT.recognise)(None, &Source::new(text));
    assert!(is("[REASONING]\nr\n"));
    assert!(is("Sure!\n\n[ACTION_0_TYPE] finish\n"));
    assert!(is("```\n[REASONING]\nr\n```\n"));
    assert!(is("\n```markdown\n[REASONING]\nr\n\n# x\n\n[ACTION_0_TYPE] finish\n```\n\n"));
    assert!(!is("# Replies\n\nThey look like this:\n\n```\n[REASONING]\nr\n```\n"));
    assert!(!is("```\n[REASONING]\n```\n\nand\n\n```\n[REASONING]\n```\n"));
    assert!(!is("text [REASONING]\n\n[CONFIDENCE] 0.5\n"));
    assert!(!is(""));
}
