//! What is known of a template that was checked. All spans are bytes of the text that was parsed.

use std::sync::Arc;

use crate::template::types::Type;
use crate::text::Span;

use super::problem::Problem;

#[derive(Debug, Clone, PartialEq, Default)]
pub struct Checked {
    /// In the order in which they were met.
    pub problems: Vec<Problem>,
    /// Every name of a field.
    pub uses: Vec<Use>,
    /// Every variable: those that are declared here, then `$` and those from outside that are used
    /// here.
    pub variables: Vec<Variable>,
    pub calls: Vec<TemplateCall>,
    pub definitions: Vec<Definition>,
    /// What `.` is in the arms that change it, by where each begins behind its action; in the order
    /// of the text.
    pub dots: Vec<(usize, Type)>,
    /// The input as a whole is printed or handed to a function: every property may be read.
    pub uses_everything: bool,
    /// The variables that are visible behind the template, with what they hold then: each name
    /// once.
    pub outer: Arc<[(String, Type)]>,
}

/// The name of a field: `name` in `.user.name` and in `index .user "name"`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Use {
    /// Without its dot or quotes.
    pub span: Span,
    /// Between quotes, as a key of `index`.
    pub quoted: bool,
    /// What the field is in.
    pub of: Type,
    /// What it holds here, conditions considered. Its places are those of the property.
    pub kind: Type,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Variable {
    /// With its `$`.
    pub name: String,
    pub origin: Origin,
    /// Where it is read or assigned, without its declaration.
    pub uses: Vec<Span>,
    /// What it holds at first.
    pub kind: Type,
    /// Nothing outside of the template can see it.
    pub local: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// `$`, what the template was given.
    Root,
    /// In a template before this one.
    Outer,
    Declared(Span),
    /// The first of two in a `range`, which cannot be left out.
    Index(Span),
}

impl Variable {
    /// Where it is declared in this template.
    pub fn declaration(&self) -> Option<&Span> {
        match &self.origin {
            Origin::Declared(span) | Origin::Index(span) => Some(span),
            Origin::Root | Origin::Outer => None,
        }
    }
}

/// `template "name" .`, or the call that a `block` is.
#[derive(Debug, Clone, PartialEq)]
pub struct TemplateCall {
    pub name: String,
    /// The name with its quotes.
    pub span: Span,
    pub argument: Type,
    /// The definition that calls it.
    pub within: Option<String>,
}

/// `define "name"` or `block "name"`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Definition {
    pub name: String,
    /// The name with its quotes.
    pub span: Span,
}

/// What can be named at a place.
#[derive(Debug, Clone, PartialEq)]
pub struct Scope {
    /// What `.` is.
    pub dot: Type,
    /// With their `$`, the innermost last; `$` itself is the first.
    pub variables: Vec<(String, Type)>,
}
