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

/// Labels between the name of a file and its content.
const CONTENTS: &[&str] = &[
    "code",
    "complete code",
    "content",
    "contents",
    "file content",
    "file contents",
    "full code",
    "source",
    "source code",
    "the code",
];

/// Whether a line is a label of the content of a file: `**Code:**`
pub(super) fn is_content(text: &str) -> bool {
    CONTENTS.contains(&label(text).as_str())
}

/// Words of sentences about what the model does.
const ACTS: &[&str] =
    &["add", "adding", "create", "creating", "i", "let", "now", "we", "write", "writing"];
/// What a call is, after `example`.
const CALLS: &[&str] = &["call", "input", "invocation", "of", "request", "usage", "use"];

/// Whether a line calls what follows an example of something: `For example:`, `A call looks like
/// this:`. An example that is made is an edit: `Let me add an example:`
pub(super) fn gives_example(text: &str) -> bool {
    let text = text.trim_end_matches(['*', '_', ' ']);
    if !text.ends_with([':', '：']) {
        return false;
    }
    let last =
        [". ", "! ", "? "].iter().fold(text, |rest, end| rest.rsplit(end).next().unwrap_or(rest));
    let words = words_of(last);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let next = |at: usize| words.get(at + 1).copied();
    let example = |at: usize| match words.get(at) {
        Some(&"example") => {
            let whole = next(at).is_none_or(|word| CALLS.contains(&word))
                || next(at) == Some("tool") && next(at + 1) == Some("call");
            whole || at == 1 && words.first() == Some(&"for")
        }
        Some(&"instance") => at == 1 && words.first() == Some(&"for"),
        Some(&"e.g") => at == 0,
        Some(&("look" | "looks")) => next(at) == Some("like"),
        _ => false,
    };
    (0..words.len()).any(example) && !words.iter().any(|word| ACTS.contains(word))
}

/// The start of a title of another way to do the same: `Option B:`, `## Alternative`
const CHOICES: &[&str] = &["alternative", "alternatively"];
/// The same before a letter or a number.
const NUMBERED: &[&str] = &["option", "variant"];

/// Whether a line offers what follows instead of something else.
pub(super) fn offers(text: &str) -> bool {
    let text = text.trim();
    let title = text.starts_with(['#', '*']) || text.ends_with([':', '：']);
    let said = words_of(text);
    let first = said.iter().find(|word| word.chars().any(char::is_alphabetic));
    let or = said.len() == 1 && first.is_some_and(|word| word == "or");
    // `### Option parsing` is about something else.
    let counted = said.get(1).is_some_and(|word| word.chars().count() == 1);
    let chosen = |word: &String| {
        CHOICES.contains(&word.as_str()) || counted && NUMBERED.contains(&word.as_str())
    };
    title && (or || first.is_some_and(chosen))
}

pub(super) fn is_before(text: &str) -> bool {
    BEFORE.contains(&label(text).as_str())
}

pub(super) fn is_after(text: &str) -> bool {
    AFTER.contains(&label(text).as_str())
}

/// The words of a sentence in lower case. The name of a file is one word.
pub(super) fn words_of(text: &str) -> Vec<String> {
    text.split(|letter: char| letter.is_whitespace() || matches!(letter, '\'' | '’' | '(' | ')'))
        .map(|word| {
            let sign = |letter: char| !letter.is_alphanumeric() && letter != '_';
            word.trim_matches(sign).to_lowercase()
        })
        .filter(|word| !word.is_empty())
        .collect()
}

/// Words that call what follows bad, alone or before one of [`KINDS`]: `Wrong:`, `The bad way:`
const BAD: &[&str] = &[
    "anti-pattern",
    "antipattern",
    "avoid",
    "bad",
    "do not",
    "don't",
    "incorrect",
    "never",
    "wrong",
];
const KINDS: &[&str] = &[
    "", "approach", "change", "code", "example", "fix", "idea", "pattern", "practice", "solution",
    "version", "way",
];
/// The start of a prohibition: `You should never do this:`
const LEADS: &[&str] = &["also", "and", "but", "must", "note", "please", "should", "so", "you"];
/// The start of a clause that says what to do instead: `Don't do this, use a set:`
const REMEDIES: &[&str] = &[
    "apply", "but", "do", "here", "here's", "i", "instead", "make", "now", "prefer", "rather",
    "so", "try", "use", "we", "write",
];

/// Whether a line warns against what follows: `Do not do this:`. It has to point at that: a sentence
/// about the change may contain the same words, such as `Never return early:`.
pub(super) fn warns(text: &str) -> bool {
    let text = text.trim();
    let marked = text.starts_with(['#', '❌']) || text.starts_with("**") && text.ends_with("**");
    let announces = text.trim_end_matches(['*', '_']).ends_with([':', '：']);
    if !announces && !marked {
        return false;
    }
    let text = text.replace('’', "'").to_lowercase();
    let sentence = [". ", "; ", "! ", "? ", ": "]
        .iter()
        .fold(text.as_str(), |rest, end| rest.rsplit(end).next().unwrap_or(rest));
    let mut clauses = [", ", " — ", " – ", " - "]
        .iter()
        .fold(vec![sentence], |parts, mark| {
            parts.iter().flat_map(|part| part.split(mark)).collect()
        })
        .into_iter()
        .map(clause)
        .rev();
    let last = clauses.next().unwrap_or_default();
    let remedy = |said: &String| {
        REMEDIES.contains(&said.split(' ').next().unwrap_or_default()) && !prohibits(said)
    };
    if is_warning(&last) || announces && (points(&last) || prohibits(&last)) {
        return true;
    }
    announces
        && !remedy(&last)
        && clauses.take_while(|said| !remedy(said)).any(|said| prohibits(&said))
}

