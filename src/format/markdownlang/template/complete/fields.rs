//! Fields of a value, and variables.

use super::action_cursor::ActionCursor;
use crate::answer::{Completion, CompletionKind};
use crate::format::markdownlang::hover::details;
use crate::format::markdownlang::template::identifier;
use crate::schema::Describer;
use crate::template::function::Kinds;
use crate::template::types::{Field, Type};

/// After the dot of an expression that begins at `base`.
pub fn of_base(cursor: &ActionCursor, base: usize) -> Vec<Completion> {
    let word = cursor.typing.word.start;
    let Some(of) =
        cursor.draft.uses.iter().find(|used| used.span.start == word).map(|used| used.of.clone())
    else {
        return Vec::new();
    };
    // The text before the dot; empty for a field of dot itself.
    let before = cursor.written(&(base..word.saturating_sub(1))).to_owned();
    let finishes = cursor.typing.before.is_empty() && cursor.keyword().is_none();
    let all = cursor.types().fields(&of).into_iter().zip(0..);
    let describer = cursor.program.schema_value("input").map(Describer::new);
    let items = all.filter_map(|((name, field), index)| {
        let Field::Declared { kind, required, places } = field else { return None };
        let rank = index + misfit(cursor, &kind);
        let mut item = if identifier(&name) {
            cursor.item(&name, CompletionKind::Key, word, &name, finishes, rank)
        } else {
            let (label, text) = indexed(cursor, &before, &name);
            cursor.item(&label, CompletionKind::Key, base, &text, finishes, rank)
        };
        describe(cursor, describer.as_ref(), &mut item, &kind, required, &places);
        Some(item)
    });
    items.collect()
}

/// The fields of dot, before anything is typed.
pub fn of_dot(cursor: &ActionCursor) -> Vec<Completion> {
    if cursor.written(&cursor.typing.word).starts_with('$') {
        return Vec::new();
    }
    let from = cursor.typing.word.start;
    let dot = &cursor.draft.scope.dot;
    let finishes = cursor.typing.before.is_empty() && cursor.keyword().is_none();
    let describer = cursor.program.schema_value("input").map(Describer::new);
    let mut found = Vec::new();
    for ((name, field), index) in cursor.types().fields(dot).into_iter().zip(0..) {
        let Field::Declared { kind, required, places } = field else { continue };
        let rank = index + 100 + misfit(cursor, &kind);
        let mut item = if identifier(&name) {
            cursor.item(
                &format!(".{name}"),
                CompletionKind::Key,
                from,
                &format!(".{name}"),
                finishes,
                rank,
            )
        } else {
            let (label, text) = indexed(cursor, "", &name);
            cursor.item(&label, CompletionKind::Key, from, &text, finishes, rank)
        };
        describe(cursor, describer.as_ref(), &mut item, &kind, required, &places);
        found.push(item);
    }
    let mut item =
        cursor.item(".", CompletionKind::Variable, from, ".", finishes, 300 + misfit(cursor, dot));
    item.detail = Some(cursor.types().summary(dot));
    found.push(item);
    found
}

/// A name that can't follow a dot: its label, and the call that reads it.
fn indexed(cursor: &ActionCursor, before: &str, name: &str) -> (String, String) {
    let base = if before.is_empty() { "." } else { before };
    let call = format!("index {base} {}", serde_json::Value::from(name));
    let alone = cursor.typing.before.is_empty() && cursor.typing.piped.is_empty();
    (format!("{before}.{name}"), if alone { call } else { format!("({call})") })
}

/// The variables in scope.
pub fn variables(cursor: &ActionCursor) -> Vec<Completion> {
    let finishes = cursor.typing.before.is_empty() && cursor.keyword().is_none();
    let mut seen = Vec::new();
    let mut found = Vec::new();
    for ((name, kind), index) in cursor.draft.scope.variables.iter().rev().zip(0..) {
        if seen.contains(&name) {
            continue;
        }
        seen.push(name);
        let rank = index + if name == "$" { 390 } else { 200 } + misfit(cursor, kind);
        let mut item = cursor.item(
            name,
            CompletionKind::Variable,
            cursor.typing.word.start,
            name,
            finishes,
            rank,
        );
        item.detail = Some(cursor.types().summary(kind));
        if name == "$" {
            item.documentation =
                Some("The whole input; in a called template, its argument.".to_owned());
        }
        found.push(item);
    }
    found
}

fn describe(
    cursor: &ActionCursor,
    describer: Option<&Describer>,
    item: &mut Completion,
    kind: &Type,
    required: bool,
    places: &[String],
) {
    item.detail = Some(cursor.types().summary(kind));
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
fn misfit(cursor: &ActionCursor, kind: &Type) -> u32 {
    let kinds = kind.kinds();
    let list = !kinds.and(Kinds::LIST).is_none();
    match cursor.keyword() {
        _ if kinds.and(cursor.wanted()).is_none() => 1000,
        Some("range") if cursor.typing.before.is_empty() && !list => 395,
        _ => 0,
    }
}
