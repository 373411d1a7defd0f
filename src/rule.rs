//! A rule is one kind of finding: its page, its severity, its examples. A report collects the
//! findings in a document.

pub mod fixture;
pub mod kept;
pub mod page;
pub mod suppression;

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

use crate::rule::fixture::Fixture;
use crate::rule::kept::Kept;
use crate::text::{Edit, Span};

/// The severity of a finding.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    serde::Serialize,
    serde::Deserialize,
    schemars::JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    Hint,
    Info,
    Warning,
    Error,
}

impl Severity {
    pub fn name(self) -> &'static str {
        match self {
            Self::Hint => "hint",
            Self::Info => "info",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// One kind of finding. Declared with [`declare_rule!`](crate::declare_rule), one per file.
#[derive(Debug)]
pub struct Rule {
    /// `group/name`, kebab-case.
    pub code: &'static str,
    pub severity: Severity,
    /// Off until the configuration names it.
    pub off: bool,
    /// A program that reads the file loses content: `check --strict` turns its warnings into
    /// errors.
    pub strict: bool,
    /// One line, for lists.
    pub summary: &'static str,
    /// The page, in Markdown: what, why, what to do, a fenced example marked `bad` and one marked
    /// `good`.
    pub page: &'static str,
}

impl PartialEq for Rule {
    fn eq(&self, other: &Self) -> bool {
        self.code == other.code
    }
}

impl Rule {
    /// The part of the code before the slash.
    pub fn group(&self) -> &'static str {
        self.code.split_once('/').map_or(self.code, |(group, _)| group)
    }

    /// The address of the page.
    pub fn url(&self) -> String {
        format!("{}/blob/main/docs/rules/{}.md", env!("CARGO_PKG_REPOSITORY"), self.code)
    }

    /// The examples of the page: the content of every fence whose info string contains `word`
    /// (`bad` or `good`).
    pub fn examples(&self, word: &str) -> Vec<String> {
        self.fences()
            .into_iter()
            .filter(|(info, _)| info.split_whitespace().any(|part| part == word))
            .map(|(_, content)| content)
            .collect()
    }

    /// The same with their paths and clients: `path=PATH` and `clients=NAME,NAME` in the info
    /// string.
    pub fn placed_examples(&self, word: &str) -> Vec<Example> {
        let value = |info: &'static str, key: &str| {
            info.split_whitespace().find_map(|part| part.strip_prefix(key)?.strip_prefix('='))
        };
        let fences = self
            .fences()
            .into_iter()
            .filter(|(info, _)| info.split_whitespace().any(|part| part == word));
        fences
            .map(|(info, text)| Example {
                text,
                path: value(info, "path"),
                clients: value(info, "clients"),
            })
            .collect()
    }

    /// The other files of the examples, with paths relative to the example: every fence with
    /// `file=path` in its info string.
    pub fn files(&self) -> Vec<(&'static str, String)> {
        let path = |info: &'static str| {
            info.split_whitespace().find_map(|part| part.strip_prefix("file="))
        };
        self.fences()
            .into_iter()
            .filter_map(|(info, content)| Some((path(info)?, content)))
            .collect()
    }

    /// The fences of the page: info string and content, after the fixture that it continues.
    fn fences(&self) -> Vec<(&'static str, String)> {
        let mut found = Vec::new();
        let mut lines = self.page.lines().map(|line| line.strip_prefix(' ').unwrap_or(line));
        while let Some(line) = lines.next() {
            let Some(info) =
                line.trim_start().strip_prefix("````").map(|rest| rest.trim_start_matches('`'))
            else {
                continue;
            };
            let fence = line.trim_start().len() - info.len();
            let ends = |line: &str| {
                line.trim_end().len() == fence && line.bytes().all(|byte| byte == b'`')
            };
            let content: Vec<&str> = lines.by_ref().take_while(|line| !ends(line)).collect();
            let before = Fixture::of(info).map_or("", |fixture| fixture.text);
            found.push((info, format!("{before}{}\n", content.join("\n"))));
        }
        found
    }
}

/// An example of a page, with its setting.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Example {
    pub text: String,
    /// Relative to the workspace.
    pub path: Option<&'static str>,
    /// The clients to check for, separated by commas.
    pub clients: Option<&'static str>,
}

