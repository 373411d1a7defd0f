//! The text of a file in an element or a call, without what is around it.

use super::fence;
use crate::edit::{Reason, naming as words};

/// Extensions of templates, whose text may be prose.
const TEMPLATES: &[&str] = &[
    "ejs", "erb", "gotmpl", "hbs", "j2", "jinja", "jinja2", "liquid", "mdc", "mustache", "njk",
    "prompt", "qmd", "tmpl", "tpl",
];

/// Text without the `<![CDATA[` around it.
pub(super) fn without_data(text: &str) -> &str {
    let inner = text.trim().strip_prefix("<![CDATA[");
    inner.and_then(|inner| inner.strip_suffix("]]>")).unwrap_or(text)
}

/// The text of a file without the fence around all of it. Documents and templates may begin and end
/// with one.
pub(super) fn without_wrapper<'t>(text: &'t str, path: &str) -> &'t str {
    let extension = path.rsplit_once('.').map_or("", |(_, extension)| extension);
    let inner = without_fence(text);
    let marks = |line: &str| line.trim_start().starts_with("```");
    if words::is_document(path) || TEMPLATES.contains(&extension) || inner.lines().any(marks) {
        text
    } else {
        inner
    }
}

/// Text without the fence around it.
pub(super) fn without_fence(text: &str) -> &str {
    let trimmed = text.trim();
    let Some((first, rest)) = trimmed.split_once('\n') else { return text };
    let Some((mark, _)) = fence::opener(first) else { return text };
    match rest.rsplit_once('\n') {
        Some((body, last)) if last.trim() == mark => rest.get(..=body.len()).unwrap_or(body),
        _ => text,
    }
}

/// The line breaks between tags and their content aren't part of it, nor is the indentation of the
/// closing tag.
pub(super) fn content(text: &str) -> String {
    let text = text.strip_prefix("\r\n").or_else(|| text.strip_prefix('\n')).unwrap_or(text);
    let last =
        text.rfind('\n').filter(|at| text.get(at + 1..).is_some_and(|rest| rest.trim().is_empty()));
    last.and_then(|at| text.get(..=at)).unwrap_or(text).to_owned()
}

/// The content of a file in an element without the indentation of its tags, which every line has
/// too: the call is an item of a list, or indented to be read. The tag begins at `at`.
pub(super) fn unindented(content: String, text: &str, at: usize, inner: &str) -> String {
    let line = text.get(..at).and_then(|before| before.rsplit('\n').next()).unwrap_or_default();
    let lines = || content.lines().filter(|line| !line.trim().is_empty());
    let blank = |text: &str| text.bytes().all(|byte| matches!(byte, b' ' | b'\t'));
    // The content begins below its tag, and the closing tag is as indented as the other.
    let alike = inner.starts_with(['\n', '\r'])
        && inner.rsplit_once('\n').is_some_and(|(_, last)| last == line);
    let exact = lines().any(|content| {
        content.strip_prefix(line).is_some_and(|rest| !rest.starts_with([' ', '\t']))
    });
    if line.is_empty()
        || !blank(line)
        || !alike
        || !exact
        || !lines().all(|it| it.starts_with(line))
    {
        return content;
    }
    let rest = |text: &'_ str| text.strip_prefix(line).map(str::to_owned);
    content
        .split_inclusive('\n')
        .map(|text| rest(text).unwrap_or_else(|| text.trim_start_matches([' ', '\t']).to_owned()))
        .collect()
}

/// If all markup characters of some code are written as entities, they may be escaped or literal.
pub(super) fn escaped(text: &str) -> Option<Reason> {
    let entities = ["&lt;", "&gt;", "&amp;"].iter().any(|entity| text.contains(entity));
    let raw = text.contains('<')
        || text
            .replace("&lt;", "")
            .replace("&gt;", "")
            .replace("&amp;", "")
            .replace("&quot;", "")
            .contains('&');
    (entities && !raw).then_some(Reason::Escaped)
}

/// Whether all line breaks of some code are written as `\n`: the first two are neither in quotes nor in a regular
/// expression.
pub(super) fn has_escaped_breaks(text: &str) -> bool {
    if text.trim_end().contains('\n') {
        return false;
    }
    let mut pieces = text.split("\\n");
    let (first, second, third) = (pieces.next(), pieces.next(), pieces.next());
    let quoted = |piece: &str| ['"', '\'', '`'].iter().any(|quote| piece.contains(*quote));
    let literal = |piece: &str| quoted(piece) || begins_regex(piece);
    third.is_some() && ![first, second].into_iter().flatten().any(literal)
}

/// Whether a slash is where only a regular expression can begin: `a = /x`, `(/x`
fn begins_regex(code: &str) -> bool {
    code.match_indices('/').any(|(at, _)| {
        let before = code.get(..at).unwrap_or_default().trim_end();
        let comment = code.get(at + 1..).is_some_and(|after| after.starts_with(['/', '*']));
        !comment && before.ends_with(['=', '(', ',', ':', '[', '&', '|', '?'])
    })
}
