//! Highlights of a section's Markdown, from the parser that reads its blocks. `queries/*.scm` name
//! the same places, for editors that run tree-sitter.

use std::cmp::Reverse;
use std::sync::Arc;

use pulldown_cmark::{BrokenLink, CodeBlockKind, CowStr, Event, LinkType, Parser, Tag, TagEnd};

use super::block::{heading_text, locate, options, without_lone_returns};
use crate::text::Span;

/// A span in one style.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Highlight {
    pub span: Span,
    /// A semantic token type.
    pub kind: &'static str,
}

/// The semantic token types of highlights.
pub const TOKEN_TYPES: [&str; 14] = [
    "class",
    "keyword",
    "operator",
    "type",
    "variable",
    "string",
    "macro",
    "property",
    "enumMember",
    "number",
    "comment",
    "function",
    "namespace",
    "parameter",
];

/// The types that Markdown has, as indices of [`TOKEN_TYPES`].
const CLASS: u8 = 0;
const KEYWORD: u8 = 1;
const OPERATOR: u8 = 2;
const TYPE: u8 = 3;
const VARIABLE: u8 = 4;
const STRING: u8 = 5;
const MACRO: u8 = 6;

/// The highlights of a section, in order, not nested, each on one line. Small: a document may have
/// one for every few bytes.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Highlights(Box<[Mark]>);

/// Offsets are relative to the section's start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Mark {
    start: u32,
    end: u32,
    kind: u8,
}

impl Highlights {
    /// The highlights of a section that begins at `start`, with their spans in the document.
    pub(crate) fn at(self: Arc<Self>, start: usize) -> impl Iterator<Item = Highlight> {
        (0..self.0.len()).filter_map(move |index| {
            let mark = self.0.get(index)?;
            let kind = TOKEN_TYPES.get(usize::from(mark.kind))?;
            Some(Highlight { span: start + mark.start as usize..start + mark.end as usize, kind })
        })
    }
}

/// Reads the highlights of `text` from the byte `shift`, where a block begins.
pub(crate) fn read(text: &str, shift: usize) -> Highlights {
    if u32::try_from(text.len()).is_err() {
        return Highlights::default();
    }
    let text = &*without_lone_returns(text);
    let body = text.get(shift..).unwrap_or_default();
    // References may be defined in other sections.
    let defined = |_: BrokenLink| Some((CowStr::Borrowed(""), CowStr::Borrowed("")));
    let parser = Parser::new_with_broken_link_callback(body, options(), Some(defined));
    let mut reader = Reader { text, ..Reader::default() };
    for (_, definition) in parser.reference_definitions().iter() {
        let span = definition.span.start + shift..definition.span.end + shift;
        reader.definition(&span, &definition.dest);
    }
    for (event, range) in parser.into_offset_iter() {
        reader.event(&event, &(range.start + shift..range.end + shift));
    }
    let mut found = reader.found;
    found.sort_by_key(|mark| (mark.start, Reverse(mark.end)));
    Highlights(by_line(text, flatten(found)))
}

#[derive(Default)]
struct Reader<'a> {
    text: &'a str,
    found: Vec<Mark>,
    /// The open links, as far as their text has been read.
    links: Vec<Span>,
    /// Where the content of the current code block ends, as far as it's read.
    code: Option<usize>,
    /// The current place is in the header of a table.
    header: bool,
}

