//! Checks a template against the types of its input (MDL-18), and notes what every name in it
//! stands for.
//!
//! What cannot be known is taken for right: nothing is said about it.
//!
//! - [`problem`]: what may be wrong; [`checked`]: what is known of a template afterwards.
//! - `walk` goes through the nodes, `expression` through what is inside of an action, `call`
//!   through the functions; `narrow` follows what a condition says of the values inside its branch.

mod call;
pub mod checked;
mod compare;
mod expression;
mod format;
mod narrow;
pub mod problem;
mod subject;
#[cfg(test)]
mod tests;
mod walk;

use std::collections::BTreeMap;
use std::sync::Arc;

pub use checked::{Checked, Definition, Origin, Scope, TemplateCall, Use, Variable};
pub use problem::{Effect, Missing, Problem, ProblemKind};

use super::node::Template;
use super::types::{Type, Types};
use crate::steps::Steps;
use walk::Checker;

/// What a template is surrounded by.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Environment {
    /// The variables that are declared in front of it, with their `$`: each name once.
    pub variables: Arc<[(String, Type)]>,
    /// What `.` is in the templates that are called somewhere, by name. In others it may be
    /// anything.
    pub definitions: BTreeMap<String, Type>,
}

/// Everything that there is to say about a template.
pub fn check(template: &Template, types: &Types, environment: &Environment) -> Checked {
    check_unless(template, types, environment, &|| false).unwrap_or_default()
}

/// Like [`check`]; returns `None` if cancelled.
pub fn check_unless(
    template: &Template,
    types: &Types,
    environment: &Environment,
    cancelled: &dyn Fn() -> bool,
) -> Option<Checked> {
    let mut checker = Checker::new(template, types, environment, Steps::new(cancelled));
    checker.template(template);
    checker.finish()
}

/// What can be named at a place.
pub fn scope_at(
    template: &Template,
    types: &Types,
    environment: &Environment,
    offset: usize,
) -> Scope {
    let mut checker = Checker::new(template, types, environment, Steps::always());
    checker.look_at(offset);
    checker.template(template);
    checker.into_scope()
}
