//! Whether the lines above a listing call it the whole file, or a part of it.

use super::lines::Line;
use super::prose::words_of;
use crate::edit::{Extent, naming as words};

/// Words that call a listing the whole of something.
pub(super) const WHOLE: &[&str] = &["full", "complete", "entire", "whole"];
/// Words that call a file the one that results.
const RESULTING: &[&str] = &["updated", "new"];
/// Nouns that mean a file if they are called whole.
const FILES: &[&str] = &["file", "files", "module", "script", "document"];
/// Nouns for text that may also be a part of a file.
const TEXTS: &[&str] = &[
    "code",
    "component",
    "config",
    "configuration",
    "content",
    "contents",
    "fragment",
    "listing",
    "page",
    "partial",
    "program",
    "source",
    "text",
];
/// Nouns that mean a file only if the phrase goes on to name it.
const VERSIONS: &[&str] = &["implementation", "version"];
/// Other objects of the phrase: `the full code for the app`, `for reference`, `for you`.
const PROGRAMS: &[&str] = &[
    "app",
    "application",
    "bot",
    "game",
    "it",
    "project",
    "reference",
    "server",
    "site",
    "this",
    "tool",
    "website",
    "you",
];
/// Parts of a file.
const PARTS: &[&str] = &[
    "block",
    "class",
    "function",
    "functions",
    "handler",
    "helper",
    "method",
    "methods",
    "section",
    "test",
    "tests",
];
/// Words of a sentence that doesn't call what follows a whole file.
const PARTIAL: &[&str] = &[
    "changed",
    "diff",
    "don",
    "excerpt",
    "excerpts",
    "isn",
    "just",
    "never",
    "no",
    "not",
    "only",
    "part",
    "partial",
    "parts",
    "relevant",
    "snippet",
    "untouched",
    "without",
];
/// Words that call what follows a part, regardless of its content: alone or before [`LINKS`].
const PIECES: &[&str] = &["excerpt", "excerpts", "fragment", "snippet", "snippets"];
const LINKS: &[&str] = &[
    "and", "as", "at", "below", "for", "from", "here", "in", "is", "of", "only", "or", "showing",
    "shows", "that", "to", "which", "with",
];
/// Words that announce a part that is shown rather than one that changed.
const DISPLAYED: &[&str] = &["below", "displayed", "given", "here", "included", "listed", "shown"];
/// The verb of a statement is among this many words.
const MOST_WORDS: usize = 8;
/// Verbs of statements about the changed parts: `Only the last lines differ.`
const DIFFERS: &[&str] =
    &["are", "change", "changed", "changes", "differ", "different", "differs", "is", "was", "were"];
/// Nouns that can follow `only the changed`.
const SHOWN: &[&str] =
    &["code", "function", "functions", "lines", "method", "methods", "part", "parts", "section"];
const CHANGED: &[&str] = &[
    "affected", "bottom", "changed", "first", "last", "modified", "new", "relevant", "the", "top",
    "updated",
];

