//! Misspelled keywords: unknown words at the start of an action.

use super::function::FUNCTIONS;
use super::lex::{Keyword, Token, TokenKind};

/// The intended keyword of an unknown word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Meant {
    pub keyword: Keyword,
    /// The keyword, if the word is this with one mistake; `None` for a word of another language.
    pub name: Option<&'static str>,
}

/// Keywords of other languages. `elif` means two.
const FOREIGN: &[(&str, Keyword)] = &[
    ("each", Keyword::Range),
    ("elif", Keyword::Else),
    ("elseif", Keyword::Else),
    ("elsif", Keyword::Else),
    ("endfor", Keyword::End),
    ("endforeach", Keyword::End),
    ("endif", Keyword::End),
    ("endrange", Keyword::End),
    ("endwith", Keyword::End),
    ("for", Keyword::Range),
    ("foreach", Keyword::Range),
];

/// The keyword that a word was most likely meant to be, judging by the rest of its action.
pub(super) fn meant(word: &str, after: &[Token]) -> Option<Meant> {
    let mut after = after.iter().filter(|token| token.kind != TokenKind::Space);
    let next = after.next().map(|token| token.kind);
    let keywords: &[&'static str] = match next {
        None => &["end", "else", "break", "continue"],
        Some(TokenKind::Quoted | TokenKind::RawQuoted) => &["define", "template", "block"],
        Some(TokenKind::Keyword(_)) => &["else"],
        Some(_) => &["if", "range", "with"],
    };
    if let Some((_, keyword)) = FOREIGN.iter().find(|(foreign, _)| *foreign == word) {
        let bare = matches!(keyword, Keyword::End);
        return (bare == next.is_none()).then_some(Meant { keyword: *keyword, name: None });
    }
    let word = word.to_lowercase();
    let near = |other: &str| {
        word.len() > 1
            && word.len().abs_diff(other.len()) <= 1
            && strsim::damerau_levenshtein(&word, other) <= 1
    };
    let name: &'static str = keywords.iter().find(|keyword| near(keyword))?;
    // Without arguments, most functions are mistakes, too.
    if next.is_some() && *name != word && FUNCTIONS.iter().any(|function| near(function.name)) {
        return None;
    }
    Some(Meant { keyword: Keyword::of(name)?, name: Some(name) })
}
