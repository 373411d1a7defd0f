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

/// A completion.
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
    /// Never empty or only whitespace.
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

/// The result of inserting a file that is dropped or pasted into a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Insertion {
    pub title: String,
    /// `link`, `import` or `item`.
    pub kind: &'static str,
    /// Where the file was dropped, or where the format puts it.
    pub edit: Edit,
}

/// Something that the editor can run on request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Runnable {
    /// The source of what runs.
    pub span: Span,
    pub kind: RunnableKind,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RunnableKind {
    /// The program itself; whether it has a sample to run with.
    Run { sample: bool },
    /// All tests of the document's program, or one case.
    Test { case: Option<String> },
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
    pub make: Box<dyn FnOnce() -> Result<Rewritten, String> + 'a>,
}

/// The edits of a refactoring.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Rewritten {
    pub edits: Vec<Edit>,
    /// What the author should know about them.
    pub notes: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ActionKind {
    QuickFix,
    Refactor,
    /// Rewrites the whole document: the user should see the result first.
    Rewrite,
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

/// A new name everywhere: edits of files, and files that move with it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Renaming {
    pub files: Vec<FileEdit>,
    /// Edits of places that may mean something else, which the author must confirm.
    pub doubtful: Vec<FileEdit>,
    /// Files and folders with their paths before and after. The edits are in terms of the old
    /// paths.
    pub moves: Vec<(PathBuf, PathBuf)>,
}

impl From<Vec<FileEdit>> for Renaming {
    fn from(files: Vec<FileEdit>) -> Self {
        Self { files, ..Self::default() }
    }
}

impl Renaming {
    pub fn is_empty(&self) -> bool {
        self.files.is_empty() && self.doubtful.is_empty() && self.moves.is_empty()
    }

    /// Adds an edit of a file.
    pub fn add(&mut self, path: Option<PathBuf>, edit: Edit, doubtful: bool) {
        let files = if doubtful { &mut self.doubtful } else { &mut self.files };
        match files.iter_mut().find(|file| file.path == path) {
            Some(file) => file.edits.push(edit),
            None => files.push(FileEdit { path, edits: vec![edit] }),
        }
    }

    /// Adds the edits of another renaming.
    pub fn extend(&mut self, other: Self) {
        for (file, doubtful) in other
            .files
            .into_iter()
            .map(|file| (file, false))
            .chain(other.doubtful.into_iter().map(|file| (file, true)))
        {
            for edit in file.edits {
                self.add(file.path.clone(), edit, doubtful);
            }
        }
        self.moves.extend(other.moves);
    }

    /// Edits in order, each once, files without edits left out.
    #[must_use]
    pub fn sorted(mut self) -> Self {
        for files in [&mut self.files, &mut self.doubtful] {
            for file in files.iter_mut() {
                file.edits.sort_by_key(|edit| (edit.span.start, edit.span.end));
                file.edits.dedup();
            }
            files.retain(|file| !file.edits.is_empty());
        }
        self
    }
}
