//! Completion in the actions of a body: fields, variables, functions, keywords, the values of an
//! `enum`. In text outside actions, nothing is offered here.

mod desk;
mod fields;
mod functions;
mod keywords;
mod values;

use crate::answer::Completion;
use crate::format::Context;
use crate::format::markdownlang::Program;
use crate::template::typing::Place;
use desk::Desk;

/// The completions at `offset`.
pub fn complete(program: &Program, cx: &Context, offset: usize) -> Vec<Completion> {
    let Some(desk) = Desk::at(program, cx, offset) else { return Vec::new() };
    match (desk.typing.place, desk.keyword()) {
        (Place::String { .. }, Some("template")) if desk.typing.before.is_empty() => {
            values::templates(&desk)
        }
        (Place::String { .. }, _) => values::strings(&desk),
        (Place::Field(base), _) => fields::of_base(&desk, base),
        (_, Some("define" | "end" | "break" | "continue")) => Vec::new(),
        (Place::Value, Some("template" | "block")) => values::templates(&desk),
        (Place::Value, Some("else")) => keywords::behind_else(&desk),
        (place, _) => {
            let mut found = values::constants(&desk);
            found.extend(fields::of_dot(&desk));
            found.extend(fields::variables(&desk));
            found.extend(functions::all(&desk));
            if place == Place::Start {
                found.extend(keywords::all(&desk));
            }
            found
        }
    }
}
