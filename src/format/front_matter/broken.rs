//! Front matter that is not YAML, cut at its keys: one finding for each value that breaks it, on
//! that value, with a repair that was read again before it is offered.

mod lines;

use super::quoted;
use crate::rule::{Diagnostic, Fix};
use crate::text::{self, Edit, Span};
use crate::yaml::{self, Error, ErrorKind};

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

/// More values than this are not reported: the first ones say enough.
const MOST: usize = 5;

/// Keys that are never words of a sentence in front of a colon.
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
    let chunks = chunks(text, known);
    let mut found: Vec<Broken> = chunks
        .iter()
        .filter(|chunk| chunk.glued || !yaml::parse(chunk.text(text)).errors.is_empty())
        .map(|chunk| chunk.broken(text, known))
        .collect();
    if found.is_empty() {
        // Each value alone is YAML: the mistake is between them.
        found.extend(errors.iter().take(1).map(|error| from_error(text, error, None)));
    }
    verify(text, &chunks, &mut found);
    found
}

/// Marks repairs as safe if they repair everything and lose no key; drops those that repair nothing, and
/// findings that are too many.
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
        complete && text::apply(text, &first).is_ok_and(|repaired| keeps_keys(&repaired, chunks));
    let before = yaml::parse(text).errors.len();
    // Each repair is tried on the whole text.
    found.truncate(MOST);
    for broken in found {
        for repair in &mut broken.repairs {
            repair.safe &= whole;
        }
        broken.repairs.retain(|repair| {
            repair.safe
                || text::apply(text, &repair.edits)
                    .is_ok_and(|after| yaml::parse(&after).errors.len() < before)
        });
    }
}

/// Whether the text is YAML whose keys are those of the chunks, each once.
fn keeps_keys(text: &str, chunks: &[Chunk]) -> bool {
    let tree = yaml::parse(text);
    let mut keys: Vec<&str> = tree.entries().filter_map(|entry| entry.key.as_str()).collect();
    let mut expected: Vec<&str> = chunks.iter().filter_map(|chunk| chunk.key.as_deref()).collect();
    keys.sort_unstable();
    expected.sort_unstable();
    tree.errors.is_empty() && keys == expected
}

/// A key with all lines that belong to it.
#[derive(Debug)]
struct Chunk {
    key: Option<String>,
    span: Span,
    /// The start of the value: after the colon and the spaces.
    value: usize,
    /// There is no space after the colon.
    glued: bool,
}

