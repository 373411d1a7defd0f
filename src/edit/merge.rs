//! The edits of a located block: a three-way merge by line. Lines that the block keeps retain the
//! file's bytes.

use std::borrow::Cow;

use similar::{Algorithm, DiffOp};

use super::elision::is_elision;
use super::indent::{Indents, Shift};
use super::lines::{Level, Lines, indentation, normal};
use super::locate::{Alignment, Found, Place, Tier};
use super::reflow;
use super::respell::respelt;
use crate::text::{Edit, Span, lines};

/// The edits that turn the match of `search` in `target` into `replace`: in order, not adjacent, on
/// whole lines if the match is.
pub fn merge(target: &Lines, search: &Lines, replace: &Lines, found: &Found) -> Vec<Edit> {
    match &found.place {
        Place::Text { span, trimmed } => {
            substitute(target, search, replace, (span, *trimmed), found.tier).into_iter().collect()
        }
        Place::Lines(alignment) => {
            Merge::new(target, search, replace, alignment, found.tier).edits()
        }
    }
}

fn substitute(
    target: &Lines,
    search: &Lines,
    replace: &Lines,
    (span, trimmed): (&Span, bool),
    tier: Tier,
) -> Option<Edit> {
    let eol = target.break_for(target.index_at(span.start));
    let old = target.text().get(span.clone())?;
    let mut lines: Vec<&str> = replace.contents().collect();
    if tier == Tier::Substring {
        // Blank lines around the SEARCH text aren't part of the match, so they aren't part of its
        // new version.
        let blank = |line: &str| line.trim().is_empty();
        let (before, after) = (
            search.contents().take_while(|line| blank(line)).count(),
            (0..search.len()).rev().take_while(|line| search.is_blank(*line)).count(),
        );
        let lead = lines.iter().take(before).take_while(|line| blank(line)).count();
        lines.drain(..lead);
        let trail = lines.iter().rev().take(after).take_while(|line| blank(line)).count();
        lines.truncate(lines.len() - trail);
    }
    let mut new = lines.join(eol);
    // A partial line has no line break at its end, unless old and new text both have one.
    if old.ends_with('\n') && replace.text().ends_with('\n') {
        new.push_str(eol);
    }
    if let ([line], 1) = (lines.as_slice(), search.len())
        && tier > Tier::Exact
        && !old.contains('\n')
    {
        new = respelt(search.content(0), old, line).into_owned();
    }
    if trimmed {
        let lead = super::lines::indentation(search.content(0));
        new = new.strip_prefix(lead).map(str::to_owned).unwrap_or(new);
    }
    // Deleting the whole text of a line deletes the line.
    if new.is_empty() && tier == Tier::Exact && !old.ends_with('\n') {
        let (first, last) =
            (target.line(target.index_at(span.start)), target.line(target.index_at(span.end)));
        if first.start == span.start && last.end == span.end {
            return Some(Edit::delete(span.start..last.next));
        }
    }
    (old != new).then(|| Edit::replace(span.clone(), new))
}

/// The differences between old and new text by line, as the block's tier defines them.
pub(super) fn differences(search: &Lines, replace: &Lines, tier: Tier) -> Vec<DiffOp> {
    let level = if tier == Tier::Exact { Level::Exact } else { Level::Trailing };
    // Placeholders are equal, regardless of their wording.
    let placeholder = |line: &str| tier == Tier::Elision && is_elision(line);
    let key = |line| if placeholder(line) { Cow::Borrowed("\u{0}") } else { normal(line, level) };
    let (old, new): (Vec<_>, Vec<_>) =
        (search.contents().map(key).collect(), replace.contents().map(key).collect());
    lines::compare(Algorithm::Patience, &old, &new)
}

struct Merge<'a, 't> {
    target: &'a Lines<'t>,
    search: &'a Lines<'t>,
    replace: &'a Lines<'t>,
    alignment: &'a Alignment,
    tier: Tier,
}

impl<'a, 't> Merge<'a, 't> {
    fn new(
        target: &'a Lines<'t>,
        search: &'a Lines<'t>,
        replace: &'a Lines<'t>,
        alignment: &'a Alignment,
        tier: Tier,
    ) -> Self {
        Self { target, search, replace, alignment, tier }
    }

    fn partner(&self, index: usize) -> Option<usize> {
        self.alignment.partner(index)
    }

