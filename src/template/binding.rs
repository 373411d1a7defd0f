//! Resolves each mention of a variable to its declaration. A variable lives until the end of the
//! block that declares it; one declared by a branch lives through all of its arms.

use super::node::{Command, Expression, ExpressionKind, Name, Node, Pipeline, Template};
use super::part::Role;
use crate::text::Span;

/// Where a variable is mentioned.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mention {
    /// Including its `$`, as an offset in the whole text.
    pub span: Span,
    pub name: String,
    pub role: Role,
    /// The index of the mention that declares it; `None` for an undeclared variable, and for `$`.
    pub declaration: Option<usize>,
}

/// Every mention of a variable in a sequence of templates, each with its start: a variable declared
/// outside of blocks is visible in the templates that follow. `name` returns the name of a mention
/// from its span.
pub fn mentions<'a>(
    pieces: impl IntoIterator<Item = (usize, &'a Template)>,
    name: &dyn Fn(&Span, &'a str) -> &'a str,
) -> Vec<Mention> {
    let mut reader = Reader { start: 0, name, visible: Vec::new(), found: Vec::new() };
    for (start, template) in pieces {
        reader.start = start;
        reader.nodes(&template.nodes);
    }
    reader.found
}

struct Reader<'a, 'n> {
    start: usize,
    name: &'n dyn Fn(&Span, &'a str) -> &'a str,
    /// The visible variables, innermost last, and the mentions that declare them.
    visible: Vec<(&'a str, usize)>,
    found: Vec<Mention>,
}

impl<'a> Reader<'a, '_> {
    fn nodes(&mut self, nodes: &'a [Node]) {
        for node in nodes {
            match node {
                Node::Text(_)
                | Node::Comment(_)
                | Node::Break(_)
                | Node::Continue(_)
                | Node::Broken(_) => {}
                Node::Output { pipeline, .. } => self.pipeline(pipeline),
                Node::Call(call) => {
                    call.argument.iter().for_each(|argument| self.pipeline(argument))
                }
                Node::Definition(definition) => {
                    definition.argument.iter().for_each(|argument| self.pipeline(argument));
                    // Another template can't see the variables around it.
                    let outer = std::mem::take(&mut self.visible);
                    self.nodes(&definition.body);
                    self.visible = outer;
                }
                Node::Branch(branch) => {
                    let outer = self.visible.len();
                    for arm in &branch.arms {
                        arm.condition.iter().for_each(|condition| self.pipeline(condition));
                        let inner = self.visible.len();
                        self.nodes(&arm.body);
                        self.visible.truncate(inner);
                    }
                    self.visible.truncate(outer);
                }
            }
        }
    }

    fn pipeline(&mut self, pipeline: &'a Pipeline) {
        // The declaring mention comes first, but its value can't see the variable yet.
        let declared = pipeline.declarations.iter().map(|name| {
            let role = if pipeline.assigns { Role::Assigned } else { Role::Declared };
            (self.mention(name, role), name)
        });
        let declared: Vec<(usize, &Name)> = declared.collect();
        pipeline.commands.iter().for_each(|command| self.command(command));
        if !pipeline.assigns {
            for (index, name) in declared {
                let name = (self.name)(&self.place(&name.span), &name.text);
                self.visible.push((name, index));
            }
        }
    }

    fn command(&mut self, command: &'a Command) {
        command.words.iter().for_each(|word| self.expression(word));
    }

    fn expression(&mut self, expression: &'a Expression) {
        match &expression.kind {
            ExpressionKind::Variable { name, .. } => {
                self.mention(name, Role::Read);
            }
            ExpressionKind::Group(pipeline) => self.pipeline(pipeline),
            ExpressionKind::Chain { base, .. } => self.expression(base),
            _ => {}
        }
    }

    fn place(&self, span: &Span) -> Span {
        self.start + span.start..self.start + span.end
    }

    fn mention(&mut self, name: &'a Name, role: Role) -> usize {
        let span = self.place(&name.span);
        let text = (self.name)(&span, &name.text);
        let index = self.found.len();
        let declaration = match role {
            Role::Declared => Some(index),
            _ => self
                .visible
                .iter()
                .rev()
                .find(|(other, _)| *other == text)
                .map(|(_, declaration)| *declaration),
        };
        self.found.push(Mention { span, name: text.to_owned(), role, declaration });
        index
    }
}
