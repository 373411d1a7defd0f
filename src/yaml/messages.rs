//! What granit's refusals mean to the author of a file.

use granit_parser::ErrorKind as Granit;

use super::node::{Error, ErrorKind, Span};

pub(super) const NEEDS_QUOTES: &str = "YAML reads this value as something else; put it in quotes.";
pub(super) const COLON_SPACE: &str =
    "A colon followed by a space starts a new key here; put the whole value in quotes.";
pub(super) const TEMPLATE: &str = "YAML reads `{{ … }}` as a mapping; put the template in quotes.";
pub(super) const TAB: &str = "YAML does not allow tabs for indentation; use spaces.";
pub(super) const SPACE_AFTER_COLON: &str = "Put a space after the colon.";
pub(super) const MISSING_COLON: &str =
    "This line is no `key: value`; add a colon and a value, or remove it.";
pub(super) const MISSING_DASH: &str = "This line stands among list items; begin it with `- `.";
pub(super) const STRAY_ITEM: &str =
    "This list item stands where a `key: value` is expected; indent it under a key or remove it.";
pub(super) const TOO_DEEP: &str = "This is nested too deeply; flatten it.";
pub(super) const TOO_MANY: &str =
    "There are too many mistakes to read on from here; repair those above first.";
pub(super) const OVER_INDENTED: &str = "This line is indented more than its siblings, and the line above takes no nested keys; align it.";
pub(super) const UNALIGNED: &str =
    "This line's indentation matches no line above; align it with its siblings.";
pub(super) const SECOND_DOCUMENT: &str =
    "Only one YAML document is read here; remove this marker and what follows it.";
pub(super) const NUL: &str = "This is a NUL character, which YAML does not allow; remove it.";

pub(super) fn error(span: Span, kind: ErrorKind, message: impl Into<String>) -> Error {
    Error { span, kind, message: message.into() }
}

pub(super) fn undefined_alias(name: &str) -> String {
    format!(
        "No anchor `&{name}` stands before this alias; define it above, or put the value in quotes if it is text."
    )
}

pub(super) fn unclosed(opening: char) -> String {
    let closing = match opening {
        '[' => ']',
        '{' => '}',
        other => other,
    };
    format!("This `{opening}` is never closed; add the closing `{closing}`.")
}

pub(super) fn extra_bracket(bracket: char) -> String {
    format!("Nothing is open that this `{bracket}` could close; remove it.")
}

/// A refusal inside a block scalar: what is neither a tab nor too deep stands too far left.
pub(super) fn in_block_scalar(kind: Granit) -> Granit {
    match kind {
        Granit::RecursionLimitExceeded
        | Granit::TabAtBlockScalarStart
        | Granit::TabInBlockIndentation
        | Granit::TabInIndentation => kind,
        _ => Granit::InvalidBlockScalarIndent,
    }
}

/// The class of a refusal that has no more exact explanation, and what to tell the author.
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
            "Separate the entries with a comma, or close the mapping with `}`."
        }
        Granit::ExpectedFlowSequenceSeparator => {
            "Separate the items with a comma, or close the list with `]`."
        }
        Granit::MismatchedFlowCollectionEnd { open, close } => {
            return (
                ErrorKind::Syntax,
                format!(
                    "This `{close}` does not close the `{open}` that is open here; use the matching bracket."
                ),
            );
        }
        Granit::MisplacedFlowCollectionEnd => {
            "Nothing is open that this bracket could close; remove it."
        }
        Granit::InvalidTrailingDoubleQuotedScalar | Granit::InvalidTrailingSingleQuotedScalar => {
            "Text follows a closing quote here; separate items with a comma, or quote the whole text."
        }
        Granit::UnknownQuotedScalarEscape => {
            "YAML does not know this escape; write `\\\\` for a backslash, or use single quotes."
        }
        Granit::InvalidQuotedScalarHexEscape
        | Granit::InvalidUnicodeEscape
        | Granit::InvalidLowSurrogate
        | Granit::InvalidLowSurrogateHexEscape
        | Granit::MissingLowSurrogate
        | Granit::UnpairedLowSurrogate => {
            "This escape names no character; write `\\\\` for a backslash, or give all its hexadecimal digits."
        }
        Granit::CommentInterceptedScalar => {
            "A comment ends the value above, so this line belongs to nothing; move the comment or quote the value."
        }
        Granit::CommentNotSeparated => "Put a space before the `#` of a comment.",
        Granit::BlockEntryInFlowCollection | Granit::PlainScalarStartsWithDashFlowIndicator => {
            "A dash starts no item between brackets; separate the items with commas, or put the text in quotes."
        }
        Granit::InvalidMappingValueWhitespace
        | Granit::InvalidColonPlacement
        | Granit::FlowMappingValueAdjacentCollection => {
            "This colon is not expected here; put a space after it if it ends a key, or put the text in quotes."
        }
        Granit::MappingValueNotAllowed => {
            "This colon is not expected here; put text that holds a colon in quotes."
        }
        Granit::InvalidBlockScalarHeader | Granit::ZeroBlockScalarIndent => {
            "After `|` or `>` only `+`, `-` and one digit may stand; put the text on the next line."
        }
        Granit::UndeclaredTagHandle => {
            "This `!` names a tag that is not declared; put the value in quotes if it is text."
        }
        Granit::InvalidSimpleKey | Granit::SimpleKeyExpected => {
            "This line is no `key: value`; add a colon and a value, or put it in quotes."
        }
        _ => {
            "YAML cannot read this; check quotes, brackets and indentation, or put the value in quotes."
        }
    };
    (ErrorKind::Syntax, text.into())
}
