//! Scripts of a repository that read the front matter of its pages themselves, line by line: to them, it need not be YAML.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use crate::client::{self, catalog::folder_names};
use crate::format::Context;
use crate::source::Source;
use crate::world::{EntryKind, World};

/// Whether a document is in no client's place, and a script of the repository names its folder and reads lines between
/// `---`.
pub fn read_lines(cx: &Context) -> bool {
    let (Some(root), Some(path)) = (cx.root(), cx.path) else { return false };
    let Ok(below) = path.strip_prefix(&root) else { return false };
    let folders: Option<Vec<&str>> = below
        .parent()
        .into_iter()
        .flat_map(Path::components)
        .map(|part| part.as_os_str().to_str())
        .collect();
    let Some(folders) = folders.filter(|folders| !folders.is_empty()) else { return false };
    client::roles(cx.place_of(path)).is_empty()
        && candidates(cx.world, &root, path).any(|script| {
            cx.world.look(&script).is_ok_and(|source| {
                reads(&source) && names(&source.slice(0..source.len()), &folders)
            })
        })
}

/// So many files of a folder are looked at.
const MOST: usize = 64;
/// Longer files are programs, or generated.
const LONGEST: u64 = 128 << 10;

/// The scripts at the top of the repository, in its folders for scripts, and in those around a document.
fn candidates<'w>(
    world: &'w dyn World,
    root: &Path,
    path: &Path,
) -> impl Iterator<Item = PathBuf> + 'w {
    let mut folders: Vec<PathBuf> = path
        .ancestors()
        .skip(1)
        .take_while(|folder| folder.starts_with(root))
        .map(Path::to_owned)
        .collect();
    folders.extend(folder_names().scripts.iter().map(|name| root.join(name)));
    folders.into_iter().flat_map(move |folder| {
        let entries = world.list(&folder).into_iter();
        let scripts =
            entries.filter(|entry| entry.kind == EntryKind::File && is_script(&entry.name));
        let paths = scripts.take(MOST).map(move |entry| folder.join(entry.name));
        paths
            .filter(|path| world.length(path).is_none_or(|length| length <= LONGEST))
            .collect::<Vec<_>>()
    })
}

fn is_script(name: &str) -> bool {
    const ENDINGS: &[&str] = &[
        "awk", "bash", "cjs", "fish", "js", "mjs", "mts", "pl", "ps1", "py", "rb", "sh", "ts",
        "yaml", "yml", "zsh",
    ];
    match name.trim_start_matches('.').rsplit_once('.') {
        Some((_, ending)) => ENDINGS.contains(&ending),
        // `Makefile`, and programs without an ending.
        None => !name.starts_with('.'),
    }
}

/// Whether a script looks for the lines around front matter, and gives what is between them to no reader of YAML.
fn reads(source: &Source) -> bool {
    let memo = source.memo().get::<OnceLock<Lines>>();
    memo.get_or_init(|| {
        let text = source.slice(0..source.len());
        let finds = |marks: &[&str]| marks.iter().any(|mark| text.contains(mark));
        Lines { read: finds(DELIMITERS) && !finds(READERS) }
    })
    .read
}

/// What is remembered of a script.
#[derive(Debug)]
struct Lines {
    read: bool,
}

/// How `---` is looked for: as a pattern, or compared with a line or its beginning.
const DELIMITERS: &[&str] = &[
    "/^---",
    "'^---",
    "\"^---",
    "= \"---\"",
    "= '---'",
    "split(\"---",
    "split('---",
    "tartswith(\"---",
    "tartswith('---",
    "tartsWith(\"---",
    "tartsWith('---",
    "tart_with?(\"---",
    "tart_with?('---",
    "ndexOf(\"---",
    "ndexOf('---",
    "find(\"---",
    "find('---",
    "index(\"---",
    "index('---",
];

