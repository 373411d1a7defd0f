//! Visits the nodes of a template and tracks the types of `.` and the variables.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::checked::{Checked, Definition as Defined, Origin, Scope, TemplateCall, Variable};
use super::problem::{Effect, Problem, ProblemKind};
use super::subject::{Path, Subject};
use super::wanted::Needs;
use super::{Environment, narrow};
use crate::steps::Steps;
use crate::template::error::SyntaxError;
use crate::template::function::Kinds;
use crate::template::node::{
    Action, Branch, BranchKeyword, Definition, Node, Pipeline, Quoted, Template,
};
use crate::template::types::{Type, Types};
use crate::text::Span;

/// At most this many errors inside one action are scanned for the one that covers it.
const NEAR: usize = 16;

pub(super) struct Checker<'a> {
    pub types: &'a Types,
    environment: &'a Environment,
    errors: &'a [SyntaxError],
    pub checked: Checked,
    pub slots: Vec<Slot<'a>>,
    /// The slots visible under a name, innermost last.
    names: FxHashMap<&'a str, Vec<usize>>,
    pub paths: narrow::Paths<'a>,
    pub facts: narrow::Facts,
    pub needs: Needs<'a>,
    /// The values that assignments overwrote.
    assigned: Vec<(usize, Type, Path)>,
    pub dot: Dot,
    pub action: Span,
    /// The action has a syntax error, so nothing else is reported in it.
    broken: bool,
    /// A dry pass over a loop, to find its assignments.
    dry: bool,
    /// The number of enclosing branches and definitions.
    depth: usize,
    /// The innermost definition.
    within: Option<&'a str>,
    look: Option<Look>,
    pub steps: Steps<'a>,
}

/// The value that a variable is left with, by its index: a type, and its origin.
type Left = (usize, Type, Path);

/// A variable.
pub(super) struct Slot<'a> {
    pub name: &'a str,
    pub kind: Type,
    pub path: Path,
    /// Its index in [`Checked::variables`], once recorded.
    record: Option<usize>,
    outer: bool,
}

#[derive(Debug, Clone)]
pub(super) struct Dot {
    pub kind: Type,
    pub path: Path,
}

/// The requested offset.
struct Look {
    offset: usize,
    scope: Option<Scope>,
}

impl<'a> Checker<'a> {
    pub fn new(
        template: &'a Template,
        types: &'a Types,
        environment: &'a Environment,
        steps: Steps<'a>,
    ) -> Self {
        let mut checker = Self {
            types,
            environment,
            errors: &template.errors,
            checked: Checked::default(),
            slots: Vec::new(),
            names: FxHashMap::default(),
            paths: narrow::Paths::default(),
            facts: narrow::Facts::default(),
            needs: Needs::default(),
            assigned: Vec::new(),
            dot: Dot { kind: types.root(), path: 0 },
            action: 0..0,
            broken: false,
            dry: false,
            depth: 0,
            within: None,
            look: None,
            steps,
        };
        let path = checker.paths.fresh();
        checker.dot.path = path;
        checker.slot("$", types.root(), path, true);
        for (name, kind) in &*environment.variables {
            let path = checker.paths.fresh();
            checker.slot(name, kind.clone(), path, true);
        }
        checker
    }

    pub fn look_at(&mut self, offset: usize) {
        self.look = Some(Look { offset, scope: None });
        self.snapshot(&(0..usize::MAX));
    }

    pub fn template(&mut self, template: &'a Template) {
        self.nodes(&template.nodes, &(0..usize::MAX));
        let unchanged =
            self.assigned.is_empty() && self.slots.len() == self.environment.variables.len() + 1;
        self.checked.outer = match unchanged {
            true => Arc::clone(&self.environment.variables),
            false => {
                let latest =
                    |(at, slot): &(usize, &Slot)| *at > 0 && self.visible(slot.name) == Some(*at);
                let visible = self.slots.iter().enumerate().filter(latest);
                visible.map(|(_, slot)| (slot.name.to_owned(), slot.kind.clone())).collect()
            }
        };
    }

