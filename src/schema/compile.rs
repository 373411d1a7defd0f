//! A compiled schema, for validating values.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use jsonschema::error::{TypeKind, ValidationErrorKind};
use jsonschema::{Draft, ValidationError, Validator};
use serde_json::Value;

use super::cost::{Budget, Cost};
use super::describe::Describer;
use super::finding::{Change, Finding, brief, kind_of};
use super::reference::References;
use super::{MAX_DEPTH, SchemaError, check_schema, pointer, walk};
use crate::suggestion;

/// Why a value doesn't match its schema. The kind is the failing keyword.
pub type ValueError = Finding<String>;

/// A schema, compiled.
#[derive(Debug)]
pub struct Compiled {
    schema: Value,
    validator: Validator,
    cost: Cost,
}

/// The cost of building a validator, in steps per schema in it.
pub(super) const COST: u64 = 10;

/// The backtracking steps that a regular expression may take on one string.
const MOST_BACKTRACKING: usize = 10_000;
/// The size limit of a compiled regular expression in bytes.
const LARGEST_PATTERN: usize = 1 << 20;

/// The validator's settings: draft 2020-12 regardless of `$schema`, and no external resources.
pub(super) fn options() -> jsonschema::ValidationOptions<'static> {
    let patterns = jsonschema::PatternOptions::fancy_regex();
    let patterns = patterns
        .backtrack_limit(MOST_BACKTRACKING)
        .size_limit(LARGEST_PATTERN)
        .dfa_size_limit(LARGEST_PATTERN);
    jsonschema::options().with_draft(Draft::Draft202012).with_pattern_options(patterns).offline()
}

/// Compiles a schema for validation.
pub fn compile(schema: &Value) -> Result<Compiled, Vec<SchemaError>> {
    let errors = check_schema(schema);
    if !errors.is_empty() {
        return Err(errors);
    }
    match options().build(schema) {
        Ok(validator) => {
            let cost = Cost::new(&References::new(schema), schema);
            Ok(Compiled { schema: schema.clone(), validator, cost })
        }
        Err(error) => Err(vec![Finding::value(
            error.instance_path().as_str(),
            super::SchemaErrorKind::Unsupported,
            brief_error(&error),
        )]),
    }
}

impl Compiled {
    /// Whether the value matches the schema. A value that takes too long to check doesn't.
    pub fn allows(&self, value: &Value) -> bool {
        let budget = &mut Budget::of_value();
        walk::too_deep(value, MAX_DEPTH).is_none()
            && self.cost.spend("", value, budget)
            && self.validator.is_valid(value)
    }

    /// Whether the schema allows the value. True as well if checking that would take more than a
    /// few milliseconds, because the validator can't be interrupted.
    pub fn may_allow(&self, value: &Value) -> bool {
        let budget = &mut Budget::of_schema(&|| false);
        walk::too_deep(value, MAX_DEPTH).is_some()
            || !self.cost.spend("", value, budget)
            || self.validator.is_valid(value)
    }

    /// Why the value doesn't match the schema; pointers are into the value. Empty if it matches.
    pub fn errors(&self, value: &Value) -> Vec<ValueError> {
        self.errors_within(value, Budget::of_value())
    }

    /// The same while a document is analysed. The validator can't be interrupted, so it only runs
    /// if it takes at most a few milliseconds.
    pub fn errors_in_document(&self, value: &Value) -> Vec<ValueError> {
        self.errors_within(value, Budget::of_schema(&|| false))
    }

    fn errors_within(&self, value: &Value, mut budget: Budget<'_>) -> Vec<ValueError> {
        if walk::too_deep(value, MAX_DEPTH).is_none() && !self.cost.spend("", value, &mut budget) {
            return vec![too_complex("")];
        }
        if !budget.allows_details() {
            let message = "the value doesn't match the schema, which is too complex for details";
            let valid = self.validator.is_valid(value);
            return if valid {
                Vec::new()
            } else {
                vec![Finding::value("", "complexity".to_owned(), message)]
            };
        }
        errors(&self.validator, &self.schema, value)
    }
}

