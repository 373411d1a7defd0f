//! Validates schemas. Reports every error once, at the innermost wrong value.
//!
//! The meta-schema of draft 2020-12 finds the same errors in its own words, up to eight times each;
//! a test compares the two. Errors that the meta-schema can't express are found here too:
//! references, patterns, dialects, loops.

mod dialect;
mod loops;
mod names;
mod references;
mod scalars;
mod schemas;
mod types;

use serde_json::Value;

pub use types::empty_type;

use super::finding::Finding;
use super::keyword::shape_of;
use super::lint::{self, SchemaLint};
use super::reference::References;
use super::shape::Shape;
use super::walk::{Place, too_deep};
use super::{MAX_DEPTH, compile, pointer};
use crate::steps::Steps;

/// An error that makes a schema unusable.
pub type SchemaError = Finding<SchemaErrorKind>;

/// The kind of an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SchemaErrorKind {
    /// A value that should be a schema.
    NotASchema,
    /// An unknown type name.
    UnknownType,
    /// The wrong kind of value for a keyword.
    WrongValue,
    /// A `type` that is null: without a value, or `null` without quotes.
    NullType,
    /// An empty list that must have items.
    EmptyList,
    /// A duplicate in a list of names or types.
    Duplicate,
    /// A number too small for its keyword.
    OutOfRange,
    /// A `pattern` that isn't a regular expression.
    InvalidPattern,
    /// A list in `items`, which was a tuple before draft 2020-12.
    TupleItems,
    /// `required: true` on a property, as in draft 3.
    RequiredBoolean,
    /// A reference with characters that a URI can't contain.
    InvalidReference,
    /// A reference to a place that doesn't exist in the schema.
    UnresolvedReference,
    /// A reference outside of the schema.
    RemoteReference,
    /// References that lead back to themselves without descending into the value.
    EndlessReference,
    /// An invalid `$id` or `$anchor`.
    InvalidName,
    /// A `$schema` other than draft 2020-12.
    UnsupportedDialect,
    /// Nested too deeply to be read.
    TooDeep,
    /// It would take more work than an analysis may do.
    TooComplex,
    /// The validator refuses it for another reason.
    Unsupported,
}

/// All errors that keep `schema` from being a self-contained schema of draft 2020-12.
pub fn check_schema(schema: &Value) -> Vec<SchemaError> {
    errors(schema, &References::new(schema), &mut Steps::always()).unwrap_or_default()
}

/// The errors and lints of a schema, or `None` if cancelled.
pub fn analyse(
    schema: &Value,
    cancelled: &dyn Fn() -> bool,
) -> Option<(Vec<SchemaError>, Vec<SchemaLint>)> {
    let references = References::new(schema);
    let errors = errors(schema, &references, &mut Steps::new(cancelled))?;
    let lints = lint::lints(schema, &references, &mut || errors.is_empty(), cancelled)?;
    Some((errors, lints))
}

fn errors(
    schema: &Value,
    references: &References<'_>,
    steps: &mut Steps<'_>,
) -> Option<Vec<SchemaError>> {
    let deep = too_deep(schema, MAX_DEPTH);
    if let Some(error) = too_many(references) {
        return Some(vec![error]);
    }
    let mut errors = Vec::new();
    for place in &references.places {
        steps.take(place.work())?;
        check_place(place, references, &mut errors);
    }
    errors.extend(loops::endless(references, steps)?);
    if let Some(at) = deep {
        errors.push(Finding::value(
            at,
            SchemaErrorKind::TooDeep,
            format!(
                "the schema is nested \
            more than {MAX_DEPTH} levels deep, and deeper parts are not read; name parts of it \
            under `$defs` and refer to them with `$ref`"
            ),
        ));
    }
    // Building the validator can't be interrupted, so check for cancellation before.
    steps.take(compile::COST * references.places.len() as u64)?;
    if errors.is_empty()
        && let Err(error) = compile::options().build(schema)
    {
        let message = format!("the schema can't be used: {}", compile::brief_error(&error));
        errors.push(Finding::value(
            error.instance_path().as_str(),
            SchemaErrorKind::Unsupported,
            message,
        ));
    }
    Some(errors)
}

/// Compiling a pattern takes as long as reading kilobytes of schema.
const MOST_PATTERNS: usize = 200;

/// The validator remembers every reference along a chain.
const MOST_REFERENCES: usize = 1000;