    /// The result, or `None` if cancelled.
    pub fn finish(mut self) -> Option<Checked> {
        let uses = self.checked.uses.iter();
        let mut meant: Vec<u32> = uses.flat_map(|used| used.kind.declarations()).copied().collect();
        meant.sort_unstable();
        meant.dedup();
        self.checked.declarations = meant;
        self.note_wanted();
        (!self.steps.is_cancelled()).then_some(self.checked)
    }

    pub fn into_scope(self) -> Scope {
        let root = self.types.root();
        let found = self.look.and_then(|look| look.scope);
        found
            .unwrap_or_else(|| Scope { variables: vec![("$".to_owned(), root.clone())], dot: root })
    }

    /// Records the scope if the requested offset is in the region.
    fn snapshot(&mut self, region: &Span) {
        let Some(look) = &self.look else { return };
        if region.start <= look.offset && look.offset <= region.end {
            let shaped = |kind: &Type, path| self.facts.shape(path).unwrap_or(kind).clone();
            let variables = self
                .slots
                .iter()
                .map(|slot| (slot.name.to_owned(), shaped(&slot.kind, slot.path)))
                .collect();
            let scope = Scope { dot: shaped(&self.dot.kind, self.dot.path), variables };
            if let Some(look) = &mut self.look {
                look.scope = Some(scope);
            }
        }
    }

    pub fn problem(&mut self, span: Span, kind: ProblemKind) {
        if !self.broken && !self.dry {
            self.checked.problems.push(Problem { span, action: self.action.clone(), kind });
        }
    }

    pub fn is_dry(&self) -> bool {
        self.dry
    }

    fn enter(&mut self, action: &Action) {
        self.action = action.span.clone();
        let before = self.errors.partition_point(|error| error.span.start < action.span.end);
        let near = self.errors.get(before.saturating_sub(NEAR)..before).unwrap_or_default();
        self.broken = !action.closed || near.iter().any(|error| action.span.start < error.span.end);
    }

    fn nodes(&mut self, nodes: &'a [Node], region: &Span) {
        let mut nodes = nodes.iter().peekable();
        while let Some(node) = nodes.next() {
            if self.steps.take(1).is_none() {
                return;
            }
            let end = self.node(node);
            // The scope after a node is recorded once: after the last node before the offset.
            if self
                .look
                .as_ref()
                .is_some_and(|look| nodes.peek().is_none_or(|next| next.span().end > look.offset))
            {
                self.snapshot(&(end..region.end));
            }
        }
    }

    /// Checks a node and returns where it ends.
    fn node(&mut self, node: &'a Node) -> usize {
        match node {
            Node::Text(span) => span.end,
            Node::Comment(action)
            | Node::Break(action)
            | Node::Continue(action)
            | Node::Broken(action) => action.span.end,
            Node::Output { action, pipeline } => {
                self.enter(action);
                let subject = self.declare(pipeline);
                if pipeline.declarations.is_empty() {
                    self.consume(&subject, Effect::NoValue);
                }
                action.span.end
            }
            Node::Call(call) => {
                self.enter(&call.action);
                self.call_template(&call.name, call.argument.as_ref());
                call.action.span.end
            }
            Node::Definition(definition) => {
                self.enter(&definition.action);
                if let Some(argument) = &definition.argument {
                    self.call_template(&definition.name, Some(argument));
                }
                self.definition(definition)
            }
            Node::Branch(branch) => self.branch(branch),
        }
    }

    fn call_template(&mut self, name: &'a Quoted, argument: Option<&'a Pipeline>) {
        let argument = argument.map(|argument| {
            let subject = self.declare(argument);
            self.need(&subject).into_iter().for_each(|need| need.unclear = true);
            subject.kind
        });
        if !self.dry {
            let argument = argument.unwrap_or_else(Type::any);
            self.checked.calls.push(TemplateCall {
                name: name.value.clone(),
                span: name.span.clone(),
                argument,
                within: self.within.map(str::to_owned),
            });
        }
    }

