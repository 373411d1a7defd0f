//! Settings for some files only: `[[overrides]]`.

use serde::Deserialize;
use toml::Spanned;

use super::{Options, first_line};
use crate::text::Span;

/// Where the entries are written.
#[derive(Deserialize)]
struct Written {
    #[serde(default)]
    overrides: Vec<Spanned<serde::de::IgnoredAny>>,
}

/// Whether any of these overrides has no files.
pub fn have_problems(options: &Options) -> bool {
    options.overrides.iter().any(|item| item.files.is_empty())
}

/// The problems in the text of a settings file, with their spans. Empty if the file is invalid in
/// other ways.
pub fn problems(text: &str) -> Vec<(Span, String)> {
    let Ok(options) = toml::from_str::<Options>(text) else { return Vec::new() };
    let Ok(written) = toml::from_str::<Written>(text) else { return Vec::new() };
    let entries = options.overrides.iter().zip(&written.overrides);
    let empty = entries.filter(|(item, _)| item.files.is_empty());
    empty.map(|(_, written)| (first_line(text, written.span()), MESSAGE.to_owned())).collect()
}

const MESSAGE: &str = "an override needs `files`: globs of the files that it is for";
