//! Tokenizes one action: everything between `{{` and `}}`. Each token carries its own error, which
//! is only reported where the token is used.

use super::error::{SyntaxError, SyntaxErrorKind};
use crate::text::Span;

/// A token of an action.
#[derive(Debug, Clone)]
pub(super) struct Token {
    pub kind: TokenKind,
    pub span: Span,
    pub error: Option<Box<SyntaxError>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TokenKind {
    Space,
    /// `=`
    Assign,
    /// `:=`
    Declare,
    Pipe,
    Open,
    Close,
    Dot,
    /// `.name`
    Field,
    /// `$` or `$name`
    Variable,
    Word,
    Keyword(Keyword),
    Bool,
    Nil,
    Number,
    /// `1+2i`
    Complex,
    Character,
    Quoted,
    RawQuoted,
    /// A character that isn't part of a token, such as a comma.
    Other,
    /// An invalid token, with its error.
    Broken,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Keyword {
    Block,
    Break,
    Continue,
    Define,
    Else,
    End,
    If,
    Range,
    Template,
    With,
}

impl Keyword {
    pub fn of(word: &str) -> Option<Self> {
        Some(match word {
            "block" => Self::Block,
            "break" => Self::Break,
            "continue" => Self::Continue,
            "define" => Self::Define,
            "else" => Self::Else,
            "end" => Self::End,
            "if" => Self::If,
            "range" => Self::Range,
            "template" => Self::Template,
            "with" => Self::With,
            _ => return None,
        })
    }
}

/// An action's tokens and its end.
#[derive(Debug)]
pub(super) struct Scan {
    pub tokens: Vec<Token>,
    /// After the last token and any whitespace.
    pub inner_end: usize,
    /// After the closing braces.
    pub end: usize,
    pub trim_right: bool,
    pub closed: bool,
    /// How far the lexer looked, at least.
    pub reach: usize,
    /// The number of bytes scanned without success.
    pub waste: usize,
}

/// Whitespace in Go templates.
pub(super) const BLANKS: [char; 4] = [' ', '\t', '\r', '\n'];

pub(super) fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n')
}

/// A character of a name.
pub(super) fn is_word(character: char) -> bool {
    character == '_'
        || character.is_alphabetic()
        || character.is_ascii_digit()
        || (!character.is_ascii() && character.is_numeric())
}

/// A character and its code point, as Go writes it.
pub(super) fn describe(character: char) -> String {
    if character.is_control() {
        return format!("U+{:04X}", u32::from(character));
    }
    format!("U+{:04X} '{character}'", u32::from(character))
}

/// An excerpt of the text in quotes, as Go shows it, truncated.
pub(super) fn quote(text: &str) -> String {
    match text.char_indices().nth(60) {
        None => format!("{text:?}"),
        Some((end, _)) => format!("{:?}...", text.get(..end).unwrap_or_default()),
    }
}

/// Tokenizes the action whose inside begins at `from`, until `}}`, the next `{{` or `limit`.
pub(super) fn scan(text: &str, from: usize, limit: usize) -> Scan {
    let text = text.get(..limit).unwrap_or(text);
    let mut lexer = Lexer { text, at: from, tokens: Vec::new(), depth: 0, reach: from, waste: 0 };
    loop {
        let rest = lexer.rest();
        let bytes = rest.as_bytes();
        let (end, trim_right) = match bytes {
            [b'}', b'}', ..] => (2, false),
            [blank, b'-', b'}', b'}', ..] if is_blank(*blank) => (4, true),
            [] | [b'{', b'{', ..] => {
                let (at, reach) = (lexer.at, lexer.reach.max(lexer.at + rest.len().min(2)));
                return Scan {
                    tokens: lexer.tokens,
                    inner_end: at,
                    end: at,
                    trim_right: false,
                    closed: false,
                    reach,
                    waste: lexer.waste,
                };
            }
            _ => {
                lexer.token(rest);
                continue;
            }
        };
        let (at, reach) = (lexer.at, lexer.reach.max(lexer.at + end));
        return Scan {
            tokens: lexer.tokens,
            inner_end: at,
            end: at + end,
            trim_right,
            closed: true,
            reach,
            waste: lexer.waste,
        };
    }
}

struct Lexer<'t> {
    text: &'t str,
    at: usize,
    tokens: Vec<Token>,
    depth: usize,
    reach: usize,
    waste: usize,
}

