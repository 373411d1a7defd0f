//! Scans a reply line by line: the construct that begins first owns everything up to its end.

use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use super::diff::{end_of_diff, is_diff};
use super::element;
use super::ending;
use super::fence;
use super::lines::{Line, line_at, lines};
use super::naming::{self, Names};
use super::patch::{self, BEGIN, END};
use super::prose::{self, Turn};
use super::tags::tag;
use super::{Content, Draft, Fault, Grammar, Why, numbered, shell, tokens};
use crate::edit::{self, Block, Dialect, Operation, Path, Reason, marker, naming as words};
use crate::text::Span;

/// The most lines of prose to search for the name of a file.
const MOST_PROSE: usize = 200;
/// Elements around titles.
const TITLES: [&str; 11] =
    ["b", "code", "em", "h1", "h2", "h3", "h4", "h5", "h6", "strong", "summary"];
const SECTIONS: [&str; 3] = ["*** Add File:", "*** Update File:", "*** Delete File:"];

/// Parses a reply as Markdown.
pub(super) fn scan(text: &str, grammars: &[&dyn Grammar]) -> Draft {
    let mut scanner = Scanner::new(text, grammars);
    scanner.run(0, scanner.lines.len());
    scanner.finish()
}

/// The result of scanning a part of a reply; offsets count from its start.
#[derive(Debug)]
pub(super) struct Part {
    pub draft: Draft,
    /// The end of the last construct: the text after it doesn't depend on anything before.
    pub resume: usize,
    /// Something begins in the part and may end after it.
    pub open: bool,
    /// It contains a dialect whose operations depend on the whole text.
    pub marked: bool,
}

/// Scans a part that begins after a construct.
pub(super) fn scan_part(text: &str, grammars: &[&dyn Grammar]) -> Part {
    let mut scanner = Scanner::new(text, grammars);
    scanner.run(0, scanner.lines.len());
    scanner.skip_applied();
    scanner.refuse_unended();
    let marked = scanner.marked.contains(&true);
    Part { draft: scanner.draft, resume: scanner.resume, open: scanner.open, marked }
}

/// Whether the reply is a conversation, in which later turns override earlier ones.
pub(super) fn is_conversation(text: &str) -> bool {
    text.strip_prefix('\u{feff}').unwrap_or(text).lines().any(|line| {
        prose::turn(line.trim()) == Some(Turn::Assistant)
            || line.starts_with("# aider chat started")
            || tokens::is_user(line)
    })
}

