//! Paths after variables that Claude Code expands: `${CLAUDE_PLUGIN_ROOT}/skills/brew-tea/boil.py`.
//! It expands them everywhere, also in fenced code.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use memchr::memmem;

use super::marketplace::Marketplace;
use super::{json, paths, plugins, settings};
use crate::answer::Renaming;
use crate::format::Context;
use crate::text::{Edit, Span};
use crate::world::{is_markdown, resolve};

/// A variable, its folder, and the files in which it's expanded.
struct Variable {
    name: &'static str,
    folder: PathBuf,
    files: BTreeSet<PathBuf>,
}

/// Adds edits for paths to moved files.
pub fn edits(cx: &Context, moves: &[(PathBuf, PathBuf)], renaming: &mut Renaming) {
    let markdown = cx.world.files();
    for (folder, files) in skills(cx, moves, &markdown) {
        if (cx.cancelled)() {
            return;
        }
        Variable { name: "CLAUDE_SKILL_DIR", folder, files }.edits(cx, moves, renaming);
    }
    let mut done: BTreeSet<(&str, PathBuf)> = BTreeSet::new();
    for (from, _) in moves {
        for variable in around(cx, from, &markdown) {
            if (cx.cancelled)() {
                return;
            }
            if done.insert((variable.name, variable.folder.clone())) {
                variable.edits(cx, moves, renaming);
            }
        }
    }
}

/// The variables that may lead to a file.
fn around(cx: &Context, path: &Path, markdown: &[PathBuf]) -> Vec<Variable> {
    let root = cx.world.root(Some(path)).or_else(|| cx.root());
    let is_file = |path: PathBuf| cx.world.kind(&path).is_some();
    let listed = root.as_ref().map(|root| Marketplace::read(cx.world, root)).unwrap_or_default();
    let is_plugin = |folder: &&&Path| {
        plugins::name(cx.world, folder).is_some()
            || listed.plugins().any(|(_, listed)| listed == Some(**folder))
    };
    let below = |folder: &Path| {
        let inside = markdown.iter().filter(|file| file.starts_with(folder));
        inside.cloned().collect::<BTreeSet<PathBuf>>()
    };
    let above = path.ancestors().skip(1);
    let above: Vec<&Path> = above
        .take_while(|folder| root.as_ref().is_none_or(|root| folder.starts_with(root)))
        .collect();
    let mut found = Vec::new();
    if let Some(folder) = above.iter().find(is_plugin) {
        let mut files = below(folder);
        for inner in [folder.to_path_buf(), folder.join(".claude-plugin"), folder.join("hooks")] {
            let all = cx.world.list(&inner).into_iter().map(|entry| inner.join(entry.name));
            files
                .extend(all.filter(|file| file.extension().is_some_and(|ending| ending == "json")));
        }
        found.push(Variable { name: "CLAUDE_PLUGIN_ROOT", folder: folder.to_path_buf(), files });
    }
    for folder in above.iter().filter(|folder| is_file(folder.join(".claude"))) {
        let mut files = below(&folder.join(".claude"));
        files.extend(settings::in_folder(cx.world, folder));
        found.push(Variable { name: "CLAUDE_PROJECT_DIR", folder: folder.to_path_buf(), files });
    }
    found
}

/// The skills of the workspace folders with their files, whose paths may lead into other skills.
fn skills(
    cx: &Context,
    moves: &[(PathBuf, PathBuf)],
    markdown: &[PathBuf],
) -> BTreeMap<PathBuf, BTreeSet<PathBuf>> {
    let roots: BTreeSet<Option<PathBuf>> =
        moves.iter().map(|(from, _)| cx.world.root(Some(from)).or_else(|| cx.root())).collect();
    let inside = |file: &&PathBuf| {
        let is_in =
            |root: &Option<PathBuf>| root.as_ref().is_none_or(|root| file.starts_with(root));
        roots.iter().any(is_in)
    };
    let skills: BTreeSet<&Path> = markdown
        .iter()
        .filter(inside)
        .filter(|file| file.file_name().is_some_and(|name| name == "SKILL.md"))
        .filter_map(|file| file.parent())
        .collect();
    let mut found: BTreeMap<PathBuf, BTreeSet<PathBuf>> = BTreeMap::new();
    for file in markdown {
        if let Some(folder) = file.ancestors().skip(1).find(|folder| skills.contains(folder)) {
            found.entry(folder.to_owned()).or_default().insert(file.clone());
        }
    }
    found
}

