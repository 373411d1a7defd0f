//! Turns blocks into a plan: each one sees the files as the blocks before it left them.

mod likely;
mod order;
mod reverse;

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::doubt::{self, Consent, Doubt, Kind};
use super::gate::Gate;
use super::names::Names;
use super::{Applied, FileChange, Notice, Plan, Reason, Refusal, Strategy, path};
use crate::edit::nearest::{Difference, Nearest};
use crate::edit::{self, Lines};
use crate::world::{EntryKind, ReadError, World};
use order::{by_file, deletes_first};

/// The effect of a block on a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operation<'a> {
    Create(&'a str),
    /// Replaces the whole content.
    Replace(&'a str),
    Delete,
    /// Locates and replaces some lines: all of these edits, or none.
    Edit(&'a [edit::Block]),
}

/// Builds a plan from blocks, in order.
pub struct Planner<'a> {
    world: &'a dyn World,
    root: &'a Path,
    overwrites: bool,
    consent: Consent,
    attended: bool,
    backwards: bool,
    strict: bool,
    names: Names,
    /// The file that is being moved.
    leaving: Option<PathBuf>,
    files: Vec<FileChange>,
    /// The files by path, and by the target of symlinks.
    paths: HashMap<PathBuf, usize>,
    real: HashMap<PathBuf, usize>,
    /// Their folders, at any depth.
    folders: HashSet<PathBuf>,
    plan: Plan,
}

/// Larger files aren't changed or created.
const LARGEST: usize = 16 << 20;

/// The maximum number of lines to name if the SEARCH text is ambiguous.
const MOST_NAMED: usize = 10;

/// A byte order mark isn't part of the content: it stays in place.
const MARK: char = '\u{feff}';

impl<'a> Planner<'a> {
    /// A plan for the files below `root`.
    pub fn new(world: &'a dyn World, root: &'a Path) -> Self {
        Self {
            world,
            root,
            overwrites: true,
            consent: Consent::default(),
            attended: true,
            backwards: false,
            strict: false,
            names: Names::default(),
            leaving: None,
            files: Vec::new(),
            paths: HashMap::new(),
            real: HashMap::new(),
            folders: HashSet::new(),
            plan: Plan::default(),
        }
    }

    /// A block that creates a file doesn't replace one with other content.
    #[must_use]
    pub fn keeping_files(self, keeps: bool) -> Self {
        Self { overwrites: !keeps, ..self }
    }

    /// The author has confirmed likely matches.
    #[must_use]
    pub fn confirmed(self, confirmed: bool) -> Self {
        self.allowing(confirmed.then_some(Kind::Fuzzy).into_iter().collect())
    }

    /// An author has accepted these kinds of doubt.
    #[must_use]
    pub fn allowing(self, consent: Consent) -> Self {
        Self { consent, ..self }
    }

    /// Without a confirmation, changes that need consent are refused.
    #[must_use]
    pub fn unattended(self) -> Self {
        Self { attended: false, ..self }
    }

    /// Reverses blocks that contain enough of the original.
    #[must_use]
    pub fn backwards(self, backwards: bool) -> Self {
        Self { backwards, ..self }
    }

    /// Edit blocks follow LLMD's rules: each names its file, and only [whole lines](edit::Request)
    /// match.
    #[must_use]
    pub fn strict(self) -> Self {
        Self { strict: true, ..self }
    }

    /// Whether to process the last block first.
    pub fn is_backwards(&self) -> bool {
        self.backwards
    }

    /// Adds the effect of block `block` on the file that `written` means.
    pub fn take(&mut self, block: u64, written: &str, operation: Operation) {
        if self.backwards {
            return self.take_back_action(block, written, operation);
        }
        if let Operation::Edit(edits) = operation {
            let edits: Vec<(u64, &edit::Block)> = edits.iter().map(|edit| (block, edit)).collect();
            return self.edit(written, &edits, true);
        }
        if let Some(new) = self.unsure(written, operation) {
            let operation = edit::Operation::Write;
            let edit =
                edit::Block { operation, ..edit::Block::of(edit::Dialect::WholeFile, "", new) };
            return self.edit(written, &[(block, &edit)], true);
        }
        match self.apply(block, written, operation) {
            Ok(strategy) => self.plan.applied.push(Applied {
                block,
                file: written.to_owned(),
                strategy,
                line: 0,
                similarity: 1.0,
            }),
            Err((reason, message)) => self.refuse(block, Some(written), reason, message),
        }
    }

    /// The new content of a file, if the author has to decide whether it leaves out lines.
    fn unsure<'t>(&mut self, written: &str, operation: Operation<'t>) -> Option<&'t str> {
        let path = path::inside(self.world, self.root, written).ok()?;
        let index = self.file(path, written).ok()?;
        let file = self.files.get(index)?;
        let (new, old) = match operation {
            Operation::Create(new) if self.overwrites => (new, &file.before),
            Operation::Replace(new) => (new, &file.after),
            _ => return None,
        };
        (hidden(new, old, written) == Some(edit::Hidden::Perhaps)).then_some(new)
    }

    /// Records that a block isn't applied.
    pub fn refuse(
        &mut self,
        block: u64,
        file: Option<&str>,
        reason: Reason,
        message: impl Into<String>,
    ) {
        let file = file.filter(|file| !file.is_empty());
        self.plan.refusals.push(Refusal::new(block, file, reason, message));
    }

    /// The same for several blocks; a block with several parts is reported once.
    fn refuse_all(
        &mut self,
        blocks: &[(u64, &edit::Block)],
        written: &str,
        (reason, message): &path::Refused,
    ) {
        for run in blocks.chunk_by(|(one, _), (other, _)| one == other) {
            run.first().into_iter().for_each(|(number, _)| {
                self.refuse(*number, Some(written), *reason, message.as_str())
            });
        }
    }

    /// Adds edit blocks that name their own files. All edits of one file are decided together: the
    /// blocks between them don't matter.
    pub fn take_blocks(&mut self, blocks: &[(u64, &edit::Block)]) {
        if self.backwards {
            return self.take_back_blocks(blocks);
        }
        let strict = self.strict;
        // Two spellings of a path can mean one file.
        let mut known: HashMap<&str, String> = HashMap::new();
        for written in blocks.iter().filter_map(|(_, block)| named(block, strict)) {
            let (world, root) = (self.world, self.root);
            let inside = || {
                path::inside(world, root, written)
                    .map_or_else(|_| written.to_owned(), |path| path.to_string_lossy().into_owned())
            };
            known.entry(written).or_insert_with(inside);
        }
        let path = |block: &edit::Block| {
            named(block, strict).and_then(|written| known.get(written)).cloned()
        };
        let edits = |block: &edit::Block| {
            block.error.is_none() && !matches!(block.operation, edit::Operation::Move(_))
        };
        let moves = |block: &edit::Block| {
            block.error.is_none() && matches!(block.operation, edit::Operation::Move(_))
        };
        let alike = |a: &edit::Block, b: &edit::Block| {
            edits(a) && edits(b) || moves(a) && a.operation == b.operation
        };
        let same = |a: &(u64, &edit::Block), b: &(u64, &edit::Block)| {
            path(a.1) == path(b.1) && alike(a.1, b.1)
        };
        let mut ordered = by_file(blocks, &path, &moves);
        deletes_first(&mut ordered, &path);
        for run in ordered.chunk_by(same) {
            let Some((_, first)) = run.first() else { continue };
            let name = named(first, strict).map(str::to_owned);
            let (Some(written), None) = (name.as_deref(), first.error) else {
                let reason = first.error.unwrap_or(edit::Reason::MissingPath);
                run.iter().for_each(|(number, block)| {
                    self.refuse(*number, name.as_deref(), reason.into(), why(reason, block))
                });
                continue;
            };
            match &first.operation {
                edit::Operation::Move(to) => self.rename(written, to, run),
                _ => self.edit(written, run, false),
            }
        }
    }

    fn request(&self) -> edit::Request {
        let confirmed = self.consent.covers(Kind::Fuzzy);
        let request = if self.strict {
            edit::Request::strict(confirmed)
        } else {
            edit::Request { confirmed, ..edit::Request::default() }
        };
        edit::Request { overwrites: self.overwrites, ..request }
    }

    /// Edits and renames a file: both, or neither.
    fn rename(&mut self, written: &str, to: &str, blocks: &[(u64, &edit::Block)]) {
        let Some(number) = blocks.first().map(|(number, _)| *number) else { return };
        let mut place = |written: &str| {
            let path = path::inside(self.world, self.root, written)?;
            let index = self.file(path.clone(), written)?;
            self.leaving = Some(path);
            Ok(index)
        };
        let places = place(written).and_then(|old| Ok((old, place(to)?)));
        self.leaving = None;
        let (old, new) = match places {
            Ok(places) => places,
            Err(refused) => return self.refuse_all(blocks, written, &refused),
        };
        let text = |index: usize, files: &[FileChange]| {
            files.get(index).and_then(|file| file.after.clone())
        };
        let (from, there) = (text(old, &self.files), text(new, &self.files));
        let edits: Vec<&edit::Block> = blocks.iter().map(|(_, block)| *block).collect();
        let moved = |strategy: Strategy| Applied {
            block: number,
            file: to.to_owned(),
            strategy,
            line: 0,
            similarity: 1.0,
        };
        if from.is_none() && there.is_some() {
            // If the file at the new path equals the result of the blocks, it has been moved
            // already.
            let batch = edit::apply(there.as_deref(), &edits, edit::batch::Request::default());
            if batch.is_complete() && batch.text == there {
                return self.plan.applied.push(moved(Strategy::AlreadyApplied));
            }
        }
        if from.is_none() {
            let message = match self.files.get(old) {
                Some(file) if file.before.is_some() => gone(written),
                _ => format!("`{written}` doesn't exist; correct the path"),
            };
            return self.refuse_all(blocks, written, &(Reason::FileMissing, message));
        }
        if old == new {
            return self.refuse_all(
                blocks,
                written,
                &(Reason::FileExists, format!("`{written}` already has that name")),
            );
        }
        if there.is_some() && !self.overwrites {
            return self.refuse_all(
                blocks,
                to,
                &(Reason::FileExists, format!("`{to}` already exists with other content")),
            );
        }
        let refused = self.plan.refusals.len();
        self.edit(written, blocks, true);
        if self.plan.refusals.len() > refused {
            return;
        }
        let after = self.files.get_mut(old).and_then(|file| file.after.take());
        let executable = self.files.get(old).is_some_and(|file| file.executable);
        let like = self.files.get(old).and_then(FileChange::origin);
        if let Some(file) = self.files.get_mut(old) {
            file.blocks.extend(
                blocks
                    .iter()
                    .map(|(number, _)| *number)
                    .filter(|number| !file.blocks.contains(number))
                    .collect::<Vec<_>>(),
            );
        }
        if let Some(file) = self.files.get_mut(new) {
            file.risky |= file.before.is_some() && file.before == file.after;
            file.after = after;
            file.executable |= executable;
            file.like = like;
            file.blocks.push(number);
        }
        self.plan.applied.push(moved(Strategy::Move));
    }

    /// Edits a file, all at once if `together`. An empty SEARCH text creates a missing file.
    fn edit(&mut self, written: &str, blocks: &[(u64, &edit::Block)], together: bool) {
        let request = self.request();
        let found =
            path::inside(self.world, self.root, written).and_then(|path| self.file(path, written));
        let file = match found.map(|index| self.files.get_mut(index)) {
            Ok(Some(file)) => file,
            Ok(None) => return,
            Err(refused) => return self.refuse_all(blocks, written, &refused),
        };
        let edits: Vec<&edit::Block> = blocks.iter().map(|(_, block)| *block).collect();
        let text = file.after.as_deref().map(|text| Arc::new(Lines::new(text)));
        let batch = edit::apply_to(text, &edits, request);
        let (mut there, complete) = (file.after.is_some(), batch.is_complete());
        let mut refusals = Vec::new();
        for ((block, edit), result) in blocks.iter().zip(&batch.results) {
            let done = |strategy: Strategy, line: usize, similarity: f64| Applied {
                block: *block,
                file: written.to_owned(),
                strategy,
                line,
                similarity,
            };
            match result {
                Err(refused) if refused.reason == edit::Reason::AlreadyApplied => {
                    self.plan.applied.push(done(Strategy::AlreadyApplied, 0, 1.0))
                }
                Err(refused) if refused.reason == edit::Reason::NoOp => {
                    self.plan.applied.push(done(Strategy::NoOp, 0, 1.0))
                }
                Err(refused)
                    if refused.reason == edit::Reason::FileMissing && file.before.is_some() =>
                {
                    let message = gone(written);
                    refusals.push(Refusal::new(
                        *block,
                        Some(written),
                        Reason::FileMissing,
                        message,
                    ));
                }
                Err(refused) => {
                    refusals.push(likely::refusal(*block, written, edit, refused, || {
                        likely::ask(file, batch.text.as_ref(), edit, request)
                    }));
                }
                Ok(_) if together && !complete => {}
                Ok(applied) => {
                    use edit::Operation::{Create, Delete, Listing, Replace, Write};
                    file.blocks.push(*block);
                    let strategy = match edit.operation {
                        Delete => Strategy::Delete,
                        _ if !there => Strategy::Create,
                        Create => Strategy::Overwrite,
                        Write | Replace | Listing { .. } => Strategy::Replace,
                        _ => Strategy::Edit(applied.tier),
                    };
                    // A file created by this plan has no other author.
                    let loses = matches!(strategy, Strategy::Delete)
                        || there && matches!(strategy, Strategy::Overwrite | Strategy::Replace);
                    file.risky |= loses
                        && file.before.is_some()
                        && (strategy == Strategy::Delete || file.before == file.after);
                    there = strategy != Strategy::Delete;
                    self.plan.applied.push(done(strategy, applied.line, applied.score));
                }
            }
        }
        if complete || !together {
            file.after = batch.text.map(|lines| lines.text().to_owned());
        }
        self.plan.refusals.append(&mut refusals);
    }

    /// Records a fault of the reply that doesn't belong to a block.
    pub fn refuse_line(
        &mut self,
        line: u32,
        file: Option<&str>,
        reason: Reason,
        message: impl Into<String>,
    ) {
        self.plan
            .refusals
            .push(Refusal { line: Some(line), ..Refusal::new(0, file, reason, message) });
    }

    /// Adds something that the author should know.
    pub fn notice(&mut self, notice: Notice) {
        self.plan.notices.push(notice);
    }

    /// Sets the lines of the reply, counted from 1, where blocks begin.
    #[must_use]
    pub fn at_lines(mut self, lines: impl IntoIterator<Item = (u64, u32)>) -> Self {
        self.plan.lines.extend(lines);
        self
    }

    pub fn finish(mut self) -> Plan {
        self.plan.changes =
            self.files.into_iter().filter(|file| file.before != file.after).collect();
        for change in &mut self.plan.changes {
            change.doubts.extend(self.backwards.then_some(Doubt::INFERRED));
        }
        if self.attended {
            for change in &mut self.plan.changes {
                change.doubts = doubt::of(self.world, self.root, change);
                change.doubts.retain(|doubt| !self.consent.covers(doubt.kind));
            }
        } else {
            Gate {
                world: self.world,
                root: self.root,
                consent: &self.consent,
                refuses_links: true,
            }
            .keep(&mut self.plan);
        }
        self.plan
    }

    fn apply(
        &mut self,
        block: u64,
        written: &str,
        operation: Operation,
    ) -> Result<Strategy, path::Refused> {
        let path = path::inside(self.world, self.root, written)?;
        let index = self.file(path, written)?;
        let Some(file) = self.files.get_mut(index) else { return Ok(Strategy::AlreadyApplied) };
        let missing =
            || (Reason::FileMissing, format!("`{written}` doesn't exist; correct the path"));
        let marked = file.before.as_ref().is_some_and(|text| text.starts_with(MARK));
        let text = |text: &str| {
            if marked && !text.starts_with(MARK) {
                format!("{MARK}{text}")
            } else {
                text.to_owned()
            }
        };
        let hides = |new: &str, old: &Option<String>| {
            hidden(new, old, written) == Some(edit::Hidden::Surely)
        };
        let hidden = || {
            let reason = Reason::Edit(edit::Reason::ElisionInReplace);
            (reason, reason.message().to_owned())
        };
        let (strategy, after) = match operation {
            Operation::Create(new) if hides(new, &file.before) => return Err(hidden()),
            Operation::Create(new) if file.after.is_none() && edit::leaves_out(new, written) => {
                return Err(hidden());
            }
            Operation::Replace(new) if hides(new, &file.after) => return Err(hidden()),
            Operation::Create(new) => {
                let strategy =
                    if file.after.is_some() { Strategy::Overwrite } else { Strategy::Create };
                let filled = |text: &Option<String>| {
                    text.as_ref().is_some_and(|text| !text.trim().is_empty())
                };
                let kept = !self.overwrites && filled(&file.before) && filled(&file.after);
                if strategy == Strategy::Overwrite && kept && file.after != Some(text(new)) {
                    return Err((
                        Reason::FileExists,
                        format!("`{written}` already exists with other content"),
                    ));
                }
                // A file created by this plan has no other author.
                file.risky |= strategy == Strategy::Overwrite
                    && file.before.is_some()
                    && file.before == file.after;
                (strategy, Some(text(new)))
            }
            Operation::Replace(new) => {
                let old = file.after.as_ref().ok_or_else(missing)?;
                (Strategy::Replace, Some(text(&with_breaks_of(old, new))))
            }
            Operation::Delete => {
                file.after.as_ref().ok_or_else(missing)?;
                file.risky |= file.before.is_some();
                (Strategy::Delete, None)
            }
            // Handled by the caller.
            Operation::Edit(_) => return Ok(Strategy::AlreadyApplied),
        };
        file.blocks.push(block);
        if file.after == after {
            file.risky &= file.before != file.after;
            return Ok(Strategy::AlreadyApplied);
        }
        file.after = after;
        Ok(strategy)
    }

    /// The index of the file at a path in its current state.
    fn file(&mut self, path: PathBuf, written: &str) -> Result<usize, path::Refused> {
        if let Some(known) = self.paths.get(&path) {
            return Ok(*known);
        }
        // Above the folder of a known file, there are only folders.
        let is_new = path.parent().is_some_and(|folder| !self.folders.contains(folder));
        let mut above =
            path.ancestors().skip(1).take_while(|above| is_new && above.starts_with(self.root));
        if above.any(|above| self.paths.contains_key(above)) || self.folders.contains(&path) {
            return Err((
                Reason::NotAFile,
                format!("`{written}` would be a file and a folder at once"),
            ));
        }
        let before = self.before(&path, written)?;
        let protection = self.world.protection(&path);
        if protection.read_only {
            return Err((Reason::ReadOnly, format!("`{written}` or its folder is read-only")));
        }
        let index = self.files.len();
        if let Ok(real) = self.world.real(&path)
            && let Some(other) = self.files.get(*self.real.entry(real).or_insert(index))
        {
            return Err((
                Reason::Ambiguous,
                format!("`{written}` and `{}` are the same file", other.name),
            ));
        }
        self.folders.extend(
            path.ancestors()
                .skip(1)
                .take_while(|above| is_new && above.starts_with(self.root))
                .map(Path::to_owned),
        );
        self.paths.insert(path.clone(), index);
        let (name, after, executable) = (written.to_owned(), before.clone(), protection.executable);
        self.files.push(FileChange {
            path,
            name,
            after,
            before,
            risky: false,
            doubts: Vec::new(),
            executable,
            like: None,
            blocks: Vec::new(),
        });
        Ok(index)
    }

    /// The contents of a file on disk or in an editor.
    fn before(&mut self, path: &Path, written: &str) -> Result<Option<String>, path::Refused> {
        let too_large = || {
            (
                edit::Reason::TooLarge.into(),
                format!(
                    "`{written}` is larger than {} MB, the limit for changes by a reply",
                    LARGEST >> 20
                ),
            )
        };
        match self.world.kind(path) {
            None => {
                let leaves = |twin: &Path| {
                    let known = self.paths.get(twin).and_then(|index| self.files.get(*index));
                    self.leaving.as_deref() == Some(twin)
                        || known.is_some_and(|file| file.before.is_some() && file.after.is_none())
                };
                self.names.take(self.world, self.root, path, written, &leaves)?;
                Ok(None)
            }
            Some(EntryKind::Folder) => {
                Err((Reason::NotAFile, format!("`{written}` is a folder, not a file")))
            }
            Some(EntryKind::File) => match self.world.read(path) {
                Ok(source) if source.len() > LARGEST => Err(too_large()),
                Ok(source) => Ok(Some(source.slice(0..source.len()).into_owned())),
                Err(ReadError::TooLarge { .. }) => Err(too_large()),
                Err(error) => {
                    let reason = if matches!(error, ReadError::NotUtf8 { .. }) {
                        Reason::BinaryOrEncoding
                    } else {
                        Reason::Unreadable
                    };
                    Err((reason, format!("`{written}` can't be changed: the file {error}")))
                }
            },
        }
    }
}