impl<'t, 'g> Scanner<'t, 'g> {
    pub(super) fn new(text: &'t str, grammars: &'g [&'g dyn Grammar]) -> Self {
        let lines: Rc<[Line]> = lines(text).into();
        // Every block by its first line: the scan finds most of them there.
        let blocks = edit::read_search_replace(text)
            .into_iter()
            .map(|block| (line_at(&lines, block.span.start), block))
            .collect();
        let has_turns =
            lines.iter().any(|line| prose::turn(line.text.trim()) == Some(Turn::Assistant));
        let is_log = lines
            .iter()
            .find(|line| !line.is_blank())
            .is_some_and(|line| line.text.starts_with("# aider chat started"));
        Self {
            text,
            lines,
            blocks,
            grammars,
            prose: Vec::new(),
            draft: Draft::default(),
            owned: Vec::new(),
            marked: vec![false; grammars.len()],
            before: false,
            has_turns,
            is_log,
            echo: false,
            resume: 0,
            open: false,
            answer: None,
            reports: None,
            unended: None,
            closers: HashMap::new(),
            unpaired: HashSet::new(),
            unended_json: HashSet::new(),
            applied: HashMap::new(),
            mentioned: HashMap::new(),
            patch_ends: OnceCell::new(),
            uncaptioned: None,
        }
    }
}

/// The name of a file in the line above a construct.
pub(super) struct Above {
    pub path: Path,
    /// The line also has a remark about the file.
    pub remarked: bool,
    /// The remark says that all of the file follows.
    pub all: bool,
    /// The name including the remark, if that could be a file name.
    pub whole: Option<Path>,
}

pub(super) struct Scanner<'t, 'g> {
    pub(super) text: &'t str,
    pub(super) lines: Rc<[Line<'t>]>,
    pub(super) blocks: HashMap<usize, Block>,
    pub(super) grammars: &'g [&'g dyn Grammar],
    /// The lines since the last construct.
    pub(super) prose: Vec<Line<'t>>,
    pub(super) draft: Draft,
    /// The spans of constructs, in order.
    pub(super) owned: Vec<Span>,
    /// The grammars with markers in the text.
    pub(super) marked: Vec<bool>,
    /// The last fence shows an earlier state.
    pub(super) before: bool,
    pub(super) has_turns: bool,
    pub(super) is_log: bool,
    /// The next block repeats one that failed.
    pub(super) echo: bool,
    /// The end of the last construct.
    pub(super) resume: usize,
    /// Something began and was never closed.
    pub(super) open: bool,
    /// What the user says after the last turn.
    pub(super) answer: Option<Span>,
    /// The trailing run of a client's reports.
    reports: Option<(usize, usize)>,
    /// The tag of a result that is never closed.
    pub(super) unended: Option<Span>,
    /// The last position of each closing tag that was looked up.
    pub(super) closers: HashMap<String, Option<usize>>,
    /// Names of result tags that aren't all closed.
    pub(super) unpaired: HashSet<String>,
    /// The starts of objects and lists in an invalid value that are still open at its mistake.
    pub(super) unended_json: HashSet<usize>,
    /// The files that the client reports to have changed, and the number of steps before that.
    applied: HashMap<String, usize>,
    /// The last file that a line mentions, by the start of the line.
    mentioned: HashMap<usize, Option<String>>,
    pub(super) patch_ends: OnceCell<patch::Ends<'t>>,
    /// Where the last fence begins, if nothing names its file, and its language.
    pub(super) uncaptioned: Option<(usize, String)>,
}

impl<'t> Scanner<'t, '_> {
    pub(super) fn run(&mut self, from: usize, to: usize) {
        let mut at = from;
        while at < to {
            let faults = self.draft.faults.len();
            let blank = self.lines.get(at).is_none_or(Line::is_blank);
            let (steps, warned) = (self.draft.steps.len(), !blank && self.is_warned_of());
            let example = !blank && self.is_example();
            at = self.line(at, to).max(at + 1);
            if warned {
                self.refuse_from(steps);
            } else if example {
                self.refuse_examples(steps);
            }
            let unended = |fault: &Fault| {
                matches!(
                    fault.reason,
                    Reason::UnterminatedBlock | Reason::CutOff | Reason::InvalidJson
                )
            };
            self.open |=
                at >= to && self.draft.faults.get(faults..).unwrap_or_default().iter().any(unended);
        }
    }

    /// The reply warns against these steps.
    fn refuse_from(&mut self, first: usize) {
        for step in self.draft.steps.iter_mut().skip(first) {
            step.block.error = step.block.error.or(Some(Reason::WarnedOf));
        }
    }

    pub(super) fn finish(mut self) -> Draft {
        self.skip_applied();
        self.refuse_unended();
        let tail = self.text.get(self.resume..).unwrap_or_default();
        ending::check(tail, self.resume, &mut self.draft);
        self.take_answer();
        self.draft.free = !self.draft.steps.is_empty() || !self.draft.faults.is_empty();
        for (index, grammar) in self.grammars.iter().enumerate() {
            if self.marked.get(index) == Some(&true) {
                let masked = masked(self.text, &self.owned);
                grammar.operations(&masked).into_iter().for_each(|block| self.draft.block(block));
            }
        }
        self.draft
    }

