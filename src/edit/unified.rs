//! Unified diffs: `--- a/file`, `+++ b/file`, `@@ -1,2 +1,3 @@`. Models get the counts in the
//! headers wrong, so they only distinguish changed lines from lines that look like them.

use std::borrow::Cow;

use super::block::{Block, Dialect, Operation, Path, Split, Subject};
use super::patch::is_anchor;
use super::reason::Reason;
use crate::text::Span;

/// The hunks of a reply, one block each.
pub fn read(text: &str) -> Vec<Block> {
    let mut reader = Reader {
        blocks: Vec::new(),
        old: None,
        path: None,
        is_new: false,
        gone: false,
        headed: false,
        git: None,
        hunk: None,
    };
    let mut at = 0;
    let lines: Vec<(Span, &str)> = text
        .split_inclusive('\n')
        .map(|line| {
            let start = at;
            at += line.len();
            (start..at, line.trim_end_matches(['\n', '\r']))
        })
        .collect();
    for (index, (span, line)) in lines.iter().enumerate() {
        let next = lines.get(index + 1).map_or("", |(_, line)| *line);
        let third = lines.get(index + 2).map_or("", |(_, line)| *line);
        reader.line(span, line, next, third);
    }
    reader.close_file();
    reader.blocks
}

struct Reader<'a> {
    blocks: Vec<Block>,
    /// The file before `+++`.
    old: Option<(Span, &'a str)>,
    path: Option<Path>,
    /// The old side is `/dev/null`.
    is_new: bool,
    /// The new side is `/dev/null`.
    gone: bool,
    /// The line before names the new side.
    headed: bool,
    git: Option<Git>,
    hunk: Option<Hunk>,
}

/// The lines between `diff --git` and the hunks.
#[derive(Default)]
struct Git {
    span: Span,
    /// Index of this file's first block.
    first: usize,
    from: Option<Path>,
    to: Option<Path>,
    created: Option<Path>,
    deleted: Option<Path>,
    /// It changes what isn't text, or copies a file.
    unsupported: bool,
}

struct Hunk {
    start: usize,
    end: usize,
    line: Option<usize>,
    search: String,
    replace: String,
    /// Blank lines that may be context or follow the hunk.
    blanks: usize,
    /// Which side the last line belongs to, for `\ No newline at end of file`.
    last: (bool, bool),
    /// The sides that end without a line break.
    old_open: bool,
    new_open: bool,
    /// Remaining lines of the old and the new side according to the header.
    promised: Option<(usize, usize)>,
    /// The line after the numbers, which begins the function or class around the hunk.
    section: Option<String>,
}

