//! Front matter that is not YAML, split at its keys: one finding on each value that breaks it. A
//! repair is offered only after the repaired text was parsed.

mod items;
mod lines;
mod signs;
#[cfg(test)]
mod tests;

use super::quoted;
use crate::rule::{Diagnostic, Fix};
use crate::text::{self, Edit, Span};
use crate::yaml::{self, Entry, Error, ErrorKind, Tree};

/// A value that YAML can't read.
#[derive(Debug, Clone, PartialEq)]
pub struct Broken {
    /// The key whose value it is.
    pub key: Option<String>,
    /// The value, in bytes of the YAML.
    pub span: Span,
    /// The mistake, without a full stop.
    pub message: String,
    pub repairs: Vec<Repair>,
}

/// A way to repair a value.
#[derive(Debug, Clone, PartialEq)]
pub struct Repair {
    pub title: String,
    /// Bytes of the YAML.
    pub edits: Vec<Edit>,
    /// With the safe repairs of all values, the text is YAML and has every key that it had.
    pub safe: bool,
}

/// The most values that are reported: the first ones say enough.
const MOST: usize = 5;

/// Keys that are never words before a colon in a sentence.
const LABELS: &[&str] =
    &["license", "version", "origin", "metadata", "allowed-tools", "author", "compatibility"];

/// The broken values, in order; empty if the text is YAML. `known` decides which words are keys of
/// this kind of file.
pub fn broken(text: &str, errors: &[Error], known: &dyn Fn(&str) -> bool) -> Vec<Broken> {
    if errors.is_empty() {
        return Vec::new();
    }
    // Nothing is wrong with the text but its size.
    if let Some(error) = errors.first().filter(|error| error.kind == ErrorKind::Limit) {
        return vec![from_error(text, error, None)];
    }
    if let Some(broken) = signs::astray(text, known) {
        return vec![broken];
    }
    let chunks = chunks(text, known);
    let mut found: Vec<Broken> = chunks
        .iter()
        .filter(|chunk| chunk.fault.is_some() || !yaml::parse(chunk.text(text)).errors.is_empty())
        .map(|chunk| chunk.broken(text, known))
        .collect();
    if found.is_empty() {
        // Each value on its own is YAML, so the mistake is between them.
        found.extend(errors.iter().take(1).map(|error| from_error(text, error, None)));
    }
    verify(text, &chunks, &mut found);
    found
}

/// The text with its safe repairs, if it's YAML with them.
pub fn repaired(text: &str, known: &dyn Fn(&str) -> bool) -> Option<String> {
    let edits = safe_edits(&broken(text, &yaml::parse(text).errors, known));
    let repaired = text::apply(text, &edits).ok()?;
    yaml::parse(&repaired).errors.is_empty().then_some(repaired)
}

/// The edits of the first safe repair of each value.
pub fn safe_edits(found: &[Broken]) -> Vec<Edit> {
    let safe = found.iter().filter_map(|broken| broken.repairs.iter().find(|repair| repair.safe));
    safe.flat_map(|repair| repair.edits.clone()).collect()
}

/// The mistakes in valid YAML that isn't what the author meant: keys that YAML doesn't read as
/// keys, and sentences below a description that it does.
pub fn misread(text: &str, tree: &Tree, known: &dyn Fn(&str) -> bool) -> Vec<Broken> {
    let is_mapping = tree.root.as_ref().is_some_and(|root| root.as_mapping().is_some());
    let words = |entry: &Entry| entry.key.as_str().is_some_and(|key| key.contains(' '));
    if is_mapping && !tree.entries().any(words) {
        return Vec::new();
    }
    let chunks = chunks(text, known);
    let mut found: Vec<Broken> = chunks
        .iter()
        .filter_map(|chunk| match &chunk.fault {
            Some(_) => (!is_mapping).then(|| chunk.broken(text, known)),
            None => chunk.sentences(text, known),
        })
        .collect();
    verify(text, &chunks, &mut found);
    found
}