    /// A definition can't see the scope around it.
    fn definition(&mut self, definition: &'a Definition) -> usize {
        let end = definition.end.as_ref().map_or(usize::MAX, |end| end.span.start);
        let behind = definition.end.as_ref().map_or(usize::MAX, |end| end.span.end);
        if self.dry {
            return behind;
        }
        self.checked.definitions.push(Defined {
            name: definition.name.value.clone(),
            span: definition.name.span.clone(),
        });
        let kind = self
            .environment
            .definitions
            .get(&definition.name.value)
            .cloned()
            .unwrap_or_else(Type::any);
        let path = self.paths.fresh();
        let (slots, names) = (std::mem::take(&mut self.slots), std::mem::take(&mut self.names));
        let (assigned, facts) =
            (std::mem::take(&mut self.assigned), std::mem::take(&mut self.facts));
        let dot = std::mem::replace(&mut self.dot, Dot { kind: kind.clone(), path });
        self.slot("$", kind, path, false);
        self.depth += 1;
        let within = self.within.replace(&definition.name.value);
        let region = definition.action.span.end..end;
        self.snapshot(&region);
        self.nodes(&definition.body, &region);
        self.depth -= 1;
        self.within = within;
        (self.slots, self.names, self.assigned, self.facts, self.dot) =
            (slots, names, assigned, facts, dot);
        behind
    }

    fn branch(&mut self, branch: &'a Branch) -> usize {
        let (scope, facts) = (self.slots.len(), self.facts.mark());
        let end = branch.end.as_ref().map_or(usize::MAX, |end| end.span.start);
        let mark = self.assigned.len();
        let mut arms: Vec<Vec<Left>> = Vec::new();
        let (mut covered, mut leaves) = (false, true);
        let mut behind = Vec::new();
        self.depth += 1;
        for (index, arm) in branch.arms.iter().enumerate() {
            self.enter(&arm.action);
            self.snapshot(&arm.action.span);
            let next = branch.arms.get(index + 1).map_or(end, |arm| arm.action.span.start);
            let region = arm.action.span.end..next;
            let (dot, arm_scope, arm_facts) =
                (self.dot.clone(), self.slots.len(), self.facts.mark());
            let Some(condition) = &arm.condition else {
                covered = true;
                self.snapshot(&region);
                self.nodes(&arm.body, &region);
                arms.push(self.rolled_back(mark));
                continue;
            };
            let subject = match branch.keyword {
                BranchKeyword::Range => self.evaluate(condition),
                BranchKeyword::If | BranchKeyword::With => self.declare(condition),
            };
            // Variables declared by the condition are visible in the arms after it.
            let arm_scope =
                if branch.keyword == BranchKeyword::Range { arm_scope } else { self.slots.len() };
            let plain_if = branch.keyword == BranchKeyword::With
                && arm.second_keyword.as_ref().is_some_and(|keyword| keyword.len() == "if".len());
            if branch.keyword == BranchKeyword::If || plain_if {
                self.need(&subject).into_iter().for_each(|need| need.tested = true);
            }
            let (holds, fails) = (self.facts_of(condition, true), self.facts_of(condition, false));
            self.facts.assume(&self.paths, &holds);
            match branch.keyword {
                BranchKeyword::Range => self.range(condition, &subject, arm, &region),
                BranchKeyword::With if !plain_if => {
                    let path = if subject.path == super::subject::NOWHERE {
                        self.paths.fresh()
                    } else {
                        subject.path
                    };
                    self.dot = Dot { kind: subject.kind.present(), path };
                    self.note_dot(&region);
                    self.snapshot(&region);
                    self.nodes(&arm.body, &region);
                }
                BranchKeyword::With | BranchKeyword::If => {
                    self.snapshot(&region);
                    self.nodes(&arm.body, &region);
                }
            }
            self.dot = dot;
            self.leave(arm_scope);
            self.facts.undo(arm_facts);
            arms.push(self.rolled_back(mark));
            leaves &= narrow::leaves(&arm.body) && branch.keyword != BranchKeyword::Range;
            if leaves {
                behind.extend(fails.iter().cloned());
            }
            self.facts.assume(&self.paths, &fails);
        }
        if !covered {
            arms.push(self.untouched(&arms));
        }
        self.depth -= 1;
        self.leave(scope);
        self.facts.undo(facts);
        self.facts.assume(&self.paths, &behind);
        self.join(arms);
        branch.end.as_ref().map_or(usize::MAX, |end| end.span.end)
    }

