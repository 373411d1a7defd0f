//! Calls functions and checks the number of their arguments.

use std::cmp::Ordering;

use super::evaluate::Argument;
use super::execute::{Machine, Outcome};
use super::number::Number;
use super::value::{Text, Value};
use super::{case, compare, escape, format, print};
use crate::template::function;
use crate::template::node::Expression;
use crate::text::Span;

/// Why a function fails: by itself, or because of an argument.
pub(super) enum Refusal {
    /// `error calling NAME: …`
    Call(String),
    /// An argument has the wrong type; its number, and the error.
    Argument(usize, String),
}

impl From<String> for Refusal {
    fn from(message: String) -> Self {
        Self::Call(message)
    }
}

pub(super) type Answer<'a> = Result<Value<'a>, Refusal>;

pub(super) fn refuse<T>(message: impl Into<String>) -> Result<T, Refusal> {
    Err(Refusal::Call(message.into()))
}

impl<'a> Machine<'a> {
    /// Calls a function. `span` is the whole command.
    pub(super) fn function(
        &mut self,
        name: &str,
        span: &Span,
        words: &'a [Expression],
        piped: Option<Argument<'a>>,
        dot: &Value<'a>,
    ) -> Outcome<Value<'a>> {
        self.check_count(name, span, words.len() + usize::from(piped.is_some()))?;
        if matches!(name, "and" | "or") {
            return self.first_decisive(name == "or", words, piped, dot);
        }
        let arguments = self.arguments(words, piped, dot)?;
        self.place = span.clone();
        let answer = match name {
            "print" | "println" | "printf" | "html" | "js" | "urlquery" => {
                self.made_text(name, &arguments)?
            }
            "json" => self.as_json(&arguments)?,
            "upper" | "lower" | "title" => self.cased(name, &arguments)?,
            "join" => self.join(&arguments)?,
            "split" => self.split(&arguments)?,
            "slice" => self.slice(&arguments)?,
            "len" => self.length(&arguments)?,
            "index" => {
                let values: Vec<&Value> =
                    arguments.iter().map(|argument| &argument.value).collect();
                super::list::index(&values)
            }
            "default" => Ok(with_default(&arguments)),
            "call" => self.call_value(words, &arguments),
            _ => self.compared(name, &arguments)?,
        };
        answer.or_else(|refusal| match refusal {
            Refusal::Call(message) => self.error(span, format!("error calling {name}: {message}")),
            Refusal::Argument(number, message) => {
                self.error(arguments.get(number).map_or(span, |argument| &argument.span), message)
            }
        })
    }

    fn check_count(&self, name: &str, span: &Span, count: usize) -> Outcome<()> {
        let Some(function) = function::function(name) else {
            return self.error(span, format!("function {name:?} not defined"));
        };
        let required = function.parameters.iter().filter(|parameter| !parameter.optional).count();
        let (least, most) = if function.variadic {
            (required - 1, usize::MAX)
        } else {
            (required, function.parameters.len())
        };
        if (least..=most).contains(&count) {
            return Ok(());
        }
        let wanted = match (least, most) {
            (least, usize::MAX) => format!("at least {least}"),
            (least, most) if least == most => least.to_string(),
            (least, most) => format!("{least} to {most}"),
        };
        self.error(span, format!("wrong number of args for {name}: want {wanted} got {count}"))
    }

    /// `and` and `or` don't evaluate arguments after the deciding one.
    fn first_decisive(
        &mut self,
        decisive: bool,
        words: &'a [Expression],
        piped: Option<Argument<'a>>,
        dot: &Value<'a>,
    ) -> Outcome<Value<'a>> {
        let mut last = Value::Missing;
        for word in words {
            last = self.argument(word, dot)?.value;
            if last.truth() == decisive {
                return Ok(last);
            }
        }
        Ok(piped.map_or(last, |piped| piped.value))
    }

    /// Functions that turn any value into text.
    fn made_text(&mut self, name: &str, arguments: &[Argument<'a>]) -> Outcome<Answer<'a>> {
        let mut values: Vec<Value> =
            arguments.iter().map(|argument| argument.value.clone()).collect();
        let most = self.room();
        let made = match name {
            "print" => print::print(&values, most),
            "println" => print::print_line(&values, most),
            "printf" => {
                let format =
                    match arguments.first().map(|argument| string(arguments, 0, &argument.value)) {
                        Some(Ok(format)) => format,
                        Some(Err(refusal)) => return Ok(Err(refusal)),
                        None => "",
                    };
                self.step(format.len() / 16)?;
                format::print_format(format, values.get(1..).unwrap_or_default(), most)
            }
            _ => {
                for (value, argument) in
                    values.iter_mut().zip(arguments).filter(|(value, _)| value.is_nothing())
                {
                    self.note_missing(&argument.span);
                    *value = Value::Text(Text::Borrowed("<no value>"));
                }
                // An escaped character is up to six times as long.
                print::print(&values, most / 6).map(|text| match name {
                    "html" => escape::html(&text),
                    "js" => escape::javascript(&text),
                    _ => escape::url_query(&text),
                })
            }
        };
        match made {
            Ok(text) => self.made(text).map(Ok),
            Err(_) => self.too_long(),
        }
    }

    /// Counts the produced text.
    pub(super) fn made(&mut self, text: String) -> Outcome<Value<'a>> {
        self.make(text.len())?;
        Ok(Value::Text(Text::Made(text.into())))
    }

    fn as_json(&mut self, arguments: &[Argument<'a>]) -> Outcome<Answer<'a>> {
        let Some(argument) = arguments.first() else { return Ok(refuse("missing argument")) };
        match super::json::text(&argument.value, self.room()) {
            Ok(Some(text)) => self.made(text).map(Ok),
            Ok(None) => Ok(refuse(format!("JSON has no {}", argument.value.kind()))),
            Err(_) => self.too_long(),
        }
    }

    fn cased(&mut self, name: &str, arguments: &[Argument<'a>]) -> Outcome<Answer<'a>> {
        let Some(argument) = arguments.first() else { return Ok(refuse("missing argument")) };
        let text = match &argument.value {
            Value::Number(_) => {
                print::print(std::slice::from_ref(&argument.value), 1000).unwrap_or_default().into()
            }
            value => match string(arguments, 0, value) {
                Ok(text) => std::borrow::Cow::Borrowed(text),
                Err(refusal) => return Ok(Err(refusal)),
            },
        };
        // No character grows by more than a byte.
        self.make(text.len() / 2)?;
        let text = match name {
            "upper" => text.chars().map(case::upper).collect(),
            "lower" => text.chars().map(case::lower).collect(),
            _ => case::title(&text),
        };
        self.made(text).map(Ok)
    }

    fn length(&mut self, arguments: &[Argument<'a>]) -> Outcome<Answer<'a>> {
        let Some(argument) = arguments.first() else { return Ok(refuse("missing argument")) };
        let length = match &argument.value {
            Value::Text(text) => {
                self.step(text.len() / 64)?;
                text.chars().count()
            }
            Value::Object(map) => map.len(),
            value => match value.elements() {
                Some(length) => length,
                None if value.is_nothing() => return Ok(refuse("len of nil pointer")),
                None => return Ok(refuse(format!("len of type {}", value.kind()))),
            },
        };
        Ok(Ok(Value::integer(length)))
    }

    fn compared(&mut self, name: &str, arguments: &[Argument<'a>]) -> Outcome<Answer<'a>> {
        let Some((first, rest)) = arguments.split_first() else {
            return Ok(refuse("missing argument for comparison"));
        };
        if name == "not" {
            return Ok(Ok(Value::Boolean(!first.value.truth())));
        }
        let Some(second) = rest.first() else {
            return Ok(refuse("missing argument for comparison"));
        };
        for argument in arguments {
            self.step(argument.value.as_text().map_or(0, |text| text.len() / 64))?;
        }
        let ordered = |accept: fn(Ordering) -> bool| {
            compare::order(&first.value, &second.value).map(|order| order.is_some_and(accept))
        };
        let answer = match name {
            "eq" => {
                let mut answer = Ok(false);
                for other in rest {
                    answer = compare::equal(&first.value, &other.value);
                    if answer != Ok(false) {
                        break;
                    }
                }
                answer
            }
            "ne" => compare::equal(&first.value, &second.value).map(|equal| !equal),
            "lt" => ordered(Ordering::is_lt),
            "le" => ordered(Ordering::is_le),
            "gt" => ordered(Ordering::is_gt),
            "ge" => ordered(Ordering::is_ge),
            _ => Err(format!("{name:?} is not a defined function")),
        };
        Ok(answer.map(Value::Boolean).map_err(Refusal::Call))
    }

    fn call_value(&self, words: &[Expression], arguments: &[Argument<'a>]) -> Answer<'a> {
        match arguments.first().map(|argument| &argument.value) {
            None | Some(Value::Missing | Value::Null) => refuse("call of nil"),
            Some(value) => {
                let shown = words
                    .first()
                    .and_then(|word| self.text.get(word.span.clone()))
                    .unwrap_or("value");
                refuse(format!("non-function {shown} of type {}", value.kind()))
            }
        }
    }
}

/// The argument as a string; no other type is accepted.
pub(super) fn string<'v>(
    arguments: &[Argument],
    number: usize,
    value: &'v Value,
) -> Result<&'v str, Refusal> {
    match value {
        Value::Text(text) => Ok(text),
        _ => Err(Refusal::Argument(number, unexpected("string", arguments, number, value))),
    }
}

/// The error for an argument of the wrong type.
pub(super) fn unexpected(
    expected: &str,
    arguments: &[Argument],
    number: usize,
    value: &Value,
) -> String {
    if arguments.get(number).is_some_and(|argument| argument.nil) {
        format!("cannot assign nil to {expected}")
    } else if matches!(value, Value::Missing) {
        format!("invalid value; expected {expected}")
    } else {
        format!("wrong type for value; expected {expected}; got {}", value.kind())
    }
}

/// The value, or the fallback before it if the value is empty. `false` and an empty object are
/// values.
fn with_default<'a>(arguments: &[Argument<'a>]) -> Value<'a> {
    let value = |index: usize| {
        arguments.get(index).map_or(Value::Missing, |argument| argument.value.clone())
    };
    let given = value(1);
    let empty = match &given {
        Value::Boolean(_) | Value::Object(_) => false,
        Value::Number(Number::Byte(_)) => false,
        other => !other.truth(),
    };
    if empty { value(0) } else { given }
}