const ARTICLES: &[&str] = &["a", "an", "its", "my", "our", "the", "this", "your"];
/// Words between `full` and `file`.
const MODIFIERS: &[&str] = &[
    "and",
    "angular",
    "bash",
    "c",
    "cleaned",
    "complete",
    "corrected",
    "css",
    "django",
    "express",
    "fastapi",
    "final",
    "fixed",
    "flask",
    "full",
    "go",
    "html",
    "improved",
    "java",
    "javascript",
    "js",
    "kotlin",
    "modified",
    "new",
    "next",
    "node",
    "php",
    "python",
    "react",
    "refactored",
    "resulting",
    "revised",
    "rewritten",
    "ruby",
    "rust",
    "source",
    "sql",
    "svelte",
    "swift",
    "tailwind",
    "typescript",
    "updated",
    "vue",
    "working",
];
/// Words that may precede the phrase, such as verbs for showing or writing a file.
const LEADS: &[&str] = &[
    "are",
    "as",
    "attached",
    "be",
    "below",
    "change",
    "changes",
    "copy",
    "create",
    "edits",
    "finally",
    "fixes",
    "following",
    "here",
    "how",
    "included",
    "is",
    "now",
    "overwrite",
    "paste",
    "provide",
    "provided",
    "providing",
    "replace",
    "result",
    "rewrite",
    "s",
    "save",
    "see",
    "show",
    "shows",
    "so",
    "then",
    "update",
    "use",
    "what",
    "with",
    "write",
];
/// Words that may follow the phrase: no other nouns, and no verbs of statements.
const TAILS: &[&str] = &[
    "after",
    "again",
    "as",
    "below",
    "containing",
    "here",
    "including",
    "now",
    "once",
    "that",
    "using",
    "which",
    "with",
];
const OBJECTS: &[&str] = &["at", "for", "from", "in", "inside", "of", "to"];
/// A statement that the text is here.
const STATES: &[&str] = &["are", "becomes", "is", "look", "looks", "reads", "should", "will"];
const STATED: &[&str] = &[
    "as", "be", "below", "contain", "follows", "here", "like", "look", "now", "read", "shown",
    "this",
];

/// How the lines right above a fence describe its content: `Here is the full file:`
pub(super) fn extent(lines: &[Line], content: &str) -> Extent {
    let mut above = lines
        .iter()
        .rev()
        .skip_while(|line| line.is_blank())
        .map(|line| line.text.trim())
        .peekable();
    let mut said: Vec<String> = Vec::new();
    if let Some(line) = above.next_if(|text| words::alone(text).is_some()) {
        let name = words::alone(line).unwrap_or_default();
        said.push(line.replace(name, &name.replace(' ', "_")));
    }
    let mut above = above.skip_while(|text| !text.contains(char::is_alphanumeric));
    let mut paragraph: Vec<&str> =
        above.by_ref().take_while(|text| text.contains(char::is_alphanumeric)).collect();
    paragraph.reverse();
    let paragraph = paragraph.join(" ");
    // A heading belongs to the paragraph before it.
    let mut before = "";
    if paragraph.starts_with('#') {
        before = above.find(|text| text.contains(char::is_alphanumeric)).unwrap_or_default();
    }
    said.extend([joined(&paragraph), joined(before)]);
    let whole = said.iter().any(|text| is_called_whole(text));
    let part = |text: &String| is_called_part(text, whole) || leaves_missing(text, content);
    // `The full file, only the changed function` may be either: the content decides.
    let limited = || said.iter().flat_map(|text| clauses(text)).any(|said| limits(&words_of(said)));
    match said.iter().any(part) {
        true => Extent::Part,
        false if whole && !limited() => Extent::Whole,
        false => Extent::Unsaid,
    }
}

/// Whether a clause has a word for less than the file. As a noun at the end, a "partial" is a Rails
/// template.
fn limits(said: &[String]) -> bool {
    let described = |word: &String| is(word, WHOLE) || is(word, RESULTING) || is(word, MODIFIERS);
    let noun = |at: usize, word: &str| {
        let before = at.checked_sub(1).and_then(|before| said.get(before));
        word == "partial" && at + 1 == said.len() && before.is_some_and(described)
    };
    let less = |word: &String| is(word, PARTIAL) || is(word, PIECES);
    said.iter().enumerate().any(|(at, word)| less(word) && !noun(at, word))
}

/// The text with spaces in file names replaced, so that their words aren't read as part of it.
fn joined(text: &str) -> String {
    let named = |(at, span): (usize, &str)| match at % 2 {
        1 if words::is_file_name(span) => span.replace(' ', "_"),
        _ => span.to_owned(),
    };
    text.split('`').enumerate().map(named).collect::<Vec<_>>().join("`")
}

fn is(word: &str, known: &[&str]) -> bool {
    known.contains(&word)
}

