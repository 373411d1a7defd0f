//! Rename: the folder or file of a skill, agent or command, the `name` in its front matter, and
//! every mention of it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::configured::{self, Configured};
use super::declared::{self, Declaration};
use super::marketplace::Marketplace;
use super::mentions::{Place, Word};
use super::references::{self, Asked, Subject, asked, is_at, own_name};
use super::resolve::{Plugins, resolve_among};
use super::{json, linked, paths, plugins, settings, variables};
use crate::answer::{Renamable, Renaming};
use crate::client::Kind;
use crate::format::Context;
use crate::source::Source;
use crate::text::{Edit, Span};
use crate::yaml;

/// The name at an offset, if it's that of files, or of a server or plugin configured here.
pub fn renamable(cx: &Context, offset: usize) -> Option<Renamable> {
    if let Some(Configured { span, name, .. }) = configured::at(cx, offset) {
        return Some(Renamable { span, name });
    }
    let (Asked { span, name, .. }, _) = subject(cx, offset)?;
    Some(Renamable { span, name })
}

fn subject(cx: &Context, offset: usize) -> Option<(Asked, Vec<Arc<Declaration>>)> {
    if let Some(asked) = asked(cx, offset) {
        let Subject::Declared(declared) = &asked.subject else { return None };
        let declared = declared.clone();
        return Some((asked, declared));
    }
    None
}

/// The edits that rename the name at an offset.
///
/// # Errors
/// If the name is invalid or taken.
pub fn rename(cx: &Context, offset: usize, new: &str) -> Result<Renaming, String> {
    if let Some(configured) = configured::at(cx, offset) {
        return match new.trim() {
            new if new == configured.name => Ok(Renaming::default()),
            new => configured::rename(cx, &configured, new),
        };
    }
    let (asked, declared) =
        subject(cx, offset).ok_or_else(|| "nothing here can be renamed".to_owned())?;
    let new = new.trim();
    if new == asked.name {
        return Ok(Renaming::default());
    }
    if let Some([one, other]) = of_several_projects(&declared) {
        let (one, other) = (shown(cx, &one.path), shown(cx, &other.path));
        return Err(format!(
            "`{}` may mean `{one}` or `{other}`; rename it in the one you mean",
            asked.name
        ));
    }
    self::declared(cx, &declared, &asked.name, new)
}

/// Two files of one kind in different projects that a client finds by the same name, so that it may
/// use either.
fn of_several_projects(declared: &[Arc<Declaration>]) -> Option<[&Declaration; 2]> {
    let is_apart = |one: &Declaration, other: &Declaration| {
        let pairs =
            one.roles.iter().flat_map(|role| other.roles.iter().map(move |own| (role, own)));
        one.kind == other.kind
            && pairs
                .filter(|(role, own)| std::ptr::eq(role.client, own.client))
                .any(|(role, own)| !role.plugin && !own.plugin && one.base(role) != other.base(own))
    };
    declared.iter().enumerate().find_map(|(at, one)| {
        let other = declared.iter().skip(at + 1).find(|other| is_apart(one, other))?;
        Some([&**one, &**other])
    })
}

/// The edits and moves that rename files.
///
/// # Errors
/// If the name is invalid or taken.
pub fn declared(
    cx: &Context,
    declared: &[Arc<Declaration>],
    old: &str,
    new: &str,
) -> Result<Renaming, String> {
    for declared in declared {
        valid(declared, new)?;
    }
    let mut moves = Vec::new();
    for declared in declared {
        if let Some((from, to)) = moved(cx, declared, old, new) {
            let same = from.to_string_lossy().to_lowercase() == to.to_string_lossy().to_lowercase();
            if cx.world.kind(&to).is_some() && !same {
                return Err(format!("`{}` already exists", shown(cx, &to)));
            }
            if let Some(link) = linked::broken(cx.world, declared, &from) {
                let (link, target) = (shown(cx, &link), shown(cx, &from));
                return Err(format!(
                    "the link `{link}` to `{target}` would lead nowhere; remove it first, and link to the new name afterwards"
                ));
            }
            moves.push((from, to));
        }
    }
    let mut renaming = edits(cx, declared, old, new, &linked::all(cx.world, &moves));
    renaming.moves = moves;
    Ok(renaming.sorted())
}