    fn edits(&self) -> Vec<Edit> {
        let indents = Indents::new(self.target, self.search, self.alignment);
        let verbatim = self.tier <= Tier::Unicode || indents.agree();
        let mut edits = Vec::new();
        if self.tier == Tier::LineBreaks {
            let adapt = |(near, line): (usize, String)| {
                if verbatim { line } else { indents.adapt(&line, near) }
            };
            let hunks = reflow::merge(self.search, self.replace, self.alignment).into_iter();
            return hunks
                .map(|(span, lines)| {
                    self.hunk(span, &lines.into_iter().map(adapt).collect::<Vec<_>>())
                })
                .collect();
        }
        // Lines that the file had when it was longer: lines added after them restore them.
        let mut lost: Vec<String> = Vec::new();
        // After the last target line with a partner.
        let mut after = self.alignment.lines.start;
        for difference in differences(self.search, self.replace, self.tier) {
            let (old, new) = (difference.old_range(), difference.new_range());
            if matches!(difference, DiffOp::Equal { .. }) {
                after = old
                    .clone()
                    .filter_map(|index| self.partner(index))
                    .next_back()
                    .map_or(after, |line| line + 1);
                if self.tier == Tier::Context
                    && (after..self.target.len()).all(|line| self.target.is_blank(line))
                {
                    let gone = old.rev().take_while(|index| self.partner(*index).is_none()).count();
                    lost = (difference.old_range().end - gone..difference.old_range().end)
                        .map(|index| self.search.content(index).to_owned())
                        .collect();
                }
                continue;
            }
            let shape = if verbatim { None } else { self.same_shape(&old, &new) };
            let inserted = new.clone().map(|index| {
                let line = &*self.respelt(&old, &new, index);
                // The line that it replaces, or the one before it.
                let near = if old.is_empty() {
                    old.start.saturating_sub(1)
                } else {
                    (old.start + (index - new.start)).min(old.end - 1)
                };
                match &shape {
                    _ if verbatim => line.to_owned(),
                    Some(shift) => shift.apply(line),
                    None => indents.adapt(line, near),
                }
            });
            let inserted: Vec<String> =
                std::mem::take(&mut lost).into_iter().chain(inserted).collect();
            let deleted: Vec<usize> = old.clone().filter_map(|index| self.partner(index)).collect();
            let Some((first, last)) = deleted.first().zip(deleted.last()) else {
                if !inserted.is_empty() {
                    let at = self.insertion(old.start, after);
                    edits.push(self.hunk(at..at, &inserted));
                }
                continue;
            };
            let mut inserted = inserted.as_slice();
            for run in self.runs(*first..last + 1, &deleted) {
                edits.push(self.hunk(run, inserted));
                inserted = &[];
            }
            after = last + 1;
        }
        edits
    }

    /// A new line, in the file's spelling if it replaces a line.
    fn respelt(&self, old: &Span, new: &Span, index: usize) -> Cow<'_, str> {
        let line = self.replace.content(index);
        let before = old.start + (index - new.start);
        match self.partner(before).filter(|_| self.tier > Tier::Exact && old.len() == new.len()) {
            Some(partner) => {
                respelt(self.search.content(before), self.target.content(partner), line)
            }
            None => Cow::Borrowed(line),
        }
    }

    /// If new lines match old ones one to one except for a constant change of indentation: that
    /// change.
    fn same_shape(&self, old: &Span, new: &Span) -> Option<Shift> {
        if old.len() != new.len() {
            return None;
        }
        let partner =
            |index: usize| self.partner(index).map(|line| indentation(self.target.content(line)));
        let filled = |(index, line): &(usize, usize)| {
            !self.replace.content(*line).trim().is_empty() && partner(*index).is_some()
        };
        let pairs: Vec<(&str, &str)> = old
            .clone()
            .zip(new.clone())
            .filter(filled)
            .filter_map(|(index, line)| {
                Some((indentation(self.replace.content(line)), partner(index)?))
            })
            .collect();
        Shift::of(&pairs)
    }

    /// Where lines before line `index` of the SEARCH text go: after the line before them, but after
    /// a placeholder, before the line that follows.
    fn insertion(&self, index: usize, after: usize) -> usize {
        let elided = index.checked_sub(1).is_some_and(|before| {
            self.tier == Tier::Elision && is_elision(self.search.content(before))
        });
        let next = || (index..self.search.len()).find_map(|index| self.partner(index));
        if elided { next().unwrap_or(after) } else { after }
    }

    /// The ranges of deleted lines: lines with partners, and blank lines between them.
    fn runs(&self, lines: Span, deleted: &[usize]) -> Vec<Span> {
        let mut found: Vec<Span> = Vec::new();
        for line in lines {
            let goes = deleted.binary_search(&line).is_ok() || self.target.is_blank(line);
            match found.last_mut() {
                Some(run) if goes && run.end == line => run.end += 1,
                _ if goes => found.push(line..line + 1),
                _ => {}
            }
        }
        // A blank line next to one that stays also stays.
        found.retain(|run| run.clone().any(|line| deleted.binary_search(&line).is_ok()));
        found
    }

    /// The edit that replaces some lines with `inserted`, using the file's line breaks.
    fn hunk(&self, lines: Span, inserted: &[String]) -> Edit {
        let target = self.target;
        let eol = if lines.is_empty() {
            target.break_for(lines.start)
        } else {
            Some(target.line_break(lines.start))
                .filter(|found| !found.is_empty())
                .unwrap_or(target.break_for(lines.start))
        };
        let mut text = inserted.join(eol);
        if !lines.is_empty() {
            if !inserted.is_empty() {
                text.push_str(target.line_break(lines.end - 1));
            }
            return Edit::replace(target.span(lines), text);
        }
        let at = target.line(lines.start).start;
        let open = lines.start == target.len()
            && lines.start > 0
            && target.line_break(lines.start - 1).is_empty();
        let text = if open { format!("{eol}{text}") } else { text + eol };
        Edit::insert(at, text)
    }
}