/// Marks repairs as safe if they repair everything and lose no key; drops those that repair
/// nothing, and findings over the limit.
fn verify(text: &str, chunks: &[Chunk], found: &mut Vec<Broken>) {
    let first: Vec<Edit> = found
        .iter()
        .filter_map(|broken| broken.repairs.first())
        .filter(|repair| repair.safe)
        .flat_map(|repair| repair.edits.clone())
        .collect();
    let complete =
        found.iter().all(|broken| broken.repairs.first().is_some_and(|repair| repair.safe));
    let whole =
        complete && text::apply(text, &first).is_ok_and(|after| keeps_keys(text, &after, chunks));
    let before = yaml::parse(text).errors.len();
    // Each repair is tried on the whole text.
    found.truncate(MOST);
    for broken in found {
        for repair in &mut broken.repairs {
            repair.safe &= whole;
        }
        broken.repairs.retain(|repair| {
            let left = |after: String| yaml::parse(&after).errors.len();
            repair.safe
                || text::apply(text, &repair.edits).is_ok_and(|after| left(after) < before.max(1))
        });
    }
}

/// Whether the repaired text is YAML with exactly the keys of the chunks, each once, and every list
/// is still a list.
fn keeps_keys(text: &str, repaired: &str, chunks: &[Chunk]) -> bool {
    let tree = yaml::parse(repaired);
    let mut keys: Vec<(&str, bool)> = tree
        .entries()
        .filter_map(|entry| Some((entry.key.as_str()?, entry.value.as_sequence().is_some())))
        .collect();
    let mut expected: Vec<(&str, bool)> = chunks
        .iter()
        .filter_map(|chunk| Some((chunk.key.as_deref()?, chunk.is_list(text))))
        .collect();
    keys.sort_unstable();
    expected.sort_unstable();
    let kept = |(found, wanted): (&(&str, bool), &(&str, bool))| {
        found.0 == wanted.0 && (found.1 || !wanted.1)
    };
    tree.errors.is_empty() && keys.len() == expected.len() && keys.iter().zip(&expected).all(kept)
}

/// A key with all lines that belong to it.
#[derive(Debug)]
struct Chunk {
    key: Option<String>,
    span: Span,
    /// The start of the value: after the colon and the spaces.
    value: usize,
    /// The mistake between the key and the value.
    fault: Option<Fault>,
}

/// Why YAML doesn't see the key that a line begins with.
#[derive(Debug, Clone, PartialEq)]
enum Fault {
    /// No space after the colon.
    Glued,
    /// Something other than `: `, in bytes of the YAML; `sure` if the line can't continue prose
    /// above it.
    Sign { span: Span, sure: bool },
}

/// Words before a colon that name the speaker or the part of an example.
const SPEAKERS: &[&str] = &[
    "agent",
    "ai",
    "assistant",
    "commentary",
    "context",
    "example",
    "examples",
    "human",
    "model",
    "note",
    "output",
    "question",
    "answer",
    "response",
    "result",
    "step",
    "system",
    "tool",
    "user",
];

/// Whether a word is spelled like a key, and not like a word before a colon in prose.
pub(in crate::format) fn is_like_a_key(word: &str) -> bool {
    let spelled = |letter: char| {
        letter.is_ascii_lowercase() || letter.is_ascii_digit() || matches!(letter, '-' | '_')
    };
    word.starts_with(|letter: char| letter.is_ascii_lowercase())
        && word.chars().all(spelled)
        && !SPEAKERS.contains(&word)
}

/// Splits the text at the lines that begin with a key. Below a line without one, only known keys
/// count: the others are prose.
fn chunks(text: &str, known: &dyn Fn(&str) -> bool) -> Vec<Chunk> {
    let mut found: Vec<Chunk> = Vec::new();
    let (mut at, mut prose) = (0, false);
    for line in text.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let content = line.trim_end();
        let chunk = |key: &str, sign: usize, fault: Option<Fault>| {
            let colon = start + key.len() + sign;
            let rest = text.get(colon..start + content.len()).unwrap_or_default();
            let value = colon + rest.len() - rest.trim_start().len();
            Chunk { key: Some(unquoted(key).to_owned()), span: start..at, value, fault }
        };
        let sign = || unmarked(content).filter(|(key, _)| !prose && known(key));
        match (key(content), glued_key(content).filter(|key| !prose && known(key))) {
            (Some(key), _) if !prose || known(unquoted(key)) => {
                found.push(chunk(key, 1, None));
                prose = false;
            }
            (_, Some(key)) => found.push(chunk(key, 1, Some(Fault::Glued))),
            (None, None) if sign().is_some_and(|(key, sign)| begins(&found, key, sign)) => {
                let (key, sign) = unmarked(content).unwrap_or_default();
                let span = start + key.len()..start + key.len() + sign.len();
                let above = found.last().and_then(|chunk| chunk.key.as_deref());
                let sure = !sign.trim().is_empty()
                    && !above.is_some_and(super::takes_prose)
                    && has_no(&found, key);
                found.push(chunk(key, sign.len(), Some(Fault::Sign { span, sure })));
            }
            _ => {
                let aside = content.trim().is_empty()
                    || content.starts_with([' ', '\t', '#', ']', '}'])
                    || content.starts_with("- ")
                    || content == "-";
                if !aside && !prose {
                    prose = true;
                    join(&mut found, known);
                }
                match found.last_mut() {
                    Some(chunk) => chunk.span.end = at,
                    None if aside && content.trim_start().starts_with('#')
                        || content.trim().is_empty() => {}
                    None => {
                        found.push(Chunk { key: None, span: start..at, value: start, fault: None });
                    }
                }
            }
        }
    }
    found
}

