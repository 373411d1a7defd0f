//! Switching a rule off: at a finding, in its file, or in the settings of the workspace.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::Deserialize;
use serde_json::Value;

use super::diagnostics::diagnostics;
use crate::config::{Config, FILE_NAME, Level, Options};
use crate::document::Document;
use crate::format::Context;
use crate::plan::FileChange;
use crate::rule::{Diagnostic, Rule};
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
    let first = |edits: Vec<Edit>| {
        let mut working: Vec<(Edit, Change)> = Vec::new();
        for edit in edits {
            match works(document, cx, all, finding, &edit) {
                Some(Change::Nothing) => return Some(vec![edit]),
                Some(change) => working.push((edit, change)),
                None => {}
            }
        }
        working.into_iter().next().map(|(edit, _)| vec![edit])
    };
    Comments { here: first(here(document, cx, finding)), in_file: first(in_file(cx, finding)) }
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

/// What a comment changes in the content of a document.
enum Change {
    Nothing,
    /// It is in prose that the author or a model reads.
    Prose,
}

/// The effect of an edit, if it removes a finding and adds none.
fn works(
    old: &Document,
    cx: &Context,
    all: &[Diagnostic],
    finding: &Diagnostic,
    edit: &Edit,
) -> Option<Change> {
    let mut text = cx.source.text().to_string();
    if !text.is_char_boundary(edit.span.start) {
        return None;
    }
    text.insert_str(edit.span.start, &edit.text);
    let document = Document::new(&text, cx.path, cx.config);
    let change = change(old, cx, &document, edit.text.trim())?;
    let cx = Context { source: document.source(), ..*cx };
    let found = diagnostics(&document, &cx);
    let moved = if edit.span.start <= finding.span.start { edit.text.len() } else { 0 };
    let start = finding.span.start + moved;
    let (before, after) = (counts(all), counts(&found));
    let left = found.iter().any(|one| one.rule == finding.rule && one.span.start == start)
        || after.get(finding.rule.code) >= before.get(finding.rule.code);
    let fits = !left
        && after.iter().all(|(code, count)| before.get(code).is_some_and(|before| count <= before));
    fits.then_some(change)
}

/// The effect of a comment on the content of a document; `None` if it changes a value.
fn change(old: &Document, cx: &Context, new: &Document, comment: &str) -> Option<Change> {
    if old.format().name != new.format().name {
        return None;
    }
    let Some(parse) = &old.format().parse else { return Some(Change::Nothing) };
    let read = |document: &Document| {
        let mut value = (parse.read)(&Context { source: document.source(), ..*cx });
        forget_ranges(&mut value);
        value
    };
    let (mut old, mut new) = (read(old), read(new));
    if old == new {
        return Some(Change::Nothing);
    }
    forget_comment(&mut old, comment, false);
    forget_comment(&mut new, comment, false);
    (old == new).then_some(Change::Prose)
}

/// The fields whose text may contain comments.
const PROSE: &[&str] = &["assistant", "changelog", "human", "mission", "reasoning"];

/// Removes a comment from prose, and the whitespace around it.
fn forget_comment(value: &mut Value, comment: &str, prose: bool) {
    match value {
        Value::String(text) if prose => {
            let rest = text.replacen(comment, " ", 1);
            *text = rest.split_whitespace().collect::<Vec<_>>().join(" ");
        }
        Value::Object(fields) => {
            for (name, value) in fields {
                forget_comment(value, comment, prose || PROSE.contains(&name.as_str()));
            }
        }
        Value::Array(items) => {
            items.iter_mut().for_each(|item| forget_comment(item, comment, prose))
        }
        _ => {}
    }
}

/// Removes ranges, which move with the text before them, and errors, which are findings.
fn forget_ranges(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            fields.retain(|name, value| {
                let is_range = value.get("start").is_some() && value.get("end").is_some();
                name != "errors" && !(name == "range" && is_range)
            });
            fields.values_mut().for_each(forget_ranges);
        }
        Value::Array(items) => items.iter_mut().for_each(forget_ranges),
        _ => {}
    }
}