impl Variable {
    fn edits(&self, cx: &Context, moves: &[(PathBuf, PathBuf)], renaming: &mut Renaming) {
        let moved = |path: &Path| paths::moved(moves, path);
        let folder = moved(&self.folder).unwrap_or_else(|| self.folder.clone());
        for file in &self.files {
            let read =
                if is_markdown(file) { cx.world.look(file) } else { json::source(cx.world, file) };
            let Ok(source) = read else { continue };
            let text = source.slice(0..source.len());
            for short in after(&text, self.name) {
                let base = self.folder.join("_");
                let is_one = |span: &Span| {
                    let path = text.get(span.clone()).map(|path| resolve(&base, path));
                    path.is_some_and(|path| cx.world.kind(&path).is_some())
                };
                let span = to_quote(&text, &short).filter(is_one).unwrap_or(short);
                let Some(written) = text.get(span.clone()) else { continue };
                let target = resolve(&self.folder.join("_"), written);
                let new = moved(&target).or_else(|| {
                    // The folder may move away from the target.
                    let stays = folder != self.folder && cx.world.kind(&target).is_some();
                    stays.then(|| target.clone())
                });
                let Some(new) = new.and_then(|new| paths::relative(&folder, &new)) else {
                    continue;
                };
                let slash = if written.ends_with('/') { "/" } else { "" };
                let new = format!("{new}{slash}");
                if resolve(&folder.join("_"), written) != resolve(&folder.join("_"), &new) {
                    // Files outside the folder of a plugin aren't installed with it.
                    let leaves = new.starts_with("../") && !written.starts_with("../");
                    let Some((new, sure)) = as_word(&text, &span, file, new) else { continue };
                    renaming.add(Some(file.clone()), Edit::replace(span, new), leaves || !sure);
                }
            }
        }
    }
}

/// The span of a path with spaces in quotes that begins at the same place as a shorter one.
fn to_quote(text: &str, short: &Span) -> Option<Span> {
    let before = text.get(..short.start)?;
    let line = before.get(before.rfind('\n').map_or(0, |at| at + 1)..)?;
    let sign = line.get(line.rfind(['"', '\''])?..)?.get(..1)?;
    let rest = text.get(short.start..)?.lines().next()?;
    let path = rest.get(..rest.find(sign)?)?.trim_end_matches('\\');
    let end = short.start + path.len();
    (path.contains(' ') && end > short.end).then_some(short.start..end)
}

/// A path at `span` as one word of a command, and whether that's certain.
fn as_word(text: &str, span: &Span, file: &Path, new: String) -> Option<(String, bool)> {
    if !new.contains(paths::splits) {
        return Some((new, true));
    }
    if text.get(span.clone()).is_some_and(|old| old.contains(' ')) {
        return Some((paths::in_quotes(new)?, true));
    }
    let json = file.extension().is_some_and(|ending| ending == "json");
    let before = text.get(..span.start)?;
    let variable = before.rfind('$').and_then(|at| before.get(..at))?;
    let after = text.get(span.end..)?;
    let within = |quote: &str| variable.ends_with(quote) && after.starts_with(quote);
    if within("'") || within("\\\"") || !json && within("\"") {
        return Some((new, true));
    }
    // Only hooks are shell commands; a server gets its arguments unchanged.
    let name = file.file_name()?.to_str()?;
    if json && within("\"") && !name.starts_with("settings") && name != "hooks.json" {
        return Some((new, true));
    }
    Some((paths::quoted(&new)?, json))
}

/// The paths after a variable in the text, without the slash between them: `${NAME}/path`,
/// `$NAME/path`, `"$NAME"/path`.
fn after(text: &str, name: &str) -> Vec<Span> {
    let is_end = |letter: char| letter.is_whitespace() || "`\"'()[]<>,;|=*{}$\\&".contains(letter);
    let found = memmem::find_iter(text.as_bytes(), name).filter_map(|at| {
        let (before, rest) = (text.get(..at)?, text.get(at + name.len()..)?);
        let rest = match before.ends_with("${") {
            true => rest.strip_prefix('}')?,
            false => Some(rest).filter(|_| before.ends_with('$'))?,
        };
        let rest = rest.strip_prefix('\\').unwrap_or(rest);
        let rest = rest.strip_prefix('"').unwrap_or(rest).strip_prefix('/')?;
        let path = rest.split(is_end).next()?.trim_end_matches(['.', ':', '!', '?']);
        let start = text.len() - rest.len();
        (!path.is_empty()).then(|| start..start + path.len())
    });
    found.collect()
}
