//! Completion in the actions of a body: fields, variables, functions, keywords, the values of an
//! `enum`. In text outside actions, nothing is offered here.

mod action_cursor;
mod fields;
mod functions;
mod keywords;
mod values;

use crate::answer::{Completion, CompletionKind};
use crate::format::Context;
use crate::format::markdownlang::Program;
use crate::template::typing::Place;
use action_cursor::{ActionCursor, Room};

/// The completions at `offset`.
pub fn complete(program: &Program, cx: &Context, offset: usize) -> Vec<Completion> {
    let Some(cursor) = ActionCursor::at(program, cx, offset) else { return Vec::new() };
    let room = cursor.room();
    match (cursor.typing.place, cursor.keyword()) {
        _ if room == Room::Nothing => Vec::new(),
        (Place::String { .. }, Some("template")) if cursor.typing.before.is_empty() => {
            values::templates(&cursor)
        }
        (Place::String { .. }, _) => values::strings(&cursor),
        (Place::Field(base), _) => fields::of_base(&cursor, base),
        (_, Some("define" | "end" | "break" | "continue")) => Vec::new(),
        (Place::Value, Some("template" | "block")) => values::templates(&cursor),
        (Place::Value, Some("else")) => keywords::behind_else(&cursor),
        // Only functions accept a piped value.
        (Place::Piped, _) => functions::all(&cursor),
        (place, _) => {
            let mut found = values::constants(&cursor);
            found.extend(fields::of_dot(&cursor));
            found.extend(fields::variables(&cursor));
            found.extend(functions::all(&cursor));
            let word = cursor.written(&cursor.typing.word);
            if place == Place::Start && !word.starts_with('$') {
                found.extend(keywords::all(&cursor));
            }
            found.retain(|item| fits(item, room));
            found
        }
    }
}

/// Whether an item makes sense before the text after the word.
fn fits(item: &Completion, room: Room) -> bool {
    match (room, item.kind) {
        (Room::Nothing, _) => false,
        (Room::Any, _) | (Room::Function { .. }, CompletionKind::Function) => true,
        (Room::Value, kind) => !matches!(kind, CompletionKind::Keyword | CompletionKind::Snippet),
        (Room::Name, kind) => kind == CompletionKind::Variable && item.label.len() > 1,
        (Room::Function { quoted }, CompletionKind::Keyword) => {
            matches!(item.label.as_str(), "if" | "else if" | "range" | "with")
                || quoted && matches!(item.label.as_str(), "template" | "define" | "block")
        }
        (Room::Function { .. }, _) => false,
    }
}
