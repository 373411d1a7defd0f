//! Selectors in documents of every format: editor support for `readme::heading:h2[1]` where it is
//! written, and for the heading that it selects.
//!
//! - [`names`]: which files a name before `::` may refer to, and which files mention a name; cached
//!   with the world
//! - [`target`]: the documents of a mention, and the nodes that its selector selects in them
//! - [`check`], with a rule in each file of [`rules`]; [`complete`], [`hover`], [`definition`],
//!   [`references`]
//! - [`copy`]: the selector of a location; [`inlays`]: those of headings; [`moved`]: selectors
//!   whose targets an edit moved

pub mod check;
pub mod complete;
pub mod copy;
pub mod definition;
pub mod hover;
pub mod inlays;
pub mod moved;
pub mod names;
pub mod references;
pub mod rules;
pub mod target;

#[cfg(test)]
mod tests;
