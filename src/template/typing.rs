//! The word being typed in an action, and what its neighbors allow there.

use super::lex::{self, Keyword, Token, TokenKind, is_word};
use crate::text::Span;

/// A word that is being typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Typing {
    /// The part that exists, on both sides of the offset; without a field's dot and a string's
    /// quotes.
    pub word: Span,
    pub place: Place,
    /// The action's first keyword; of `else if`, the second.
    pub keyword: Option<Span>,
    /// The preceding words of its command, the function first.
    pub before: Vec<Word>,
    /// The words of the command whose value is piped to this one.
    pub piped: Vec<Word>,
}

/// The constructs allowed where the word is typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// The first word of an action.
    Start,
    /// The first word after a keyword, `:=` or `(`.
    Value,
    /// The first word after a pipe.
    Piped,
    /// After a function, or after a word that takes no arguments.
    Argument,
    /// After a dot; the dot's expression begins here.
    Field(usize),
    /// Between quotes; the closing one may be missing.
    String { closed: bool, raw: bool },
}

/// A word of a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word {
    pub span: Span,
    pub kind: WordKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WordKind {
    Function,
    /// A field, a variable, or a parenthesis, each with the fields after it.
    Value,
    String,
    Number,
    Other,
}

impl Typing {
    /// The word typed at `offset` in the action whose inside begins at `from`; `None` if no word
    /// can be typed there.
    pub fn at(text: &str, from: usize, offset: usize) -> Option<Self> {
        if offset < from {
            return None;
        }
        let mut tokens = lex::scan(text, from, offset).tokens;
        if tokens.last().map_or(from, |last| last.span.end) != offset {
            return None;
        }
        let typed = tokens.pop_if(|last| is_typed(last));
        let tail = text
            .get(offset..)?
            .find(|character| !is_word(character))
            .map_or(text.len(), |length| offset + length);
        let mut reader = Reader::default();
        tokens.iter().for_each(|token| reader.token(token, text));
        let Reader { mut commands, piped, keyword, fresh, .. } = reader;
        let mut before = commands.pop().unwrap_or_default();
        let (word, place) = match &typed {
            None => (offset..tail, None),
            Some(token) => match token.kind {
                TokenKind::Dot | TokenKind::Field => {
                    // After a variable or a parenthesis, the dot continues that.
                    let base = before.pop_if(|last| {
                        last.span.end == token.span.start && last.kind == WordKind::Value
                    });
                    (
                        token.span.start + 1..tail,
                        Some(Place::Field(base.map_or(token.span.start, |base| base.span.start))),
                    )
                }
                TokenKind::Quoted | TokenKind::RawQuoted => {
                    let raw = token.kind == TokenKind::RawQuoted;
                    let rest = text.get(offset..)?;
                    let line = rest.get(..rest.find(['\n', '\r']).unwrap_or(rest.len()))?;
                    let end = line
                        .find(if raw { '`' } else { '"' })
                        .filter(|end| line.find("}}").is_none_or(|braces| *end < braces));
                    (
                        token.span.start + 1..end.map_or(tail, |end| offset + end),
                        Some(Place::String { closed: end.is_some(), raw }),
                    )
                }
                _ => (token.span.start..tail, None),
            },
        };
        // No word can directly follow a finished word.
        if typed.is_none() && tokens.last().is_some_and(|last| is_value(last.kind)) {
            return None;
        }
        let place = place.unwrap_or(match before.is_empty() {
            false => Place::Argument,
            true if !piped.is_empty() => Place::Piped,
            true if fresh => Place::Start,
            true => Place::Value,
        });
        Some(Self { word, place, keyword, before, piped })
    }
}

/// A token that continues when a letter is typed after it.
fn is_typed(token: &Token) -> bool {
    match token.kind {
        TokenKind::Word
        | TokenKind::Keyword(_)
        | TokenKind::Bool
        | TokenKind::Nil
        | TokenKind::Variable
        | TokenKind::Dot
        | TokenKind::Field => token.error.is_none(),
        TokenKind::Quoted | TokenKind::RawQuoted => token.error.is_some(),
        _ => false,
    }
}

fn is_value(kind: TokenKind) -> bool {
    matches!(
        kind,
        TokenKind::Close
            | TokenKind::Number
            | TokenKind::Complex
            | TokenKind::Character
            | TokenKind::Quoted
            | TokenKind::RawQuoted
            | TokenKind::Broken
            | TokenKind::Field
    )
}

struct Reader {
    /// The words so far of every open command, outermost parentheses first.
    commands: Vec<Vec<Word>>,
    /// The starts of the open parentheses, and the words piped before each.
    open: Vec<(usize, Vec<Word>)>,
    piped: Vec<Word>,
    keyword: Option<Span>,
    /// Nothing read yet.
    fresh: bool,
}

impl Default for Reader {
    fn default() -> Self {
        Self {
            commands: vec![Vec::new()],
            open: Vec::new(),
            piped: Vec::new(),
            keyword: None,
            fresh: true,
        }
    }
}