/// Merges the last chunk with those before it, back to the last known key: words before a colon in
/// prose are not keys.
fn join(chunks: &mut Vec<Chunk>, known: &dyn Fn(&str) -> bool) {
    let is_known =
        |chunk: &Chunk| chunk.key.as_deref().is_some_and(|key| known(key) || is_like_a_key(key));
    let Some(owner) = chunks.iter().rposition(is_known) else { return };
    let end = chunks.last().map_or(0, |chunk| chunk.span.end);
    chunks.truncate(owner + 1);
    if let Some(chunk) = chunks.last_mut() {
        chunk.span.end = end;
    }
}

/// The key that a line at column 0 begins with, quotes included.
pub(in crate::format) fn key(line: &str) -> Option<&str> {
    let (key, rest) = line.split_once(':')?;
    let word = !key.is_empty()
        && key.chars().all(|letter| {
            letter.is_alphanumeric() || matches!(letter, '-' | '_' | '.' | '"' | '\'' | '$')
        });
    (word && !key.starts_with('-') && (rest.is_empty() || rest.starts_with([' ', '\t', '\r'])))
        .then_some(key)
}

/// The word before a colon that has no space after it.
fn glued_key(line: &str) -> Option<&str> {
    let (key, rest) = line.split_once(':')?;
    (key.starts_with(|letter: char| letter.is_ascii_lowercase())
        && !rest.is_empty()
        && !rest.starts_with([' ', '\t', '/', ':']))
    .then_some(key)
}

/// The word that a line begins with, and what follows it instead of a colon and a space: `=`, a
/// full-width colon, or only a space.
fn unmarked(line: &str) -> Option<(&str, &str)> {
    let word = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_');
    let key = line.get(..line.find(|letter| !word(letter))?)?;
    let rest = line.get(key.len()..)?;
    let after = rest.trim_start_matches([' ', '\t']);
    let value = after.strip_prefix(['=', '：']).unwrap_or(after).trim_start();
    let sign = rest.get(..rest.len() - value.len())?;
    (!key.is_empty() && !sign.is_empty() && !value.is_empty() && !value.starts_with(':'))
        .then_some((key, sign))
}

/// Whether a line with this word and sign begins a key. With only a space, it may also continue
/// prose.
fn begins(chunks: &[Chunk], key: &str, sign: &str) -> bool {
    let above = chunks.last().and_then(|chunk| chunk.key.as_deref());
    !sign.trim().is_empty()
        || above.is_some_and(|above| !super::takes_prose(above)) && has_no(chunks, key)
}

fn has_no(chunks: &[Chunk], key: &str) -> bool {
    chunks.iter().all(|chunk| chunk.key.as_deref() != Some(key))
}

fn unquoted(key: &str) -> &str {
    key.trim_matches(['"', '\''])
}