/// Building a validator takes time that grows with the schemas inside, and can't be interrupted.
const MOST_SCHEMAS: usize = 50_000;

fn too_many(references: &References<'_>) -> Option<SchemaError> {
    let has = |place: &Place<'_>, keyword: &str| usize::from(place.value.get(keyword).is_some());
    let patterns = |place: &Place<'_>| {
        let names = place
            .value
            .get("patternProperties")
            .and_then(Value::as_object)
            .map_or(0, serde_json::Map::len);
        names + has(place, "pattern")
    };
    let links = |place: &Place<'_>| has(place, "$ref") + has(place, "$dynamicRef");
    let crowded = |most: usize, count: &dyn Fn(&Place<'_>) -> usize| {
        let mut sum = 0;
        references.places.iter().find(|place| {
            sum += count(place);
            sum > most
        })
    };
    let too_many = |what: &str, most: usize, count: &dyn Fn(&Place<'_>) -> usize| {
        let message = format!(
            "the schema is too complex: it has more than {most} {what}; describe repeated parts \
                once"
        );
        Some(Finding::value(&crowded(most, count)?.pointer, SchemaErrorKind::TooComplex, message))
    };
    too_many("regular expressions", MOST_PATTERNS, &patterns)
        .or_else(|| too_many("references", MOST_REFERENCES, &links))
        .or_else(|| too_many("schemas in it", MOST_SCHEMAS, &|_| 1))
}

fn check_place(place: &Place<'_>, references: &References<'_>, errors: &mut Vec<SchemaError>) {
    match place.value {
        Value::Object(entries) => {
            for (keyword, value) in entries {
                if let Some(shape) = shape_of(keyword) {
                    let entry = Entry {
                        place,
                        keyword,
                        value,
                        pointer: pointer::join(&place.pointer, keyword),
                    };
                    entry.check(shape, references, errors);
                }
            }
        }
        Value::Bool(_) => {}
        _ => errors.push(schemas::not_a_schema(
            place,
            place
                .parent
                .and_then(|parent| references.places.get(parent))
                .map(|parent| parent.value),
        )),
    }
}

/// A keyword with its value, in a schema.
pub(super) struct Entry<'a> {
    pub place: &'a Place<'a>,
    pub keyword: &'a str,
    pub value: &'a Value,
    /// A pointer to the value.
    pub pointer: String,
}

impl Entry<'_> {
    fn check(&self, shape: Shape, references: &References<'_>, errors: &mut Vec<SchemaError>) {
        match shape {
            Shape::Schema | Shape::Data => {}
            Shape::Schemas => schemas::list(self, errors),
            Shape::SchemaMap | Shape::PatternMap | Shape::Dependencies => {
                schemas::map(self, shape, errors)
            }
            Shape::Types | Shape::TypeName => types::check(self, errors),
            Shape::Names | Shape::Name => names::check(self, errors),
            Shape::NamesMap => names::check_map(self, errors),
            Shape::Values => scalars::values(self, errors),
            Shape::Size | Shape::Positive | Shape::Number => scalars::number(self, shape, errors),
            Shape::Boolean => scalars::boolean(self, errors),
            Shape::Vocabularies => scalars::vocabularies(self, errors),
            Shape::Format
            | Shape::Text
            | Shape::Regex
            | Shape::Anchor
            | Shape::Identifier
            | Shape::Dialect
            | Shape::Reference => {
                let Some(text) = self.value.as_str() else {
                    return scalars::not_text(self, shape, errors);
                };
                match shape {
                    Shape::Regex => {
                        scalars::pattern(text, &self.pointer, super::Part::Value, errors)
                    }
                    Shape::Anchor | Shape::Identifier => dialect::name(self, shape, text, errors),
                    Shape::Dialect => dialect::check(self, text, errors),
                    Shape::Reference => references::check(self, text, references, errors),
                    _ => {}
                }
            }
        }
    }

    /// The value has the wrong shape for the keyword.
    fn wrong(&self, shape: Shape) -> SchemaError {
        let message = match self.value {
            Value::Null => format!(
                "`{}` has no value; write {}, or remove the line",
                self.keyword,
                shape.describe()
            ),
            _ => format!(
                "`{}` must be {}, not {}",
                self.keyword,
                shape.describe(),
                super::finding::kind_of(self.value)
            ),
        };
        Finding::value(&self.pointer, SchemaErrorKind::WrongValue, message)
    }
}
