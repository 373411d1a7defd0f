//! Skills that a lock file lists, and files that haven't changed since an installer wrote them:
//! their text comes from another repository, and the next update overwrites it.

use std::ffi::OsStr;

use super::names::json;
use super::subject::Subject;
use super::sync::{digest, hash};
use crate::client::Kind;
use crate::client::catalog::folder_names;
use crate::rule::{Report, Severity};

/// Turns all findings in an installed file into hints, except for errors about its front matter,
/// which keep a client from loading it.
pub fn lower(subject: &Subject, report: &mut Report) {
    let top = subject.body().max(subject.first_line().end);
    let mut loud = report.diagnostics.iter_mut().filter(|found| {
        let loads = found.severity < Severity::Error || found.span.start >= top;
        found.severity > Severity::Hint && loads
    });
    let Some(first) = loud.next().filter(|_| is_installed(subject)) else { return };
    first.severity = Severity::Hint;
    loud.for_each(|found| found.severity = Severity::Hint);
}

fn is_installed(subject: &Subject) -> bool {
    is_locked(subject) || is_unchanged(subject)
}

/// Whether an installer's manifest in a folder above lists the file with its current hash.
fn is_unchanged(subject: &Subject) -> bool {
    let (world, path) = (subject.cx.world, subject.file.path);
    let Some(root) = subject.cx.root() else { return false };
    let folders = path.ancestors().skip(1).take_while(|folder| folder.starts_with(&root));
    let mut manifests = folders.flat_map(|folder| {
        folder_names().manifests.iter().map(move |name| (folder, folder.join(name)))
    });
    let Some((folder, manifest)) = manifests.find(|(_, file)| world.kind(file).is_some()) else {
        return false;
    };
    let Ok(manifest) = json::read(world, &manifest) else { return false };
    let files = manifest.tree.get("files").and_then(|files| files.value.as_mapping());
    let own = path.strip_prefix(folder).ok().map(crate::world::slashed);
    let listed = own.and_then(|own| files?.get(&own)?.value.as_str());
    let source = subject.cx.source;
    // Git may have changed the line breaks since.
    listed.map(str::to_lowercase).is_some_and(|listed| {
        let text = source.slice(0..source.len());
        digest(&text) == listed || hash(&text) == listed
    })
}

/// Whether the nearest lock file lists a skill, from another repository or package.
fn is_locked(subject: &Subject) -> bool {
    let (world, path) = (subject.cx.world, subject.file.path);
    let (Some(root), Some(name)) = (subject.cx.root(), subject.file.folder()) else { return false };
    let among = path.ancestors().nth(2).and_then(|folder| folder.file_name());
    if subject.file.kind != Kind::Skill || among != Some(OsStr::new("skills")) {
        return false;
    }
    let folders = path.ancestors().skip(2).take_while(|folder| folder.starts_with(&root));
    let mut locks =
        folders.flat_map(|folder| folder_names().locks.iter().map(move |lock| folder.join(lock)));
    let Some(lock) = locks.find(|lock| world.kind(lock).is_some()) else { return false };
    let Ok(lock) = json::read(world, &lock) else { return false };
    let skills = lock.tree.get("skills").and_then(|skills| skills.value.as_mapping());
    let entry = skills.and_then(|skills| skills.get(name)?.value.as_mapping());
    // A skill from a local folder is the project's own.
    lock.error.is_none()
        && entry.is_some_and(|entry| {
            entry.get("sourceType").and_then(|kind| kind.value.as_str()) != Some("local")
        })
}
