//! Infers the schema that an undeclared field needs from its uses in a template.

use std::collections::BTreeMap;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::problem::ProblemKind;
use super::subject::{NOWHERE, Path, Subject};
use super::walk::Checker;
use crate::template::function::Kinds;

/// The uses of a value.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Wanted {
    /// Every use accepts these.
    pub kinds: Kinds,
    /// The kinds that it is compared with, or replaced by.
    pub near: Kinds,
    pub fields: BTreeMap<String, Wanted>,
    pub element: Option<Box<Wanted>>,
    /// An element, or a slice, needs it to be this long.
    pub least: usize,
    pub printed: bool,
    pub tested: bool,
    /// It has other uses: in a template that it's passed to, or nested too deeply.
    pub unclear: bool,
}

/// Deeper parts of a value aren't followed. [`Wanted`] is read by recursion.
const MOST_NESTED: usize = 32;
/// Every mention of an object suggests its whole schema.
const MOST_FIELDS: usize = 50;
/// Several ways may lead to each part of a value, so there may be more of them than parts.
const MOST_WAYS: usize = 1_000;
/// The same for all values of a template.
const MOST_WAYS_OF_ALL: usize = 100_000;

impl Default for Wanted {
    fn default() -> Self {
        Self {
            kinds: Kinds::ANY,
            near: Kinds::NONE,
            fields: BTreeMap::new(),
            element: None,
            least: 0,
            printed: false,
            tested: false,
            unclear: false,
        }
    }
}

impl Wanted {
    /// Any value will do.
    pub fn is_nothing(&self) -> bool {
        self.kinds == Kinds::ANY && !self.unclear && self.least == 0
    }

    /// Adds the uses in another place.
    pub fn add(&mut self, other: &Self) {
        self.kinds = self.kinds.and(other.kinds);
        self.near = self.near.or(other.near);
        for (name, wanted) in &other.fields {
            self.fields.entry(name.clone()).or_default().add(wanted);
        }
        self.unclear |= self.fields.len() > MOST_FIELDS;
        if let Some(element) = &other.element {
            self.element.get_or_insert_default().add(element);
        }
        self.least = self.least.max(other.least);
        self.printed |= other.printed;
        self.tested |= other.tested;
        self.unclear |= other.unclear;
    }
}

/// The uses of the values at paths, collected during a check.
#[derive(Debug, Default)]
pub(super) struct Needs<'a> {
    known: FxHashMap<Path, Need<'a>>,
    /// Problems with unknown fields, and the paths of these.
    unknown: Vec<(usize, Path)>,
}

#[derive(Debug)]
pub(super) struct Need<'a> {
    pub kinds: Kinds,
    pub near: Kinds,
    pub fields: FxHashMap<&'a str, Path>,
    pub elements: Vec<Path>,
    /// The keys of its elements.
    pub keys: Vec<Path>,
    /// Results of functions, and variables, that may be this value.
    pub also: Vec<Path>,
    pub least: usize,
    pub printed: bool,
    pub tested: bool,
    pub unclear: bool,
}

impl Default for Need<'_> {
    fn default() -> Self {
        Self {
            kinds: Kinds::ANY,
            near: Kinds::NONE,
            fields: FxHashMap::default(),
            elements: Vec::new(),
            keys: Vec::new(),
            also: Vec::new(),
            least: 0,
            printed: false,
            tested: false,
            unclear: false,
        }
    }
}