/// A path as shown in messages.
fn shown(cx: &Context, path: &Path) -> String {
    let root = cx.root();
    let short = root.as_ref().and_then(|root| path.strip_prefix(root).ok()).unwrap_or(path);
    crate::world::slashed(short)
}

/// Characters that names of folders and files can't contain on some system.
const ODD: &[char] =
    &['/', '\\', ':', '*', '?', '"', '<', '>', '|', '\'', '`', ',', '{', '}', '[', ']'];

fn valid(declared: &Declaration, new: &str) -> Result<(), String> {
    if new.is_empty() {
        return Err("the new name is empty".to_owned());
    }
    if let Some(odd) = new.chars().find(|letter| ODD.contains(letter) || letter.is_control()) {
        return Err(format!("a name can't contain `{odd}`"));
    }
    if new.starts_with(['-', '.', '#', '$', '@', '&', '!', '%']) || new.ends_with('.') {
        return Err(format!("`{new}` can't be the name of a file"));
    }
    let slug = !new.ends_with('-')
        && !new.contains("--")
        && new.chars().all(|letter| matches!(letter, 'a'..='z' | '0'..='9' | '-'));
    if declared.kind == Kind::Skill && !(slug && new.len() <= 64) {
        return Err(format!(
            "`{new}` can't be the name of a skill; use at most 64 lowercase letters, digits and single hyphens"
        ));
    }
    if declared.kind != Kind::Agent && new.contains(char::is_whitespace) {
        return Err("a name can't contain spaces".to_owned());
    }
    Ok(())
}

/// The folder or file that moves with a new name.
fn moved(cx: &Context, declared: &Declaration, old: &str, new: &str) -> Option<(PathBuf, PathBuf)> {
    if declared.stem != old {
        return None;
    }
    match declared.folder() {
        Some(folder) => {
            // Without a workspace, a document's folder counts as its root, but isn't open in any
            // client.
            let root = cx.world.root(cx.path);
            let is_root = root.is_some_and(|root| root.starts_with(folder));
            (!is_root).then(|| (folder.to_owned(), folder.with_file_name(new)))
        }
        None => {
            let file = declared.path.file_name()?.to_str()?;
            let ending = file.get(old.len()..)?;
            let to = declared.path.with_file_name(format!("{new}{ending}"));
            Some((declared.path.clone(), to))
        }
    }
}

/// The edits for new names of some files, which move at the same time: of the names themselves, of
/// mentions, of paths, and of the manifests around the files.
pub fn edits(
    cx: &Context,
    declared: &[Arc<Declaration>],
    old: &str,
    new: &str,
    moves: &[(PathBuf, PathBuf)],
) -> Renaming {
    let mut renaming = Renaming::default();
    for declared in declared.iter().filter(|declared| declared.name.as_deref() == Some(old)) {
        let own = cx.path == Some(&declared.path);
        let source = if own { Some(cx.source.clone()) } else { cx.world.look(&declared.path).ok() };
        let Some(source) = source else { continue };
        if let Some((_, span)) = declared::name(&source) {
            let edit = Edit::replace(span.clone(), written(&source, &span, new));
            renaming.add(Some(declared.path.clone()), edit, false);
        }
    }
    let mut words: Vec<String> = vec![old.to_lowercase()];
    words.extend(moves.iter().filter_map(|(from, _)| last(from)));
    words.dedup();
    let plugins = Plugins::default();
    references::each(cx, &words, &mut |own, roles, mention| {
        let Some(path) = own.path else { return };
        if matches!(mention.word, Word::File(_)) {
            if let Some(text) = paths::rewritten_mention(own, mention, moves) {
                let edit = Edit::replace(mention.span.clone(), text);
                renaming.add(Some(path.to_owned()), edit, false);
            }
            return;
        }
        let (span, name) = own_name(own, mention);
        if name != old {
            return;
        }
        let found = resolve_among(own, roles, mention, &plugins).found;
        let is_one = |target: &_| declared.iter().any(|declared| is_at(target, declared));
        if found.iter().any(is_one) {
            let unsure = mention.doubtful && !old.contains(['-', '_']);
            let doubtful = unsure || !found.iter().all(is_one);
            let text = match mention.place {
                Place::Front(_) => self::written(own.source, &span, new),
                Place::Body { .. } => new.to_owned(),
            };
            renaming.add(Some(path.to_owned()), Edit::replace(span, text), doubtful);
        }
    });
    manifests(cx, declared, moves, &mut renaming);
    variables::edits(cx, moves, &mut renaming);
    settings::path_edits(cx, moves, &mut renaming);
    settings(cx, declared, old, new, &mut renaming);
    renaming
}

