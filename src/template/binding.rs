//! Which declaration each mention of a variable means. A variable lives from its declaration to the
//! end of the block that it is declared in; one that a branch declares lives through all of its
//! arms.

use super::node::{Command, Expression, ExpressionKind, Name, Node, Pipeline, Template};
use super::part::Role;
use crate::text::Span;

/// Where a variable is mentioned.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mention {
    /// With its `$`, where the whole text begins at 0.
    pub span: Span,
    pub name: String,
    pub role: Role,
    /// The mention that declares it, by its index; `None` for one that nothing declares, and for
    /// `$`.
    pub declaration: Option<usize>,
}

/// Every mention of a variable in templates that follow each other, each with its start: what one
/// declares outside of blocks holds in the next ones. `name` says what a mention is called, from
/// its place.
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
    /// The variables that can be seen here, the innermost last, and the mentions that declare them.
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
                    // Another template sees none of the variables around it.
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
        // The mention of a declared variable stands first, but its value does not see it yet.
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
