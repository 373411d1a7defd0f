//! The two schemas of a program as JSON, with their mistakes. Read once per version of the front
//! matter.

use serde_json::Value;

use super::program::Header;
use crate::schema::{SchemaError, SchemaLint, analyse};
use crate::yaml::{self, Kind, Problem, ProblemKind, ScalarType, scalar_type};

/// `input` and `output`, if they are schemas at all.
#[derive(Debug, Default)]
pub struct Schemas {
    pub input: Option<Schema>,
    pub output: Option<Schema>,
}

/// A schema, its mistakes and its oddities. Pointers are from its root.
#[derive(Debug)]
pub struct Schema {
    pub value: Value,
    /// YAML that JSON can't express; its spans are those of [`Header::tree`].
    pub problems: Vec<Problem>,
    pub errors: Vec<SchemaError>,
    pub lints: Vec<SchemaLint>,
}

impl Schemas {
    /// Reads both. Returns `None` if cancelled.
    pub(super) fn read(header: &Header, cancelled: &dyn Fn() -> bool) -> Option<Self> {
        Some(Self {
            input: schema(header, "input", cancelled)?,
            output: schema(header, "output", cancelled)?,
        })
    }

    /// Both, with the names of their fields.
    pub fn each(&self) -> impl Iterator<Item = (&'static str, &Schema)> {
        [("input", &self.input), ("output", &self.output)]
            .into_iter()
            .filter_map(|(name, schema)| Some((name, schema.as_ref()?)))
    }
}

/// The schema of a field; the inner `None` means that it has none. Returns `None` if cancelled.
fn schema(header: &Header, field: &str, cancelled: &dyn Fn() -> bool) -> Option<Option<Schema>> {
    let anchors = header.tree().anchors();
    let Some(node) = header.entry(field).and_then(|entry| anchors.follow(&entry.value)) else {
        return Some(None);
    };
    let boolean = matches!(scalar_type(node), ScalarType::Bool(_));
    if !boolean && !matches!(node.kind, Kind::Mapping(_)) {
        return Some(None);
    }
    let converted = yaml::to_json(node, &anchors);
    // An incomplete schema has mistakes that the whole one doesn't have.
    let cut = converted.problems.iter().any(|problem| problem.kind == ProblemKind::AliasLimit);
    let (errors, lints) =
        if cut { (Vec::new(), Vec::new()) } else { analyse(&converted.value, cancelled)? };
    Some(Some(Schema { value: converted.value, problems: converted.problems, errors, lints }))
}
