//! SEARCH/REPLACE blocks in all their dialects: the markers of LLMD, Aider, Cline, Roo, gptme and
//! others, and conflict markers without names.

mod marker;
pub mod path;
mod announcement;
mod filename;

use std::collections::HashMap;

use super::block::{Block, Dialect, Operation, Path, Split, Subject};
use super::lines::indentation;
use super::reason::{Reason, Warning};
use crate::text::Span;
pub use marker::{Marker, MarkerKind, Pair, marker};
pub(super) use path::TAGS as PATH_TAGS;

/// The maximum number of ways to split a block.
const MOST_SPLITS: usize = 8;

struct Line<'t> {
    span: Span,
    /// Without its break.
    text: &'t str,
}

/// The lines of a piece that begins at `at`.
fn lines(text: &str, mut at: usize) -> Vec<Line<'_>> {
    let mut found = Vec::new();
    for line in text.split_inclusive('\n') {
        found.push(Line { span: at..at + line.len(), text: line.trim_end_matches(['\n', '\r']) });
        at += line.len();
    }
    found
}

/// Every block of a reply, in order. A block without an end contains nothing that follows it.
pub fn read(text: &str) -> Vec<Block> {
    let lines = lines(text, 0);
    let marks: Vec<Option<Marker>> = lines.iter().map(|line| marker(line.text)).collect();
    let (exact, any) = (ends(&marks, true), ends(&marks, false));
    let mut reader = Reader {
        text,
        lines: &lines,
        marks: &marks,
        exact,
        any,
        blocks: Vec::new(),
        path: None,
        free: 0,
    };
    let mut index = 0;
    while index < lines.len() {
        index = match marks.get(index).cloned().flatten() {
            Some(head) if matches!(head.kind, MarkerKind::Head(_)) => reader.block(index, &head),
            _ => index + 1,
        };
    }
    reader.blocks
}

/// The end of each head, matched like brackets: those with words, and those without.
fn ends(marks: &[Option<Marker>], by_length: bool) -> Vec<Option<usize>> {
    let mut ends = vec![None; marks.len()];
    let mut open: HashMap<(bool, usize), Vec<usize>> = HashMap::new();
    for (line, mark) in
        marks.iter().enumerate().filter_map(|(line, mark)| Some((line, mark.as_ref()?)))
    {
        let (MarkerKind::Head(pair) | MarkerKind::End(pair)) = mark.kind else { continue };
        let open = open
            .entry((pair == Pair::Conflict, if by_length { mark.length } else { 0 }))
            .or_default();
        if matches!(mark.kind, MarkerKind::Head(_)) {
            open.push(line);
        } else if let Some(slot) = open.pop().and_then(|head| ends.get_mut(head)) {
            *slot = Some(line);
        }
    }
    ends
}

/// The number of bytes above a block to search for its path.
const ABOVE: usize = 2000;

/// The path named by the lines above a place, but not before `from`.
pub(super) fn path_above(text: &str, from: usize, to: usize) -> Option<Path> {
    let from = text.ceil_char_boundary(from.max(to.saturating_sub(ABOVE)));
    let lines = lines(text.get(from..to)?, from);
    path::find(&lines, &[], 0, lines.len(), true)
}

struct Reader<'a, 't> {
    text: &'t str,
    lines: &'a [Line<'t>],
    marks: &'a [Option<Marker>],
    /// The line of every head's end: among markers of the same length, and among all.
    exact: Vec<Option<usize>>,
    any: Vec<Option<usize>>,
    blocks: Vec<Block>,
    /// The last one of a block.
    path: Option<Path>,
    /// The line after the last block: lines above it aren't searched for a path.
    free: usize,
}

/// The lines between a head and its end.
struct Body {
    /// The line of the end; if it's missing, the line after the last one.
    end: usize,
    dividers: Vec<usize>,
    ended: Option<Marker>,
}

impl Reader<'_, '_> {
    fn mark(&self, line: usize) -> Option<&Marker> {
        self.marks.get(line).and_then(Option::as_ref)
    }