impl<'t> Lexer<'t> {
    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn push(&mut self, kind: TokenKind, length: usize) {
        let span = self.at..self.at + length;
        self.at = span.end;
        self.tokens.push(Token { kind, span, error: None });
    }

    fn push_wrong(
        &mut self,
        kind: TokenKind,
        length: usize,
        error: SyntaxErrorKind,
        span: Span,
        message: String,
    ) {
        self.push(kind, length);
        if let Some(token) = self.tokens.last_mut() {
            token.error = Some(Box::new(SyntaxError { kind: error, span, message }));
        }
    }

    fn token(&mut self, rest: &'t str) {
        let bytes = rest.as_bytes();
        let Some(first) = rest.chars().next() else { return };
        match first {
            ' ' | '\t' | '\r' | '\n' => {
                let length = rest.len() - rest.trim_start_matches(BLANKS).len();
                let trims = rest.get(length..).is_some_and(|rest| rest.starts_with("-}}"));
                self.push(TokenKind::Space, length - usize::from(trims));
            }
            '=' => self.push(TokenKind::Assign, 1),
            ':' if bytes.get(1) == Some(&b'=') => self.push(TokenKind::Declare, 2),
            ':' => {
                let span = self.at..self.at + 1;
                self.push_wrong(
                    TokenKind::Broken,
                    1,
                    SyntaxErrorKind::Unexpected,
                    span,
                    "expected :=, found a single colon".to_owned(),
                );
            }
            '|' => self.push(TokenKind::Pipe, 1),
            '"' | '\'' => self.quoted(rest, first),
            '`' => self.raw(rest),
            '$' => self.name(rest, 1, TokenKind::Variable),
            '.' if !bytes.get(1).is_some_and(u8::is_ascii_digit) => {
                self.name(rest, 1, TokenKind::Field)
            }
            '.' | '+' | '-' | '0'..='9' => self.number(rest),
            '(' => {
                self.depth += 1;
                self.push(TokenKind::Open, 1);
            }
            ')' if self.depth == 0 => {
                let span = self.at..self.at + 1;
                let message =
                    "unexpected right paren U+0029 ')': remove it, or open it with `(`".to_owned();
                self.push_wrong(TokenKind::Broken, 1, SyntaxErrorKind::Parenthesis, span, message);
            }
            ')' => {
                self.depth -= 1;
                self.push(TokenKind::Close, 1);
            }
            _ if is_word(first) => self.name(rest, 0, TokenKind::Word),
            '!'..='~' => self.push(TokenKind::Other, 1),
            _ => {
                let span = self.at..self.at + first.len_utf8();
                let message = format!("unrecognized character in action: {}", describe(first));
                self.push_wrong(
                    TokenKind::Broken,
                    first.len_utf8(),
                    SyntaxErrorKind::BadCharacter { hyphenated: None },
                    span,
                    message,
                );
            }
        }
    }

