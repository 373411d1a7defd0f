//! SEARCH/REPLACE blocks in a reply: which ones are meant, and the faults to report about them.

use super::fence::Fence;
use super::lines::line_at;
use super::markdown::{Scanner, is_item};
use super::{Fault, Step, Why, naming, prose};
use crate::edit::{
    self, Block, Dialect, MarkerKind, Pair, Reason, Warning, marker, naming as words,
};

impl<'t> Scanner<'t, '_> {
    /// Handles a line that is a marker of a block.
    pub(super) fn marker(&mut self, at: usize, to: usize, kind: MarkerKind) -> usize {
        match kind {
            MarkerKind::Head(pair) => {
                let Some(block) = self.block_at(at) else {
                    if pair != Pair::Conflict {
                        self.draft.fault(
                            self.span(at, at + 1),
                            Reason::UnterminatedBlock,
                            "the block is incomplete",
                        );
                    }
                    return at + 1;
                };
                let end = self.end_of(&block, at).min(to);
                let indented = edit::lines::indentation(self.text_of(at)).len() > 3;
                let depth = edit::lines::indentation(self.text_of(at)).len();
                let item = self.prose.iter().any(|line| {
                    is_item(line.text) && edit::lines::indentation(line.text).len() < depth
                });
                if indented && !item {
                    self.draft.skip(self.span(at, end), Why::Example);
                    self.own(at, end);
                    return end;
                }
                self.block(at, end, block, None);
                end
            }
            MarkerKind::End(pair) if pair != Pair::Conflict => {
                let message = format!("`{}` has no matching head", self.text_of(at).trim());
                self.draft.fault(self.span(at, at + 1), Reason::StrayMarker, message);
                self.own(at, at + 1);
                at + 1
            }
            MarkerKind::End(_) | MarkerKind::Divider => {
                self.take_prose(at);
                at + 1
            }
        }
    }

    /// The block whose head is on a line.
    pub(super) fn block_at(&mut self, at: usize) -> Option<Block> {
        if let Some(block) = self.blocks.get(&at) {
            return Some(block.clone());
        }
        // The reader of the whole text took it for the content of an invalid construct.
        let start = self.start(at);
        let block = edit::read_search_replace(self.text.get(start..)?)
            .into_iter()
            .next()
            .filter(|block| block.span.start < self.text_of(at).len().max(1))?;
        Some(block.shifted(start))
    }

    /// The line after a block.
    pub(super) fn end_of(&self, block: &Block, at: usize) -> usize {
        (line_at(&self.lines, block.span.end.max(block.span.start + 1) - 1) + 1).max(at + 1)
    }

    /// Adds a block, in a fence or not.
    pub(super) fn block(
        &mut self,
        at: usize,
        end: usize,
        mut block: Block,
        fence: Option<&Fence<'t>>,
    ) {
        let stated = fence.and_then(|fence| {
            let name = fence.name().or_else(|| fence.guess())?;
            Some(self.path_in(fence.open, name))
        });
        if block.dialect == Dialect::Conflict && stated.is_none() && self.name_above(true).is_none()
        {
            self.draft.skip(self.span(at, end), Why::Example);
            self.own(at, end);
            return;
        }
        if std::mem::take(&mut self.echo) {
            self.draft.skip(self.span(at, end), Why::Quoted);
            self.own(at, end);
            return;
        }
        if self.is_sample(&block) {
            self.draft.skip(self.span(at, end), Why::Example);
            self.own(at, end);
            return;
        }
        block.warnings.retain(|warning| *warning != Warning::InheritedPath);
        let subject = block.subject;
        let mut names = self.names(stated.is_some(), true);
        names.offered = self.prose.iter().any(|line| prose::offers(line.text));
        names.shown = may_show(&block);
        if stated.is_some() {
            names.rivals.extend(self.name_above(true));
        }
        // A sentence can name an existing file, too, but a new file is only named above its block.
        let creates = block.splits.iter().all(|split| split.search.trim().is_empty())
            || block.splits.iter().any(|split| split.search.is_empty());
        let above = self.above(true);
        if let Some(remarked) =
            above.as_ref().filter(|above| above.remarked && above.whole.is_none())
        {
            names.first = Some(remarked.path.clone());
        }
        let above = above.filter(|above| !above.remarked || creates);
        if let Some(line) = self.line_above().filter(|_| stated.is_none()) {
            names.guesses = naming::guesses(line);
        }
        if stated.is_none() {
            names.rivals.extend(above.as_ref().and_then(|above| above.whole.clone()));
        }
        block.path = if subject == edit::Subject::File {
            stated.or_else(|| above.map(|above| above.path))
        } else {
            None
        };
        let (head, last) = (
            self.text_of(at).to_ascii_uppercase(),
            self.text_of(end.saturating_sub(1)).to_ascii_uppercase(),
        );
        if head.contains("SEARCH") && last.contains("UPDATED")
            || head.contains("ORIGINAL") && last.contains("REPLACE")
        {
            block.error = block.error.or(Some(Reason::MismatchedEnd));
        }
        let indent = edit::lines::indentation(self.text_of(at));
        let carried = |index: usize| self.text_of(index).starts_with(indent);
        let inner: Vec<usize> = (at + 1..end.saturating_sub(1))
            .filter(|index| {
                !self.text_of(*index).trim().is_empty() && marker(self.text_of(*index)).is_none()
            })
            .collect();
        if fence.is_some_and(|fence| !fence.indent.is_empty())
            && inner.iter().any(|index| carried(*index))
            && !inner.iter().all(|index| carried(*index))
        {
            block.error = block.error.or(Some(Reason::FenceAmbiguous));
        }
        self.open |= block.error == Some(Reason::UnterminatedBlock);
        self.draft.steps.push(Step::new(block, names));
        self.own(at, end);
    }

    /// Whether a block only shows how blocks are written.
    pub(super) fn is_sample(&self, block: &Block) -> bool {
        let name = self.name_above(true);
        let shown = name.is_some_and(|name| words::is_placeholder(&name.text));
        shown || stands_in(block, &is_stand_in)
    }

    /// Whether a line below the name of a file begins a block, but with unknown words: `<<<<<<< OLD`.
    pub(super) fn is_unknown_head(&mut self, at: usize) -> bool {
        let text = self.text_of(at).trim();
        let is_head = text.trim_start_matches(['*', '`', '#', ' ']).starts_with("<<<<<")
            && !text.contains(">>>");
        let decorated = || matches!(decorated(text), Some(MarkerKind::Head(_)));
        if !(is_head || decorated()) || self.name_above(true).is_none() {
            return false;
        }
        let message =
            format!("`{}` begins no known block; write `<<<<<<< SEARCH`", text.trim_matches('`'));
        self.draft.fault(self.span(at, at + 1), Reason::StrayMarker, message);
        self.own(at, at + 1);
        true
    }

    /// Whether a fence is a block of a file with signs around its markers: `**<<<<<<< SEARCH**`.
    /// Documents may show one.
    pub(super) fn has_decorated_block(&mut self, fence: &Fence<'t>, filled: &[usize]) -> bool {
        let kind = |at: &usize| decorated(self.text_of(*at));
        let head = filled.iter().find(|at| matches!(kind(at), Some(MarkerKind::Head(_))));
        let ended = filled.last().is_some_and(|at| matches!(kind(at), Some(MarkerKind::End(_))));
        let above = head.and_then(|head| {
            let mut names = filled.iter().take_while(|at| *at < head);
            match (names.next(), names.next()) {
                (Some(name), None) => words::alone_above(self.text_of(*name).trim()),
                _ => None,
            }
        });
        let begins = above.is_some() || head == filled.first();
        let name = above.or_else(|| fence.name()).map(str::to_owned);
        let name = name.or_else(|| Some(self.name_above(true)?.text));
        let (Some(first), Some(name)) = (head.filter(|_| begins && ended), name) else {
            return false;
        };
        if words::is_document(&name) {
            return false;
        }
        let text = self.text_of(*first).trim();
        let message =
            format!("`{}` begins no known block; write `<<<<<<< SEARCH`", text.trim_matches('`'));
        let fault = Fault::new(self.span(*first, first + 1), Reason::StrayMarker, message);
        self.draft.faults.push(Fault { file: Some(name), ..fault });
        self.own(fence.open, fence.next);
        true
    }

    /// Whether the sentence right above says that what follows is an example.
    pub(super) fn is_example(&self) -> bool {
        let mut prose = self.prose.iter().rev().take_while(|line| !line.is_construct());
        let line = prose.find(|line| !line.is_blank());
        line.is_some_and(|line| prose::gives_example(line.text))
    }

    /// Refuses the calls among the last steps: they show how to call a tool.
    pub(super) fn refuse_examples(&mut self, from: usize) {
        let is_call =
            |step: &mut Step| matches!(step.block.dialect, Dialect::Strings | Dialect::Xml);
        let calls: Vec<Step> = self.draft.steps.extract_if(from.., is_call).collect();
        for step in calls {
            let message = "the sentence above gives the tool call as an example, so it isn't made";
            let fault = Fault::new(step.block.span, Reason::WarnedOf, message);
            let file = step.block.path.map(|path| path.text);
            self.draft.faults.push(Fault { file, ..fault });
        }
    }

    /// Whether the sentence above warns against what follows, rather than against a sample in
    /// between.
    pub(super) fn is_warned_of(&self) -> bool {
        let prose = self.prose.iter().rev().take_while(|line| !line.is_construct());
        let mut filled = prose.filter(|line| !line.is_blank());
        let first = filled.next();
        let named = first.is_some_and(|line| words::alone(line.text.trim()).is_some());
        let line = if named { filled.next() } else { first };
        line.is_some_and(|line| prose::warns(line.text))
    }
}

