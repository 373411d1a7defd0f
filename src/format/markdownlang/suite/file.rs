//! `name.test.yaml` as a document.

use std::any::Any;
use std::sync::Arc;

use super::{Cases, Subject, Written, complete, hover, links, runnables, symbols};
use crate::answer::{Completion, Hover, Link, Runnable, Symbol};
use crate::format::markdownlang::rules;
use crate::format::{Context, Format, Model};
use crate::rule::Report;
use crate::text::Span;
use crate::yaml::{self, Tree};

pub static FORMAT: Format = Format {
    name: "test",
    // Other tools have files with such names, too: they aren't Markdown, and get no findings.
    recognise: |path, _| path.is_some_and(super::is_suite),
    read: |source, _| {
        let text = source.text().to_string();
        let tree = yaml::parse(&text);
        let whole = 0..source.len();
        Arc::new(TestFile { opaque: vec![whole], is_ours: is_ours(&text, &tree), tree })
    },
    rules: || rules::suite::all().chain(rules::suite::of_yaml()).collect(),
    workspace: &(),
    start: &(),
    parse: None,
};

struct TestFile {
    /// The whole file: none of it is Markdown.
    opaque: Vec<Span>,
    tree: Tree,
    is_ours: bool,
}

/// Whether this is, or may become, one of our test files: all of its keys are known.
fn is_ours(text: &str, tree: &Tree) -> bool {
    const LONGEST: usize = 40;
    let root = tree.root.as_ref();
    match root.and_then(yaml::Node::as_mapping) {
        Some(root) => {
            let known = |key: &str| super::read::FILE_KEYS.contains(&key);
            let mut keys = root.entries.iter().filter_map(|entry| entry.key.as_str());
            root.get("cases").is_some() || keys.all(known)
        }
        None => text.trim().len() <= LONGEST,
    }
}

impl Model for TestFile {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn opaque(&self) -> &[Span] {
        &self.opaque
    }

    fn yaml_comments(&self) -> &[Span] {
        &self.tree.comments
    }

    fn check(&self, cx: &Context, report: &mut Report) {
        if self.is_ours && self.tree.root.is_some() {
            rules::suite::check_file(cx, &self.tree, report);
        }
    }

    fn complete(&self, cx: &Context, offset: usize) -> Vec<Completion> {
        if self.is_ours { complete::in_file(cx, &self.tree, offset) } else { Vec::new() }
    }

    fn hover(&self, cx: &Context, offset: usize) -> Option<Hover> {
        hover(&self.subject(cx)?, offset)
    }

    fn links(&self, cx: &Context) -> Vec<Link> {
        self.subject(cx).map(|subject| links(&subject)).unwrap_or_default()
    }

    fn symbols(&self, cx: &Context) -> Vec<Symbol> {
        let Some(written) = self.written(cx) else { return Vec::new() };
        symbols(&written, &Cases::of_file(&written))
    }

    fn runnables(&self, cx: &Context) -> Vec<Runnable> {
        let Some(written) = self.written(cx) else { return Vec::new() };
        runnables(&written, &Cases::of_file(&written))
    }
}

impl TestFile {
    fn written<'a>(&'a self, cx: &Context<'a>) -> Option<Written<'a>> {
        let text = cx.source.slice(0..cx.source.len());
        Written::of_file(text, &self.tree).filter(|_| self.is_ours)
    }

    fn subject<'a>(&'a self, cx: &'a Context<'a>) -> Option<Subject<'a>> {
        Subject::of_file(cx, cx.source, &self.tree).filter(|_| self.is_ours)
    }
}
