//! The JSON around agent files: manifests and lists of plugins, settings, and files of MCP servers.
//! The names in them can be renamed, and paths that clients can't use are reported.

mod listed;
mod rules;
#[cfg(test)]
mod tests;

use std::any::Any;
use std::path::Path;
use std::sync::Arc;

use super::agent::names::in_json;
use super::{Context, Format, Model};
use crate::answer::{Link, Occurrence, Renamable, Renaming, Target};
use crate::rule::Report;
use crate::text::Span;

pub static FORMAT: Format = Format {
    name: "configuration",
    recognise: |path, _| path.is_some_and(is_configuration),
    read: |source, _| {
        let whole = 0..source.len();
        Arc::new(Configuration { opaque: vec![whole] })
    },
    rules: rules::all,
    workspace: &(),
    start: &(),
    parse: None,
};

/// Whether a file is one of these JSON files.
pub fn is_configuration(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "json") && in_json::is_named(path)
}

struct Configuration {
    /// Nothing in the file is Markdown.
    opaque: Vec<Span>,
}

impl Model for Configuration {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn opaque(&self) -> &[Span] {
        &self.opaque
    }

    fn check(&self, cx: &Context, report: &mut Report) {
        rules::check(cx, report);
    }

    fn definition(&self, cx: &Context, offset: usize) -> Vec<Target> {
        in_json::definition(cx, offset)
    }

    fn links(&self, cx: &Context) -> Vec<Link> {
        in_json::links(cx)
    }

    fn references(&self, cx: &Context, offset: usize) -> Vec<Occurrence> {
        in_json::references(cx, offset)
    }

    fn occurrences(&self, _: &Context, _: usize) -> Vec<Occurrence> {
        Vec::new()
    }

    fn renamable(&self, cx: &Context, offset: usize) -> Option<Renamable> {
        in_json::renamable(cx, offset)
    }

    fn rename(&self, cx: &Context, offset: usize, name: &str) -> Result<Renaming, String> {
        in_json::rename(cx, offset, name)
    }
}
