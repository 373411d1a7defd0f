//! Names that look like those of a client's files.

use serde::Deserialize;

use super::Effect;

/// A name that a client doesn't read, similar to those that it does.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Misplaced {
    pub glob: String,
    pub effect: Effect,
    /// What to do, in the imperative.
    /// `{stem}` is the name of the file without its extension and without a word of `drops`.
    pub remedy: String,
    /// Words at the end of names that authors write for the ending that works: `x-prompt.md`.
    #[serde(default)]
    pub drops: Vec<String>,
    /// Only if the front matter has all of these keys: then it's meant as this kind.
    #[serde(default)]
    pub keys: Vec<String>,
    /// Only if none of these files is next to it; `{stem}` is its name without the extension.
    #[serde(default)]
    pub without: Vec<String>,
}

impl Misplaced {
    /// A name without a word that stands for the ending that works.
    pub fn base<'s>(&self, stem: &'s str) -> &'s str {
        let (name, word) = stem.rsplit_once(['.', '-', '_']).unwrap_or((stem, ""));
        let drops = !name.is_empty() && self.drops.iter().any(|other| other == word);
        if drops { name } else { stem }
    }
}