/// Whether new content has placeholders for lines of the old one.
fn hidden(new: &str, old: &Option<String>, written: &str) -> Option<edit::Hidden> {
    let old = old.as_ref().filter(|old| !old.trim().is_empty())?;
    edit::hidden(new, old, written, |_| false)
}

/// Why a file that existed before can no longer be changed.
fn gone(written: &str) -> String {
    format!("an earlier block deletes or moves `{written}`; remove one of the two")
}

/// Why a block can't be applied to any file.
pub fn why(reason: edit::Reason, block: &edit::Block) -> String {
    match block.candidates.as_slice() {
        [] => reason.message().to_owned(),
        files => {
            let files: Vec<String> = files.iter().map(|file| format!("`{file}`")).collect();
            format!(
                "the block could be about {}; write the path on the line above it",
                files.join(" or ")
            )
        }
    }
}

/// The file that a block names; if it must do so `itself`, not the one it inherits from an earlier
/// block.
pub(super) fn named(block: &edit::Block, itself: bool) -> Option<&str> {
    block.path.as_ref().filter(|path| !(itself && path.inherited)).map(|path| path.text.as_str())
}

/// New content with the line breaks of the old, if both are uniform.
fn with_breaks_of<'t>(old: &str, new: &'t str) -> Cow<'t, str> {
    match (line_break(old), line_break(new)) {
        (Some(wanted), Some(written)) if wanted != written => {
            Cow::Owned(new.replace(written, wanted))
        }
        _ => Cow::Borrowed(new),
    }
}

