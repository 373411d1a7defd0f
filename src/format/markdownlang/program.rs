//! The typed view of a program's front matter. All spans are bytes of the document.

use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use parking_lot::Mutex;

use super::body::Body;
use super::checked::CheckedBody;
use super::doubt::Doubt;
use super::read::entries;
use super::schemas::Schemas;
use crate::markdown::front::Delimiters;
use crate::template::types::Types;
use crate::text::Span;
use crate::world;
use crate::yaml::{Entry, Node, ScalarType, Tree, scalar_type};

/// One program: its front matter and its body, both shared by all versions of the document that
/// don't change them.
#[derive(Debug, Clone)]
pub struct Program {
    pub header: Arc<Header>,
    pub body: Arc<Body>,
    pub(super) checked: Arc<OnceLock<CheckedBody>>,
}

impl Program {
    /// The analysis of the body, by its schema; computed on demand. Empty if cancelled, and then
    /// not cached.
    pub fn checked(&self, cancelled: &dyn Fn() -> bool) -> &CheckedBody {
        static NOTHING: CheckedBody = CheckedBody::nothing();
        if let Some(known) = self.checked.get() {
            return known;
        }
        let found = self
            .header
            .read_schemas(cancelled)
            .then(|| CheckedBody::new(&self.body, self.types(), cancelled))
            .flatten();
        found.map_or(&NOTHING, |found| self.checked.get_or_init(|| found))
    }
}

impl Deref for Program {
    type Target = Header;

    fn deref(&self) -> &Header {
        &self.header
    }
}

/// The content of the front matter. Fields of the wrong type are `None` or omitted;
/// [`Header::entry`] has the node.
#[derive(Debug, Default)]
pub struct Header {
    /// Equal for equal front matter.
    pub id: u64,
    /// `None` for a document without front matter, which is a program only because the settings say
    /// so.
    pub front: Option<Front>,
    /// Every top-level key, in document order, including duplicates.
    pub fields: Vec<Field>,
    pub name: Option<Text>,
    pub description: Option<Text>,
    pub model: Option<Text>,
    pub input: Option<Field>,
    pub output: Option<Field>,
    pub imports: Vec<Import>,
    pub servers: Vec<Server>,
    pub config: ModelConfig,
    pub(super) schemas: OnceLock<Schemas>,
    pub(super) doubt: OnceLock<Doubt>,
    pub(super) types: OnceLock<Types>,
    /// The types of the previous version, as long as the schema stays the same.
    pub(super) former: OnceLock<Types>,
    /// The schema changes that a body suggests, as edits.
    pub(super) suggested: super::rules::Suggested,
    /// The fields that the schemas list.
    pub(super) listed: OnceLock<Option<super::rules::Fields>>,
    /// The properties of the input that the latest body didn't read.
    pub(super) unread: Mutex<Option<super::rules::Unread>>,
    /// The findings about the front matter alone.
    pub(super) found: OnceLock<super::rules::FrontFindings>,
}

/// The location of the front matter, and its source.
#[derive(Debug, Clone)]
pub struct Front {
    /// The same tree means the same front matter.
    pub tree: Arc<Tree>,
    pub delimiters: Delimiters,
    /// The opening `---`, or the first line if it is missing.
    pub opening: Span,
    /// With the delimiter lines.
    pub span: Span,
    /// Without them. Offsets of [`Header::tree`] count from its start.
    pub yaml: Span,
}

/// A string and its span, including quotes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Text {
    pub text: String,
    pub span: Span,
}

/// A key and its value. An entry from a merge key (`<<`) has the location where it is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    pub key: Text,
    /// For a missing value: empty, after the colon. For an alias: the alias.
    pub value: Span,
    /// From the key to the end of the value.
    pub span: Span,
}

/// An item of `imports`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Import {
    pub text: String,
    /// With quotes.
    pub span: Span,
    pub kind: ImportKind,
}

/// The kind of path in an import.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ImportKind {
    /// `./helper.md`, `../tools/analyzer.md`
    Relative,
    /// `/absolute/path/to/agent.md`
    Absolute,
    /// `stdlib:json-parser`
    Stdlib,
    /// `helper.md`: the specification doesn't define such a form.
    Bare,
}

/// An item of `mcp_servers`.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Server {
    /// The whole item.
    pub span: Span,
    /// Every key, in document order.
    pub fields: Vec<Field>,
    pub name: Option<Text>,
    pub command: Option<Text>,
    pub args: Vec<Text>,
    pub env: Vec<(Text, Text)>,
    pub url: Option<Text>,
    pub headers: Vec<(Text, Text)>,
    pub transport: Option<Text>,
    /// In seconds.
    pub timeout: Option<f64>,
    pub disabled: bool,
}

