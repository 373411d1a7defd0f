//! Completion in the actions of a body: fields, variables, functions, keywords, the values of an
//! `enum`. In text outside actions, nothing is offered here.

mod action_cursor;
mod fields;
mod functions;
mod keywords;
mod values;

use crate::answer::Completion;
use crate::format::Context;
use crate::format::markdownlang::Program;
use crate::template::typing::Place;
use action_cursor::ActionCursor;

/// The completions at `offset`.
pub fn complete(program: &Program, cx: &Context, offset: usize) -> Vec<Completion> {
    let Some(cursor) = ActionCursor::at(program, cx, offset) else { return Vec::new() };
    match (cursor.typing.place, cursor.keyword()) {
        (Place::String { .. }, Some("template")) if cursor.typing.before.is_empty() => {
            values::templates(&cursor)
        }
        (Place::String { .. }, _) => values::strings(&cursor),
        (Place::Field(base), _) => fields::of_base(&cursor, base),
        (_, Some("define" | "end" | "break" | "continue")) => Vec::new(),
        (Place::Value, Some("template" | "block")) => values::templates(&cursor),
        (Place::Value, Some("else")) => keywords::behind_else(&cursor),
        (place, _) => {
            let mut found = values::constants(&cursor);
            found.extend(fields::of_dot(&cursor));
            found.extend(fields::variables(&cursor));
            found.extend(functions::all(&cursor));
            if place == Place::Start {
                found.extend(keywords::all(&cursor));
            }
            found
        }
    }
}
