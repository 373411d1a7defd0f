//! Finds mentions in text.

use memchr::memmem;

use super::{Mention, MentionKind, PYTHON};
use crate::text::Span;

/// The prefix of every server tool's name.
const PREFIX: &str = "mcp";

/// All mentions in text, in order. Markdown code and comments count, because the model reads them.
/// In template actions only strings count, because nothing else in them is text.
pub fn mentions(text: &str) -> Vec<Mention> {
    let mut found: Vec<Mention> =
        memmem::find_iter(text.as_bytes(), PREFIX).filter_map(|at| tool(text, at)).collect();
    for span in named(text, PYTHON) {
        if let Some(span) = python(text, &span) {
            found.push(Mention { span, kind: MentionKind::Python, in_action: false });
        }
    }
    let actions = Actions::read(text);
    found.retain(|mention| actions.prints(mention.span.start));
    for mention in &mut found {
        mention.in_action = actions.hold(mention.span.start);
    }
    found.sort_by_key(|mention| (mention.span.start, mention.span.end));
    let mut end = 0;
    found.retain(|mention| {
        let free = mention.span.start >= end;
        end = if free { mention.span.end } else { end };
        free
    });
    found
}

/// Where text contains a name as a separate word, ignoring the case of ASCII letters.
pub fn named(text: &str, name: &str) -> Vec<Span> {
    let Some((&first, rest)) = name.as_bytes().split_first() else { return Vec::new() };
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    for at in memchr::memchr2_iter(first.to_ascii_lowercase(), first.to_ascii_uppercase(), bytes) {
        let end = at + name.len();
        let same = bytes.get(at + 1..end).is_some_and(|tail| tail.eq_ignore_ascii_case(rest));
        if same
            && !text.get(..at).is_some_and(ends_in_word)
            && !text.get(end..).is_some_and(begins_with_word)
        {
            found.push(at..end);
        }
    }
    found
}

/// Letters of scripts that separate words by spaces; other letters may touch a name directly.
fn is_word(character: char) -> bool {
    character.is_alphanumeric() && character < '\u{2e80}' || matches!(character, '_' | '-')
}

/// Converts an offset in the intended tool name to the written one.
pub fn written(raw: &str, meant: usize) -> usize {
    let (mut at, mut length) = (0, 0);
    while length < meant {
        let Some(rest) = raw.get(at..) else { break };
        let (bytes, stands) = match rest {
            _ if rest.starts_with("**") => (2, 2),
            _ if rest.starts_with("\\_") => (2, 1),
            "" => break,
            _ => (1, 1),
        };
        at += bytes;
        length += stands;
    }
    at.min(raw.len())
}

/// Emphasis and dashes around a word don't belong to it: `_name_`, `name--`.
fn ends_in_word(before: &str) -> bool {
    let marks = before.trim_end_matches(['_', '-']);
    let joined =
        marks.len() == before.len() || before.len() - marks.len() == 1 && !marks.is_empty();
    joined && marks.chars().next_back().is_some_and(is_word)
}

fn begins_with_word(behind: &str) -> bool {
    let marks = behind.trim_start_matches(['_', '-']);
    marks.chars().next().is_some_and(is_word) && behind.len() - marks.len() <= 1
}

/// The tool that is named at `mcp`.
fn tool(text: &str, at: usize) -> Option<Mention> {
    let before = text.get(..at)?.trim_end_matches('_');
    if before.chars().next_back().is_some_and(|character| {
        is_word(character) || matches!(character, '\\' | '/' | '.' | '@' | '$')
    }) {
        return None;
    }
    let rest = text.get(at + PREFIX.len()..)?;
    let mut pieces = Pieces { rest, before: 'p' };
    let (first, stars) = pieces.separator()?;
    let mut name = format!("{PREFIX}__");
    let mut mangled = first != "__";
    let mut end = at + PREFIX.len() + first.len();
    let mut kept = (end, name.len());
    while let Some((written, meant)) = pieces.next(stars) {
        mangled |= written != meant;
        name.push_str(meant);
        end += written.len();
        if !meant.ends_with(['_', '-']) {
            kept = (end, name.len());
        }
    }
    // Trailing marks are punctuation: `_mcp__a__b_`, `mcp__a__b--`.
    let (end, length) = kept;
    name.truncate(length);
    let named = name.strip_prefix("mcp__").is_some_and(|name| !name.is_empty());
    // Half a bold word isn't a tool.
    let whole = !stars || name.get("mcp__".len()..).is_some_and(|name| name.contains("__"));
    (named && whole).then_some(Mention {
        span: at..end,
        kind: MentionKind::Tool { name, mangled },
        in_action: false,
    })
}