/// The name of a file or folder as a key in the index of names.
pub fn last(path: &Path) -> Option<String> {
    Some(path.file_name()?.to_str()?.to_lowercase())
}

/// A name in place of another one in front matter, with quotes if needed.
fn written(source: &Source, span: &Span, new: &str) -> String {
    let before = source.slice(span.start.saturating_sub(1)..span.start);
    let quoted = before.ends_with(['"', '\'']);
    if quoted { new.to_owned() } else { yaml::print_flow_scalar(new) }
}

/// Rewrites paths to moved files in the manifests of plugins and marketplaces.
pub fn manifests(
    cx: &Context,
    declared: &[Arc<Declaration>],
    moves: &[(PathBuf, PathBuf)],
    renaming: &mut Renaming,
) {
    let starts = declared.iter().filter_map(|declared| declared.path.parent());
    let mut files: Vec<PathBuf> = starts
        .chain(moves.iter().map(|(from, _)| from.as_path()))
        .flat_map(|folder| {
            let root = cx.world.root(Some(folder)).or_else(|| cx.root());
            plugins::above(cx.world, folder, root.as_deref())
        })
        .collect();
    files.sort();
    files.dedup();
    for file in files {
        let manifest = plugins::MANIFESTS.iter().find(|manifest| file.ends_with(manifest));
        let levels = manifest.map_or(1, |manifest| manifest.split('/').count());
        let Some(base) = file.ancestors().nth(levels) else { continue };
        let Ok(json) = json::read(cx.world, &file) else { continue };
        let manifest = Marketplace::of(&json, base);
        for (string, span) in plugins::paths(cx.world, &file) {
            if let Some(new) = listed(cx, &manifest, (&string, span.start), moves) {
                renaming.add(Some(file.clone()), Edit::replace(span, new), false);
            }
        }
    }
}

/// The new text of the path at an offset of a manifest after some moves; `None` if it can stay. The
/// folder that it's relative to may move, too.
fn listed(
    cx: &Context,
    manifest: &Marketplace,
    (written, at): (&str, usize),
    moves: &[(PathBuf, PathBuf)],
) -> Option<String> {
    let path = paths::plain(written)?;
    let (base, old) = manifest.target(cx.world, written, at)?;
    let target = |base: &Path| crate::world::resolve(&base.join("_"), path);
    let after = |path: &Path| paths::moved(moves, path);
    let new_base = after(base).unwrap_or_else(|| base.to_owned());
    let new = after(&old).unwrap_or(old);
    if target(&new_base) == new {
        return None;
    }
    let mut new = paths::relative(&new_base, &new)?;
    if path.starts_with("./") {
        new.insert_str(0, "./");
    }
    if path.ends_with('/') {
        new.push('/');
    }
    Some(new)
}

/// Renames names in settings that mean the files.
fn settings(
    cx: &Context,
    declared: &[Arc<Declaration>],
    old: &str,
    new: &str,
    renaming: &mut Renaming,
) {
    let paths = declared.iter().map(|declared| declared.path.as_path());
    let plugins = Plugins::default();
    settings::each(cx, paths, &mut |own, mention| {
        let (span, name) = own_name(own, mention);
        if name != old {
            return;
        }
        let meant = settings::meant(own, mention, &plugins);
        let is_one = |meant: &Arc<Declaration>| declared.iter().any(|one| one.path == meant.path);
        if meant.iter().any(is_one) {
            let path = own.path.map(Path::to_owned);
            renaming.add(path, Edit::replace(span, new), !meant.iter().all(is_one));
        }
    });
}