impl Reader {
    fn token(&mut self, token: &Token, text: &str) {
        let span = token.span.clone();
        let kind = match token.kind {
            TokenKind::Space => return,
            TokenKind::Keyword(keyword) => {
                // `else` may be followed by another keyword.
                let first =
                    self.fresh || matches!(keyword, Keyword::If | Keyword::With | Keyword::Range);
                if first {
                    self.keyword = Some(span);
                }
                self.fresh = false;
                return;
            }
            TokenKind::Pipe => {
                self.piped = self.commands.last_mut().map(std::mem::take).unwrap_or_default();
                self.fresh = false;
                return;
            }
            TokenKind::Declare | TokenKind::Assign => {
                self.commands.last_mut().into_iter().for_each(Vec::clear);
                self.fresh = false;
                return;
            }
            TokenKind::Open => {
                self.open.push((span.start, std::mem::take(&mut self.piped)));
                self.commands.push(Vec::new());
                self.fresh = false;
                return;
            }
            TokenKind::Close => {
                let Some((start, piped)) = self.open.pop() else { return };
                self.commands.pop();
                self.piped = piped;
                return self.word(start..span.end, WordKind::Value);
            }
            // `$i, $v := …`
            TokenKind::Other if text.get(span.clone()) == Some(",") => return,
            TokenKind::Field
                if self
                    .commands
                    .last()
                    .and_then(|words| words.last())
                    .is_some_and(|last| last.span.end == span.start) =>
            {
                if let Some(last) = self.commands.last_mut().and_then(|words| words.last_mut()) {
                    last.span.end = span.end;
                }
                return;
            }
            TokenKind::Word => WordKind::Function,
            TokenKind::Field | TokenKind::Variable | TokenKind::Dot => WordKind::Value,
            TokenKind::Quoted | TokenKind::RawQuoted => WordKind::String,
            TokenKind::Number | TokenKind::Complex | TokenKind::Character => WordKind::Number,
            TokenKind::Bool | TokenKind::Nil | TokenKind::Other | TokenKind::Broken => {
                WordKind::Other
            }
        };
        self.word(span, kind);
    }

    fn word(&mut self, span: Span, kind: WordKind) {
        self.fresh = false;
        if let Some(words) = self.commands.last_mut() {
            words.push(Word { span, kind });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The word, its place, the words before it and the words piped to it.
    fn typed(text: &str) -> Option<(String, Place, Vec<String>, Vec<String>)> {
        let offset = text.find('¦').expect("a cursor");
        let text = text.replacen('¦', "", 1);
        let open = text.find("{{").expect("an action") + 2;
        let from = open + usize::from(text[open..].starts_with('-'));
        let typing = Typing::at(&text, from, offset)?;
        let words =
            |words: &[Word]| words.iter().map(|word| text[word.span.clone()].to_owned()).collect();
        Some((
            text[typing.word.clone()].to_owned(),
            typing.place,
            words(&typing.before),
            words(&typing.piped),
        ))
    }

    #[track_caller]
    fn check(text: &str, word: &str, place: Place, before: &[&str], piped: &[&str]) {
        let (found, at, words, brought) =
            typed(text).unwrap_or_else(|| panic!("nothing at {text}"));
        assert_eq!((found.as_str(), at), (word, place), "{text}");
        assert_eq!(
            (words, brought),
            (
                before.iter().map(ToString::to_string).collect(),
                piped.iter().map(ToString::to_string).collect()
            ),
            "{text}"
        );
    }

    #[test]
    fn words_and_their_places() {
        check("{{¦}}", "", Place::Start, &[], &[]);
        check("{{ ¦", "", Place::Start, &[], &[]);
        check("{{ ra¦ng", "rang", Place::Start, &[], &[]);
        check("{{ if ¦", "", Place::Value, &[], &[]);
        check("{{ else if ¦", "", Place::Value, &[], &[]);
        check("{{ else ¦", "", Place::Value, &[], &[]);
        check("{{ .¦us }}", "us", Place::Field(3), &[], &[]);
        check("{{ .user.na¦ }}", "na", Place::Field(3), &[], &[]);
        check("{{ $x.a.¦ }}", "", Place::Field(3), &[], &[]);
        check("{{ (index .a 0).na¦ }}", "na", Place::Field(3), &[], &[]);
        check("{{ $x := ¦ }}", "", Place::Value, &[], &[]);
        check("{{ $i, $x¦", "$x", Place::Argument, &["$i"], &[]);
        check("{{ eq .a ¦", "", Place::Argument, &["eq", ".a"], &[]);
        check(
            "{{ eq .a \"b¦c\" }}",
            "bc",
            Place::String { closed: true, raw: false },
            &["eq", ".a"],
            &[],
        );
        check(
            "{{ eq .a \"b¦ }}",
            "b",
            Place::String { closed: false, raw: false },
            &["eq", ".a"],
            &[],
        );
        check("{{ eq .a `¦", "", Place::String { closed: false, raw: true }, &["eq", ".a"], &[]);
        check("{{ .a | upper | ¦", "", Place::Piped, &[], &["upper"]);
        check("{{ .a | join ¦", "", Place::Argument, &["join"], &[".a"]);
        check("{{ upper (¦", "", Place::Value, &[], &[]);
        check("{{ upper (lower .a) ¦", "", Place::Argument, &["upper", "(lower .a)"], &[]);
        check("{{- ¦ -}}", "", Place::Start, &[], &[]);
    }

    #[test]
    fn no_word_is_typed_after_a_finished_word_or_the_action() {
        for text in ["{{ \"a\"¦ }}", "{{ 12¦ }}", "{{ .a }}¦", "{{ (.a)¦ }}"] {
            assert_eq!(typed(text), None, "{text}");
        }
    }
}
