//! Walks the nodes of a template. The stack is a list of frames, so templates may call themselves a
//! hundred thousand times, as in Go, without using the thread's stack.

use std::collections::{HashMap, HashSet};
use std::vec;

use serde_json::Value as Json;

use super::number::Number;
use super::value::{Text, Value, Words, sorted};
use super::{Limits, RenderError, Rendered, escape, print};
use crate::template::node::{Branch, BranchKeyword, Definition, Node, Pipeline, Template};
use crate::text::Span;

/// Go's limit.
const DEEPEST: usize = 100_000;
/// Templates and the branches inside them together.
const MOST_FRAMES: usize = 400_000;
/// The number of steps between two checks for cancellation.
const PATIENCE: usize = 10_000;

pub(super) type Outcome<T> = Result<T, RenderError>;

pub(super) fn execute<'a>(
    template: &'a Template,
    text: &'a str,
    input: &'a Json,
    limits: &'a Limits<'a>,
) -> Outcome<Rendered> {
    let dot = Value::of(input);
    let mut machine = Machine {
        text,
        limits,
        definitions: definitions(template)?,
        frames: Vec::new(),
        variables: vec![Variable { name: "$", value: dot.clone() }],
        base: 0,
        templates: 0,
        nesting: 0,
        out: String::new(),
        missing: Vec::new(),
        known_missing: HashSet::new(),
        steps: 0,
        made: 0,
        place: 0..0,
    };
    machine.push(&template.nodes, dot, 0, Kind::Body)?;
    machine.run()?;
    Ok(Rendered { text: machine.out, missing: machine.missing })
}

/// Every definition by name, including blocks and nested ones. Another definition replaces one that
/// has no content.
fn definitions(template: &Template) -> Outcome<HashMap<&str, &Definition>> {
    let mut found: HashMap<&str, &Definition> = HashMap::new();
    let mut open: Vec<&[Node]> = vec![&template.nodes];
    while let Some(nodes) = open.pop() {
        for node in nodes {
            match node {
                Node::Definition(definition) => {
                    open.push(&definition.body);
                    let name = definition.name.value.as_str();
                    let known = found.entry(name).or_insert(definition);
                    if known.blank {
                        *known = definition;
                    } else if !definition.blank && !std::ptr::eq(*known, definition) {
                        let later = if known.name.span.start < definition.name.span.start {
                            definition
                        } else {
                            known
                        };
                        let message = format!(
                            "multiple definition of template {}",
                            escape::quote(name, false)
                        );
                        return Err(RenderError { span: later.name.span.clone(), message });
                    }
                }
                Node::Branch(branch) => {
                    open.extend(branch.arms.iter().map(|arm| arm.body.as_slice()))
                }
                _ => {}
            }
        }
    }
    Ok(found)
}

pub(super) struct Machine<'a> {
    pub text: &'a str,
    limits: &'a Limits<'a>,
    definitions: HashMap<&'a str, &'a Definition>,
    frames: Vec<Frame<'a>>,
    variables: Vec<Variable<'a>>,
    /// Where the variables of the running template begin; it can't see its caller's.
    base: usize,
    /// The number of nested template calls.
    templates: usize,
    /// The depth in an expression.
    pub nesting: usize,
    out: String,
    missing: Vec<Span>,
    known_missing: HashSet<(usize, usize)>,
    steps: usize,
    made: usize,
    /// The current span, for limits.
    pub place: Span,
}

struct Variable<'a> {
    name: &'a str,
    value: Value<'a>,
}

/// The nodes in progress.
struct Frame<'a> {
    nodes: &'a [Node],
    next: usize,
    dot: Value<'a>,
    /// The number of variables before.
    mark: usize,
    kind: Kind<'a>,
}

enum Kind<'a> {
    Body,
    /// The `else` of a `range`: Go's `break` leaves only this one, its `continue` also the loop
    /// around it.
    Else,
    Loop {
        items: Items<'a>,
        pipeline: &'a Pipeline,
        /// The number of variables when an element begins.
        inside: usize,
    },
    /// A called template; `base` is its caller's.
    Template {
        base: usize,
    },
}

