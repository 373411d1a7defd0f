use std::ffi::OsStr;
use std::path::Path;

use crate::declare_rule;
use crate::format::{Context, front_matter};
use crate::markdown::front::Delimiters;
use crate::rule::{Fix, Report};
use crate::source::FrontMatter;
use crate::text::Edit;
use crate::yaml::{Error, ErrorKind};

declare_rule! {
    /// The front matter is not YAML, so the file is read without it, or not at all.
    ///
    /// Tools that read skills, agents, commands and rules rarely say so: the skill is just not there. By far the most
    /// common cause is a value that holds a colon followed by a space, such as `description: Use when: …`. Next come
    /// values that begin with `@`, `*`, `` ` ``, `%` or `{{`, and lists with text behind them, as in
    /// `argument-hint: [file] [line]`. Put such a value in quotes.
    ///
    /// Front matter that is never closed, with a `name` and a `description` in it, is none either.
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
    if front.delimiters == Delimiters::Unclosed {
        return check_end(cx, &front, report);
    }
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

/// Below a thematic break may stand anything; the keys that such files begin with are meant as front matter.
fn check_end(cx: &Context, front: &FrontMatter, report: &mut Report) {
    let text = cx.source.slice(front.yaml_span.clone());
    let has = |wanted: &str| text.lines().filter_map(key).any(|key| key == wanted);
    if text.lines().next().and_then(key).is_none() || !has("name") || !has("description") {
        return;
    }
    let message = "The front matter that begins here is never closed, so it is read as text. End it with a line that is exactly `---`.";
    let end = front.yaml_span.start + text.trim_end().len();
    let edit = Edit::insert(end, format!("{}---", cx.source.line_break()));
    report.add(&RULE, front.opening.clone(), message).fix(Fix::safe("Insert the closing `---`", vec![edit]));
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;
    use crate::source::Source;
    use crate::text::apply;
    use crate::world::Memory;

    fn mended(text: &str) -> Option<String> {
        let (source, world, config) = (Source::new(text), Memory::default(), Config::default());
        let mut report = Report::default();
        check(&Context::new(&source, None, &world, &config), &mut report);
        let finding = report.diagnostics.first()?;
        assert_eq!(source.slice(finding.span.clone()), "---");
        Some(apply(text, &finding.fixes[0].edits).unwrap())
    }

    #[test]
    fn front_matter_of_a_skill_that_is_never_closed() {
        assert_eq!(mended("---\nname: x\ndescription: y\n\nText.\n").as_deref(), Some("---\nname: x\ndescription: y\n---\n\nText.\n"));
        assert_eq!(
            mended("\u{feff}---\r\nname: x\r\ndescription: y\r\n\r\nX\r\n").as_deref(),
            Some("\u{feff}---\r\nname: x\r\ndescription: y\r\n---\r\n\r\nX\r\n")
        );
        for other in [
            "---\nname: x\n---\n",
            "---\nNote: this\n\nText.\n",
            "---\nname: x\n\nText.\n",
            "---\n\nname: x\ndescription: y\n\nText.\n",
            "name: x\n",
            "---\n# X\n",
            "---\n",
        ] {
            if let Some(mended) = mended(other) {
                panic!("{other:?}: {mended:?}");
            }
        }
    }
}
