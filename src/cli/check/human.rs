//! Findings for the terminal, like rustc's: the source with the marked characters, and the fix.

use std::fmt::Write;

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{
    Annotation, AnnotationKind, Group, Level, Origin, Patch, Renderer, Snippet, Title,
};
use anstream::{AutoStream, ColorChoice};

use super::excerpt::{Excerpt, visible};
use super::fix::Fixed;
use super::report::{Checked, Range, Reporter, Summary, related_source};
use super::{Arguments, Global};
use crate::cli::{count, printable};
use crate::format::agent::verdict;
use crate::rule::{Diagnostic, Fix, Severity};
use crate::source::Source;
use crate::text::Span;

/// A related place further away is shown separately.
const NEAR: usize = 4000;
/// More findings of one file are only counted.
const MOST_FINDINGS: usize = 1000;
/// A larger fix is only named.
const LARGEST_PATCH: usize = 1000;

pub struct Human {
    renderer: Renderer,
    quiet: bool,
    verbose: bool,
    statistics: bool,
    /// The fixes made by `--fix`, printed first.
    fixed: String,
}

impl Human {
    pub fn new(arguments: &Arguments, global: &Global, fixed: &Fixed) -> Self {
        let plain = AutoStream::choice(&std::io::stdout()) == ColorChoice::Never;
        let renderer = if plain { Renderer::plain() } else { Renderer::styled() };
        let fixed = if global.quiet { String::new() } else { tell_fixed(fixed) };
        Self {
            renderer: renderer.decor_style(DecorStyle::Ascii),
            quiet: global.quiet,
            verbose: global.verbose,
            statistics: arguments.statistics,
            fixed,
        }
    }

    fn shows(&self, found: &Diagnostic) -> bool {
        self.verbose || found.severity > Severity::Hint
    }

    fn print(&self, checked: &Checked, found: &Diagnostic) -> String {
        let source = &checked.source;
        let level = match found.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
            Severity::Info => Level::INFO,
            Severity::Hint => Level::NOTE.with_name("hint"),
        };
        let related = |near: bool| {
            let is_near = move |span: &Span| {
                near == (span.start.abs_diff(found.span.start) <= NEAR && span.end <= source.len())
            };
            found.related.iter().filter(move |related| {
                if related.path.is_none() { is_near(&related.span) } else { !near }
            })
        };
        let mut spans = vec![found.span.clone()];
        spans.extend(related(true).map(|related| related.span.clone()));
        let title = level.primary_title(printable(&found.message)).id(found.rule.code);
        let mut groups = vec![if source.is_empty() {
            title.element(origin(&checked.file.shown, source, &found.span))
        } else {
            let excerpt = Excerpt::of(source, &spans);
            let mut snippet = Snippet::source(excerpt.text.clone())
                .line_start(excerpt.line)
                .annotation(AnnotationKind::Primary.span(excerpt.place(source, &found.span)));
            for related in related(true) {
                snippet = snippet.annotation(
                    AnnotationKind::Context
                        .span(excerpt.place(source, &related.span))
                        .label(printable(&related.message)),
                );
            }
            place(title, &checked.file.shown, source, &found.span, &excerpt, snippet)
        }];
        groups.extend(related(false).map(|related| {
            let title = Level::NOTE.secondary_title(printable(&related.message));
            match related_source(checked, related) {
                None => Group::with_title(title),
                Some((source, shown)) => {
                    let excerpt = Excerpt::of(&source, std::slice::from_ref(&related.span));
                    let marked =
                        AnnotationKind::Context.span(excerpt.place(&source, &related.span));
                    let snippet = Snippet::source(excerpt.text.clone())
                        .line_start(excerpt.line)
                        .annotation(marked);
                    place(title, &shown, &source, &related.span, &excerpt, snippet)
                }
            }
        }));
        groups.extend(found.fixes.iter().map(|fix| help(source, fix)));
        let mut out = self.renderer.render(&groups);
        out.push_str("\n\n");
        out
    }

    fn table(&self, summary: &Summary) -> String {
        let mut codes: Vec<_> = summary.codes.iter().collect();
        codes.sort_by(|a, b| b.1.cmp(a.1).then(a.0.cmp(b.0)));
        let width =
            codes.iter().map(|(_, count)| count.to_string().len()).max().unwrap_or_default();
        codes.into_iter().map(|(code, count)| format!("{count:>width$}  {code}\n")).collect()
    }
}

impl Reporter for Human {
    fn begin(&self) -> String {
        self.fixed.clone()
    }