impl<'a> Reader<'a> {
    fn line(&mut self, span: &Span, line: &'a str, next: &str, third: &str) {
        let is_header = line.starts_with("--- ")
            && next.starts_with("+++ ")
            && match self.hunk.as_ref().map(|hunk| hunk.promised) {
                None => true,
                // A removed and an added line, with which the hunk is complete.
                Some(Some((1, 1))) => third.starts_with("@@") && are_names(line, next),
                Some(Some((0, 0))) => third.starts_with("@@") || third.is_empty(),
                Some(_) => third.starts_with("@@"),
            };
        if let Some(names) = line.strip_prefix("diff --git ") {
            self.close_file();
            let start = span.start + "diff --git ".len();
            let parts = names.split_once(" b/").or_else(|| names.split_once(" \"b/"));
            let (old, new) = parts.unwrap_or((names, names));
            let at = start + names.len() - new.len();
            let named = |text: &str, at: usize| {
                name_of(text).map(|text| Path { text, span: at..at + new.len(), inherited: false })
            };
            let (created, deleted) = (named(new, at), named(old, start));
            self.git = Some(Git {
                span: span.start..span.start + line.len(),
                first: self.blocks.len(),
                created,
                deleted,
                ..Git::default()
            });
            return;
        }
        if self.hunk.is_none() && self.old.is_none() && self.says(span, line) {
            return;
        }
        let complete = self.hunk.as_ref().is_none_or(|hunk| hunk.promised == Some((0, 0)));
        if complete && is_binary(line) {
            self.close();
            match &mut self.git {
                Some(git) => git.unsupported = true,
                None if self.path.is_some() => self.blocks.push(Block {
                    span: span.start..span.start + line.len(),
                    error: Some(Reason::UnsupportedChange),
                    ..Block::of(Dialect::UnifiedDiff, "", "")
                }),
                None => {}
            }
            return;
        }
        if is_header || line.starts_with("index ") && self.hunk.is_none() {
            self.close();
            if let Some(git) = &mut self.git {
                git.unsupported |= is_special(line);
            }
            if is_header {
                self.old = line
                    .strip_prefix("--- ")
                    .map(|name| (span.start + 4..span.start + 4 + name.len(), name));
            }
            return;
        }
        if let Some(name) =
            line.strip_prefix("+++ ").filter(|_| self.old.is_some() && self.hunk.is_none())
        {
            let place = span.start + 4..span.start + 4 + name.len();
            let new = name_of(name).map(|text| Path { text, span: place, inherited: false });
            let old = self.old.take().and_then(|(span, name)| {
                Some(Path { text: name_of(name)?, span, inherited: false })
            });
            (self.is_new, self.gone) = (old.is_none(), new.is_none());
            self.path = new.or(old);
            self.headed = true;
            return;
        }
        let headed = std::mem::take(&mut self.headed);
        if line.starts_with("@@") {
            self.close();
            let section = section(line);
            let (line, promised) = header(line);
            self.hunk = Some(Hunk { section, ..Hunk::new(span, line, promised) });
            return;
        }
        // Models forget the header of the only hunk.
        if headed && self.hunk.is_none() && line.starts_with(['+', '-', ' ']) {
            self.hunk = Some(Hunk::new(span, None, None));
        }
        let Some(hunk) = &mut self.hunk else { return };
        // The end of a fence, or the start of a mail's signature, which looks like a deleted line.
        let signature = line.trim_end() == "--" && hunk.promised.is_some_and(|(old, _)| old == 0);
        if line.starts_with("```") || line.starts_with("~~~") || signature {
            self.close();
            return;
        }
        hunk.take(span, line);
    }

    /// Git's own lines between the names and the hunks.
    fn says(&mut self, span: &Span, line: &str) -> bool {
        let Some(git) = &mut self.git else { return false };
        let path = |name: &str| Path {
            text: name.trim().to_owned(),
            span: span.start + line.len() - name.len()..span.start + line.len(),
            inherited: false,
        };
        if let Some(name) = line.strip_prefix("rename from ") {
            git.from = Some(path(name));
        } else if let Some(name) = line.strip_prefix("rename to ") {
            git.to = Some(path(name));
        } else if line.starts_with("new file mode") {
            git.deleted = None;
            git.unsupported |= is_special(line);
        } else if line.starts_with("deleted file mode") {
            git.created = None;
            git.unsupported |= is_special(line);
        } else if ["old mode", "new mode", "copy from", "copy to"]
            .iter()
            .any(|mark| line.starts_with(mark))
        {
            git.unsupported = true;
        } else {
            return ["similarity index", "dissimilarity index"]
                .iter()
                .any(|mark| line.starts_with(mark));
        }
        git.span.end = span.start + line.len();
        true
    }

    /// Git's extended headers apply to all hunks of a file, or without any.
    fn close_file(&mut self) {
        self.close();
        self.path = None;
        let Some(git) = self.git.take() else { return };
        let whole = |path: Path, operation: Operation| Block {
            span: git.span.clone(),
            path: Some(path),
            operation,
            ..Block::of(Dialect::UnifiedDiff, "", "")
        };
        let alone = self.blocks.len() == git.first;
        if git.unsupported {
            if let (true, Some(path)) = (alone, git.created.or(git.deleted)) {
                self.blocks.push(whole(path, Operation::Edit));
            }
            let blocks = self.blocks.iter_mut().skip(git.first);
            return blocks.for_each(|block| block.error = Some(Reason::UnsupportedChange));
        }
        match (git.from, git.to) {
            (Some(from), Some(to)) if alone => {
                self.blocks.push(whole(from, Operation::Move(to.text)))
            }
            (Some(from), Some(to)) => {
                for block in self.blocks.iter_mut().skip(git.first) {
                    block.path = Some(from.clone());
                    block.operation = Operation::Move(to.text.clone());
                }
            }
            _ if alone => match (git.created, git.deleted) {
                (Some(created), None) => self.blocks.push(whole(created, Operation::Create)),
                (None, Some(deleted)) => self.blocks.push(whole(deleted, Operation::Delete)),
                _ => {}
            },
            _ => {}
        }
    }

