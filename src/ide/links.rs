//! Links: their spans and targets.

use std::collections::HashSet;
use std::path::Path;

use crate::answer::{Link, LinkTarget};
use crate::document::Document;
use crate::format::Context;
use crate::ide::{blocks, opaque};
use crate::markdown::LinkKind;
use crate::source::{Placed, Source};
use crate::text::Span;
use crate::world;

/// The links of a document, in order: destinations of inline links, images, definitions and
/// autolinks, and the format's own.
pub fn links(document: &Document, cx: &Context) -> Vec<Link> {
    let mut found = blocks::places::links(document, cx);
    let placed: HashSet<usize> = found.iter().map(|link| link.span.start).collect();
    // Link to the lines rather than to the file.
    found.extend(
        document.model().links(cx).into_iter().filter(|link| !placed.contains(&link.span.start)),
    );
    for placed in cx.source.sections() {
        found.extend(
            section_links(cx, placed).filter(|link| !opaque::touches(document, &link.span)),
        );
    }
    found.sort_by_key(|link| (link.span.start, link.span.end));
    found
}

/// The links in a section's text.
fn section_links<'a>(cx: &'a Context, placed: Placed<'a>) -> impl Iterator<Item = Link> + 'a {
    cx.source.blocks(placed).links.iter().filter_map(move |link| {
        let span = link.destination_span.clone()?;
        let target = target(cx.path, &link.destination)?;
        Some(Link {
            span: placed.start + span.start..placed.start + span.end,
            target,
            tooltip: None,
        })
    })
}

/// The target of a destination in a document at `path`; `None` if it has none (empty, or relative
/// without a path).
pub fn target(path: Option<&Path>, destination: &str) -> Option<LinkTarget> {
    if destination.is_empty() {
        return None;
    }
    if has_scheme(destination) {
        return Some(LinkTarget::Url(destination.to_owned()));
    }
    if destination.starts_with("//") {
        return Some(LinkTarget::Url(format!("https:{destination}")));
    }
    let path = path?;
    let (file, fragment) = match destination.split_once('#') {
        Some((file, fragment)) => (file, Some(fragment.to_owned())),
        None => (destination, None),
    };
    let file = file.split_once('?').map_or(file, |(file, _)| file);
    if file.is_empty() {
        return Some(LinkTarget::File { path: path.to_owned(), fragment });
    }
    let decoded = percent_encoding::percent_decode_str(file).decode_utf8_lossy();
    Some(LinkTarget::File { path: world::resolve(path, &decoded), fragment })
}

/// The link `[text][label]` or `[label]` under the cursor whose label is defined in another
/// section: its span, and the destination of the definition.
pub(super) fn reference_at(source: &Source, offset: usize) -> Option<(Span, String)> {
    let line = source.line_span(offset);
    let text = source.slice(line.clone());
    let at = offset - line.start;
    let mut from = 0;
    while let Some(open) = text.get(from..)?.find('[').map(|found| from + found) {
        let close = open + text.get(open..)?.find(']')?;
        let after = text.get(close + 1..)?;
        let (label, end) = match after.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
            Some(("", _)) => (text.get(open + 1..close)?, close + 3),
            Some((label, _)) => (label, close + 3 + label.len()),
            None => (text.get(open + 1..close)?, close + 1),
        };
        if open <= at && at <= end {
            let in_code = text.get(..open)?.matches('`').count() % 2 == 1;
            let destination = if in_code || after.starts_with(['(', ':']) {
                None
            } else {
                definition_of(source, label)
            };
            return Some((line.start + open..line.start + end, destination?));
        }
        from = end;
    }
    None
}

/// The destination of a label in the document; the first definition counts, ignoring case and
/// whitespace.
fn definition_of(source: &Source, label: &str) -> Option<String> {
    let fold = |label: &str| label.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
    let wanted = fold(label);
    source.sections().find_map(|placed| {
        let mut definitions =
            source.blocks(placed).links.iter().filter(|link| link.kind == LinkKind::Definition);
        let found = definitions.find(|link| {
            let text = source.slice(placed.start + link.span.start..placed.start + link.span.end);
            text.trim_start()
                .strip_prefix('[')
                .and_then(|rest| rest.split_once("]:"))
                .is_some_and(|(label, _)| fold(label) == wanted)
        });
        found.map(|link| link.destination.clone())
    })
}

/// `scheme:` with at least two letters, so that `C:` is a drive.
fn has_scheme(destination: &str) -> bool {
    let Some((scheme, _)) = destination.split_once(':') else { return false };
    scheme.len() > 1
        && scheme.starts_with(|first: char| first.is_ascii_alphabetic())
        && scheme
            .chars()
            .all(|char| char.is_ascii_alphanumeric() || matches!(char, '+' | '-' | '.'))
}

/// The anchor that renderers give a heading: lower case, punctuation dropped, spaces as hyphens
/// (GitHub's rule).
pub fn anchor(heading: &str) -> String {
    let kept = heading.trim().chars().filter_map(|char| match char {
        ' ' | '\t' => Some('-'),
        '-' | '_' => Some(char),
        char if char.is_alphanumeric() => Some(char),
        _ => None,
    });
    kept.flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn destinations_resolve() {
        let file = |path: &str, fragment: Option<&str>| {
            Some(LinkTarget::File { path: path.into(), fragment: fragment.map(str::to_owned) })
        };
        let at = Some(Path::new("/w/a/b.md"));
        assert_eq!(target(at, "../c%20d.md#x"), file("/w/c d.md", Some("x")));
        assert_eq!(target(at, "#top"), file("/w/a/b.md", Some("top")));
        assert_eq!(target(at, "https://x.y/z"), Some(LinkTarget::Url("https://x.y/z".into())));
        assert_eq!(target(at, "mailto:a@b.c"), Some(LinkTarget::Url("mailto:a@b.c".into())));
        assert_eq!(target(None, "x.md"), None);
        assert_eq!(target(at, ""), None);
    }

    #[test]
    fn references_find_their_definition_in_any_section() {
        let text = "# A\n\nSee [the file][R 1], [r 1] and `[r 1]`, not [other].\n\n# B\n\n[r  1]: ./q.md\n";
        let source = Source::new(text);
        let at = |word: &str| {
            reference_at(&source, text.find(word).unwrap() + 2)
                .map(|(span, to)| (text[span].to_owned(), to))
        };
        assert_eq!(at("[the"), Some(("[the file][R 1]".to_owned(), "./q.md".to_owned())));
        assert_eq!(at(" [r 1] and"), Some(("[r 1]".to_owned(), "./q.md".to_owned())));
        assert_eq!(at("`[r 1]"), None);
        assert_eq!(at("[other"), None);
        assert_eq!(at("not"), None);
    }

    #[test]
    fn anchors_follow_the_common_rule() {
        assert_eq!(
            anchor("Hello, World: `x` & Überschrift 日本"),
            "hello-world-x--überschrift-日本"
        );
    }
}
