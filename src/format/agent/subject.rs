//! The subject of rules: a file with its front matter, and everything that judged clients do
//! differently from what its author may expect.

use std::borrow::Cow;
use std::cell::{OnceCell, RefCell};
use std::path::PathBuf;
use std::rc::Rc;

use super::file::File;
use super::files::Lookups;
use super::imports::{Import, Reach};
use super::late::Late;
use super::opening::{self, Opening};
use super::problem::{Cause, Problem};
use super::reading::{self, Front, Read};
use super::{keys, late, misplaced, tools};
use crate::client::{Ignores, Kind, Outcome, Reading, Role};
use crate::format::Context;
use crate::format::front_matter::broken::is_like_a_key;
use crate::markdown::front::Delimiters;
use crate::rule::{Diagnostic, Report, Rule};
use crate::source::{FrontMatter, Source};
use crate::text::Span;
use crate::yaml::Entry;

/// A document that clients read, with its problems.
pub struct Subject<'a> {
    pub cx: &'a Context<'a>,
    pub file: File<'a>,
    /// Front matter that is closed, or unclosed but meant as front matter.
    pub front: Option<FrontMatter<'a>>,
    /// The text of the front matter, without the delimiter lines.
    pub yaml: Cow<'a, str>,
    pub problems: Vec<Problem<'a>>,
    /// What clients read, cached by their way of reading.
    readings: RefCell<Vec<(Reading, Rc<Read>)>>,
    /// Results for the paths that it mentions.
    pub lookups: RefCell<Lookups>,
    /// The files next to it, as [`super::neighbours`] reads them.
    pub neighbours: OnceCell<Vec<(PathBuf, Source)>>,
    unopened: OnceCell<Option<Opening>>,
    late: OnceCell<Option<Late>>,
    /// See [`super::imports::reaches`].
    pub reaches: OnceCell<Vec<(Import, Reach)>>,
    /// The `.gitignore` of the workspace, if it has one.
    pub ignores: OnceCell<Option<Ignores>>,
}

impl<'a> Subject<'a> {
    pub fn new(cx: &'a Context<'a>, file: File<'a>) -> Self {
        let mut subject = Self::of_keys(cx, file);
        let mut problems = std::mem::take(&mut subject.problems);
        problems.extend(misplaced::problems(&subject));
        problems.extend(tools::problems(&subject));
        problems.extend(super::arguments::problems(&subject));
        subject.problems = problems;
        subject
    }

    /// The same with only the problems of front matter and length; the body isn't read.
    pub fn of_keys(cx: &'a Context<'a>, file: File<'a>) -> Self {
        let front = cx.source.front_matter().filter(|front| match front.delimiters {
            Delimiters::Complete => true,
            Delimiters::Unclosed => is_meant(&file, front),
            Delimiters::Unopened => false,
        });
        let yaml = front
            .as_ref()
            .map(|front| cx.source.slice(front.yaml_span.clone()))
            .unwrap_or_default();
        let mut subject = Self {
            cx,
            file,
            front,
            yaml,
            problems: Vec::new(),
            readings: RefCell::default(),
            lookups: RefCell::default(),
            neighbours: OnceCell::new(),
            unopened: OnceCell::new(),
            late: OnceCell::new(),
            reaches: OnceCell::new(),
            ignores: OnceCell::new(),
        };
        subject.problems = keys::problems(&subject);
        subject
    }

    /// What a client reads from the front matter.
    pub fn read(&self, reading: Reading) -> Rc<Read> {
        let known = |(other, _): &&(Reading, Rc<Read>)| *other == reading;
        if let Some((_, read)) = self.readings.borrow().iter().find(known) {
            return Rc::clone(read);
        }
        let read = Rc::new(
            self.front.as_ref().map_or(Read::Nothing, |front| self.read_front(reading, front)),
        );
        self.readings.borrow_mut().push((reading, Rc::clone(&read)));
        read
    }

    fn read_front(&self, reading: Reading, front: &FrontMatter) -> Read {
        if !reading::opens(reading, &self.cx.source.slice(front.opening.clone())) {
            return Read::Nothing;
        }
        let mark = front.opening.start > 0;
        if let Some(end) = self.early_end(reading) {
            let yaml = self.yaml.get(..end).unwrap_or_default();
            let tree = crate::yaml::parse(yaml);
            return reading::read(reading, Front { mark, yaml, tree: &tree });
        }
        match front.delimiters {
            Delimiters::Complete => {
                reading::read(reading, Front { mark, yaml: &self.yaml, tree: front.tree })
            }
            _ => Read::Nothing,
        }
    }

    /// Where a line such as `----` ends the front matter for a client, in bytes of the YAML.
    fn early_end(&self, reading: Reading) -> Option<usize> {
        if matches!(reading, Reading::SerdeYaml | Reading::CodexLines) {
            // Codex ignores spaces on both sides.
            let mut lines = self.yaml.split_inclusive('\n');
            let above = lines.by_ref().take_while(|line| line.trim() != "---").map(str::len).sum();
            return (above < self.yaml.len()).then_some(above);
        }
        let end = || self.yaml.find("\n---").map(|at| at + 1);
        reading::closes_at_dashes(reading).then(end).flatten()
    }

    /// The line that ends the front matter for a client, without its line break.
    pub fn closing(&self, reading: Reading) -> Option<Span> {
        let front = self.front.as_ref()?;
        let start = match self.early_end(reading) {
            Some(end) => front.yaml_span.start + end,
            None if front.delimiters == Delimiters::Complete => front.yaml_span.end,
            None => return None,
        };
        let line = self.cx.source.line_span(start);
        let text = self.cx.source.slice(line.clone());
        Some(line.start..line.start + text.trim_end_matches(['\n', '\r']).len())
    }

