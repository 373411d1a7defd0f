//! What surrounds an offset in a template, from the inside out and from the outside in.

use super::node::{
    Action, Arm, Command, Expression, ExpressionKind, Name, Node, Pipeline, Template,
};
use crate::text::Span;

impl Template {
    /// The blocks that contain `offset`, outermost first: branches and definitions.
    pub fn blocks_at(&self, offset: usize) -> Vec<&Node> {
        let (mut found, mut nodes) = (Vec::new(), self.nodes.as_slice());
        while let Some(node) = nodes.iter().find(|node| holds(node, offset)) {
            found.push(node);
            nodes = match node {
                Node::Branch(branch) => branch
                    .arms
                    .iter()
                    .rev()
                    .find(|arm| arm.action.span.end <= offset)
                    .map_or(&[], |arm| &arm.body),
                Node::Definition(definition) => &definition.body,
                _ => &[],
            };
        }
        found
    }

    /// The actions that touch `range`, in source order, including those of and inside blocks.
    pub fn actions(&self, range: &Span) -> Vec<&Action> {
        let mut found = Vec::new();
        actions(&self.nodes, range, &mut found);
        found
    }

    /// Every node that could be meant at `offset`: names, expressions, pipelines, actions, arms,
    /// blocks. In no particular order.
    pub fn spans_at(&self, offset: usize) -> Vec<Span> {
        let mut collector = Collector { offset, found: Vec::new() };
        collector.nodes(&self.nodes);
        collector.found.retain(|span| touches(span, offset));
        collector.found
    }

    /// The innermost command at `offset`, in or after its first word, and how many values are piped
    /// to it.
    pub fn command_at(&self, offset: usize) -> Option<(&Command, usize)> {
        let mut found = None;
        let range = offset..offset;
        pipelines(&self.nodes, &range, &mut |pipeline, action| {
            if action.inner.start <= offset && offset <= action.inner.end {
                found = command(pipeline, offset, action.inner.end);
            }
        });
        found
    }
}

/// Whether a block contains an offset after its first character. A block without `end` includes its
/// last offset.
fn holds(node: &Node, offset: usize) -> bool {
    let ended = match node {
        Node::Branch(branch) => branch.end.is_some(),
        Node::Definition(definition) => definition.end.is_some(),
        _ => return false,
    };
    let span = node.span();
    span.start < offset && (offset < span.end || !ended && offset == span.end)
}

fn touches(span: &Span, offset: usize) -> bool {
    span.start <= offset && offset <= span.end
}

fn meets(span: &Span, range: &Span) -> bool {
    span.start <= range.end && range.start <= span.end
}

fn actions<'a>(nodes: &'a [Node], range: &Span, found: &mut Vec<&'a Action>) {
    let push = |action: &'a Action, found: &mut Vec<&'a Action>| {
        if meets(&action.span, range) {
            found.push(action);
        }
    };
    for node in nodes.iter().filter(|node| meets(&node.span(), range)) {
        match node {
            Node::Text(_) => {}
            Node::Comment(action)
            | Node::Output { action, .. }
            | Node::Break(action)
            | Node::Continue(action)
            | Node::Broken(action) => {
                push(action, found);
            }
            Node::Call(call) => push(&call.action, found),
            Node::Definition(definition) => {
                push(&definition.action, found);
                actions(&definition.body, range, found);
                definition.end.iter().for_each(|end| push(end, found));
            }
            Node::Branch(branch) => {
                for arm in &branch.arms {
                    push(&arm.action, found);
                    actions(&arm.body, range, found);
                }
                branch.end.iter().for_each(|end| push(end, found));
            }
        }
    }
}

/// Calls `visit` with every pipeline directly in an action that touches `range`.
fn pipelines<'a>(nodes: &'a [Node], range: &Span, visit: &mut dyn FnMut(&'a Pipeline, &'a Action)) {
    for node in nodes.iter().filter(|node| meets(&node.span(), range)) {
        let mut visit_action = |pipeline: Option<&'a Pipeline>, action: &'a Action| {
            if let Some(pipeline) = pipeline.filter(|_| meets(&action.span, range)) {
                visit(pipeline, action);
            }
        };
        match node {
            Node::Output { action, pipeline } => visit_action(Some(pipeline), action),
            Node::Call(call) => visit_action(call.argument.as_ref(), &call.action),
            Node::Definition(definition) => {
                visit_action(definition.argument.as_ref(), &definition.action);
                pipelines(&definition.body, range, visit);
            }
            Node::Branch(branch) => {
                for arm in &branch.arms {
                    if let Some(condition) =
                        arm.condition.as_ref().filter(|_| meets(&arm.action.span, range))
                    {
                        visit(condition, &arm.action);
                    }
                    pipelines(&arm.body, range, visit);
                }
            }
            Node::Text(_)
            | Node::Comment(_)
            | Node::Break(_)
            | Node::Continue(_)
            | Node::Broken(_) => {}
        }
    }
}