/// Declares a [`Rule`] whose page is the doc comment before it.
///
/// The page explains the mistake, why it matters and what to do, without a title. It ends with at
/// least one example that gives exactly this finding and one that gives none, in fences of four
/// backticks or more (so that they can contain code): ` ````markdown bad ` and
/// ` ````markdown good `. Tests run them, and apply every fix to the bad one.
///
/// - ` ````markdown bad within=clock ` continues the [`Fixture`] of this name.
/// - ` ````markdown file=helper.md ` is another file that the examples need, with its path relative
///   to the example.
///
/// The summary may be followed by `off` or `strict`: see the fields of [`Rule`].
#[macro_export]
macro_rules! declare_rule {
    ($(#[doc = $page:literal])+ $visibility:vis static $name:ident = $code:literal, $severity:ident, $summary:literal $(, $word:ident)?;) => {
        $(#[doc = $page])+
        $visibility static $name: $crate::rule::Rule = $crate::rule::Rule {
            code: $code,
            severity: $crate::rule::Severity::$severity,
            off: $crate::declare_rule!(@off $($word)?),
            strict: $crate::declare_rule!(@strict $($word)?),
            summary: $summary,
            page: concat!($($page, "\n"),+),
        };
    };
    (@off off) => { true };
    (@off $($other:ident)?) => { false };
    (@strict strict) => { true };
    (@strict $($other:ident)?) => { false };
}

/// One finding.
#[derive(Debug, Clone, PartialEq)]
pub struct Diagnostic {
    pub rule: &'static Rule,
    /// The configured severity; until then the rule's default.
    pub severity: Severity,
    /// The wrong characters, in bytes of the document.
    pub span: Span,
    /// The mistake and the remedy in one clause, lower case, without a full stop.
    pub message: String,
    pub fixes: Vec<Fix>,
    pub related: Vec<Related>,
    /// The characters have no effect: editors fade them.
    pub unnecessary: bool,
}

/// A way to fix a finding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fix {
    /// In the imperative: "Quote the value".
    pub title: String,
    /// Bytes of the document with the finding.
    pub edits: Vec<Edit>,
    /// The text of the only edit with placeholders (`${1:name}`), for editors with snippets.
    pub snippet: Option<String>,
    /// It is unambiguously what the author meant: `check --fix` applies it.
    pub safe: bool,
}

/// Another location that explains a finding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Related {
    /// `None`: in the same document.
    pub path: Option<PathBuf>,
    pub span: Span,
    pub message: String,
}

impl Fix {
    /// A fix that `check --fix` may apply.
    pub fn safe(title: impl Into<String>, edits: Vec<Edit>) -> Self {
        Self { title: title.into(), edits, snippet: None, safe: true }
    }

    /// A fix that the author must choose.
    pub fn suggestion(title: impl Into<String>, edits: Vec<Edit>) -> Self {
        Self { title: title.into(), edits, snippet: None, safe: false }
    }

    #[must_use]
    pub fn with_snippet(mut self, snippet: impl Into<String>) -> Self {
        self.snippet = Some(snippet.into());
        self
    }
}

impl Diagnostic {
    pub fn fix(&mut self, fix: Fix) -> &mut Self {
        self.fixes.push(fix);
        self
    }

    /// Adds another location in the same document.
    pub fn relate(&mut self, span: Span, message: impl Into<String>) -> &mut Self {
        self.related.push(Related { path: None, span, message: message.into() });
        self
    }

    pub fn relate_file(
        &mut self,
        path: impl Into<PathBuf>,
        span: Span,
        message: impl Into<String>,
    ) -> &mut Self {
        self.related.push(Related { path: Some(path.into()), span, message: message.into() });
        self
    }

    /// The same finding in a document that has `by` more bytes before it.
    #[must_use]
    pub fn shifted(&self, by: usize) -> Self {
        let shift = |span: &Span| span.start + by..span.end + by;
        let mut shifted = self.clone();
        shifted.span = shift(&self.span);
        for edit in shifted.fixes.iter_mut().flat_map(|fix| &mut fix.edits) {
            edit.span = shift(&edit.span);
        }
        for related in shifted.related.iter_mut().filter(|related| related.path.is_none()) {
            related.span = shift(&related.span);
        }
        shifted
    }

    pub fn unnecessary(&mut self) -> &mut Self {
        self.unnecessary = true;
        self
    }
}

/// The findings so far.
#[derive(Debug, Default)]
pub struct Report {
    pub diagnostics: Vec<Diagnostic>,
    /// Cached findings, each with the start of its part. `None`: they are copied to `diagnostics`.
    kept: Option<Vec<(usize, Arc<Kept>)>>,
    /// The number of findings in `by_span`.
    indexed: usize,
    by_span: HashMap<Span, Vec<usize>>,
}

impl From<Vec<Diagnostic>> for Report {
    fn from(diagnostics: Vec<Diagnostic>) -> Self {
        Self { diagnostics, ..Self::default() }
    }
}

impl Report {
    /// A report that shares cached findings instead of copying them.
    pub fn sharing() -> Self {
        Self { kept: Some(Vec::new()), ..Self::default() }
    }

    /// Adds the findings of a part that begins at `start`, after those of earlier parts.
    pub fn keep(&mut self, start: usize, found: &Arc<Kept>) {
        match &mut self.kept {
            _ if found.is_empty() => {}
            Some(kept) => kept.push((start, Arc::clone(found))),
            None => self.diagnostics.extend(found.all(start)),
        }
    }

    /// The cached findings, if the report shares them.
    pub fn take_kept(&mut self) -> Vec<(usize, Arc<Kept>)> {
        self.kept.take().unwrap_or_default()
    }

    /// The findings about exactly these characters. After the first call, findings may be added,
    /// but not removed.
    pub fn at(&mut self, span: &Span) -> impl Iterator<Item = &Diagnostic> {
        for (index, found) in self.diagnostics.iter().enumerate().skip(self.indexed) {
            self.by_span.entry(found.span.clone()).or_default().push(index);
        }
        self.indexed = self.diagnostics.len();
        self.by_span
            .get(span)
            .into_iter()
            .flatten()
            .filter_map(|index| self.diagnostics.get(*index))
    }

    /// Adds a finding; add fixes and related locations to the result.
    pub fn add(
        &mut self,
        rule: &'static Rule,
        span: Span,
        message: impl Into<String>,
    ) -> &mut Diagnostic {
        let index = self.diagnostics.len();
        let message = message.into();
        self.diagnostics.push(Diagnostic {
            rule,
            severity: rule.severity,
            span,
            message,
            fixes: vec![],
            related: vec![],
            unnecessary: false,
        });
        &mut self.diagnostics[index]
    }
}
