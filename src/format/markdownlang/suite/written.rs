//! Tests as written: in their own file, or in front matter.

use std::borrow::Cow;

use serde_json::Value;

use super::FIELD;
use crate::format::front_matter::shifted;
use crate::format::markdownlang::program::Header;
use crate::schema::Part;
use crate::source::Source;
use crate::text::{Edit, Span};
use crate::yaml::{self, Anchors, Node, Target, Tree};

/// The YAML that contains tests, and where it begins in the document.
#[derive(Debug)]
pub struct Written<'a> {
    text: Cow<'a, str>,
    offset: usize,
    root: &'a Node,
    anchors: Anchors<'a>,
    /// It is a test file, rather than front matter.
    pub is_file: bool,
}

impl<'a> Written<'a> {
    /// A test file; `None` if it is empty.
    pub fn of_file(text: Cow<'a, str>, tree: &'a Tree) -> Option<Self> {
        let root = tree.root.as_ref()?;
        Some(Self { text, offset: 0, root, anchors: tree.anchors(), is_file: true })
    }

    /// Front matter; `None` if it has no tests.
    pub fn of_header(source: &'a Source, header: &'a Header) -> Option<Self> {
        header.entry(FIELD)?;
        let yaml = header.front.as_ref()?.yaml.clone();
        let tree = header.tree();
        let (offset, text) = (yaml.start, source.slice(yaml));
        Some(Self {
            text,
            offset,
            root: tree.root.as_ref()?,
            anchors: tree.anchors(),
            is_file: false,
        })
    }

    /// The pointer to the list of cases.
    pub fn cases(&self) -> &'static str {
        if self.is_file { "/cases" } else { "/tests" }
    }

    /// The value at a JSON Pointer.
    pub fn value(&self, pointer: &str) -> Option<Value> {
        let node = self.locate(pointer)?.node;
        Some(yaml::to_json(node, &self.anchors).value)
    }

    pub fn locate(&self, pointer: &str) -> Option<Target<'a>> {
        yaml::locate(self.root, pointer, &self.anchors)
    }

    /// The node at a pointer, where it is written.
    pub fn node(&self, pointer: &str) -> Option<&'a Node> {
        Some(self.locate(pointer)?.node)
    }

    /// Converts a span of the YAML to the document.
    pub fn absolute(&self, span: &Span) -> Span {
        span.start + self.offset..span.end + self.offset
    }

    /// Converts edits of the YAML to the document.
    pub fn edits(&self, edits: Vec<Edit>) -> Vec<Edit> {
        shifted(edits, self.offset)
    }

    /// Converts an offset of the document to the YAML.
    pub fn relative(&self, offset: usize) -> Option<usize> {
        offset.checked_sub(self.offset).filter(|at| *at <= self.text.len())
    }

    pub fn root(&self) -> &'a Node {
        self.root
    }

    /// Where a value begins in the document.
    pub fn start(&self, pointer: &str) -> usize {
        self.offset + self.locate(pointer).map_or(0, |target| target.value.start)
    }

    /// The whole value in the document.
    pub fn whole(&self, pointer: &str) -> Option<Span> {
        Some(self.absolute(&self.locate(pointer)?.value))
    }

    /// The characters to mark, in the document: a key or a value. A block is marked at its key or
    /// its first line; something missing, at its parent.
    pub fn mark(&self, pointer: &str, part: Part) -> Span {
        let mut at = pointer;
        let target = loop {
            match (self.locate(at), at.rsplit_once('/')) {
                (Some(target), _) => break Some(target),
                (None, Some((parent, _))) => at = parent,
                (None, None) => break None,
            }
        };
        let Some(target) = target else { return self.absolute(&self.root.span) };
        // If the part itself is missing, mark its parent's key instead.
        let part = if at.len() < pointer.len() { Part::Key } else { part };
        let text = self.text.get(target.value.clone()).unwrap_or_default();
        let span = match (target.key, part) {
            (Some(key), Part::Key) => key,
            (Some(key), Part::Value) if text.is_empty() || text.contains('\n') => key,
            _ => {
                let line = text.lines().next().unwrap_or_default();
                target.value.start..target.value.start + line.len()
            }
        };
        self.absolute(&span)
    }
}