/// Whether the words of a remark are about a part of a file.
pub(super) fn is_about_part(said: &[String]) -> bool {
    said.iter().any(|word| is(word, PARTIAL) || is(word, PARTS))
}

/// `Excerpt:`, `a.py (partial)`, `only the changed lines`. If the text also calls it a whole file,
/// it's a part only if a clause says that a part is shown.
fn is_called_part(text: &str, whole: bool) -> bool {
    let alone = words::alone(text).is_some();
    clauses(text).into_iter().any(|clause| {
        let said = words_of(clause);
        let displays = said.iter().any(|word| is(word, DISPLAYED));
        let announces = displays || clause.ends_with([':', '：']);
        let shows = if whole { displays } else { announces };
        (announces || !whole) && (is_piece(&said, alone) || is_shown_alone(&said, shows))
    })
}

/// `An excerpt of a.py`, `partial listing`. A partial may be a whole file, and `fragment shader` is
/// about something else.
fn is_piece(said: &[String], alone: bool) -> bool {
    said.iter().enumerate().any(|(at, word)| {
        let mut before = said.iter().take(at).rev();
        let next = said.get(at + 1);
        let piece = if word == "partial" {
            let last =
                alone || at == 0 || before.clone().next().is_some_and(|word| is(word, LEADS));
            next.map_or(last, |next| is(next, FILES) || is(next, TEXTS) || is(next, PIECES))
        } else {
            is(word, PIECES) && next.is_none_or(|next| is(next, LINKS) || words::is_file_name(next))
        };
        let mut lead = || {
            before.find(|word| !is(word, ARTICLES) && !is(word, MODIFIERS) && !is(word, CHANGED))
        };
        piece && (alone || lead().is_none_or(|word| is(word, LEADS)))
    })
}

/// `Only the changed lines:`, but not `I only changed the first line`.
fn is_shown_alone(said: &[String], shows: bool) -> bool {
    said.iter().enumerate().any(|(at, word)| {
        if !is(word, &["just", "only"]) {
            return false;
        }
        let mut rest = said.iter().skip(at + 1).skip_while(|word| is(word, CHANGED));
        let shown = rest.next().is_some_and(|word| is(word, SHOWN));
        let before = at.checked_sub(1).and_then(|before| said.get(before));
        let told = before.is_some_and(|word| is(word, &["have", "i", "ve", "we"]))
            || !shows && rest.take(MOST_WORDS).any(|word| is(word, DIFFERS));
        shown && !told
    })
}

/// ``Leave `main` as it is``, above content that doesn't have it.
fn leaves_missing(text: &str, content: &str) -> bool {
    let lower = text.to_lowercase();
    let stays = ["as is", "as it is", "as they are", "alone", "intact", "unchanged", "untouched"];
    ["leave ", "keep "].iter().any(|verb| {
        let Some((_, rest)) = lower.split_once(verb) else { return false };
        let end = stays.iter().filter_map(|stay| rest.find(stay)).min();
        let object = end.and_then(|end| rest.get(..end)).unwrap_or_default();
        // File names don't count: another file may stay as it is.
        let names = object.split('`').skip(1).step_by(2);
        let mut names = names.filter(|name| !words::is_file_name(name)).peekable();
        let content = content.to_lowercase();
        let missing = |name: &str| {
            let name = name.trim_end_matches(['(', ')']);
            !name.is_empty() && !content.contains(name)
        };
        names.peek().is_some() && names.all(missing)
    })
}

/// Whether a clause introduces what follows as a whole file: the last one that points at it, or one
/// after that.
fn is_called_whole(text: &str) -> bool {
    let clauses: Vec<Vec<String>> = clauses(text).into_iter().map(words_of).collect();
    let points = |said: &&Vec<String>| {
        said.iter().any(|word| is(word, &["below", "following", "here"]))
            || said.windows(2).any(|pair| matches!(pair, [a, b] if a == "this" && b == "is"))
    };
    let from = clauses.iter().rposition(|said| points(&said)).unwrap_or_default();
    clauses.iter().skip(from).any(|said| !limits(said) && introduces(said))
}

