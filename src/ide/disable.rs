//! Switching a rule off: at a finding, in its file, or in the settings of the workspace.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::Deserialize;

use super::diagnostics::diagnostics;
use crate::config::{FILE_NAME, Options};
use crate::document::Document;
use crate::format::Context;
use crate::plan::FileChange;
use crate::rule::Diagnostic;
use crate::text::Edit;

/// A document above this size isn't checked again to see whether a comment works.
const LONGEST: usize = 500_000;

/// The edits that disable a finding's rule where it is, and in the whole file.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Comments {
    pub here: Option<Vec<Edit>>,
    pub in_file: Option<Vec<Edit>>,
}

/// The comments that disable a finding, as far as they work and report nothing new.
pub fn comments(
    document: &Document,
    cx: &Context,
    all: &[Diagnostic],
    finding: &Diagnostic,
) -> Comments {
    if cx.source.len() > LONGEST {
        return Comments::default();
    }
    let works = |edit: &Edit| works(cx, all, finding, edit);
    let here = here(document, cx, finding).into_iter().find(works);
    let in_file = in_file(cx, finding).into_iter().find(works);
    Comments { here: here.map(|edit| vec![edit]), in_file: in_file.map(|edit| vec![edit]) }
}

/// Ways to disable a finding in its line, the best first.
fn here(document: &Document, cx: &Context, finding: &Diagnostic) -> Vec<Edit> {
    let (source, code) = (cx.source, finding.rule.code);
    let line = source.line_span(finding.span.start);
    let text = source.slice(line.clone());
    let indent: String = text.chars().take_while(|char| matches!(char, ' ' | '\t')).collect();
    let newline = source.line_break();
    let front = source.front_matter().is_some_and(|front| {
        front.yaml_span.start <= line.start && line.start < front.yaml_span.end
    });
    if front {
        let comment = format!("{indent}# agentmd-disable-next-line {code}{newline}");
        return vec![Edit::insert(line.start, comment)];
    }
    if super::opaque::touches(document, &line) {
        return Vec::new();
    }
    // Two spaces before the comment would be a line break.
    let end = line.start + text.trim_end().len();
    vec![
        Edit::insert(end, format!(" <!-- agentmd-disable-line {code} -->")),
        Edit::insert(
            line.start,
            format!("{indent}<!-- agentmd-disable-next-line {code} -->{newline}"),
        ),
    ]
}

/// Ways to disable a rule in a file, the best first.
fn in_file(cx: &Context, finding: &Diagnostic) -> Vec<Edit> {
    let (source, code) = (cx.source, finding.rule.code);
    let newline = source.line_break();
    let front = source.front_matter().map(|front| {
        let comment = format!("# agentmd-disable-file {code}{newline}");
        Edit::insert(front.yaml_span.start, comment)
    });
    // The first line of some formats is part of them.
    let length = source.len();
    let last = source.slice(source.line_span(length));
    let gap = if last.is_empty() { newline.to_owned() } else { format!("{newline}{newline}") };
    let comment = format!("<!-- agentmd-disable-file {code} -->{newline}");
    let end = Edit::insert(length, format!("{gap}{comment}"));
    front.into_iter().chain([end, Edit::insert(0, comment)]).collect()
}

/// How often each rule is reported.
fn counts(all: &[Diagnostic]) -> BTreeMap<&'static str, usize> {
    let mut counts = BTreeMap::new();
    for finding in all {
        *counts.entry(finding.rule.code).or_default() += 1;
    }
    counts
}

/// Whether an edit removes a finding and adds none.
fn works(cx: &Context, all: &[Diagnostic], finding: &Diagnostic, edit: &Edit) -> bool {
    let mut text = cx.source.text().to_string();
    if !text.is_char_boundary(edit.span.start) {
        return false;
    }
    text.insert_str(edit.span.start, &edit.text);
    let document = Document::new(&text, cx.path, cx.config);
    let cx = Context { source: document.source(), ..*cx };
    let found = diagnostics(&document, &cx);
    let moved = if edit.span.start <= finding.span.start { edit.text.len() } else { 0 };
    let start = finding.span.start + moved;
    let left = found.iter().any(|one| one.rule == finding.rule && one.span.start == start);
    let before = counts(all);
    !left
        && counts(&found)
            .iter()
            .all(|(code, count)| before.get(code).is_some_and(|before| count <= before))
}

