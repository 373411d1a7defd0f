//! Selectors in documents of every format: what an editor knows of `readme::heading:h2[1]` where it
//! is written, and of the heading that it means where that stands.
//!
//! - [`names`]: which files a name in front of `::` may mean, and which files say a name; kept with
//!   the world
//! - [`target`]: the documents of a mention, and what its selector means in them
//! - [`check`], with a rule in each file of [`rules`]; [`complete`], [`hover`], [`definition`],
//!   [`references`]
//! - [`copy`]: the selector of a place; [`inlays`]: those of headings; [`moved`]: selectors of what
//!   an edit moved

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
