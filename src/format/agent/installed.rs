//! Skills that a lock file lists: text of another repository, which the next update overwrites.

use std::ffi::OsStr;

use super::names::json;
use super::subject::Subject;
use crate::client::Kind;
use crate::client::catalog::folder_names;
use crate::rule::{Report, Severity};

/// Makes hints of all findings in an installed skill but errors about its front matter: those keep a client from
/// loading it.
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

/// Whether the nearest lock file lists a skill, from another repository or package.
fn is_installed(subject: &Subject) -> bool {
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
    // One from a local folder is the project's own.
    lock.error.is_none()
        && entry.is_some_and(|entry| {
            entry.get("sourceType").and_then(|kind| kind.value.as_str()) != Some("local")
        })
}