    fn range(
        &mut self,
        condition: &'a Pipeline,
        subject: &Subject<'a>,
        arm: &'a crate::template::node::Arm,
        region: &Span,
    ) {
        // Don't blame the variables.
        let written = condition
            .commands
            .first()
            .zip(condition.commands.last())
            .map(|(first, last)| first.span.start..last.span.end);
        let named = Subject { span: written.unwrap_or(subject.span.clone()), ..subject.clone() };
        let element = self.iterate(&named, condition.declarations.len() > 1);
        let (path, key) = (self.paths.fresh(), self.paths.fresh());
        if let Some(need) = self.need(subject) {
            need.kinds = need.kinds.and(Kinds::LIST.or(Kinds::OBJECT));
            need.elements.push(path);
            need.keys.push(key);
        }
        let index = match subject.kind.is_unknown() {
            true => Type::any(),
            false => {
                let kinds = subject.kind.kinds();
                let list = if kinds.and(Kinds::LIST.or(Kinds::INTEGER)).is_none() {
                    Kinds::NONE
                } else {
                    Kinds::INTEGER
                };
                Type::of(if kinds.holds(Kinds::OBJECT) { list.or(Kinds::STRING) } else { list })
            }
        };
        let names = condition.declarations.as_slice();
        let values: Vec<(Type, Path)> = match names {
            [_, _, ..] => vec![(index, key), (element.clone(), path)],
            _ => vec![(element.clone(), path)],
        };
        for (position, (name, (kind, path))) in names.iter().zip(values).enumerate() {
            if condition.assigns {
                self.assign(&name.text, &name.span, kind, path);
                continue;
            }
            let span = name.span.clone();
            let origin = match (names.len(), position) {
                (2.., 0) => Origin::Index(span),
                (2.., _) => Origin::Element(span),
                _ => Origin::Declared(span),
            };
            self.declared(&name.text, kind, path, origin);
        }
        self.dot = Dot { kind: element, path };
        self.note_dot(region);
        self.loop_variables(&arm.body);
        self.enter(&arm.action);
        self.snapshot(region);
        self.nodes(&arm.body, region);
    }

    fn note_dot(&mut self, region: &Span) {
        if !self.dry {
            self.checked.dots.push((region.start, self.dot.kind.clone()));
        }
    }

    /// Variables that the loop's body assigns may have that value from the start.
    fn loop_variables(&mut self, body: &'a [Node]) {
        let mut assigned = Vec::new();
        narrow::assigned(body, &mut assigned);
        assigned.retain(|name| self.names.get(*name).is_some_and(|slots| !slots.is_empty()));
        if assigned.is_empty() {
            return;
        }
        if self.dry {
            for name in assigned {
                let path = self.paths.fresh();
                self.assign_slot(name, Type::any(), path);
            }
            return;
        }
        let (look, scope, facts, mark, action) = (
            self.look.take(),
            self.slots.len(),
            self.facts.mark(),
            self.assigned.len(),
            self.action.clone(),
        );
        let (dot, broken) = (self.dot.clone(), self.broken);
        self.dry = true;
        self.nodes(body, &(0..0));
        self.dry = false;
        (self.look, self.action, self.dot, self.broken) = (look, action, dot, broken);
        self.leave(scope);
        self.facts.undo(facts);
        let outcome = self.rolled_back(mark);
        let before = self.untouched(std::slice::from_ref(&outcome));
        self.join(vec![outcome, before]);
    }

    /// Undoes the assignments since a mark and returns the values they left.
    fn rolled_back(&mut self, mark: usize) -> Vec<Left> {
        let mut left: Vec<Left> = Vec::new();
        while self.assigned.len() > mark {
            let Some((slot, kind, path)) = self.assigned.pop() else { break };
            let Some(held) = self.slots.get_mut(slot) else { continue };
            if !left.iter().any(|(known, ..)| *known == slot) {
                left.push((slot, held.kind.clone(), held.path));
            }
            (held.kind, held.path) = (kind, path);
        }
        left
    }

    /// The types that variables assigned in some arms have if no arm runs.
    fn untouched(&self, arms: &[Vec<Left>]) -> Vec<Left> {
        let held = |slot: usize| {
            let held = self.slots.get(slot)?;
            Some((
                slot,
                if self.facts.is_present(held.path) {
                    held.kind.present()
                } else {
                    held.kind.clone()
                },
                held.path,
            ))
        };
        arms.iter().flatten().filter_map(|(slot, ..)| held(*slot)).collect()
    }

