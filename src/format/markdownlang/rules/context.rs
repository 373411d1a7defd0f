//! The input of rules: a program, its context, and the YAML of its front matter.

use std::borrow::Cow;
use std::cell::{OnceCell, RefCell};
use std::ops::Deref;

use super::super::imported::{self, Imported};
use super::super::mention::{self, Mention};
use super::super::program::{Import, Program};
use super::super::read::entries;
use super::schema::weighed::Weighed;
use crate::format::{Context, front_matter};
use crate::text::{Edit, Span};
use crate::yaml::{self, Anchors, Entry, Kind, Mapping, Node, ScalarType, Tree, scalar_type};

/// The program to check.
pub struct RuleContext<'a> {
    pub program: &'a Program,
    pub cx: &'a Context<'a>,
    pub anchors: Anchors<'a>,
    /// The YAML's text: the spans of nodes count from its start.
    pub yaml: Cow<'a, str>,
    imported: OnceCell<Vec<Imported<'a>>>,
    mentions: OnceCell<Vec<Mention>>,
    /// The changes that the body has suggested so far.
    pub weighed: RefCell<Weighed>,
}

impl Deref for RuleContext<'_> {
    type Target = Program;

    fn deref(&self) -> &Program {
        self.program
    }
}

impl<'a> RuleContext<'a> {
    pub fn new(program: &'a Program, cx: &'a Context<'a>) -> Self {
        let span = program.front.as_ref().map_or(0..0, |front| front.yaml.clone());
        Self {
            program,
            cx,
            anchors: program.header.tree().anchors(),
            yaml: cx.source.slice(span),
            imported: OnceCell::new(),
            mentions: OnceCell::new(),
            weighed: RefCell::default(),
        }
    }

    /// The files of the imports.
    pub fn imported(&self) -> &[Imported<'a>] {
        self.imported.get_or_init(|| imported::imported(&self.program.header, self.cx))
    }

    /// The tools that the body mentions, in order.
    pub fn mentions(&self) -> &[Mention] {
        self.mentions.get_or_init(|| mention::all(self.cx.source).collect())
    }

    /// The edits that remove an import from its list.
    pub fn remove_import(&self, import: &Import) -> Option<Vec<Edit>> {
        let item = self.items("imports").find(|item| self.absolute(&item.span) == import.span)?;
        Some(self.edits(yaml::remove_item(&self.yaml, item)))
    }