    fn close(&mut self) {
        let Some(hunk) = self.hunk.take() else { return };
        // Context alone changes nothing, but a new file has none.
        let context = hunk.search == hunk.replace && hunk.old_open == hunk.new_open;
        let unsigned = context && self.is_new && !hunk.search.trim().is_empty();
        if context && !unsigned {
            return;
        }
        // Lines at the start of a file that exists don't create it.
        let creates =
            self.is_new && hunk.line.is_none_or(|line| line == 0) && hunk.search.is_empty();
        let hint = hunk.line.filter(|line| *line > 0 || hunk.search.is_empty());
        let mut replace = hunk.replace;
        if hunk.new_open && creates && replace.ends_with('\n') {
            replace.pop();
        }
        // A final context line ends like its line in the file.
        let final_break =
            (hunk.old_open != hunk.new_open || hunk.last != (true, true)).then_some(!hunk.new_open);
        let operation = if creates {
            Operation::Create
        } else if self.gone && replace.trim().is_empty() {
            Operation::Delete
        } else {
            Operation::Edit
        };
        let split = Split { final_break, ..Split::new(hunk.search, replace) };
        self.blocks.push(Block {
            dialect: Dialect::UnifiedDiff,
            span: hunk.start..hunk.end,
            path: self.path.clone(),
            operation,
            subject: Subject::File,
            splits: vec![split],
            hint,
            all: false,
            count: None,
            candidates: Vec::new(),
            anchors: hunk.section.into_iter().collect(),
            error: unsigned.then_some(Reason::MalformedPatch),
            warnings: Vec::new(),
        });
    }
}

impl Hunk {
    fn new(span: &Span, line: Option<usize>, promised: Option<(usize, usize)>) -> Self {
        Self {
            start: span.start,
            end: span.end,
            line,
            search: String::new(),
            replace: String::new(),
            blanks: 0,
            last: (false, false),
            old_open: false,
            new_open: false,
            promised,
            section: None,
        }
    }

    fn take(&mut self, span: &Span, line: &str) {
        if line.is_empty() {
            // Editors and models strip the space of an empty context line.
            self.blanks += 1;
            return;
        }
        let (old, new, content) = match line.split_at_checked(1) {
            Some(("-", rest)) => (true, false, rest),
            Some(("+", rest)) => (false, true, rest),
            Some((" ", rest)) => (true, true, rest),
            Some(("\\", _)) => {
                self.old_open |= self.last.0;
                self.new_open |= self.last.1;
                return;
            }
            // A context line without its space.
            _ => (true, true, line),
        };
        for _ in 0..std::mem::take(&mut self.blanks) {
            self.search.push('\n');
            self.replace.push('\n');
            self.promise(true, true);
        }
        for (takes, side) in [(old, &mut self.search), (new, &mut self.replace)] {
            if takes {
                side.push_str(content);
                side.push('\n');
            }
        }
        self.promise(old, new);
        self.last = (old, new);
        self.end = span.end;
    }

    /// A line of the sides that the header promises.
    fn promise(&mut self, old: bool, new: bool) {
        self.promised = self
            .promised
            .map(|(olds, news)| (olds.saturating_sub(old.into()), news.saturating_sub(new.into())));
    }
}

/// Git's and diff's words for changes that they don't show.
fn is_binary(line: &str) -> bool {
    line == "GIT binary patch" || line.starts_with("Binary files ") && line.ends_with(" differ")
}

/// Whether git's line gives the mode of a link or a submodule.
fn is_special(line: &str) -> bool {
    line.ends_with(" 120000") || line.ends_with(" 160000")
}

/// Whether `--- ` and `+++ ` are followed by the names of a file, as they wouldn't be in its text.
pub fn are_names(old: &str, new: &str) -> bool {
    let (Some(old), Some(new)) = (old.strip_prefix("--- "), new.strip_prefix("+++ ")) else {
        return false;
    };
    let is = |name: &str, start: &str| name.starts_with(start) || name.starts_with("/dev/null");
    name_of(old).is_some_and(|name| Some(name) == name_of(new))
        || is(old.trim_matches('"'), "a/") && is(new.trim_matches('"'), "b/")
}

