//! Elements in a reply: thought, results of tools, and edits.

use super::Why;
use super::element::{self, Opens};
use super::lines::line_at;
use super::markdown::Scanner;
use super::tags::{Tag, closing, tag};
use crate::edit::{Dialect, Reason};

impl Scanner<'_, '_> {
    pub(super) fn thought(&mut self, at: usize, end: Option<usize>) -> usize {
        let Some(end) = end else {
            self.draft.fault(
                self.span(at, at + 1),
                Reason::CutOff,
                "the thought that begins here never ends: the reply was cut off",
            );
            self.owned.push(self.start(at)..self.text.len());
            return self.lines.len();
        };
        self.draft.skip(self.span(at, end), Why::Thought);
        self.own(at, end);
        end
    }

    /// The element at the start of a line, and those after it on the same line.
    pub(super) fn element(&mut self, at: usize, to: usize) -> Option<usize> {
        let line = self.lines.get(at)?;
        let mut offset = line.span.start + (line.text.len() - line.text.trim_start().len());
        let mut found = None;
        loop {
            let Some(kind) = element::opens(self.text, offset) else { return found };
            let end = match kind {
                Opens::Around => {
                    let rest = self.text.get(offset..)?;
                    let end = rest.find('>')? + 1;
                    if rest.get(end..).is_some_and(|rest| rest.trim().is_empty()) {
                        self.draft.fault(
                            offset..offset + end,
                            Reason::CutOff,
                            "nothing follows the opening tag: the reply was cut off",
                        );
                    }
                    offset + end
                }
                Opens::Thought => {
                    let Some(end) = element::end(self.text, offset) else {
                        return Some(self.thought(at, None));
                    };
                    self.draft.skip(offset..end, Why::Thought);
                    end
                }
                Opens::Result => {
                    let Some(end) = self.end_of_result(offset) else {
                        return self.unended_result(at, offset).or(found);
                    };
                    self.draft.skip(offset..end, Why::Quoted);
                    end
                }
                Opens::Edit if self.is_word(offset) => return found,
                Opens::Edit => {
                    let above = self.name_above(true);
                    let (steps, faults) = (self.draft.steps.len(), self.draft.faults.len());
                    let end = element::read(self.text, offset, above.as_ref(), &mut self.draft)?;
                    self.open |= element::may_go_on(self.text, offset, end)
                        || self.draft.ends_open(steps, faults);
                    self.inherit(steps, above.is_none());
                    end
                }
            };
            self.owned.push(offset..end);
            self.prose.clear();
            self.before = false;
            let next = line_at(&self.lines, end.saturating_sub(1)) + 1;
            found = Some(next.min(to).max(at + 1));
            self.resume = self.start(next);
            let rest = self
                .lines
                .get(next - 1)
                .and_then(|line| self.text.get(end..line.end()))
                .unwrap_or_default();
            if !rest.trim_start().starts_with('<') {
                return found;
            }
            offset = end + (rest.len() - rest.trim_start().len());
        }
    }

    /// Pairs right after another construct are about its file, if they don't name one.
    fn inherit(&mut self, from: usize, unnamed: bool) {
        if !unnamed || self.prose.iter().any(|line| !line.is_blank() || line.is_construct()) {
            return;
        }
        for step in self.draft.steps.iter_mut().skip(from) {
            let block = &mut step.block;
            if block.dialect == Dialect::Tags && block.error == Some(Reason::MissingPath) {
                block.error = None;
                step.names.inherits = true;
            }
        }
    }

    /// Whether a closing mark occurs after a place. The text is searched once for each mark.
    pub(super) fn may_close(&mut self, close: &str, from: usize) -> bool {
        let last = self.closers.entry(close.to_owned()).or_insert_with(|| self.text.rfind(close));
        last.is_some_and(|last| last >= from)
    }

    fn may_be_closed(&mut self, tag: &Tag) -> bool {
        self.may_close(&format!("</{}>", tag.name), tag.span.end)
    }

    /// Whether the tag at this place begins a sentence about it: `<search> is the old text`.
    fn is_word(&mut self, offset: usize) -> bool {
        let Some(tag) = tag(self.text, offset) else { return false };
        let rest = self.text.get(tag.span.end..).unwrap_or_default();
        let line = rest.lines().next().unwrap_or_default().trim_start();
        let sentence = !line.is_empty() && !line.starts_with('<') && tag.attributes.is_empty();
        let word = element::is_word(tag.name) && sentence && !self.may_be_closed(&tag);
        // Later text may close it.
        self.open |= word;
        word
    }

    /// The end of a result, including its closing tag.
    fn end_of_result(&mut self, offset: usize) -> Option<usize> {
        let tag = tag(self.text, offset)?;
        if tag.closed {
            return Some(tag.span.end);
        }
        if !self.may_be_closed(&tag) {
            return None;
        }
        if !self.unpaired.contains(tag.name) {
            let close = closing(self.text, tag.span.end, tag.name);
            if close.is_none() {
                self.unpaired.insert(tag.name.to_owned());
            }
            return close.map(|close| close.end);
        }
        // Tags with this name aren't all closed: this one is if it's the last before a closing one.
        let rest = self.text.get(tag.span.end..)?;
        let next = rest.find(&format!("<{}", tag.name)).unwrap_or(rest.len());
        let close = format!("</{}>", tag.name);
        let end = rest.get(..next)?.find(&close)?;
        Some(tag.span.end + end + close.len())
    }

    /// A result that is never closed: if its tag is alone on a line, the text after it may be
    /// quoted.
    fn unended_result(&mut self, at: usize, offset: usize) -> Option<usize> {
        self.open = true;
        let line = self.lines.get(at)?;
        let tag = self.text.get(offset..line.end())?.trim_end();
        if tag.find('>') != Some(tag.len() - 1) {
            return None;
        }
        self.unended.get_or_insert(offset..offset + tag.len());
        self.own(at, at + 1);
        Some(at + 1)
    }

    /// Refuses the edits after a result that is never closed.
    pub(super) fn refuse_unended(&mut self) {
        let Some(span) = self.unended.take() else { return };
        let (steps, faults) = (self.draft.steps.len(), self.draft.faults.len());
        self.draft.steps.retain(|step| step.block.span.start < span.start);
        self.draft.faults.retain(|fault| fault.span.start < span.start);
        if self.draft.steps.len() < steps || self.draft.faults.len() < faults {
            let tag = self.text.get(span.clone()).unwrap_or_default();
            let message = format!("`{tag}` is never closed, so the edits after it may be quoted");
            self.draft.fault(span, Reason::CutOff, message);
        }
    }

    /// Withdraws everything that was read before this place.
    pub(super) fn retract(&mut self, why: Why) {
        self.skip_applied();
        self.unended = None;
        self.draft.retract(why);
    }

    /// Whether the text since the last construct has the tag that `</file>` closes.
    pub(super) fn is_opened(&self, close: &str) -> bool {
        let open = close.replacen("</", "<", 1);
        let open = open.trim_end_matches('>');
        open == "<file" && self.prose.iter().any(|line| line.text.contains(open))
    }
}