    /// Reads the block whose head is on line `start`; returns the line to continue at.
    fn block(&mut self, start: usize, head: &Marker) -> usize {
        let MarkerKind::Head(pair) = head.kind else { return start + 1 };
        let body = self.body(start, head, pair);
        let Some(end) = &body.ended else {
            if pair == Pair::Conflict {
                return start + 1;
            }
            return self.unterminated(start, head, &body);
        };
        let mut warnings = Vec::new();
        if head.recovered || end.recovered {
            warnings.push(Warning::RecoveredMarker);
        }
        let mismatched = matches!(end.kind, MarkerKind::End(other) if other != pair);
        let (from, hint) = self.prelude(start + 1, body.end);
        let dividers: Vec<usize> =
            body.dividers.iter().copied().filter(|line| *line >= from).collect();
        let mut splits = self.splits(start, from, body.end, &dividers, head.length, &mut warnings);
        if hint.is_none() && from > start + 1 {
            // A rule without a line number before it may be content.
            let mut whole =
                self.splits(start, start + 1, body.end, &dividers, head.length, &mut warnings);
            whole.append(&mut splits);
            splits = whole;
        }
        if pair == Pair::Changelog {
            // It has no old text, so a divider in it is content.
            splits =
                vec![Split::new("", self.content(from, body.end, self.indent_of(start, body.end)))];
        }
        if pair == Pair::Conflict && dividers.is_empty() {
            // Nothing between the markers stays.
            splits =
                vec![Split::new(self.content(from, body.end, self.indent_of(start, body.end)), "")];
            warnings.push(Warning::UnclearMarker);
        }
        let error = if mismatched {
            Some(Reason::MismatchedEnd)
        } else if splits.is_empty() {
            Some(Reason::MissingDivider)
        } else {
            None
        };
        self.push(start..body.end, pair, splits, hint.or(head.line), error, warnings);
        self.free = body.end + 1;
        body.end + 1
    }

    fn push(
        &mut self,
        lines: Span,
        pair: Pair,
        splits: Vec<Split>,
        hint: Option<usize>,
        error: Option<Reason>,
        mut warnings: Vec<Warning>,
    ) {
        let (start, end) = (lines.start, lines.end);
        let seeks = splits.iter().any(|split| !split.search.trim().is_empty());
        let path = path::find(self.lines, self.marks, self.free, start, seeks).or_else(|| {
            let known = self.path.clone()?;
            if pair == Pair::Search {
                warnings.push(Warning::InheritedPath);
            }
            Some(Path { inherited: true, ..known })
        });
        let last = self
            .lines
            .get(end.min(self.lines.len().saturating_sub(1)))
            .map_or(self.text.len(), |line| line.span.start + line.text.len());
        let first = self.lines.get(start).map_or(0, |line| line.span.start);
        let splits = if splits.is_empty() { vec![Split::default()] } else { splits };
        let dialect =
            if pair == Pair::Conflict { Dialect::Conflict } else { Dialect::SearchReplace };
        let subject = match pair {
            Pair::Mission => Subject::Mission,
            Pair::Changelog => Subject::Changelog,
            Pair::Search | Pair::Conflict => Subject::File,
        };
        let path = path.filter(|_| subject == Subject::File);
        self.path = path.clone().or_else(|| self.path.take());
        let (operation, span, anchors) = (Operation::Edit, first..last, Vec::new());
        self.blocks.push(Block {
            dialect,
            span,
            path,
            operation,
            subject,
            splits,
            hint,
            all: false,
            count: None,
            anchors,
            candidates: Vec::new(),
            error,
            warnings,
        });
    }

