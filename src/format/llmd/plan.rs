//! The changes that the live blocks of a document make to its own parts: Code Context, Mission and
//! Changelog (LLMD-12 to LLMD-19).

use std::cell::{OnceCell, RefCell};
use std::collections::BTreeMap;
use std::sync::Arc;

use super::layout::{File, Layout, Placed, Role, Section, SectionKind};
use crate::edit::batch::{Applied, Refused, Request};
use crate::edit::{self, Block, Lines, Reason, Subject, Tier};
use crate::plan;
use crate::plan::doubt::{Ask, Doubt};
use crate::text::{self, Edit, Span};

/// The blocks of a plan, and the outcome of each.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// Indices into [`Layout::blocks`].
    pub blocks: Vec<usize>,
    pub results: Vec<Result<Applied, Refused>>,
    /// The results that add a file.
    pub added: Vec<usize>,
    /// Edits of the document, in order and disjoint.
    pub edits: Vec<Edit>,
}

impl Plan {
    /// Whether every block was applied, now or earlier.
    pub fn is_complete(&self) -> bool {
        self.results
            .iter()
            .all(|result| result.as_ref().map_or_else(edit::batch::Refused::is_settled, |_| true))
    }
}

/// The live blocks: those of the last entry in which an assistant speaks, or of the requested
/// entry.
pub fn live(layout: &Layout, entry: Option<u64>) -> Vec<usize> {
    let wanted = match entry {
        Some(number) => layout.entries.iter().position(|entry| entry.number == Some(number)),
        None => layout.entries.iter().rposition(|entry| entry.assistant.is_some()),
    };
    let is_live = |placed: &Placed| {
        placed.role == Role::Live && (placed.entry.is_none() || placed.entry == wanted)
    };
    layout
        .blocks
        .iter()
        .enumerate()
        .filter(|(_, placed)| is_live(placed))
        .map(|(index, _)| index)
        .collect()
}

/// The changes that these blocks make to the document's own parts, in order.
pub fn to_context(text: &str, layout: &Layout, blocks: &[usize], confirmed: bool) -> Plan {
    among(text, layout, blocks, confirmed, &Contents::default())
}

/// The contents of files, by their start: split once for several plans.
type Contents<'a> = RefCell<BTreeMap<usize, Arc<Lines<'a>>>>;

fn among<'a>(
    text: &'a str,
    layout: &'a Layout,
    blocks: &[usize],
    confirmed: bool,
    contents: &Contents<'a>,
) -> Plan {
    let mut parts = Parts {
        text,
        layout,
        contents,
        files: BTreeMap::new(),
        mission: None,
        added: Vec::new(),
        items: Vec::new(),
        above: OnceCell::new(),
        changelog: OnceCell::new(),
        confirmed,
    };
    let (mut results, mut added) = (Vec::new(), Vec::new());
    for placed in blocks.iter().filter_map(|index| layout.blocks.get(*index)) {
        let files = parts.added.len();
        let result = parts.block(placed);
        if parts.added.len() > files {
            added.push(results.len());
        }
        results.push(result);
    }
    Plan { blocks: blocks.to_vec(), results, added, edits: parts.edits() }
}

