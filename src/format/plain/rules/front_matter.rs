use std::ffi::OsStr;
use std::path::Path;

use crate::declare_rule;
use crate::format::{Context, front_matter};
use crate::markdown::front::Delimiters;
use crate::rule::Report;
use crate::yaml::{Error, ErrorKind};

declare_rule! {
    /// The front matter is not YAML, so the file is read without it, or not at all.
    ///
    /// Tools that read skills, agents, commands and rules rarely say so: the skill is just not there. By far the most
    /// common cause is a value that holds a colon followed by a space, such as `description: Use when: …`. Next come
    /// values that begin with `@`, `*`, `` ` ``, `%` or `{{`, and lists with text behind them, as in
    /// `argument-hint: [file] [line]`. Put such a value in quotes.
    ///
    /// Cursor reads `globs` of `.mdc` files without YAML: there, quotes would be wrong, and nothing is reported.
    ///
    /// ````markdown bad
    /// ---
    /// name: review
    /// description: Use when: the user asks for a review
    /// ---
    ///
    /// Review the change.
    /// ````
    ///
    /// ````markdown good
    /// ---
    /// name: review
    /// description: "Use when: the user asks for a review"
    /// ---
    ///
    /// Review the change.
    /// ````
    pub static RULE = "markdown/front-matter", Warning, "Front matter that YAML cannot read";
}

/// Reports YAML mistakes in what certainly is meant as front matter.
pub fn check(cx: &Context, report: &mut Report) {
    let Some(front) = cx.source.front_matter() else { return };
    if front.tree.errors.is_empty() || front.delimiters != Delimiters::Complete {
        return;
    }
    let text = cx.source.slice(front.yaml_span.clone());
    if !looks_like_front_matter(&text) {
        return;
    }
    let rule_file = cx.path.and_then(Path::extension) == Some(OsStr::new("mdc"));
    let allowed = |error: &Error| {
        let line = line_of(&text, error.span.start);
        let glob = rule_file && key_above(&text, error.span.start) == Some("globs");
        // Files of site generators and templates of front matter become YAML later.
        let template = error.kind != ErrorKind::Tab && (line.contains("{{") || line.contains("{%") || line.contains("<%"));
        glob || template
    };
    front_matter::report_errors(&RULE, cx.source, &front, report, |error| !allowed(error));
}

/// Whether the first line with content is a key, as it never is between two thematic breaks.
fn looks_like_front_matter(text: &str) -> bool {
    let mut lines = text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#'));
    lines.next().is_some_and(|line| key(line).is_some()) || text.lines().filter(|line| key(line).is_some()).count() >= 2
}

/// The key that a line at column 0 begins with.
fn key(line: &str) -> Option<&str> {
    let (key, rest) = line.split_once(':')?;
    let named = !key.is_empty() && key.chars().all(|character| character.is_alphanumeric() || matches!(character, '-' | '_' | '.' | '"' | '\''));
    (named && (rest.is_empty() || rest.starts_with([' ', '\t', '\r']))).then_some(key)
}

/// The top-level key whose entry holds `offset`.
fn key_above(text: &str, offset: usize) -> Option<&str> {
    let start = line_start(text, offset);
    key(line_of(text, offset)).or_else(|| text.get(..start)?.lines().rev().find_map(key))
}

fn line_of(text: &str, offset: usize) -> &str {
    text.get(line_start(text, offset)..).and_then(|rest| rest.lines().next()).unwrap_or_default()
}

fn line_start(text: &str, offset: usize) -> usize {
    text.get(..offset).and_then(|before| before.rfind('\n')).map_or(0, |at| at + 1)
}