    /// Everything between a head and its end. Nested blocks raise the depth; a marker of the head's
    /// own length ends it first.
    fn body(&self, start: usize, head: &Marker, pair: Pair) -> Body {
        let end = |ends: &[Option<usize>]| ends.get(start).copied().flatten();
        let exact = end(&self.exact);
        let found = exact.or_else(|| end(&self.any));
        let is_head = |line: &usize| {
            matches!(self.mark(*line).map(|mark| &mark.kind), Some(MarkerKind::Head(_)))
        };
        let last = found.unwrap_or_else(|| {
            (start + 1..self.lines.len()).find(is_head).unwrap_or(self.lines.len())
        });
        let (mut depth, mut dividers) = (0_usize, Vec::new());
        for line in start + 1..last {
            let Some(marker) = self.mark(line) else { continue };
            let counts = exact.is_none() || marker.length == head.length;
            let same =
                |inner: Pair| (inner == Pair::Conflict) == (pair == Pair::Conflict) && counts;
            match marker.kind {
                MarkerKind::Head(inner) if same(inner) => depth += 1,
                MarkerKind::End(inner) if same(inner) => depth = depth.saturating_sub(1),
                MarkerKind::Divider if depth == 0 => dividers.push(line),
                _ => {}
            }
        }
        Body {
            end: found.unwrap_or(self.lines.len()),
            dividers,
            ended: found.and_then(|line| self.mark(line).cloned()),
        }
    }

    /// A block without an end: up to the next head, and never applied.
    fn unterminated(&mut self, start: usize, head: &Marker, body: &Body) -> usize {
        let next = (start + 1..self.lines.len())
            .find(|line| matches!(self.mark(*line).map(|mark| &mark.kind), Some(MarkerKind::Head(pair)) if *pair != Pair::Conflict));
        let end = next.unwrap_or(self.lines.len());
        let dividers: Vec<usize> =
            body.dividers.iter().copied().filter(|line| *line < end).collect();
        // If the end belongs to a later block, use the first one before the next head.
        if let Some(close) =
            (start + 1..end).find(|line| matches!(self.mark(*line).map(|mark| &mark.kind), Some(MarkerKind::End(pair)) if *pair != Pair::Conflict))
        {
            let MarkerKind::Head(pair) = head.kind else { return end };
            let (from, hint) = self.prelude(start + 1, close);
            let mut warnings = vec![Warning::RecoveredMarker];
            let dividers: Vec<usize> = dividers.into_iter().filter(|line| *line >= from && *line < close).collect();
            let splits = self.splits(start, from, close, &dividers, head.length, &mut warnings);
            let error = splits.is_empty().then_some(Reason::MissingDivider);
            self.push(start..close, pair, splits, hint.or(head.line), error, warnings);
            self.free = close + 1;
            return close + 1;
        }
        let MarkerKind::Head(pair) = head.kind else { return end };
        let (from, hint) = self.prelude(start + 1, end);
        let mut warnings = Vec::new();
        // A second divider in place of the end.
        if let [first, last] = dividers.as_slice()
            && self.lines.get(last + 1).is_none_or(|line| {
                line.text.trim().is_empty() || line.text.trim_start().starts_with("```")
            })
        {
            warnings.push(Warning::UnclearMarker);
            let splits = self.splits(start, from, *last, &[*first], head.length, &mut warnings);
            self.push(start..*last, pair, splits, hint.or(head.line), None, warnings);
            self.free = last + 1;
            return last + 1;
        }
        let splits = self.splits(start, from, end, &dividers, head.length, &mut warnings);
        self.push(
            start..end.saturating_sub(1),
            pair,
            splits,
            hint.or(head.line),
            Some(Reason::UnterminatedBlock),
            warnings,
        );
        // Leave the next block's path out.
        self.free = end.saturating_sub(2).max(start + 1);
        end
    }

    /// Lines that some dialects put between the head and the old text: a line number, a rule.
    fn prelude(&self, mut at: usize, end: usize) -> (usize, Option<usize>) {
        let mut hint = None;
        while let Some(line) = self.lines.get(at).filter(|_| at < end) {
            let text = line.text.trim();
            let number = |mark: &str| {
                text.strip_prefix(mark).and_then(|rest| rest.trim().parse::<usize>().ok())
            };
            match (number(":start_line:"), number(":end_line:")) {
                (None, None) if text == "-------" && at + 1 < end => return (at + 1, hint),
                (None, None) => break,
                (start, _) => hint = start.or(hint),
            }
            at += 1;
        }
        (at, hint)
    }

