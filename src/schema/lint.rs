//! Valid schemas that are most likely mistakes.

mod bounds;
mod keywords;
mod presence;
mod values;
mod words;

use serde_json::Value;

use super::cost::Budget;
use super::finding::Finding;
use super::reference::References;
use super::validate::check_schema;
use super::walk::Place;

/// Something suspicious in a schema.
pub type SchemaLint = Finding<LintKind>;

/// The severity of a lint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    Hint,
    Info,
    Warning,
}

/// The kind of a lint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LintKind {
    /// No type, reference or combination: any value passes. On the key, or the whole schema at the
    /// root.
    Untyped,
    /// `true` or `false` where a schema is expected.
    BooleanSchema,
    /// `required` names an undeclared property.
    UndeclaredRequired,
    /// An object whose properties are all optional.
    NothingRequired,
    /// An unknown keyword.
    UnknownKeyword,
    /// A keyword of an earlier draft or of OpenAPI.
    RetiredKeyword,
    /// A keyword without effect on values of the declared type, or without another keyword.
    IneffectiveKeyword,
    /// An unknown format.
    UnknownFormat,
    /// An empty `enum`, or a duplicate value.
    PoorEnum,
    /// A value in `enum` or `const` that `type` doesn't allow.
    ImpossibleValue,
    /// A `default` that doesn't match its own schema.
    InvalidDefault,
    /// One of the `examples` doesn't match its own schema.
    InvalidExample,
    /// A lower limit above the upper one.
    Contradiction,
    /// A `default` or an example that takes too much work to check.
    TooComplex,
}

impl LintKind {
    /// The default severity.
    pub fn level(self) -> Level {
        match self {
            Self::NothingRequired => Level::Hint,
            Self::IneffectiveKeyword | Self::UnknownFormat | Self::InvalidExample => Level::Info,
            _ => Level::Warning,
        }
    }
}

/// Everything suspicious in `schema`, in source order. For errors, see [`check_schema`].
pub fn lint_schema(schema: &Value) -> Vec<SchemaLint> {
    let references = References::new(schema);
    lints(schema, &references, &mut || check_schema(schema).is_empty(), &|| false)
        .unwrap_or_default()
}

/// Like [`lint_schema`]; returns `None` if cancelled. `is_valid` tells whether the schema has no
/// errors.
pub(super) fn lints(
    schema: &Value,
    references: &References<'_>,
    is_valid: &mut dyn FnMut() -> bool,
    cancelled: &dyn Fn() -> bool,
) -> Option<Vec<SchemaLint>> {
    let refining = refining(&references.places);
    let budget = &mut Budget::of_schema(cancelled);
    let mut lints = Vec::new();
    for (index, place) in references.places.iter().enumerate() {
        budget.count(place.work())?;
        let refines = refining.get(index).copied().unwrap_or_default();
        presence::types(place, refines, references, &mut lints);
        if let Value::Object(entries) = place.value {
            keywords::check(place, entries, references, &mut lints);
            presence::required(index, place, refines, references, budget, &mut lints);
            values::check(place, &mut lints);
            bounds::check(place, &mut lints);
        }
    }
    if references
        .places
        .iter()
        .any(|place| place.value.get("default").is_some() || place.value.get("examples").is_some())
        && is_valid()
    {
        values::defaults(schema, references, budget, &mut lints);
    }
    budget.count(0)?;
    Some(lints)
}

/// For each place, whether it only narrows a value that another schema describes.
fn refining(places: &[Place<'_>]) -> Vec<bool> {
    let mut refining: Vec<bool> = Vec::with_capacity(places.len());
    for place in places {
        let outer =
            place.parent.and_then(|parent| refining.get(parent)).copied().unwrap_or_default();
        let here = matches!(
            place.keyword,
            "if" | "then"
                | "else"
                | "not"
                | "dependentSchemas"
                | "dependencies"
                | "allOf"
                | "contains"
                | "propertyNames"
        );
        refining.push(outer || here);
    }
    refining
}
