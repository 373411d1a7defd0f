//! Command lines with selectors: `mdsel select …`, `agentmd select …`.

use crate::text::Span;

/// A word of a command line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word {
    /// The span in bytes of the line, without quotes around the word.
    pub span: Span,
    /// Without quotes and escapes.
    pub text: String,
}

/// Whether a code block with this info string may contain command lines; `None` is an indented one.
pub fn is_shell(info: Option<&str>) -> bool {
    let name = info
        .unwrap_or_default()
        .split([' ', ',', '{', '\t'])
        .next()
        .unwrap_or_default()
        .to_ascii_lowercase();
    matches!(
        name.as_str(),
        "" | "sh"
            | "bash"
            | "zsh"
            | "fish"
            | "shell"
            | "console"
            | "terminal"
            | "shell-session"
            | "shellsession"
            | "sh-session"
            | "text"
            | "txt"
    )
}

/// The selectors and files of the command in a line, if it takes selectors.
pub fn arguments(line: &str) -> Option<Vec<Word>> {
    let (words, start) = command(line)?;
    let mut found = Vec::new();
    let mut skip = false;
    for word in words.get(start..)? {
        let raw = line.get(word.span.clone()).unwrap_or_default();
        if std::mem::take(&mut skip) {
            continue;
        }
        // The rest belongs to another command or a redirection, or is a comment.
        if matches!(raw, "|" | "||" | "&&" | ";" | "&" | "#" | ">" | ">>") {
            break;
        }
        if word.text.starts_with('-') && word.text != "-" {
            skip = matches!(word.text.as_str(), "--max-words" | "--format" | "--color");
            continue;
        }
        // Placeholders: `SELECTOR…`, `$SELECTOR`, `<file>`, `[FILE]`.
        let stands_for = word.text.contains(['$', '<', '>', '{', '…', '`', '|'])
            || !word.text.contains(|letter: char| {
                letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '*'
            });
        if !stands_for {
            found.push(word.clone());
        }
    }
    Some(found)
}

/// The words of a line, and the index of the first argument after the command.
fn command(line: &str) -> Option<(Vec<Word>, usize)> {
    if !line.contains("mdsel") && !line.contains("agentmd") {
        return None;
    }
    let words = words(line);
    let name = |word: &Word| {
        word.text.rsplit('/').next().unwrap_or_default().trim_end_matches(".exe").to_owned()
    };
    let at = words.iter().position(|word| matches!(name(word).as_str(), "mdsel" | "agentmd"))?;
    let next = words.iter().enumerate().skip(at + 1).find(|(_, word)| !word.text.starts_with('-'));
    match (name(words.get(at)?).as_str(), next) {
        (_, Some((index, word))) if word.text == "select" => Some((words, index + 1)),
        // Later versions take selectors and files without a command.
        ("mdsel", Some((index, word)))
            if !matches!(
                word.text.as_str(),
                "index" | "format" | "search" | "help" | "is" | "and"
            ) =>
        {
            Some((words, index))
        }
        _ => None,
    }
}

/// Whether a selector or a file of a command is being typed at the end of `line`.
pub fn expects_argument(line: &str) -> bool {
    let closed = line.ends_with([' ', '\t']);
    command(line).is_some_and(|(words, start)| closed || words.len() > start)
}

/// Whether an argument is a file.
pub fn is_file(word: &str) -> bool {
    let extension = word.rsplit_once('.').map(|(_, extension)| extension.to_ascii_lowercase());
    word == "-"
        || !word.contains("::")
            && matches!(extension.as_deref(), Some("md" | "markdown" | "mdc" | "llmd" | "txt"))
        || word.starts_with("./")
        || word.starts_with("../")
}

/// The words of a line, split as in a shell.
fn words(line: &str) -> Vec<Word> {
    let mut found = Vec::new();
    let mut letters = line.char_indices().peekable();
    while let Some((start, first)) = letters.peek().copied() {
        if first.is_whitespace() {
            letters.next();
            continue;
        }
        let mut text = String::new();
        let (mut quote, mut end, mut quoted) = (None, start, false);
        let mut first_inside = None;
        let mut last_inside = start;
        while let Some((at, letter)) = letters.peek().copied() {
            if quote.is_none() && letter.is_whitespace() {
                break;
            }
            letters.next();
            end = at + letter.len_utf8();
            match (quote, letter) {
                (None, '\'' | '"') => {
                    quote = Some(letter);
                    quoted = true;
                    continue;
                }
                (Some(open), _) if open == letter => {
                    quote = None;
                    continue;
                }
                (None | Some('"'), '\\') => {
                    if let Some((at, escaped)) = letters.next() {
                        end = at + escaped.len_utf8();
                        text.push(escaped);
                        first_inside.get_or_insert(at);
                        last_inside = end;
                    }
                    continue;
                }
                _ => text.push(letter),
            }
            first_inside.get_or_insert(at);
            last_inside = end;
        }
        let span = if quoted {
            first_inside.unwrap_or(start)..last_inside.max(first_inside.unwrap_or(start))
        } else {
            start..end
        };
        found.push(Word { span, text });
    }
    found
}