/// The settings file with a rule disabled: the one that applies to the document, or a new one in
/// its workspace. `read` returns the current text of a file.
///
/// # Errors
/// If the settings can't be edited; the error says why.
pub fn in_workspace(
    cx: &Context,
    rule: &Rule,
    read: &dyn Fn(&std::path::Path) -> Option<String>,
) -> Result<FileChange, String> {
    let path: PathBuf = match cx.config.file() {
        Some(file) => file.to_owned(),
        None => cx.root().ok_or("the document isn't in a folder")?.join(FILE_NAME),
    };
    let code = rule.code;
    let before = read(&path);
    let text = before.as_deref().unwrap_or_default();
    let (mark, text) = text.split_at(text.len() - text.trim_start_matches('\u{feff}').len());
    let root = path.parent().unwrap_or(&path).to_owned();
    // Settings for the document's own folder may override both.
    let works = |text: &String| {
        let options = toml::from_str::<Options>(text).ok();
        let config = options.and_then(|options| Config::new(root, options).ok());
        config.is_some_and(|config| config.severity(rule, cx.path).is_none())
    };
    let after = off(text, code).or_else(|| ignoring(text, code)).filter(works);
    let after = after
        .ok_or_else(|| format!("{FILE_NAME} can't be edited; add `{code}` to `ignore` in it"))?;
    let after = format!("{mark}{after}");
    Ok(FileChange::new(path, FILE_NAME, before.as_deref(), Some(&after)))
}

/// Settings in which the severity of a rule is now `off`; everything else stays as written. `None` if
/// they don't set it.
fn off(text: &str, code: &str) -> Option<String> {
    #[derive(Deserialize)]
    struct Peek {
        #[serde(default)]
        rules: BTreeMap<String, toml::Spanned<String>>,
    }
    let mut wanted: Options = toml::from_str(text).ok()?;
    let peek: Peek = toml::from_str(text).ok()?;
    let mut after = text.to_owned();
    after.replace_range(peek.rules.get(code)?.span(), "\"off\"");
    wanted.rules.insert(code.to_owned(), Level::Off);
    (toml::from_str::<Options>(&after).ok()? == wanted).then_some(after)
}

/// Settings with a rule added to `ignore`; everything else stays as written. `None` if they aren't
/// valid.
fn ignoring(text: &str, code: &str) -> Option<String> {
    #[derive(Deserialize)]
    struct Peek {
        ignore: Option<toml::Spanned<Vec<toml::Spanned<String>>>>,
    }
    let options: Options = toml::from_str(text).ok()?;
    let peek: Peek = toml::from_str(text).ok()?;
    let quoted = format!("\"{code}\"");
    let newline = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let after = match peek.ignore {
        None => {
            // Before any table, and after the comments at the top.
            let head: usize = text
                .split_inclusive('\n')
                .take_while(|line| line.starts_with('#'))
                .map(str::len)
                .sum();
            let (head, rest) = text.split_at_checked(head)?;
            let gap = if head.is_empty() || head.ends_with('\n') { "" } else { newline };
            let space = if rest.starts_with('[') { newline } else { "" };
            format!("{head}{gap}ignore = [{quoted}]{newline}{space}{rest}")
        }
        Some(ignore) => {
            let close = ignore.span().end.checked_sub(1)?;
            let last = ignore.get_ref().last().map(|last| last.span().end);
            let (before, rest) = text.split_at_checked(close)?;
            let (items, tail) = before.split_at_checked(last.unwrap_or(ignore.span().start + 1))?;
            let has_comma = has_comma(tail);
            let comma = if last.is_none() || has_comma { "" } else { "," };
            if tail.contains('\n') {
                // One item per line, after the comments on those before it.
                let kept = tail.trim_end();
                let space = tail.get(kept.len()..)?;
                let line = items.rsplit('\n').next().unwrap_or_default();
                let indent = match last {
                    Some(_) => line.get(..line.len() - line.trim_start().len())?,
                    None => "  ",
                };
                format!("{items}{comma}{kept}{newline}{indent}{quoted},{space}{rest}")
            } else {
                let gap = if last.is_some() { " " } else { "" };
                let (kept, space) = if has_comma { (tail.trim_end(), "") } else { ("", tail) };
                format!("{items}{comma}{kept}{gap}{quoted}{space}{rest}")
            }
        }
    };
    let mut wanted = options;
    wanted.ignore.push(code.to_owned());
    (toml::from_str::<Options>(&after).ok()? == wanted).then_some(after)
}

