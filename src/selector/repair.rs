//! Repairs selectors that are almost right (SEL-16): `h20`, `heading.0`, `heading:2(1)`,
//! `doc:section 3`, `doc/h2[1`.

use super::grammar::{Index, Segment, SegmentKind, Selector};
use super::parser::{is_namespace, kind, similar};

/// Longer input isn't a mistyped selector.
const LONGEST: usize = 400;

/// Lenient readings of the input, most likely first. They need not resolve.
pub fn repaired(text: &str) -> Vec<Selector> {
    let text = text.trim().trim_matches(['`', '"', '\'']);
    let text = text.split_once('?').map_or(text, |(path, _)| path);
    if text.is_empty() || text.len() > LONGEST {
        return Vec::new();
    }
    let mut readings: Vec<(Option<&str>, &str)> = Vec::new();
    match text.split_once("::") {
        Some((name, path)) => readings.push((Some(name), path)),
        None => {
            readings.push((None, text));
            // One colon, a slash, a hash: other separators between a document and a path.
            readings.extend(
                [':', '/', '#']
                    .iter()
                    .filter_map(|sign| text.split_once(*sign))
                    .map(|(name, path)| (Some(name), path)),
            );
        }
    }
    let mut found: Vec<Selector> = Vec::new();
    for (name, path) in readings {
        let name = name.map(|name| name.trim().trim_end_matches(".md"));
        if name.is_some_and(|name| !is_namespace(name)) {
            continue;
        }
        for segments in paths(path) {
            let selector =
                Selector { namespace: name.map(str::to_owned), segments, ..Selector::default() };
            if !found.contains(&selector) {
                found.push(selector);
            }
        }
    }
    found
}

/// The paths that the input may mean.
fn paths(path: &str) -> Vec<Vec<Segment>> {
    const MOST: usize = 6;
    let mut found: Vec<Vec<Segment>> = vec![Vec::new()];
    for part in path.split(['/', '>', '\\']).map(str::trim).filter(|part| !part.is_empty()) {
        let meant = segments(part);
        found = found
            .iter()
            .flat_map(|before| {
                meant
                    .iter()
                    .map(move |segment| before.iter().cloned().chain([segment.clone()]).collect())
            })
            .take(MOST)
            .collect();
    }
    found.retain(|segments| !segments.is_empty());
    found
}

/// Readings of one part: a word, and a number in any brackets.
fn segments(part: &str) -> Vec<Segment> {
    let lower = part.to_ascii_lowercase();
    let digits = lower.trim_end_matches(|letter: char| !letter.is_ascii_digit());
    let digits = if digits.is_empty() { lower.as_str() } else { digits };
    let word = digits.trim_end_matches(|letter: char| letter.is_ascii_digit());
    let number = digits.get(word.len()..).filter(|number| !number.is_empty());
    let named: String =
        word.chars().filter(|letter| letter.is_ascii_alphabetic() || *letter == ':').collect();
    let named = named.trim_matches(':');
    let at = |kind: SegmentKind, index: Option<&str>| {
        let index = index.map(|digits| Index::one(digits.parse().unwrap_or(usize::MAX)));
        Segment { kind, index, span: 0..0 }
    };
    // `h2(1)`, `h20`, `heading:2-1`: the first digit is the level.
    if let Some((level, rest)) = heading_level(&lower) {
        let index = rest.trim_matches(|letter: char| !letter.is_ascii_digit());
        return vec![at(
            SegmentKind::Heading(level),
            Some(index).filter(|index| !index.is_empty()),
        )];
    }
    match named {
        // `heading[0]`: of any level.
        "h" | "heading" | "headings" => {
            (1..=6).map(|level| at(SegmentKind::Heading(level), number)).collect()
        }
        "block" | "blocks" | "node" | "item" => vec![at(SegmentKind::Any, number)],
        word => {
            let meant =
                kind(word).or_else(|| kind(word.trim_end_matches('s'))).or_else(|| synonym(word));
            let meant = meant.or_else(|| kind(similar(word)?));
            meant
                .map(|kind| at(kind, number.filter(|_| kind != SegmentKind::Root)))
                .into_iter()
                .collect()
        }
    }
}

/// The level of a heading, and the rest after it.
fn heading_level(part: &str) -> Option<(u8, &str)> {
    let rest = match part.strip_prefix("heading:") {
        Some(rest) => rest.strip_prefix('h').unwrap_or(rest),
        None => part.strip_prefix('h')?,
    };
    let (first, rest) = rest.split_at_checked(1)?;
    let level = first.parse().ok().filter(|level| (1..=6).contains(level))?;
    (!rest.starts_with(|letter: char| letter.is_ascii_alphabetic())).then_some((level, rest))
}

/// Synonyms for the types.
fn synonym(word: &str) -> Option<SegmentKind> {
    let word = word.strip_prefix("block:").unwrap_or(word);
    let meant = match word.trim_end_matches('s') {
        "p" | "text" | "paragraf" => "paragraph",
        "ul" | "ol" | "bullet" | "bulletlist" | "li" => "list",
        "fence" | "codeblock" | "pre" | "snippet" => "code",
        "tbl" => "table",
        "blockquote" | "bq" | "citation" => "blockquote",
        "intro" | "preamble" | "frontmatter" | "top" => "root",
        "sec" | "chapter" => "section",
        _ => return None,
    };
    kind(meant)
}
