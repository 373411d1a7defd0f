//! Checks a template against the types of its input (MDL-18), and records what every name in it
//! refers to.
//!
//! Unknown values are assumed to be right and never reported.
//!
//! - [`problem`]: possible mistakes; [`checked`]: the results of a check.
//! - `walk` visits the nodes, `expression` the expressions inside an action, `call` the functions;
//!   `narrow` derives from a condition which values exist inside its branch.

mod bounds;
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
mod wanted;

use std::collections::BTreeMap;
use std::sync::Arc;

pub use checked::{Checked, Definition, Origin, Scope, TemplateCall, Use, Variable};
pub use problem::{Effect, Missing, Problem, ProblemKind, Reach};
pub use wanted::Wanted;

use super::node::Template;
use super::types::{Type, Types};
use crate::steps::Steps;
use walk::Checker;

/// What surrounds a template.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Environment {
    /// The variables declared before it, including their `$`; each name once.
    pub variables: Arc<[(String, Type)]>,
    /// The type of `.` in templates that are called somewhere, by name. In others its type is
    /// unknown.
    pub definitions: BTreeMap<String, Type>,
}

/// Checks a template.
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

/// The names in scope at an offset.
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