/// The line ending of all lines, if it is uniform.
fn line_break(text: &str) -> Option<&'static str> {
    let breaks = text.matches('\n').count();
    let pairs = text.matches("\r\n").count();
    match text.matches('\r').count() {
        0 if breaks > 0 => Some("\n"),
        returns if returns == pairs && pairs == breaks && breaks > 0 => Some("\r\n"),
        _ => None,
    }
}

/// Why an edit isn't applied, with the lines that help to fix it.
pub fn describe(refused: &edit::batch::Refused, written: &str) -> String {
    let lines = |lines: &[usize]| {
        lines.iter().map(|line| (line + 1).to_string()).collect::<Vec<_>>().join(", ")
    };
    match refused.reason {
        edit::Reason::FileMissing => {
            return format!("`{written}` doesn't exist; correct the path");
        }
        edit::Reason::FileExists => {
            return format!("`{written}` already exists with other content");
        }
        _ => {}
    }
    match (&refused.nearest, refused.candidates.as_slice()) {
        (_, candidates @ [_, _, ..]) => {
            format!(
                "the SEARCH text matches `{written}` at lines {}{}; add the lines around the place you mean",
                lines(candidates.get(..MOST_NAMED).unwrap_or(candidates)),
                if candidates.len() > MOST_NAMED { " and others" } else { "" }
            )
        }
        (_, [line]) => {
            format!("{} (line {} of `{written}`)", refused.reason.message(), line + 1)
        }
        // The text is in the file, but not below the anchors of the patch.
        (Some(nearest), []) if nearest.differences.is_empty() => {
            format!(
                "line {} of `{written}` has the text to replace, but isn't below the line that `@@` names; correct that line",
                nearest.lines.start + 1
            )
        }
        (Some(nearest), []) => {
            format!(
                "the SEARCH text isn't in `{written}`: {}; copy the lines as they are now in the file",
                difference(nearest)
            )
        }
        (None, []) if refused.reason == edit::Reason::NotFound => {
            format!(
                "the SEARCH text isn't in `{written}`, and nothing there is similar; copy the lines as they are now in the file, or correct the path"
            )
        }
        (None, []) => format!("{} (`{written}`)", refused.reason.message()),
    }
}