/// `a/src/x.rs`, without the date after a tab; `None` for `/dev/null`.
fn name_of(name: &str) -> Option<String> {
    let name = unquoted(name.split('\t').next().unwrap_or(name).trim());
    if name == "/dev/null" || name.is_empty() {
        return None;
    }
    let short = name.strip_prefix("a/").or_else(|| name.strip_prefix("b/"));
    Some(short.unwrap_or(&name).to_owned())
}

/// A name as git quotes it, with the bytes of other letters in octal: `"\303\251.py"` is `é.py`.
fn unquoted(name: &str) -> Cow<'_, str> {
    let bare = name.trim_matches('"');
    if bare.len() == name.len() || !bare.contains('\\') {
        return bare.into();
    }
    let mut bytes = Vec::with_capacity(bare.len());
    let mut rest = bare;
    while let Some((before, escape)) = rest.split_once('\\') {
        bytes.extend(before.bytes());
        let octal = escape.get(..3).and_then(|digits| u8::from_str_radix(digits, 8).ok());
        let letter = escape.chars().next();
        let (byte, length) = match (octal, letter) {
            (Some(byte), _) => (byte, 3),
            (None, Some('t')) => (b'\t', 1),
            (None, Some('n')) => (b'\n', 1),
            (None, Some(other @ ('"' | '\\'))) => (other as u8, 1),
            _ => (b'\\', 0),
        };
        bytes.push(byte);
        rest = escape.get(length..).unwrap_or_default();
    }
    bytes.extend(rest.bytes());
    String::from_utf8(bytes).map_or(bare.into(), Cow::Owned)
}

/// The line of the old file where a hunk begins, 0 for before the first, and the number of lines of
/// both sides.
fn header(line: &str) -> (Option<usize>, Option<(usize, usize)>) {
    let mut parts = line.trim_start_matches('@').split_whitespace();
    // The first line, and the number of lines.
    let mut side = |sign: char| -> (Option<usize>, Option<usize>) {
        let Some(rest) = parts.next().and_then(|part| part.strip_prefix(sign)) else {
            return (None, None);
        };
        let number = |text: &str| {
            let length = text.bytes().take_while(u8::is_ascii_digit).count();
            text.get(..length).and_then(|digits| digits.parse().ok())
        };
        let start = number(rest);
        (start, rest.split_once(',').map_or(start.map(|_| 1), |(_, count)| number(count)))
    };
    let ((start, old), (_, new)) = (side('-'), side('+'));
    // Only lines before the first have none themselves.
    (start.filter(|line| *line > 0 || old == Some(0)), old.zip(new))
}

/// `@@ -1,3 +1,3 @@ def load(path):`, `@@ ... @@ def load(path):`
fn section(line: &str) -> Option<String> {
    let (_, section) = line.trim_start_matches('@').split_once("@@")?;
    let section = section.trim();
    is_anchor(section).then(|| section.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_as_git_quotes_them() {
        for (written, name) in [
            ("a/src/x.rs\t2026-01-01", Some("src/x.rs")),
            ("\"b/\\303\\251 \\\"1\\\".py\"", Some("é \"1\".py")),
            ("\"a/\\346\\227\\245.md\"", Some("日.md")),
            ("\"a/\\303.md\"", Some("\\303.md")),
            ("\"C:\\x.md\"", Some("C:\\x.md")),
            ("/dev/null", None),
        ] {
            assert_eq!(name_of(written).as_deref(), name, "{written}");
        }
        let diff = "diff --git \"a/\\303\\251.py\" \"b/\\303\\251.py\"\n--- \"a/\\303\\251.py\"\n+++ \"b/\\303\\251.py\"\n@@ -1 +1 @@\n-x\n+y\n";
        let blocks = read(diff);
        let names: Vec<_> = blocks.iter().filter_map(|block| block.path.as_ref()).collect();
        assert_eq!(names.iter().map(|path| path.text.as_str()).collect::<Vec<_>>(), ["é.py"]);
    }
}
