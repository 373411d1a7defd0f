//! AQ-1 to AQ-13 of the conformance list.

mod editing;
mod golden;
mod mutations;
mod parts;
mod recognition;
mod round_trip;

use super::layout::Layout;
use super::write::{self, Entry};
use crate::source::Source;

fn layout(text: &str) -> Layout {
    (**super::read::read(&Source::new(text))).clone()
}

fn entries(text: &str) -> Vec<Entry> {
    let source = Source::new(text);
    write::entries(&source, &super::read::read(&source))
}

fn entry(kind: &str, place: Option<(&str, Option<(u32, u32)>)>, content: &str) -> Entry {
    let lines =
        place.and_then(|(_, lines)| lines).map(|(start, end)| (start.to_string(), end.to_string()));
    Entry {
        kind: kind.to_owned(),
        filename: place.map(|(name, _)| name.to_owned()),
        lines,
        content: content.to_owned(),
    }
}