    /// Whether a line of `=` may underline a title in the block's file, judged by the file's name.
    fn has_titles(&self, start: usize) -> bool {
        let own = path::find(self.lines, self.marks, self.free, start, true);
        let path = own.or_else(|| self.path.clone());
        let extension = path.as_ref().and_then(|path| {
            path.text
                .rsplit(['/', '\\'])
                .next()?
                .rsplit_once('.')
                .map(|(_, end)| end.to_ascii_lowercase())
        });
        extension
            .is_none_or(|end| !announcement::is_extension(&end) || announcement::is_prose(&end))
    }

    /// The ways to split the lines from `from` to `end`, the most likely first.
    fn splits(
        &self,
        start: usize,
        from: usize,
        end: usize,
        dividers: &[usize],
        length: usize,
        warnings: &mut Vec<Warning>,
    ) -> Vec<Split> {
        let own = |line: &&usize| self.mark(**line).is_some_and(|marker| marker.length == length);
        let seven = |line: &&usize| self.mark(**line).is_some_and(|marker| marker.length == 7);
        let mut kept: Vec<usize> = dividers.iter().filter(own).copied().collect();
        kept.extend(dividers.iter().filter(|line| !own(line)).filter(seven));
        if kept.is_empty() {
            kept.extend(dividers);
        }
        kept.sort_unstable();
        let strip = self.indent_of(start, end);
        let mut splits = Vec::new();
        // A divider right before the end is superfluous, unless it underlines a title.
        if let (Some(&first), Some(&last)) = (kept.first(), kept.last())
            && first != last
            && last + 1 == end
        {
            let title =
                |line: &Line| line.text.trim().chars().next().is_some_and(char::is_alphanumeric);
            let titled = self.lines.get(last - 1).is_some_and(title) && self.has_titles(start);
            warnings.push(Warning::ExtraDivider);
            splits.push(self.split(from, first, if titled { end } else { last }, strip));
            kept.retain(|line| *line != last && *line != first);
        }
        // The second of two dividers in a row may also be superfluous, or content.
        if let [first, second, ..] = kept.as_slice()
            && first + 1 == *second
        {
            warnings.push(Warning::ExtraDivider);
            splits.push(self.split(from, *first, end, strip));
            splits.push(Split::new(
                self.content(from, *first, strip),
                self.content(second + 1, end, strip),
            ));
            kept.remove(0);
        }
        splits.extend(
            kept.iter().take(MOST_SPLITS).map(|divider| self.split(from, *divider, end, strip)),
        );
        splits
    }

    fn split(&self, from: usize, divider: usize, end: usize, strip: &str) -> Split {
        Split::new(self.content(from, divider, strip), self.content(divider + 1, end, strip))
    }

    fn content(&self, from: usize, to: usize, strip: &str) -> String {
        let lines = self.lines.get(from..to.max(from)).unwrap_or_default();
        let mut out = String::new();
        for line in lines {
            let text = self.text.get(line.span.clone()).unwrap_or_default();
            out.push_str(text.strip_prefix(strip).unwrap_or(text));
        }
        // The last line of a truncated block.
        if !out.is_empty() && !out.ends_with('\n') {
            out.push('\n');
        }
        out
    }

    /// The indentation of the list item that contains a block: every line has it.
    fn indent_of(&self, start: usize, end: usize) -> &str {
        let indent = self.lines.get(start).map_or("", |line| indentation(line.text));
        let inside =
            self.lines.get(start..=end.min(self.lines.len().saturating_sub(1))).unwrap_or_default();
        let all = inside
            .iter()
            .filter(|line| !line.text.trim().is_empty())
            .all(|line| line.text.starts_with(indent));
        if all { indent } else { "" }
    }
}
