//! Syntax errors in templates.

use crate::text::Span;

/// A syntax error. The message uses Go's words, without Go's prefix, so that you can search for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SyntaxError {
    pub kind: SyntaxErrorKind,
    /// The characters that are wrong.
    pub span: Span,
    pub message: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SyntaxErrorKind {
    /// No `}}`.
    UnclosedAction,
    UnclosedComment,
    /// No closing quote.
    UnclosedString,
    /// Missing `)`, or an extra one.
    Parenthesis,
    /// An unexpected character. With a hyphen between names, the whole name: `.foo-bar`.
    BadCharacter {
        hyphenated: Option<Span>,
    },
    BadNumber,
    /// An unknown escape in a string.
    BadString,
    /// With the keyword that was meant instead.
    UnknownFunction {
        name: String,
        keyword: Option<&'static str>,
    },
    UndefinedVariable(String),
    /// Unexpected content.
    Unexpected,
    /// Missing content.
    MissingValue,
    /// A branch or definition without its `end`. The span is its opening action.
    UnclosedBlock,
    /// An unmatched `end` or `else`.
    UnopenedBlock,
    /// `break` or `continue` outside `range`.
    OutsideRange,
    /// Two definitions with the same name.
    DuplicateDefinition(String),
    /// Nested too deeply.
    TooDeep,
}