/// The remaining values of a `range`.
enum Items<'a> {
    List(Value<'a>, usize),
    Words(Words<'a>, usize),
    Object(vec::IntoIter<(&'a str, &'a Json)>),
    Count(i64, i64),
}

impl<'a> Items<'a> {
    fn next(&mut self) -> Option<(Value<'a>, Value<'a>)> {
        match self {
            Self::List(list, at) => {
                let element = list.element(*at)?;
                *at += 1;
                Some((Value::integer(*at - 1), element))
            }
            Self::Words(words, at) => {
                let word = words.get(*at)?.clone();
                *at += 1;
                Some((Value::integer(*at - 1), Value::Text(word)))
            }
            Self::Object(entries) => entries
                .next()
                .map(|(key, value)| (Value::Text(Text::Borrowed(key)), Value::of(value))),
            Self::Count(at, end) => {
                let value = Value::Number(Number::Constant(*at));
                (*at < *end).then(|| *at += 1)?;
                Some((value.clone(), value))
            }
        }
    }
}

impl<'a> Machine<'a> {
    fn run(&mut self) -> Outcome<()> {
        while let Some(frame) = self.frames.last_mut() {
            let node = frame.nodes.get(frame.next);
            frame.next += 1;
            match node {
                Some(node) => {
                    self.step(1)?;
                    self.node(node)?;
                }
                None => self.end()?,
            }
        }
        Ok(())
    }

    pub fn error<T>(&self, span: &Span, message: impl Into<String>) -> Outcome<T> {
        Err(RenderError { span: span.clone(), message: message.into() })
    }

    /// Counts work.
    pub fn step(&mut self, count: usize) -> Outcome<()> {
        let before = self.steps;
        self.steps = self.steps.saturating_add(count);
        if self.steps > self.limits.steps {
            return self.error(&self.place, "the template does too much work: it was stopped");
        }
        if before / PATIENCE != self.steps / PATIENCE && (self.limits.cancelled)() {
            return self.error(&self.place, "cancelled");
        }
        Ok(())
    }

    /// The number of bytes left to produce.
    pub fn room(&self) -> usize {
        self.limits.memory.saturating_sub(self.made)
    }

    /// Counts produced bytes.
    pub fn make(&mut self, bytes: usize) -> Outcome<()> {
        if bytes > self.room() {
            return self.too_long();
        }
        self.made += bytes;
        self.step(bytes / 64)
    }

    pub fn too_long<T>(&self) -> Outcome<T> {
        self.error(
            &self.place,
            format!(
                "the template produces more than {} bytes of text: it was stopped",
                self.limits.memory
            ),
        )
    }

    pub fn write(&mut self, text: &str) -> Outcome<()> {
        if self.out.len() + text.len() > self.limits.output {
            return self.error(
                &self.place,
                format!("the text grows longer than {} bytes: it was stopped", self.limits.output),
            );
        }
        self.out.push_str(text);
        self.step(text.len() / 64)
    }

    /// Prints `<no value>`.
    pub fn note_missing(&mut self, span: &Span) {
        if self.known_missing.insert((span.start, span.end)) {
            self.missing.push(span.clone());
        }
    }

    pub fn variable(&mut self, name: &str, span: &Span) -> Outcome<Value<'a>> {
        let at = self.find(name, span)?;
        Ok(self.variables.get(at).map_or(Value::Missing, |variable| variable.value.clone()))
    }

    /// The last variable with this name.
    fn find(&mut self, name: &str, span: &Span) -> Outcome<usize> {
        let visible = self.variables.get(self.base..).unwrap_or_default();
        let Some(index) = visible.iter().rposition(|variable| variable.name == name) else {
            return self.error(span, format!("undefined variable \"{name}\""));
        };
        self.step((visible.len() - index) / 16)?;
        Ok(self.base + index)
    }

    /// Assigns a pipeline's variables.
    pub fn declare(&mut self, pipeline: &'a Pipeline, value: &Value<'a>) -> Outcome<()> {
        for name in &pipeline.declarations {
            if pipeline.assigns {
                self.assign(&name.text, &name.span, value.clone())?;
            } else {
                self.variables.push(Variable { name: &name.text, value: value.clone() });
            }
        }
        Ok(())
    }

    fn assign(&mut self, name: &str, span: &Span, value: Value<'a>) -> Outcome<()> {
        let at = self.find(name, span)?;
        if let Some(variable) = self.variables.get_mut(at) {
            variable.value = value;
        }
        Ok(())
    }

    fn push(
        &mut self,
        nodes: &'a [Node],
        dot: Value<'a>,
        mark: usize,
        kind: Kind<'a>,
    ) -> Outcome<()> {
        if self.frames.len() >= MOST_FRAMES {
            return self.error(
                &self.place,
                format!("exceeded maximum template depth ({})", self.templates),
            );
        }
        self.frames.push(Frame { nodes, next: 0, dot, mark, kind });
        Ok(())
    }

    fn node(&mut self, node: &'a Node) -> Outcome<()> {
        match node {
            Node::Text(span) => {
                self.place = span.clone();
                self.write(self.text.get(span.clone()).unwrap_or(""))
            }
            Node::Comment(_) => Ok(()),
            Node::Definition(definition) => match &definition.argument {
                None => Ok(()),
                Some(argument) => {
                    self.call(&definition.name.value, &definition.name.span, Some(argument))
                }
            },
            Node::Call(call) => {
                self.call(&call.name.value, &call.name.span, call.argument.as_ref())
            }
            Node::Output { pipeline, .. } => self.output(pipeline),
            Node::Branch(branch) => self.branch(branch),
            Node::Break(_) => {
                self.leave_loop(true);
                Ok(())
            }
            Node::Continue(_) => {
                self.leave_loop(false);
                Ok(())
            }
            Node::Broken(action) => self.error(&action.span, "unexpected action"),
        }
    }

    fn dot(&self) -> Value<'a> {
        self.frames.last().map_or(Value::Missing, |frame| frame.dot.clone())
    }

    fn output(&mut self, pipeline: &'a Pipeline) -> Outcome<()> {
        let dot = self.dot();
        let value = self.pipeline(pipeline, &dot)?;
        if !pipeline.declarations.is_empty() {
            return Ok(());
        }
        match &value {
            Value::Missing | Value::Null => {
                self.note_missing(&pipeline.span);
                self.write("<no value>")
            }
            Value::Text(text) => self.write(text),
            value => {
                let left = self.limits.output.saturating_sub(self.out.len());
                match print::print(std::slice::from_ref(value), left) {
                    Ok(text) => self.write(&text),
                    Err(_) => self.error(
                        &pipeline.span,
                        format!(
                            "the text grows longer than {} bytes: it was stopped",
                            self.limits.output
                        ),
                    ),
                }
            }
        }
    }

    fn call(&mut self, name: &'a str, span: &Span, argument: Option<&'a Pipeline>) -> Outcome<()> {
        self.place = span.clone();
        let Some(definition) = self.definitions.get(name).copied() else {
            return self
                .error(span, format!("template {} not defined", escape::quote(name, false)));
        };
        if self.templates == DEEPEST {
            return self.error(span, format!("exceeded maximum template depth ({DEEPEST})"));
        }
        let dot = match argument {
            Some(pipeline) => {
                let dot = self.dot();
                self.pipeline(pipeline, &dot)?
            }
            None => Value::Missing,
        };
        // Variables declared by the argument stay visible in the caller.
        let mark = self.variables.len();
        let base = std::mem::replace(&mut self.base, mark);
        self.variables.push(Variable { name: "$", value: dot.clone() });
        self.templates += 1;
        self.push(&definition.body, dot, mark, Kind::Template { base })
    }

    fn branch(&mut self, branch: &'a Branch) -> Outcome<()> {
        let mark = self.variables.len();
        let dot = self.dot();
        for arm in &branch.arms {
            let Some(condition) = &arm.condition else {
                let of_range = branch.keyword == BranchKeyword::Range;
                let kind = if of_range { Kind::Else } else { Kind::Body };
                return self.push(&arm.body, dot, mark, kind);
            };
            let value = self.pipeline(condition, &dot)?;
            match branch.keyword {
                BranchKeyword::Range => {
                    if let Some(items) = self.items(&value, condition)? {
                        let inside = self.variables.len();
                        self.push(
                            &arm.body,
                            dot,
                            mark,
                            Kind::Loop { items, pipeline: condition, inside },
                        )?;
                        // The end of a body takes the next element, so the first one is taken here
                        // too.
                        return self.end();
                    }
                }
                BranchKeyword::If if value.truth() => {
                    return self.push(&arm.body, dot, mark, Kind::Body);
                }
                BranchKeyword::With if value.truth() => {
                    return self.push(&arm.body, value, mark, Kind::Body);
                }
                BranchKeyword::If | BranchKeyword::With => {}
            }
        }
        self.variables.truncate(mark);
        Ok(())
    }

    /// The values to visit; `None` if there are none.
    fn items(&mut self, value: &Value<'a>, pipeline: &Pipeline) -> Outcome<Option<Items<'a>>> {
        let shown = || match value {
            Value::Text(text) if text.len() <= 100 => escape::quote(text, false),
            Value::Text(_) => "a string".to_owned(),
            value => print::print(std::slice::from_ref(value), 100).unwrap_or_default(),
        };
        let items = match value {
            Value::Missing | Value::Null => return Ok(None),
            Value::List(items) => (!items.is_empty()).then(|| Items::List(value.clone(), 0)),
            Value::Words(words) => (!words.is_empty()).then(|| Items::Words(words.clone(), 0)),
            Value::Object(map) => {
                self.make(map.len() * size_of::<(&str, &Json)>())?;
                (!map.is_empty()).then(|| Items::Object(sorted(map).into_iter()))
            }
            Value::Number(Number::Constant(_) | Number::Byte(_))
                if pipeline.declarations.len() > 1 =>
            {
                return self.error(
                    &place(pipeline),
                    format!("can't use {} to iterate over more than one variable", shown()),
                );
            }
            Value::Number(number @ (Number::Constant(_) | Number::Byte(_))) => {
                let count =
                    number.integer().and_then(|count| i64::try_from(count).ok()).unwrap_or(0);
                (count > 0).then_some(Items::Count(0, count))
            }
            _ => {
                return self
                    .error(&place(pipeline), format!("range can't iterate over {}", shown()));
            }
        };
        Ok(items)
    }

    /// The nodes of the innermost frame are done.
    fn end(&mut self) -> Outcome<()> {
        let Some(frame) = self.frames.last_mut() else { return Ok(()) };
        if let Kind::Loop { items, pipeline, inside } = &mut frame.kind {
            self.variables.truncate(*inside);
            if let Some((index, element)) = items.next() {
                (frame.next, frame.dot) = (0, element.clone());
                let pipeline = *pipeline;
                self.place = pipeline.span.clone();
                self.step(1)?;
                return self.bind(pipeline, index, element);
            }
        }
        if let Some(frame) = self.frames.pop() {
            self.variables.truncate(frame.mark);
            if let Kind::Template { base } = frame.kind {
                self.base = base;
                self.templates -= 1;
            }
        }
        Ok(())
    }

    /// The variables of a `range`: index and element, or only the element.
    fn bind(
        &mut self,
        pipeline: &'a Pipeline,
        index: Value<'a>,
        element: Value<'a>,
    ) -> Outcome<()> {
        let values = match pipeline.declarations.len() {
            0 => return Ok(()),
            1 => vec![element],
            _ => vec![index, element],
        };
        let count = values.len();
        for (number, (name, value)) in pipeline.declarations.iter().zip(values).enumerate() {
            if pipeline.assigns {
                self.assign(&name.text, &name.span, value)?;
            } else if let Some(variable) = (self.variables.len() + number)
                .checked_sub(count)
                .and_then(|at| self.variables.get_mut(at))
            {
                variable.value = value;
            }
        }
        Ok(())
    }

    /// `break` or `continue`: leaves the frames inside the loop, and for `break` the loop itself.
    fn leave_loop(&mut self, for_good: bool) {
        while let Some(frame) = self.frames.last_mut() {
            frame.next = frame.nodes.len();
            match &mut frame.kind {
                Kind::Loop { items, .. } => {
                    if for_good {
                        *items = Items::Count(0, 0);
                    }
                    return;
                }
                Kind::Template { .. } => return,
                Kind::Else if for_good => return,
                Kind::Body | Kind::Else => {
                    let mark = frame.mark;
                    self.variables.truncate(mark);
                    self.frames.pop();
                }
            }
        }
    }
}

/// A pipeline without its variables.
fn place(pipeline: &Pipeline) -> Span {
    match (pipeline.commands.first(), pipeline.commands.last()) {
        (Some(first), Some(last)) => first.span.start..last.span.end,
        _ => pipeline.span.clone(),
    }
}