impl<'a> Reader<'a> {
    fn slice(&self, span: Span) -> &'a str {
        self.text.get(span).unwrap_or_default()
    }

    /// The same without the whitespace before it.
    fn trimmed(&self, span: &Span) -> (usize, &'a str) {
        let text = self.slice(span.clone());
        let trimmed = text.trim_start();
        (span.start + text.len() - trimmed.len(), trimmed)
    }

    /// Adds a highlight, without the whitespace around it.
    fn add(&mut self, span: Span, kind: u8) {
        let (start, text) = self.trimmed(&span);
        let end = start + text.trim_end().len();
        if let (Ok(start), Ok(end)) = (u32::try_from(start), u32::try_from(end))
            && start < end
        {
            self.found.push(Mark { start, end, kind });
        }
    }

    fn event(&mut self, event: &Event, span: &Span) {
        match event {
            Event::Start(tag) => return self.start(tag, span),
            Event::End(tag) => self.end(*tag, span),
            Event::Text(_) => match &mut self.code {
                Some(end) => *end = span.end,
                None => self.escape(span.start),
            },
            Event::Code(_) => self.add(span.clone(), STRING),
            Event::Html(_) | Event::InlineHtml(_) => self.add(span.clone(), MACRO),
            Event::Rule => self.add(span.clone(), KEYWORD),
            Event::TaskListMarker(_) => self.add(span.clone(), OPERATOR),
            _ => {}
        }
        if let Some(link) = self.links.last_mut() {
            link.end = link.end.max(span.end);
        }
    }

    fn start(&mut self, tag: &Tag, span: &Span) {
        match tag {
            Tag::Heading { .. } => self.heading(span),
            Tag::BlockQuote(_) => {
                let (start, _) = self.trimmed(span);
                self.add(start..start + 1, OPERATOR);
            }
            Tag::Item => {
                let (start, text) = self.trimmed(span);
                let digits = text.bytes().take_while(u8::is_ascii_digit).count();
                self.add(start..start + digits + 1, OPERATOR);
            }
            Tag::CodeBlock(CodeBlockKind::Fenced(info)) => self.fence(span, info),
            Tag::CodeBlock(CodeBlockKind::Indented) => self.code = Some(span.end),
            Tag::TableHead => self.header = true,
            Tag::TableCell if self.header => self.add(span.clone(), CLASS),
            Tag::Link { link_type: LinkType::Autolink | LinkType::Email, .. } => {
                self.add(span.clone(), STRING);
                self.links.push(span.clone());
            }
            Tag::Link { .. } => self.links.push(span.start + 1..span.start + 1),
            Tag::Image { .. } => self.links.push(span.start + 2..span.start + 2),
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd, span: &Span) {
        match tag {
            TagEnd::CodeBlock => {
                if let Some(content) = self.code.take() {
                    self.closing_fence(span, content);
                }
            }
            TagEnd::TableHead => self.header = false,
            TagEnd::Link | TagEnd::Image => {
                if let Some(text) = self.links.pop() {
                    self.link(span, text);
                }
            }
            _ => {}
        }
    }

    fn heading(&mut self, span: &Span) {
        let (text, setext) = heading_text(self.text, span);
        if !setext {
            self.add(span.start..text.start, KEYWORD);
        }
        let (end, closing) = self.trimmed(&(text.end..span.end));
        if setext {
            // In a quote, the underline follows a marker.
            let line = closing.trim_end();
            let underline = line.trim_start_matches(['>', ' ', '\t']);
            self.add(end + line.len() - underline.len()..span.end, KEYWORD);
        } else {
            self.add(end..span.end, KEYWORD);
        }
        self.add(text, CLASS);
    }

    /// The first line of a fenced code block.
    fn fence(&mut self, span: &Span, info: &str) {
        let (start, text) = self.trimmed(span);
        let line = text.lines().next().unwrap_or_default();
        self.code = Some(start + line.len());
        let fence = line.bytes().take_while(|byte| matches!(byte, b'`' | b'~')).count();
        self.add(start..start + fence, OPERATOR);
        let language = info.split([' ', '\t', ',', '{', '}']).next().unwrap_or_default();
        let at = start
            + fence
            + line.get(fence..).and_then(|rest| rest.find(language)).unwrap_or_default();
        self.add(at..at + language.len(), TYPE);
    }

    /// The last line of a fenced code block, if what follows its content is one.
    fn closing_fence(&mut self, span: &Span, content: usize) {
        let line = self.slice(content.min(span.end)..span.end).trim_end();
        let before = line.trim_end_matches(['`', '~']);
        self.add(content + before.len()..content + line.len(), OPERATOR);
    }

    /// A link that ends here; `text` is its content.
    fn link(&mut self, span: &Span, text: Span) {
        let end = text.end;
        if self.slice(end..span.end).starts_with(']') {
            self.add(text, VARIABLE);
        }
        let rest = self.slice(end..span.end);
        if let Some(inside) = rest.strip_prefix("](") {
            let start = end + 2 + inside.len() - inside.trim_start().len();
            self.add(start..start + destination(inside.trim_start()), STRING);
        } else if rest.len() > 3 && rest.starts_with("][") {
            self.add(end + 1..span.end, VARIABLE);
        }
    }

    /// A definition of a reference.
    fn definition(&mut self, span: &Span, destination: &str) {
        let (start, text) = self.trimmed(span);
        let Some(label) = text.find("]:") else { return };
        self.add(start..start + label + 1, VARIABLE);
        let span = start..span.end;
        if let Some(found) = locate(self.text, &span, "]:", destination) {
            self.add(found, STRING);
        }
    }

    /// Text that begins after a backslash is escaped.
    fn escape(&mut self, start: usize) {
        if let Some(before) = start.checked_sub(1)
            && self.text.as_bytes().get(before) == Some(&b'\\')
        {
            self.add(before..start + 1, OPERATOR);
        }
    }
}

/// The length of the destination at the start of `text`, which continues with `)` or a title.
fn destination(text: &str) -> usize {
    let angled = text.starts_with('<');
    let (mut depth, mut escaped) = (0_usize, false);
    let end = text.find(|letter: char| {
        if std::mem::take(&mut escaped) {
            return false;
        }
        match letter {
            '\\' => escaped = true,
            '>' if angled => return true,
            '(' => depth += 1,
            ')' if depth == 0 => return !angled,
            ')' => depth -= 1,
            _ => return !angled && letter.is_whitespace(),
        }
        false
    });
    end.map_or(text.len(), |end| end + usize::from(angled))
}