/// Settings of the model: those in `config` that are valid.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ModelConfig {
    pub temperature: Option<f64>,
    pub top_p: Option<f64>,
    pub max_tokens: Option<i64>,
    pub seed: Option<i64>,
    pub reasoning_effort: Option<String>,
}

static NOTHING: Tree = Tree { root: None, errors: Vec::new(), comments: Vec::new() };

impl Header {
    /// The YAML of the front matter. [`Header::absolute`] converts its offsets to the document.
    pub fn tree(&self) -> &Tree {
        self.front.as_ref().map_or(&NOTHING, |front| &front.tree)
    }

    /// Converts a span in [`Header::tree`] to the document.
    pub fn absolute(&self, span: &Span) -> Span {
        let start = self.front.as_ref().map_or(0, |front| front.yaml.start);
        span.start + start..span.end + start
    }

    /// The top-level entry with this key, written there or merged; the last one of duplicates.
    pub fn entry(&self, key: &str) -> Option<&Entry> {
        let tree = self.tree();
        let root = tree.root.as_ref().and_then(Node::as_mapping)?;
        let merged = || {
            entries(root, &tree.anchors()).into_iter().find(|entry| entry.key.as_str() == Some(key))
        };
        root.get(key).or_else(|| root.get("<<").and_then(|_| merged()))
    }

    /// The top-level field with this key; the last one of duplicates.
    pub fn field(&self, key: &str) -> Option<&Field> {
        self.fields.iter().rev().find(|field| field.key.text == key)
    }

    /// The example of the input, as JSON.
    pub fn sample(&self) -> Option<serde_json::Value> {
        let anchors = self.tree().anchors();
        let node = anchors.follow(&self.entry("sample")?.value)?;
        let empty = scalar_type(node) == ScalarType::Null;
        (!empty).then(|| crate::yaml::to_json(node, &anchors).value)
    }

    /// The schemas as JSON, with their mistakes; read on demand.
    pub fn schemas(&self) -> &Schemas {
        self.schemas.get_or_init(|| Schemas::read(self, &|| false).unwrap_or_default())
    }

    /// Reads the schemas for [`Header::schemas`]. Returns false if cancelled.
    pub fn read_schemas(&self, cancelled: &dyn Fn() -> bool) -> bool {
        if self.schemas.get().is_some() {
            return true;
        }
        Schemas::read(self, cancelled).map(|schemas| self.schemas.get_or_init(|| schemas)).is_some()
    }

    /// The types that `input` gives to the body's values, as far as it can be read; computed on
    /// demand.
    pub fn types(&self) -> &Types {
        self.types.get_or_init(|| {
            let input = self.schemas().input.as_ref().map(|schema| &schema.value);
            self.former.get().map_or_else(|| Types::new(input), |former| former.updated(input))
        })
    }

    /// The parts of [`Header::types`] that can't be relied upon.
    pub fn doubt(&self) -> &Doubt {
        self.doubt.get_or_init(|| Doubt::of(self))
    }

    /// Whether `input` is a valid schema that no YAML mistake touches, so that all of
    /// [`Header::types`] can be relied upon.
    pub fn has_sound_input(&self) -> bool {
        *self.doubt() == Doubt::Nothing
    }

    /// The span for messages about the whole front matter: its opening line, or the start of the
    /// document.
    pub fn opening(&self) -> Span {
        self.front.as_ref().map_or(0..0, |front| front.opening.clone())
    }
}

impl ImportKind {
    /// The kind of an import with this text.
    pub fn of(text: &str) -> Self {
        let windows_drive = matches!(text.as_bytes(), [letter, b':', b'\\' | b'/', ..] if letter.is_ascii_alphabetic());
        if text.starts_with("stdlib:") {
            Self::Stdlib
        } else if text.starts_with("./") || text.starts_with("../") || matches!(text, "." | "..") {
            Self::Relative
        } else if text.starts_with('/') || windows_drive {
            Self::Absolute
        } else {
            Self::Bare
        }
    }
}

impl Import {
    /// The target of an import in the file `from`. A bare one is treated as relative.
    pub fn path(&self, from: &Path) -> Option<PathBuf> {
        (self.kind != ImportKind::Stdlib && !self.text.is_empty())
            .then(|| world::resolve(from, &self.text))
    }
}

impl Server {
    /// The last field with this key.
    pub fn field(&self, key: &str) -> Option<&Field> {
        self.fields.iter().rev().find(|field| field.key.text == key)
    }
}