/// The validation would exceed the budget.
pub(super) fn too_complex(at: &str) -> ValueError {
    Finding::value(at, "complexity".to_owned(), "the schema is too complex to check this value")
}

/// More errors don't help.
const MOST_ERRORS: usize = 1000;

/// Every error once.
pub(super) fn errors(validator: &Validator, schema: &Value, value: &Value) -> Vec<ValueError> {
    if let Some(at) = walk::too_deep(value, MAX_DEPTH) {
        return vec![Finding::value(
            at,
            "depth".to_string(),
            format!("the value is nested more than {MAX_DEPTH} levels deep"),
        )];
    }
    let mut seen = HashSet::new();
    let mut known = Known::new(schema);
    let explained = validator
        .iter_errors(value)
        .take(MOST_ERRORS)
        .flat_map(|error| explain(&error, &mut known));
    explained.filter(|error| seen.insert((error.pointer.clone(), error.message.clone()))).collect()
}

fn explain(error: &ValidationError<'_>, known: &mut Known<'_>) -> Vec<ValueError> {
    let at = error.instance_path().as_str();
    let keyword = error.kind().keyword().to_string();
    match error.kind() {
        ValidationErrorKind::AdditionalProperties { unexpected }
        | ValidationErrorKind::UnevaluatedProperties { unexpected } => {
            let known = known.names(error);
            let present = |name: &str| error.instance().get(name).is_some();
            let unknown = |name: &String| {
                let others = known.iter().copied().filter(|known| !present(known));
                let pointer = pointer::join(at, name);
                match suggestion::closest(name, others) {
                    Some(near) => Finding::key(
                        &pointer,
                        keyword.clone(),
                        format!("unknown property `{name}`; did you mean `{near}`?"),
                    )
                    .fix(format!("Rename to `{near}`"), vec![Change::rename(&pointer, near)]),
                    None => Finding::key(
                        pointer,
                        keyword.clone(),
                        format!(
                            "unknown property `{name}`; the schema allows no additional properties"
                        ),
                    ),
                }
            };
            unexpected.iter().map(unknown).collect()
        }
        ValidationErrorKind::PropertyNames { error: wrong } => {
            let Some(name) = wrong.instance().as_str() else {
                return vec![Finding::value(at, keyword, brief_error(error))];
            };
            let message = format!("the name is not allowed: {}", brief_error(wrong));
            vec![Finding::key(pointer::join(at, name), keyword, message)]
        }
        ValidationErrorKind::FalseSchema => {
            vec![Finding::key(at, keyword, "not allowed here".to_owned())]
        }
        _ => vec![Finding::value(at, keyword, brief_error(error))],
    }
}

/// The properties that subschemas allow, looked up once for many errors.
struct Known<'s> {
    schema: &'s Value,
    describer: Option<Describer<'s>>,
    by_place: HashMap<String, Rc<[&'s str]>>,
}

impl<'s> Known<'s> {
    fn new(schema: &'s Value) -> Self {
        Self { schema, describer: None, by_place: HashMap::new() }
    }

    /// The properties of the closed schema that caused the error.
    fn names(&mut self, error: &ValidationError<'_>) -> Rc<[&'s str]> {
        let at = pointer::split_last(error.schema_path().as_str()).map_or("", |(at, _)| at);
        if let Some(names) = self.by_place.get(at) {
            return Rc::clone(names);
        }
        let describer = self.describer.get_or_insert_with(|| Describer::new(self.schema));
        let names: Rc<[&str]> = describer.names(at).into();
        self.by_place.insert(at.to_owned(), Rc::clone(&names));
        names
    }
}

/// The longest message, in characters.
const LONGEST: usize = 300;

/// The validator's message, in our words where they are better, and never longer than a line.
pub(super) fn brief_error(error: &ValidationError<'_>) -> String {
    let message = words(error);
    match message.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", message.get(..end).unwrap_or_default()),
        None => message,
    }
}

