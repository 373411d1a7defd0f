//! Lenses that say how often something is referred to.

use serde_json::json;
use tower_lsp::gen_lsp_types::{CodeLens, Command, Location};

use super::convert;
use super::session::Snapshot;
use super::show;
use crate::ide::code_lens::Referred;
use crate::text::Encoding;

/// The command of such a lens. The client shows the locations in its arguments.
pub(super) const COMMAND: &str = "agentmd.references";

/// The lens; without the client's help, a click shows the first reference.
pub(super) fn lens(snapshot: &Snapshot, referred: Referred) -> CodeLens {
    let line = snapshot.source().line_span(referred.offset);
    let range = snapshot.range(&(line.start..line.start));
    let locations: Vec<Location> = convert::references(snapshot, &referred.places);
    let command = if snapshot.client.shows_references {
        let position = snapshot.range(&(referred.offset..referred.offset)).start;
        let argument =
            json!({ "uri": snapshot.open.uri, "position": position, "locations": locations });
        Command {
            title: referred.title,
            command: COMMAND.to_owned(),
            arguments: serde_json::from_value(argument).ok().map(|argument| vec![argument]),
            ..Default::default()
        }
    } else {
        let first = referred.places.first();
        let path = first.and_then(|place| place.path.as_deref());
        let line = match (first, path) {
            (Some(place), None) => {
                snapshot.source().position(place.span.start, Encoding::Utf8).line as usize
            }
            _ => locations.first().map_or(0, |location| location.range.start.line as usize),
        };
        show::command(snapshot, referred.title, path, &(line..line))
    };
    CodeLens { range, command: Some(command), data: None }
}
