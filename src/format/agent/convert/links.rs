//! Adjusts links in a file that moves, so that they lead to the same targets.

use std::path::Path;

use percent_encoding::percent_decode_str;

use super::{Dropped, Work};
use crate::client::{Kind, Reads};
use crate::format::agent::names::{self, Word, paths};
use crate::markdown::destination;
use crate::source::Source;
use crate::text::{self, Edit};
use crate::world::{World, resolve};

/// The path of a file, and the workspace around it.
#[derive(Clone, Copy)]
pub struct Around<'w> {
    pub world: &'w dyn World,
    /// The path of the file.
    pub path: &'w Path,
    /// The folder that the new path is relative to.
    pub root: &'w Path,
}

/// The text with its links adjusted for `path`, the new path from `root`.
pub fn convert(work: &mut Work, around: Option<Around>, path: &str, body: &str) -> String {
    let source = Source::new(body);
    let mut edits = Vec::new();
    for mention in names::of(&source, &[]) {
        let Word::File(written) = &mention.word else { continue };
        // Paths in code are usually relative to the root.
        let Some(style) = paths::style(&source, &mention.span, written) else { continue };
        let inserts = scheme(work.from.reads);
        let inserted = inserts.and_then(|scheme| written.strip_prefix(scheme));
        let new = match inserted {
            Some(_) if inserts == scheme(work.to.reads) => None,
            Some(target) => {
                let why = format!("{} doesn't insert files here", work.to.client.title);
                work.dropped.push(Dropped::text(written, why));
                from_root(path, target)
            }
            None => around.and_then(|around| moved(work, around, path, written)),
        };
        let Some(new) = new else { continue };
        let rest = written.find(['#', '?']).and_then(|at| written.get(at..)).unwrap_or_default();
        let new = destination::write(&new, style) + rest;
        if new != *written {
            work.note(format!("the link `{written}` became `{new}`"));
            edits.push(Edit::replace(mention.span.clone(), new));
        }
    }
    text::apply(body, &edits).unwrap_or_else(|_| body.to_owned())
}

/// The prefix of links to files that the client inserts.
fn scheme(reads: &Reads) -> Option<&str> {
    reads.substitutes.as_ref()?.file_link.as_deref()
}

/// A path from the root, rewritten relative to the file at `path`.
fn from_root(path: &str, target: &str) -> Option<String> {
    let root = Path::new("/");
    let target = target.split(['#', '?']).next()?;
    let target = percent_decode_str(target).decode_utf8().ok()?;
    let target = resolve(&root.join("_"), &target);
    paths::relative(root.join(path).parent()?, &target)
}

/// A path relative to the file, rewritten for the new file; `None` if it can stay.
fn moved(work: &Work, around: Around, path: &str, written: &str) -> Option<String> {
    let plain = paths::plain(written)?;
    let decoded = percent_decode_str(plain).decode_utf8().ok()?;
    let target = resolve(around.path, &decoded);
    let new = around.root.join(path);
    let both = [work.from, work.to].iter().all(|place| place.reads.kind == Kind::Skill);
    // The files of a skill move along with it.
    let bundled = both && around.path.parent().is_some_and(|folder| target.starts_with(folder));
    if bundled || around.world.kind(&target).is_none() || resolve(&new, &decoded) == target {
        return None;
    }
    let mut relative = paths::relative(new.parent()?, &target)?;
    if decoded.ends_with('/') {
        relative.push('/');
    }
    Some(relative)
}
