//! Files that look like a client's, but have a name or a place that it doesn't read.

use std::ffi::OsStr;

use super::problem::{Cause, Problem};
use super::subject::Subject;
use crate::client::{self, Client, Misplaced, Reads};
use crate::format::Context;
use crate::source::Source;
use crate::world::resolve;

/// The clients that a document seems to be for.
pub fn of(cx: &Context) -> Vec<(&'static Client, &'static Reads, &'static Misplaced)> {
    let Some(path) = cx.path else { return Vec::new() };
    let mut found = client::misplaced(cx.place_of(path));
    found.retain(|(_, _, wrong)| {
        let stem = path.file_stem().and_then(OsStr::to_str).unwrap_or_default();
        let beside =
            |name: &String| cx.world.kind(&resolve(path, &name.replace("{stem}", stem))).is_some();
        has_keys(cx.source, &wrong.keys) && !wrong.without.iter().any(beside)
    });
    found
}

/// Whether front matter has all of some keys.
pub fn has_keys(source: &Source, keys: &[String]) -> bool {
    keys.is_empty()
        || source
            .front_matter()
            .is_some_and(|front| keys.iter().all(|key| front.tree.get(key).is_some()))
}

/// Problems of names similar to those that a client reads.
pub fn problems(subject: &Subject) -> Vec<Problem<'static>> {
    let named = &subject.cx.config.options().clients;
    let wanted = |client: &Client| {
        named.is_empty()
            || named.iter().any(|name| *name == client.name || client.aliases.contains(name))
    };
    let stem = subject.file.stem().unwrap_or_default();
    // The client may find the file through a link in the right place.
    let reads = |client: &Client| {
        let mut readers = subject.file.readers.iter();
        readers
            .any(|role| std::ptr::eq(role.client, client) && role.reads.kind == subject.file.kind)
    };
    let mut found: Vec<Problem<'static>> = Vec::new();
    for (client, _, wrong) in
        of(subject.cx).into_iter().filter(|(client, _, _)| wanted(client) && !reads(client))
    {
        let problem = Problem::new(
            Cause::Misplaced,
            client,
            None,
            subject.first_line(),
            wrong.effect.clone(),
        );
        let remedy = wrong.remedy.replace("{stem}", wrong.base(stem));
        found.push(problem.instead(vec![remedy]));
    }
    // The open specification counts only if no client does.
    if found.iter().any(|problem| problem.client.name != "spec") {
        found.retain(|problem| problem.client.name != "spec");
    }
    found
}