/// The clauses of a paragraph. A comma between adjectives divides none.
fn clauses(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut start = 0;
    for (at, mark) in text.match_indices([' ']) {
        let before = text.get(start..at).unwrap_or_default();
        let after = text.get(at + mark.len()..).unwrap_or_default();
        let remark = after.strip_prefix('(');
        let next = remark.unwrap_or(after);
        let next = next.split(|letter: char| !letter.is_alphanumeric()).next().unwrap_or_default();
        let next = next.to_lowercase();
        // `(only the first line changed)`
        let remark = remark.is_some() && is(&next, PARTIAL) && next != "partial";
        let comma = before.ends_with(',') && !is(&next, MODIFIERS) && !is(&next, WHOLE);
        let dash = ["–", "—", "-"].iter().any(|dash| {
            before
                .strip_suffix(dash)
                .is_some_and(|before| before.is_empty() || before.ends_with(' '))
        });
        if comma || dash || remark || before.ends_with(['.', ';', '!', '?', ':']) {
            found.push(before);
            start = at + mark.len();
        }
    }
    found.push(text.get(start..).unwrap_or_default());
    found
}

fn introduces(said: &[String]) -> bool {
    let named = said.iter().any(|word| words::is_file_name(word));
    let part = said.iter().any(|word| is(word, PARTS));
    let replaced = said.iter().enumerate().any(|(at, word)| {
        let mut rest = said.iter().skip(at + 1).skip_while(|word| is(word, ARTICLES));
        word == "replace"
            && rest.next().is_some_and(|word| is(word, &["content", "contents"]))
            && match rest.next().map(String::as_str) {
                None | Some("with") => true,
                Some("of") => names_file(rest),
                Some(_) => false,
            }
    });
    replaced || said.last().is_some_and(|word| is(word, WHOLE)) && named || has_phrase(said, part)
}

/// Whether the sentence shows a file: one of [`WHOLE`] or [`RESULTING`] among adjectives, and a
/// noun.
fn has_phrase(said: &[String], part: bool) -> bool {
    let adjective = |word: &&String| {
        is(word, WHOLE) || is(word, RESULTING) || is(word, MODIFIERS) && *word != "source"
    };
    let mut lead: Option<&String> = None;
    let mut rest = said.iter().enumerate().peekable();
    while let Some((at, word)) = rest.next() {
        if !adjective(&word) {
            lead = if is(word, ARTICLES) || is(word, MODIFIERS) { lead } else { Some(word) };
            continue;
        }
        let (mut whole, mut resulting) = (is(word, WHOLE), is(word, RESULTING));
        let mut end = at + 1;
        while let Some((_, word)) = rest.next_if(|(_, word)| adjective(word)) {
            whole |= is(word, WHOLE);
            resulting |= is(word, RESULTING);
            end += 1;
        }
        if (whole || resulting)
            && lead.is_none_or(|word| is(word, LEADS))
            && is_file(said.iter().skip(end), whole, part)
        {
            return true;
        }
    }
    false
}

/// Whether what follows the adjectives is a file that the sentence shows.
fn is_file<'w>(rest: impl Iterator<Item = &'w String>, whole: bool, part: bool) -> bool {
    let mut rest = rest.peekable();
    let Some(head) = rest.next() else { return false };
    let (mut file, mut version) = (false, true);
    let mut head = Some(head);
    while let Some(word) = head {
        let names = words::is_file_name(word);
        let text = whole && (names || is(word, TEXTS) && !part);
        let counts = is(word, VERSIONS) && whole;
        if !is(word, FILES) && !text && !counts {
            return false;
        }
        // `The new files` may each be excerpts.
        file |= is(word, FILES) && (whole || word == "file") || names;
        version &= counts;
        head = rest.next_if(|word| {
            is(word, FILES) || is(word, TEXTS) || is(word, VERSIONS) || words::is_file_name(word)
        });
    }
    if !whole && !file {
        return false;
    }
    let Some(next) = rest.next() else { return !version };
    if is(next, OBJECTS) {
        return file && !part || names_file(rest);
    }
    !version
        && (is(next, TAILS) || is(next, STATES) && rest.next().is_none_or(|word| is(word, STATED)))
}