    pub(super) fn text_of(&self, index: usize) -> &'t str {
        self.lines.get(index).map_or("", |line| line.text)
    }

    pub(super) fn start(&self, index: usize) -> usize {
        self.lines.get(index).map_or(self.text.len(), |line| line.span.start)
    }

    /// The lines from one index to another, without the last break.
    pub(super) fn span(&self, from: usize, to: usize) -> Span {
        let end = to
            .checked_sub(1)
            .and_then(|last| self.lines.get(last))
            .map_or(self.start(from), Line::end);
        self.start(from)..end.max(self.start(from))
    }

    pub(super) fn take_prose(&mut self, index: usize) {
        self.prose.extend(self.lines.get(index).cloned());
    }

    /// Marks these lines as a construct: announcements before it are used up.
    pub(super) fn own(&mut self, from: usize, to: usize) {
        self.owned.push(self.span(from, to));
        self.prose.clear();
        self.before = false;
        self.resume = self.start(to);
    }

    /// Parses the construct that begins in a line; returns the line after it.
    pub(super) fn line(&mut self, at: usize, to: usize) -> usize {
        let text = self.text_of(at);
        let trimmed = text.trim();
        if trimmed.is_empty() {
            self.take_prose(at);
            return at + 1;
        }
        let mark = marker(text);
        if mark.is_none() && trimmed.starts_with('>') {
            return self.quotation(at, to);
        }
        if self.is_log && trimmed.starts_with("#### ")
            || self.has_turns && prose::turn(trimmed) == Some(Turn::User)
        {
            return self.other_turn(at, to);
        }
        if self.has_turns && prose::turn(trimmed) == Some(Turn::Assistant) {
            self.retract(Why::Quoted);
            self.own(at, at + 1);
            return at + 1;
        }
        if trimmed.starts_with("## SearchReplaceNoExactMatch") {
            self.echo = true;
            self.own(at, at + 1);
            return at + 1;
        }
        if element::closes_thought(trimmed)
            || tokens::ends_thought(trimmed) && self.has_text(at + 1, to)
            || trimmed == "► **ANSWER**"
        {
            self.retract(Why::Thought);
            self.owned.push(0..self.start(at));
            self.own(at, at + 1);
            return at + 1;
        }
        if trimmed == "► **THINKING**" {
            let answer = (at..to).find(|index| self.text_of(*index).trim() == "► **ANSWER**");
            return self.thought(at, answer.map(|answer| answer + 1));
        }
        if let Some(next) = self.tokens(at, to) {
            return next;
        }
        if trimmed.starts_with('<') && mark.is_none() {
            if trimmed.starts_with("<!--") && !trimmed.contains("-->") {
                let end = (at..to).find(|index| self.text_of(*index).contains("-->"));
                self.open |= end.is_none();
                let end = end.map_or(to, |end| end + 1);
                self.draft.skip(self.span(at, end), Why::Quoted);
                self.owned.push(self.span(at, end));
                return end;
            }
            if let Some(next) = self.element(at, to) {
                return next;
            }
        }
        if trimmed == BEGIN {
            return self.patch(at, to);
        }
        if SECTIONS.iter().any(|section| text.starts_with(section)) || text.trim_end() == END {
            let message = format!("`{trimmed}` is not inside `{BEGIN}` … `{END}`");
            self.draft.fault(self.span(at, at + 1), Reason::StrayMarker, message);
            self.own(at, at + 1);
            return at + 1;
        }
        if let Some(next) = self.grammar(at, to) {
            return next;
        }
        if shell::holds_patch(self.text_of(at + 1))
            && trimmed.contains("apply")
            && trimmed.contains("<<")
        {
            return self.heredoc(at, to);
        }
        if fence::opener(text).is_some() {
            return self.fence(at, to);
        }
        if let Some(mark) = mark {
            return self.marker(at, to, mark.kind);
        }
        if is_diff(&self.lines, at) {
            return self.diff(at, to);
        }
        if self.is_unknown_head(at) {
            return at + 1;
        }
        if let Some(next) = self.json(at, to) {
            return next;
        }
        if trimmed == "@@start" || text.starts_with("@ ") {
            let read = if text.starts_with("@ ") {
                numbered::mentat(&self.lines, at, &mut self.draft)
            } else {
                numbered::mentat_json(&self.lines, at, &mut self.draft)
            };
            if let Some(next) = read {
                self.own(at, next.min(to));
                return next;
            }
        }
        if let Some(next) = self.file_section(at, to) {
            return next;
        }
        if element::is_stray_close(trimmed) && !self.is_opened(trimmed) {
            self.draft.fault(
                self.span(at, at + 1),
                Reason::StrayMarker,
                format!("`{trimmed}` closes nothing: the text before it may have been cut off"),
            );
            self.own(at, at + 1);
            return at + 1;
        }
        self.nameless_hunk(at);
        self.caption(at, to);
        self.take_prose(at);
        at + 1
    }

    /// Whether text follows.
    fn has_text(&mut self, at: usize, to: usize) -> bool {
        let next = (at..to).find(|index| !self.text_of(*index).trim().is_empty());
        self.open |= next.is_none();
        next.is_some()
    }

    /// A block quote: a quotation of another speaker, or of a tool's output.
    pub(super) fn quotation(&mut self, at: usize, to: usize) -> usize {
        let quoted = |index: &usize| {
            self.text_of(*index).trim_start().starts_with('>')
                && marker(self.text_of(*index)).is_none()
        };
        let end = (at..to).find(|index| !quoted(index)).unwrap_or(to);
        for index in at..end {
            let said = self.text_of(index).trim_start_matches(['>', ' ']).trim();
            if let Some(file) = said.strip_prefix("Applied edit to ") {
                self.applied.insert(file.trim().to_owned(), self.draft.steps.len());
            }
        }
        self.draft.skip(self.span(at, end), Why::Quoted);
        self.owned.push(self.span(at, end));
        // One quoted line may be a title; text after a longer quotation isn't about the file that
        // it quotes.
        let quoted = self.text_of(at).trim_start_matches(['>', ' ']);
        let text = if end == at + 1 { quoted } else { "" };
        let start = self.start(at) + (self.text_of(at).len() - quoted.len());
        self.prose.push(Line { span: start..self.start(at + 1).max(start), text });
        end
    }

    /// Skips the edits that the client reports to have made.
    pub(super) fn skip_applied(&mut self) {
        let applied = std::mem::take(&mut self.applied);
        let Some(last) = applied.values().copied().max() else { return };
        let mut steps = 0..;
        let made = self.draft.steps.extract_if(.., |step| {
            let until = match &step.block.path {
                Some(path) => applied.get(&path.text).copied(),
                None => Some(last),
            };
            steps.next() < until
        });
        let spans: Vec<Span> = made.map(|step| step.block.span).collect();
        spans.into_iter().for_each(|span| self.draft.skip(span, Why::Quoted));
    }

    /// Whether the reply makes edits before this place.
    pub(super) fn has_edits(&mut self) -> bool {
        self.skip_applied();
        !self.draft.steps.is_empty()
    }

    /// The user, up to the next turn: everything before is closed, unless this is the answer to it.
    pub(super) fn other_turn(&mut self, at: usize, to: usize) -> usize {
        let is_turn = |index: &usize| {
            let text = self.text_of(*index).trim();
            if self.is_log {
                !text.starts_with("#### ")
            } else {
                prose::turn(text) == Some(Turn::Assistant)
            }
        };
        let end = (at + 1..to).find(is_turn);
        self.open |= end.is_none();
        let end = end.unwrap_or(to);
        let span = self.span(at, end);
        if end >= self.reports(to) {
            let start = self.answer.take().map_or(span.start, |answer| answer.start);
            self.answer = Some(start..span.end);
        } else {
            self.retract(Why::Quoted);
        }
        self.draft.skip(span, Why::Quoted);
        self.own(at, end);
        end
    }

    /// Where the trailing run of a client's reports begins.
    fn reports(&mut self, to: usize) -> usize {
        if let Some((start, end)) = self.reports.filter(|(_, end)| *end == to) {
            return start.min(end);
        }
        let is_report = |index: usize| {
            let text = self.text_of(index).trim();
            text.is_empty() || text.starts_with('>') || self.is_log && text.starts_with("#### ")
        };
        let start = (0..to).rev().find(|index| !is_report(*index)).map_or(0, |last| last + 1);
        self.reports = Some((start, to));
        start
    }

    /// A line of a dialect that a format reads.
    pub(super) fn grammar(&mut self, at: usize, to: usize) -> Option<usize> {
        let line = self.lines.get(at)?.clone();
        let index = self.grammars.iter().position(|grammar| grammar.is_marker(line.text))?;
        let grammar = self.grammars.get(index)?;
        if let Some(seen) = self.marked.get_mut(index) {
            *seen = true;
        }
        self.prose.clear();
        match grammar.content(self.text, line.span.start..line.end()) {
            Content::None => Some(at + 1),
            Content::To(end) => Some((line_at(&self.lines, end.saturating_sub(1)) + 1).min(to)),
            Content::Open => Some(to),
            Content::Notes => {
                (at + 1..to).find(|next| grammar.is_marker(self.text_of(*next))).or(Some(to))
            }
        }
    }

    /// File names mentioned since the last construct.
    pub(super) fn names(&self, stated: bool, inherits: bool) -> Names {
        let mentions = naming::mentions(self.recent());
        Names { mentions, stated, inherits, ..Names::default() }
    }

    /// The last file mentioned in the last lines of prose.
    pub(super) fn last_mentioned(&mut self) -> Option<String> {
        let from = self.prose.len().saturating_sub(MOST_PROSE);
        let last = |line: &Line| Some(naming::mentions(std::slice::from_ref(line)).pop()?.path);
        self.prose.get(from..).unwrap_or_default().iter().rev().find_map(|line| {
            self.mentioned.entry(line.span.start).or_insert_with(|| last(line)).clone()
        })
    }

    /// The last lines of prose: earlier ones are about other files.
    pub(super) fn recent(&self) -> &[Line<'t>] {
        self.prose.get(self.prose.len().saturating_sub(MOST_PROSE)..).unwrap_or_default()
    }

    /// The file name in the line above, if the line has nothing else but a remark.
    pub(super) fn name_above(&self, seeks: bool) -> Option<Path> {
        self.above(seeks).map(|above| above.path)
    }

    /// The line above that names a file.
    pub(super) fn above(&self, seeks: bool) -> Option<Above> {
        let line = self.line_above()?;
        let path = |name: &str| {
            let at = line.span.start
                + (name.as_ptr() as usize).saturating_sub(line.text.as_ptr() as usize);
            Path { text: name.to_owned(), span: at..at + name.len(), inherited: false }
        };
        let text = untagged(line.text);
        let name = if seeks { words::alone_above(text) } else { words::alone(text) };
        if name.is_some_and(|name| !seeks && naming::shows_earlier(text, name)) {
            return None;
        }
        if let Some(name) = name {
            return Some(Above { path: path(name), remarked: false, all: false, whole: None });
        }
        // The last of several items is part of an overview.
        let item = |line: &Line| is_item(line.text) && !line.text.trim_start().starts_with("**");
        let mut filled = self.prose.iter().rev().filter(|line| !line.is_blank());
        if item(line) && filled.nth(1).is_some_and(item) {
            return None;
        }
        let found = naming::remarked(text)?;
        let all = naming::calls_whole(text, found.name);
        Some(Above { path: path(found.name), remarked: true, all, whole: found.whole.map(path) })
    }

    /// The line right above, or a name above a label such as `Code:`.
    pub(super) fn line_above(&self) -> Option<&Line<'t>> {
        let mut lines = self.prose.iter().rev();
        let line = lines.by_ref().take(2).find(|line| !line.is_blank())?;
        let named = |line: &&Line| words::alone(untagged(line.text)).is_some();
        let mut before = lines.take(2).filter(|line| !line.is_blank());
        let title = if prose::is_content(line.text) { before.next() } else { None };
        title.filter(named).or(Some(line))
    }

    /// A name that is written on a line.
    pub(super) fn path_in(&self, line: usize, name: &str) -> Path {
        let at = self.text_of(line).find(name).map_or(self.start(line), |at| self.start(line) + at);
        Path { text: name.to_owned(), span: at..at + name.len(), inherited: false }
    }

    pub(super) fn diff(&mut self, at: usize, to: usize) -> usize {
        let (end, owed) = end_of_diff(&self.lines, at, to);
        let span = self.span(at, end);
        let found = edit::read_unified(self.text.get(span.clone()).unwrap_or_default());
        if found.is_empty() || owed > 0 && end >= self.lines.len() {
            self.draft.fault(
                self.span(at, at + 1),
                Reason::UnterminatedBlock,
                "the diff has fewer lines than its header promises: the reply may have been cut off",
            );
        }
        for block in found.into_iter().map(|block| block.shifted(span.start)) {
            let error = block.error.or(block.path.is_none().then_some(Reason::MissingPath));
            self.draft.block(Block { error, ..block });
        }
        self.own(at, end);
        end
    }

    /// Plandex's `### Move Files` and `### Remove Files`.
    pub(super) fn file_section(&mut self, at: usize, to: usize) -> Option<usize> {
        let heading = self.text_of(at).strip_prefix("###")?.trim().to_owned();
        let moves = match heading.as_str() {
            "Move Files" => true,
            "Remove Files" => false,
            _ => return None,
        };
        let mut end = at + 1;
        while end < to {
            let text = self.text_of(end);
            let Some(item) = text.trim().strip_prefix("- ") else {
                if text.trim().is_empty() {
                    end += 1;
                    continue;
                }
                break;
            };
            let names: Vec<&str> = item.split('`').skip(1).step_by(2).collect();
            let block = |operation: Operation, name: &str| Block {
                operation,
                span: self.span(end, end + 1),
                path: Some(self.path_in(end, name)),
                ..Block::of(Dialect::WholeFile, "", "")
            };
            let made = match names.as_slice() {
                [from, to] if moves => block(Operation::Move((*to).to_owned()), from),
                [name] if !moves => block(Operation::Delete, name),
                _ => break,
            };
            self.draft.block(made);
            end += 1;
        }
        self.own(at, end);
        Some(end)
    }
}

