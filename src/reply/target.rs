//! The file that a fence is: its names in the fence and above it, and which of them counts.

use std::collections::HashSet;

use super::fence::Fence;
use super::fenced::{is_diff_language, joined};
use super::lines::Line;
use super::markdown::{Above, Scanner, is_item, untagged};
use super::naming::{self, Names};
use super::{Draft, Fault, Step, shell};
use crate::edit::{Block, Dialect, Operation, Path, Reason, naming as words};

/// Deeper paths are only compared as a whole.
const MOST_FOLDERS: usize = 100;
/// Languages whose files have an extension that we know.
const LANGUAGES: &[&str] = &[
    "c",
    "c#",
    "c++",
    "cpp",
    "cs",
    "csharp",
    "css",
    "dart",
    "elixir",
    "go",
    "golang",
    "html",
    "java",
    "javascript",
    "js",
    "jsx",
    "kotlin",
    "lua",
    "perl",
    "php",
    "py",
    "python",
    "r",
    "rb",
    "rs",
    "ruby",
    "rust",
    "scala",
    "sql",
    "swift",
    "ts",
    "tsx",
    "typescript",
    "vue",
];

impl<'t> Scanner<'t, '_> {
    /// The name above a fence if it's certain, and otherwise possible names of files.
    pub(super) fn certain_above(
        &self,
        above: Option<Above>,
        fence: &Fence<'t>,
    ) -> (Option<Above>, Vec<Path>) {
        let info = fence.guess().map(|name| self.path_in(fence.open, name));
        let (line, text) = match self.line_above() {
            Some(line) => (line, untagged(line.text)),
            None => return (above, info.into_iter().collect()),
        };
        let language = fence.language();
        let certain = |above: &Above| {
            let name = &above.path.text;
            words::is_certain_in(text, name) && !is_selector(name, &language)
        };
        let earlier = |name: &str| naming::shows_earlier(text, name);
        let guesses = match &above {
            None if words::alone(text).is_some_and(earlier) => Vec::new(),
            Some(above) if certain(above) || fence.name().is_some() => Vec::new(),
            // A word with a remark is too vague.
            Some(above) if above.remarked && !above.all => Vec::new(),
            Some(above) if above.remarked => vec![above.path.clone()],
            _ => naming::guesses(line),
        };
        (above.filter(certain), info.into_iter().chain(guesses).collect())
    }

    /// Whether what may be a file is a script that does something else.
    pub(super) fn is_command(
        &self,
        language: &str,
        plain: &[Line<'t>],
        first: &str,
        guesses: &[Path],
    ) -> bool {
        let word = |path: &Path| !path.text.contains(['/', '.']);
        let mut inner = Draft::default();
        shell::of_script(&joined(plain), "", &(0..0), &mut inner);
        shell::LANGUAGES.contains(&language)
            && !first.starts_with("#!")
            && (guesses.iter().all(word) || !inner.steps.is_empty() || !inner.faults.is_empty())
    }

    /// A fence that contains a file if there is one with such a name, and code to read otherwise.
    pub(super) fn guessed(&mut self, fence: &Fence<'t>, guesses: Vec<Path>, from: usize) {
        let Some(path) = guesses.first().cloned() else { return self.sample(fence) };
        let doubtful = self.doubtful(fence, &guesses);
        if doubtful.is_none() {
            self.told_file(fence);
        }
        let (before, faults) = (self.draft.steps.len(), self.draft.faults.len());
        // Until the files are known, it may be a sample: the text before it stays.
        let (prose, resume) = (std::mem::take(&mut self.prose), self.resume);
        self.listing(fence, path, from, Vec::new());
        (self.prose, self.resume) = (prose, resume);
        self.own_sample(fence);
        // If it's a sample, its end doesn't matter.
        self.draft.faults.iter_mut().skip(faults).for_each(|fault| fault.unsure = true);
        for step in self.draft.steps.iter_mut().skip(before) {
            step.block.path = None;
            step.names.guesses.clone_from(&guesses);
        }
        self.draft.faults.extend(doubtful);
    }

    /// The fault to report if no guess is the name of an existing file, but one may be that of a
    /// new file.
    fn doubtful(&self, fence: &Fence<'t>, guesses: &[Path]) -> Option<Fault> {
        let language = fence.language();
        if matches!(&*language, "text" | "txt" | "plaintext" | "output" | "log" | "http" | "csv")
            || shell::LANGUAGES.contains(&language.as_str())
        {
            return None;
        }
        let line = self.line_above().map_or("", |line| line.text.trim());
        let head = self.span(fence.open, fence.open + 1);
        let code = self.text.get(self.span(fence.body.start, fence.body.end)).unwrap_or_default();
        let path = guesses.iter().find(|path| {
            let name = naming::without_position(&path.text);
            let possible = if head.contains(&path.span.start) {
                fence.is_possible(name)
            } else {
                words::is_possible_in(line, name)
            };
            let known = words::is_known(name);
            let symbol = LANGUAGES.contains(&&*language) && !code.starts_with("#!");
            possible && (known || !symbol && !words::is_used(name, code))
        })?;
        let name = naming::without_position(&path.text).to_owned();
        let message = format!(
            "`{name}` may be the name of a new file; write `File: {name}` on the line above the \
             fence to create it"
        );
        let fault = Fault::new(path.span.clone(), Reason::MissingPath, message);
        Some(Fault { file: Some(name), ..fault })
    }

    /// A fence that names its file itself: a name above must not contradict it.
    pub(super) fn stated(
        &mut self,
        fence: &Fence<'t>,
        [comment, info, alone]: [Option<Path>; 3],
        from: usize,
        above: Option<Path>,
    ) {
        // The end of a sentence or of a list isn't a title.
        let titled = !self.ends_text();
        let (alone, above) = (alone.filter(|_| titled), above.filter(|_| titled));
        match one_of([comment, info, alone]) {
            Ok((path, rest)) => {
                self.listing(fence, path, from, rest.into_iter().chain(above).collect());
            }
            Err(names) => self.contradicted(fence, names),
        }
    }

    /// Whether the line above ends a paragraph or a list.
    fn ends_text(&self) -> bool {
        let mut lines = self.prose.iter().rev().skip_while(|line| line.is_blank());
        let Some(last) = lines.next().filter(|line| !line.text.trim_start().starts_with('#'))
        else {
            return false;
        };
        let next = lines.next().filter(|line| !line.is_blank());
        let ended = |line: &&Line| line.text.trim_end().ends_with(['.', '!', '?']);
        let named = next.filter(ended).is_some() && words::alone(last.text.trim()).is_some();
        let before = next.or_else(|| lines.find(|line| !line.is_blank()));
        let listed = is_item(last.text) && before.is_some_and(|line| is_item(line.text));
        let heads = |line: &&Line| {
            let text = line.text.trim_start();
            text.starts_with(['#', '<', '|']) || !text.contains(char::is_alphanumeric)
        };
        listed || !named && next.filter(|line| !heads(line)).is_some()
    }

    /// A fence that two places of different rank name differently.
    fn contradicted(&mut self, fence: &Fence<'t>, names: Vec<String>) {
        let block = Block {
            span: self.span(fence.open, fence.next),
            candidates: names,
            error: Some(Reason::AmbiguousPath),
            operation: Operation::Write,
            ..Block::of(Dialect::WholeFile, "", "")
        };
        self.draft.steps.push(Step::new(block, Names { stated: true, ..Names::default() }));
        self.own(fence.open, fence.next);
    }

    /// The name of the empty file that an empty fence is.
    pub(super) fn name_of_empty(&self, fence: &Fence<'t>) -> Option<Path> {
        let stated = fence.name().map(|name| self.path_in(fence.open, name));
        let above = || {
            let above = self.above(false).filter(|above| !above.remarked);
            Some(self.certain_above(above, fence).0?.path)
        };
        let path = stated.or_else(above).filter(|_| fence.closed)?;
        let language = fence.language();
        let shell = shell::LANGUAGES.contains(&language.as_str()) && !shell::is_script(&path.text);
        (!shell && !is_diff_language(&language)).then_some(path)
    }
}