/// The first line that differs, which is what the author looks for, or else where the nearest lines
/// are.
fn difference(nearest: &Nearest) -> String {
    let worded = nearest.differences.iter().find_map(|one| Some((one.line, one.pieces()?)));
    let in_whitespace = |one: &&Difference| {
        let bare = |line: &Option<String>| -> Option<String> {
            Some(line.as_deref()?.split_whitespace().collect())
        };
        one.have.is_some() && bare(&one.have) == bare(&one.want)
    };
    let how = if let Some((line, (have, want))) = worded {
        format!("line {} has `{have}`, not `{want}`", line + 1)
    } else if let Some(one) = nearest.differences.iter().find(in_whitespace) {
        format!("line {} differs in whitespace", one.line + 1)
    } else {
        let place = match nearest.lines.len() {
            1 => format!("the nearest is line {}", nearest.lines.end),
            _ => format!(
                "the nearest are lines {} to {}",
                nearest.lines.start + 1,
                nearest.lines.end
            ),
        };
        return format!("{place} ({} %)", (nearest.similarity * 100.0).floor());
    };
    match nearest.differences.len() - 1 {
        0 => how,
        1 => format!("{how}, and 1 more line differs"),
        more => format!("{how}, and {more} more lines differ"),
    }
}

#[cfg(test)]
mod tests;
