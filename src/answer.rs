//! The answers of features: byte ranges and strings, independent of protocols.

use std::path::PathBuf;

use crate::text::{Edit, Span};

/// Hover content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hover {
    /// The span it describes, which contains the requested offset.
    pub span: Span,
    pub markdown: String,
}

/// A completion item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Completion {
    /// The text in the list, which typed letters are compared with.
    pub label: String,
    pub kind: CompletionKind,
    /// A few words next to the label.
    pub detail: Option<String>,
    /// Markdown.
    pub documentation: Option<String>,
    /// Replaces the typed text; on one line, around the requested offset.
    pub edit: Edit,
    /// The edit's text with placeholders, for editors with snippets.
    pub snippet: Option<String>,
    /// Smaller comes first; equal ones in the given order.
    pub rank: u32,
    /// Request completions again after accepting this one (a folder, a key with values).
    pub more: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CompletionKind {
    Key,
    Value,
    EnumMember,
    Type,
    File,
    Folder,
    Snippet,
    Keyword,
    Variable,
    Function,
    Heading,
    /// A glob; the detail says how many files it matches.
    Glob,
}

/// A named part of a document, for outlines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Symbol {
    /// Never blank.
    pub name: String,
    pub detail: Option<String>,
    pub kind: SymbolKind,
    /// The whole part, which contains the spans of its children.
    pub span: Span,
    /// Its name in the text; inside `span`.
    pub selection: Span,
    pub children: Vec<Symbol>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SymbolKind {
    /// A heading and everything below it.
    Heading,
    /// Front matter.
    FrontMatter,
    /// A key of front matter.
    Key,
    /// A whole program, named by its front matter.
    Program,
    /// Running text with a name.
    Text,
    /// A group of symbols.
    Group,
    /// A task.
    Action,
    /// The content of a file.
    Content,
    /// A template that a body defines.
    Template,
    /// A part of a file in a context pack.
    Item,
    /// An edit block.
    Block,
}

/// A part of a document that can be folded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fold {
    /// From the first line, which stays visible, to the end of the last.
    pub span: Span,
    pub kind: FoldKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FoldKind {
    Region,
    Comment,
    Imports,
}

/// A link.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    pub span: Span,
    pub target: LinkTarget,
    pub tooltip: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LinkTarget {
    Url(String),
    /// A file, and an anchor in it.
    File {
        path: PathBuf,
        fragment: Option<String>,
    },
}

/// A definition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    /// `None`: in the same document.
    pub path: Option<PathBuf>,
    /// The whole definition.
    pub span: Span,
    /// Where the cursor goes; inside `span`.
    pub selection: Span,
    /// The span in the requesting document.
    pub origin: Span,
}

/// A change that the author can choose.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Action {
    pub title: String,
    pub kind: ActionKind,
    pub edits: Vec<Edit>,
    pub snippet: Option<String>,
}

/// A refactoring whose edits take long to compute: if possible, they are computed when the action
/// is chosen.
pub struct Later<'a> {
    pub title: &'static str,
    /// The edits, or why they're impossible.
    pub edits: Box<dyn FnOnce() -> Result<Vec<Edit>, String> + 'a>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ActionKind {
    QuickFix,
    Refactor,
    /// Fixes everything that can be fixed safely.
    FixAll,
}

/// The signature of the call being typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Signature {
    pub label: String,
    /// Markdown.
    pub documentation: Option<String>,
    /// Bytes of the label.
    pub parameters: Vec<Span>,
    /// The index of the parameter at the cursor; `None` after the last one.
    pub active: Option<usize>,
}

/// Text that is shown between the characters of a document without being part of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Inlay {
    pub offset: usize,
    pub label: String,
    /// Markdown.
    pub tooltip: Option<String>,
}

/// An occurrence of an item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Occurrence {
    /// `None`: in the same document.
    pub path: Option<PathBuf>,
    pub span: Span,
    /// It defines or sets the item, rather than using it.
    pub defines: bool,
}

/// An item that can be renamed: its name as written, without quotes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Renamable {
    pub span: Span,
    pub name: String,
}

/// An item of the call hierarchy: a program, or a tool of a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Callable {
    /// `None`: in the same document.
    pub path: Option<PathBuf>,
    pub name: String,
    pub detail: Option<String>,
    pub kind: CallableKind,
    /// The whole item.
    pub span: Span,
    /// Its name in the text; inside `span`.
    pub selection: Span,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CallableKind {
    Program,
    /// A tool of a server; its span is the server's declaration.
    Tool,
}

/// A caller or callee, and the places in the caller that contain the calls.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Call {
    pub other: Callable,
    pub spans: Vec<Span>,
}

/// The edits of one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileEdit {
    /// `None`: the requesting document.
    pub path: Option<PathBuf>,
    /// Disjoint edits; spans refer to the current text.
    pub edits: Vec<Edit>,
}

/// A span in one style. The kind is a semantic token type of
/// [`crate::markdown::highlight::TOKEN_TYPES`].
pub use crate::markdown::highlight::Highlight;
