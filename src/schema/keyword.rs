//! The keywords of draft 2020-12: their values, where they apply, and their meaning.

mod applicator;
mod core;
mod validation;

use std::collections::HashMap;
use std::sync::LazyLock;

use super::shape::Shape;
use super::type_name::Type;

/// The part of the standard that a keyword belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Vocabulary {
    /// Identity and references: `$id`, `$ref`, `$defs`.
    Core,
    /// Schemas within schemas: `properties`, `items`, `allOf`.
    Applicator,
    /// Values that other keywords haven't evaluated.
    Unevaluated,
    /// Conditions on a value: `type`, `required`, `minimum`.
    Validation,
    /// Annotations of a value: `description`, `default`.
    MetaData,
    Format,
    /// The content of a string.
    Content,
}

/// A keyword of draft 2020-12.
#[derive(Debug, PartialEq)]
pub struct Keyword {
    pub name: &'static str,
    pub vocabulary: Vocabulary,
    /// The types of values that it applies to; empty for all.
    pub applies_to: &'static [Type],
    /// The shape of its value.
    pub shape: Shape,
    /// One paragraph of Markdown.
    pub documentation: &'static str,
    /// A few lines of YAML that use it.
    pub example: &'static str,
    /// The snippet after `name:`, with placeholders; begins with a line break if the value goes
    /// below the key.
    pub snippet: &'static str,
    page: &'static str,
}

impl Keyword {
    /// A link to its documentation.
    pub fn url(&self) -> String {
        format!("https://json-schema.org/understanding-json-schema/{}", self.page)
    }

    /// Whether it applies to values of a type.
    pub fn applies(&self, kind: Type) -> bool {
        self.applies_to.is_empty() || self.applies_to.contains(&kind)
    }

    /// The page for a hover, in Markdown.
    pub fn hover(&self) -> String {
        let mut page = format!(
            "**{}**: {}\n\n{}\n\n```yaml\n{}\n```\n",
            self.name,
            self.shape.describe(),
            self.documentation,
            self.example
        );
        if !self.applies_to.is_empty() {
            let types: Vec<String> =
                self.applies_to.iter().map(|kind| format!("`{kind}`")).collect();
            page.push_str(&format!("\nHas an effect on {} only.\n", types.join(" and ")));
        }
        page.push_str(&format!("\n[json-schema.org]({})", self.url()));
        page
    }
}

static BY_NAME: LazyLock<HashMap<&'static str, &'static Keyword>> =
    LazyLock::new(|| keywords().map(|keyword| (keyword.name, keyword)).collect());

/// The keyword with this name.
pub fn keyword(name: &str) -> Option<&'static Keyword> {
    BY_NAME.get(name).copied()
}

/// All keywords, most useful first.
pub fn keywords() -> impl Iterator<Item = &'static Keyword> {
    [validation::KEYWORDS, applicator::KEYWORDS, core::KEYWORDS].into_iter().flatten()
}

/// The shape of a keyword's value, including keywords of earlier drafts that the standard still
/// accepts.
pub(super) fn shape_of(name: &str) -> Option<Shape> {
    keyword(name).map(|keyword| keyword.shape).or(match name {
        "definitions" => Some(Shape::SchemaMap),
        "dependencies" => Some(Shape::Dependencies),
        "$recursiveAnchor" => Some(Shape::Anchor),
        "$recursiveRef" => Some(Shape::Text),
        _ => None,
    })
}

const ANY: &[Type] = &[];
const STRING: &[Type] = &[Type::String];
const NUMBER: &[Type] = &[Type::Number, Type::Integer];
const OBJECT: &[Type] = &[Type::Object];
const ARRAY: &[Type] = &[Type::Array];

/// One row of a table.
macro_rules! row {
    ($name:literal, $vocabulary:ident, $applies:ident, $shape:ident, $page:literal, $snippet:literal, $documentation:literal, $example:literal) => {
        super::Keyword {
            name: $name,
            vocabulary: super::Vocabulary::$vocabulary,
            applies_to: super::$applies,
            shape: super::super::shape::Shape::$shape,
            documentation: $documentation,
            example: $example,
            snippet: $snippet,
            page: $page,
        }
    };
}
use row;