/// Whether a comma follows the last item of a list, before `]`.
fn has_comma(tail: &str) -> bool {
    tail.lines().any(|line| line.split('#').next().unwrap_or_default().contains(','))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{Comments, comments, ignoring, in_workspace, off};
    use crate::config::{Config, Options};
    use crate::document::Document;
    use crate::format::{self, Context, Format};
    use crate::ide;
    use crate::text::{Edit, apply};
    use crate::world::Memory;

    /// What a program reads from `text`, apart from errors.
    fn read(text: &str, format: &str) -> serde_json::Value {
        let (config, world) = (Config::default(), Memory::default());
        let document = Document::new(text, None, &config);
        let cx = Context::new(document.source(), None, &world, &config);
        let parse = Format::named(format).and_then(|format| format.parse.as_ref()).unwrap();
        (parse.read)(&cx)
    }

    /// The comments for the first finding of each rule in `text`.
    fn offered(text: &str, name: &str, clients: Option<&str>) -> Vec<(&'static str, Comments)> {
        let clients = clients.into_iter().flat_map(|names| names.split(',')).map(str::to_owned);
        let options = Options { clients: clients.collect(), ..Options::default() };
        let config = Config::new("/w".into(), options).unwrap();
        let path = Path::new("/w").join(name);
        let world = Memory::default().in_folder("/w").with(&path, text);
        let document = Document::new(text, Some(&path), &config);
        let cx = Context::new(document.source(), Some(&path), &world, &config);
        let all = ide::diagnostics::diagnostics(&document, &cx);
        let mut found: Vec<(&'static str, Comments)> = Vec::new();
        for finding in &all {
            if found.iter().all(|(code, _)| *code != finding.rule.code) {
                found.push((finding.rule.code, comments(&document, &cx, &all, finding)));
            }
        }
        found
    }

    fn after(text: &str, edits: &Option<Vec<Edit>>) -> Option<String> {
        edits.as_ref().map(|edits| apply(text, edits).unwrap())
    }

    const DUCKFLOW: &str = "[REASONING]\n日本 🦆\n\n[ACTION_0_TYPE] edit_file\n[ACTION_0_PATH] src/none.py\n[ACTION_0_CONTENT_START]\nx\n[ACTION_0_CONTENT_END]\n";
    const LLMD: &str = "# Project: 日本 🦆\n\n## Meta: LLMD\n\nx\n\n## Mission\n\nTell.\n\n## Code Context\n\n## Changelog\n\n- Created\n\n## Conversation Thread\n\n### Entry 2\n\n**Human:** Show.\n\n**Assistant:** Done.\n";

    #[test]
    fn a_comment_does_not_change_what_programs_read() {
        for eol in ["\n", "\r\n"] {
            let text = DUCKFLOW.replace('\n', eol);
            let found = offered(&text, "reply.md", None);
            assert!(!found.is_empty());
            for (code, comments) in found {
                for after in [after(&text, &comments.here), after(&text, &comments.in_file)] {
                    let Some(after) = after else { continue };
                    let (old, new) = (read(&text, "duckflow"), read(&after, "duckflow"));
                    assert_eq!(old["actions"], new["actions"], "{code}: {after}");
                    assert!(eol == "\n" || !after.replace("\r\n", "").contains('\n'), "{after:?}");
                }
            }
            let text = LLMD.replace('\n', eol);
            let found = offered(&text, "clock.ll.md", None);
            let (_, comments) =
                found.iter().find(|(code, _)| *code == "llmd/entry-number").unwrap();
            let after = after(&text, &comments.here).expect("a place above");
            assert!(after.contains("-->\n### Entry 2") || after.contains("-->\r\n### Entry 2"));
            assert_eq!(read(&after, "llmd")["entries"][0]["number"], 2, "{after}");
        }
    }

    #[test]
    fn a_comment_that_only_moves_a_finding_is_not_offered() {
        let text = "Hi 🦆.\n\n```diff\n--- a/x.py\n+++ b/x.py\n@@ -1 +1 @@\n-a\n+b\n```\n\n*** Begin Patch\n*** Update File: src/";
        for text in [text.to_owned(), text.replace('\n', "\r\n")] {
            let found = offered(&text, "reply.md", None);
            let unreadable = found.iter().find(|(code, _)| *code == "edit/unreadable");
            let (code, comments) = unreadable.expect("a broken patch");
            for after in [after(&text, &comments.here), after(&text, &comments.in_file)] {
                let Some(after) = after else { continue };
                let left = offered(&after, "reply.md", None);
                assert!(left.iter().all(|(other, _)| other != code), "{after}");
            }
        }
    }

    #[test]
    fn comments_in_examples_leave_names_numbers_paths_and_requests() {
        let mut seen = 0;
        for rule in format::rules() {
            let Some(format) = Some(rule.group())
                .filter(|group| ["duckflow", "llmd", "context", "markdownlang"].contains(group))
            else {
                continue;
            };
            for example in rule.placed_examples("bad") {
                let text = &example.text;
                let name = example.path.unwrap_or("program.md");
                for (code, comments) in offered(text, name, example.clients) {
                    for after in [after(text, &comments.here), after(text, &comments.in_file)] {
                        let Some(after) = after else { continue };
                        seen += 1;
                        let (old, new) = (read(text, format), read(&after, format));
                        for key in [
                            "actions",
                            "vitals",
                            "items",
                            "request",
                            "project",
                            "code_context",
                            "blocks",
                            "input",
                            "output",
                        ] {
                            // Ranges move.
                            let plain = |value: &serde_json::Value| {
                                let mut value = value.clone();
                                super::forget_ranges(&mut value);
                                value
                            };
                            assert_eq!(
                                plain(&old[key]),
                                plain(&new[key]),
                                "{code}: {key}: {after}"
                            );
                        }
                        let numbers = |value: &serde_json::Value| {
                            let entries = value["entries"].as_array().cloned().unwrap_or_default();
                            entries.iter().map(|entry| entry["number"].clone()).collect::<Vec<_>>()
                        };
                        assert_eq!(numbers(&old), numbers(&new), "{code}: {after}");
                    }
                }
            }
        }
        assert!(seen > 50, "{seen}");
    }

    #[test]
    fn a_rule_is_added_to_ignore_and_nothing_else_changes() {
        let cases = [
            ("", "ignore = [\"a/b\"]\n"),
            ("# ours\n", "# ours\nignore = [\"a/b\"]\n"),
            ("[rules]\n\"c/d\" = \"off\"\n", "ignore = [\"a/b\"]\n\n[rules]\n\"c/d\" = \"off\"\n"),
            ("exclude = []\n", "ignore = [\"a/b\"]\nexclude = []\n"),
            ("ignore = []", "ignore = [\"a/b\"]"),
            ("ignore = [\"x\"] # why\n", "ignore = [\"x\", \"a/b\"] # why\n"),
            ("ignore = [\n  \"x\"\n]\n", "ignore = [\n  \"x\",\n  \"a/b\",\n]\n"),
            ("ignore = [\n  \"x\",\n]\n", "ignore = [\n  \"x\",\n  \"a/b\",\n]\n"),
            ("ignore = [\"x\", ]\n", "ignore = [\"x\", \"a/b\"]\n"),
            // Comments stay where they are.
            ("ignore = [\n  \"x\" # a, b\n]\n", "ignore = [\n  \"x\", # a, b\n  \"a/b\",\n]\n"),
            ("ignore = [\n  \"x\", # why\n]\n", "ignore = [\n  \"x\", # why\n  \"a/b\",\n]\n"),
            ("ignore = [\n  # none yet\n]\n", "ignore = [\n  # none yet\n  \"a/b\",\n]\n"),
            ("ignore = [ # c\n]\n", "ignore = [ # c\n  \"a/b\",\n]\n"),
            (
                "ignore = [\n  \"x\",\n  # last, words\n]\n",
                "ignore = [\n  \"x\",\n  # last, words\n  \"a/b\",\n]\n",
            ),
            // New line breaks match those of the file.
            ("ignore = [\r\n  \"x\"\r\n]\r\n", "ignore = [\r\n  \"x\",\r\n  \"a/b\",\r\n]\r\n"),
            ("exclude = []\r\n", "ignore = [\"a/b\"]\r\nexclude = []\r\n"),
        ];
        for (before, after) in cases {
            assert_eq!(ignoring(before, "a/b").as_deref(), Some(after), "{before:?}");
        }
        // If the result would have another meaning, nothing is changed.
        for not in ["ignore = [", "nonsense = 1\n"] {
            assert_eq!(ignoring(not, "a/b"), None, "{not:?}");
        }
        for (before, after) in [
            ("[rules]\n\"a/b\" = \"error\" # c\n", Some("[rules]\n\"a/b\" = \"off\" # c\n")),
            ("rules = { \"a/b\" = 'hint' }\r\n", Some("rules = { \"a/b\" = \"off\" }\r\n")),
            ("[rules]\n\"a/c\" = \"error\"\n", None),
        ] {
            assert_eq!(off(before, "a/b").as_deref(), after, "{before:?}");
        }
    }

    #[test]
    fn disabling_a_rule_in_the_workspace_has_an_effect_or_is_not_offered() {
        let rule = format::rules().into_iter().find(|rule| rule.code == "agent/dead-link").unwrap();
        let (config, world) = (Config::default(), Memory::default().in_folder("/w"));
        let document = Document::new("", Some(Path::new("/w/a.md")), &config);
        let path = Path::new("/w/a.md");
        let cx = Context::new(document.source(), Some(path), &world, &config);
        for (before, works) in [
            ("", true),
            ("\u{feff}exclude = []\n", true),
            ("[rules]\n\"agent/dead-link\" = \"error\"\n", true),
            ("[rules]\nagent = \"error\"\n", false),
            (
                "[[overrides]]\nfiles = [\"**\"]\nrules = { \"agent/dead-link\" = \"error\" }\n",
                false,
            ),
            ("[[overrides]]\nfiles = [\"b.md\"]\nrules = { agent = \"error\" }\n", true),
        ] {
            let change = in_workspace(&cx, rule, &|_| Some(before.to_owned()));
            assert_eq!(change.is_ok(), works, "{before:?}");
            let mark = change.ok().and_then(|change| change.after);
            assert!(mark.is_none_or(
                |after| after.starts_with('\u{feff}') == before.starts_with('\u{feff}')
            ));
        }
    }
}
