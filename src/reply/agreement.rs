//! What the user says after the assistant's last turn: approval of its edits, or anything else.

use super::markdown::Scanner;
use super::prose::{self, words_of};
use super::tags::{closing, tag};
use super::{Draft, Reason, Why};
use crate::text::Span;

/// Words of approval: one is enough if all others are these or [`FILLERS`].
const AGREES: &[&str] = &[
    "accept",
    "accepted",
    "accord",
    "acuerdo",
    "adelante",
    "agree",
    "agreed",
    "amazing",
    "apply",
    "approve",
    "approved",
    "awesome",
    "bedankt",
    "bien",
    "bitte",
    "bom",
    "bon",
    "bravo",
    "brilliant",
    "bueno",
    "buono",
    "cheers",
    "commit",
    "confirm",
    "confirmed",
    "conforme",
    "cool",
    "correct",
    "da",
    "danke",
    "dzięki",
    "dziękuję",
    "einverstanden",
    "exactly",
    "excelente",
    "excellent",
    "excellente",
    "fantastic",
    "fine",
    "genau",
    "genial",
    "go",
    "good",
    "gracias",
    "grazie",
    "great",
    "gut",
    "gutes",
    "génial",
    "ja",
    "k",
    "klar",
    "lgtm",
    "love",
    "merci",
    "merge",
    "nice",
    "obrigada",
    "obrigado",
    "ok",
    "okay",
    "ottimo",
    "oui",
    "parfait",
    "passt",
    "perfect",
    "perfecto",
    "perfeito",
    "perfekt",
    "perfetto",
    "prima",
    "proceed",
    "right",
    "ship",
    "si",
    "sim",
    "sounds",
    "super",
    "sure",
    "sí",
    "tak",
    "thank",
    "thanks",
    "thx",
    "toll",
    "ty",
    "vale",
    "wonderful",
    "worked",
    "works",
    "y",
    "yeah",
    "yep",
    "yes",
    "yup",
    "да",
    "отлично",
    "спасибо",
    "хорошо",
    "ありがとう",
    "ありがとうございます",
    "はい",
    "可以",
    "可以了",
    "好",
    "好的",
    "完璧です",
    "完美",
    "对",
    "是的",
    "没问题",
    "谢谢",
    "감사합니다",
    "네",
    "좋아요",
];
/// Words that add nothing to an approval.
const FILLERS: &[&str] = &[
    "a",
    "ahead",
    "all",
    "and",
    "answer",
    "appreciated",
    "are",
    "au",
    "aus",
    "aux",
    "beaucoup",
    "bunch",
    "c",
    "ces",
    "como",
    "così",
    "d",
    "das",
    "de",
    "dem",
    "den",
    "des",
    "di",
    "die",
    "diese",
    "dieser",
    "do",
    "e",
    "el",
    "en",
    "es",
    "est",
    "esta",
    "este",
    "está",
    "et",
    "eu",
    "everything",
    "favor",
    "for",
    "für",
    "große",
    "help",
    "i",
    "il",
    "is",
    "isso",
    "ist",
    "it",
    "j",
    "job",
    "la",
    "las",
    "le",
    "les",
    "like",
    "ll",
    "lo",
    "looks",
    "los",
    "lot",
    "ma",
    "many",
    "me",
    "mille",
    "mir",
    "moi",
    "molto",
    "much",
    "muchas",
    "mucho",
    "muito",
    "muy",
    "na",
    "now",
    "o",
    "per",
    "please",
    "por",
    "pour",
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
    "très",
    "un",
    "una",
    "und",
    "une",
    "va",
    "vas",
    "very",
    "vielen",
    "vous",
    "well",
    "with",
    "you",
    "your",
    "à",
];
/// Also fillers after one of [`THESE`]; alone, they ask for something.
const NOUNS: &[&str] =
    &["change", "changes", "commit", "edit", "edits", "fix", "fixes", "patch", "work"];
/// Also fillers if one of [`VERBS`] precedes them in their clause.
const OBJECTS: &[&str] =
    &["above", "code", "diff", "file", "files", "repo", "repository", "solution", "suggestions"];
const VERBS: &[&str] = &["accept", "apply", "approve", "commit", "confirm", "merge", "ship"];
const THESE: &[&str] =
    &["all", "good", "great", "nice", "that", "the", "these", "this", "those", "your"];
/// Commands of clients that have nothing to do with the edits.
const COMMANDS: &[&str] = &[
    "/add",
    "/commit",
    "/compact",
    "/context",
    "/copy",
    "/copy-context",
    "/cost",
    "/diff",
    "/drop",
    "/exit",
    "/help",
    "/lint",
    "/ls",
    "/map",
    "/map-refresh",
    "/model",
    "/models",
    "/ok",
    "/quit",
    "/read-only",
    "/report",
    "/run",
    "/save",
    "/settings",
    "/status",
    "/test",
    "/tokens",
    "/usage",
    ":q",
    "bye",
    "exit",
    "quit",
];
const SIGNS: &[char] = &['👍', '👌', '🙏', '✅', '✔', '☑', '🎉', '💯', '❤', '🚀'];
/// What Codex writes on the user's behalf after an interruption.
const INTERRUPTED: &str = "turn_aborted";
/// The message quotes at most this many bytes of what the user said.
const LONGEST: usize = 80;

