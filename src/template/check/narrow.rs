//! Derives facts from conditions: inside `if .user.name` there is a user, and it has a name.

use rustc_hash::{FxHashMap, FxHashSet};

use super::subject::{Literal, NOWHERE, Path, Subject};
use super::walk::Checker;
use crate::template::node::{Command, Expression, ExpressionKind, Node, Pipeline};
use crate::template::types::{Lookup, Type};

/// Paths of fields, each with a number.
#[derive(Debug, Default)]
pub(super) struct Paths<'a> {
    known: FxHashMap<(Path, Step<'a>), Path>,
    lengths: FxHashMap<Path, Vec<(usize, Path)>>,
    parents: Vec<Path>,
}

impl<'a> Paths<'a> {
    /// A root that doesn't derive from another path.
    pub fn fresh(&mut self) -> Path {
        self.add(NOWHERE)
    }

    fn add(&mut self, parent: Path) -> Path {
        let path = Path::try_from(self.parents.len()).unwrap_or(NOWHERE);
        self.parents.push(parent);
        path
    }

    /// The path of a field of the value at this path.
    pub fn field(&mut self, of: Path, name: &'a str) -> Path {
        self.step(of, Step::Field(name))
    }

    /// The path of an element, if its index is a constant or comes from somewhere.
    pub fn element(&mut self, of: Path, index: &Subject) -> Path {
        match index.literal {
            Some(Literal::Number(number)) => match number.integer {
                Some(index) => self.step(of, Step::Element(index)),
                None => NOWHERE,
            },
            _ if index.path == NOWHERE => NOWHERE,
            _ => self.step(of, Step::Computed(index.path)),
        }
    }

    pub fn step(&mut self, of: Path, step: Step<'a>) -> Path {
        if of == NOWHERE {
            return NOWHERE;
        }
        match self.known.get(&(of, step)) {
            Some(path) => *path,
            None => {
                let path = self.add(of);
                self.known.insert((of, step), path);
                path
            }
        }
    }

    /// Represents the fact that the value at this path has at least this many elements or
    /// characters.
    fn length(&mut self, of: Path, least: usize) -> Path {
        if of == NOWHERE {
            return NOWHERE;
        }
        let known = self.lengths.get(&of).and_then(|all| all.iter().find(|(n, _)| *n == least));
        if let Some((_, path)) = known {
            return *path;
        }
        let path = self.add(of);
        self.lengths.entry(of).or_default().push((least, path));
        path
    }

    fn parent(&self, path: Path) -> Path {
        self.parents.get(path as usize).copied().unwrap_or(NOWHERE)
    }
}

/// A part of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Step<'a> {
    Field(&'a str),
    Element(i64),
    /// At the index, or the key, that is the value at this path.
    Computed(Path),
}

/// What a condition says about a value.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Fact {
    /// It exists.
    Present(Path),
    /// It has this type, of several that the schema allows.
    Shape(Path, Type),
}

/// Paths at which a value certainly exists, and other facts about values.
#[derive(Debug, Default)]
pub(super) struct Facts {
    present: FxHashSet<Path>,
    shapes: Vec<(Path, Type)>,
    trail: Vec<Learned>,
}

#[derive(Debug)]
enum Learned {
    Present(Path),
    Shape,
}

impl Facts {
    pub fn is_present(&self, path: Path) -> bool {
        !self.trail.is_empty() && self.present.contains(&path)
    }

    /// The type that conditions leave for the value at this path.
    pub fn shape(&self, path: Path) -> Option<&Type> {
        self.shapes.iter().rev().find(|(known, _)| *known == path).map(|(_, kind)| kind)
    }

    /// How many elements or characters the value at this path has at least.
    pub fn length(&self, paths: &Paths, of: Path) -> usize {
        let known = paths.lengths.get(&of).into_iter().flatten();
        known
            .filter(|(_, path)| self.is_present(*path))
            .map(|(least, _)| *least)
            .max()
            .unwrap_or_default()
    }

    /// If a value exists, so do its parents.
    pub fn assume(&mut self, paths: &Paths, facts: &[Fact]) {
        for fact in facts {
            match fact {
                Fact::Present(path) => {
                    let mut path = *path;
                    while path != NOWHERE && self.present.insert(path) {
                        self.trail.push(Learned::Present(path));
                        path = paths.parent(path);
                    }
                }
                Fact::Shape(path, kind) => {
                    self.shapes.push((*path, kind.clone()));
                    self.trail.push(Learned::Shape);
                }
            }
        }
    }

    pub fn mark(&self) -> usize {
        self.trail.len()
    }

