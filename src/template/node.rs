//! The syntax tree of templates. All spans are bytes of the parsed text.

use super::error::SyntaxError;
use crate::text::Span;

/// A parsed template. Unreadable parts are omitted or contain [`ExpressionKind::Missing`]; `errors`
/// explains why.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Template {
    pub nodes: Vec<Node>,
    /// In source order.
    pub errors: Vec<SyntaxError>,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Node {
    /// Literal text, without the whitespace that trim markers remove.
    Text(Span),
    Comment(Action),
    /// `{{ pipeline }}`; one that declares or assigns prints nothing.
    Output {
        action: Action,
        pipeline: Pipeline,
    },
    /// `if`, `range` and `with` through their `end`.
    Branch(Branch),
    Break(Action),
    Continue(Action),
    /// `define` and `block` through their `end`.
    Definition(Definition),
    /// `template "name" pipeline`
    Call(Call),
    /// A misplaced action; an error explains why.
    Broken(Action),
}

impl Node {
    /// Where it begins, in bytes.
    pub fn start(&self) -> usize {
        let action = match self {
            Self::Text(span) => return span.start,
            Self::Comment(action)
            | Self::Output { action, .. }
            | Self::Break(action)
            | Self::Continue(action)
            | Self::Broken(action) => Some(action),
            Self::Branch(branch) => branch.arms.first().map(|arm| &arm.action),
            Self::Definition(definition) => Some(&definition.action),
            Self::Call(call) => Some(&call.action),
        };
        action.map_or(0, |action| action.span.start)
    }
}

/// The delimiters of an action.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Action {
    /// Including the braces.
    pub span: Span,
    /// Between the braces and trim markers, whitespace included.
    pub inner: Span,
    /// The first keyword: `if`, `else`, `end`, …
    pub keyword: Option<Span>,
    pub trim_left: bool,
    pub trim_right: bool,
    /// Whether the closing braces exist.
    pub closed: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BranchKeyword {
    If,
    Range,
    With,
}

/// `{{ if a }} … {{ else if b }} … {{ else }} … {{ end }}`: an arm for each of the three.
#[derive(Debug, Clone, PartialEq)]
pub struct Branch {
    pub keyword: BranchKeyword,
    /// Never empty: the first is the one that opens the branch.
    pub arms: Vec<Arm>,
    /// `None` if missing; the branch then ends with its parent.
    pub end: Option<Action>,
}

/// Variables declared by an arm's condition are also visible in the arms after it.
#[derive(Debug, Clone, PartialEq)]
pub struct Arm {
    pub action: Action,
    /// `if` of `else if`.
    pub second_keyword: Option<Span>,
    /// `None` for a plain `else`.
    pub condition: Option<Pipeline>,
    pub body: Vec<Node>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Definition {
    pub action: Action,
    pub name: Quoted,
    /// The argument of a `block`; `None` for `define`.
    pub argument: Option<Pipeline>,
    pub body: Vec<Node>,
    /// The body contains only whitespace and comments: another definition of this name may replace
    /// it.
    pub blank: bool,
    pub end: Option<Action>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    pub action: Action,
    pub name: Quoted,
    pub argument: Option<Pipeline>,
}

/// A string constant: its value, and its span including the quotes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Quoted {
    pub value: String,
    pub span: Span,
}

/// `$a, $b := command | command`
#[derive(Debug, Clone, PartialEq)]
pub struct Pipeline {
    pub span: Span,
    /// Including their `$`. Only a `range` can have two.
    pub declarations: Vec<Name>,
    /// `=` instead of `:=`.
    pub assigns: bool,
    /// Never empty; an empty pipeline contains one [`ExpressionKind::Missing`].
    pub commands: Vec<Command>,
}

/// An expression, or a function followed by its arguments. A piped value comes after these.
#[derive(Debug, Clone, PartialEq)]
pub struct Command {
    pub span: Span,
    /// Never empty.
    pub words: Vec<Expression>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Expression {
    pub span: Span,
    pub kind: ExpressionKind,
}

#[derive(Debug, Clone, PartialEq)]
pub enum ExpressionKind {
    /// `.`
    Dot,
    Nil,
    Bool(bool),
    Number(Number),
    String {
        value: String,
        raw: bool,
    },
    /// `.a.b`; never empty. The last name is empty while it's being typed.
    Field(Vec<Name>),
    /// `$` or `$x`, and the fields after it.
    Variable {
        name: Name,
        fields: Vec<Name>,
    },
    /// The name of a function.
    Function(String),
    /// `( pipeline )`
    Group(Box<Pipeline>),
    /// `(pipeline).a.b`
    Chain {
        base: Box<Expression>,
        fields: Vec<Name>,
    },
    /// A missing or unreadable expression.
    Missing,
}

/// A name and its span. A field's excludes the dot; a variable's includes the `$`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Name {
    pub text: String,
    pub span: Span,
}

/// A number constant in every type that it can have.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Number {
    pub integer: Option<i64>,
    pub unsigned: Option<u64>,
    pub float: Option<f64>,
    /// The real and the imaginary part of `2i` or `1+2i`; `None` for other numbers.
    pub complex: Option<(f64, f64)>,
    /// Written as a character, `'x'`.
    pub character: bool,
}