/// A line without the elements around all of it: `<summary>src/a.rs</summary>`
pub(super) fn untagged(text: &str) -> &str {
    let mut text = text.trim();
    text = text.strip_prefix("<details>").unwrap_or(text);
    while let Some(title) = tag(text, 0).filter(|tag| TITLES.contains(&tag.name)) {
        let inner = text
            .get(title.span.end..)
            .and_then(|rest| rest.strip_suffix('>')?.strip_suffix(title.name)?.strip_suffix("</"));
        let Some(inner) = inner else { break };
        text = inner.trim();
    }
    text
}

pub(super) fn is_item(text: &str) -> bool {
    let text = text.trim_start();
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    text.starts_with(['-', '*', '+'])
        || digits > 0 && text.get(digits..).is_some_and(|rest| rest.starts_with(['.', ')']))
}

/// The text with some spans replaced by spaces, except for line breaks.
fn masked(text: &str, spans: &[Span]) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for span in spans {
        bytes
            .get_mut(span.clone())
            .into_iter()
            .flatten()
            .filter(|byte| !matches!(**byte, b'\n' | b'\r'))
            .for_each(|byte| *byte = b' ');
    }
    String::from_utf8(bytes).unwrap_or_else(|_| text.to_owned())
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use crate::growth;

    #[test]
    fn reports_of_a_client_are_read_in_linear_time() {
        let input = |files: usize| {
            let mut text = "# aider chat started at 2025-11-02\n\n#### go\n\n".to_owned();
            for file in 0..files {
                let edit = "<<<<<<< SEARCH\nx\n=======\ny\n>>>>>>> REPLACE\n";
                let _ = write!(text, "f{file}.py\n{edit}\n");
            }
            for file in 0..files {
                let _ = write!(text, "> Applied edit to f{file}.py\n\nNext.\n\n");
            }
            text
        };
        growth::is_linear("reports", 2_000, input, |text| {
            std::hint::black_box(crate::reply::read(&text, &[]));
        });
    }
}
