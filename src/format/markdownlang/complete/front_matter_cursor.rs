//! Existing or unfinished front matter around the cursor.

use std::borrow::Cow;
use std::path::Path;

use crate::answer::{Completion, CompletionKind};
use crate::format::markdownlang::field::FIELDS;
use crate::format::{Context, snippet};
use crate::markdown::front::{Delimiters, mark_length};
use crate::text::{Edit, Encoding, Span};
use crate::yaml::{self, Tree};

/// The YAML that the cursor is in.
pub struct FrontMatterCursor<'a> {
    pub yaml: Cow<'a, str>,
    /// Its start in the document.
    pub start: usize,
    pub tree: Cow<'a, Tree>,
    /// No `---` closes it yet.
    pub open: bool,
}

impl<'a> FrontMatterCursor<'a> {
    /// The front matter, or the unfinished one below a `---` in the first line. The cursor is never
    /// inside a line break.
    pub fn read(cx: &Context<'a>, offset: usize, program: bool) -> Option<Self> {
        let byte = |at: usize| cx.source.text().get_byte(at);
        if byte(offset) == Some(b'\n') && offset.checked_sub(1).and_then(byte) == Some(b'\r') {
            return None;
        }
        let front_matter = match cx.source.front_matter() {
            Some(front) => {
                let open = front.delimiters == Delimiters::Unclosed;
                let span = front.yaml_span;
                let inside =
                    span.start <= offset && (offset < span.end || open && offset == span.end);
                inside.then(|| Self {
                    yaml: cx.source.slice(span.clone()),
                    start: span.start,
                    tree: Cow::Borrowed(front.tree),
                    open,
                })?
            }
            None => Self::begun(cx, offset)?,
        };
        (program || front_matter.may_become_a_program(cx.path, offset)).then_some(front_matter)
    }

    /// A first word below `---` only counts as front matter while you type it.
    fn begun(cx: &Context<'a>, offset: usize) -> Option<Self> {
        let opening = cx.source.slice(cx.source.line_span(0));
        let span = cx.source.line_span(offset);
        let line = cx.source.slice(span.clone());
        let word = line
            .chars()
            .all(|character| character.is_ascii_alphanumeric() || matches!(character, '_' | '-'));
        let second = cx.source.position(offset, Encoding::Utf8).line == 1;
        if !second || !word || opening.get(mark_length(&opening)..)?.trim_end() != "---" {
            return None;
        }
        let (start, line) = (span.start, line.into_owned());
        Some(Self {
            tree: Cow::Owned(yaml::parse(&line)),
            yaml: Cow::Owned(line),
            start,
            open: true,
        })
    }

    /// Front matter of other tools has keys that programs don't have. The key under the cursor may
    /// still become one.
    fn may_become_a_program(&self, path: Option<&Path>, offset: usize) -> bool {
        let typed =
            |span: &Span| span.start + self.start <= offset && offset <= span.end + self.start;
        let keys = self
            .tree
            .entries()
            .filter(|entry| !typed(&entry.key.span))
            .filter_map(|entry| entry.key.as_str());
        let (known, unknown): (Vec<&str>, Vec<&str>) =
            keys.partition(|key| FIELDS.iter().any(|field| field.name == *key));
        can_hold_program(path) && known.len() >= unknown.len()
    }
}

/// Names that other kinds of files use.
const OTHER_NAMES: &[&str] = &[
    "skill.md",
    "agents.md",
    "claude.md",
    "claude.local.md",
    "gemini.md",
    "qwen.md",
    "memory.md",
    "readme.md",
    "changelog.md",
    "copilot-instructions.md",
];

const OTHER_ENDINGS: &[&str] =
    &[".prompt.md", ".agent.md", ".instructions.md", ".chatmode.md", ".ll.md"];