    /// A name, after `prefix` bytes that belong to it.
    fn name(&mut self, rest: &'t str, prefix: usize, kind: TokenKind) {
        let body = rest.get(prefix..).unwrap_or_default();
        if prefix == 1 && is_terminator(body) {
            return self.push(if kind == TokenKind::Field { TokenKind::Dot } else { kind }, 1);
        }
        let mut length = prefix + word_length(body);
        let behind = rest.get(length..).unwrap_or_default();
        if is_terminator(behind) {
            let word = rest.get(..length).unwrap_or_default();
            let kind = match (kind, word) {
                (TokenKind::Word, "true" | "false") => TokenKind::Bool,
                (TokenKind::Word, "nil") => TokenKind::Nil,
                (TokenKind::Word, _) => Keyword::of(word).map_or(kind, TokenKind::Keyword),
                _ => kind,
            };
            return self.push(kind, length);
        }
        let bad = behind.chars().next().unwrap_or(' ');
        let place = self.at + length..self.at + length + bad.len_utf8();
        let mut hyphenated = None;
        while let Some(part) = rest
            .get(length..)
            .and_then(|rest| rest.strip_prefix('-'))
            .map(word_length)
            .filter(|part| *part > 0)
        {
            length += 1 + part;
            hyphenated = Some(self.at..self.at + length);
        }
        // Skips the rest of a hyphenated name, or characters that can't be part of a name.
        let skipped = rest.get(length..).unwrap_or_default();
        let ends = |rest: &str| is_terminator(rest) || rest.starts_with("{{");
        let stop =
            skipped.char_indices().find(|(at, _)| ends(skipped.get(*at..).unwrap_or_default()));
        let skipped = stop.map_or(skipped.len(), |(at, _)| at);
        let message = format!("bad character {}", describe(bad));
        let message = match hyphenated {
            Some(_) => {
                format!(
                    "{message}: names can't contain hyphens; write `index` and the name in quotes"
                )
            }
            None => format!("{message}: it can't be in a name or directly after one"),
        };
        let whole = hyphenated.is_some();
        self.push_wrong(kind, length, SyntaxErrorKind::BadCharacter { hyphenated }, place, message);
        if !whole && length == prefix {
            // A dot or dollar that isn't followed by a name.
            if let Some(token) = self.tokens.last_mut() {
                token.kind = TokenKind::Broken;
            }
        }
        self.at += skipped;
    }

    fn quoted(&mut self, rest: &'t str, quote: char) {
        let kind = if quote == '"' { TokenKind::Quoted } else { TokenKind::Character };
        let (mut escaped, mut closing, mut seen) = (false, None, 0);
        for (at, byte) in rest.bytes().enumerate().skip(1) {
            seen = at;
            match byte {
                b'\n' => break,
                _ if escaped => escaped = false,
                b'\\' => escaped = true,
                byte if u32::from(byte) == u32::from(quote) => {
                    closing = Some(at + 1);
                    break;
                }
                _ => {}
            }
        }
        // If the closing quote is directly before a word, with braces inside, it was meant as an
        // opening quote.
        let misplaced = |end: &usize| {
            let next = rest.get(*end..).and_then(|rest| rest.chars().next());
            next.is_some_and(is_word)
                && rest.get(..*end).is_some_and(|string| string.contains("}}"))
        };
        if let Some(length) = closing.filter(|end| !misplaced(end)) {
            return self.push(kind, length);
        }
        self.reach = self.reach.max(self.at + seen + 1);
        self.waste += seen;
        let message = match quote {
            '"' => "unterminated quoted string: close it with `\"`",
            _ => "unterminated character constant: close it with `'`, or write a string in `\"`",
        };
        self.unterminated(rest, kind, message);
    }

    fn raw(&mut self, rest: &'t str) {
        if let Some(closing) = memchr::memchr(b'`', rest.as_bytes().get(1..).unwrap_or_default()) {
            return self.push(TokenKind::RawQuoted, closing + 2);
        }
        self.reach = self.text.len();
        self.unterminated(
            rest,
            TokenKind::RawQuoted,
            "unterminated raw quoted string: close it with a backtick",
        );
    }

    /// An unterminated string, up to the braces or else the end of the line.
    fn unterminated(&mut self, rest: &'t str, kind: TokenKind, message: &str) {
        let line = rest.get(..rest.find("}}").unwrap_or(rest.len())).unwrap_or_default();
        let length = match line.find('\n') {
            None if line.len() < rest.len() => before_braces(line),
            end => line
                .get(..end.unwrap_or(line.len()))
                .unwrap_or_default()
                .trim_end_matches(BLANKS)
                .len(),
        };
        let span = self.at..self.at + length;
        self.push_wrong(kind, length, SyntaxErrorKind::UnclosedString, span, message.to_owned());
    }

