//! Fences: where they end, which file they name, and whether they are files, samples or edits.

use std::cell::LazyCell;

use super::lines::Line;
use super::{naming, open};
use crate::edit::{MarkerKind, Pair, marker, naming as words};
use crate::text::Span;

#[derive(Debug, Clone)]
pub(super) struct Fence<'t> {
    /// The line of the opener.
    pub open: usize,
    pub mark: &'t str,
    pub info: &'t str,
    pub indent: &'t str,
    /// The lines of its content.
    pub body: Span,
    /// The line after it.
    pub next: usize,
    pub closed: bool,
}

/// The marks and the info string of a line that opens a fence.
pub(super) fn opener(text: &str) -> Option<(&str, &str)> {
    let text = text.trim();
    let first = text.chars().next().filter(|first| matches!(first, '`' | '~'))?;
    let length = text.bytes().take_while(|byte| char::from(*byte) == first).count();
    let (mark, info) = text.split_at_checked(length)?;
    (length >= 3 && !info.contains('`')).then_some((mark, info.trim()))
}

/// Whether a line closes a fence that was opened with these marks, in a line with this indentation.
fn closes(text: &str, mark: &str, indent: usize) -> bool {
    let depth = depth(text);
    let text = text.trim();
    depth <= indent + MOST_INDENT
        && text.len() >= mark.len()
        && text.starts_with(mark)
        && mark.chars().next().is_some_and(|first| text.chars().all(|other| other == first))
}

/// Languages of prose; no language may be prose, too.
const PROSE: &[&str] = &["", "markdown", "md", "mdx", "rst", "text", "txt"];
/// Files without an extension that contain prose.
const TEXTS: &[&str] =
    &["AUTHORS", "CHANGELOG", "COPYING", "LICENCE", "LICENSE", "NOTICE", "README"];
/// Deeper fences are part of the content.
const MOST_INDENT: usize = 3;

/// The width of a line's indentation.
fn depth(text: &str) -> usize {
    let blanks = text.chars().take_while(|letter| matches!(letter, ' ' | '\t'));
    blanks.fold(0, |width, letter| if letter == '\t' { width / 4 * 4 + 4 } else { width + 1 })
}

/// The fence that the line at `index` opens. `after` returns the end of a construct that begins on
/// a line of its content: fences inside it are text.
pub(super) fn read<'t>(
    lines: &[Line<'t>],
    index: usize,
    after: &dyn Fn(usize) -> Option<usize>,
) -> Option<Fence<'t>> {
    let line = lines.get(index)?;
    let (mark, info) = opener(line.text)?;
    let indent =
        line.text.get(..line.text.len() - line.text.trim_start().len()).unwrap_or_default();
    let own = depth(line.text);
    let (mut inside, mut at) = (0_usize, index + 1);
    let last_closer = LazyCell::new(|| lines.iter().rposition(|line| closes(line.text, mark, own)));
    while let Some(line) = lines.get(at) {
        if let Some(next) = after(at).filter(|next| *next > at) {
            at = next;
            continue;
        }
        if closes(line.text, mark, own) {
            if inside == 0 {
                return Some(Fence {
                    open: index,
                    mark,
                    info,
                    indent,
                    body: index + 1..at,
                    next: at + 1,
                    closed: true,
                });
            }
            inside -= 1;
        } else if let Some((inner, language)) = opener(line.text)
            && !language.is_empty()
            && inner.len() == mark.len()
            && inner.starts_with(mark)
            && depth(line.text) <= own + MOST_INDENT
            // A model that forgets to close a fence starts the next one the same way.
            && last_closer.is_some_and(|last| last > at)
        {
            inside += 1;
        }
        at += 1;
    }
    Some(Fence {
        open: index,
        mark,
        info,
        indent,
        body: index + 1..lines.len(),
        next: lines.len(),
        closed: false,
    })
}

impl<'t> Fence<'t> {
    /// The first word of the info string, in lower case, without a path.
    pub fn language(&self) -> String {
        let word = self.info.split([' ', ':', '{', '=']).next().unwrap_or_default();
        if words::is_file_name(word) && word.contains('.') {
            String::new()
        } else {
            word.to_ascii_lowercase()
        }
    }

