//! Infers a schema from the use of a field that has none yet.

use serde_json::{Value, json};

use crate::template::function::{Kinds, function};
use crate::template::node::{
    BranchKeyword, Command, Expression, ExpressionKind, Name, Node, Pipeline, Template,
};
use crate::text::Span;

/// A schema for the field whose name is at `span`.
pub fn schema(template: &Template, span: &Span) -> Value {
    nodes(&template.nodes, span).unwrap_or_else(|| json!({ "type": "string" }))
}

fn nodes(nodes: &[Node], span: &Span) -> Option<Value> {
    // A body may have thousands of problems, and as many nodes.
    let after = nodes.partition_point(|node| node.start() <= span.start);
    match nodes.get(after.checked_sub(1)?)? {
        Node::Output { pipeline: found, .. } => pipeline(found, span, "string"),
        Node::Branch(branch) => branch.arms.iter().find_map(|arm| {
            let kind = if branch.keyword == BranchKeyword::If { "boolean" } else { "string" };
            let condition = arm.condition.as_ref().and_then(|condition| match branch.keyword {
                BranchKeyword::Range => pipeline(condition, span, "array"),
                BranchKeyword::If | BranchKeyword::With => pipeline(condition, span, kind),
            });
            condition.or_else(|| self::nodes(&arm.body, span))
        }),
        Node::Definition(definition) => {
            let argument = definition
                .argument
                .as_ref()
                .and_then(|argument| pipeline(argument, span, "string"));
            argument.or_else(|| self::nodes(&definition.body, span))
        }
        Node::Call(call) => {
            call.argument.as_ref().and_then(|argument| pipeline(argument, span, "string"))
        }
        Node::Text(_) | Node::Comment(_) | Node::Break(_) | Node::Continue(_) | Node::Broken(_) => {
            None
        }
    }
}

/// `kind` is the use of the whole pipeline.
fn pipeline(pipeline: &Pipeline, span: &Span, kind: &'static str) -> Option<Value> {
    if !holds(&pipeline.span, span) {
        return None;
    }
    let at = pipeline.commands.iter().position(|command| holds(&command.span, span))?;
    let command = pipeline.commands.get(at)?;
    let kind = match pipeline.commands.get(at + 1) {
        Some(next) => taken(next, next.words.len().saturating_sub(1)),
        None => kind,
    };
    match command.words.as_slice() {
        [only] => expression(only, span, kind),
        [_, arguments @ ..] => {
            let index = arguments.iter().position(|argument| holds(&argument.span, span))?;
            expression(arguments.get(index)?, span, taken(command, index))
        }
        [] => None,
    }
}

/// The kind that a function takes at a position.
fn taken(command: &Command, index: usize) -> &'static str {
    let name = match command.words.first().map(|word| &word.kind) {
        Some(ExpressionKind::Function(name)) => name.as_str(),
        _ => return "string",
    };
    let constant = command.words.iter().skip(1).find_map(|word| match &word.kind {
        ExpressionKind::Number(number) => {
            Some(if number.integer.is_some() { "integer" } else { "number" })
        }
        ExpressionKind::Bool(_) => Some("boolean"),
        _ => None,
    });
    match (name, constant) {
        ("not" | "and" | "or", _) => return "boolean",
        ("eq" | "ne" | "lt" | "le" | "gt" | "ge" | "default", Some(kind)) => return kind,
        ("lt" | "le" | "gt" | "ge", None) => return "number",
        ("len" | "join" | "slice" | "index", _) if index == 0 || command.words.len() < 3 => {
            return "array";
        }
        _ => {}
    }
    let accepts = function(name)
        .and_then(|function| function.parameters.get(index).or(function.parameters.last()))
        .map(|parameter| parameter.accepts);
    match accepts {
        Some(accepts) if accepts == Kinds::INTEGER => "integer",
        Some(accepts) if accepts == Kinds::LIST => "array",
        _ => "string",
    }
}

fn expression(expression: &Expression, span: &Span, kind: &'static str) -> Option<Value> {
    let names: &[Name] = match &expression.kind {
        ExpressionKind::Field(names) | ExpressionKind::Variable { fields: names, .. } => names,
        ExpressionKind::Chain { base, fields } => match holds(&base.span, span) {
            true => return self::expression(base, span, "object"),
            false => fields,
        },
        ExpressionKind::Group(inside) => return pipeline(inside, span, kind),
        ExpressionKind::String { .. } => return Some(of(kind)),
        _ => return None,
    };
    let at = names.iter().position(|name| name.span == *span)?;
    let rest = names.get(at + 1..).unwrap_or_default();
    let mut schema = of(kind);
    for name in rest.iter().rev() {
        schema = json!({ "type": "object", "properties": { &name.text: schema }, "required": [&name.text] });
    }
    Some(schema)
}

fn of(kind: &str) -> Value {
    match kind {
        "array" => json!({ "type": "array", "items": { "type": "string" } }),
        "object" => json!({ "type": "object", "additionalProperties": true }),
        kind => json!({ "type": kind }),
    }
}

fn holds(outer: &Span, inner: &Span) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}
