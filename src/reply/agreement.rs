//! What the user says after the assistant's last turn: that its edits are welcome, or anything else.

use super::markdown::Scanner;
use super::prose::{self, words_of};
use super::tags::{closing, tag};
use super::{Draft, Reason, Why};
use crate::text::Span;

/// Words of which one is enough if the others are these or [`FILLERS`].
const AGREES: &[&str] = &[
    "accept",
    "accepted",
    "agree",
    "agreed",
    "amazing",
    "apply",
    "approve",
    "approved",
    "awesome",
    "bien",
    "bitte",
    "brilliant",
    "cheers",
    "commit",
    "confirm",
    "confirmed",
    "cool",
    "correct",
    "da",
    "danke",
    "excellent",
    "exactly",
    "fantastic",
    "fine",
    "go",
    "good",
    "gracias",
    "great",
    "gut",
    "ja",
    "k",
    "klar",
    "lgtm",
    "love",
    "merci",
    "merge",
    "nice",
    "obrigado",
    "ok",
    "okay",
    "oui",
    "perfect",
    "perfekt",
    "proceed",
    "right",
    "ship",
    "si",
    "sounds",
    "super",
    "sure",
    "sí",
    "thank",
    "thanks",
    "thx",
    "ty",
    "vale",
    "wonderful",
    "works",
    "y",
    "yeah",
    "yep",
    "yes",
    "yup",
    "да",
    "спасибо",
    "ありがとう",
    "ありがとうございます",
    "可以",
    "好",
    "好的",
    "谢谢",
];
/// Words that say nothing by themselves.
const FILLERS: &[&str] = &[
    "a",
    "ahead",
    "all",
    "and",
    "answer",
    "appreciated",
    "are",
    "aus",
    "beaucoup",
    "bunch",
    "do",
    "everything",
    "for",
    "help",
    "i",
    "is",
    "it",
    "job",
    "like",
    "ll",
    "looks",
    "lot",
    "many",
    "me",
    "much",
    "mucho",
    "muchas",
    "now",
    "please",
    "quick",
    "s",
    "schön",
    "sehr",
    "sieht",
    "so",
    "that",
    "the",
    "them",
    "these",
    "they",
    "this",
    "to",
    "trick",
    "very",
    "vielen",
    "well",
    "with",
    "you",
    "your",
];
/// The same after [`THESE`]; alone, they ask for something.
const NOUNS: &[&str] =
    &["change", "changes", "commit", "edit", "edits", "fix", "fixes", "patch", "work"];
const THESE: &[&str] =
    &["all", "good", "great", "nice", "that", "the", "these", "this", "those", "your"];
const SIGNS: &[char] = &['👍', '👌', '🙏', '✅', '✔', '☑', '🎉', '💯', '❤', '🚀'];
/// What Codex writes in the user's name after an interruption.
const INTERRUPTED: &str = "turn_aborted";
/// More of the user's words isn't repeated.
const LONGEST: usize = 80;

/// Whether all that the user says is that the edits are welcome, or thanks.
fn agrees(said: &str) -> bool {
    let words = words_of(&said.replace([',', '.', '!', '，', '。', '！', '、', '-', '—'], " "));
    if said.contains(['👎', '❌', '?', '？']) {
        return false;
    }
    if words.is_empty() {
        return said.chars().any(|sign| SIGNS.contains(&sign));
    }
    let is = |word: &String, known: &[&str]| known.contains(&word.as_str());
    let fills = |at: usize, word: &String| {
        let before = at.checked_sub(1).and_then(|before| words.get(before));
        is(word, FILLERS)
            || is(word, NOUNS) && before.is_some_and(|word| is(word, THESE))
            || word == "again" && before.is_some_and(|word| is(word, &["thank", "thanks", "you"]))
    };
    words.iter().enumerate().all(|(at, word)| is(word, AGREES) || fills(at, word))
        && words.iter().any(|word| is(word, AGREES))
}

/// The user's own words: clients add elements to them, such as `<system-reminder>`.
fn own(said: &str) -> &str {
    let mut rest = said.trim();
    while let Some(tag) = tag(rest, 0).filter(|tag| !tag.closed && tag.name != INTERRUPTED) {
        let Some(close) = closing(rest, tag.span.end, tag.name) else { break };
        rest = rest.get(close.end..).unwrap_or_default().trim_start();
    }
    rest
}

impl Scanner<'_, '_> {
    /// Takes the user's last words as the answer to the edits before them.
    pub(super) fn take_answer(&mut self) {
        let Some(span) = self.answer.take() else { return };
        let text = self.text.get(span.clone()).unwrap_or_default();
        let said = |line| match prose::turn(line) {
            _ if self.is_log => line.trim_start_matches('#'),
            // `**User:** thanks`
            Some(_) => line.splitn(3, "**").nth(2).unwrap_or_default().trim_start_matches(':'),
            None => line,
        };
        let said: Vec<&str> = text.lines().map(|line| said(line.trim())).collect();
        self.draft.take_answer(&said.join("\n"), span);
    }
}

impl Draft {
    /// Withdraws the edits of the last turn if the user's words after it aren't an agreement.
    pub(super) fn take_answer(&mut self, said: &str, span: Span) {
        let said = own(said);
        if said.is_empty() || agrees(said) || self.steps.is_empty() && self.faults.is_empty() {
            return;
        }
        let line = said.lines().next().unwrap_or_default().trim();
        let end = line.floor_char_boundary(LONGEST);
        let more = if end < line.len() { "…" } else { "" };
        let line = line.get(..end).unwrap_or_default();
        let message = format!("the user didn't agree to these edits: `{line}{more}`");
        self.retract(Why::Quoted);
        self.fault(span, Reason::Declined, message);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_agrees_to_edits() {
        for said in [
            "thanks",
            "Thank you so much!",
            "Yes, please apply it.",
            "OK, go ahead",
            "LGTM 👍",
            "👍",
            "Perfect, that works. Thanks for the help!",
            "Looks good to me",
            "y",
            "Danke!",
            "好的，谢谢",
            "Great job, ship it",
            "That's right.",
            "Yes, apply the changes. Thanks again!",
            "LGTM, commit this.",
            "Sieht gut aus, danke!",
        ] {
            assert!(agrees(said), "{said}");
        }
        for said in [
            "[Request interrupted by user for tool use]",
            "No, don't do that",
            "no thanks",
            "No.",
            "Thanks, but use a set instead.",
            "Is this right?",
            "Yes, with x = 3",
            "stop",
            "Wait",
            "That's wrong",
            "OK, now undo it",
            "Please do it",
            "OK, fix the patch please.",
            "Change it so that it works please",
            "ok 👎",
            "👎",
            "...",
        ] {
            assert!(!agrees(said), "{said}");
        }
    }

    #[test]
    fn what_clients_add_to_the_words_of_the_user() {
        for (said, words) in [
            ("<system-reminder>\nUse a.\n</system-reminder>\nthanks", "thanks"),
            ("<command-name>/exit</command-name>\n<command-args></command-args>", ""),
            (
                "<turn_aborted>\nStopped.\n</turn_aborted>",
                "<turn_aborted>\nStopped.\n</turn_aborted>",
            ),
            ("<b is wrong", "<b is wrong"),
        ] {
            assert_eq!(own(said), words, "{said}");
        }
    }
}
