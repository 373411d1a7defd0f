//! Paths in text: the file that one leads to, and a path after files have moved.

use std::path::{Component, Path, PathBuf};

use percent_encoding::percent_decode_str;

use super::mentions::{Mention, Place, Word};
use crate::format::Context;
use crate::markdown::destination::{self, Style};
use crate::source::Source;
use crate::text::Span;
use crate::world::{EntryKind, resolve};
use crate::yaml::{Kind, Node};

/// The path without its fragment; `None` if it can't be that of a file.
pub fn plain(written: &str) -> Option<&str> {
    let path = written.split(['#', '?']).next().unwrap_or_default();
    let scheme = path.split_once(':').is_some_and(|(scheme, _)| {
        scheme.len() > 1
            && scheme.chars().all(|letter| letter.is_ascii_alphanumeric() || "+-.".contains(letter))
    });
    let odd =
        path.contains(['<', '>', '{', '}', '$', '*', '|', '\\', '`', '"']) || path.contains("...");
    (!path.is_empty() && !scheme && !odd && !path.starts_with(['/', '~'])).then_some(path)
}

/// The existing file or folder that a path leads to, relative to the document or to the root of the
/// workspace. Paths out of the workspace aren't looked up.
pub fn target(cx: &Context, written: &str) -> Option<PathBuf> {
    let (_, path) = from_root(written);
    let decoded = percent_decode_str(plain(path)?).decode_utf8().ok()?.into_owned();
    let candidates = match from_root(written) {
        (true, _) => vec![resolve(&cx.root()?.join("_"), &decoded)],
        (false, _) => candidates(cx, &decoded),
    };
    candidates.into_iter().find(|path| cx.world.kind(path).is_some())
}

/// Whether a path begins at the root of the workspace, as editors and hosts of repositories read
/// `/docs/x.md`, and the path from there.
fn from_root(written: &str) -> (bool, &str) {
    match written.strip_prefix('/') {
        Some(path) if !path.starts_with('/') && !path.starts_with("..") => (true, path),
        _ => (false, written),
    }
}

/// The paths that a decoded path may mean.
fn candidates(cx: &Context, path: &str) -> Vec<PathBuf> {
    let root = cx.root();
    let near = cx.path.map(|from| resolve(from, path));
    let from_root = root
        .as_ref()
        .filter(|_| !path.starts_with("../"))
        .map(|root| resolve(&root.join("_"), path));
    let mut all: Vec<PathBuf> = near.into_iter().chain(from_root).collect();
    all.retain(|path| root.as_ref().is_none_or(|root| path.starts_with(root)));
    all.dedup();
    all
}

/// Whether a path leads to a file rather than a folder.
pub fn is_file(cx: &Context, path: &Path) -> bool {
    cx.world.kind(path) == Some(EntryKind::File)
}

/// The new path of a file, if it changes. If several moves apply, the innermost is used.
pub fn moved(moves: &[(PathBuf, PathBuf)], path: &Path) -> Option<PathBuf> {
    let found =
        moves.iter().filter_map(|(old, new)| Some((old, new, path.strip_prefix(old).ok()?)));
    let (_, new, rest) = found.max_by_key(|(old, ..)| old.components().count())?;
    Some(if rest.as_os_str().is_empty() { new.clone() } else { new.join(rest) })
}

/// The new text of the path at `span` after some moves; `None` if it can stay. It keeps its form:
/// relative to the document or to the root, with or without `./`, encoded or not, with its
/// fragment.
pub fn rewritten(
    cx: &Context,
    written: &str,
    span: &Span,
    moves: &[(PathBuf, PathBuf)],
) -> Option<String> {
    let from = cx.path?;
    // This is only for links: for a command, `/docs` is a folder on disk.
    let (rooted, path) = from_root(written);
    if rooted && style(cx.source, span, written).is_none() {
        return None;
    }
    let path = plain(path)?;
    let decoded = percent_decode_str(path).decode_utf8().ok()?.into_owned();
    let new_from = moved(moves, from).unwrap_or_else(|| from.to_owned());
    let near = resolve(from, &decoded);
    let target = target(cx, written)?;
    let new_target = moved(moves, &target).unwrap_or_else(|| target.clone());
    let mut new = if target == near && !rooted {
        if resolve(&new_from, &decoded) == new_target {
            return None;
        }
        relative(new_from.parent()?, &new_target)?
    } else {
        let root = cx.root()?;
        if new_target == target {
            return None;
        }
        slashes(new_target.strip_prefix(&root).ok()?)?
    };
    let dot = decoded.starts_with("./");
    if dot && !new.starts_with("../") {
        new.insert_str(0, "./");
    }
    if decoded.ends_with('/') {
        new.push('/');
    }
    if rooted {
        new.insert(0, '/');
    }
    let length = usize::from(rooted) + path.len();
    new = in_place(cx.source, span, written.get(..length)?, new)?;
    new.push_str(written.get(length..).unwrap_or_default());
    (new != written).then_some(new)
}

