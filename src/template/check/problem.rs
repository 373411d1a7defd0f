//! What may be wrong with a template.

use crate::template::function::Kinds;
use crate::template::types::Type;
use crate::text::Span;

#[derive(Debug, Clone, PartialEq)]
pub struct Problem {
    /// The characters that are wrong.
    pub span: Span,
    /// The action around them, braces included.
    pub action: Span,
    pub kind: ProblemKind,
}

#[derive(Debug, Clone, PartialEq)]
pub enum ProblemKind {
    /// The schema of what it is looked for in has no such field.
    UnknownField { name: String, of: Type },
    /// A field of something that has no fields: for some of its values, or for `certain`.
    NotAnObject { name: String, given: Kinds, certain: bool },
    /// There may be no value, and nothing asks whether there is.
    PossiblyMissing(Missing),
    /// A function does not take values of these kinds.
    WrongArgument {
        function: &'static str,
        parameter: &'static str,
        accepts: Kinds,
        given: Kinds,
        certain: bool,
    },
    /// Too few arguments or too many.
    ArgumentCount { function: &'static str, least: usize, most: Option<usize>, given: usize },
    /// Arguments behind something that is no function.
    NotAFunction,
    /// `nil` where a value is wanted.
    NilAlone,
    /// `range` over something that has no elements.
    NotIterable { given: Kinds, certain: bool },
    /// Values of these kinds cannot be compared with each other.
    Incomparable { function: &'static str, left: Kinds, right: Kinds, certain: bool },
    /// The schema does not allow the value that is compared with; `literal` is where it is written.
    ImpossibleValue {
        function: &'static str,
        value: serde_json::Value,
        allowed: Vec<serde_json::Value>,
    },
    /// A pipe into `split` brings the separator: from `text` on, the text is meant, and `separator`
    /// is where it is.
    PipedSplit { text: Span, separator: Span },
    /// `printf` has more verbs than values, or fewer.
    FormatCount { verbs: usize, given: usize },
    /// A verb prints no such values.
    FormatVerb { verb: char, given: Kinds },
}

/// A value that may not be there.
#[derive(Debug, Clone, PartialEq)]
pub struct Missing {
    /// What is written: `.user.name`, up to the name that may be missing. Empty where no words of
    /// the text are the value.
    pub path: Span,
    /// The whole expression that holds it, and the pipeline that is printed.
    pub expression: Span,
    pub name: String,
    /// What the field is in; `None` for a variable and for dot.
    pub of: Option<Type>,
    pub kind: Type,
    /// It is there, but null.
    pub null: bool,
    pub effect: Effect,
}

/// What becomes of a value that is not there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// `<no value>` is printed.
    NoValue,
    /// `<nil>` is printed.
    Nil,
    /// Rendering fails.
    Fails,
}
