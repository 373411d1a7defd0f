//! The inputs and functions that a body uses, by name.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::body::{Body, PlacedGroup};
use crate::template::node::{
    Branch, BranchKeyword, Command, Definition, Expression, ExpressionKind, Name, Node, Pipeline,
};

/// The dependencies of a program's template.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Reads {
    /// Dotted paths from the root of the input, in the order of first use; a list element is `[]`:
    /// `items[].name`. `.` is the whole input.
    pub variables: Vec<String>,
    /// Sorted.
    pub functions: BTreeSet<String>,
}

/// At most this many calls of defined templates are followed: they may be recursive.
const MOST_CALLS: usize = 1_000;
/// The maximum depth of calls.
const DEEPEST: usize = 16;

/// Everything that a body reads. Results of functions are unknown, so their fields are omitted.
pub fn reads(body: &Body) -> Reads {
    let mut walker = Walker::default();
    let contents = || body.groups().iter().flat_map(PlacedGroup::contents);
    for (_, content) in contents() {
        walker.define(&content.template.nodes);
    }
    for (_, content) in contents() {
        walker.nodes(&content.template.nodes, &Some(String::new()));
    }
    walker.found
}

/// The path of a value in the input; `None` for a computed one.
type Path = Option<String>;

#[derive(Default)]
struct Walker<'a> {
    found: Reads,
    known: HashSet<String>,
    variables: Vec<(&'a str, Path)>,
    /// The value of `$`, if it isn't the input.
    root: Option<Path>,
    definitions: HashMap<&'a str, &'a Definition>,
    called: HashSet<(&'a str, Path)>,
    depth: usize,
}

impl<'a> Walker<'a> {
    fn define(&mut self, nodes: &'a [Node]) {
        for node in nodes {
            match node {
                Node::Branch(branch) => branch.arms.iter().for_each(|arm| self.define(&arm.body)),
                Node::Definition(definition) => {
                    self.define(&definition.body);
                    self.definitions.entry(&definition.name.value).or_insert(definition);
                }
                _ => {}
            }
        }
    }

    fn nodes(&mut self, nodes: &'a [Node], dot: &Path) {
        for node in nodes {
            match node {
                Node::Output { pipeline, .. } => _ = self.pipeline(pipeline, dot),
                Node::Branch(branch) => self.branch(branch, dot),
                Node::Definition(Definition { name, argument: Some(argument), .. }) => {
                    let argument = self.pipeline(argument, dot);
                    self.call(&name.value, argument);
                }
                Node::Call(call) => {
                    let argument =
                        call.argument.as_ref().and_then(|argument| self.pipeline(argument, dot));
                    self.call(&call.name.value, argument);
                }
                _ => {}
            }
        }
    }

    fn branch(&mut self, branch: &'a Branch, dot: &Path) {
        let outer = self.variables.len();
        for arm in &branch.arms {
            let mut own = dot.clone();
            if let Some(condition) = &arm.condition {
                let path = self.pipeline(condition, dot);
                match branch.keyword {
                    BranchKeyword::If => {}
                    BranchKeyword::With => own = path,
                    BranchKeyword::Range => {
                        own = path.map(|path| format!("{path}[]"));
                        self.elements(condition, &own);
                    }
                }
            }
            let inner = self.variables.len();
            self.nodes(&arm.body, &own);
            self.variables.truncate(inner);
        }
        self.variables.truncate(outer);
    }

    /// The variables of `range $i, $x := …` are the index and the element.
    fn elements(&mut self, pipeline: &'a Pipeline, element: &Path) {
        for (index, name) in pipeline.declarations.iter().enumerate() {
            let is_element = index + 1 == pipeline.declarations.len();
            self.set(&name.text, if is_element { element.clone() } else { None });
        }
    }

    fn set(&mut self, name: &str, path: Path) {
        if let Some((_, value)) = self.variables.iter_mut().rev().find(|(known, _)| *known == name)
        {
            *value = path;
        }
    }

    /// The reads of a defined template, given its argument.
    fn call(&mut self, name: &'a str, argument: Path) {
        let Some(definition) = self.definitions.get(name).copied() else { return };
        let new = self.called.len() < MOST_CALLS
            && self.depth < DEEPEST
            && self.called.insert((name, argument.clone()));
        if !new {
            return;
        }
        let variables = std::mem::take(&mut self.variables);
        let root = self.root.replace(argument.clone());
        self.depth += 1;
        self.nodes(&definition.body, &argument);
        self.depth -= 1;
        (self.variables, self.root) = (variables, root);
    }

    fn pipeline(&mut self, pipeline: &'a Pipeline, dot: &Path) -> Path {
        let mut path = None;
        for command in &pipeline.commands {
            path = self.command(command, dot);
        }
        let path = path.filter(|_| pipeline.commands.len() == 1);
        for name in &pipeline.declarations {
            match pipeline.assigns {
                true => self.set(&name.text, path.clone()),
                false => self.variables.push((&name.text, path.clone())),
            }
        }
        path
    }

    fn command(&mut self, command: &'a Command, dot: &Path) -> Path {
        let (first, arguments) = command.words.split_first()?;
        if let (ExpressionKind::Function(name), Some((base, keys))) =
            (&first.kind, arguments.split_first())
            && name == "index"
        {
            self.found.functions.insert(name.clone());
            let mut path = self.place(base, dot);
            for key in keys {
                path = match (&key.kind, path) {
                    (ExpressionKind::String { value, .. }, Some(path)) => Some(join(&path, value)),
                    (_, path) => {
                        self.expression(key, dot);
                        path.map(|path| format!("{path}[]"))
                    }
                };
            }
            self.record(path.as_deref());
            return path;
        }
        let path = self.expression(first, dot);
        for word in arguments {
            self.expression(word, dot);
        }
        path.filter(|_| arguments.is_empty())
    }

    /// Reads an expression: its path is used.
    fn expression(&mut self, expression: &'a Expression, dot: &Path) -> Path {
        let path = self.place(expression, dot);
        if !matches!(expression.kind, ExpressionKind::Group(_)) {
            self.record(path.as_deref());
        }
        path
    }

    /// The target of an expression, without reading it.
    fn place(&mut self, expression: &'a Expression, dot: &Path) -> Path {
        match &expression.kind {
            ExpressionKind::Dot => dot.clone(),
            ExpressionKind::Field(fields) => fields_of(dot.clone(), fields),
            ExpressionKind::Variable { name, fields } => {
                fields_of(self.variable(&name.text), fields)
            }
            ExpressionKind::Group(pipeline) => self.pipeline(pipeline, dot),
            ExpressionKind::Chain { base, fields } => fields_of(self.place(base, dot), fields),
            ExpressionKind::Function(name) => {
                self.found.functions.insert(name.clone());
                None
            }
            _ => None,
        }
    }

    fn variable(&self, name: &str) -> Path {
        match name {
            "$" => self.root.clone().unwrap_or_else(|| Some(String::new())),
            _ => self
                .variables
                .iter()
                .rev()
                .find(|(known, _)| *known == name)
                .and_then(|(_, path)| path.clone()),
        }
    }

    fn record(&mut self, path: Option<&str>) {
        let Some(path) = path else { return };
        let path = if path.is_empty() { "." } else { path };
        if self.known.insert(path.to_owned()) {
            self.found.variables.push(path.to_owned());
        }
    }
}

fn fields_of(base: Path, fields: &[Name]) -> Path {
    // A field that is still being typed has no name.
    fields
        .iter()
        .filter(|field| !field.text.is_empty())
        .fold(base, |path, field| Some(join(&path?, &field.text)))
}

fn join(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
}