/// The new text of a mention after some moves, if it's a path and changes.
pub fn rewritten_mention(
    cx: &Context,
    mention: &Mention,
    moves: &[(PathBuf, PathBuf)],
) -> Option<String> {
    let Word::File(written) = &mention.word else { return None };
    match mention.place {
        Place::Front(_) => rewritten_in_command(cx, written, &mention.span, moves),
        Place::Body { .. } => rewritten(cx, written, &mention.span, moves),
    }
}

/// The values of all keys `command`, at any depth.
pub fn commands(node: &Node) -> Vec<&Node> {
    let (mut found, mut open) = (Vec::new(), vec![node]);
    while let Some(node) = open.pop() {
        match &node.kind {
            Kind::Mapping(map) => {
                for entry in &map.entries {
                    let is_command = entry.key.as_str() == Some("command");
                    if is_command { &mut found } else { &mut open }.push(&entry.value);
                }
            }
            Kind::Sequence(list) => open.extend(&list.items),
            Kind::Scalar(_) | Kind::Alias(_) => {}
        }
    }
    found
}

/// [`rewritten`] in a command in YAML or JSON. Also `None` if the new path would need quotes,
/// because they could be those of the notation or of the shell. A path with spaces already has
/// shell quotes.
pub fn rewritten_in_command(
    cx: &Context,
    written: &str,
    span: &Span,
    moves: &[(PathBuf, PathBuf)],
) -> Option<String> {
    let quoted = written.contains(' ');
    rewritten(cx, written, span, moves).filter(|new| quoted || !new.contains(splits))
}

/// A path in place of one with spaces, which is in quotes; `None` if they can't contain it.
pub fn in_quotes(new: String) -> Option<String> {
    (!new.contains(['"', '\'', '`', '$', '\\'])).then_some(new)
}

/// A new path in the notation required at `span`, where `old` is written now; `None` if it can't be
/// written there.
pub fn in_place(source: &Source, span: &Span, old: &str, new: String) -> Option<String> {
    if let Some(style) = style(source, span, old) {
        return Some(destination::write(&new, style));
    }
    if percent_decode_str(old).decode_utf8().is_ok_and(|decoded| decoded != old) {
        return Some(new.replace('%', "%25").replace(' ', "%20"));
    }
    if !new.contains(splits) {
        return Some(new);
    }
    if old.contains(' ') {
        return in_quotes(new);
    }
    let line = source.line_span(span.start);
    let before = source.slice(line.start..span.start).chars().next_back();
    let after = source.slice(span.end..line.end.max(span.end)).chars().next();
    match (before, after) {
        // An import ends at the first space.
        (Some('@'), _) => None,
        (Some('`'), Some('`')) => Some(new),
        (Some('"'), Some('"')) if !new.contains(['"', '$', '`', '\\']) => Some(new),
        (_, _) => quoted(&new),
    }
}

/// Whether a character ends a word, for a shell and for the search for paths.
pub fn splits(letter: char) -> bool {
    letter.is_whitespace() || "`\"'()[]<>;|*?&#$\\".contains(letter)
}

/// A path as one shell word; `None` if it can't be quoted.
pub fn quoted(path: &str) -> Option<String> {
    (!path.contains(['\'', '`'])).then(|| format!("'{path}'"))
}

/// The style of a path as the destination of a link, if it is one.
pub fn style(source: &Source, span: &Span, path: &str) -> Option<Style> {
    let line = source.line_span(span.start);
    // The destination of a definition may be on the next line.
    let start = source.line_span(line.start.saturating_sub(1)).start;
    Style::after(&source.slice(start..span.start), path)
}

fn slashes(path: &Path) -> Option<String> {
    let names: Option<Vec<&str>> =
        path.components().map(|part| part.as_os_str().to_str()).collect();
    Some(names?.join("/"))
}

/// The path that leads from a folder to a file, with `/` between its parts.
pub fn relative(folder: &Path, file: &Path) -> Option<String> {
    let (from, to): (Vec<Component>, Vec<Component>) =
        (folder.components().collect(), file.components().collect());
    let shared = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
    if shared == 0 && !from.is_empty() {
        return None;
    }
    let up = "../".repeat(from.len() - shared);
    let names: Option<Vec<&str>> =
        to.get(shared..)?.iter().map(|part| part.as_os_str().to_str()).collect();
    Some(up + &names?.join("/"))
}