    /// The top-level entries of the front matter.
    pub fn entries(&self) -> impl Iterator<Item = &Entry> {
        self.front.iter().flat_map(|front| front.tree.entries())
    }

    pub fn entry(&self, key: &str) -> Option<&Entry> {
        self.front.as_ref()?.tree.get(key)
    }

    /// Whether this skill explains skills, so that it contains example paths: its name contains
    /// `skill`, or its description contains `skills`.
    pub fn is_about_skills(&self) -> bool {
        let name = self.file.folder().unwrap_or_default();
        let named = || name.split(['-', '_']).any(|word| matches!(word, "skill" | "skills"));
        let described = || {
            let text = self.entry("description")?.value.as_str()?.to_lowercase();
            let mut words = text.split(|letter: char| !letter.is_alphanumeric());
            Some(words.any(|word| word == "skills"))
        };
        self.file.kind == Kind::Skill && (named() || described() == Some(true))
    }

    /// A span of the YAML as a span of the document.
    pub fn place(&self, span: &Span) -> Span {
        let by = self.front.as_ref().map_or(0, |front| front.yaml_span.start);
        span.start + by..span.end + by
    }

    /// The place of an entry's value, or of its key if it has no value.
    pub fn value_place(&self, entry: &Entry) -> Span {
        self.place(if entry.value.span.is_empty() { &entry.key.span } else { &entry.value.span })
    }

    /// The first line, for findings about the whole file.
    pub fn first_line(&self) -> Span {
        match &self.front {
            Some(front) => front.opening.clone(),
            None => late::first_content(self.cx.source),
        }
    }

    /// Whether a place is the start of a value or an item, so that text there must be a complete
    /// scalar.
    pub fn value_starts(&self, place: &Span) -> bool {
        let line = self.cx.source.line_span(place.start);
        let before = self.cx.source.slice(line.start..place.start);
        let before = before.trim_end();
        before.ends_with([':', '-', '[']) || before.is_empty() || before.contains('[')
    }

    /// Front matter without its opening line.
    pub fn unopened(&self) -> Option<&Opening> {
        let find = || opening::find(self.cx.source, &self.file.known_keys());
        let found = self.unopened.get_or_init(|| self.front.is_none().then(find).flatten());
        found.as_ref()
    }

    /// Front matter that begins below the first line.
    pub fn late(&self) -> Option<&Late> {
        self.late.get_or_init(|| self.file.late(self.cx.source)).as_ref()
    }

    /// The end of the front matter, where the body begins.
    pub fn body(&self) -> usize {
        self.front.as_ref().map_or(0, |front| front.span.end)
    }

    /// The first judged client, for answers that don't depend on the client.
    pub fn role(&self) -> Option<&Role<'a>> {
        self.file.judged.first()
    }

    /// The problems with one cause, grouped by place.
    pub fn groups(&self, cause: Cause) -> Vec<Vec<&Problem<'a>>> {
        let mut groups: Vec<Vec<&Problem<'a>>> = Vec::new();
        for problem in self.problems.iter().filter(|problem| problem.cause == cause) {
            match groups.iter_mut().find(|group| {
                group.first().is_some_and(|first| {
                    // A schema in the settings can have several messages for one place.
                    let own = problem.client.reads.iter().any(|reads| reads.kind == Kind::Own);
                    let same = first.span == problem.span && first.keys == problem.keys;
                    same && (!own || first.reason == problem.reason)
                })
            }) {
                Some(group) => group.push(problem),
                None => groups.push(vec![problem]),
            }
        }
        groups
    }

    /// Reports a group of problems in one finding: `words`, and then each effect with its clients.
    pub fn report<'r>(
        &self,
        rule: &'static Rule,
        group: &[&Problem],
        span: Span,
        words: &str,
        report: &'r mut Report,
    ) -> &'r mut Diagnostic {
        let finding = report.add(rule, span, format!("{words}{}", effects(group)));
        finding.severity = self.severity(group);
        finding
    }
}

/// Whether text below an unclosed `---` is meant as front matter: after a rule between sections
/// comes prose, possibly with a colon.
fn is_meant(file: &File, front: &FrontMatter) -> bool {
    let known = file.known_keys();
    let is_key = |key: &str| known.contains(key) || is_like_a_key(key);
    let mut keys = front.tree.entries().filter_map(|entry| entry.key.as_str()).peekable();
    keys.peek().is_none() || keys.any(is_key)
}

/// ` (Codex, Roo Code: skill not loaded; Claude Code: …)`, the worst first.
pub fn effects(group: &[&Problem]) -> String {
    let mut texts: Vec<(Outcome, &str, Vec<&str>)> = Vec::new();
    for problem in group.iter().filter(|problem| !problem.effect.text.is_empty()) {
        let client = problem.client.title.as_str();
        match texts.iter_mut().find(|(_, text, _)| *text == problem.effect.text) {
            Some((_, _, clients)) if !clients.contains(&client) => clients.push(client),
            Some(_) => {}
            None => texts.push((problem.effect.outcome, &problem.effect.text, vec![client])),
        }
    }
    texts.sort_by_key(|(outcome, _, _)| std::cmp::Reverse(*outcome));
    let parts: Vec<String> =
        texts.iter().map(|(_, text, clients)| format!("{}: {text}", clients.join(", "))).collect();
    if parts.is_empty() { String::new() } else { format!(" ({})", parts.join("; ")) }
}
