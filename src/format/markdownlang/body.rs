//! The body of a program: the template behind its front matter, in units that are read alone.

use std::any::Any;
use std::sync::{Arc, Mutex, PoisonError};

use crate::markdown::SectionKind;
use crate::source::Source;
use crate::template;
use crate::template::error::SyntaxError;
use crate::template::node::{Node, Template};
use crate::text::Span;

/// The template of a program. Its units together are the body, in order.
#[derive(Debug, Clone, Default)]
pub struct Body {
    pub units: Vec<Unit>,
    definitions: Arc<[Defined]>,
    duplicates: Arc<[Duplicate]>,
}

/// A piece of the body: whole sections at whose end no action and no block is open. What an edit leaves alone keeps its
/// template and its memo.
#[derive(Debug, Clone)]
pub struct Unit {
    /// Where it begins in the document. Everything in its template counts from here.
    pub start: usize,
    /// Bytes.
    pub length: usize,
    pub template: Arc<Template>,
    /// The variables that the units before it declare, `$` aside.
    pub outer: Arc<[String]>,
    /// Those that it declares for the units behind it.
    pub declared: Arc<[String]>,
    /// What was found out about it.
    pub memo: Arc<Memo>,
}

/// A `define` or `block`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Defined {
    pub name: String,
    /// The unit that holds it: an index of [`Body::units`].
    pub unit: usize,
    /// Its name with quotes, in the unit.
    pub name_span: Span,
    /// From its first brace to its last, in the unit.
    pub span: Span,
    /// It holds nothing but blanks and comments: another definition may take its place.
    pub empty: bool,
}

/// A definition whose name another one has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Duplicate {
    pub definition: Defined,
    /// The one that counts: an index of [`Body::definitions`].
    pub first: usize,
}

impl Body {
    /// Reads the body of a document; units of `previous` that are still the same are kept.
    pub fn read(source: &Source, _previous: Option<&Self>) -> Self {
        let first = source.sections().next().filter(|placed| matches!(placed.section.kind, SectionKind::Front(_)));
        let start = first.map_or(0, |placed| placed.span().end);
        let text = source.slice(start..source.len());
        let outer: Arc<[String]> = Arc::default();
        let piece = template::read(&text, &outer, &mut |_| false, true);
        let units = piece.map(|piece| Unit {
            start,
            length: piece.length,
            template: Arc::new(piece.template),
            outer,
            declared: piece.declared.into(),
            memo: Arc::default(),
        });
        Self::new(units.into_iter().collect())
    }

    fn new(units: Vec<Unit>) -> Self {
        let (mut found, mut duplicates): (Vec<Defined>, Vec<Duplicate>) = (Vec::new(), Vec::new());
        let mut known = rustc_hash::FxHashMap::default();
        for (index, unit) in units.iter().enumerate() {
            let mut inside = Vec::new();
            definitions(&unit.template.nodes, index, &mut inside);
            for definition in inside {
                match known.get(&definition.name).copied() {
                    None => {
                        known.insert(definition.name.clone(), found.len());
                        found.push(definition);
                    }
                    Some(first) => match found.get_mut(first) {
                        Some(other) if other.empty => *other = definition,
                        _ if definition.empty => {}
                        _ => duplicates.push(Duplicate { definition, first }),
                    },
                }
            }
        }
        Self { units, definitions: found.into(), duplicates: duplicates.into() }
    }

    /// The unit that holds the byte at `offset` of the document; the last one for the end of the body.
    pub fn unit_at(&self, offset: usize) -> Option<&Unit> {
        let index = self.units.partition_point(|unit| unit.start <= offset).checked_sub(1)?;
        self.units.get(index).filter(|unit| offset <= unit.start + unit.length)
    }

    /// Every template that the body defines, once: where a name is defined twice, the one that counts.
    pub fn definitions(&self) -> &[Defined] {
        &self.definitions
    }

    /// The definition of a name.
    pub fn definition(&self, name: &str) -> Option<&Defined> {
        self.definitions.iter().find(|definition| definition.name == name)
    }

    /// Definitions of a name that is defined already.
    pub fn duplicates(&self) -> &[Duplicate] {
        &self.duplicates
    }

    /// Every syntax error, in the order of the text, with the unit that it is in.
    pub fn errors(&self) -> impl Iterator<Item = (&Unit, &SyntaxError)> {
        self.units.iter().flat_map(|unit| unit.template.errors.iter().map(move |error| (unit, error)))
    }
}

impl Unit {
    /// A place in the unit as a place in the document.
    pub fn absolute(&self, span: &Span) -> Span {
        span.start + self.start..span.end + self.start
    }

    pub fn span(&self) -> Span {
        self.start..self.start + self.length
    }
}

/// The definitions in these nodes, in the order in which they end, as Go counts them.
fn definitions(nodes: &[Node], unit: usize, found: &mut Vec<Defined>) {
    for node in nodes {
        match node {
            Node::Branch(branch) => branch.arms.iter().for_each(|arm| definitions(&arm.body, unit, found)),
            Node::Definition(definition) => {
                definitions(&definition.body, unit, found);
                let end = definition.end.as_ref().map_or(definition.action.span.end, |end| end.span.end);
                found.push(Defined {
                    name: definition.name.value.clone(),
                    unit,
                    name_span: definition.name.span.clone(),
                    span: definition.action.span.start..end,
                    empty: definition.blank,
                });
            }
            _ => {}
        }
    }
}

/// The last answer to a question about a unit, and what else it depended on: kept as long as the unit is.
///
/// One slot for one question: ask with a key that holds all that the answer depends on beside the unit, so that an
/// equal key gets the answer that is there.
#[derive(Debug, Default)]
pub struct Memo(Mutex<Option<Answer>>);

#[derive(Debug)]
struct Answer {
    key: Box<dyn Any + Send>,
    value: Arc<dyn Any + Send + Sync>,
}

impl Memo {
    /// The answer for this key: the one that is kept, or a new one.
    pub fn get<K: PartialEq + Send + 'static, V: Send + Sync + 'static>(&self, key: K, make: impl FnOnce() -> V) -> Arc<V> {
        if let Some(value) = self.kept(&key) {
            return value;
        }
        // Not under the lock: an answer may take long, and may ask about other units.
        let value = Arc::new(make());
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(Answer { key: Box::new(key), value: Arc::clone(&value) as _ });
        value
    }

    fn kept<K: PartialEq + 'static, V: Send + Sync + 'static>(&self, key: &K) -> Option<Arc<V>> {
        let slot = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let answer = slot.as_ref().filter(|answer| answer.key.downcast_ref::<K>() == Some(key))?;
        Arc::clone(&answer.value).downcast::<V>().ok()
    }
}
