//! What is wrong with a template's syntax.

use crate::text::Span;

/// A mistake. The message names it in Go's words, without Go's prefix, so that it can be looked up.
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
    /// No `)`, or one too many.
    Parenthesis,
    /// A character that begins nothing. With a hyphen between names, the whole of it: `.foo-bar`.
    BadCharacter {
        hyphenated: Option<Span>,
    },
    BadNumber,
    /// An escape in a string that means nothing.
    BadString,
    UnknownFunction(String),
    UndefinedVariable(String),
    /// Something is there that does not belong there.
    Unexpected,
    /// Something is not there that belongs there.
    MissingValue,
    /// A branch or definition without its `end`. The span is its opening action.
    UnclosedBlock,
    /// An `end` or `else` that belongs to nothing.
    UnopenedBlock,
    /// `break` or `continue` outside `range`.
    OutsideRange,
    /// Two definitions of one name.
    DuplicateDefinition(String),
    /// Nested deeper than is read.
    TooDeep,
}
