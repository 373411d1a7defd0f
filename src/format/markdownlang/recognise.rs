//! Which Markdown files are programs (MDL-1): those whose front matter has two of the known keys,
//! including `input` or `output`. Skills, agents and other files with their own front matter are
//! not programs, and neither are files with one of the two among many keys of another tool, or with
//! sentences in both.

use std::path::Path;

use super::field::FIELDS;
use crate::source::{FrontMatter, Source};

/// The specification's fields. Other tools have fields with the names of our additions, too.
const OWN: &[&str] = &["name", "description", "input", "output", "imports", "mcp_servers", "model"];

/// Files whose front matter only looks like a program's.
const OTHER_EXTENSIONS: &[&str] = &["prompt", "prompty"];

/// Whether a document is a program. In front matter that isn't valid YAML, the visible keys count.
pub fn recognise(path: Option<&Path>, source: &Source) -> bool {
    let extension = path.and_then(Path::extension).and_then(|extension| extension.to_str());
    if extension.is_some_and(|extension| OTHER_EXTENSIONS.contains(&extension)) {
        return false;
    }
    let Some(front) = source.front_matter() else { return false };
    let mut known: Vec<&str> =
        front.tree.entries().filter_map(|entry| entry.key.as_str()).filter_map(field).collect();
    if !front.tree.errors.is_empty() {
        known.extend(
            source
                .slice(front.yaml_span.clone())
                .lines()
                .filter_map(|line| field(line.split_once(':')?.0)),
        );
    }
    known.sort_unstable();
    known.dedup();
    let sides = known.iter().filter(|name| matches!(**name, "input" | "output")).count();
    known.len() >= 2 && (sides == 2 || sides == 1 && !is_of_another(&front)) && !tells(&front)
}

/// Whether `input` and `output` are sentences: then they describe the text below.
fn tells(front: &FrontMatter) -> bool {
    let sides = ["input", "output"].into_iter().filter_map(|side| front.tree.get(side));
    let mut sides = sides.peekable();
    let is_sentence = |text: &str| text.split_whitespace().nth(LEAST_WORDS - 1).is_some();
    sides.peek().is_some() && sides.all(|side| side.value.as_str().is_some_and(is_sentence))
}

/// A mistaken schema has fewer words.
const LEAST_WORDS: usize = 4;

/// Whether most keys don't belong to a program: other tools have an `input`, too.
fn is_of_another(front: &FrontMatter) -> bool {
    let keys = || front.tree.entries().filter_map(|entry| entry.key.as_str());
    let unknown = keys().filter(|key| FIELDS.iter().all(|field| field.name != *key)).count();
    unknown > MOST_UNKNOWN && unknown > keys().count() / 2
}

/// Up to this many unknown keys may be mistakes.
const MOST_UNKNOWN: usize = 5;

fn field(name: &str) -> Option<&'static str> {
    OWN.iter().copied().find(|known| *known == name)
}