impl Needs<'_> {
    /// The uses of the value at a path. `left`: how many more ways to its parts may be followed.
    fn wanted(&self, path: Path, depth: usize, left: &mut usize) -> Wanted {
        let Some(need) = self.known.get(&path) else { return Wanted::default() };
        let mut wanted = Wanted {
            kinds: need.kinds,
            near: need.near,
            least: need.least,
            printed: need.printed,
            tested: need.tested,
            unclear: need.unclear,
            ..Wanted::default()
        };
        let Some(rest) = left.checked_sub(1) else {
            wanted.unclear = true;
            return wanted;
        };
        *left = rest;
        if depth >= MOST_NESTED {
            // It's still known that it is an object.
            wanted.unclear |= !need.elements.is_empty() || !need.also.is_empty();
            return wanted;
        }
        wanted.unclear |= need.fields.len() > MOST_FIELDS;
        for (name, path) in need.fields.iter().take(MOST_FIELDS) {
            wanted.fields.insert((*name).to_owned(), self.wanted(*path, depth + 1, left));
        }
        for path in &need.elements {
            let element = self.wanted(*path, depth + 1, left);
            wanted.element.get_or_insert_default().add(&element);
        }
        for path in &need.keys {
            let kinds = self.known.get(path).map_or(Kinds::ANY, |need| need.kinds);
            wanted.kinds = wanted.kinds.and(indexable(kinds));
        }
        for path in &need.also {
            wanted.add(&self.wanted(*path, depth + 1, left));
        }
        wanted
    }
}

/// The kinds of values whose elements have such keys: names, or positions.
pub(super) fn indexable(keys: Kinds) -> Kinds {
    match (keys.holds(Kinds::INTEGER), keys.holds(Kinds::STRING)) {
        (true, false) => Kinds::LIST.or(Kinds::STRING),
        (false, true) => Kinds::OBJECT,
        (true, true) => Kinds::ANY,
        (false, false) => Kinds::NONE,
    }
}

impl<'a> Checker<'a> {
    /// The uses of a value, to add to, if the schema says nothing about it.
    pub fn need(&mut self, subject: &Subject<'a>) -> Option<&mut Need<'a>> {
        if subject.kind.is_unknown() { self.need_at(subject.path) } else { None }
    }

    fn need_at(&mut self, path: Path) -> Option<&mut Need<'a>> {
        (path != NOWHERE && !self.is_dry()).then(|| self.needs.known.entry(path).or_default())
    }

    /// Notes that the last problem is about the field at this path.
    pub fn lacks(&mut self, path: Path) {
        if let Some(last) = self.checked.problems.len().checked_sub(1).filter(|_| !self.is_dry()) {
            self.needs.unknown.push((last, path));
        }
    }

    /// The result of a function may be one of its arguments. `sources` are their paths.
    pub fn flow(&mut self, sources: Vec<Path>, mut result: Subject<'a>) -> Subject<'a> {
        if sources.is_empty() || self.is_dry() || !result.kind.is_unknown() {
            return result;
        }
        if result.path == NOWHERE {
            result.path = self.paths.fresh();
        }
        self.may_be(sources, result.path);
        result
    }

    /// The value at `path` may be one of those at `sources`, about which the schema says nothing.
    pub fn may_be(&mut self, sources: Vec<Path>, path: Path) {
        for source in sources.into_iter().filter(|source| *source != path) {
            if let Some(need) = self.need_at(source)
                && need.also.last() != Some(&path)
            {
                need.also.push(path);
            }
        }
    }

    /// The paths of the values about which the schema says nothing.
    pub fn sources(given: &[Subject<'a>]) -> Vec<Path> {
        let unknown = given.iter().filter(|subject| subject.kind.is_unknown());
        unknown.map(|subject| subject.path).filter(|path| *path != NOWHERE).collect()
    }

    /// Adds the uses of unknown fields to the problems with them.
    pub fn note_wanted(&mut self) {
        let mut known: FxHashMap<Path, Arc<Wanted>> = FxHashMap::default();
        let mut left = MOST_WAYS_OF_ALL;
        for (problem, path) in &self.needs.unknown {
            let problem = self.checked.problems.get_mut(*problem);
            if let Some(ProblemKind::UnknownField { wanted, .. }) =
                problem.map(|problem| &mut problem.kind)
            {
                let found = known.entry(*path).or_insert_with(|| {
                    let most = left.min(MOST_WAYS);
                    let mut own = most;
                    let wanted = self.needs.wanted(*path, 0, &mut own);
                    left -= most - own;
                    Arc::new(wanted)
                });
                *wanted = Arc::clone(found);
            }
        }
    }
}