/// The characters of a tool's name, with formatters' escapes removed.
struct Pieces<'a> {
    rest: &'a str,
    before: char,
}

impl<'a> Pieces<'a> {
    /// The separator between `mcp` and the server, and whether it is the stars of bold text.
    fn separator(&mut self) -> Option<(&'a str, bool)> {
        let forms = ["__", "**", "\\_\\_", "_\\_", "\\__"];
        let found = forms.into_iter().find(|form| self.rest.starts_with(form))?;
        let (separator, rest) = self.rest.split_at_checked(found.len())?;
        self.rest = rest;
        Some((separator, found == "**"))
    }

    /// The next piece as written, and as intended.
    fn next(&mut self, stars: bool) -> Option<(&'a str, &'a str)> {
        let first = self.rest.chars().next()?;
        let (length, meant) = match first {
            _ if first.is_ascii_alphanumeric() || matches!(first, '_' | '-') => (1, None),
            '\\' if self.rest.starts_with("\\_") => (2, Some("_")),
            '*' if stars && self.is_joint() => (2, Some("__")),
            _ => return None,
        };
        let (written, rest) = self.rest.split_at_checked(length)?;
        self.rest = rest;
        self.before = first;
        Some((written, meant.unwrap_or(written)))
    }

    /// `**` between two letters.
    fn is_joint(&self) -> bool {
        let behind = self.rest.strip_prefix("**").and_then(|rest| rest.chars().next());
        behind.is_some_and(|next| next.is_ascii_alphanumeric())
            && self.before.is_ascii_alphanumeric()
    }
}

/// The span of a mention of the built-in interpreter around the word `python`, if it is one.
fn python(text: &str, span: &Span) -> Option<Span> {
    let (before, behind) = (text.get(..span.start)?, text.get(span.end..)?);
    let quoted = before.ends_with('`') && behind.starts_with('`');
    if quoted && !before.ends_with("``") && !behind.starts_with("``") {
        return (text.get(span.clone()) == Some(PYTHON)).then(|| span.clone());
    }
    let next = behind
        .trim_start_matches(['`', '*', '"', '\''])
        .trim_start_matches([' ', '\n', '\r', '\t']);
    let blank = behind.len() > next.len();
    let word =
        next.split(|character: char| !character.is_alphanumeric()).next().unwrap_or_default();
    (blank && (word.eq_ignore_ascii_case("tool") || word.eq_ignore_ascii_case("interpreter")))
        .then(|| span.clone())
}

/// The actions in text, found by their braces. Unclosed braces are text.
#[derive(Debug, Default)]
pub struct Actions {
    /// With their braces, in order.
    all: Vec<Span>,
    /// The rest of them without their strings, in order.
    unprinted: Vec<Span>,
}

impl Actions {
    pub fn read(text: &str) -> Self {
        let mut actions = Self::default();
        let mut at = 0;
        while let Some(open) = text
            .get(at..)
            .and_then(|rest| memmem::find(rest.as_bytes(), b"{{"))
            .map(|open| at + open)
        {
            let mut pieces = Vec::new();
            let mut start = open;
            let mut quote = None;
            let mut end = None;
            let inside = text.as_bytes().get(open + 2..).unwrap_or_default();
            let mut bytes =
                inside.iter().copied().enumerate().map(|(index, byte)| (open + 2 + index, byte));
            while let Some((place, byte)) = bytes.next() {
                match (quote, byte) {
                    (Some(b'"'), b'\\') => _ = bytes.next(),
                    (Some(b'"'), b'\n') => quote = None,
                    (Some(open), _) if open == byte => {
                        quote = None;
                        start = place;
                    }
                    (None, b'"' | b'`') => {
                        quote = Some(byte);
                        pieces.push(start..place);
                    }
                    (None, b'}') if text.as_bytes().get(place + 1) == Some(&b'}') => {
                        end = Some(place + 2);
                        break;
                    }
                    _ => {}
                }
            }
            let Some(end) = end else { break };
            actions.unprinted.extend(pieces);
            actions.unprinted.push(start..end);
            actions.all.push(open..end);
            at = end;
        }
        actions
    }

    /// Whether the model can read this location: outside actions, or in a string of one.
    pub fn prints(&self, at: usize) -> bool {
        !holds(&self.unprinted, at)
    }

    /// Whether an offset is in an action.
    pub fn hold(&self, at: usize) -> bool {
        holds(&self.all, at)
    }
}

fn holds(spans: &[Span], at: usize) -> bool {
    let before = spans.partition_point(|span| span.start <= at);
    before.checked_sub(1).and_then(|index| spans.get(index)).is_some_and(|span| at < span.end)
}
