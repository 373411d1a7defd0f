//! A reply that says it was cut off.

use super::prose::words_of;
use super::{Draft, Reason};

/// A longer line says something else.
const MOST_WORDS: usize = 25;

/// All that a notice says: `[Response truncated]`, `(continued in next message)`
const NOTICE: &[&str] = &[
    "answer",
    "be",
    "been",
    "character",
    "continue",
    "continued",
    "continues",
    "cut",
    "due",
    "final",
    "has",
    "here",
    "in",
    "is",
    "length",
    "limit",
    "limits",
    "message",
    "my",
    "next",
    "off",
    "output",
    "part",
    "reply",
    "response",
    "the",
    "this",
    "to",
    "token",
    "truncated",
    "was",
];
const ANSWERS: &[&str] = &["answer", "message", "reply", "response"];
const LIMITS: &[&str] = &["character", "length", "message", "output", "response", "token"];
const STOPS: &[&str] = &["exceeded", "hit", "ran", "reached", "reaching"];

/// Reports the last line of a reply with edits, if it says that there would be more.
pub(super) fn check(tail: &str, at: usize, draft: &mut Draft) {
    if draft.steps.is_empty() {
        return;
    }
    let Some(line) = tail.lines().rfind(|line| !line.trim().is_empty()) else { return };
    if line.trim_start().starts_with(['>', '`', '~']) || !says_cut_off(line) {
        return;
    }
    let start = at + (line.as_ptr() as usize).saturating_sub(tail.as_ptr() as usize);
    let message = format!("the reply says that it was cut off: `{}`", line.trim());
    draft.fault(start..start + line.len(), Reason::CutOff, message);
}

fn says_cut_off(line: &str) -> bool {
    let words = words_of(line);
    if words.is_empty() || words.len() > MOST_WORDS {
        return false;
    }
    let is = |word: &str, known: &[&str]| known.contains(&word);
    let has = |known: &[&str]| words.iter().any(|word| is(word, known));
    let pair = |first: &[&str], second: &[&str]| {
        words.windows(2).any(|pair| matches!(pair, [a, b] if is(a, first) && is(b, second)))
    };
    let cut = has(&["truncated"]) || pair(&["cut"], &["off"]);
    let to_be = words.iter().map(String::as_str).eq(["to", "be", "continued"]);
    let next = pair(&["next"], ANSWERS);
    let marked = line.trim().starts_with(['[', '(', '*', '—', '–', '-', '.', '…']);
    let alone = words.iter().all(|word| is(word, NOTICE));
    let notice = alone
        && (cut && (words.len() > 1 || marked) && (marked || has(ANSWERS) || has(&["output"]))
            || to_be
            || next && has(&["continue", "continued", "continues"])
            || marked && has(&["continued", "continues"]));
    let limit = pair(LIMITS, &["limit", "limits"]) || pair(&["of"], &["space", "tokens"]);
    let first = has(&["i", "i'll", "i've", "my", "we"]);
    let goes_on = has(&["continue", "continued", "continuing"]);
    notice
        || limit && (first && has(STOPS) || goes_on)
        || next && goes_on && (first || has(&["let"]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_says_that_a_reply_was_cut_off() {
        for line in [
            "[Response truncated]",
            "[truncated]",
            "... (truncated)",
            "(continued in next message)",
            "[continued...]",
            "I have reached the token limit. Say \"continue\" for the rest.",
            "Due to length limits I will continue in the next message.",
            "[Output truncated due to length]",
            "To be continued...",
            "(I ran out of space; say continue)",
            "*[Message cut off]*",
            "— cut off —",
            "Let me continue in the next response.",
            "The reply was cut off.",
            "I've hit the output limit.",
        ] {
            assert!(says_cut_off(line), "{line}");
        }
        for line in [
            "Long names are now truncated.",
            "Truncated",
            "The title is cut off after 80 characters.",
            "The counter now stops at the token limit.",
            "The loop continues in the next iteration.",
            "Continue with the tests?",
            "Would you like me to continue with the remaining files?",
            "This fixes the limit of the output.",
            "Then continue with the next message in the queue.",
            "I raised the token limit.",
            "",
        ] {
            assert!(!says_cut_off(line), "{line}");
        }
    }
}