    fn file(&self, checked: &Checked) -> String {
        if self.statistics {
            return String::new();
        }
        let verdicts = checked.verdicts.iter().filter(|(_, verdicts)| !verdicts.is_empty());
        let verdicts = verdicts.map(|(_, verdicts)| {
            format!("{}: {}\n\n", printable(&checked.file.shown), verdict::summary(verdicts))
        });
        let mut shown = checked.diagnostics.iter().filter(|found| self.shows(found));
        let found = shown.by_ref().take(MOST_FINDINGS).map(|found| self.print(checked, found));
        let mut out: String = verdicts.chain(found).collect();
        let rest = shown.count();
        if rest > 0 {
            let _ = writeln!(
                out,
                "{}: {} not shown; `--format jsonl` lists all of them\n",
                printable(&checked.file.shown),
                count(rest, "more finding")
            );
        }
        out
    }

    fn end(&self, summary: &Summary) -> String {
        let mut out = if self.statistics { self.table(summary) } else { String::new() };
        if self.quiet {
            return out;
        }
        if summary.files == 0 {
            // Otherwise the error about the settings says why.
            if !summary.unusable {
                out.push_str("No agent markdown files found.\n");
            }
            return out;
        }
        let kinds = [
            (Severity::Error, "error"),
            (Severity::Warning, "warning"),
            (Severity::Info, "info"),
            (Severity::Hint, "hint"),
        ];
        let counts: Vec<String> = kinds
            .into_iter()
            .filter(|(severity, _)| {
                summary.of(*severity) > 0 && (*severity > Severity::Hint || self.verbose)
            })
            .map(|(severity, noun)| count(summary.of(severity), noun))
            .collect();
        if counts.is_empty() {
            match summary.files {
                _ if summary.misread => {}
                1 => out.push_str("No problems in the file.\n"),
                files => _ = writeln!(out, "No problems in {files} files."),
            }
            return out;
        }
        let _ = writeln!(
            out,
            "{} in {} ({} checked)",
            counts.join(", "),
            count(summary.mentioned, "file"),
            summary.files
        );
        if let Some(code) = summary.codes.keys().next().filter(|_| !self.statistics) {
            let _ = writeln!(out, "For more about a finding, run: agentmd explain {code}");
        }
        out
    }

    fn shows_hints(&self) -> bool {
        self.verbose
    }
}

/// A snippet under its path, line and column, which are computed from the snippet unless it was
/// truncated.
fn place<'a>(
    title: Title<'a>,
    shown: &str,
    source: &Source,
    span: &Span,
    excerpt: &Excerpt,
    snippet: Snippet<'a, Annotation<'a>>,
) -> Group<'a> {
    if excerpt.cut {
        title.element(origin(shown, source, span)).element(snippet)
    } else {
        title.element(snippet.path(printable(shown)))
    }
}

fn origin(shown: &str, source: &Source, span: &Span) -> Origin<'static> {
    let start = Range::of(source, span).start;
    Origin::path(printable(shown)).line(start.line).char_column(start.column)
}

/// The changes of a fix.
fn help<'a>(source: &Source, fix: &'a Fix) -> Group<'a> {
    let title = Level::HELP.secondary_title(
        printable(&fix.title) + if fix.safe { " (applied by `--fix`)" } else { "" },
    );
    let spans: Vec<Span> = fix.edits.iter().map(|edit| edit.span.clone()).collect();
    let size = fix.edits.iter().map(|edit| edit.text.len()).sum::<usize>()
        + spans
            .iter()
            .map(|span| span.end)
            .max()
            .unwrap_or_default()
            .saturating_sub(spans.iter().map(|span| span.start).min().unwrap_or_default());
    if spans.is_empty() || size > LARGEST_PATCH || fix.snippet.is_some() {
        return Group::with_title(title);
    }
    let excerpt = Excerpt::exactly(source, &spans);
    if excerpt.cut {
        return Group::with_title(title);
    }
    let patches: Vec<Patch> = fix
        .edits
        .iter()
        .map(|edit| {
            Patch::new(excerpt.place_exactly(&edit.span), visible(&edit.text).replace("\r\n", "\n"))
        })
        .collect();
    let snippet = Snippet::source(excerpt.text).line_start(excerpt.line).patches(patches);
    title.element(snippet)
}

fn tell_fixed(fixed: &Fixed) -> String {
    let mut out = String::new();
    for file in &fixed.files {
        let codes: Vec<String> = file
            .codes
            .iter()
            .map(
                |(code, count)| {
                    if *count == 1 { (*code).to_owned() } else { format!("{code} (×{count})") }
                },
            )
            .collect();
        let _ = writeln!(out, "Fixed {}: {}", printable(&file.file.shown), codes.join(", "));
    }
    out
}
