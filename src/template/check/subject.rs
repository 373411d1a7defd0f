//! The inferred value of an expression during a check.

use crate::template::node::Number;
use crate::template::types::Type;
use crate::text::Span;

/// The origin of a value: a number for each path of fields. Values with the same path are the same
/// value.
pub(super) type Path = u32;

/// The result of a function has no origin.
pub(super) const NOWHERE: Path = Path::MAX;

#[derive(Debug, Clone)]
pub(super) struct Subject<'a> {
    pub kind: Type,
    pub path: Path,
    /// The expression.
    pub span: Span,
    /// The name that may be missing, if any.
    pub blame: Option<Box<Blame<'a>>>,
    pub literal: Option<Literal<'a>>,
}

#[derive(Debug, Clone)]
pub(super) struct Blame<'a> {
    pub name: &'a str,
    pub span: Span,
    /// From the start of the expression to the name.
    pub path: Span,
    pub of: Option<Type>,
    pub kind: Type,
}

#[derive(Debug, Clone, Copy)]
pub(super) enum Literal<'a> {
    Text(&'a str),
    Number(Number),
    Bool(bool),
    Nil,
}

impl Subject<'_> {
    pub fn new(kind: Type, span: Span) -> Self {
        Self { kind, path: NOWHERE, span, blame: None, literal: None }
    }
}

impl Literal<'_> {
    /// Is false as a condition.
    pub fn is_empty(&self) -> bool {
        match self {
            Self::Text(text) => text.is_empty(),
            Self::Bool(bool) => !bool,
            Self::Nil => true,
            // A number in an unusual notation may be zero.
            Self::Number(number) => number.float.is_none_or(|float| float == 0.0),
        }
    }

    /// As JSON; `None` for numbers that JSON can't represent.
    pub fn value(&self) -> Option<serde_json::Value> {
        match self {
            Self::Text(text) => Some((*text).into()),
            Self::Bool(bool) => Some((*bool).into()),
            Self::Nil => Some(serde_json::Value::Null),
            Self::Number(number) => match (number.integer, number.float) {
                (Some(integer), _) => Some(integer.into()),
                (None, Some(float)) => {
                    serde_json::Number::from_f64(float).map(serde_json::Value::Number)
                }
                (None, None) => None,
            },
        }
    }
}