/// The marker within other signs: `**<<<<<<< SEARCH**`, `// >>>>>>> REPLACE`.
fn decorated(line: &str) -> Option<MarkerKind> {
    let runs = ["<<<<<", "-----", ">>>>>", "+++++"];
    let start = runs.iter().filter_map(|run| line.find(run)).min()?;
    let (before, rest) = line.split_at_checked(start)?;
    let end = rest.rfind(char::is_alphabetic)? + 1;
    let (core, after) = rest.split_at_checked(end)?;
    let signs = |text: &str| !text.contains(char::is_alphanumeric);
    let kind = marker(core).filter(|_| signs(before) && signs(after))?.kind;
    matches!(kind, MarkerKind::Head(_) | MarkerKind::End(_)).then_some(kind)
}

/// Whether a block may only show how blocks are written.
pub fn may_show(block: &Block) -> bool {
    stands_in(block, &|text| text == "..." || bracketed(text).is_some())
}

/// Whether the old and the new text of a block only stand in for others.
fn stands_in(block: &Block, is_stand_in: &dyn Fn(&str) -> bool) -> bool {
    block.splits.first().is_some_and(|split| {
        is_stand_in(split.search.trim())
            && (is_stand_in(split.replace.trim()) || split.replace.trim().is_empty())
    })
}

