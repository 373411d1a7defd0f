//! Finds replies that were cut off: they say so, or end within a tag.

use super::prose::words_of;
use super::{Draft, Reason};

/// A longer line is about something else.
const MOST_WORDS: usize = 25;

/// The words of notices: `[Response truncated]`, `(continued in next message)`
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
    "note",
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
/// Words for a model's answer only: a program may truncate its messages and output.
const REPLIES: &[&str] = &["answer", "reply", "response"];
const LIMITS: &[&str] =
    &["character", "context", "length", "message", "output", "response", "token"];
const STOPS: &[&str] =
    &["exceeded", "hit", "hitting", "ran", "reach", "reached", "reaching", "run", "running"];
/// Words between `I` and what stops or continues.
const AUXILIARIES: &[&str] = &[
    "about", "almost", "already", "am", "appear", "are", "going", "have", "just", "ll", "m",
    "must", "need", "now", "re", "seem", "to", "ve", "will",
];
/// Words in a sentence about something else that happened, or that might.
const ELSEWHERE: &[&str] = &["before", "earlier", "last", "previously", "yesterday"];
const SUBORDINATE: &[&str] = &[
    "after", "and", "before", "case", "how", "if", "once", "till", "unless", "until", "when",
    "whenever", "where", "while", "why",
];
/// Words before the answer that a limit applies to: `the limit for this message`.
const HERE: &[&str] = &["a", "my", "one", "this"];
/// Words that may follow the limit or the next answer.
const TAILS: &[&str] =
    &["and", "but", "for", "here", "if", "in", "now", "once", "so", "unless", "with"];

/// Reports the last line of a reply with edits if it says that the reply isn't complete.
pub(super) fn check(tail: &str, at: usize, draft: &mut Draft) {
    if draft.steps.is_empty() {
        return;
    }
    let Some(line) = tail.lines().rfind(|line| !line.trim().is_empty()) else { return };
    let quoted = line.trim_start().starts_with(['>', '`', '~']);
    let within_tag = is_within_tag(line);
    if !within_tag && (quoted || !says_cut_off(line)) {
        return;
    }
    let start = at + (line.as_ptr() as usize).saturating_sub(tail.as_ptr() as usize);
    let message = if within_tag {
        "the reply ends within a tag: it may have been cut off".to_owned()
    } else {
        format!("the reply says that it was cut off: `{}`", line.trim())
    };
    draft.fault(start..start + line.len(), Reason::CutOff, message);
}

/// Whether a line begins with a tag and one of its attributes, but doesn't end the tag.
fn is_within_tag(line: &str) -> bool {
    let Some(rest) = line.trim().strip_prefix('<').filter(|rest| !rest.contains('>')) else {
        return false;
    };
    let word = |text: &str| {
        let sign = |letter: char| letter.is_alphanumeric() || "_-:".contains(letter);
        text.starts_with(char::is_alphabetic) && text.chars().all(sign)
    };
    rest.split_once(' ').is_some_and(|(name, rest)| {
        let attribute = |(key, value): (&str, &str)| word(key) && value.starts_with(['"', '\'']);
        word(name) && rest.split_once('=').is_some_and(attribute)
    })
}

fn says_cut_off(line: &str) -> bool {
    let words = words_of(line);
    let asks = |sentence: &str| sentence.trim_end().ends_with(['?', '？']);
    !words.is_empty()
        && words.len() <= MOST_WORDS
        && (!asks(line) && is_notice(line, &words)
            || line
                .split_inclusive(['.', '!', '?', '？', ';'])
                .any(|sentence| !asks(sentence) && stops(&words_of(sentence))))
}

fn is(word: &str, known: &[&str]) -> bool {
    known.contains(&word)
}

fn has(words: &[String], known: &[&str]) -> bool {
    words.iter().any(|word| is(word, known))
}

fn has_pair(words: &[String], first: &[&str], second: &[&str]) -> bool {
    words.windows(2).any(|pair| matches!(pair, [a, b] if is(a, first) && is(b, second)))
}

/// Whether a line says only that the reply isn't complete.
fn is_notice(line: &str, words: &[String]) -> bool {
    let line = line.trim();
    let item = line.starts_with(['*', '-', '–', '—', '+'])
        && line.chars().nth(1).is_some_and(char::is_whitespace)
        && !line.ends_with(['–', '—']);
    let marked = !item && line.starts_with(['[', '(', '*', '—', '–', '-', '.', '…']);
    let cut = has(words, &["truncated"]) || has_pair(words, &["cut"], &["off"]);
    let to_be = words.iter().map(String::as_str).eq(["to", "be", "continued"]);
    // Sentences about what a program does to messages are in the present tense.
    let happened = has(words, &["been", "my", "this", "was"]);
    let reply = has(words, REPLIES) || happened && has(words, ANSWERS);
    let next = has_pair(words, &["next"], ANSWERS);
    words.iter().all(|word| is(word, NOTICE))
        && (cut && (marked || reply)
            || to_be
            || next && has(words, &["continue", "continued", "continues"])
            || marked && has(words, &["continued", "continues"]))
}

