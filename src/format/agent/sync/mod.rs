//! Copies of agent files for other clients, kept in sync with their source: the entries of
//! `[[sync]]`, outdated copies, and which side changed.

pub mod lock;
mod merge;

#[cfg(test)]
mod tests;

use std::path::{Component, Path, PathBuf};

use globset::{GlobBuilder, GlobMatcher};

use super::convert::{self, Conversion, Place, Refusal};
use crate::config::sync::{self, SyncEntry};
use crate::text::Span;
use crate::world::{World, slashed};

pub use lock::{Copy, Lock, digest, hash};
pub use merge::{Side, Taken, take};

/// The file that lists the copies, in the folder of the settings.
pub const LOCK: &str = "agentmd.lock";

/// A usable entry of the settings.
#[derive(Debug, Clone)]
pub struct Entry {
    pub source: String,
    glob: GlobMatcher,
    /// The folder that contains all sources, relative to the settings.
    pub folder: PathBuf,
    pub to: Vec<Place>,
}

impl Entry {
    /// Whether a path, relative to the settings, is a source.
    pub fn matches(&self, path: &Path) -> bool {
        self.glob.is_match(slashed(path))
    }
}

/// Why an entry can't be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The index of the entry.
    pub index: usize,
    /// The key whose value is wrong.
    pub key: &'static str,
    pub message: String,
}

/// The usable entries, and the mistakes of the others.
pub fn entries(written: &[SyncEntry]) -> (Vec<Entry>, Vec<Problem>) {
    let (mut usable, mut problems) = (Vec::new(), Vec::new());
    for (index, item) in written.iter().enumerate() {
        let mut wrong =
            |key: &'static str, message: String| problems.push(Problem { index, key, message });
        let source = item.source.trim();
        let source = source.strip_prefix("./").unwrap_or(source);
        if source.is_empty() {
            wrong("source", "an entry needs a `source`: a file or a glob".to_owned());
            continue;
        }
        let outside = Path::new(source)
            .components()
            .any(|part| !matches!(part, Component::Normal(_) | Component::CurDir));
        if outside || source.contains('\\') {
            let folder = "is outside of the folder of the settings";
            wrong("source", format!("`{source}` {folder}"));
            continue;
        }
        let glob = match GlobBuilder::new(source).literal_separator(true).build() {
            Ok(glob) => glob.compile_matcher(),
            Err(error) => {
                wrong("source", format!("`{source}` is not a glob: {}", error.kind()));
                continue;
            }
        };
        if item.to.is_empty() {
            wrong("to", "an entry needs `to`: kinds such as `copilot-agent`".to_owned());
            continue;
        }
        let mut to = Vec::new();
        let mut unknown = false;
        for name in &item.to {
            match convert::named(name, None) {
                Ok(place) if to.contains(&place) => {}
                Ok(place) => to.push(place),
                Err(error) => {
                    unknown = true;
                    wrong("to", error.to_string());
                }
            }
        }
        // The path shows the kind of the sources.
        let example = source.replace("**/", "").replace('*', "x");
        if let (Some(origin), false) =
            (convert::origin(Path::new(""), Path::new(&example), None), unknown)
        {
            let bad = to
                .iter()
                .find(|place| !convert::converts(origin.place.reads.kind, place.reads.kind));
            if let Some(bad) = bad {
                let (from, to) = (origin.place.words(), bad.words());
                wrong("to", format!("{from} can't become {to}"));
                continue;
            }
        }
        if unknown {
            continue;
        }
        let fixed: PathBuf = Path::new(source)
            .iter()
            .take_while(|part| !part.to_string_lossy().contains(['*', '?', '[', '{']))
            .collect();
        let folder = if fixed == Path::new(source) {
            fixed.parent().map(Path::to_owned).unwrap_or_default()
        } else {
            fixed
        };
        usable.push(Entry { source: source.to_owned(), glob, folder, to });
    }
    (usable, problems)
}

/// The problems in the text of a settings file, with their places.
pub fn problems(text: &str) -> Vec<(Span, String)> {
    let Ok(options) = toml::from_str::<crate::config::Options>(text) else { return Vec::new() };
    let (_, problems) = entries(&options.sync);
    let placed =
        |problem: Problem| (sync::place(text, problem.index, problem.key), problem.message);
    problems.into_iter().map(placed).collect()
}

/// The copy of a source: its path relative to `root` (the folder of the settings), with `/`, and
/// its contents.
///
/// # Errors
/// If the source can't be converted.
pub fn copy(
    (world, root): (&dyn World, &Path),
    source: &Path,
    text: &str,
    to: Place,
) -> Result<(String, Conversion), Refusal> {
    let path = root.join(source);
    let origin = convert::origin(root, &path, None)
        .ok_or_else(|| Refusal::Family(format!("no client reads `{}`", slashed(source))))?;
    let conversion = convert::convert_at(text, &origin, to, Some((world, &path)))?;
    let target = origin.root.as_deref().unwrap_or(root).join(&conversion.path);
    Ok((slashed(target.strip_prefix(root).unwrap_or(&target)), conversion))
}

/// The state of a copy, compared with its source and with the last version written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Standing {
    UpToDate,
    Missing,
    /// The source has changed since; the copy hasn't.
    SourceChanged,
    /// The copy was changed by hand; the source hasn't changed.
    CopyChanged,
    BothChanged,
    /// A file that `sync` didn't write.
    NotACopy,
}

impl Standing {
    /// Whether writing the copy loses nothing.
    pub fn is_safe(self) -> bool {
        matches!(self, Self::UpToDate | Self::Missing | Self::SourceChanged)
    }
}

/// The state of a copy. `expected` is its converted source.
pub fn standing(
    known: Option<&Copy>,
    source: &str,
    copy: Option<&str>,
    expected: &str,
) -> Standing {
    let Some(copy) = copy else { return Standing::Missing };
    if hash(copy) == hash(expected) {
        return Standing::UpToDate;
    }
    let Some(known) = known else { return Standing::NotACopy };
    match (known.source_hash != hash(source), known.hash != hash(copy)) {
        (false, true) => Standing::CopyChanged,
        (true, true) => Standing::BothChanged,
        // If neither changed, agentmd itself converts differently now.
        (_, false) => Standing::SourceChanged,
    }
}