/// Readers of YAML, as programs call them.
const READERS: &[&str] = &[
    "yaml.",
    "YAML.",
    "yaml_",
    "js-yaml",
    "import yaml",
    "from yaml",
    "from 'yaml'",
    "from \"yaml\"",
    "require('yaml')",
    "require(\"yaml\")",
    "parseYaml",
    "gray-matter",
    "front-matter'",
    "front-matter\"",
    "import frontmatter",
    "yq e",
    "yq -",
    "yq '",
    "yq \"",
    "yq .",
    "YAML::",
    "matter(",
];

/// Whether a script names a folder: `entries/`, `"entries"`, `path.join(root, "docs", "entries")`; deeper, only on the
/// way to the document.
fn names(text: &str, folders: &[&str]) -> bool {
    let Some((first, deeper)) = folders.split_first() else { return false };
    text.match_indices(first).any(|(at, _)| {
        let before = text.get(..at).and_then(|before| before.chars().next_back());
        let path =
            before.is_none_or(|letter| letter.is_whitespace() || "\"'`/(=:,[".contains(letter));
        let mut rest = text.get(at + first.len()..).unwrap_or_default();
        let quoted = before.is_some_and(|letter| "\"'`".contains(letter))
            && rest.starts_with(['"', '\'', '`']);
        if !path || !(quoted || rest.starts_with('/') || before == Some('/') && ends(rest)) {
            return false;
        }
        for folder in deeper {
            let inside = after_separator(rest);
            // A pattern, a variable, or nothing more: all folders below.
            let Some(next) = inside.filter(|next| next.starts_with(char::is_alphanumeric)) else {
                return true;
            };
            match next.strip_prefix(folder).filter(|next| !next.starts_with(is_name)) {
                Some(next) => rest = next,
                None => return false,
            }
        }
        true
    })
}

/// What follows the name of a folder on a path, in one string or in several.
fn after_separator(rest: &str) -> Option<&str> {
    rest.strip_prefix('/').or_else(|| {
        let rest = rest.strip_prefix(['"', '\'', '`'])?.trim_start();
        let rest = rest.strip_prefix([',', '/', '+'])?.trim_start();
        rest.strip_prefix(['"', '\'', '`'])
    })
}

fn ends(rest: &str) -> bool {
    !rest.starts_with(|letter| is_name(letter) || letter == '.')
}

fn is_name(letter: char) -> bool {
    letter.is_alphanumeric() || matches!(letter, '-' | '_')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_names_the_folder_or_one_around_it() {
        let folders = ["docs", "日本", "new"];
        for (text, found) in [
            ("for f in docs/日本/new/*.md; do", true),
            ("for f in docs/日本/*/*.md; do", true),
            ("DOCS=\"$HERE/docs\"", true),
            ("path.join(root, 'docs', \"日本\", name)", true),
            ("Path(root) / \"docs\" / \"日本\"", true),
            ("readdirSync(\"docs\")", true),
            ("for f in docs/日本/old/*.md", false),
            ("path.join(root, 'docs', 'guides')", false),
            ("# the docs are for people", false),
            ("cat mydocs/日本 docs-old/日本 docs.md", false),
            ("", false),
        ] {
            assert_eq!(names(text, &folders), found, "{text}");
        }
    }

    #[test]
    fn a_script_reads_lines_or_yaml() {
        for (text, found) in [
            ("awk '/^---$/ { n++ } n == 1' \"$f\"", true),
            ("sed -n '/^---$/,/^---$/p' a.md", true),
            ("grep -c '^---' a.md", true),
            ("if line.strip() == '---':", true),
            ("const m = md.match(/^---\\r?\\n([\\s\\S]*?)\\r?\\n---/);", true),
            ("parts = text.split('---', 2)", true),
            ("import yaml\nparts = text.split('---', 2)\nyaml.safe_load(parts[1])", false),
            ("import matter from 'gray-matter'; // '---'", false),
            ("echo '---'; lines.push('---')", false),
            ("grep '^name:' a.md", false),
        ] {
            assert_eq!(reads(&Source::new(text)), found, "{text}");
        }
    }
}