/// Whether the model says that it stops at a limit or continues in another answer.
fn stops(words: &[String]) -> bool {
    !has(words, ELSEWHERE) && (begins_with_limit(words) || speaks_of_limit(words))
}

/// `Token limit reached`, `Reached the output limit`
fn begins_with_limit(words: &[String]) -> bool {
    let article = |word: &&str| is(word, &["max", "maximum", "the"]);
    let mut rest = words.iter().map(String::as_str).skip_while(article).peekable();
    if rest.next_if(|word| is(word, &["exceeded", "hit", "reached"])).is_some() {
        return names_limit(rest);
    }
    let mut limited = false;
    while rest.next_if(|word| is(word, LIMITS)).is_some() {
        limited = true;
    }
    let reached = &["exceeded", "hit", "reached"];
    limited
        && rest.next().is_some_and(|word| is(word, &["limit", "limits"]))
        && rest.next().is_some_and(|word| is(word, reached))
        && rest.next().is_none_or(|word| is(word, TAILS) || is(word, &["continuing", "say"]))
}

fn speaks_of_limit(words: &[String]) -> bool {
    let excuse =
        has(words, &["because", "due", "given"]) && has_pair(words, LIMITS, &["limit", "limits"]);
    words.iter().enumerate().any(|(at, word)| {
        let before = at.checked_sub(1).and_then(|before| words.get(before));
        let speaks = is(word, &["i", "we"]) && before.is_none_or(|before| !is(before, SUBORDINATE));
        let announces = word == "me" && before.is_some_and(|before| before == "let");
        if !speaks && !announces {
            return false;
        }
        let mut rest = words.iter().skip(at + 1).map(String::as_str).peekable();
        let mut will = announces;
        while let Some(word) = rest.next_if(|word| is(word, AUXILIARIES)) {
            will |= is(word, &["going", "ll", "must", "need", "will"]);
        }
        match rest.next() {
            Some("continue" | "continuing") => will && (excuse || names_answer(rest)),
            Some(verb) => speaks && is(verb, STOPS) && names_limit(rest),
            None => false,
        }
    })
}

/// `in the next message`
fn names_answer<'w>(rest: impl Iterator<Item = &'w str>) -> bool {
    let mut rest = rest.skip_while(|word| *word != "in").skip_while(|word| !is(word, ANSWERS));
    rest.next().is_some() && rest.next().is_none_or(|word| is(word, TAILS))
}

/// `the token limit`, `out of space`
fn names_limit<'w>(rest: impl Iterator<Item = &'w str>) -> bool {
    let mut rest = rest.skip_while(|word| is(word, &["a", "max", "maximum", "my", "the", "this"]));
    let mut last = rest.next();
    let named = if last == Some("out") {
        rest.next() == Some("of")
            && rest
                .next()
                .is_some_and(|word| is(word, &["context", "output", "room", "space", "tokens"]))
    } else {
        let limited = last.is_some_and(|word| is(word, LIMITS));
        while last.is_some_and(|word| is(word, LIMITS)) {
            last = rest.next();
        }
        limited && last.is_some_and(|word| is(word, &["limit", "limits", "window"]))
    };
    named
        && match rest.next() {
            Some("for" | "in") => rest.next().is_some_and(|word| is(word, HERE)),
            next => next.is_none_or(|word| is(word, TAILS)),
        }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_end_within_a_tag() {
        for line in ["<antArtifact id=\"a\" type=\"b", "  <invoke name='Edit'", "<a-b c:d=\"e\""] {
            assert!(is_within_tag(line), "{line}");
        }
        for line in ["<a b=\"c\">", "x <y and z", "<y = 3", "<y z", "<", "", "a <b c=\"d"] {
            assert!(!is_within_tag(line), "{line}");
        }
    }

    #[test]
    fn notices_of_a_cut_off_reply() {
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
            "The message was cut off.",
            "My message has been truncated.",
            "I've hit the output limit.",
            "I'm about to hit the maximum output token limit, so I stop here.",
            "I've reached the token limit. Shall I continue?",
            "We are running out of tokens here.",
            "I'm about to reach the output limit for this message.",
            "*Note: output truncated.*",
            "I'll continue with the other files in my next reply.",
            "Token limit reached – continuing in the next message.",
            "Reached the output limit. Say \"continue\" for the rest.",
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
            "I added a guard so the loop stops once the token limit is reached.",
            "I now return early when the message limit is reached.",
            "Should I continue in the next message?",
            "I haven't hit the token limit.",
            "I hit the token limit earlier, hence the smaller batches.",
            "The test fails if I hit the token limit.",
            "I'll continue to respect the token limit.",
            "The loop will continue until it has reached the token limit.",
            "Let me know if you'd like me to continue in the next message.",
            "- truncated",
            "* Output truncated",
            "The output is truncated.",
            "We ran out of tokens in the old version.",
            "The message is cut off.",
            "The error message was truncated.",
            "The message was cut off at 80 characters.",
            "",
        ] {
            assert!(!says_cut_off(line), "{line}");
        }
    }
}
