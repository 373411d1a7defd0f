//! Patches in a reply: `*** Begin Patch` … `*** End Patch`, also as a heredoc outside a fence.

use std::cell::RefCell;
use std::collections::HashMap;
use std::ops::Range;

use super::lines::Line;
use super::markdown::Scanner;
use super::{Draft, shell};
use crate::edit::{self, Reason};
use crate::text::Span;

pub(super) const BEGIN: &str = "*** Begin Patch";
pub(super) const END: &str = "*** End Patch";

/// The last lines of all patches, by their indentation.
#[derive(Debug, Default)]
pub(super) struct Ends<'t> {
    lines: HashMap<&'t str, Vec<usize>>,
    /// For each indentation, a range of lines that have it, up to the first one that doesn't.
    indented: RefCell<HashMap<&'t str, Range<usize>>>,
}

impl<'t> Ends<'t> {
    fn of(lines: &[Line<'t>]) -> Self {
        let mut ends = Self::default();
        for (index, line) in lines.iter().enumerate().filter(|(_, line)| line.text.trim() == END) {
            ends.lines.entry(edit::lines::indentation(line.text)).or_default().push(index);
        }
        ends
    }

    /// The first one after a line with this indentation.
    fn after(&self, at: usize, indent: &str) -> Option<usize> {
        let known = self.lines.get(indent)?;
        known.get(known.partition_point(|end| *end <= at)).copied()
    }

    /// Whether all lines of a range have an indentation, except for blank ones.
    fn are_indented(&self, lines: &[Line], range: Range<usize>, indent: &'t str) -> bool {
        let mut indented = self.indented.borrow_mut();
        let known = indented.entry(indent).or_default();
        if !known.contains(&range.start) {
            let lacks = |line: &Line| !line.is_blank() && !line.text.starts_with(indent);
            let rest = lines.get(range.start..).unwrap_or_default();
            *known = range.start..rest.iter().position(lacks).unwrap_or(rest.len()) + range.start;
        }
        range.is_empty() || range.end <= known.end
    }
}

/// The operations of an `apply_patch` patch, all with the span of the call that contains it.
pub(super) fn of_call(patch: &str, span: &Span, draft: &mut Draft) {
    let mut inner = Draft::default();
    read_patch(patch, 0, &mut inner);
    draft.extend(inner.placed(&|_| span.clone()));
}

/// The operations of a patch that begins at `at`.
fn read_patch(patch: &str, at: usize, draft: &mut Draft) {
    let blocks = edit::read_patch(patch);
    if blocks.is_empty() {
        draft.fault(
            at..at + patch.trim_end().len(),
            Reason::MissingDivider,
            "the patch changes nothing",
        );
    }
    blocks.into_iter().for_each(|block| draft.block(block.shifted(at)));
}

impl<'t> Scanner<'t, '_> {
    pub(super) fn patch(&mut self, at: usize, to: usize) -> usize {
        let Some((end, indent)) = self.end_of_patch(at, to) else {
            let message = format!("the patch has no `{END}`: it may have been cut off");
            self.draft.fault(self.span(at, at + 1), Reason::UnterminatedBlock, message);
            self.own(at, to);
            return to;
        };
        let span = self.span(at, end + 1);
        let text = self.text.get(span.clone()).unwrap_or_default();
        if indent.is_empty() {
            read_patch(text, span.start, &mut self.draft);
        } else {
            let plain: String =
                text.split_inclusive('\n').map(|line| without(line, indent)).collect();
            of_call(&plain, &span, &mut self.draft);
        }
        self.own(at, end + 1);
        end + 1
    }

    /// The last line of the patch that begins in a line, and the indentation of all of its lines:
    /// a patch can be in an item of a list.
    pub(super) fn end_of_patch(&self, at: usize, to: usize) -> Option<(usize, &'t str)> {
        let indent = edit::lines::indentation(self.text_of(at));
        let ends = self.patch_ends.get_or_init(|| Ends::of(&self.lines));
        let end = |indent: &str| ends.after(at, indent).filter(|end| *end < to);
        let inner = end(indent).filter(|end| ends.are_indented(&self.lines, at + 1..*end, indent));
        inner.map(|end| (end, indent)).or_else(|| Some((end("")?, "")))
    }

    /// `apply_patch <<'EOF'` outside a fence.
    pub(super) fn heredoc(&mut self, at: usize, to: usize) -> usize {
        let word = self
            .text_of(at)
            .rsplit("<<")
            .next()
            .unwrap_or_default()
            .trim()
            .trim_start_matches('-')
            .trim_matches(['\'', '"']);
        let patch_end = (at + 1..to).find(|index| self.text_of(*index).trim_end() == END);
        let end = patch_end
            .and_then(|end| (end + 1..to).find(|index| self.text_of(*index).trim() == word));
        let Some(end) = end else {
            self.draft.fault(
                self.span(at, at + 1),
                Reason::UnterminatedBlock,
                "the patch never ends: it may have been cut off",
            );
            self.own(at, to);
            return to;
        };
        let span = self.span(at, end + 1);
        shell::of_script(
            self.text.get(span.clone()).unwrap_or_default(),
            "",
            &span,
            &mut self.draft,
        );
        self.own(at, end + 1);
        end + 1
    }
}

/// A line without the indentation of its construct.
fn without<'t>(line: &'t str, indent: &str) -> &'t str {
    let rest = || line.trim_start_matches([' ', '\t']);
    line.strip_prefix(indent).unwrap_or_else(rest)
}

#[cfg(test)]
mod tests {
    use crate::growth;

    #[test]
    fn patches_without_an_end_are_read_in_linear_time() {
        for (start, patch, end) in [
            ("", "```\n*** Begin Patch\n*** Update File: a.py\n@@\n-x\n+y\n```\n", ""),
            ("", "```\n*** Begin Patch\n```\n", "  *** End Patch\n"),
            ("```\n", "  *** Begin Patch\n", "x\n  *** End Patch\n```\n"),
        ] {
            growth::is_linear(
                patch,
                4_000,
                |patches| format!("{start}{}{end}", patch.repeat(patches)),
                |text| {
                    std::hint::black_box(crate::reply::read(&text, &[]));
                },
            );
        }
    }
}
