//! Elements in a reply: thought, results of tools, and edits.

use super::Why;
use super::element::{self, Opens};
use super::lines::line_at;
use super::markdown::Scanner;
use crate::edit::Reason;

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
                Opens::Thought | Opens::Result => {
                    let end = element::end(self.text, offset);
                    if kind == Opens::Thought && end.is_none() {
                        return Some(self.thought(at, None));
                    }
                    let Some(end) = end else {
                        return self.unended_result(at, offset).or(found);
                    };
                    self.draft.skip(
                        offset..end,
                        if kind == Opens::Thought { Why::Thought } else { Why::Quoted },
                    );
                    end
                }
                Opens::Edit if element::is_word(self.text, offset) => return found,
                Opens::Edit => {
                    let above = self.name_above(true);
                    element::read(self.text, offset, above.as_ref(), &mut self.draft)?
                }
            };
            self.owned.push(offset..end);
            self.prose.clear();
            self.before = None;
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

    /// A result that never ends: what follows its tag, alone on a line, may be quoted or not.
    fn unended_result(&mut self, at: usize, offset: usize) -> Option<usize> {
        let line = self.lines.get(at)?;
        let tag = self.text.get(offset..line.end())?.trim_end();
        if tag.find('>') != Some(tag.len() - 1) {
            return None;
        }
        self.open = true;
        let read = (self.draft.steps.len(), self.draft.faults.len());
        self.unended.get_or_insert((offset..offset + tag.len(), read));
        self.own(at, at + 1);
        Some(at + 1)
    }

    /// Refuses what follows a result that never ends.
    pub(super) fn refuse_unended(&mut self) {
        let Some((span, (steps, faults))) = self.unended.take() else { return };
        if self.draft.steps.len() > steps || self.draft.faults.len() > faults {
            self.draft.steps.truncate(steps);
            self.draft.faults.truncate(faults);
            let tag = self.text.get(span.clone()).unwrap_or_default();
            let message = format!("`{tag}` is never closed, so the edits after it may be quoted");
            self.draft.fault(span, Reason::CutOff, message);
        }
    }

    /// Withdraws what was read before this place.
    pub(super) fn retract(&mut self, why: Why) {
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
