//! Turns granit's errors into messages for the author of a file.

use granit_parser::ErrorKind as Granit;

use super::node::{Error, ErrorKind, Span};

pub(super) const NEEDS_QUOTES: &str = "YAML misreads this value; put it in quotes";
pub(super) const COLON_SPACE: &str =
    "this value contains `: `, which YAML reads as a new key; quote the value";
pub(super) const TEMPLATE: &str = "YAML reads `{{ … }}` as a mapping; put the template in quotes";
pub(super) const TAB: &str = "YAML doesn't allow tabs for indentation; use spaces";
pub(super) const SPACE_AFTER_COLON: &str = "missing space after the colon";
pub(super) const MISSING_COLON: &str =
    "this line is not a `key: value`; add a colon and a value, or remove it";
pub(super) const MISSING_DASH: &str = "this line is between list items; begin it with `- `";
pub(super) const STRAY_ITEM: &str =
    "expected a `key: value`, found a list item; indent it under a key or remove it";
pub(super) const TOO_DEEP: &str = "this is nested too deeply; flatten it";
pub(super) const TOO_MANY: &str = "too many errors to read on from here; fix those above first";
pub(super) const OVER_INDENTED: &str = "this line is indented more than its siblings, and the \
    line above takes no nested keys; align it";
pub(super) const UNALIGNED: &str =
    "this indentation doesn't match any line above; align the line with its siblings";
pub(super) const SECOND_DOCUMENT: &str =
    "only one YAML document is supported here; remove this marker and everything after it";
pub(super) const UNKNOWN_ESCAPE: &str =
    "unknown escape; write `\\\\` for a backslash, or use single quotes";
pub(super) const INVALID_ESCAPE: &str =
    "invalid escape; write `\\\\` for a backslash, or all of its hexadecimal digits";
pub(super) const NUL: &str = "YAML doesn't allow NUL characters; remove it";

pub(super) fn error(span: Span, kind: ErrorKind, message: impl Into<String>) -> Error {
    Error { span, kind, message: message.into() }
}

pub(super) fn undefined_alias(name: &str) -> String {
    format!("undefined anchor `&{name}`; define it above, or quote the value if it is text")
}

pub(super) fn unclosed(opening: char) -> String {
    let closing = match opening {
        '[' => ']',
        '{' => '}',
        other => other,
    };
    format!("unclosed `{opening}`; add the closing `{closing}`")
}

pub(super) fn extra_bracket(bracket: char) -> String {
    format!("unmatched `{bracket}`; remove it")
}

/// An error inside a block scalar: unless it's a tab or too much nesting, the line isn't indented
/// enough.
pub(super) fn in_block_scalar(kind: Granit) -> Granit {
    match kind {
        Granit::RecursionLimitExceeded
        | Granit::TabAtBlockScalarStart
        | Granit::TabInBlockIndentation
        | Granit::TabInIndentation => kind,
        _ => Granit::InvalidBlockScalarIndent,
    }
}

/// The kind of an error without a more specific explanation, and its message.
pub(super) fn explain(kind: &Granit) -> (ErrorKind, String) {
    let text = match kind {
        Granit::RecursionLimitExceeded => return (ErrorKind::Limit, TOO_DEEP.into()),
        Granit::TabNotAllowed
        | Granit::TabInBlockIndentation
        | Granit::TabInIndentation
        | Granit::TabInPlainScalar
        | Granit::TabAtBlockScalarStart => return (ErrorKind::Tab, TAB.into()),
        Granit::InvalidIndentation
        | Granit::InvalidBlockScalarIndent
        | Granit::InvalidQuotedScalarIndent
        | Granit::InvalidFlowScalarIndent
        | Granit::ExpectedBlockSequenceEntry => return (ErrorKind::Indentation, UNALIGNED.into()),
        Granit::ExpectedFlowMappingSeparator => {
            "separate the entries with a comma, or close the mapping with `}`"
        }
        Granit::ExpectedFlowSequenceSeparator => {
            "separate the items with a comma, or close the list with `]`"
        }
        Granit::MismatchedFlowCollectionEnd { open, close } => {
            return (
                ErrorKind::Syntax,
                format!("`{close}` doesn't match the open `{open}`; use the matching bracket"),
            );
        }
        Granit::MisplacedFlowCollectionEnd => "unmatched closing bracket; remove it",
        Granit::InvalidTrailingDoubleQuotedScalar | Granit::InvalidTrailingSingleQuotedScalar => {
            "unexpected text after a closing quote; separate items with a comma, or quote the \
                whole text"
        }
        Granit::UnknownQuotedScalarEscape => return (ErrorKind::Escape, UNKNOWN_ESCAPE.into()),
        Granit::InvalidQuotedScalarHexEscape
        | Granit::InvalidUnicodeEscape
        | Granit::InvalidLowSurrogate
        | Granit::InvalidLowSurrogateHexEscape
        | Granit::MissingLowSurrogate
        | Granit::UnpairedLowSurrogate => return (ErrorKind::Escape, INVALID_ESCAPE.into()),
        Granit::CommentInterceptedScalar => {
            "a comment ends the value above, so this line is not part of it; move the comment or \
                quote the value"
        }
        Granit::CommentNotSeparated => "missing space before the `#` of a comment",
        Granit::BlockEntryInFlowCollection | Granit::PlainScalarStartsWithDashFlowIndicator => {
            "a dash doesn't start an item between brackets; separate the items with commas, or \
                quote the text"
        }
        Granit::InvalidMappingValueWhitespace
        | Granit::InvalidColonPlacement
        | Granit::FlowMappingValueAdjacentCollection => {
            "unexpected colon; add a space after it if it ends a key, or quote the text"
        }
        Granit::MappingValueNotAllowed => "unexpected colon; quote text that contains a colon",
        Granit::InvalidBlockScalarHeader | Granit::ZeroBlockScalarIndent => {
            "only `+`, `-` and one digit may follow `|` or `>`; put the text on the next line"
        }
        Granit::UndeclaredTagHandle => "undeclared tag after `!`; quote the value if it is text",
        Granit::InvalidSimpleKey | Granit::SimpleKeyExpected => {
            "this line is not a `key: value`; add a colon and a value, or quote it"
        }
        _ => "YAML can't parse this; check quotes, brackets and indentation, or quote the value",
    };
    (ErrorKind::Syntax, text.into())
}