/// Whether this is a class of a style sheet, and not a hidden file.
pub(super) fn is_selector(name: &str, language: &str) -> bool {
    name.starts_with('.') && matches!(language, "css" | "less" | "sass" | "scss")
}

/// The most precise of some names if all mean the same file, and the others; the error is all
/// of them.
fn one_of(names: [Option<Path>; 3]) -> Result<(Path, Vec<Path>), Vec<String>> {
    let mut all: Vec<Path> = names.into_iter().flatten().collect();
    let relative = |path: &Path| !path.text.starts_with(['/', '\\']) && !path.text.contains(":\\");
    let rank = |at: &usize| {
        all.get(*at).map(|path| (relative(path), path.text.len(), std::cmp::Reverse(*at)))
    };
    let best = (0..all.len()).max_by_key(rank);
    let lower = |path: &Path| path.text.to_lowercase();
    match best.and_then(|at| Some((at, lower(all.get(at)?)))) {
        Some((at, name)) if all.iter().all(|other| naming::is_one(&name, &lower(other))) => {
            Ok((all.remove(at), all))
        }
        _ => Err(all.into_iter().map(|path| path.text).collect()),
    }
}

/// The files that blocks name: like [`naming::is_one`] for each of them, in linear time.
pub(super) struct Written {
    paths: HashSet<String>,
    ends: HashSet<String>,
}

impl Written {
    pub fn new<'t>(paths: impl Iterator<Item = &'t str>) -> Self {
        let paths: HashSet<String> = paths.map(naming::plain).collect();
        let ends = paths.iter().flat_map(|path| ends(path)).map(str::to_owned).collect();
        Self { paths, ends }
    }

    pub fn contains(&self, path: &str) -> bool {
        let path = naming::plain(path);
        self.ends.contains(&path) || ends(&path).any(|end| self.paths.contains(end))
    }
}

/// A path, and what follows each of its slashes.
fn ends(path: &str) -> impl Iterator<Item = &str> {
    let slashes = path.match_indices('/').filter_map(|(at, _)| path.get(at + 1..));
    std::iter::once(path).chain(slashes.take(MOST_FOLDERS))
}