/// Removes overlaps: the inner highlight takes precedence over the part of the outer one that it
/// covers.
fn flatten(sorted: Vec<Mark>) -> Vec<Mark> {
    let mut out: Vec<Mark> = Vec::with_capacity(sorted.len());
    let mut open: Vec<Mark> = Vec::new();
    let mut at = 0;
    for next in sorted {
        while open.last().is_some_and(|outer| outer.end <= next.start) {
            close(&mut open, &mut at, &mut out);
        }
        if let Some(outer) = open.last() {
            push(&mut out, Mark { start: at.max(outer.start), end: next.start, ..*outer });
        }
        at = next.start;
        open.push(next);
    }
    while !open.is_empty() {
        close(&mut open, &mut at, &mut out);
    }
    out
}

fn close(open: &mut Vec<Mark>, at: &mut u32, out: &mut Vec<Mark>) {
    if let Some(done) = open.pop() {
        push(out, Mark { start: done.start.max(*at), ..done });
        *at = done.end.max(*at);
    }
}

fn push(out: &mut Vec<Mark>, mark: Mark) {
    if mark.start < mark.end {
        out.push(mark);
    }
}

/// Cuts highlights at line breaks: most editors don't support longer ones.
fn by_line(text: &str, found: Vec<Mark>) -> Box<[Mark]> {
    let mut out = Vec::with_capacity(found.len());
    for mark in found {
        let content = text.get(mark.start as usize..mark.end as usize).unwrap_or_default();
        let mut start = mark.start;
        for line in content.split_inclusive('\n') {
            let kept = line.trim_end_matches(['\n', '\r']);
            if !kept.trim().is_empty() {
                out.push(Mark { start, end: start + kept.len() as u32, kind: mark.kind });
            }
            start += line.len() as u32;
        }
    }
    out.into_boxed_slice()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn highlights(text: &str) -> Vec<(&str, &'static str)> {
        Arc::new(read(text, 0)).at(0).map(|found| (&text[found.span], found.kind)).collect()
    }

    #[test]
    fn inner_highlights_take_precedence() {
        assert_eq!(
            highlights("# A `b` c\n\n- [x](y.md)\n"),
            [
                ("#", "keyword"),
                ("A ", "class"),
                ("`b`", "string"),
                (" c", "class"),
                ("-", "operator"),
                ("x", "variable"),
                ("y.md", "string")
            ]
        );
    }

    #[test]
    fn blocks() {
        for (text, expected) in [
            ("## A ##\n", vec![("##", "keyword"), ("A", "class"), ("##", "keyword")]),
            ("A\nb\n===\n", vec![("A", "class"), ("b", "class"), ("===", "keyword")]),
            ("> A\n> ---\n", vec![(">", "operator"), ("A", "class"), ("---", "keyword")]),
            ("---\n", vec![("---", "keyword")]),
            ("12) a\n", vec![("12)", "operator")]),
            ("- [x] a\n", vec![("-", "operator"), ("[x]", "operator")]),
            (
                "```rust,x\na\n```\n",
                vec![("```", "operator"), ("rust", "type"), ("```", "operator")],
            ),
            ("~~~\n```\n", vec![("~~~", "operator")]),
            (
                "> ```\n> a\n> ```\n",
                vec![(">", "operator"), ("```", "operator"), ("```", "operator")],
            ),
            ("    a`b`\n", vec![]),
            ("| a | b |\n|---|---|\n| c | d |\n", vec![("a", "class"), ("b", "class")]),
            ("[r]: <u v> 't'\n", vec![("[r]", "variable"), ("u v", "string")]),
            (
                "<div>\n<p>\n</div>\n",
                vec![("<div>", "macro"), ("<p>", "macro"), ("</div>", "macro")],
            ),
        ] {
            assert_eq!(highlights(text), expected, "{text:?}");
        }
    }

    #[test]
    fn inline() {
        for (text, expected) in [
            ("a [b *c*](<d e> 't') f\n", vec![("b *c*", "variable"), ("<d e>", "string")]),
            ("[a](b(c)d)\n", vec![("a", "variable"), ("b(c)d", "string")]),
            ("[a](b 't')\n", vec![("a", "variable"), ("b", "string")]),
            ("![a](b)\n", vec![("a", "variable"), ("b", "string")]),
            (
                "[![a](b)](c)\n",
                vec![
                    ("![", "variable"),
                    ("a", "variable"),
                    ("](", "variable"),
                    ("b", "string"),
                    (")", "variable"),
                    ("c", "string"),
                ],
            ),
            (
                "[a][b] [c][] [d]\n",
                vec![("a", "variable"), ("[b]", "variable"), ("c", "variable"), ("d", "variable")],
            ),
            ("<https://a.b> <a@b.c>\n", vec![("<https://a.b>", "string"), ("<a@b.c>", "string")]),
            ("a <b> c\n", vec![("<b>", "macro")]),
            ("a \\* `\\*` \\a\n", vec![("\\*", "operator"), ("`\\*`", "string")]),
            ("`a\nb`\n", vec![("`a", "string"), ("b`", "string")]),
        ] {
            assert_eq!(highlights(text), expected, "{text:?}");
        }
    }
}
