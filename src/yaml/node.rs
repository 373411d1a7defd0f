//! The YAML tree: every key, value, tag, anchor and comment with its exact span.
//!
//! All spans are byte offsets into the text passed to [`super::parse`], half-open, on character
//! boundaries. The tree resolves nothing: an alias is a [`Kind::Alias`], a merge key is an entry
//! whose key is `<<`, a duplicate key appears twice. For values, use [`super::resolve`].

use std::collections::HashMap;
use std::ops::Range;
use std::sync::OnceLock;

/// A range of bytes in the parsed text.
pub type Span = Range<usize>;

/// A parsed text: the readable content, and the errors.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Tree {
    /// The document's root; `None` if the text contains no node (empty, whitespace or comments
    /// only).
    pub root: Option<Node>,
    /// Errors in source order. The tree contains everything that they didn't affect.
    pub errors: Vec<Error>,
    /// Comments with their `#`, without the line break.
    pub comments: Vec<Span>,
}

/// Why a piece of the text couldn't be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error {
    /// The characters to mark, never empty unless the text is.
    pub span: Span,
    pub kind: ErrorKind,
    /// The error and its remedy, without a position.
    pub message: String,
}

/// The kinds of errors with a known fix.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorKind {
    /// A plain scalar that YAML misreads (`a: b: c`, `x: @y`, `x: %y`, `` x: `y` ``, `x: [a] b`,
    /// `x: *.md`): quoting fixes it. The span covers the whole value as the author meant it, to the
    /// end of its line without trailing whitespace or comment. Prose that continues below is also
    /// covered; the tree then has the value as a plain scalar with its lines joined, which a fix
    /// quotes.
    NeedsQuotes,
    /// A tab where YAML allows only spaces.
    Tab,
    /// A line whose indentation matches no open block.
    Indentation,
    /// A line inside a mapping that isn't a `key: value`.
    MissingColon,
    /// An unclosed quoted scalar, flow mapping or flow sequence.
    Unclosed,
    /// A backslash in double quotes that begins no escape.
    Escape,
    /// An alias before its anchor.
    UndefinedAlias,
    /// Nested too deeply, too large, or an alias that expands beyond the budget.
    Limit,
    /// Any other error.
    Syntax,
}

/// A node with its span.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// The value itself: without tag, anchor, trailing whitespace, line break or comment. A quoted
    /// scalar includes its quotes, a block scalar its header (`|`), a flow collection its brackets;
    /// a block collection extends from its first to its last entry's end. An absent value (`key:`)
    /// is an empty span right after the colon.
    pub span: Span,
    pub kind: Kind,
    /// `!!str`, `!custom`: the text with its span.
    pub tag: Option<(String, Span)>,
    /// `&name`: the name without `&`, and the span with it.
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
    /// In source order, including duplicates and merge keys.
    pub entries: Vec<Entry>,
    /// `{a: b}` rather than `a: b`.
    pub flow: bool,
    keys: Keys,
}

/// An index of a large mapping's keys, built on first lookup. Entries are only added while the tree
/// is built, before any lookup.
#[derive(Default)]
struct Keys(OnceLock<HashMap<Box<str>, usize>>);

/// With fewer entries, comparing them all is as fast.
const FEW: usize = 16;

impl std::fmt::Debug for Keys {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Keys")
    }
}

/// It's derived from the entries.
impl PartialEq for Keys {
    fn eq(&self, _other: &Self) -> bool {
        true
    }
}

/// The copy may get other entries.
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

    /// Whether the value is absent: `key:` or an empty document. (`key: ""` and `key: null` are
    /// not.)
    pub fn is_absent(&self) -> bool {
        self.span.is_empty()
            && matches!(&self.kind, Kind::Scalar(scalar) if scalar.style == Style::Plain)
    }
}

impl Mapping {
    pub(super) fn new(entries: Vec<Entry>, flow: bool) -> Self {
        Self { entries, flow, keys: Keys::default() }
    }

    /// The last entry with this key, as in YAML readers that allow duplicates.
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
