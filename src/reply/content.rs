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
    (entities && !raw).then_some(Reason::NeedsConfirmation)
}
