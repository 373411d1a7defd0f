//! Possible mistakes in a template.

use std::sync::Arc;

use super::wanted::Wanted;
use crate::template::function::Kinds;
use crate::template::types::Type;
use crate::text::Span;

#[derive(Debug, Clone, PartialEq)]
pub struct Problem {
    /// The characters that are wrong.
    pub span: Span,
    /// The enclosing action, braces included.
    pub action: Span,
    pub kind: ProblemKind,
}

#[derive(Debug, Clone, PartialEq)]
pub enum ProblemKind {
    /// The schema doesn't declare this field. `root`: the input has it, and `.` is something else.
    UnknownField { name: String, of: Type, root: bool, wanted: Arc<Wanted> },
    /// A field of a value without fields: of some values, or of all of them if `certain`.
    NotAnObject { name: String, given: Kinds, certain: bool, root: bool },
    /// A field of a value about which the schema says nothing, named like a field of the input.
    MaybeRoot { name: String },
    /// `default .value "fallback"`: the spans of the arguments as they are.
    SwappedDefault { value: Span, fallback: Span },
    /// `slice` or `index` beyond the end: of all values if `certain`, else of shorter ones.
    OutOfRange { function: &'static str, reach: Reach, certain: bool },
    /// The value may be missing, and no condition guards it.
    PossiblyMissing(Missing),
    /// A function doesn't accept these kinds.
    WrongArgument {
        function: &'static str,
        parameter: &'static str,
        accepts: Kinds,
        given: Kinds,
        certain: bool,
    },
    /// Too few or too many arguments.
    ArgumentCount { function: &'static str, least: usize, most: Option<usize>, given: usize },
    /// Arguments after a value that isn't a function.
    NotAFunction,
    /// `nil` where a value is required.
    NilAlone,
    /// `range` over a value without elements.
    NotIterable { given: Kinds, certain: bool },
    /// Values of these kinds can't be compared with each other.
    Incomparable { function: &'static str, left: Kinds, right: Kinds, certain: bool },
    /// The schema doesn't allow the compared value; `literal` is its span.
    ImpossibleValue {
        function: &'static str,
        value: serde_json::Value,
        allowed: Vec<serde_json::Value>,
    },
    /// A value piped into `split` becomes the separator: the author meant it as `text`; `separator`
    /// is the span of the separator.
    PipedSplit { text: Span, separator: Span },
    /// `printf` has more or fewer verbs than values.
    FormatCount { verbs: usize, given: usize },
    /// A verb doesn't accept these values.
    FormatVerb { verb: char, given: Kinds },
}

/// How far `slice` or `index` reaches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reach {
    /// This many elements or characters are needed; at most `longest` exist. The span is the
    /// value's.
    Length {
        needed: usize,
        longest: Option<usize>,
        of: Span,
        kinds: Kinds,
    },
    Negative,
    /// The start is after the end.
    Reversed {
        start: u64,
        end: u64,
    },
}

/// A value that may be missing.
#[derive(Debug, Clone, PartialEq)]
pub struct Missing {
    /// The source: `.user.name`, up to the name that may be missing. Empty if the value has no
    /// source.
    pub path: Span,
    /// The whole expression that contains it, and the printed pipeline.
    pub expression: Span,
    pub name: String,
    /// The type of the value that the field belongs to; `None` for a variable and for dot.
    pub of: Option<Type>,
    pub kind: Type,
    /// It exists, but is null.
    pub null: bool,
    pub effect: Effect,
}

/// What happens to a missing value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// Prints `<no value>`.
    NoValue,
    /// Prints `<nil>`.
    Nil,
    /// Rendering fails.
    Fails,
}