/// Whether the object of a phrase is a file or a program.
fn names_file<'w>(rest: impl Iterator<Item = &'w String>) -> bool {
    let object: Vec<&str> = rest
        .map(String::as_str)
        .take_while(|word| !is(word, TAILS) && !is(word, STATES) && !is(word, OBJECTS))
        .collect();
    object.iter().any(|word| words::is_file_name(word))
        || object
            .last()
            .is_some_and(|word| is(word, FILES) || is(word, TEXTS) || is(word, PROGRAMS))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str, content: &str) -> Extent {
        extent(&super::super::lines::lines(text), content)
    }

    #[test]
    fn words_that_call_a_fence_a_whole_file() {
        for text in [
            "Here is the complete file:\n\na.py\n",
            "Here's the full updated code for `a.py`:\n\n",
            "Replace the entire contents of `a.py` with:\n\n",
            "Replace the contents of the module with this:\n\n**a.py**\n",
            "The updated file:\n\n### a.py\n",
            "I fixed the test. This is the whole module now:\n\n`a.py`\n",
            "### a.py (complete)\n\n",
            "## Full file\n\n`a.py`\n",
            "Here is the complete file.\n\n## Result\n\n`a.py`\n",
            "Complete a.py:\n",
            "Full code:\n\na.py\n",
            "Here is the complete, updated file:\n\na.py\n",
            "Here is the full updated file with the fix:\n\na.py\n",
            "Full code of `src/app.py`:\n\n",
            "Here is the complete code for the application:\n\na.py\n",
            "Here's the complete implementation of `a.py`:\n\n",
            "`a.py` – the complete listing\n",
            "Replace the whole file with:\n\na.py\n",
            "Replace the contents with:\n\na.py\n",
            "The whole script should now look like this:\n\na.py\n",
            "I rewrote it. Here is the full file. The tests pass.\n\na.py\n",
            "Here you go, the full updated code:\n\na.py\n",
            "Here's how the complete file looks:\n\na.py\n",
            "Please replace the entire file with the following:\n\na.py\n",
            "With these changes the full file looks like this:\n\na.py\n",
            "Here's the full, corrected version of the file:\n\na.py\n",
            "Here's the full React component:\n\na.py\n",
            "Update the whole file to this:\n\na.py\n",
            "Here is the complete updated partial:\n\napp/_form.html.erb\n",
            "Here is the complete file:\n\n`only the changed lines.py`\n",
        ] {
            assert_eq!(of(text, ""), Extent::Whole, "{text}");
        }
        for text in [
            "I successfully fixed `f3`.\n\na.py\n",
            "Carefully change this:\n\na.py\n",
            "Hopefully this helps.\n\na.py\n",
            "Not the full file, just `f`:\n\na.py\n",
            "Complete the function like this:\n\na.py\n",
            "Complete the code in `a.py` like this:\n\n",
            "## Full diff\n\na.py\n",
            "Don't touch the rest of the whole module.\n\na.py\n",
            "The full code of the function:\n\na.py\n",
            "I read the whole file.\n\nThen I changed one function.\n\na.py\n",
            "a.py\n",
            "",
            "The complete code would be too long, so here is main:\n\na.py\n",
            "After reviewing the whole file, here is main:\n\na.py\n",
            "I updated the entire file to fix main:\n\na.py\n",
            "I read the complete file. Change main:\n\na.py\n",
            "Here is the complete listing of main():\n\na.py\n",
            "Here's the complete `main()` code:\n\na.py\n",
            "Here is the complete updated `main` in the file:\n\na.py\n",
            "The complete fix for the file:\n\na.py\n",
            "Full code for step 3:\n\na.py\n",
            "Full code for this change:\n\na.py\n",
            "Full code of the `main` route:\n\na.py\n",
            "Here is the complete code for your query:\n\na.py\n",
            "Here is the updated file section:\n\na.py\n",
            "Use the updated file handle:\n\na.py\n",
            "Open the new file dialog like this:\n\na.py\n",
            "The new file content around main:\n\na.py\n",
            "In the updated file, `main` becomes:\n\na.py\n",
            "Replace the content of main with:\n\na.py\n",
            "Now the entire code uses one function:\n\na.py\n",
            "The whole code path:\n\na.py\n",
            "The entire script section:\n\na.py\n",
            "Add this to the end of the full file:\n\na.py\n",
            "If you want the full file, ask. Change:\n\na.py\n",
            "The full code is on GitHub; here is main:\n\na.py\n",
            "Your final, complete code for `main` should look like this:\n\na.py\n",
            "Full implementation:\n\na.py\n",
            "## Updated Files\n\n### 1. a.py\n",
            // The content decides.
            "Here's the complete file. I only changed the function `f`.\n\na.py\n",
            "Here's the full file. I only changed the first line.\n\na.py\n",
            "Here is the full file. Only the last lines differ.\n\na.py\n",
            "Here is the complete file (only the first line changed):\n\na.py\n",
            "Here's the full file; only the function `f` changed:\n\na.py\n",
            "Here is the full file with the fragment shader:\n\na.glsl\n",
            "Here's the whole file. Nothing else changed.\n\na.py\n",
            "Here's the updated file. I've only included the function that changed.\n\na.py\n",
            "**Full file, only the changed function:**\n\na.py\n",
            "**Complete file (excerpt)**\n\na.py\n",
            "Full updated file (partial)\n\na.py\n",
        ] {
            assert_eq!(of(text, ""), Extent::Unsaid, "{text}");
        }
    }

    #[test]
    fn adjectives_without_a_noun_are_read_in_linear_time() {
        for words in ["full ", "complete new ", "the full ", "only changed lines "] {
            crate::growth::is_linear(
                words,
                2_000,
                |times| format!("{}:\n\na.py\n", words.repeat(times)),
                |text| {
                    std::hint::black_box(of(&text, ""));
                },
            );
        }
    }

    #[test]
    fn words_that_call_a_fence_a_part() {
        for text in [
            "a.py (partial)\n",
            "Excerpt of the changed lines:\n\na.py\n",
            "Not the full file, only the function:\n\na.py\n",
            "The full file is long. Only the changed part:\n\na.py\n",
            "Only the top part of the file changes:\n\na.py\n",
            "Change `save` as follows; leave `main` as it is.\n\na.py\n",
            "Keep `main()` unchanged.\n\na.py\n",
            "Here's the full file. Only the changed parts are shown.\n\na.py\n",
            "Here is a partial listing:\n\na.py\n",
            "Snippet from a.py:\n\na.py\n",
            "Partial:\n\na.py\n",
        ] {
            assert_eq!(of(text, "def save(): pass\n"), Extent::Part, "{text}");
        }
        for text in [
            "I only changed `save`:\n\na.py\n",
            "Leave `save` as it is.\n\na.py\n",
            "I kept the imports as they are.\n\na.py\n",
            "Add the snippet to the top:\n\na.py\n",
            "I only changed the function `f`:\n\na.py\n",
            "Only the last lines differ.\n\na.py\n",
            "The fragment shader:\n\na.glsl\n",
            "Here is the updated partial:\n\napp/_form.html.erb\n",
            "Keep `b.py` as it is.\n\na.py\n",
            "`only the changed lines.py`\n",
        ] {
            assert_eq!(of(text, "def save(): pass\n"), Extent::Unsaid, "{text}");
        }
    }
}
