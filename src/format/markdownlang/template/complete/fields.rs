//! Fields of a value, and variables.

use super::desk::Desk;
use crate::answer::{Completion, CompletionKind};
use crate::format::markdownlang::hover::details;
use crate::format::markdownlang::template::identifier;
use crate::schema::Describer;
use crate::template::function::Kinds;
use crate::template::types::{Field, Type};

/// After the dot of an expression that begins at `base`.
pub fn of_base(desk: &Desk, base: usize) -> Vec<Completion> {
    let word = desk.typing.word.start;
    let Some(of) =
        desk.draft.uses.iter().find(|used| used.span.start == word).map(|used| used.of.clone())
    else {
        return Vec::new();
    };
    // The text before the dot; empty for a field of dot itself.
    let before = desk.written(&(base..word.saturating_sub(1))).to_owned();
    let finishes = desk.typing.before.is_empty() && desk.keyword().is_none();
    let all = desk.types().fields(&of).into_iter().zip(0..);
    let describer = desk.program.schema_value("input").map(Describer::new);
    let items = all.filter_map(|((name, field), index)| {
        let Field::Declared { kind, required, places } = field else { return None };
        let rank = index + misfit(desk, &kind);
        let mut item = if identifier(&name) {
            desk.item(&name, CompletionKind::Key, word, &name, finishes, rank)
        } else {
            let (label, text) = indexed(desk, &before, &name);
            desk.item(&label, CompletionKind::Key, base, &text, finishes, rank)
        };
        describe(desk, describer.as_ref(), &mut item, &kind, required, &places);
        Some(item)
    });
    items.collect()
}

/// The fields of dot, before anything is typed.
pub fn of_dot(desk: &Desk) -> Vec<Completion> {
    if desk.written(&desk.typing.word).starts_with('$') {
        return Vec::new();
    }
    let from = desk.typing.word.start;
    let dot = &desk.draft.scope.dot;
    let finishes = desk.typing.before.is_empty() && desk.keyword().is_none();
    let describer = desk.program.schema_value("input").map(Describer::new);
    let mut found = Vec::new();
    for ((name, field), index) in desk.types().fields(dot).into_iter().zip(0..) {
        let Field::Declared { kind, required, places } = field else { continue };
        let rank = index + 100 + misfit(desk, &kind);
        let mut item = if identifier(&name) {
            desk.item(
                &format!(".{name}"),
                CompletionKind::Key,
                from,
                &format!(".{name}"),
                finishes,
                rank,
            )
        } else {
            let (label, text) = indexed(desk, "", &name);
            desk.item(&label, CompletionKind::Key, from, &text, finishes, rank)
        };
        describe(desk, describer.as_ref(), &mut item, &kind, required, &places);
        found.push(item);
    }
    let mut item =
        desk.item(".", CompletionKind::Variable, from, ".", finishes, 300 + misfit(desk, dot));
    item.detail = Some(desk.types().summary(dot));
    found.push(item);
    found
}

/// A name that can't follow a dot: its label, and the call that reads it.
fn indexed(desk: &Desk, before: &str, name: &str) -> (String, String) {
    let base = if before.is_empty() { "." } else { before };
    let call = format!("index {base} {}", serde_json::Value::from(name));
    let alone = desk.typing.before.is_empty() && desk.typing.piped.is_empty();
    (format!("{before}.{name}"), if alone { call } else { format!("({call})") })
}

/// The variables in scope.
pub fn variables(desk: &Desk) -> Vec<Completion> {
    let finishes = desk.typing.before.is_empty() && desk.keyword().is_none();
    let mut seen = Vec::new();
    let mut found = Vec::new();
    for ((name, kind), index) in desk.draft.scope.variables.iter().rev().zip(0..) {
        if seen.contains(&name) {
            continue;
        }
        seen.push(name);
        let rank = index + if name == "$" { 390 } else { 200 } + misfit(desk, kind);
        let mut item =
            desk.item(name, CompletionKind::Variable, desk.typing.word.start, name, finishes, rank);
        item.detail = Some(desk.types().summary(kind));
        if name == "$" {
            item.documentation =
                Some("The whole input; in a called template, its argument.".to_owned());
        }
        found.push(item);
    }
    found
}

fn describe(
    desk: &Desk,
    describer: Option<&Describer>,
    item: &mut Completion,
    kind: &Type,
    required: bool,
    places: &[String],
) {
    item.detail = Some(desk.types().summary(kind));
    let mut page = if required { "required" } else { "optional" }.to_owned();
    if let Some(property) =
        describer.and_then(|describer| places.iter().find_map(|place| describer.property(place)))
    {
        page.push_str(&details(&property));
    }
    item.documentation = Some(page);
}

/// The sort rank of a value with this type: last if it doesn't fit the word, and after lists if it
/// is an object to loop over.
fn misfit(desk: &Desk, kind: &Type) -> u32 {
    let kinds = kind.kinds();
    let list = !kinds.and(Kinds::LIST).is_none();
    match desk.keyword() {
        _ if kinds.and(desk.wanted()).is_none() => 1000,
        Some("range") if desk.typing.before.is_empty() && !list => 395,
        _ => 0,
    }
}
