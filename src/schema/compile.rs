//! A schema ready to judge values.

use std::collections::HashSet;

use jsonschema::error::ValidationErrorKind;
use jsonschema::{Draft, ValidationError, Validator};
use serde_json::Value;

use super::finding::{Finding, Part, brief, kind_of};
use super::{MAX_DEPTH, SchemaError, check_schema, pointer, walk};

/// A value that its schema does not allow. The kind is the keyword that says so.
pub type ValueError = Finding<String>;

/// A schema, compiled.
#[derive(Debug)]
pub struct Compiled {
    validator: Validator,
}

/// The validator's settings: draft 2020-12 whatever `$schema` says, and nothing from outside.
pub(super) fn options() -> jsonschema::ValidationOptions<'static> {
    jsonschema::options().with_draft(Draft::Draft202012).offline()
}

/// Makes a schema ready to judge values, or says what is wrong with it.
pub fn compile(schema: &Value) -> Result<Compiled, Vec<SchemaError>> {
    let errors = check_schema(schema);
    if !errors.is_empty() {
        return Err(errors);
    }
    match options().build(schema) {
        Ok(validator) => Ok(Compiled { validator }),
        Err(error) => Err(vec![Finding::value(error.instance_path().as_str(), super::SchemaErrorKind::Unsupported, brief_error(&error))]),
    }
}

impl Compiled {
    /// Whether the schema allows the value.
    pub fn allows(&self, value: &Value) -> bool {
        walk::too_deep(value, MAX_DEPTH).is_none() && self.validator.is_valid(value)
    }

    /// Why the schema does not allow the value; pointers are into the value. Empty if it does.
    pub fn errors(&self, value: &Value) -> Vec<ValueError> {
        errors(&self.validator, value)
    }
}

/// More are of no use to anyone.
const MOST_ERRORS: usize = 1000;

/// Every reason once.
pub(super) fn errors(validator: &Validator, value: &Value) -> Vec<ValueError> {
    if let Some(at) = walk::too_deep(value, MAX_DEPTH) {
        return vec![Finding::value(at, "depth".to_string(), format!("The value is nested more than {MAX_DEPTH} levels deep."))];
    }
    let mut seen = HashSet::new();
    let explained = validator.iter_errors(value).take(MOST_ERRORS).flat_map(|error| explain(&error));
    explained.filter(|error| seen.insert((error.pointer.clone(), error.message.clone()))).collect()
}

fn explain(error: &ValidationError<'_>) -> Vec<ValueError> {
    let at = error.instance_path().as_str();
    let keyword = error.kind().keyword().to_string();
    match error.kind() {
        ValidationErrorKind::AdditionalProperties { unexpected } | ValidationErrorKind::UnevaluatedProperties { unexpected } => unexpected
            .iter()
            .map(|name| Finding {
                part: Part::Key,
                ..Finding::value(pointer::join(at, name), keyword.clone(), format!("The schema has no property `{name}` and allows no others."))
            })
            .collect(),
        _ => vec![Finding::value(at, keyword, format!("{}.", brief_error(error)))],
    }
}

/// What the validator says, in our words where they are better, and never longer than a line.
pub(super) fn brief_error(error: &ValidationError<'_>) -> String {
    let value = error.instance();
    match error.kind() {
        ValidationErrorKind::Type { kind } => {
            let expected = match kind {
                jsonschema::error::TypeKind::Single(kind) => format!("`{kind}`"),
                jsonschema::error::TypeKind::Multiple(kinds) => kinds.iter().map(|kind| format!("`{kind}`")).collect::<Vec<_>>().join(" or "),
            };
            match value.is_null() {
                true => format!("It must be of type {expected}, not null"),
                false => format!("It must be of type {expected}, not {} (`{}`)", kind_of(value), brief(value)),
            }
        }
        ValidationErrorKind::Required { property } => format!("The property `{}` is missing", property.as_str().unwrap_or_default()),
        ValidationErrorKind::Enum { options } => match options.as_array() {
            Some(options) => {
                let shown: Vec<String> = options.iter().take(12).map(|option| format!("`{}`", brief(option))).collect();
                format!("`{}` is none of {}{}", brief(value), shown.join(", "), if options.len() > 12 { ", …" } else { "" })
            }
            None => format!("`{}` is not one of the allowed values", brief(value)),
        },
        ValidationErrorKind::Constant { expected_value } => format!("It must be `{}`, not `{}`", brief(expected_value), brief(value)),
        ValidationErrorKind::Format { format } => format!("`{}` is not in the format `{format}`", brief(value)),
        _ => {
            let written = error.to_string();
            let line = written.lines().next().unwrap_or_default().trim_end_matches('.');
            match line.char_indices().nth(200) {
                Some((end, _)) => format!("{}…", line.get(..end).unwrap_or_default()),
                None => line.to_string(),
            }
        }
    }
}