    /// After a branch, a variable may have the value from any of the arms.
    fn join(&mut self, arms: Vec<Vec<Left>>) {
        let mut slots: Vec<usize> = arms.iter().flatten().map(|(slot, ..)| *slot).collect();
        slots.sort_unstable();
        slots.dedup();
        for slot in slots {
            let Some(held) = self.slots.get(slot) else { continue };
            let (before, was) = (held.kind.clone(), held.path);
            let mut kind: Option<Type> = None;
            let mut sources = Vec::new();
            for arm in &arms {
                let left = arm.iter().find(|(known, ..)| *known == slot);
                let (left, from) = left.map_or((&before, was), |(_, kind, path)| (kind, *path));
                if left.is_unknown() {
                    sources.push(from);
                }
                kind = Some(kind.map_or_else(|| left.clone(), |kind| kind.or(left)));
            }
            let path = self.paths.fresh();
            self.may_be(sources, path);
            self.write_slot(slot, kind.unwrap_or(before), path);
        }
    }

    /// Evaluates a pipeline and assigns its variables.
    fn declare(&mut self, pipeline: &'a Pipeline) -> Subject<'a> {
        let subject = self.evaluate(pipeline);
        for name in &pipeline.declarations {
            let path = if subject.path == super::subject::NOWHERE {
                self.paths.fresh()
            } else {
                subject.path
            };
            if pipeline.assigns {
                self.assign(&name.text, &name.span, subject.kind.clone(), path);
            } else {
                self.declared(
                    &name.text,
                    subject.kind.clone(),
                    path,
                    Origin::Declared(name.span.clone()),
                );
            }
        }
        subject
    }

    fn declared(&mut self, name: &'a str, kind: Type, path: Path, origin: Origin) {
        self.slot(name, kind.clone(), path, false);
        if !self.dry {
            let local = self.depth > 0;
            let record = self.checked.variables.len();
            self.checked.variables.push(Variable {
                name: name.to_owned(),
                origin,
                uses: Vec::new(),
                kind,
                local,
            });
            if let Some(slot) = self.slots.last_mut() {
                slot.record = Some(record);
            }
        }
    }

    fn assign(&mut self, name: &'a str, span: &Span, kind: Type, path: Path) {
        self.use_variable(name, span);
        self.assign_slot(name, kind, path);
    }

    fn assign_slot(&mut self, name: &str, kind: Type, path: Path) {
        if let Some(slot) = self.visible(name) {
            self.write_slot(slot, kind, path);
        }
    }

    fn write_slot(&mut self, slot: usize, kind: Type, path: Path) {
        if let Some(held) = self.slots.get_mut(slot) {
            let (old, from) =
                (std::mem::replace(&mut held.kind, kind), std::mem::replace(&mut held.path, path));
            self.assigned.push((slot, old, from));
        }
    }

    fn slot(&mut self, name: &'a str, kind: Type, path: Path, outer: bool) {
        self.names.entry(name).or_default().push(self.slots.len());
        self.slots.push(Slot { name, kind, path, record: None, outer });
    }

    /// The variables declared since a mark go out of scope.
    fn leave(&mut self, mark: usize) {
        while self.slots.len() > mark {
            let Some(slot) = self.slots.pop() else { break };
            if let Some(slots) = self.names.get_mut(slot.name) {
                slots.pop();
            }
        }
    }

    pub fn visible(&self, name: &str) -> Option<usize> {
        self.names.get(name)?.last().copied()
    }

    /// The variable with this name; records the use.
    pub fn use_variable(&mut self, name: &str, span: &Span) -> Option<&Slot<'a>> {
        let slot = self.visible(name)?;
        if !self.dry {
            let held = self.slots.get_mut(slot)?;
            let record = *held.record.get_or_insert_with(|| {
                let origin = if name == "$" { Origin::Root } else { Origin::Outer };
                let (name, kind, local) = (name.to_owned(), held.kind.clone(), !held.outer);
                self.checked.variables.push(Variable {
                    name,
                    origin,
                    uses: Vec::new(),
                    kind,
                    local,
                });
                self.checked.variables.len() - 1
            });
            if let Some(variable) = self.checked.variables.get_mut(record) {
                variable.uses.push(span.clone());
            }
        }
        self.slots.get(slot)
    }
}
