//! Keywords, alone and as whole blocks.

use super::action_cursor::ActionCursor;
use crate::answer::{Completion, CompletionKind};
use crate::format::markdownlang::template::hover::keyword;

/// Whole blocks; `<gap>` is a line break if the action is alone on its line.
const BLOCKS: &[(&str, &str)] = &[
    ("if … end", "if ${1:.condition} }}<gap>$0<gap>{{ end }}"),
    ("if … else … end", "if ${1:.condition} }}<gap>$2<gap>{{ else }}<gap>$0<gap>{{ end }}"),
    ("range … end", "range ${1:.items} }}<gap>$0<gap>{{ end }}"),
    (
        "range $index, $item … end",
        "range \\$${1:index}, \\$${2:item} := ${3:.items} }}<gap>$0<gap>{{ end }}",
    ),
    ("with … end", "with ${1:.value} }}<gap>$0<gap>{{ end }}"),
    ("define … end", "define \"${1:name}\" }}<gap>$0<gap>{{ end }}"),
    ("block … end", "block \"${1:name}\" ${2:.} }}<gap>$0<gap>{{ end }}"),
];

/// The keywords that can start an action. In an open block, those that end it come first.
pub fn all(cursor: &ActionCursor) -> Vec<Completion> {
    let innermost = cursor.blocks.last().copied();
    let unclosed = cursor.blocks.iter().any(|block| !block.has_end);
    let mut found = Vec::new();
    if innermost.is_some() {
        found.push(word(cursor, "end", true, if unclosed { 0 } else { 350 }));
    }
    if innermost.is_some_and(|block| block.is_branch && !block.has_else) {
        let rank = if unclosed { 1 } else { 351 };
        found.push(word(cursor, "else", true, rank));
        found.push(word(cursor, "else if", false, rank + 1));
    }
    if cursor.blocks.iter().any(|block| block.is_range) {
        found.push(word(cursor, "break", true, 360));
        found.push(word(cursor, "continue", true, 361));
    }
    for (name, rank) in
        ["if", "range", "with", "template", "define", "block"].into_iter().zip(370..)
    {
        found.push(word(cursor, name, false, rank));
    }
    found.extend(
        BLOCKS
            .iter()
            .zip(380..)
            .filter_map(|((label, block), rank)| cursor.block(label, block, rank)),
    );
    found
}

/// After `else`.
pub fn behind_else(cursor: &ActionCursor) -> Vec<Completion> {
    ["if", "with"]
        .into_iter()
        .zip(0..)
        .map(|(name, rank)| word(cursor, name, false, rank))
        .collect()
}

fn word(cursor: &ActionCursor, name: &str, finishes: bool, rank: u32) -> Completion {
    let text = if finishes || cursor.behind().starts_with([' ', '\t']) {
        name.to_owned()
    } else {
        format!("{name} ")
    };
    let mut item =
        cursor.item(name, CompletionKind::Keyword, cursor.typing.word.start, &text, finishes, rank);
    item.documentation = keyword(name.split(' ').next().unwrap_or(name)).map(str::to_owned);
    item.more = !finishes;
    item
}