impl Chunk {
    fn text<'a>(&self, text: &'a str) -> &'a str {
        text.get(self.span.clone()).unwrap_or_default()
    }

    /// The value without the blank lines and spaces after it.
    fn value_span(&self, text: &str) -> Span {
        let value = text.get(self.value..self.span.end).unwrap_or_default();
        self.value..self.value + value.trim_end().len()
    }

    fn broken(&self, text: &str, known: &dyn Fn(&str) -> bool) -> Broken {
        let span = self.value_span(text);
        let value = text.get(span.clone()).unwrap_or_default();
        let own = yaml::parse(self.text(text));
        let tabbed = own.errors.iter().any(|error| error.kind == ErrorKind::Tab);
        let fallback = || match own.errors.first() {
            Some(error) => from_error(
                text,
                &Error { span: shift(&error.span, self.span.start), ..error.clone() },
                self.key.clone(),
            ),
            None => Broken {
                key: self.key.clone(),
                span: span.clone(),
                message: "YAML can't read this value".to_owned(),
                repairs: Vec::new(),
            },
        };
        let Some(key) = &self.key else { return fallback() };
        if let Some(fault) = &self.fault {
            return self.unmarked(text, key, fault);
        }
        let head = value.chars().next().unwrap_or_default();
        let lines = value.lines().filter(|line| !line.trim().is_empty()).count();
        let meant = quoted::meant(value).filter(|_| !holds_keys(value));
        let odd_quotes = matches!(head, '"' | '\'') && value.matches(head).count() % 2 == 1;
        if tabbed || odd_quotes && meant.is_none() || span.is_empty() {
            return fallback();
        }
        if let Some(broken) = comma(key, &span, value) {
            return broken;
        }
        if let Some(broken) =
            listed(key, &span, value).or_else(|| self.items(text, key, &span, value))
        {
            return broken;
        }
        // The only line of the value may be below the key.
        let lead = if lines == 1 { value.len() - value.trim_start().len() } else { 0 };
        let span = span.start + lead..span.end;
        let value = value.get(lead..).unwrap_or_default();
        let (head, meant) = match lead {
            0 => (head, meant),
            _ => (value.chars().next().unwrap_or_default(), quoted::meant(value)),
        };
        if lines > 1 && meant.is_none() {
            return self.lines(text, key, (span.clone(), value), known).unwrap_or_else(fallback);
        }
        if matches!(head, '[' | '{') && !value.contains([']', '}']) {
            return fallback();
        }
        let escape = own.errors.first().filter(|error| error.kind == ErrorKind::Escape);
        if let Some(mut broken) = self.started_block(text, key, span.clone(), value) {
            if broken.repairs.iter().all(|repair| !repair.safe) {
                broken.repairs.push(Repair {
                    title: "Quote the value".to_owned(),
                    edits: vec![Edit::replace(span, yaml::quote(value))],
                    safe: false,
                });
            }
            return broken;
        }
        let message = match escape {
            Some(error) => {
                let written = self.text(text).get(error.span.clone()).unwrap_or_default();
                let instead = if written == "\\'" { "write `'`" } else { "use single quotes" };
                format!("unknown or incomplete escape `{written}` in `{key}`; {instead}")
            }
            None => reason(&format!("`{key}`"), value),
        };
        let sure = meant.as_ref().is_none_or(|meant| meant.sure);
        let meant = meant.map_or_else(|| value.to_owned(), |meant| meant.text);
        let quote = Edit::replace(span.clone(), yaml::quote(&meant));
        let safe = sure && super::is_meant_as_text(key, value);
        let mut repairs =
            vec![Repair { title: "Quote the value".to_owned(), edits: vec![quote], safe }];
        if let Some((at, lost)) = lost_line(key, value, known) {
            let at = span.start + at;
            let rest = at + lost.len() + ": ".len()..span.end;
            let own = text.get(at..span.end).unwrap_or_default();
            let quoted = (!yaml::parse(own).errors.is_empty()).then(|| {
                let value = text.get(rest.clone()).unwrap_or_default();
                Edit::replace(rest.clone(), super::in_quotes(value))
            });
            let spaces =
                text.get(span.start..at).map_or(0, |before| before.len() - before.trim_end().len());
            let line_break = if self.text(text).contains("\r\n") { "\r\n" } else { "\n" };
            let edit = Edit::replace(at - spaces..at, line_break);
            repairs.iter_mut().for_each(|repair| repair.safe = false);
            repairs.insert(
                0,
                Repair {
                    title: format!("Start a new line before `{lost}`"),
                    edits: std::iter::once(edit).chain(quoted).collect(),
                    safe: false,
                },
            );
        }
        Broken { key: Some(key.clone()), span, message, repairs }
    }
}

/// A comma after a complete value, as between the members of a JSON object.
fn comma(key: &str, span: &Span, value: &str) -> Option<Broken> {
    let before = value.strip_suffix(',')?;
    let tree = yaml::parse(before);
    let whole = tree.errors.is_empty() && before.starts_with(['"', '\'', '[', '{']);
    let at = span.end - 1..span.end;
    (whole && tree.root.is_some_and(|root| root.span == (0..before.len()))).then(|| Broken {
        key: Some(key.to_owned()),
        span: at.clone(),
        message: format!("a comma follows the value of `{key}`, as in JSON; remove it"),
        repairs: vec![Repair {
            title: "Remove the comma".to_owned(),
            edits: vec![Edit::delete(at)],
            safe: true,
        }],
    })
}

