//! Skills that a lock file lists: someone else's text, which the next update overwrites.

use std::ffi::OsStr;

use serde_json::Value;

use super::subject::Subject;
use crate::client::Kind;
use crate::rule::{Report, Severity};

/// The lock file of `npx skills`, with the skills of a project by name.
const LOCK: &str = "skills-lock.json";

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
    let mut locks = folders.map(|folder| folder.join(LOCK));
    let Some(lock) = locks.find(|lock| world.kind(lock).is_some()) else { return false };
    let Ok(text) = world.read(&lock) else { return false };
    let text = text.slice(0..text.len());
    let Ok(lock) = serde_json::from_str::<Value>(text.trim_start_matches('\u{feff}')) else {
        return false;
    };
    // One from a local folder is the project's own.
    let entry = lock.get("skills").and_then(|skills| skills.get(name));
    entry.is_some_and(|entry| entry.get("sourceType").and_then(Value::as_str) != Some("local"))
}