    fn number(&mut self, rest: &'t str) {
        let Some(mut length) = number_length(rest) else { return self.bad_number(rest) };
        let mut kind = TokenKind::Number;
        let behind = rest.get(length..).unwrap_or_default();
        if behind.starts_with(['+', '-']) {
            match number_length(behind) {
                Some(more) if behind.get(..more).is_some_and(|text| text.ends_with('i')) => {
                    length += more;
                    kind = TokenKind::Complex;
                }
                _ => return self.bad_number(rest),
            }
        }
        self.push(kind, length);
    }

    fn bad_number(&mut self, rest: &str) {
        let stop = rest.char_indices().skip(1).find(|(at, character)| {
            let behind = rest.get(*at..).unwrap_or_default();
            *character != '.' && !matches!(character, '+' | '-') && !is_word(*character)
                || behind.starts_with("-}}")
        });
        let length = stop.map_or(rest.len(), |(at, _)| at);
        let span = self.at..self.at + length;
        let message =
            format!("bad number syntax: {}", quote(rest.get(..length).unwrap_or_default()));
        self.push_wrong(TokenKind::Broken, length, SyntaxErrorKind::BadNumber, span, message);
    }
}

/// The length before the braces, without whitespace and a trim marker.
fn before_braces(before: &str) -> usize {
    let trimmed = before.strip_suffix('-').filter(|rest| rest.ends_with(BLANKS)).unwrap_or(before);
    trimmed.trim_end_matches(BLANKS).len().max(1)
}

/// What may directly follow a name.
fn is_terminator(rest: &str) -> bool {
    rest.is_empty()
        || rest.starts_with([' ', '\t', '\r', '\n', '.', ',', '|', ':', ')', '('])
        || rest.starts_with("}}")
}

fn word_length(text: &str) -> usize {
    text.find(|character| !is_word(character)).unwrap_or(text.len())
}

/// Which bytes are digits, and which letters start an exponent.
type Radix = (fn(u8) -> bool, [u8; 2]);

/// The length of the number at the start of `text`, sign included; `None` if followed by another
/// letter or digit.
fn number_length(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let byte = |at: usize| bytes.get(at).copied().unwrap_or(0);
    let mut at = usize::from(matches!(byte(0), b'+' | b'-'));
    let (mut digits, mut exponent): Radix = (|byte| byte.is_ascii_digit() || byte == b'_', *b"eE");
    if byte(at) == b'0' {
        at += 1;
        let radix: Option<Radix> = match byte(at) {
            b'x' | b'X' => Some((|byte| byte.is_ascii_hexdigit() || byte == b'_', *b"pP")),
            b'o' | b'O' => Some((|byte| matches!(byte, b'0'..=b'7' | b'_'), [0, 0])),
            b'b' | b'B' => Some((|byte| matches!(byte, b'0' | b'1' | b'_'), [0, 0])),
            _ => None,
        };
        if let Some(radix) = radix {
            at += 1;
            (digits, exponent) = radix;
        }
    }
    let run = |mut at: usize, digits: fn(u8) -> bool| {
        while digits(byte(at)) {
            at += 1;
        }
        at
    };
    at = run(at, digits);
    if byte(at) == b'.' {
        at = run(at + 1, digits);
    }
    if byte(at) != 0 && exponent.contains(&byte(at)) {
        at += 1;
        at += usize::from(matches!(byte(at), b'+' | b'-'));
        at = run(at, |byte| byte.is_ascii_digit() || byte == b'_');
    }
    at += usize::from(byte(at) == b'i');
    let next = text.get(at..)?.chars().next();
    (!next.is_some_and(is_word)).then_some(at)
}
