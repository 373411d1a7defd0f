//! The results of checking a template. All spans are bytes of the parsed text.

use std::sync::Arc;

use crate::template::types::Type;
use crate::text::Span;

use super::problem::Problem;

#[derive(Debug, Clone, PartialEq, Default)]
pub struct Checked {
    /// In the order in which the check found them.
    pub problems: Vec<Problem>,
    /// Every field name.
    pub uses: Vec<Use>,
    /// The numbers of the declarations that these names mean, in ascending order, each once.
    pub declarations: Vec<u32>,
    /// Every variable: those declared here, then `$` and the outer ones used here.
    pub variables: Vec<Variable>,
    pub calls: Vec<TemplateCall>,
    pub definitions: Vec<Definition>,
    /// The type of `.` in the arms that change it, by the offset after the arm's action; in source
    /// order.
    pub dots: Vec<(usize, Type)>,
    /// The input as a whole is printed or passed to a function, so every property may be read.
    pub uses_everything: bool,
    /// The variables visible after the template, with their types then; each name once.
    pub outer: Arc<[(String, Type)]>,
}

/// A field name: `name` in `.user.name` and in `index .user "name"`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Use {
    /// Without its dot or quotes.
    pub span: Span,
    /// A quoted key of `index`.
    pub quoted: bool,
    /// The type of the value that the field belongs to, without the shapes that conditions rule
    /// out.
    pub of: Type,
    /// The type here, narrowed by conditions, with the places of the property.
    pub kind: Type,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Variable {
    /// Including its `$`.
    pub name: String,
    pub origin: Origin,
    /// Reads and assignments, without the declaration.
    pub uses: Vec<Span>,
    /// The type at the declaration.
    pub kind: Type,
    /// Not visible outside of the template.
    pub local: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// `$`, the template's argument.
    Root,
    /// In an earlier template.
    Outer,
    Declared(Span),
    /// The first of two in a `range`, which can't be omitted.
    Index(Span),
    /// The second of two in a `range`: without it, the first would be the element.
    Element(Span),
}

impl Variable {
    /// The declaration in this template.
    pub fn declaration(&self) -> Option<&Span> {
        match &self.origin {
            Origin::Declared(span) | Origin::Index(span) | Origin::Element(span) => Some(span),
            Origin::Root | Origin::Outer => None,
        }
    }
}

/// `template "name" .`, or the call that a `block` implies.
#[derive(Debug, Clone, PartialEq)]
pub struct TemplateCall {
    pub name: String,
    /// The name including its quotes.
    pub span: Span,
    pub argument: Type,
    /// The definition that contains the call.
    pub within: Option<String>,
}

/// `define "name"` or `block "name"`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Definition {
    pub name: String,
    /// The name including its quotes.
    pub span: Span,
}

/// The names in scope at an offset.
#[derive(Debug, Clone, PartialEq)]
pub struct Scope {
    /// The type of `.`.
    pub dot: Type,
    /// Including their `$`, innermost last; `$` itself comes first.
    pub variables: Vec<(String, Type)>,
}
