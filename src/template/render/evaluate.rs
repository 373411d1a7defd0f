//! Pipelines, commands and expressions.

use super::execute::{Machine, Outcome};
use super::number::Number;
use super::value::{Text, Value};
use crate::template::node::{self, Command, Expression, ExpressionKind, Name, Pipeline};
use crate::text::Span;

/// The limit of nested parentheses. Each level uses the thread's stack.
const DEEPEST: usize = 1000;

/// An argument of a function, with its source.
#[derive(Debug, Clone)]
pub(super) struct Argument<'a> {
    pub value: Value<'a>,
    pub span: Span,
    /// A literal `nil`.
    pub nil: bool,
}

impl<'a> Machine<'a> {
    /// The value of a pipeline; declares its variables.
    pub fn pipeline(&mut self, pipeline: &'a Pipeline, dot: &Value<'a>) -> Outcome<Value<'a>> {
        self.place = pipeline.span.clone();
        if self.nesting >= DEEPEST {
            return self
                .error(&pipeline.span, format!("parentheses nest deeper than {DEEPEST} levels"));
        }
        self.nesting += 1;
        let mut piped: Option<Argument<'a>> = None;
        for command in &pipeline.commands {
            self.step(1)?;
            // Between commands and after the last one, null and missing are the same.
            let value = self.command(command, piped, dot)?.settled();
            piped = Some(Argument { value, span: command.span.clone(), nil: false });
        }
        self.nesting -= 1;
        let value = piped.map_or(Value::Missing, |piped| piped.value);
        self.declare(pipeline, &value)?;
        Ok(value)
    }

    fn command(
        &mut self,
        command: &'a Command,
        piped: Option<Argument<'a>>,
        dot: &Value<'a>,
    ) -> Outcome<Value<'a>> {
        let Some((first, rest)) = command.words.split_first() else {
            return self.error(&command.span, "missing value for command");
        };
        let has_arguments = piped.is_some() || !rest.is_empty();
        match &first.kind {
            ExpressionKind::Function(name) => {
                return self.function(name, &command.span, rest, piped, dot);
            }
            ExpressionKind::Field(fields) => {
                return self.fields(dot.clone(), fields, has_arguments);
            }
            ExpressionKind::Variable { name, fields } if !fields.is_empty() => {
                let value = self.variable(&name.text, &name.span)?;
                return self.fields(value, fields, has_arguments);
            }
            ExpressionKind::Chain { base, fields } => {
                let value = self.chain_base(base, dot)?;
                return self.fields(value, fields, has_arguments);
            }
            ExpressionKind::Nil if !has_arguments => {
                return self.error(&first.span, "nil is not a command");
            }
            _ => {}
        }
        if has_arguments {
            let shown = self.text.get(first.span.clone()).unwrap_or("");
            return self.error(&first.span, format!("can't give argument to non-function {shown}"));
        }
        self.expression(first, dot)
    }

    /// The value of a word by itself, or as an argument.
    fn expression(&mut self, expression: &'a Expression, dot: &Value<'a>) -> Outcome<Value<'a>> {
        self.step(1)?;
        match &expression.kind {
            ExpressionKind::Dot => Ok(dot.clone()),
            ExpressionKind::Nil => Ok(Value::Missing),
            ExpressionKind::Bool(value) => Ok(Value::Boolean(*value)),
            ExpressionKind::Number(number) => self.constant(number, &expression.span),
            ExpressionKind::String { value, .. } => Ok(Value::Text(Text::Borrowed(value))),
            ExpressionKind::Field(fields) => self.fields(dot.clone(), fields, false),
            ExpressionKind::Variable { name, fields } => {
                let value = self.variable(&name.text, &name.span)?;
                self.fields(value, fields, false)
            }
            ExpressionKind::Function(name) => self.function(name, &expression.span, &[], None, dot),
            ExpressionKind::Group(pipeline) => self.pipeline(pipeline, dot),
            ExpressionKind::Chain { base, fields } => {
                let value = self.chain_base(base, dot)?;
                self.fields(value, fields, false)
            }
            ExpressionKind::Missing => self.error(&expression.span, "missing value for command"),
        }
    }

    fn chain_base(&mut self, base: &'a Expression, dot: &Value<'a>) -> Outcome<Value<'a>> {
        if matches!(base.kind, ExpressionKind::Nil) {
            return self.error(&base.span, "indirection through explicit nil");
        }
        if self.nesting >= DEEPEST {
            return self
                .error(&base.span, format!("parentheses nest deeper than {DEEPEST} levels"));
        }
        self.nesting += 1;
        let value = self.expression(base, dot);
        self.nesting -= 1;
        value
    }

    /// Follows names from a value.
    fn fields(
        &mut self,
        value: Value<'a>,
        fields: &[Name],
        has_arguments: bool,
    ) -> Outcome<Value<'a>> {
        let mut value = value;
        for (index, name) in fields.iter().enumerate() {
            value = match value {
                Value::Missing => Value::Missing,
                Value::Object(_) if has_arguments && index + 1 == fields.len() => {
                    return self.error(
                        &name.span,
                        format!("{} is not a method but has arguments", name.text),
                    );
                }
                Value::Object(map) => map.get(&name.text).map_or(Value::Missing, Value::of),
                other => {
                    return self.error(
                        &name.span,
                        format!("can't evaluate field {} in type {}", name.text, other.kind()),
                    );
                }
            };
        }
        Ok(value)
    }

    /// A number constant has the type of its notation.
    fn constant(&self, number: &node::Number, span: &Span) -> Outcome<Value<'a>> {
        let written = self.text.get(span.clone()).unwrap_or("");
        let hexadecimal_integer = (written.starts_with("0x") || written.starts_with("0X"))
            && !written.contains(['p', 'P']);
        if let Some((real, imaginary)) = number.complex {
            return Ok(Value::Complex(real, imaginary));
        }
        match (number.integer, number.float) {
            (_, Some(float))
                if !hexadecimal_integer
                    && !number.character
                    && written.contains(['.', 'e', 'E', 'p', 'P']) =>
            {
                Ok(Value::Number(Number::Float(float)))
            }
            (Some(integer), _) => Ok(Value::Number(Number::Constant(integer))),
            _ if number.unsigned.is_some() => self.error(span, format!("{written} overflows int")),
            (None, Some(float)) => Ok(Value::Number(Number::Float(float))),
            (None, None) => self.error(span, format!("bad number syntax: {written:?}")),
        }
    }

    /// The arguments of a function, from left to right; the piped value comes last.
    pub(super) fn arguments(
        &mut self,
        words: &'a [Expression],
        piped: Option<Argument<'a>>,
        dot: &Value<'a>,
    ) -> Outcome<Vec<Argument<'a>>> {
        let mut arguments = Vec::with_capacity(words.len() + usize::from(piped.is_some()));
        for word in words {
            arguments.push(self.argument(word, dot)?);
        }
        arguments.extend(piped);
        Ok(arguments)
    }

    pub(super) fn argument(
        &mut self,
        word: &'a Expression,
        dot: &Value<'a>,
    ) -> Outcome<Argument<'a>> {
        let value = self.expression(word, dot)?;
        Ok(Argument {
            value,
            span: word.span.clone(),
            nil: matches!(word.kind, ExpressionKind::Nil),
        })
    }
}