/// Words in front of a colon that name the speaker or the part of an example.
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
fn is_like_a_key(word: &str) -> bool {
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
        let chunk = |key: &str, glued: bool| {
            let colon = start + key.len() + 1;
            let rest = text.get(colon..start + content.len()).unwrap_or_default();
            let value = colon + rest.len() - rest.trim_start().len();
            Chunk { key: Some(unquoted(key).to_owned()), span: start..at, value, glued }
        };
        match (key(content), glued_key(content).filter(|key| !prose && known(key))) {
            (Some(key), _) if !prose || known(unquoted(key)) => {
                found.push(chunk(key, false));
                prose = false;
            }
            (_, Some(key)) => found.push(chunk(key, true)),
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
                        found.push(Chunk {
                            key: None,
                            span: start..at,
                            value: start,
                            glued: false,
                        });
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

/// The word in front of a colon without a space after it.
fn glued_key(line: &str) -> Option<&str> {
    let (key, rest) = line.split_once(':')?;
    (key.starts_with(|letter: char| letter.is_ascii_lowercase())
        && !rest.is_empty()
        && !rest.starts_with([' ', '\t', '/', ':']))
    .then_some(key)
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
        if self.glued {
            return Broken {
                key: Some(key.clone()),
                span: self.span.start..self.value,
                message: format!("there is no space after `{key}:`, so YAML reads no key here"),
                repairs: vec![Repair {
                    title: format!("Insert a space after `{key}:`"),
                    edits: vec![Edit::insert(self.value, " ")],
                    safe: true,
                }],
            };
        }
        let head = value.chars().next().unwrap_or_default();
        let lines = value.lines().filter(|line| !line.trim().is_empty()).count();
        let meant = quoted::meant(value).filter(|_| !holds_keys(value));
        let odd_quotes = matches!(head, '"' | '\'') && value.matches(head).count() % 2 == 1;
        if tabbed || odd_quotes && meant.is_none() || span.is_empty() {
            return fallback();
        }
        if let Some(broken) = listed(key, &span, value) {
            return broken;
        }
        if lines > 1 && meant.is_none() {
            return self.lines(text, key, span.clone(), value).unwrap_or_else(fallback);
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
            None => reason(key, value),
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
                let meant = quoted::meant(value);
                let meant = meant.map_or_else(|| value.to_owned(), |meant| meant.text);
                Edit::replace(rest.clone(), yaml::quote(&meant))
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

/// A known key that follows a sentence, or a name, in the same line: the line break in front of it was
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

/// Why YAML can't read a value.
fn reason(key: &str, value: &str) -> String {
    match value.chars().next() {
        Some(bracket @ ('[' | '{')) if !value.starts_with("{{") => {
            format!(
                "text follows the closing `{}` in `{key}`; quote the value",
                if bracket == '[' { ']' } else { '}' }
            )
        }
        Some('\'') if value.contains("\\'") => {
            format!("`\\'` ends the value of `{key}` in single quotes; use double quotes")
        }
        Some('"' | '\'') => {
            format!("text follows the closing quote in `{key}`; put other quotes around the value")
        }
        Some(first @ ('@' | '`' | '%' | '*' | '&' | '!' | '|' | '>' | ',' | '{' | '?')) => {
            format!("`{key}` starts with `{first}`, which YAML reserves; quote the value")
        }
        _ if value.contains(": ") || value.ends_with(':') => {
            format!("`{key}` contains `: `, which YAML reads as a new key; quote the value")
        }
        _ => format!("YAML can't read the value of `{key}`; quote it"),
    }
}

fn shift(span: &Span, by: usize) -> Span {
    span.start + by..span.end + by
}

/// A mistake that no value explains, with the repairs that are known for its kind.
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

#[cfg(test)]
mod tests {
    use super::*;

    fn known(word: &str) -> bool {
        ["name", "description", "model", "tools", "license", "argument-hint", "color"]
            .contains(&word)
    }

    fn found(text: &str) -> Vec<Broken> {
        broken(text, &yaml::parse(text).errors, &known)
    }

    /// The text with all safe repairs; every repair that is offered must help.
    #[track_caller]
    fn repaired(text: &str) -> String {
        let edits: Vec<Edit> = found(text)
            .iter()
            .filter_map(|broken| broken.repairs.iter().find(|repair| repair.safe))
            .flat_map(|repair| repair.edits.clone())
            .collect();
        text::apply(text, &edits).unwrap()
    }

    #[test]
    fn one_value_is_one_finding_on_the_value() {
        for (text, value, after) in [
            (
                "name: a\ndescription: Use: it\nmodel: b\n",
                "Use: it",
                "name: a\ndescription: \"Use: it\"\nmodel: b\n",
            ),
            ("argument-hint: [a] | --b\n", "[a] | --b", "argument-hint: \"[a] | --b\"\n"),
            (
                "description: \"say \"no\" to it\"\nname: 🦆\n",
                "\"say \"no\" to it\"",
                "description: 'say \"no\" to it'\nname: 🦆\n",
            ),
            (
                "description: 'FRs don\\'t include 日本'\nname: x\n",
                "'FRs don\\'t include 日本'",
                "description: \"FRs don't include 日本\"\nname: x\n",
            ),
            (
                "description: 'don't do it'\r\nname: x\r\n",
                "'don't do it'",
                "description: \"don't do it\"\r\nname: x\r\n",
            ),
            (
                "description: 'don't\n  do it'\nname: x\n",
                "'don't\n  do it'",
                "description: \"don't do it\"\nname: x\n",
            ),
            ("description: \"a\\'b\"\nname: x\n", "\"a\\'b\"", "description: \"a'b\"\nname: x\n"),
            (
                "description: \"yes\" and \"no\"\nname: x\n",
                "\"yes\" and \"no\"",
                "description: '\"yes\" and \"no\"'\nname: x\n",
            ),
            (
                "applyTo: \"**/\\*.ts\"\nname: 🦆\n",
                "\"**/\\*.ts\"",
                "applyTo: '**/\\*.ts'\nname: 🦆\n",
            ),
            (
                "description: @team 日本\r\nname: x\r\n",
                "@team 日本",
                "description: \"@team 日本\"\r\nname: x\r\n",
            ),
            (
                "description: Use: it\n  and on\nname: x\n",
                "Use: it\n  and on",
                "description: \"Use: it and on\"\nname: x\n",
            ),
        ] {
            let all = found(text);
            assert_eq!(all.len(), 1, "{all:#?}");
            assert_eq!(text.get(all[0].span.clone()), Some(value));
            assert_eq!(repaired(text), after);
        }
    }

    #[test]
    fn quotes_around_a_structure_are_only_suggested() {
        for (text, safe) in [
            ("input: { type: object, required: [text] } }\n", false),
            ("input: type: object\r\n", false),
            ("tools: [Read] [日本]\n", false),
            ("env: Home: b\n", false),
            ("title: { type: string }: x\n", false),
            ("args: \"-y\", \"pkg\"]\r\n", false),
            ("title: \"a\", '日本'\"\n", false),
            ("description: See: [日本]\n", true),
            ("argument-hint: [a] [日本]\n", true),
            ("applyTo: {a,b}/**\n", true),
            ("purpose: use: it\n", true),
            ("other: Use when: 日本\n", true),
        ] {
            let all = found(text);
            let repairs: Vec<_> = all.iter().flat_map(|broken| &broken.repairs).collect();
            assert!(repairs.iter().any(|repair| repair.title == "Quote the value"), "{text}");
            assert!(repairs.iter().all(|repair| repair.safe == safe), "{text}: {repairs:?}");
        }
    }

    #[test]
    fn a_message_says_what_is_wrong_inside_quotes() {
        for (text, message) in [
            (
                "applyTo: \"日本/\\*.ts\"\n",
                "unknown or incomplete escape `\\*` in `applyTo`; use single quotes",
            ),
            (
                "applyTo: \"日本\\'s\"\n",
                "unknown or incomplete escape `\\'` in `applyTo`; write `'`",
            ),
            (
                "applyTo: '日本\\'s'\n",
                "`\\'` ends the value of `applyTo` in single quotes; use double quotes",
            ),
            (
                "applyTo: \"a\" b\n",
                "text follows the closing quote in `applyTo`; put other quotes around the value",
            ),
        ] {
            assert_eq!(found(text)[0].message, message);
        }
    }

    #[test]
    fn prose_below_a_description_becomes_one_block() {
        let text = "name: gardener\ndescription: Use for plants. Examples:\n\n<example>\nContext: The lawn is brown.\nuser: \"Help\"\n</example>\nmodel: sonnet\n";
        assert_eq!(found(text).len(), 1);
        let after = "name: gardener\ndescription: |-\n  Use for plants. Examples:\n\n  <example>\n  Context: The lawn is brown.\n  user: \"Help\"\n  </example>\nmodel: sonnet\n";
        assert_eq!(repaired(text), after);
        assert_eq!(repaired(&text.replace('\n', "\r\n")), after.replace('\n', "\r\n"));
        // Lines with a colon above the first line without one are prose as well.
        let below = "description: Use it.\nContext: A lawn.\nuser: \"Help\"\n<example>\nmodel: x\n";
        assert_eq!(
            repaired(below),
            "description: |-\n  Use it.\n  Context: A lawn.\n  user: \"Help\"\n  <example>\nmodel: x\n"
        );
        let header = "description: |\nUse it.\nSo: there\nmodel: x\n";
        assert_eq!(repaired(header), "description: |\n  Use it.\n  So: there\nmodel: x\n");
    }

    #[test]
    fn a_lost_line_break_is_offered_first_and_nothing_is_safe() {
        let text = "name: a\ndescription: 何时使用。license: Apache-2.0\n";
        let all = found(text);
        assert_eq!(
            all[0]
                .repairs
                .iter()
                .map(|repair| (repair.title.as_str(), repair.safe))
                .collect::<Vec<_>>(),
            [("Start a new line before `license`", false), ("Quote the value", false)]
        );
        assert_eq!(
            text::apply(text, &all[0].repairs[0].edits).unwrap(),
            "name: a\ndescription: 何时使用。\nlicense: Apache-2.0\n"
        );
        assert_eq!(repaired(text), text);
    }

    #[test]
    fn a_key_that_lost_its_space_or_its_line_is_not_buried() {
        let text = "name: ce\r\ndescription:Makes tea\r\n";
        let all = found(text);
        assert_eq!(all.len(), 1, "{all:#?}");
        assert_eq!(text.get(all[0].span.clone()), Some("description:"));
        assert_eq!(repaired(text), "name: ce\r\ndescription: Makes tea\r\n");
        let link = "description: See\nhttps://example.com: it\nname: x\n";
        assert!(found(link).iter().all(|broken| !broken.message.contains("no space")));

        let text = "name: ag description: Makes tea: green\n";
        let all = found(text);
        assert!(all[0].repairs.iter().all(|repair| !repair.safe), "{all:#?}");
        assert_eq!(
            text::apply(text, &all[0].repairs[0].edits).unwrap(),
            "name: ag\ndescription: \"Makes tea: green\"\n"
        );
        // In a sentence, the word is one of the sentence.
        let prose = "description: Give it a name: short\n";
        assert_eq!(repaired(prose), "description: \"Give it a name: short\"\n");
    }

    #[test]
    fn several_values_are_safe_together_or_not_at_all() {
        let text = "description: a: b\nargument-hint: [x] y\nname: c\n";
        assert_eq!(found(text).len(), 2);
        assert_eq!(repaired(text), "description: \"a: b\"\nargument-hint: \"[x] y\"\nname: c\n");
        let hopeless = "description: a: b\ntools: [x, \"y\nname: c\n";
        assert!(
            found(hopeless).iter().all(|broken| broken.repairs.iter().all(|repair| !repair.safe))
        );
    }

    proptest::proptest! {
        #[test]
        fn what_is_safe_repairs_everything(text in "((name|description|tools|x-y|Context): ?|[a-z]{1,4}|: |[\\[\\]{}'\"|>&*@`#,.-]|\\r?\\n|\\n  |\\t|🦆|。|日本| ){0,30}") {
            let all = found(&text);
            for broken in &all {
                proptest::prop_assert!(text.get(broken.span.clone()).is_some());
            }
            if all.iter().any(|broken| broken.repairs.iter().any(|repair| repair.safe)) {
                proptest::prop_assert_eq!(yaml::parse(&repaired(&text)).errors, []);
            }
        }
    }
}