/// The settings file with a rule disabled: the one that applies to the document, or a new one in
/// its workspace. `read` returns the current text of a file.
///
/// # Errors
/// If the settings can't be edited; the error says why.
pub fn in_workspace(
    cx: &Context,
    code: &str,
    read: &dyn Fn(&std::path::Path) -> Option<String>,
) -> Result<FileChange, String> {
    let path: PathBuf = match cx.config.file() {
        Some(file) => file.to_owned(),
        None => cx.root().ok_or("the document isn't in a folder")?.join(FILE_NAME),
    };
    let before = read(&path);
    let after = ignoring(before.as_deref().unwrap_or_default(), code)
        .ok_or_else(|| format!("{FILE_NAME} can't be edited; add `{code}` to `ignore` in it"))?;
    Ok(FileChange::new(path, FILE_NAME, before.as_deref(), Some(&after)))
}

/// Settings with a rule added to `ignore`; everything else stays as written. `None` if they aren't
/// valid, or ignore it already.
fn ignoring(text: &str, code: &str) -> Option<String> {
    #[derive(Deserialize)]
    struct Peek {
        ignore: Option<toml::Spanned<Vec<String>>>,
    }
    let options: Options = toml::from_str(text).ok()?;
    let peek: Peek = toml::from_str(text).ok()?;
    let quoted = format!("\"{code}\"");
    let after = match peek.ignore {
        None => {
            // Before any table, and after the comments at the top.
            let head: usize = text
                .split_inclusive('\n')
                .take_while(|line| line.starts_with('#'))
                .map(str::len)
                .sum();
            let (head, rest) = text.split_at_checked(head)?;
            let gap = if head.is_empty() || head.ends_with('\n') { "" } else { "\n" };
            let space = if rest.starts_with('[') { "\n" } else { "" };
            format!("{head}{gap}ignore = [{quoted}]\n{space}{rest}")
        }
        Some(ignore) => {
            let close = ignore.span().end.checked_sub(1)?;
            let (before, rest) = text.split_at_checked(close)?;
            let items = before.trim_end();
            let (items, space) = before.split_at_checked(items.len())?;
            let comma = if items.ends_with(['[', ',']) { "" } else { "," };
            match space.contains('\n') {
                // One item per line.
                true => {
                    let indent = items.rsplit('\n').next().unwrap_or_default();
                    let indent = indent.get(..indent.len() - indent.trim_start().len())?;
                    format!("{items}{comma}\n{indent}{quoted},{space}{rest}")
                }
                false => {
                    let gap = if items.ends_with('[') { "" } else { " " };
                    format!("{items}{comma}{gap}{quoted}{space}{rest}")
                }
            }
        }
    };
    let mut wanted = options;
    wanted.ignore.push(code.to_owned());
    (toml::from_str::<Options>(&after).ok()? == wanted).then_some(after)
}

#[cfg(test)]
mod tests {
    use super::ignoring;

    #[test]
    fn a_rule_is_added_to_what_is_ignored_and_nothing_else_changes() {
        let cases = [
            ("", "ignore = [\"a/b\"]\n"),
            ("# ours\n", "# ours\nignore = [\"a/b\"]\n"),
            ("[rules]\n\"c/d\" = \"off\"\n", "ignore = [\"a/b\"]\n\n[rules]\n\"c/d\" = \"off\"\n"),
            ("exclude = []\n", "ignore = [\"a/b\"]\nexclude = []\n"),
            ("ignore = []", "ignore = [\"a/b\"]"),
            ("ignore = [\"x\"] # why\n", "ignore = [\"x\", \"a/b\"] # why\n"),
            ("ignore = [\n  \"x\"\n]\n", "ignore = [\n  \"x\",\n  \"a/b\",\n]\n"),
            ("ignore = [\n  \"x\",\n]\n", "ignore = [\n  \"x\",\n  \"a/b\",\n]\n"),
        ];
        for (before, after) in cases {
            assert_eq!(ignoring(before, "a/b").as_deref(), Some(after), "{before:?}");
        }
        // Rather nothing than settings that mean something else.
        for not in ["ignore = [", "ignore = [\n  \"x\" # why\n]\n", "nonsense = 1\n"] {
            assert_eq!(ignoring(not, "a/b"), None, "{not:?}");
        }
    }
}