/// Why none of several schemas allows a value: just the types, if only they differ.
fn alternatives(value: &Value, context: &[Vec<ValidationError<'_>>]) -> String {
    let by_type = context.iter().map(|errors| match errors.as_slice() {
        [error] if **error.instance() == *value => match error.kind() {
            ValidationErrorKind::Type { kind } => Some(types(kind)),
            _ => None,
        },
        _ => None,
    });
    match by_type.collect::<Option<Vec<_>>>() {
        Some(expected) => mistyped(expected.concat(), value),
        None => format!("`{}` matches none of the allowed alternatives", brief(value)),
    }
}

fn types(kind: &TypeKind) -> Vec<String> {
    match kind {
        TypeKind::Single(kind) => vec![format!("`{kind}`")],
        TypeKind::Multiple(kinds) => kinds.iter().map(|kind| format!("`{kind}`")).collect(),
    }
}

fn mistyped(mut expected: Vec<String>, value: &Value) -> String {
    let mut seen = HashSet::new();
    expected.retain(|kind| seen.insert(kind.clone()));
    let expected = expected.join(" or ");
    match value.is_null() {
        true => format!("expected {expected}, found null"),
        false => format!("expected {expected}, found {} (`{}`)", kind_of(value), brief(value)),
    }
}

fn count(number: u64, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

fn words(error: &ValidationError<'_>) -> String {
    let value = error.instance();
    match error.kind() {
        ValidationErrorKind::Type { kind } => mistyped(types(kind), value),
        ValidationErrorKind::Required { property } => {
            format!("missing property `{}`", property.as_str().unwrap_or_default())
        }
        ValidationErrorKind::Enum { options } => match options.as_array() {
            Some(options) => {
                let shown: Vec<String> =
                    options.iter().take(12).map(|option| format!("`{}`", brief(option))).collect();
                format!(
                    "`{}` is not one of {}{}",
                    brief(value),
                    shown.join(", "),
                    if options.len() > 12 { ", …" } else { "" }
                )
            }
            None => format!("`{}` is not one of the allowed values", brief(value)),
        },
        ValidationErrorKind::Constant { expected_value } => {
            format!("expected `{}`, found `{}`", brief(expected_value), brief(value))
        }
        ValidationErrorKind::Format { format } => {
            format!("`{}` is not a valid `{format}`", brief(value))
        }
        ValidationErrorKind::AnyOf { context } | ValidationErrorKind::OneOfNotValid { context } => {
            alternatives(value, context)
        }
        ValidationErrorKind::OneOfMultipleValid { .. } => {
            format!("`{}` matches more than one of the alternatives of `oneOf`", brief(value))
        }
        ValidationErrorKind::Not { .. } => {
            format!("`{}` matches a schema that it must not match", brief(value))
        }
        ValidationErrorKind::Contains => "no item matches the schema of `contains`".to_owned(),
        ValidationErrorKind::Pattern { pattern } => {
            format!("`{}` does not match the pattern `{pattern}`", brief(value))
        }
        ValidationErrorKind::MinLength { limit } => {
            format!("`{}` is shorter than {}", brief(value), count(*limit, "character"))
        }
        ValidationErrorKind::MaxLength { limit } => {
            format!("`{}` is longer than {}", brief(value), count(*limit, "character"))
        }
        ValidationErrorKind::UniqueItems => "contains an item twice".to_owned(),
        ValidationErrorKind::MinItems { limit } => {
            format!("needs at least {}", count(*limit, "item"))
        }
        ValidationErrorKind::MaxItems { limit } => {
            format!("has more than {}", count(*limit, "item"))
        }
        ValidationErrorKind::MinProperties { limit } => {
            let noun = if *limit == 1 { "property" } else { "properties" };
            format!("needs at least {limit} {noun}")
        }
        ValidationErrorKind::MaxProperties { limit } => {
            let noun = if *limit == 1 { "property" } else { "properties" };
            format!("has more than {limit} {noun}")
        }
        _ => {
            let written = error.to_string();
            written.lines().next().unwrap_or_default().trim_end_matches('.').to_owned()
        }
    }
}
