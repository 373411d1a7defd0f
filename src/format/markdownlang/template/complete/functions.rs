//! Functions: those that accept the piped value come first.

use super::action_cursor::ActionCursor;
use crate::answer::{Completion, CompletionKind};
use crate::format::markdownlang::template::signature;
use crate::template::function::{FUNCTIONS, Function, Kinds};
use crate::template::typing::Place;

/// Every function that can be called at the word.
pub fn all(cursor: &ActionCursor) -> Vec<Completion> {
    let argument = cursor.typing.place == Place::Argument;
    let piped =
        cursor.piped().filter(|_| cursor.typing.place == Place::Piped).map(|kind| kind.kinds());
    let first = cursor.typing.word.start;
    if cursor.written(&cursor.typing.word).starts_with('$') {
        return Vec::new();
    }
    // The input is JSON, which doesn't contain anything to `call`.
    let offered = FUNCTIONS.iter().zip(0..).filter(|(function, _)| function.name != "call");
    let items = offered.map(|(function, index)| {
        let fits = match piped {
            Some(kinds) => !brought(function).and(kinds).is_none(),
            None => !function.result.and(cursor.wanted()).is_none(),
        };
        // Functions of this language come first, then those of Go; only functions can follow a
        // pipe.
        let base = match (piped.is_some(), argument) {
            (true, _) => 0,
            (false, true) => 600,
            (false, false) => 400,
        };
        let rank = base + index + if fits { 0 } else { 1000 };
        let needs = function.parameters.len() > usize::from(piped.is_some());
        let blank = if needs && !cursor.behind().starts_with([' ', '\t']) { " " } else { "" };
        // A call among arguments needs parentheses.
        let text = format!("{}{}{blank}", if argument { "(" } else { "" }, function.name);
        let mut item = cursor.item(
            function.name,
            CompletionKind::Function,
            first,
            &text,
            !needs && !argument,
            rank,
        );
        if argument {
            let close = if cursor.is_closed() { "" } else { " }}" };
            let gap = if cursor.runs_into(cursor.behind()) { " " } else { "" };
            item.snippet = Some(format!("({} $1)$0{gap}{close}", function.name));
        }
        let (label, _) = signature::label(function);
        item.detail = label.strip_prefix(function.name).map(|rest| rest.trim_start().to_owned());
        item.documentation = Some(signature::page(function));
        item.more = needs;
        item
    });
    items.collect()
}

/// The function's parameter that receives a piped value.
fn brought(function: &Function) -> Kinds {
    signature::brought(function)
        .and_then(|index| function.parameters.get(index))
        .map_or(Kinds::NONE, |parameter| parameter.accepts)
}
