//! Edits described in prose, and the turns of a conversation in Markdown.

/// Whether a line asks to change lines by number alone: `replace lines 3-4 with:`
pub(super) fn is_by_number(text: &str) -> bool {
    let text = text.to_ascii_lowercase();
    let words: Vec<&str> = text
        .split(|letter: char| !letter.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    let verb = words.iter().any(|word| {
        matches!(
            *word,
            "replace"
                | "change"
                | "update"
                | "delete"
                | "remove"
                | "insert"
                | "add"
                | "swap"
                | "edit"
                | "modify"
        )
    });
    let numbered = words.windows(2).any(|pair| {
        matches!(pair, ["line" | "lines", number] if number.bytes().all(|byte| byte.is_ascii_digit()) || number.starts_with('l') && number.len() > 1 && number.bytes().skip(1).all(|byte| byte.is_ascii_digit()))
    });
    verb && numbered
}

/// Labels of the old and the new text of a pair of fences.
const BEFORE: &[&str] = &[
    "before",
    "old",
    "current",
    "original",
    "from",
    "replace",
    "replace this",
    "change this",
    "existing code",
    "old code",
    "current code",
    "find",
];
const AFTER: &[&str] = &[
    "after",
    "new",
    "updated",
    "to",
    "with",
    "with this",
    "to this",
    "new code",
    "updated code",
    "changed",
    "modified",
    "replace with",
];

fn label(text: &str) -> String {
    text.trim()
        .trim_start_matches(['#', '-', '>', ' '])
        .trim_matches(['*', '_', ':', '`', ' ', '.'])
        .to_ascii_lowercase()
}

pub(super) fn is_before(text: &str) -> bool {
    BEFORE.contains(&label(text).as_str())
}

pub(super) fn is_after(text: &str) -> bool {
    AFTER.contains(&label(text).as_str())
}

/// Whether a line warns against what follows: `Do not do this:`
pub(super) fn warns(text: &str) -> bool {
    let text = text.to_lowercase();
    let begins = [
        "do not",
        "don't",
        "don’t",
        "never",
        "avoid",
        "wrong",
        "bad",
        "not like this",
        "instead of",
        "anti-pattern",
    ];
    let holds = [
        "do not do",
        "don't do",
        "don’t do",
        "do not write",
        "don't write",
        "do not use",
        "don't use",
        "do not apply",
        "don't apply",
        "would be wrong",
        "is wrong",
        "this fails",
        "the wrong",
        "a wrong",
        "the bad",
        "a bad",
    ];
    let start = text.trim_start_matches(['#', '*', '_', '-', '>', ' ', '❌', '⚠', '\u{fe0f}']);
    (begins.iter().any(|word| start.starts_with(word))
        || holds.iter().any(|word| text.contains(word)))
        && text.trim_end().trim_end_matches(['*', '_']).ends_with([':', '：'])
}

/// A longer line isn't a speaker's name.
const LONGEST_TURN: usize = 40;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Turn {
    User,
    Assistant,
}

/// The speaker after a line like `## User`, `**Assistant:**` or `Human:`.
pub(super) fn turn(text: &str) -> Option<Turn> {
    if !text.starts_with(['#', '*']) && (text.len() > LONGEST_TURN || !text.ends_with(':')) {
        return None;
    }
    // `**User:** raise the fee`
    let text = text
        .strip_prefix("**")
        .and_then(|rest| rest.split_once("**"))
        .filter(|(name, rest)| name.ends_with(':') || rest.starts_with(':'))
        .map_or(text, |(name, _)| name.get(..name.len()).unwrap_or(name));
    let marked = text.starts_with(['#', '*']) || text.ends_with(':');
    let name =
        text.trim_start_matches('#').trim().trim_matches(['*', ':', ' ', '_']).to_ascii_lowercase();
    match name.as_str() {
        _ if !marked || text.len() > LONGEST_TURN => None,
        "user" | "human" | "you" | "you said" => Some(Turn::User),
        "assistant" | "ai" | "claude" | "chatgpt" | "chatgpt said" | "gpt" | "gemini" | "model"
        | "copilot" | "github copilot" | "cursor" => Some(Turn::Assistant),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_prose_tells() {
        assert!(
            is_by_number("In `app/fee.py`, replace lines 3-4 with:")
                && is_by_number("Delete line 12.")
        );
        assert!(
            !is_by_number("See lines 3-4 of the file.") && !is_by_number("Add a line to the file:")
        );
        assert!(
            is_before("**Before:**") && is_after("### After") && !is_before("Before you start:")
        );
        assert!(warns("Do not write this:") && !warns("I would not do it."));
        assert_eq!(
            (turn("## User"), turn("**Assistant:**"), turn("user")),
            (Some(Turn::User), Some(Turn::Assistant), None)
        );
    }
}