    /// The name of a file in the info string.
    pub fn name(&self) -> Option<&'t str> {
        let certain = |name: &&str| words::is_certain(name) || name.contains(' ');
        let name = || words::in_info(self.info).filter(certain);
        // `js src/a.js (new)`
        let remarked = || {
            let name = words::in_info(words::without_remarks(self.info)).filter(certain)?;
            naming::calls_whole(self.info, name).then_some(name)
        };
        words::in_key(self.info).or_else(name).or_else(remarked).filter(|_| !self.is_part())
    }

    /// Whether the info string says that its content is a part of the file.
    fn is_part(&self) -> bool {
        let part = ["lines=", "line=", "startline=", "start="];
        self.info.split([' ', '{', ',']).any(|word| part.iter().any(|key| word.starts_with(key)))
    }

    /// A possible name in the info string, which counts if such a file exists.
    pub fn guess(&self) -> Option<&'t str> {
        words::in_info(self.info).filter(|_| self.name().is_none())
    }

    /// Whether a possible name in the info string may be that of a new file.
    pub fn is_possible(&self, name: &str) -> bool {
        !self.is_part() && words::is_possible_in(&format!("`{name}`"), name)
    }

    /// Its language, or that of the file at `path` if its name determines one: `CODEOWNERS`
    fn language_of(&self, path: &str) -> String {
        let language = self.language();
        let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
        let bare = !name.contains('.') && words::is_bare_name(name) && !TEXTS.contains(&name);
        if language.is_empty() && bare { name.to_ascii_lowercase() } else { language }
    }

    /// Whether the end of the file at `path` is ambiguous because of the fences after it, up to the
    /// next one that names a file; `None` if the text ends before the next fence. Code can only
    /// contain a fence within a string or comment that is still open where the fence seems to end.
    pub fn is_unclear(&self, lines: &[Line], path: &str) -> Option<bool> {
        let text = || lines.get(self.body.clone()).unwrap_or_default();
        let language = self.language_of(path);
        let is_open = || open::is_open(&language, text().iter().map(|line| line.text));
        // Fences are likely in prose.
        if !PROSE.contains(&&*language) && !is_open() {
            return Some(false);
        }
        let mut at = self.next;
        while let Some(line) = lines.get(at) {
            if let Some((mark, info)) = opener(line.text) {
                let named = words::in_info(info).is_some()
                    || lines
                        .get(..at)
                        .unwrap_or_default()
                        .iter()
                        .rev()
                        .find(|line| !line.is_blank())
                        .is_some_and(|line| words::alone(line.text.trim()).is_some());
                if named || !mark.starts_with(self.mark) {
                    return Some(false);
                }
                return Some(info.is_empty());
            }
            at += 1;
        }
        None
    }
}

/// Whether a line is the head of a block other than a conflict marker.
pub(super) fn is_head(text: &str) -> bool {
    matches!(marker(text).map(|marker| marker.kind), Some(MarkerKind::Head(pair)) if pair != Pair::Conflict)
}

/// A comment that names the file but isn't part of it: `// filepath: src/a.ts`
pub(super) struct MarkerComment<'t> {
    pub name: &'t str,
    /// It names a file even if the file doesn't exist.
    pub certain: bool,
    /// The number of lines.
    pub taken: usize,
}

pub(super) fn marker_comment<'t>(lines: &[Line<'t>], body: &Span) -> Option<MarkerComment<'t>> {
    let first = lines.get(body.start).filter(|_| !body.is_empty())?;
    let inner = comment(first.text)?;
    let name = ["filepath:", "file path:", "filename:", "file:"].iter().find_map(|label| {
        let start = inner.get(..label.len())?;
        start.eq_ignore_ascii_case(label).then(|| inner.get(label.len()..)).flatten()
    })?;
    let name = words::without_remarks(name.trim()).trim_matches('`');
    let blank = lines.get(body.start + 1).filter(|_| body.len() > 1).is_some_and(Line::is_blank);
    let certain = words::is_certain_in(inner, name);
    // `# File: utility functions`, `# File: src/app.py, line 3`
    let first = name.split([' ', ',']).next().unwrap_or(name);
    let name = if certain || !words::is_certain(first) { name } else { first };
    let possible = certain || !name.contains(char::is_whitespace);
    (possible && !name.is_empty() && !name.contains(['<', '>', '"'])).then_some(MarkerComment {
        name,
        certain,
        taken: 1 + usize::from(blank),
    })
}

