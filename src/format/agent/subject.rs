//! What rules look at: a file with its front matter and everything that judged clients do
//! differently from what its author may expect.

use std::borrow::Cow;
use std::cell::{OnceCell, RefCell};
use std::path::PathBuf;
use std::rc::Rc;

use super::file::File;
use super::files::Lookups;
use super::problem::{Cause, Problem};
use super::reading::{self, Front, Read};
use super::{keys, late, misplaced, tools};
use crate::client::{Ignores, Kind, Outcome, Reading, Role};
use crate::format::Context;
use crate::markdown::front::Delimiters;
use crate::rule::{Diagnostic, Report, Rule};
use crate::source::{FrontMatter, Source};
use crate::text::Span;
use crate::yaml::Entry;

/// A document that clients read, with its problems.
pub struct Subject<'a> {
    pub cx: &'a Context<'a>,
    pub file: File<'a>,
    /// Front matter that is closed, or that is meant as such.
    pub front: Option<FrontMatter<'a>>,
    /// The text of the front matter, without the delimiter lines.
    pub yaml: Cow<'a, str>,
    pub problems: Vec<Problem<'a>>,
    /// What clients got so far, by their way of reading.
    readings: RefCell<Vec<(Reading, Rc<Read>)>>,
    /// What was found at the paths that it mentions.
    pub lookups: RefCell<Lookups>,
    /// The files next to it, as [`super::neighbours`] reads them.
    pub neighbours: OnceCell<Vec<(PathBuf, Source)>>,
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

    /// The same with only the problems of front matter and length: the body isn't read.
    pub fn of_keys(cx: &'a Context<'a>, file: File<'a>) -> Self {
        let front =
            cx.source.front_matter().filter(|front| front.delimiters != Delimiters::Unopened);
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
            ignores: OnceCell::new(),
        };
        subject.problems = keys::problems(&subject);
        subject
    }

    /// What a client gets from the front matter.
    pub fn read(&self, reading: Reading) -> Rc<Read> {
        let known = |(other, _): &&(Reading, Rc<Read>)| *other == reading;
        if let Some((_, read)) = self.readings.borrow().iter().find(known) {
            return Rc::clone(read);
        }
        let front = self.front.as_ref().filter(|front| front.delimiters == Delimiters::Complete);
        let read = Rc::new(front.map_or(Read::Nothing, |front| {
            let mark = front.opening.start > 0;
            reading::read(reading, Front { mark, yaml: &self.yaml, tree: front.tree })
        }));
        self.readings.borrow_mut().push((reading, Rc::clone(&read)));
        read
    }

    /// The top-level entries of the front matter.
    pub fn entries(&self) -> impl Iterator<Item = &Entry> {
        self.front.iter().flat_map(|front| front.tree.entries())
    }

    pub fn entry(&self, key: &str) -> Option<&Entry> {
        self.front.as_ref()?.tree.get(key)
    }

    /// Whether this skill explains skills, so it contains examples of their paths: its name has the word, or
    /// its description speaks of several.
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

    /// Whether a place is the start of a value or an item, so that what is written there must be a
    /// scalar of its own.
    pub fn value_starts(&self, place: &Span) -> bool {
        let line = self.cx.source.line_span(place.start);
        let before = self.cx.source.slice(line.start..place.start);
        let before = before.trim_end();
        before.ends_with([':', '-', '[']) || before.is_empty() || before.contains('[')
    }

    /// The end of the front matter, where the body begins.
    pub fn body(&self) -> usize {
        self.front.as_ref().map_or(0, |front| front.span.end)
    }

    /// The first judged client, for what does not depend on one.
    pub fn role(&self) -> Option<&Role<'a>> {
        self.file.judged.first()
    }

    /// The problems of one cause, those of one place together.
    pub fn groups(&self, cause: Cause) -> Vec<Vec<&Problem<'a>>> {
        let mut groups: Vec<Vec<&Problem<'a>>> = Vec::new();
        for problem in self.problems.iter().filter(|problem| problem.cause == cause) {
            match groups.iter_mut().find(|group| {
                group.first().is_some_and(|first| {
                    // A schema of your own can say several things about a place.
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

    /// Reports what clients do in one finding: the words, and then each effect with the clients
    /// that have it.
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