/// `<the old lines>`, `[new code]`. A word alone may be a tag, or the name of a section.
fn is_stand_in(text: &str) -> bool {
    bracketed(text).is_some_and(|inner| inner.contains(' ')) || text == "..."
}

/// The words in brackets that are all of a text. Tags, lists and links also have other signs.
fn bracketed(text: &str) -> Option<&str> {
    let pairs = [('<', '>'), ('[', ']')];
    let inner = pairs.iter().find_map(|(open, close)| {
        text.strip_prefix(*open).and_then(|rest| rest.strip_suffix(*close))
    })?;
    let sign = |letter: char| {
        letter.is_alphanumeric() || matches!(letter, ' ' | '-' | '_' | '\'' | '.' | '…')
    };
    (inner.contains(char::is_alphanumeric) && inner.chars().all(sign)).then_some(inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_that_stand_in_for_others() {
        for text in ["<the old lines>", "[new code]", "...", "[exact text...]"] {
            assert!(is_stand_in(text), "{text}");
        }
        for text in ["<old>", "[old]", "<OLD_CODE>", "<br>"] {
            assert!(bracketed(text).is_some() && !is_stand_in(text), "{text}");
        }
        for text in [
            "<p>old</p>",
            "<Foo />",
            "<a href=\"b\">",
            "<!-- old -->",
            "[\"a\", \"b\"]",
            "[1, 2]",
            "[a](b)",
            "[a] b",
            "<>",
            "",
        ] {
            assert!(!is_stand_in(text) && bracketed(text).is_none(), "{text}");
        }
    }
}