/// `// src/a.ts` as the first line: a name, unless something else names the file.
pub(super) fn comment_name<'t>(lines: &[Line<'t>], body: &Span) -> Option<&'t str> {
    let first = lines.get(body.start).filter(|_| !body.is_empty())?;
    let inner = comment(first.text)?;
    let named = words::is_file_name(inner) || words::is_certain(inner);
    (named && !inner.contains(' ') && (inner.contains('/') || inner.contains('.'))).then_some(inner)
}

/// The line and the name in a comment below the lines that must come first, such as `#!/bin/sh`.
pub(super) fn late_name<'t>(lines: &[Line<'t>], body: &Span) -> Option<(usize, &'t str)> {
    let head = |index: &usize| lines.get(*index).is_some_and(|line| is_head_line(line.text));
    let at = body.clone().take_while(head).last()? + 1;
    let rest = at..body.end;
    let marked = || marker_comment(lines, &rest).map(|comment| comment.name);
    let name = comment_name(lines, &rest).or_else(marked)?;
    words::is_certain(name).then_some((at, name))
}

/// Whether this can only be one of the first lines of a file: `#!`, the encoding, a declaration, a
/// directive such as `"use client";`
fn is_head_line(text: &str) -> bool {
    let text = text.trim();
    let quoted = ['"', '\''].iter().any(|quote| {
        text.strip_prefix(*quote).is_some_and(|rest| rest.trim_end_matches(';').ends_with(*quote))
    });
    let declares = text.starts_with("<?") || text.starts_with("<!") && !text.starts_with("<!--");
    let encoding = || comment(text).is_some_and(|inner| inner.contains("coding"));
    text.starts_with("#!") || declares || quoted || encoding()
}

/// The text of a line that is only a comment.
fn comment(text: &str) -> Option<&str> {
    let text = text.trim();
    let closed = [("/*", "*/"), ("<!--", "-->"), ("{/*", "*/}"), ("(*", "*)")]
        .iter()
        .find_map(|(open, close)| text.strip_prefix(open)?.strip_suffix(close));
    let plain = ["//", "#"].iter().find_map(|mark| text.strip_prefix(mark));
    // `#!/bin/sh` says what runs the file.
    let plain = plain.filter(|inner| !inner.starts_with('!'));
    // Without a space, these begin options, strings and commands.
    let spaced = ["--", ";;", ";", "%", "\"", "REM"]
        .iter()
        .find_map(|mark| text.strip_prefix(mark).filter(|inner| inner.starts_with([' ', '\t'])));
    closed.or(plain).or(spaced).map(str::trim)
}

#[cfg(test)]
mod tests {
    use super::late_name;
    use crate::growth;
    use crate::reply::lines::lines;

    #[test]
    fn names_below_the_lines_that_come_first() {
        for (text, name) in [
            ("#!/bin/sh\n# bin/tea.sh\nls\n", Some((1, "bin/tea.sh"))),
            ("#!/usr/bin/python\n# -*- coding: utf-8 -*-\n# tea.py\n", Some((2, "tea.py"))),
            ("<?php\n// src/tea.php\n", Some((1, "src/tea.php"))),
            ("'use client';\n// filepath: src/tea.tsx\n", Some((1, "src/tea.tsx"))),
            ("import tea\n# src/tea.py\n", None),
            ("# The kettle\n# src/tea.py\n", None),
            ("#!/bin/sh\n# v1.2\n", None),
            ("#!/bin/sh\n", None),
        ] {
            let lines = lines(text);
            assert_eq!(late_name(&lines, &(0..lines.len())), name, "{text}");
        }
    }

    #[test]
    fn fences_that_never_close_are_read_in_linear_time() {
        let input = |lines: usize| "```python\n".repeat(lines);
        growth::is_linear("unclosed fences", 2_000, input, |text| {
            std::hint::black_box(crate::reply::read(&text, &[]));
        });
    }
}
