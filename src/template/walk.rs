//! Visits everything in a template, in source order.

use super::node::{Command, Expression, ExpressionKind, Node, Pipeline, Template};

/// A node of any type.
#[derive(Debug, Clone, Copy)]
pub enum Item<'t> {
    Node(&'t Node),
    Pipeline(&'t Pipeline),
    Command(&'t Command),
    Expression(&'t Expression),
}

impl Template {
    /// Every node, pipeline, command and expression, parents before children.
    pub fn walk(&self) -> Walk<'_> {
        Walk { open: self.nodes.iter().rev().map(Item::Node).collect() }
    }
}

impl Pipeline {
    /// This pipeline and everything in it.
    pub fn walk(&self) -> Walk<'_> {
        Walk { open: vec![Item::Pipeline(self)] }
    }
}

impl Node {
    /// This node and everything in it.
    pub fn walk(&self) -> Walk<'_> {
        Walk { open: vec![Item::Node(self)] }
    }
}

/// The stack of nodes to visit: the next one is last.
#[derive(Debug)]
pub struct Walk<'t> {
    open: Vec<Item<'t>>,
}

impl<'t> Iterator for Walk<'t> {
    type Item = Item<'t>;

    fn next(&mut self) -> Option<Item<'t>> {
        let item = self.open.pop()?;
        let begin = self.open.len();
        match item {
            Item::Node(Node::Output { pipeline, .. }) => self.open.push(Item::Pipeline(pipeline)),
            Item::Node(Node::Branch(branch)) => {
                for arm in &branch.arms {
                    self.open.extend(arm.condition.iter().map(Item::Pipeline));
                    self.open.extend(arm.body.iter().map(Item::Node));
                }
            }
            Item::Node(Node::Definition(definition)) => {
                self.open.extend(definition.argument.iter().map(Item::Pipeline));
                self.open.extend(definition.body.iter().map(Item::Node));
            }
            Item::Node(Node::Call(call)) => {
                self.open.extend(call.argument.iter().map(Item::Pipeline))
            }
            Item::Node(
                Node::Text(_)
                | Node::Comment(_)
                | Node::Break(_)
                | Node::Continue(_)
                | Node::Broken(_),
            ) => {}
            Item::Pipeline(pipeline) => {
                self.open.extend(pipeline.commands.iter().map(Item::Command))
            }
            Item::Command(command) => self.open.extend(command.words.iter().map(Item::Expression)),
            Item::Expression(expression) => match &expression.kind {
                ExpressionKind::Group(pipeline) => self.open.push(Item::Pipeline(pipeline)),
                ExpressionKind::Chain { base, .. } => self.open.push(Item::Expression(base)),
                _ => {}
            },
        }
        self.open.get_mut(begin..).unwrap_or_default().reverse();
        Some(item)
    }
}
