//! The YAML tree: every key, value, tag, anchor and comment with its exact place.
//!
//! All spans are byte offsets into the text that was given to [`super::parse`], half-open, and lie
//! on character boundaries. Nothing here resolves anything: an alias is an [`Kind::Alias`], a merge
//! key is an entry whose key is `<<`, a duplicate key is there twice. Readers that want values ask
//! [`super::resolve`].

use std::collections::HashMap;
use std::ops::Range;
use std::sync::OnceLock;

/// A range of bytes in the text that was parsed.
pub type Span = Range<usize>;

/// One parsed text: what could be read, and what could not.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Tree {
    /// The document's root; `None` when the text holds no node (empty, blank or comments only).
    pub root: Option<Node>,
    /// What is not YAML, in the order of the text. The tree holds everything that these did not
    /// touch.
    pub errors: Vec<Error>,
    /// Comments with their `#`, without the line break.
    pub comments: Vec<Span>,
}

/// Why a piece of the text could not be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error {
    /// The characters that are wrong, never empty unless the text is: what a squiggle goes under.
    pub span: Span,
    pub kind: ErrorKind,
    /// What is wrong and what to do, one sentence, without position.
    pub message: String,
}

/// The classes of mistakes that have a known repair.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorKind {
    /// A plain scalar that YAML misreads (`a: b: c`, `x: @y`, `x: %y`, `` x: `y` ``, `x: [a] b`,
    /// `x: *.md`): quoting repairs it. The span covers the whole value as the author meant it, to
    /// the end of its line without trailing blanks or comment. Prose that goes on below is covered
    /// too; the tree then has the value as a plain scalar with its lines joined, which is what a
    /// repair quotes.
    NeedsQuotes,
    /// A tab where YAML allows only spaces.
    Tab,
    /// A line that is indented as no open block is.
    Indentation,
    /// A line inside a mapping that is no `key: value`.
    MissingColon,
    /// A quoted scalar, flow mapping or flow sequence that is never closed.
    Unclosed,
    /// An alias whose anchor was not defined before it.
    UndefinedAlias,
    /// Nested too deeply, too large, or an alias that expands beyond the budget.
    Limit,
    /// Anything else that YAML refuses.
    Syntax,
}

/// A node with its place.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// The value itself: without tag, anchor, trailing blanks, line break or comment. A quoted
    /// scalar includes its quotes, a block scalar its header (`|`), a flow collection its brackets,
    /// a block collection runs from its first to its last entry's end. An absent value (`key:`) is
    /// an empty span right after the colon.
    pub span: Span,
    pub kind: Kind,
    /// `!!str`, `!custom`: the text with its place.
    pub tag: Option<(String, Span)>,
    /// `&name`: the name without `&`, and the place with it.
    pub anchor: Option<(String, Span)>,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Kind {
    Scalar(Scalar),
    Sequence(Sequence),
    Mapping(Mapping),
    /// `*name`: the name without `*`.
    Alias(String),
}

/// A scalar as written, and its text after unquoting, unescaping and folding.
#[derive(Debug, Clone, PartialEq)]
pub struct Scalar {
    pub text: String,
    pub style: Style,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    Plain,
    SingleQuoted,
    DoubleQuoted,
    /// `|`
    Literal,
    /// `>`
    Folded,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Sequence {
    pub items: Vec<Node>,
    /// `[a, b]` rather than `- a`.
    pub flow: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Mapping {
    /// In the order of the text, duplicates and merge keys included.
    pub entries: Vec<Entry>,
    /// `{a: b}` rather than `a: b`.
    pub flow: bool,
    keys: Keys,
}

/// Where the keys of a large mapping are, found out when one is first looked up. Entries are added
/// only while the tree is built, and nothing is looked up then.
#[derive(Default)]
struct Keys(OnceLock<HashMap<Box<str>, usize>>);

/// Of fewer entries, comparing them all is as quick.
const FEW: usize = 16;

impl std::fmt::Debug for Keys {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Keys")
    }
}

/// It says nothing that the entries do not say.
impl PartialEq for Keys {
    fn eq(&self, _other: &Self) -> bool {
        true
    }
}

/// The copy may be given other entries.
impl Clone for Keys {
    fn clone(&self) -> Self {
        Self::default()
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    pub key: Node,
    /// An absent value is a plain empty scalar with an empty span right after the colon.
    pub value: Node,
    /// From the key's first to the value's last character.
    pub span: Span,
}

impl Node {
    /// The text of a scalar of any style; `None` for collections and aliases.
    pub fn as_str(&self) -> Option<&str> {
        match &self.kind {
            Kind::Scalar(scalar) => Some(&scalar.text),
            _ => None,
        }
    }

    pub fn as_mapping(&self) -> Option<&Mapping> {
        match &self.kind {
            Kind::Mapping(mapping) => Some(mapping),
            _ => None,
        }
    }

    pub fn as_sequence(&self) -> Option<&Sequence> {
        match &self.kind {
            Kind::Sequence(sequence) => Some(sequence),
            _ => None,
        }
    }

    /// Nothing was written: `key:` or an empty document. (`key: ""` is not absent, `key: null` is
    /// not either.)
    pub fn is_absent(&self) -> bool {
        self.span.is_empty()
            && matches!(&self.kind, Kind::Scalar(scalar) if scalar.style == Style::Plain)
    }
}

impl Mapping {
    pub(super) fn new(entries: Vec<Entry>, flow: bool) -> Self {
        Self { entries, flow, keys: Keys::default() }
    }

    /// The last entry with this key, as YAML readers that allow duplicates take it.
    pub fn get(&self, key: &str) -> Option<&Entry> {
        if self.entries.len() <= FEW {
            return self.entries.iter().rev().find(|entry| entry.key.as_str() == Some(key));
        }
        let known = self.keys.0.get_or_init(|| {
            let keys = self
                .entries
                .iter()
                .enumerate()
                .filter_map(|(index, entry)| Some((entry.key.as_str()?.into(), index)));
            keys.collect()
        });
        self.entries.get(*known.get(key)?)
    }
}
