//! The typed view of a program's front matter. All spans are bytes of the document.

use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use super::body::Body;
use super::checked::CheckedBody;
use super::read::entries;
use super::schemas::Schemas;
use crate::markdown::front::Delimiters;
use crate::template::types::Types;
use crate::text::Span;
use crate::world;
use crate::yaml::{Entry, Node, Tree};

/// One program: its front matter and its body, both shared by every version of the document that
/// leaves them alone.
#[derive(Debug, Clone)]
pub struct Program {
    pub header: Arc<Header>,
    pub body: Arc<Body>,
    pub(super) checked: Arc<OnceLock<CheckedBody>>,
}

impl Program {
    /// What is known of the body, by its schema; found out when first asked for. Empty if
    /// cancelled, and then not kept.
    pub fn checked(&self, cancelled: &dyn Fn() -> bool) -> &CheckedBody {
        static NOTHING: CheckedBody = CheckedBody::NOTHING;
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

/// What the front matter says. Fields of the wrong type are `None` or left out here;
/// [`Header::entry`] has the node.
#[derive(Debug, Default)]
pub struct Header {
    /// Equal for equal front matter.
    pub id: u64,
    /// `None` for a document without front matter, which is a program only because the settings say
    /// so.
    pub front: Option<Front>,
    /// Every top-level key, in the order of the text, duplicates included.
    pub fields: Vec<Field>,
    pub name: Option<Text>,
    pub description: Option<Text>,
    pub model: Option<Text>,
    pub input: Option<Field>,
    pub output: Option<Field>,
    pub imports: Vec<Import>,
    pub servers: Vec<Server>,
    pub(super) schemas: OnceLock<Schemas>,
    pub(super) types: OnceLock<Types>,
    /// Those of the version before, for as long as the schema stays the same.
    pub(super) former: OnceLock<Types>,
    /// What a body suggests to change in the schema, as edits.
    pub(super) suggested: super::rules::Suggested,
}

/// Where the front matter stands, and what it was read from.
#[derive(Debug, Clone)]
pub struct Front {
    /// The same tree means the same front matter.
    pub tree: Arc<Tree>,
    pub delimiters: Delimiters,
    /// The opening `---`, or the first line where there is none.
    pub opening: Span,
    /// With the delimiter lines.
    pub span: Span,
    /// Without them. Offsets of [`Header::tree`] count from its start.
    pub yaml: Span,
}

/// Some text and where it stands, quotes included.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Text {
    pub text: String,
    pub span: Span,
}

/// A key and its value. What a merge key (`<<`) brings in stands where it is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    pub key: Text,
    /// Of an absent value: empty, behind the colon. Of an alias: the alias.
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

/// How an import names its program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ImportKind {
    /// `./helper.md`, `../tools/analyzer.md`
    Relative,
    /// `/absolute/path/to/agent.md`
    Absolute,
    /// `stdlib:json-parser`
    Stdlib,
    /// `helper.md`: the specification has no such form.
    Bare,
}

/// An item of `mcp_servers`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Server {
    /// The whole item.
    pub span: Span,
    /// Every key, in the order of the text.
    pub fields: Vec<Field>,
    pub name: Option<Text>,
    pub command: Option<Text>,
    pub args: Vec<Text>,
    pub env: Vec<(Text, Text)>,
    pub url: Option<Text>,
    pub transport: Option<Text>,
    pub disabled: bool,
}

static NOTHING: Tree = Tree { root: None, errors: Vec::new(), comments: Vec::new() };

impl Header {
    /// The YAML of the front matter. Its offsets are turned into those of the document by
    /// [`Header::absolute`].
    pub fn tree(&self) -> &Tree {
        self.front.as_ref().map_or(&NOTHING, |front| &front.tree)
    }

    /// The place in the document of a place in [`Header::tree`].
    pub fn absolute(&self, span: &Span) -> Span {
        let start = self.front.as_ref().map_or(0, |front| front.yaml.start);
        span.start + start..span.end + start
    }

    /// The top-level entry with this key, written there or merged; the last one where there are
    /// several.
    pub fn entry(&self, key: &str) -> Option<&Entry> {
        let tree = self.tree();
        let root = tree.root.as_ref().and_then(Node::as_mapping)?;
        let merged = || {
            entries(root, &tree.anchors()).into_iter().find(|entry| entry.key.as_str() == Some(key))
        };
        root.get(key).or_else(|| root.get("<<").and_then(|_| merged()))
    }

    /// The top-level field with this key; the last one where there are several.
    pub fn field(&self, key: &str) -> Option<&Field> {
        self.fields.iter().rev().find(|field| field.key.text == key)
    }

    /// The schemas as JSON, with their mistakes; read when first asked for.
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

    /// What `input` says of the values that the body is given, as far as it can be read; made when
    /// first asked for.
    pub fn types(&self) -> &Types {
        self.types.get_or_init(|| {
            let input = self.schemas().input.as_ref().map(|schema| &schema.value);
            self.former.get().map_or_else(|| Types::new(input), |former| former.updated(input))
        })
    }

    /// Whether `input` is a schema without mistakes in YAML without mistakes, so that
    /// [`Header::types`] can be relied upon.
    pub fn has_sound_input(&self) -> bool {
        let sound = |schema: &super::schemas::Schema| {
            schema.problems.is_empty() && schema.errors.is_empty()
        };
        self.tree().errors.is_empty() && self.schemas().input.as_ref().is_some_and(sound)
    }

    /// Where a message about the whole front matter stands: its opening line, or the start of the
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
    /// The file that is meant, for an import that is written in the file `from`. A bare one is
    /// taken as relative.
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
