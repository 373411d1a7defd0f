//! The parts of a template in source order: everything with its own meaning and span.

use super::node::{
    Action, Arm, Command, Expression, ExpressionKind, Name, Node, Pipeline, Quoted, Template,
};
use crate::text::Span;

/// A part and its span.
#[derive(Debug, Clone, PartialEq)]
pub struct Part<'a> {
    pub span: Span,
    pub kind: PartKind<'a>,
}

#[derive(Debug, Clone, PartialEq)]
pub enum PartKind<'a> {
    /// `{{` and `}}`, including their trim markers.
    Delimiter,
    /// The content of a comment.
    Comment,
    /// `if`, `end`, …
    Keyword,
    /// A variable including its `$`, and how it is used.
    Variable(&'a Name, Role),
    /// A field without its dot; empty while it's being typed.
    Field(&'a Name),
    Function(&'a str),
    String(&'a str),
    Number,
    /// `true`, `false`, `nil`
    Constant,
    /// `.`
    Dot,
    /// The name of a template, including its quotes, and whether this is its definition.
    Template(&'a Quoted, bool),
}

/// How a variable is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    Declared,
    Assigned,
    Read,
}

impl Template {
    /// The parts that touch `range`, in source order.
    pub fn parts(&self, range: &Span) -> Vec<Part<'_>> {
        let mut reader = Reader { range, found: Vec::new() };
        reader.nodes(&self.nodes);
        reader.found.retain(|part| touches(&part.span, range));
        reader.found
    }
}

fn touches(a: &Span, b: &Span) -> bool {
    a.start <= b.end && b.start <= a.end
}

impl Node {
    /// The whole span: of a block, from its opening action through its `end`.
    pub fn span(&self) -> Span {
        let through = |first: &Action, last: Option<&Action>, body: &[Self]| {
            let end =
                last.map(|end| end.span.end).or_else(|| body.last().map(|node| node.span().end));
            first.span.start..end.unwrap_or(first.span.end).max(first.span.end)
        };
        match self {
            Self::Text(span) => span.clone(),
            Self::Comment(action)
            | Self::Output { action, .. }
            | Self::Break(action)
            | Self::Continue(action)
            | Self::Broken(action) => action.span.clone(),
            Self::Call(call) => call.action.span.clone(),
            Self::Definition(definition) => {
                through(&definition.action, definition.end.as_ref(), &definition.body)
            }
            Self::Branch(branch) => {
                let first = branch.arms.first().map_or(0, |arm| arm.action.span.start);
                let last = || {
                    branch.arms.last().map_or(first, |arm| {
                        arm.body.last().map_or(arm.action.span.end, |node| node.span().end)
                    })
                };
                first..branch.end.as_ref().map_or_else(last, |end| end.span.end).max(first)
            }
        }
    }
}

struct Reader<'a, 'r> {
    range: &'r Span,
    found: Vec<Part<'a>>,
}

impl<'a> Reader<'a, '_> {
    fn nodes(&mut self, nodes: &'a [Node]) {
        for node in nodes {
            let span = node.span();
            if span.start > self.range.end {
                return;
            }
            if touches(&span, self.range) {
                self.node(node);
            }
        }
    }

    fn node(&mut self, node: &'a Node) {
        match node {
            Node::Text(_) => {}
            Node::Comment(action) => {
                self.action(action, |reader| reader.push(action.inner.clone(), PartKind::Comment))
            }
            Node::Output { action, pipeline } => {
                self.action(action, |reader| reader.pipeline(pipeline))
            }
            Node::Break(action) | Node::Continue(action) | Node::Broken(action) => {
                self.action(action, |_| {})
            }
            Node::Call(call) => self.action(&call.action, |reader| {
                reader.push(call.name.span.clone(), PartKind::Template(&call.name, false));
                call.argument.iter().for_each(|argument| reader.pipeline(argument));
            }),
            Node::Definition(definition) => {
                self.action(&definition.action, |reader| {
                    reader.push(
                        definition.name.span.clone(),
                        PartKind::Template(&definition.name, true),
                    );
                    definition.argument.iter().for_each(|argument| reader.pipeline(argument));
                });
                self.nodes(&definition.body);
                self.end(definition.end.as_ref());
            }
            Node::Branch(branch) => {
                for arm in &branch.arms {
                    self.arm(arm);
                }
                self.end(branch.end.as_ref());
            }
        }
    }

    fn arm(&mut self, arm: &'a Arm) {
        self.action(&arm.action, |reader| {
            arm.second_keyword
                .iter()
                .for_each(|keyword| reader.push(keyword.clone(), PartKind::Keyword));
            arm.condition.iter().for_each(|condition| reader.pipeline(condition));
        });
        self.nodes(&arm.body);
    }

    fn end(&mut self, end: Option<&'a Action>) {
        end.into_iter().for_each(|end| self.action(end, |_| {}));
    }

    fn action(&mut self, action: &'a Action, inside: impl FnOnce(&mut Self)) {
        if !touches(&action.span, self.range) {
            return;
        }
        self.push(action.span.start..action.inner.start, PartKind::Delimiter);
        action.keyword.iter().for_each(|keyword| self.push(keyword.clone(), PartKind::Keyword));
        inside(self);
        if action.closed {
            self.push(action.inner.end..action.span.end, PartKind::Delimiter);
        }
    }

    fn pipeline(&mut self, pipeline: &'a Pipeline) {
        let role = if pipeline.assigns { Role::Assigned } else { Role::Declared };
        for name in &pipeline.declarations {
            self.push(name.span.clone(), PartKind::Variable(name, role));
        }
        pipeline.commands.iter().for_each(|command| self.command(command));
    }

    fn command(&mut self, command: &'a Command) {
        command.words.iter().for_each(|word| self.expression(word));
    }

    fn expression(&mut self, expression: &'a Expression) {
        let span = expression.span.clone();
        match &expression.kind {
            ExpressionKind::Dot => self.push(span, PartKind::Dot),
            ExpressionKind::Nil | ExpressionKind::Bool(_) => self.push(span, PartKind::Constant),
            ExpressionKind::Number(_) => self.push(span, PartKind::Number),
            ExpressionKind::String { value, .. } => self.push(span, PartKind::String(value)),
            ExpressionKind::Function(name) => self.push(span, PartKind::Function(name)),
            ExpressionKind::Field(fields) => self.fields(fields),
            ExpressionKind::Variable { name, fields } => {
                self.push(name.span.clone(), PartKind::Variable(name, Role::Read));
                self.fields(fields);
            }
            ExpressionKind::Group(pipeline) => self.pipeline(pipeline),
            ExpressionKind::Chain { base, fields } => {
                self.expression(base);
                self.fields(fields);
            }
            ExpressionKind::Missing => {}
        }
    }

    fn fields(&mut self, fields: &'a [Name]) {
        fields.iter().for_each(|field| self.push(field.span.clone(), PartKind::Field(field)));
    }

    fn push(&mut self, span: Span, kind: PartKind<'a>) {
        self.found.push(Part { span, kind });
    }
}
