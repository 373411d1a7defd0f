//! Which documents are bare replies with edit blocks (LLMD-1): those in which a model edits a file
//! and that contain nothing else. A document with front matter, a title, or prose about markers
//! isn't one: many documents only explain edit blocks, and must not get findings for them.

use std::path::Path;

use super::signs::{self, Signs};
use crate::edit::{Reason, Subject, naming};
use crate::format::GRAMMARS;
use crate::markdown::SectionKind;
use crate::reply::{self, Step};
use crate::source::Source;

/// Whether a document is a bare reply.
pub fn recognise(_: Option<&Path>, source: &Source) -> bool {
    if !source.stretches().any(|stretch| signs::any(source, stretch).0)
        || source.front_matter().is_some()
        || is_record(source)
    {
        return false;
    }
    let draft = reply::read_source(source, GRAMMARS);
    if !draft.steps.iter().any(is_telling) {
        return false;
    }
    let owned = |at: usize| {
        draft.steps.iter().any(|step| step.block.span.start < at && at < step.block.span.end)
    };
    let titled = source
        .sections()
        .any(|placed| placed.section.kind == SectionKind::Heading(1) && !owned(placed.start));
    !titled && !source.sections().any(|placed| Signs::of(source, placed).explains())
}

/// Whether a document is the output of `git show`, whose changes were made long ago: its first lines are
/// `commit 1a2b3c4` and `Author: …`.
fn is_record(source: &Source) -> bool {
    let head = source.slice(0..crate::text::floor(source.text(), source.len().min(HEAD)));
    let mut lines =
        head.trim_start_matches('\u{feff}').lines().filter(|line| !line.trim().is_empty());
    let commit = lines.next().and_then(|line| {
        let (word, rest) = line.split_once(' ')?;
        let hash = rest.split_whitespace().next()?;
        let is_hash = hash.len() >= 7 && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
        Some(is_hash && word.trim_end_matches(':').eq_ignore_ascii_case("commit"))
    });
    let author = lines.take(2).any(|line| line.starts_with("Author:"));
    commit == Some(true) && author
}

/// The most bytes that the first lines of such a document take.
const HEAD: usize = 1024;

/// Whether a model certainly wrote this block to edit a file.
fn is_telling(step: &Step) -> bool {
    let block = &step.block;
    let named = block.path.is_some() || step.names.mentions.iter().any(|mention| mention.shaped);
    let plain = block.path.as_ref().is_none_or(|path| {
        let shown = naming::is_placeholder(&path.text) || path.text.starts_with('[');
        !path.inherited && !shown
    });
    let sample = crate::reply::may_show(block)
        && block.splits.first().is_some_and(|split| split.search.trim().starts_with('['));
    named
        && plain
        && block.subject == Subject::File
        && !sample
        && matches!(block.error, None | Some(Reason::UnterminatedBlock))
}
