//! What features answer with: byte ranges and strings, nothing of any protocol.

use std::path::PathBuf;

use crate::text::{Edit, Span};

/// What is shown when the pointer rests on something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hover {
    /// What the text is about; holds the offset that was asked for.
    pub span: Span,
    pub markdown: String,
}

/// Something that can be typed here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Completion {
    /// What the list shows, and what typed letters are compared with.
    pub label: String,
    pub kind: CompletionKind,
    /// A few words beside the label.
    pub detail: Option<String>,
    /// Markdown.
    pub documentation: Option<String>,
    /// Replaces what was typed so far; one line, holds the offset that was asked for.
    pub edit: Edit,
    /// The edit's text with placeholders, for editors that know snippets.
    pub snippet: Option<String>,
    /// Smaller comes first; equal ones in the order given.
    pub rank: u32,
    /// Ask for completions again after this one was taken (a folder, a key that has values).
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

/// A named piece of a document, for outlines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Symbol {
    /// Never blank.
    pub name: String,
    pub detail: Option<String>,
    pub kind: SymbolKind,
    /// All of it: holds the spans of its children.
    pub span: Span,
    /// Its name in the text; inside `span`.
    pub selection: Span,
    pub children: Vec<Symbol>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SymbolKind {
    /// A heading and what is below it.
    Heading,
    /// Front matter.
    FrontMatter,
    /// A key of front matter.
    Key,
    /// A whole program, named by its front matter.
    Program,
    /// Running text with a name.
    Text,
    /// Some symbols of one kind.
    Group,
    /// Something that is to be done.
    Action,
    /// The text of a file.
    Content,
    /// A template that a body defines.
    Template,
    /// A piece of a file in a context pack.
    Item,
    /// An edit block.
    Block,
}

/// A piece of a document that can be folded away.
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

/// Text that leads somewhere.
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

/// A place that something is defined at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    /// `None`: in the same document.
    pub path: Option<PathBuf>,
    /// All of it.
    pub span: Span,
    /// What the cursor goes to; inside `span`.
    pub selection: Span,
    /// What in the asking document leads there.
    pub origin: Span,
}

/// A change that an author can choose.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Action {
    pub title: String,
    pub kind: ActionKind,
    pub edits: Vec<Edit>,
    pub snippet: Option<String>,
}

/// A refactoring whose edits take long to make: where that is possible, they are made when somebody
/// chooses it.
pub struct Later<'a> {
    pub title: &'static str,
    /// The edits, or why there are none.
    pub edits: Box<dyn FnOnce() -> Result<Vec<Edit>, String> + 'a>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ActionKind {
    QuickFix,
    Refactor,
    /// Mends everything that can be mended safely.
    FixAll,
}

/// What a call that is being typed expects.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Signature {
    pub label: String,
    /// Markdown.
    pub documentation: Option<String>,
    /// Bytes of the label.
    pub parameters: Vec<Span>,
    /// The index of the parameter at the cursor; `None` behind the last.
    pub active: Option<usize>,
}

/// Text that is shown between the characters of a document and is not part of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Inlay {
    pub offset: usize,
    pub label: String,
    /// Markdown.
    pub tooltip: Option<String>,
}

/// A place that speaks of something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Occurrence {
    /// `None`: in the same document.
    pub path: Option<PathBuf>,
    pub span: Span,
    /// It defines or sets the thing, rather than using it.
    pub defines: bool,
}

/// Something that can be renamed: its name as it stands in the text, without quotes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Renamable {
    pub span: Span,
    pub name: String,
}

/// Something that is called and calls: a program, or a tool of a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Callable {
    /// `None`: in the same document.
    pub path: Option<PathBuf>,
    pub name: String,
    pub detail: Option<String>,
    pub kind: CallableKind,
    /// All of it.
    pub span: Span,
    /// Its name in the text; inside `span`.
    pub selection: Span,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CallableKind {
    Program,
    /// A tool of a server; it stands for the place that declares the server.
    Tool,
}

/// A caller or something that is called, and the places in the caller that say so.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Call {
    pub other: Callable,
    pub spans: Vec<Span>,
}

/// The edits of one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileEdit {
    /// `None`: the document that was asked about.
    pub path: Option<PathBuf>,
    /// They do not overlap; all speak of the text as it is.
    pub edits: Vec<Edit>,
}

/// A piece of text in one style. The kind is a semantic token type of
/// [`crate::markdown::highlight::TOKEN_TYPES`].
pub use crate::markdown::highlight::Highlight;