/// The same, as a change of the file at `path`, shown as `name`.
pub fn of_numbered(
    text: &str,
    layout: &Layout,
    blocks: &[(u64, usize)],
    confirmed: bool,
    (path, name): (&std::path::Path, &str),
) -> plan::Plan {
    let contents = Contents::default();
    let indices: Vec<usize> = blocks.iter().map(|(_, index)| *index).collect();
    let own = among(text, layout, &indices, confirmed, &contents);
    let mut found = plan::Plan::default();
    for (at, ((block, index), result)) in blocks.iter().zip(&own.results).enumerate() {
        let placed = layout.blocks.get(*index);
        let file =
            placed.and_then(|placed| placed.block.path.as_ref()).map(|path| path.text.clone());
        let done = |strategy: plan::Strategy, line: usize, similarity: f64| plan::Applied {
            block: *block,
            file: file.clone().unwrap_or_else(|| name.to_owned()),
            strategy,
            line,
            similarity,
        };
        match result {
            Ok(applied) => {
                let strategy = match own.added.binary_search(&at) {
                    Ok(_) => plan::Strategy::Create,
                    Err(_) => plan::Strategy::Edit(applied.tier),
                };
                found.applied.push(done(strategy, applied.line, applied.score));
            }
            Err(refused) if refused.reason == Reason::AlreadyApplied => {
                found.applied.push(done(plan::Strategy::AlreadyApplied, 0, 1.0))
            }
            Err(refused)
                if refused.reason == Reason::NoOp
                    && placed.is_none_or(|placed| placed.block.subject != Subject::Changelog) =>
            {
                found.applied.push(done(plan::Strategy::NoOp, 0, 1.0))
            }
            Err(refused) if refused.reason == Reason::NoOp => {
                found.refusals.push(plan::Refusal::new(
                    *block,
                    Some(name),
                    plan::Reason::MissingContent,
                    "the changelog block is empty; write the new item into it",
                ))
            }
            Err(refused)
                if refused.reason == Reason::FileMissing
                    && let Some(written) = &file
                    && let Err((reason, message)) =
                        plan::path::below(std::path::Path::new(""), written) =>
            {
                found.refusals.push(plan::Refusal::new(*block, Some(written), reason, message));
            }
            Err(refused) => found.refusals.push(plan::Refusal {
                block: *block,
                message: match placed.map(|placed| placed.block.subject) {
                    Some(Subject::Mission) if refused.reason == Reason::NotFound => {
                        "this isn't the current mission; copy it exactly".to_owned()
                    }
                    _ => plan::describe(refused, file.as_deref().unwrap_or(name)),
                },
                file,
                reason: refused.reason.into(),
                candidates: refused.candidates.clone(),
                nearest: refused.nearest.clone(),
                ask: would_be(text, layout, *index, refused, name, &contents).map(Box::new),
                line: None,
            }),
        }
    }
    let after = text::apply(text, &own.edits).unwrap_or_else(|_| text.to_owned());
    if after != text {
        let blocks = found.applied.iter().map(|applied| applied.block).collect();
        found.changes.push(plan::FileChange {
            blocks,
            ..plan::FileChange::new(path.to_owned(), name, Some(text), Some(&after))
        });
    }
    found
}

/// The change that a block would make to the document, to ask the author about.
fn would_be<'a>(
    text: &'a str,
    layout: &'a Layout,
    index: usize,
    refused: &Refused,
    name: &str,
    contents: &Contents<'a>,
) -> Option<Ask> {
    if !matches!(refused.reason, Reason::NeedsConfirmation | Reason::SplitAmbiguous) {
        return None;
    }
    let own = among(text, layout, &[index], true, contents);
    let after = text::apply(text, &own.edits).ok().filter(|_| own.is_complete())?;
    let change = plan::FileChange::new(name.into(), name, Some(text), Some(&after));
    Some(Ask { doubts: vec![Doubt::LIKELY], diff: change.diff() })
}

/// Applies a block to `content`, in place.
fn change<'t>(
    content: &mut Arc<Lines<'t>>,
    block: &Block,
    request: Request,
) -> Result<Applied, Refused> {
    let mut batch = edit::apply_to(Some(Arc::clone(content)), &[block], request);
    let result = batch.results.pop().unwrap_or_else(|| Err(refused(Reason::NotFound)));
    if let (Ok(_), Some(new)) = (&result, batch.text) {
        *content = new;
    }
    result
}