/// Folders of other tools.
const OTHER_FOLDERS: &[&str] = &[
    ".agents",
    ".augment",
    ".claude",
    ".clinerules",
    ".codex",
    ".continue",
    ".copilot",
    ".cursor",
    ".devin",
    ".gemini",
    ".github",
    ".junie",
    ".kilocode",
    ".kiro",
    ".opencode",
    ".qwen",
    ".roo",
    ".rulesync",
    ".windsurf",
];

/// Whether a file at this path may be a program: a Markdown file whose name isn't that of another
/// tool.
pub fn can_hold_program(path: Option<&Path>) -> bool {
    let Some(path) = path else { return true };
    let Some(name) = path.file_name().and_then(|name| name.to_str()).map(str::to_lowercase) else {
        return false;
    };
    let markdown = name.ends_with(".md") || name.ends_with(".markdown");
    let folder = path
        .components()
        .any(|part| part.as_os_str().to_str().is_some_and(|part| OTHER_FOLDERS.contains(&part)));
    markdown
        && !folder
        && !OTHER_NAMES.contains(&name.as_str())
        && !OTHER_ENDINGS.iter().any(|ending| name.ends_with(ending))
}

/// The program name that the file's name suggests.
pub fn name_of(path: Option<&Path>) -> Option<String> {
    crate::format::markdownlang::rules::slug(path?.file_stem()?.to_str()?)
}

/// In an empty document, or one with only the opening dashes: a whole program. `None` elsewhere.
pub fn skeleton(cx: &Context, offset: usize) -> Option<Vec<Completion>> {
    const MOST: usize = 1000;
    if cx.source.len() > MOST || !can_hold_program(cx.path) {
        return None;
    }
    let text = cx.source.slice(0..cx.source.len());
    let mark = mark_length(&text);
    let line = cx.source.line_span(offset);
    let written = text.trim_start_matches('\u{feff}').trim();
    let first_line = line.start.max(mark) == mark;
    let on_dashes = first_line && matches!(written, "-" | "--" | "---") && offset >= mark;
    if !(written.is_empty() || on_dashes) {
        return None;
    }
    let span = if on_dashes {
        mark..line.end
    } else {
        blank_before(&text, line.start.max(mark), offset.max(mark))
    };
    // The typed text is a prefix of the label.
    let label = if on_dashes { "--- markdownlang program" } else { "markdownlang program" };
    Some(vec![program(cx, span, label)])
}

/// The whitespace before the cursor: it would end up before the `---`.
fn blank_before(text: &str, start: usize, offset: usize) -> Span {
    let blank = text
        .get(start..offset)
        .is_some_and(|before| before.chars().all(|character| matches!(character, ' ' | '\t')));
    if blank { start..offset } else { offset..offset }
}

fn program(cx: &Context, span: Span, label: &str) -> Completion {
    let (fields, last) = required(cx.path);
    let text =
        format!("---\n{fields}\n---\n\n${{{}:Work on this}}:\n\n{{{{ .${{3}} }}}}\n$0", last + 1)
            .replace('\n', cx.source.line_break());
    Completion {
        label: label.to_owned(),
        kind: CompletionKind::Snippet,
        detail: Some("front matter and body".to_owned()),
        documentation: Some(format!(
            "A program for a language model.\n\n````markdown\n{}\n````",
            snippet::plain(&text).replace('\r', "").trim_end()
        )),
        edit: Edit::replace(span, snippet::plain(&text)),
        snippet: Some(text),
        rank: 0,
        more: false,
    }
}

/// The required fields as one snippet, and the highest number of a placeholder in it.
pub fn required(path: Option<&Path>) -> (String, u32) {
    let mut last = 0;
    let mut entries = Vec::new();
    for field in FIELDS.iter().filter(|field| field.required) {
        let own = match (field.name, name_of(path)) {
            ("name", Some(name)) => format!("name: ${{1:{}}}", snippet::escape(&name)),
            _ => field.snippet.to_owned(),
        };
        let (entry, highest) = snippet::renumbered(&own, last);
        last = highest;
        entries.push(entry);
    }
    (entries.join("\n"), last)
}