/// Several quoted strings in a row: a list without brackets.
fn listed(key: &str, span: &Span, value: &str) -> Option<Broken> {
    if !value.starts_with(['"', '\'']) || super::is_text_key(&key.to_lowercase()) {
        return None;
    }
    let list = format!("[{value}]");
    let tree = yaml::parse(&list);
    let is_text = |item: &yaml::Node| {
        item.as_str().is_some()
            && list.get(item.span.clone()).is_some_and(|text| text.starts_with(['"', '\'']))
    };
    let items = &tree.root.as_ref()?.as_sequence()?.items;
    if !tree.errors.is_empty() || items.len() < 2 || !items.iter().all(is_text) {
        return None;
    }
    let repairs = vec![Repair {
        title: "Make it a list".to_owned(),
        edits: vec![Edit::insert(span.start, "["), Edit::insert(span.end, "]")],
        safe: false,
    }];
    let message =
        format!("`{key}` is a list without brackets; write `[` before it and `]` after it");
    Some(Broken { key: Some(key.to_owned()), span: span.clone(), message, repairs })
}

/// Whether lines below the first one may have their own keys or items, or are outside the value.
fn holds_keys(value: &str) -> bool {
    value.lines().skip(1).any(|line| {
        let content = line.trim();
        let outside = !content.is_empty() && !line.starts_with([' ', '\t']);
        outside || key(content).is_some() || content.starts_with("- ")
    })
}

/// A known key that follows a sentence or a name on the same line: the line break before it was
/// lost.
fn lost_line<'v>(
    key: &str,
    value: &'v str,
    known: &dyn Fn(&str) -> bool,
) -> Option<(usize, &'v str)> {
    value.match_indices(": ").find_map(|(colon, _)| {
        let before = value.get(..colon)?;
        let word_start =
            |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_');
        let start = before.trim_end_matches(word_start).len();
        let word = before.get(start..)?;
        let previous = before.get(..start)?.chars().next_back()?;
        let glued = !previous.is_whitespace()
            && !matches!(previous, '(' | '`' | '"' | '\'' | '/' | '-')
            && known(word);
        let named = key == "name" && known(word) && before.split_whitespace().count() == 2;
        (glued || previous == ' ' && (named || LABELS.contains(&word))).then_some((start, word))
    })
}

/// Why YAML can't read a value of `what`.
fn reason(what: &str, value: &str) -> String {
    match value.chars().next() {
        Some('[') if follows_bracket(value, ']') => {
            format!("text follows the closing `]` in {what}; quote the value")
        }
        Some('{') if !value.starts_with("{{") && follows_bracket(value, '}') => {
            format!("text follows the closing `}}` in {what}; quote the value")
        }
        Some('\'') if value.contains("\\'") => {
            format!("`\\'` ends the value of {what} in single quotes; use double quotes")
        }
        Some('"' | '\'') => {
            format!("text follows the closing quote in {what}; put other quotes around the value")
        }
        Some('`') => {
            format!("{what} starts with a backtick, which YAML reserves; quote the value")
        }
        Some(first @ ('@' | '%' | '*' | '&' | '!' | '|' | '>' | ',' | '{' | '?')) => {
            format!("{what} starts with `{first}`, which YAML reserves; quote the value")
        }
        _ if value.contains(": ") || value.ends_with(':') => {
            format!("{what} contains `: `, which YAML reads as a new key; quote the value")
        }
        _ => format!("YAML can't read the value of {what}; quote it"),
    }
}

/// Whether there is text after the first bracket of a kind.
fn follows_bracket(value: &str, bracket: char) -> bool {
    value.split_once(bracket).is_some_and(|(_, after)| !after.trim().is_empty())
}

fn shift(span: &Span, by: usize) -> Span {
    span.start + by..span.end + by
}

/// A mistake that isn't in a single value, with the known repairs for its kind.
fn from_error(text: &str, error: &Error, key: Option<String>) -> Broken {
    let mut finding = Diagnostic {
        rule: &super::SCRATCH,
        severity: super::SCRATCH.severity,
        span: error.span.clone(),
        message: String::new(),
        fixes: Vec::new(),
        related: Vec::new(),
        unnecessary: false,
    };
    let repair = super::Repair { text, errors: yaml::parse(text).errors.len() };
    repair.fixes(error, 0, &mut finding);
    let repairs = finding
        .fixes
        .into_iter()
        .map(|fix: Fix| Repair { title: fix.title, edits: fix.edits, safe: fix.safe })
        .collect();
    Broken { key, span: error.span.clone(), message: error.message.clone(), repairs }
}