/// Whether the user only approves of the edits, or says thanks.
fn agrees(said: &str) -> bool {
    let clauses = said.split([',', '.', '!', '，', '。', '！', '、', '-', '—', '\n']);
    let words: Vec<(usize, String)> = clauses
        .enumerate()
        .flat_map(|(clause, text)| words_of(text).into_iter().map(move |word| (clause, word)))
        .collect();
    if said.contains(['👎', '❌', '?', '？']) {
        return false;
    }
    if words.is_empty() {
        return said.chars().any(|sign| SIGNS.contains(&sign));
    }
    let is = |word: &String, known: &[&str]| known.contains(&word.as_str());
    let fills = |at: usize, clause: usize, word: &String| {
        let earlier = words.get(..at).unwrap_or_default();
        let before = earlier.last().map(|(_, word)| word);
        let mut own = earlier.iter().rev().take_while(|(other, _)| *other == clause);
        is(word, FILLERS)
            || is(word, NOUNS) && before.is_some_and(|word| is(word, THESE))
            || is(word, OBJECTS) && own.any(|(_, word)| is(word, VERBS))
            || word == "again" && before.is_some_and(|word| is(word, &["thank", "thanks", "you"]))
    };
    words
        .iter()
        .enumerate()
        .all(|(at, (clause, word))| is(word, AGREES) || fills(at, *clause, word))
        && words.iter().any(|(_, word)| is(word, AGREES))
}

/// Whether a line is a command to the client: `/exit`, `/add src/a.py`
fn is_command(line: &str) -> bool {
    let mut words = line.split_whitespace();
    let first = words.next().unwrap_or_default().to_lowercase();
    COMMANDS.contains(&first.as_str()) && (first.starts_with('/') || words.next().is_none())
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
        let lines = text.lines().map(str::trim);
        let own = lines.filter(|line| !(self.is_log && line.starts_with('>')));
        let said: Vec<&str> = own.map(said).collect();
        self.draft.take_answer(&said.join("\n"), span);
    }
}

impl Draft {
    /// Withdraws the edits of the last turn if the user's words after it aren't an agreement.
    pub(super) fn take_answer(&mut self, said: &str, span: Span) {
        let lines: Vec<&str> = own(said).lines().filter(|line| !is_command(line)).collect();
        let said = lines.join("\n");
        let said = said.trim();
        if said.is_empty() || agrees(said) || self.steps.is_empty() && self.faults.is_empty() {
            return;
        }
        let line = said.lines().next().unwrap_or_default().trim();
        let end = line.floor_char_boundary(LONGEST);
        let more = if end < line.len() { "…" } else { "" };
        let line = line.get(..end).unwrap_or_default();
        let message = format!("the user didn't agree to these edits: `{line}{more}`");
        let mut declined = self.declined.take().unwrap_or_default();
        declined.steps.extend_from_slice(&self.steps);
        let open = self.faults.iter().filter(|fault| fault.reason != Reason::Declined);
        declined.faults.extend(open.cloned());
        self.retract(Why::Quoted);
        self.declined = Some(declined);
        self.fault(span, Reason::Declined, message);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_that_agree_to_edits() {
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
            "Parfait, merci !",
            "C'est parfait, merci beaucoup",
            "Perfecto, muchas gracias",
            "Looks great, apply the changes above to the file.",
            "Yes, commit the changes above.",
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
            "Ce n'est pas bon",
            "Just the diff, please. Thanks!",
            "All the code please. Thanks",
            "Thanks. Commit, the code please.",
            "Alles bitte.",
            "Und die Änderungen, bitte.",
            "My code is fine",
            "The file is fine.",
            "Let me do that, thanks.",
            "Vale, para.",
            "to the top please",
            "Good suggestion",
            "Apply the first change to the file.",
            "Merci, mais ajoute un test",
            "...",
        ] {
            assert!(!agrees(said), "{said}");
        }
    }

    #[test]
    fn commands_are_recognised() {
        for line in ["/exit", "  /quit", "/add src/a.py", "/run pytest -q", "exit", ":q"] {
            assert!(is_command(line), "{line}");
        }
        for line in [
            "/undo",
            "/code use a set",
            "/ask why?",
            "exit early instead",
            "/etc/a",
            "/clear",
            "/reset",
            "",
        ] {
            assert!(!is_command(line), "{line}");
        }
    }

    #[test]
    fn text_that_clients_add_to_the_words_of_the_user() {
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