    pub fn tree(&self) -> &'a Tree {
        self.program.header.tree()
    }

    /// The root, if it is a mapping as required.
    pub fn root(&self) -> Option<&'a Mapping> {
        self.tree().root.as_ref()?.as_mapping()
    }

    /// The value of a top-level key, following aliases.
    pub fn value(&self, key: &str) -> Option<&'a Node> {
        self.anchors.follow(&self.program.header.entry(key)?.value)
    }

    /// The items of a top-level list as written.
    pub fn items(&self, key: &str) -> impl Iterator<Item = &'a Node> + use<'a> {
        self.value(key).and_then(Node::as_sequence).into_iter().flat_map(|sequence| &sequence.items)
    }

    /// The entries of every server that is a mapping, in the order of [`Program`]'s `servers`.
    pub fn server_entries(&self) -> impl Iterator<Item = Vec<&'a Entry>> {
        self.items("mcp_servers")
            .filter_map(|item| self.anchors.follow(item)?.as_mapping())
            .map(|mapping| entries(mapping, &self.anchors))
    }

    /// Converts a span of the YAML to the document.
    pub fn text(&self, span: &Span) -> &str {
        self.yaml.get(span.clone()).unwrap_or_default()
    }

    /// The start of the YAML in the document.
    pub fn offset(&self) -> usize {
        self.program.front.as_ref().map_or(0, |front| front.yaml.start)
    }

    /// Converts edits of the YAML to the document.
    pub fn edits(&self, edits: Vec<Edit>) -> Vec<Edit> {
        front_matter::shifted(edits, self.offset())
    }

    /// The separator between an entry that begins at `at` in the YAML and the next one: a line
    /// break and its indentation, or a comma between braces.
    pub fn separator(&self, at: usize) -> String {
        let before = self.yaml.get(..at).unwrap_or_default();
        let line =
            before.get(before.rfind(['\n', '\r']).map_or(0, |at| at + 1)..).unwrap_or_default();
        match line.contains('{') {
            true => ", ".to_owned(),
            false => format!("{}{}", self.cx.source.line_break(), " ".repeat(line.chars().count())),
        }
    }

    /// The end of the colon after a key.
    pub fn colon_end(&self, entry: &Entry) -> usize {
        let end = entry.key.span.end;
        let rest = self.yaml.get(end..).unwrap_or_default();
        rest.find(':').map_or(end, |at| end + at + 1)
    }

    /// The visible part of an empty list item: its dash, or the character before it.
    pub fn item_mark(&self, item: &Node) -> Span {
        let before = self.yaml.get(..item.span.start).unwrap_or_default().trim_end();
        let start = before.char_indices().next_back().map_or(0, |(at, _)| at);
        start..before.len()
    }

    /// `text` as a scalar that replaces the one at `span` (of the document): in the same quotes,
    /// plain if it had none and needs none.
    pub fn print(&self, span: &Span, text: &str) -> String {
        let old = self.cx.source.slice(span.clone());
        match old.chars().next() {
            Some('\'')
                if !text
                    .contains(|character: char| character == '\'' || character.is_control()) =>
            {
                format!("'{text}'")
            }
            Some('"' | '\'') => yaml::quote(text),
            _ if self.is_flow(span.start.saturating_sub(self.offset())) => {
                yaml::print_flow_scalar(text)
            }
            _ => yaml::print_scalar(text),
        }
    }

    /// Whether an offset in the YAML is between brackets or braces.
    pub fn is_flow(&self, offset: usize) -> bool {
        let flow = |node: &Node| match &node.kind {
            Kind::Mapping(mapping) => mapping.flow,
            Kind::Sequence(sequence) => sequence.flow,
            Kind::Scalar(_) | Kind::Alias(_) => false,
        };
        let Some(root) = &self.tree().root else { return false };
        flow(root) || yaml::at(root, offset).iter().any(|step| flow(step.node()))
    }

    /// Whether a location in the document touches a YAML mistake.
    pub fn is_broken(&self, span: &Span) -> bool {
        self.tree()
            .errors
            .iter()
            .map(|error| self.program.absolute(&error.span))
            .any(|error| error.start < span.end.max(span.start + 1) && span.start < error.end)
    }
}

/// A node in words: `the number 3`, `a list`.
pub fn describe(node: &Node) -> String {
    match (&node.kind, scalar_type(node)) {
        (Kind::Sequence(_), _) => "a list".to_owned(),
        (Kind::Mapping(_), _) => "a mapping".to_owned(),
        (Kind::Alias(name), _) => format!("the alias `*{name}`"),
        (Kind::Scalar(_), ScalarType::Null) => "empty".to_owned(),
        (Kind::Scalar(scalar), ScalarType::Bool(_)) => format!("the boolean `{}`", scalar.text),
        (Kind::Scalar(scalar), ScalarType::Int | ScalarType::Float) => {
            format!("the number `{}`", scalar.text)
        }
        (Kind::Scalar(_), ScalarType::Str) => "a string".to_owned(),
    }
}

/// Whether a node is a scalar that YAML reads as a number or a boolean.
pub fn is_coerced(node: &Node) -> bool {
    matches!(scalar_type(node), ScalarType::Bool(_) | ScalarType::Int | ScalarType::Float)
}

/// Whether a node has no value: absent, `null` or `~`.
pub fn is_null(node: &Node) -> bool {
    matches!(node.kind, Kind::Scalar(_)) && scalar_type(node) == ScalarType::Null
}

/// Letters, digits, `_` and `-`, at least one and at most 64: a valid name for a tool.
pub fn is_tool_name(name: &str) -> bool {
    (1..=64).contains(&name.len())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
}

/// A name that [`is_tool_name`] accepts, as similar to `text` as possible; `None` if nothing is
/// left.
pub fn slug(text: &str) -> Option<String> {
    let mut out = String::new();
    for character in text.chars() {
        match character {
            'a'..='z' | '0'..='9' | '_' => out.push(character),
            'A'..='Z' => out.push(character),
            _ if out.is_empty() || out.ends_with('-') => {}
            _ => out.push('-'),
        }
    }
    out.truncate(64);
    let trimmed = out.trim_end_matches('-');
    (!trimmed.is_empty()).then(|| trimmed.to_owned())
}
