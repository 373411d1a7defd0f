//! What a template is made of. All spans are bytes of the text that was parsed.

use super::error::SyntaxError;
use crate::text::Span;

/// A parsed template. What could not be read is left out, or holds [`ExpressionKind::Missing`];
/// `errors` says why.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Template {
    pub nodes: Vec<Node>,
    /// In the order of the text.
    pub errors: Vec<SyntaxError>,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Node {
    /// What is printed as it stands: blanks that trim marks cut off are outside.
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
    /// An action that makes no sense where it stands; an error says why.
    Broken(Action),
}

/// The outside of an action.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Action {
    /// With the braces.
    pub span: Span,
    /// Between the braces and trim marks, blanks included.
    pub inner: Span,
    /// The first keyword: `if`, `else`, `end`, …
    pub keyword: Option<Span>,
    pub trim_left: bool,
    pub trim_right: bool,
    /// The closing braces are there.
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
    /// `None` where it is missing; then the branch goes on to where its parent ends.
    pub end: Option<Action>,
}

/// Variables that the condition of an arm declares are visible in the arms behind it too.
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
    /// What a `block` is executed with, on the spot; `None` for `define`.
    pub argument: Option<Pipeline>,
    pub body: Vec<Node>,
    /// The body holds nothing but blanks and comments: another definition of this name may take its
    /// place.
    pub blank: bool,
    pub end: Option<Action>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    pub action: Action,
    pub name: Quoted,
    pub argument: Option<Pipeline>,
}

/// A string constant: what it means, and where it stands with its quotes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Quoted {
    pub value: String,
    pub span: Span,
}

/// `$a, $b := command | command`
#[derive(Debug, Clone, PartialEq)]
pub struct Pipeline {
    pub span: Span,
    /// With their `$`. Two only in `range`.
    pub declarations: Vec<Name>,
    /// `=` instead of `:=`.
    pub assigns: bool,
    /// Never empty; an empty pipeline holds one [`ExpressionKind::Missing`].
    pub commands: Vec<Command>,
}

/// An expression, or a function with its arguments behind it. What a pipe brings comes behind
/// these.
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
    /// `.a.b`; never empty. The last name is empty while it is being typed.
    Field(Vec<Name>),
    /// `$` or `$x`, and the fields behind it.
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
    /// Something that is not there or cannot be read.
    Missing,
}

/// A name and its place. That of a field leaves out the dot; that of a variable has its `$`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Name {
    pub text: String,
    pub span: Span,
}

/// A number constant in every way in which it can be taken.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Number {
    pub integer: Option<i64>,
    pub unsigned: Option<u64>,
    pub float: Option<f64>,
    /// The real and the imaginary part of `2i` or `1+2i`; `None` for a number that is not written
    /// as such.
    pub complex: Option<(f64, f64)>,
    /// Written as a character, `'x'`.
    pub character: bool,
}