struct Parts<'a, 'c> {
    text: &'a str,
    layout: &'a Layout,
    contents: &'c Contents<'a>,
    /// The content of each file that blocks name, and where it is, by its start.
    files: BTreeMap<usize, (Span, Arc<Lines<'a>>)>,
    /// The new mission, and where it is.
    mission: Option<(Span, String)>,
    /// New files: path and content.
    added: Vec<(String, Arc<Lines<'a>>)>,
    /// New items of the changelog.
    items: Vec<String>,
    /// The first line of the mission.
    above: OnceCell<usize>,
    /// The line after the last item of the changelog.
    changelog: OnceCell<usize>,
    confirmed: bool,
}

impl Parts<'_, '_> {
    fn block(&mut self, placed: &Placed) -> Result<Applied, Refused> {
        if let Some(reason) = placed.block.error {
            return Err(refused(reason));
        }
        match placed.block.subject {
            Subject::File => self.file(placed),
            Subject::Mission => self.mission(placed),
            Subject::Changelog => self.changelog(placed),
        }
    }

    fn section(&self, kind: SectionKind) -> Option<&Section> {
        self.layout.sections.iter().find(|section| section.kind == kind)
    }

    fn file(&mut self, placed: &Placed) -> Result<Applied, Refused> {
        let path = placed
            .block
            .path
            .as_ref()
            .filter(|path| !path.inherited)
            .ok_or_else(|| refused(Reason::MissingPath))?
            .text
            .clone();
        let request = Request::strict(self.confirmed);
        if let Some((_, content)) = self.added.iter_mut().find(|(known, _)| *known == path) {
            return change(content, &placed.block, request);
        }
        let known = self.layout.files.iter().find(|file| name_of(file) == path);
        // A word above a block is a name only if there is such a file.
        let is_word = edit::naming::word(&path).is_some() && !edit::naming::is_file_name(&path);
        if known.is_none() && is_word {
            return Err(refused(Reason::MissingPath));
        }
        let Some(fence) = known.and_then(|file| file.fences.first()) else {
            let empty = placed.block.splits.iter().all(|split| split.search.trim().is_empty());
            // The file may be written to the disk later.
            let unsafe_path = plan::path::below(std::path::Path::new(""), &path).is_err();
            if !empty
                || known.is_some()
                || unsafe_path
                || self.section(SectionKind::CodeContext).is_none()
            {
                return Err(refused(Reason::FileMissing));
            }
            let content =
                placed.block.splits.first().map(|split| normal(&split.replace)).unwrap_or_default();
            self.added.push((path, Arc::new(Lines::new(content))));
            return Ok(applied(0));
        };
        let (text, span) = (self.text, fence.content.clone());
        let contents = self.contents;
        let (_, content) = self.files.entry(span.start).or_insert_with(|| {
            let lines = || Arc::new(Lines::new(text.get(span.clone()).unwrap_or_default()));
            let content = Arc::clone(contents.borrow_mut().entry(span.start).or_insert_with(lines));
            (span, content)
        });
        change(content, &placed.block, request)
    }

    /// The old text must be the whole mission, or a part of it.
    fn mission(&mut self, placed: &Placed) -> Result<Applied, Refused> {
        let section =
            self.section(SectionKind::Mission).ok_or_else(|| refused(Reason::FileMissing))?;
        let body = self.text.get(section.body.clone()).unwrap_or_default();
        let start = section.body.start + (body.len() - body.trim_start().len());
        let span = start..start + body.trim().len();
        let current = match &self.mission {
            Some((_, new)) => new.clone(),
            None => self.text.get(span.clone()).unwrap_or_default().to_owned(),
        };
        for split in &placed.block.splits {
            let (search, replace) = (normal(split.search.trim()), split.replace.trim());
            let whole = normal(&current);
            if whole == normal(replace) {
                return Err(refused(Reason::AlreadyApplied));
            }
            let new = if whole == search {
                replace.to_owned()
            } else {
                let mut found = whole.match_indices(search.as_str());
                match (found.next(), found.next()) {
                    (Some(_), None) if !search.is_empty() => {
                        whole.replacen(search.as_str(), replace, 1)
                    }
                    (Some(_), Some(_)) if !search.is_empty() => {
                        return Err(refused(Reason::Ambiguous));
                    }
                    _ => continue,
                }
            };
            let new = if self.text.contains("\r\n") {
                new.replace("\r\n", "\n").replace('\n', "\r\n")
            } else {
                new
            };
            let line = *self.above.get_or_init(|| line_of(self.text, span.start));
            self.mission = Some((span, new));
            return Ok(applied(line));
        }
        Err(refused(Reason::NotFound))
    }

    fn changelog(&mut self, placed: &Placed) -> Result<Applied, Refused> {
        let text = placed
            .block
            .splits
            .first()
            .map(|split| split.replace.trim().to_owned())
            .unwrap_or_default();
        if text.is_empty() {
            return Err(refused(Reason::NoOp));
        }
        let item = item(&text);
        let body = self
            .section(SectionKind::Changelog)
            .and_then(|section| self.text.get(section.body.clone()))
            .unwrap_or_default();
        if normal(body).contains(&item) && normal(body).trim_end().ends_with(item.trim_end()) {
            return Err(refused(Reason::AlreadyApplied));
        }
        let line = *self.changelog.get_or_init(|| {
            let section = self.section(SectionKind::Changelog);
            section.map_or(0, |section| line_of(self.text, end_of(self.text, &section.body)) + 1)
        });
        self.items.push(item);
        Ok(applied(line))
    }

    fn edits(self) -> Vec<Edit> {
        let eol = if self.text.contains("\r\n") { "\r\n" } else { "\n" };
        let mut edits: Vec<Edit> = Vec::new();
        let files = self.files.values().map(|(span, content)| (span.clone(), content.text()));
        let mission = self.mission.iter().map(|(span, new)| (span.clone(), new.as_str()));
        let mut changed: Vec<(Span, &str)> = files.chain(mission).collect();
        changed.sort_by_key(|(span, _)| span.start);
        for (span, new) in changed {
            let old = self.text.get(span.clone()).unwrap_or_default();
            if old == new {
                continue;
            }
            let fence = self
                .layout
                .files
                .iter()
                .flat_map(|file| &file.fences)
                .find(|fence| fence.content == span);
            // Content that would close its own fence gets a longer fence.
            if let Some(fence) = fence
                && longest_run(new) >= fence.mark.len()
            {
                let mark = fence
                    .mark
                    .chars()
                    .next()
                    .unwrap_or('`')
                    .to_string()
                    .repeat(longest_run(new) + 1);
                let info = self.text.get(fence.info.clone()).unwrap_or_default();
                let close = if fence.closed { mark.clone() } else { format!("{mark}{eol}") };
                edits.push(Edit::replace(
                    fence.span.clone(),
                    format!("{mark}{info}{eol}{new}{close}"),
                ));
                continue;
            }
            if let Some(difference) = text::difference(old, new) {
                edits.push(Edit::replace(
                    difference.span.start + span.start..difference.span.end + span.start,
                    difference.text,
                ));
            }
        }
        if !self.added.is_empty()
            && let Some(section) =
                self.layout.sections.iter().find(|section| section.kind == SectionKind::CodeContext)
        {
            let at = end_of(self.text, &section.body);
            let mut new = String::new();
            for (path, content) in &self.added {
                let content = content.text();
                let mark = fence_for(content);
                let content = if content.is_empty() || content.ends_with('\n') {
                    content.to_owned()
                } else {
                    format!("{content}\n")
                };
                new.push_str(&format!("\n\n### {path}\n\n{mark}\n{content}{mark}"));
            }
            edits.push(Edit::insert(at, new.replace('\n', eol)));
        }
        if !self.items.is_empty() {
            let items = self.items.join("\n").replace('\n', eol);
            edits.push(
                match self
                    .layout
                    .sections
                    .iter()
                    .find(|section| section.kind == SectionKind::Changelog)
                {
                    Some(section) => {
                        let at = end_of(self.text, &section.body);
                        let empty = self
                            .text
                            .get(section.body.clone())
                            .is_none_or(|body| body.trim().is_empty());
                        let lead = if empty { format!("{eol}{eol}") } else { eol.to_owned() };
                        let lead = if empty && at == section.body.start {
                            lead.get(eol.len()..).unwrap_or_default().to_owned()
                        } else {
                            lead
                        };
                        Edit::insert(
                            at,
                            format!(
                                "{lead}{items}{}",
                                if empty && at == section.body.start { eol } else { "" }
                            ),
                        )
                    }
                    None => {
                        let thread = self
                            .layout
                            .sections
                            .iter()
                            .find(|section| section.kind == SectionKind::Conversation);
                        let at =
                            thread.map_or(self.text.len(), |section| section.heading.span.start);
                        let lead = if at == self.text.len() && !self.text.ends_with('\n') {
                            eol
                        } else {
                            ""
                        };
                        Edit::insert(
                            at,
                            format!(
                                "{lead}## Changelog{eol}{eol}{items}{eol}{}",
                                if thread.is_some() { eol } else { "" }
                            ),
                        )
                    }
                },
            );
        }
        edits.sort_by_key(|edit| (edit.span.start, edit.span.end));
        edits
    }
}

/// The file that a heading of Code Context names, without decoration.
pub fn name_of(file: &File) -> &str {
    file.heading.text.trim_matches(['`', '*']).trim_end_matches(':').trim()
}

fn refused(reason: Reason) -> Refused {
    Refused::because(reason)
}

fn applied(line: usize) -> Applied {
    Applied { tier: Tier::Exact, score: 1.0, line, warnings: Vec::new() }
}

/// The line, counted from 0, that contains an offset.
fn line_of(text: &str, offset: usize) -> usize {
    text.get(..offset).unwrap_or_default().matches('\n').count()
}

fn normal(text: &str) -> String {
    text.replace("\r\n", "\n")
}

/// One list item: `- ` before the first line, two spaces before all others.
pub(super) fn item(text: &str) -> String {
    let text = normal(text);
    let mut lines = text.lines();
    let first = lines.next().unwrap_or_default();
    let mut out = format!("- {}", first.trim_start_matches(['-', '*', '+']).trim());
    for line in lines {
        out.push('\n');
        if !line.trim().is_empty() {
            out.push_str("  ");
            out.push_str(line.trim_end());
        }
    }
    out
}

/// The end of a section without trailing whitespace; its start if the section is empty.
fn end_of(text: &str, body: &Span) -> usize {
    body.start + text.get(body.clone()).unwrap_or_default().trim_end().len()
}

/// A fence mark that no line of the text closes.
pub fn fence_for(text: &str) -> String {
    "`".repeat((longest_run(text) + 1).max(3))
}

/// The longest run of backticks or tildes that begins a line.
fn longest_run(text: &str) -> usize {
    let run = |line: &str| {
        let line = line.trim_start();
        let first = line.bytes().next().filter(|first| matches!(first, b'`' | b'~'));
        let length = line.bytes().take_while(|byte| Some(*byte) == first).count();
        if length >= 3 { length } else { 0 }
    };
    text.lines().map(run).max().unwrap_or_default()
}