/// The innermost command of a pipeline that continues to `end`.
fn command(pipeline: &Pipeline, offset: usize, end: usize) -> Option<(&Command, usize)> {
    let index = pipeline.commands.iter().rposition(|command| command.span.start <= offset)?;
    let command = pipeline.commands.get(index)?;
    let next = pipeline.commands.get(index + 1).map_or(end, |next| next.span.start);
    if offset > next {
        return None;
    }
    for word in
        command.words.iter().filter(|word| word.span.start < offset && offset < word.span.end)
    {
        if let Some(inner) = inner_command(word, offset) {
            return Some(inner);
        }
    }
    Some((command, usize::from(index > 0)))
}

/// The command inside the parentheses of an expression.
fn inner_command(expression: &Expression, offset: usize) -> Option<(&Command, usize)> {
    match &expression.kind {
        ExpressionKind::Group(pipeline) => command(pipeline, offset, expression.span.end),
        ExpressionKind::Chain { base, .. } if offset < base.span.end => inner_command(base, offset),
        _ => None,
    }
}

struct Collector {
    offset: usize,
    found: Vec<Span>,
}

impl Collector {
    fn nodes(&mut self, nodes: &[Node]) {
        for node in nodes {
            let span = node.span();
            if !touches(&span, self.offset) {
                continue;
            }
            if !matches!(node, Node::Text(_)) {
                self.found.push(span);
            }
            match node {
                Node::Text(_) => {}
                Node::Comment(action)
                | Node::Break(action)
                | Node::Continue(action)
                | Node::Broken(action) => self.action(action, None),
                Node::Output { action, pipeline } => self.action(action, Some(pipeline)),
                Node::Call(call) => {
                    self.action(&call.action, call.argument.as_ref());
                    self.quoted(&call.name.span, &call.name.value);
                }
                Node::Definition(definition) => {
                    self.action(&definition.action, definition.argument.as_ref());
                    self.quoted(&definition.name.span, &definition.name.value);
                    self.body(
                        definition.action.span.end,
                        definition.end.as_ref(),
                        &definition.body,
                    );
                }
                Node::Branch(branch) => {
                    for (index, arm) in branch.arms.iter().enumerate() {
                        let next = branch
                            .arms
                            .get(index + 1)
                            .map(|arm| &arm.action)
                            .or(branch.end.as_ref());
                        self.arm(arm, next);
                    }
                    branch.end.iter().for_each(|end| self.action(end, None));
                }
            }
        }
    }

    fn arm(&mut self, arm: &Arm, next: Option<&Action>) {
        self.action(&arm.action, arm.condition.as_ref());
        if let Some(next) = next {
            self.found.push(arm.action.span.start..next.span.start);
        }
        self.body(arm.action.span.end, next, &arm.body);
    }

    /// The text between two actions.
    fn body(&mut self, start: usize, next: Option<&Action>, nodes: &[Node]) {
        let end =
            next.map(|next| next.span.start).or_else(|| nodes.last().map(|node| node.span().end));
        self.found.extend(end.filter(|end| start < *end).map(|end| start..end));
        self.nodes(nodes);
    }

    fn action(&mut self, action: &Action, pipeline: Option<&Pipeline>) {
        if touches(&action.span, self.offset) {
            self.found.push(action.span.clone());
            let words = action
                .keyword
                .iter()
                .cloned()
                .chain(pipeline.map(|pipeline| pipeline.span.clone()));
            let inner = words.reduce(|a, b| a.start.min(b.start)..a.end.max(b.end));
            self.found.extend(inner);
            pipeline.into_iter().for_each(|pipeline| self.pipeline(pipeline));
        }
    }

    /// A string and the span inside its quotes. An unclosed string has no quote at its end.
    fn quoted(&mut self, span: &Span, value: &str) {
        self.found.push(span.clone());
        if span.len() >= 2 {
            let closed = value.len() + 1 < span.len();
            self.found.push(span.start + 1..span.end - usize::from(closed));
        }
    }

    fn pipeline(&mut self, pipeline: &Pipeline) {
        self.found.push(pipeline.span.clone());
        self.found.extend(pipeline.declarations.iter().map(|name| name.span.clone()));
        if let (Some(first), Some(last)) = (pipeline.commands.first(), pipeline.commands.last()) {
            self.found.push(first.span.start..last.span.end);
        }
        let first = pipeline.commands.first().map_or(0, |command| command.span.start);
        for command in &pipeline.commands {
            self.found.push(command.span.clone());
            // The pipeline up to here is also a value.
            self.found.push(first..command.span.end);
            command.words.iter().for_each(|word| self.expression(word));
        }
    }

    fn expression(&mut self, expression: &Expression) {
        if !touches(&expression.span, self.offset) {
            return;
        }
        self.found.push(expression.span.clone());
        match &expression.kind {
            ExpressionKind::Field(fields) => self.fields(expression.span.start, fields),
            ExpressionKind::Variable { name, fields } => {
                self.found.push(name.span.clone());
                self.fields(expression.span.start, fields);
            }
            ExpressionKind::Group(pipeline) => self.pipeline(pipeline),
            ExpressionKind::Chain { base, fields } => {
                self.expression(base);
                self.fields(expression.span.start, fields);
            }
            ExpressionKind::String { value, .. } => self.quoted(&expression.span, value),
            _ => {}
        }
    }

    /// Every field, and the expression up to it.
    fn fields(&mut self, start: usize, fields: &[Name]) {
        for field in fields {
            self.found.push(field.span.clone());
            self.found.push(start..field.span.end);
        }
    }
}