/// The words of a clause, without the signs around them.
fn clause(text: &str) -> String {
    let sign = |letter: char| !letter.is_alphanumeric();
    let words = text.split_whitespace().map(|word| word.trim_matches(sign));
    words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// `Wrong`, `the bad way`
fn is_warning(said: &str) -> bool {
    let said =
        ["the ", "a ", "an "].iter().find_map(|word| said.strip_prefix(word)).unwrap_or(said);
    BAD.iter().any(|bad| {
        said.strip_prefix(bad).is_some_and(|kind| {
            kind.is_empty() || kind.starts_with(' ') && KINDS.contains(&kind.trim_start())
        })
    })
}

/// `this fails`, `the following is wrong`, `instead of this`, `avoid this pattern`
fn points(said: &str) -> bool {
    let object = |rest: &str| {
        ["this", "that", "the following"].iter().any(|object| {
            rest.strip_prefix(object).is_some_and(|kind| KINDS.contains(&kind.trim_start()))
        })
    };
    let shown = ["this ", "the following "].iter().find_map(|this| said.strip_prefix(this));
    let called = ["is ", "would be "]
        .iter()
        .find_map(|verb| shown?.strip_prefix(verb))
        .or_else(|| ["here is ", "here's "].iter().find_map(|here| said.strip_prefix(here)))
        .is_some_and(is_warning);
    let away = ["instead of ", "rather than ", "avoid doing ", "avoid "];
    called
        || shown.is_some_and(|how| how.split(' ').next() == Some("fails"))
        || away.iter().any(|start| said.strip_prefix(start).is_some_and(object))
        || said == "not like this"
}

/// `you should never do this`, `don't build it like this`
fn prohibits(said: &str) -> bool {
    let mut rest = said;
    while let Some((_, after)) = rest.split_once(' ').filter(|(word, _)| LEADS.contains(word)) {
        rest = after;
    }
    let Some(verb) = ["do not ", "don't ", "never ", "not "]
        .iter()
        .find_map(|negation| rest.strip_prefix(negation))
    else {
        return rest.starts_with("avoid ") && rest.ends_with(" like this");
    };
    let object =
        ["do ", "write ", "apply ", "use "].iter().find_map(|word| verb.strip_prefix(word));
    let pointed = object.is_some_and(|object| {
        matches!(object, "it" | "that")
            || ["this", "the following", "it like"].iter().any(|this| {
                object.strip_prefix(this).is_some_and(|end| end.is_empty() || end.starts_with(' '))
            })
    });
    pointed || verb.ends_with(" like this") && !verb.starts_with("forget ")
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
    // `**User:** raise the fee`, `**User**: raise the fee`
    let bold = text
        .strip_prefix("**")
        .and_then(|rest| rest.split_once("**"))
        .filter(|(name, rest)| name.ends_with(':') || rest.starts_with(':'));
    let marked = bold.is_some() || text.starts_with(['#', '*']) || text.ends_with(':');
    let text = bold.map_or(text, |(name, _)| name);
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
    fn turns_and_edits_in_prose() {
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
        for text in ["**Option B:**", "## Alternative", "Or:", "Alternatively, use `re`:"] {
            assert!(offers(text), "{text}");
        }
        assert!(
            !offers("### Option parsing")
                && !offers("Add an option:")
                && !offers("Options are parsed here.")
                && !offers("")
        );
        assert_eq!(
            (turn("## User"), turn("**Assistant:**"), turn("user")),
            (Some(Turn::User), Some(Turn::Assistant), None)
        );
    }

    #[test]
    fn examples_of_calls() {
        for text in [
            "For example:",
            "For example, to change a port:",
            "Example:",
            "**Example call:**",
            "It takes three arguments. Here's an example:",
            "An example of a call:",
            "Example tool call:",
            "The call looks like this:",
            "This is what a call would look like:",
        ] {
            assert!(gives_example(text), "{text}");
        }
        for text in [
            "Let me add an example:",
            "Here's an example implementation:",
            "Now the example:",
            "I'll change the port, for example:",
            "Create the example file:",
            "The example is fixed.",
            "For example, it fails.",
            "",
        ] {
            assert!(!gives_example(text), "{text}");
        }
    }

    #[test]
    fn warnings_before_code() {
        for text in [
            "Do not write this:",
            "You should never do this:",
            "Don’t do this, it breaks the build:",
            "Please don't apply the following patch:",
            "I fixed it. But do not use it like this:",
            "Never build a query like this:",
            "Instead of this:",
            "Avoid the following:",
            "**Avoid this pattern:**",
            "This fails:",
            "This would be wrong:",
            "This is the wrong fix:",
            "Here's the bad version:",
            "Not like this:",
            "The wrong way:",
            "- **Wrong:**",
            "2. Bad example:",
            "### Bad",
            "❌ Don't:",
        ] {
            assert!(warns(text), "{text}");
        }
        for text in [
            "I would not do it.",
            "Instead of a list, pass a set:",
            "Instead of this, write:",
            "Don't do this, use a set:",
            "Don't use it without a lock:",
            "Don't forget to call it like this:",
            "Avoid this crash with a guard:",
            "Since we don't use this, drop it:",
            "This fails on empty input, so:",
            "Fix the wrong sign:",
            "Here's the fix for a bad import:",
            "This is wrong today, and this fixes it:",
            "Wrong sign in `f`. Here's the fix:",
            "Never return early:",
            "### Avoid double counting",
            "**Never** `x`, **bad:** `y`",
            "",
        ] {
            assert!(!warns(text), "{text}");
        }
    }
}