    pub fn undo(&mut self, mark: usize) {
        for step in self.trail.drain(mark.min(self.trail.len())..).rev() {
            match step {
                Learned::Present(path) => {
                    self.present.remove(&path);
                }
                Learned::Shape => {
                    self.shapes.pop();
                }
            }
        }
    }
}

/// An argument of a function: written after its name, or piped to it.
#[derive(Clone, Copy)]
pub(super) enum Argument<'a> {
    Written(&'a Expression),
    Piped(&'a [Command]),
}

impl<'a> Checker<'a> {
    /// The facts that follow if a condition is true, or if it is false.
    pub fn facts_of(&mut self, condition: &'a Pipeline, holds: bool) -> Vec<Fact> {
        self.command_facts(&condition.commands, holds)
    }

    pub fn argument_facts(&mut self, argument: Argument<'a>, holds: bool) -> Vec<Fact> {
        match argument {
            Argument::Written(expression) => self.expression_facts(expression, holds),
            Argument::Piped(commands) => self.command_facts(commands, holds),
        }
    }

    fn command_facts(&mut self, commands: &'a [Command], holds: bool) -> Vec<Fact> {
        let Some((last, before)) = commands.split_last() else { return Vec::new() };
        let Some((first, rest)) = last.words.split_first() else { return Vec::new() };
        let ExpressionKind::Function(name) = &first.kind else {
            return if before.is_empty() && rest.is_empty() {
                self.expression_facts(first, holds)
            } else {
                Vec::new()
            };
        };
        if name == "index" && before.is_empty() && holds {
            let path = self.command_path(last);
            return path.map_or_else(Vec::new, |path| self.filled(path));
        }
        let mut arguments: Vec<Argument> = rest.iter().map(Argument::Written).collect();
        if !before.is_empty() {
            arguments.push(Argument::Piped(before));
        }
        self.call_facts(name, &arguments, holds)
    }

    fn expression_facts(&mut self, expression: &'a Expression, holds: bool) -> Vec<Fact> {
        match &expression.kind {
            ExpressionKind::Group(pipeline) => self.facts_of(pipeline, holds),
            ExpressionKind::Function(name) => self.call_facts(name, &[], holds),
            _ if holds => self.path_of(expression).map_or_else(Vec::new, |path| self.filled(path)),
            _ => Vec::new(),
        }
    }

    fn call_facts(&mut self, name: &str, arguments: &[Argument<'a>], holds: bool) -> Vec<Fact> {
        match (name, arguments) {
            ("not", [only]) => self.argument_facts(*only, !holds),
            ("and" | "or", [only]) => self.argument_facts(*only, holds),
            ("and", all) if holds => {
                all.iter().flat_map(|argument| self.argument_facts(*argument, true)).collect()
            }
            ("or", all) if !holds => {
                all.iter().flat_map(|argument| self.argument_facts(*argument, false)).collect()
            }
            ("and" | "or", [first, rest @ ..]) => {
                // One of the arguments was decisive, but it's unknown which.
                let mut common = self.argument_facts(*first, holds);
                for argument in rest {
                    let facts = self.argument_facts(*argument, holds);
                    common.retain(|path| facts.contains(path));
                }
                common
            }
            ("eq", [_, _, ..]) | ("ne", [_, _]) => {
                let equal = holds == (name == "eq");
                let mut found = if equal || arguments.len() == 2 {
                    self.equality_facts(arguments, !equal)
                } else {
                    Vec::new()
                };
                found.extend(self.shape_facts(arguments, equal));
                if let [left, right] = arguments {
                    found.extend(self.compared("eq", *left, *right, equal));
                }
                found
            }
            // They fail on missing values.
            (
                "lt" | "le" | "gt" | "ge" | "len" | "upper" | "lower" | "title" | "slice" | "split",
                all,
            ) => {
                let paths = all.iter().filter_map(|argument| self.argument_path(*argument));
                let mut found: Vec<Fact> = paths.map(Fact::Present).collect();
                match (name, all) {
                    ("len", [of]) if holds => found.extend(self.length_fact(*of, 1)),
                    (_, [left, right]) => found.extend(self.compared(name, *left, *right, holds)),
                    _ => {}
                }
                found
            }
            _ => Vec::new(),
        }
    }

    /// A value that equals a constant exists; so does one that does not equal `nil`.
    fn equality_facts(&mut self, arguments: &[Argument<'a>], nil: bool) -> Vec<Fact> {
        let literals: Vec<Option<Literal>> =
            arguments.iter().map(|argument| literal_of(*argument)).collect();
        let matches = |literal: &Option<Literal>| {
            literal.is_some_and(|literal| matches!(literal, Literal::Nil) == nil)
        };
        let mut found = Vec::new();
        if let (Some(first), [_, others @ ..]) = (arguments.first(), literals.as_slice())
            && !others.is_empty()
            && others.iter().all(matches)
        {
            found.extend(self.argument_path(*first).map(Fact::Present));
        }
        if let ([_, second], [first, _]) = (arguments, literals.as_slice())
            && matches(first)
        {
            found.extend(self.argument_path(*second).map(Fact::Present));
        }
        found
    }

    /// Comparing a value with constants may rule out some shapes of an object: the fields that all
    /// remaining shapes have then exist.
    fn shape_facts(&mut self, arguments: &[Argument<'a>], equal: bool) -> Vec<Fact> {
        let Some((first, others)) = arguments.split_first() else { return Vec::new() };
        let constants = |arguments: &[Argument<'a>]| {
            arguments
                .iter()
                .map(|argument| literal_of(*argument)?.value())
                .collect::<Option<Vec<_>>>()
        };
        let (compared, values) = match (constants(others), others) {
            (Some(values), _) => (*first, values),
            (None, [second]) => match constants(&[*first]) {
                Some(values) => (*second, values),
                None => return Vec::new(),
            },
            _ => return Vec::new(),
        };
        let Argument::Written(expression) = compared else { return Vec::new() };
        let (of, path, names) = match &expression.kind {
            ExpressionKind::Field(names) => (self.dot.kind.clone(), self.dot.path, names),
            ExpressionKind::Variable { name, fields } => match self.variable(&name.text) {
                Some(slot) => (slot.kind.clone(), slot.path, fields),
                None => return Vec::new(),
            },
            _ => return Vec::new(),
        };
        let Some((key, holders)) = names.split_last() else { return Vec::new() };
        let (mut of, mut path) = (of, path);
        for name in holders {
            let Lookup::Declared(kind) = self.types.lookup(&of, &name.text) else {
                return Vec::new();
            };
            path = self.paths.field(path, &name.text);
            of = self.facts.shape(path).cloned().unwrap_or(kind);
            of = if self.facts.is_present(path) { of.present() } else { of };
        }
        if path == NOWHERE || !equal && (of.may_be_missing() || of.may_be_null()) {
            return Vec::new();
        }
        let types = self.types;
        let Some((shape, names)) = types.distinguished(&of, &key.text, &values, equal) else {
            return Vec::new();
        };
        let fields = names.into_iter().map(|name| Fact::Present(self.paths.field(path, name)));
        fields.chain([Fact::Shape(path, shape)]).collect()
    }

    /// A value that is true exists, and has an element or a character if it can have any.
    fn filled(&mut self, path: Path) -> Vec<Fact> {
        vec![Fact::Present(path), Fact::Present(self.paths.length(path, 1))]
    }

    fn length_fact(&mut self, of: Argument<'a>, least: usize) -> Option<Fact> {
        let path = self.argument_path(of)?;
        (least > 0).then(|| Fact::Present(self.paths.length(path, least)))
    }

    /// `gt (len .items) 2`
    fn compared(
        &mut self,
        name: &str,
        left: Argument<'a>,
        right: Argument<'a>,
        holds: bool,
    ) -> Option<Fact> {
        // As if the length came first.
        let (measured, constant, name) = match (literal_of(left), literal_of(right)) {
            (None, Some(constant)) => (left, constant, name),
            (Some(constant), None) => {
                let turned = match name {
                    "lt" => "gt",
                    "le" => "ge",
                    "gt" => "lt",
                    "ge" => "le",
                    other => other,
                };
                (right, constant, turned)
            }
            _ => return None,
        };
        let Literal::Number(number) = constant else { return None };
        let number = usize::try_from(number.integer?).ok()?;
        let least = match (name, holds) {
            ("gt", true) | ("le", false) => number.checked_add(1)?,
            ("ge", true) | ("lt", false) | ("eq", true) => number,
            ("eq", false) if number == 0 => 1,
            _ => return None,
        };
        self.length_fact(length_of(measured)?, least)
    }

    fn argument_path(&mut self, argument: Argument<'a>) -> Option<Path> {
        match argument {
            Argument::Written(expression) => self.path_of(expression),
            Argument::Piped([command]) => match command.words.as_slice() {
                [only] => self.path_of(only),
                _ => None,
            },
            Argument::Piped(_) => None,
        }
    }

    /// The path that an expression reads, if it is a path.
    fn path_of(&mut self, expression: &'a Expression) -> Option<Path> {
        let (mut path, names) = match &expression.kind {
            ExpressionKind::Dot => (self.dot.path, [].as_slice()),
            ExpressionKind::Field(names) => (self.dot.path, names.as_slice()),
            ExpressionKind::Variable { name, fields } => {
                (self.variable(&name.text)?.path, fields.as_slice())
            }
            ExpressionKind::Chain { base, fields } => (self.path_of(base)?, fields.as_slice()),
            ExpressionKind::Group(pipeline) => {
                match (pipeline.declarations.is_empty(), pipeline.commands.as_slice()) {
                    (true, [command]) => (self.command_path(command)?, [].as_slice()),
                    _ => return None,
                }
            }
            _ => return None,
        };
        for name in names {
            path = self.paths.field(path, &name.text);
        }
        (path != NOWHERE).then_some(path)
    }

    /// `.user.name`, `index .user "name"` or `index .users 0`.
    fn command_path(&mut self, command: &'a Command) -> Option<Path> {
        match command.words.as_slice() {
            [only] => self.path_of(only),
            [first, base, keys @ ..] if matches!(&first.kind, ExpressionKind::Function(name) if name == "index") =>
            {
                let mut path = self.path_of(base)?;
                for key in keys {
                    let step = match (&key.kind, literal(key)) {
                        (ExpressionKind::String { value, .. }, _) => Step::Field(value),
                        (_, Some(Literal::Number(number))) => Step::Element(number.integer?),
                        _ => Step::Computed(self.path_of(key)?),
                    };
                    path = self.paths.step(path, step);
                }
                Some(path)
            }
            _ => None,
        }
    }
}

/// The value whose length an argument is: `(len .items)`.
fn length_of(argument: Argument<'_>) -> Option<Argument<'_>> {
    let commands = match argument {
        Argument::Written(Expression { kind: ExpressionKind::Group(pipeline), .. }) => {
            pipeline.commands.as_slice()
        }
        Argument::Written(_) => return None,
        Argument::Piped(commands) => commands,
    };
    let is_len =
        |word: &Expression| matches!(&word.kind, ExpressionKind::Function(name) if name == "len");
    match commands {
        [Command { words, .. }] => match words.as_slice() {
            [first, of] if is_len(first) => Some(Argument::Written(of)),
            _ => None,
        },
        [of @ .., Command { words, .. }] => match words.as_slice() {
            [first] if is_len(first) => Some(Argument::Piped(of)),
            _ => None,
        },
        [] => None,
    }
}

fn literal_of(argument: Argument<'_>) -> Option<Literal<'_>> {
    let expression = match argument {
        Argument::Written(expression) => expression,
        Argument::Piped([Command { words, .. }]) if words.len() == 1 => words.first()?,
        Argument::Piped(_) => return None,
    };
    literal(expression)
}

/// A constant.
pub(super) fn literal(expression: &Expression) -> Option<Literal<'_>> {
    match &expression.kind {
        ExpressionKind::String { value, .. } => Some(Literal::Text(value)),
        ExpressionKind::Number(number) => Some(Literal::Number(*number)),
        ExpressionKind::Bool(value) => Some(Literal::Bool(*value)),
        ExpressionKind::Nil => Some(Literal::Nil),
        _ => None,
    }
}

/// Whether the nodes always end in `break` or `continue`.
pub(super) fn leaves(nodes: &[Node]) -> bool {
    nodes.iter().any(|node| match node {
        Node::Break(_) | Node::Continue(_) => true,
        Node::Branch(branch) => {
            let covered = branch.arms.last().is_some_and(|arm| arm.condition.is_none());
            covered
                && branch.keyword != crate::template::node::BranchKeyword::Range
                && branch.arms.iter().all(|arm| leaves(&arm.body))
        }
        _ => false,
    })
}

/// The variables that nodes assign.
pub(super) fn assigned<'a>(nodes: &'a [Node], found: &mut Vec<&'a str>) {
    let pipeline = |pipeline: &'a Pipeline, found: &mut Vec<&'a str>| {
        for name in pipeline.declarations.iter().filter(|_| pipeline.assigns) {
            if !found.contains(&name.text.as_str()) {
                found.push(&name.text);
            }
        }
    };
    for node in nodes {
        match node {
            Node::Output { pipeline: written, .. } => pipeline(written, found),
            Node::Branch(branch) => {
                for arm in &branch.arms {
                    arm.condition.iter().for_each(|condition| pipeline(condition, found));
                    assigned(&arm.body, found);
                }
            }
            _ => {}
        }
    }
}
