//! Blocks: the meaning of a section, parsed by pulldown-cmark.

use std::borrow::Cow;

use pulldown_cmark::{CodeBlockKind, Event, LinkType, Options, Parser, Tag};

use super::section::DIRECTIVE;
use crate::text::Span;

/// The blocks of one section, in document order, parents before children; and its links.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Blocks {
    pub blocks: Vec<Block>,
    pub links: Vec<Link>,
    /// Text that is struck out: `~~text~~`.
    pub struck: Vec<Span>,
    /// Code spans that mention directives.
    pub(crate) quoted: Vec<Span>,
}

/// A block with its span. Offsets are relative to the section's start.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    pub kind: BlockKind,
    /// The whole block without its last line break.
    pub span: Span,
    /// The number of enclosing blocks.
    pub depth: u32,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BlockKind {
    /// `text`: the heading's content, without markers. `title`: the same with whitespace collapsed.
    /// `setext`: underlined.
    Heading {
        level: u8,
        text: Span,
        title: String,
        setext: bool,
    },
    Paragraph,
    /// `info`: the info string of a fenced block, `None` for an indented one.
    Code {
        info: Option<String>,
    },
    List {
        ordered: bool,
    },
    Item,
    Quote,
    Table,
    Row,
    Html,
    ThematicBreak,
}

/// A link.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    pub kind: LinkKind,
    /// The whole link, brackets included.
    pub span: Span,
    /// The span of the destination, if it's inline.
    pub destination_span: Option<Span>,
    /// The destination, unescaped.
    pub destination: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LinkKind {
    Inline,
    Image,
    /// `[a][b]`, `[a]`: the destination is in the definition.
    Reference,
    /// `<https://…>`
    Autolink,
    /// `[b]: destination`
    Definition,
}

pub(crate) fn options() -> Options {
    Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS
}

/// Parses the blocks of `text` from the byte `shift`, where a block begins.
pub fn read(text: &str, shift: usize) -> Blocks {
    // pulldown-cmark doesn't accept a lone carriage return everywhere; a line feed has the same
    // length.
    let text = &*without_lone_returns(text);
    let body = text.get(shift..).unwrap_or_default();
    let mut blocks: Vec<Block> = Vec::new();
    let (mut links, mut struck, mut quoted) = (Vec::new(), Vec::new(), Vec::new());
    let mut open: Vec<Option<usize>> = Vec::new();
    let mut depth = 0;
    let parser = Parser::new_ext(body, options());
    for (_, definition) in parser.reference_definitions().iter() {
        let span = definition.span.start + shift..definition.span.end + shift;
        let destination_span = locate(text, &span, "]:", &definition.dest);
        links.push(Link {
            kind: LinkKind::Definition,
            span,
            destination_span,
            destination: definition.dest.to_string(),
        });
    }
    for (event, range) in parser.into_offset_iter() {
        let span = range.start + shift..range.end + shift;
        match event {
            Event::Start(tag) => {
                let kind = block_kind(&tag, text, &span);
                open.push(kind.is_some().then_some(blocks.len()));
                if let Some(kind) = kind {
                    let span = trim(text, &kind, span);
                    blocks.push(Block { kind, span, depth });
                    depth += 1;
                } else if tag == Tag::Strikethrough {
                    struck.push(span);
                } else if let Some(link) = read_link(&tag, text, span) {
                    links.push(link);
                }
            }
            Event::End(_) => {
                if let Some(index) = open.pop().flatten() {
                    depth -= 1;
                    let parent = open.iter().rev().copied().flatten().next();
                    extend(&mut blocks, parent, index);
                }
            }
            Event::Code(code) if code.contains(DIRECTIVE) => quoted.push(span),
            Event::Rule => blocks.push(Block {
                kind: BlockKind::ThematicBreak,
                span: trim(text, &BlockKind::ThematicBreak, span),
                depth,
            }),
            _ => {}
        }
    }
    links.sort_by_key(|link| (link.span.start, link.span.end));
    // A document may have a section for every few bytes.
    blocks.shrink_to_fit();
    links.shrink_to_fit();
    struck.shrink_to_fit();
    Blocks { blocks, links, struck, quoted }
}

/// The text with every lone carriage return as a line feed.
pub(super) fn without_lone_returns(text: &str) -> Cow<'_, str> {
    let lone = |at: &usize| text.as_bytes().get(at + 1) != Some(&b'\n');
    if !memchr::memchr_iter(b'\r', text.as_bytes()).any(|at| lone(&at)) {
        return Cow::Borrowed(text);
    }
    let mut chars = text.chars().peekable();
    let mut out = String::with_capacity(text.len());
    while let Some(char) = chars.next() {
        out.push(if char == '\r' && chars.peek() != Some(&'\n') { '\n' } else { char });
    }
    Cow::Owned(out)
}

fn block_kind(tag: &Tag, text: &str, span: &Span) -> Option<BlockKind> {
    Some(match tag {
        Tag::Heading { level, .. } => heading(*level as u8, text, span),
        Tag::Paragraph => BlockKind::Paragraph,
        Tag::CodeBlock(CodeBlockKind::Fenced(info)) => {
            BlockKind::Code { info: Some(info.to_string()) }
        }
        Tag::CodeBlock(CodeBlockKind::Indented) => BlockKind::Code { info: None },
        Tag::List(start) => BlockKind::List { ordered: start.is_some() },
        Tag::Item => BlockKind::Item,
        Tag::BlockQuote(_) => BlockKind::Quote,
        Tag::Table(_) => BlockKind::Table,
        Tag::TableHead | Tag::TableRow => BlockKind::Row,
        Tag::HtmlBlock => BlockKind::Html,
        _ => return None,
    })
}

fn heading(level: u8, text: &str, span: &Span) -> BlockKind {
    let (content, setext) = heading_text(text, span);
    let title = text
        .get(content.clone())
        .unwrap_or_default()
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ");
    BlockKind::Heading { level, text: content, title, setext }
}

/// The content of a heading, without markers, and whether it's underlined.
pub(super) fn heading_text(text: &str, span: &Span) -> (Span, bool) {
    let source = text.get(span.clone()).unwrap_or_default();
    let setext = !source.trim_start().starts_with('#');
    let content = if setext {
        let lines = source.trim_end();
        lines.rfind(['\n', '\r']).and_then(|at| lines.get(..at)).unwrap_or(lines)
    } else {
        let line = source.trim_end();
        let unmarked = line.trim_end_matches('#');
        if unmarked.is_empty() || unmarked.ends_with([' ', '\t']) { unmarked } else { line }
    };
    let lead = content.len()
        - content
            .trim_start()
            .trim_start_matches(if setext { '\0' } else { '#' })
            .trim_start()
            .len();
    let start = span.start + lead.min(content.len());
    let end = span.start + content.trim_end().len();
    (start..end.max(start), setext)
}

/// A block ends no earlier than its children.
fn extend(blocks: &mut [Block], parent: Option<usize>, child: usize) {
    let Some(end) = blocks.get(child).map(|block| block.span.end) else { return };
    if let Some(parent) = parent.and_then(|parent| blocks.get_mut(parent)) {
        parent.span.end = parent.span.end.max(end);
    }
}

/// Without trailing line breaks; a container also without trailing blank lines, which belong to no
/// block.
fn trim(text: &str, kind: &BlockKind, span: Span) -> Span {
    let source = text.get(span.clone()).unwrap_or_default();
    let kept = match kind {
        BlockKind::List { .. } | BlockKind::Item | BlockKind::Quote => {
            source.trim_end_matches(['\n', '\r', ' ', '\t'])
        }
        _ => source.trim_end_matches(['\n', '\r']),
    };
    span.start..span.start + kept.len()
}

fn read_link(tag: &Tag, text: &str, span: Span) -> Option<Link> {
    let (link_type, destination, image) = match tag {
        Tag::Link { link_type, dest_url, .. } => (link_type, dest_url, false),
        Tag::Image { link_type, dest_url, .. } => (link_type, dest_url, true),
        _ => return None,
    };
    let kind = match link_type {
        LinkType::Inline if image => LinkKind::Image,
        LinkType::Inline => LinkKind::Inline,
        LinkType::Autolink | LinkType::Email => LinkKind::Autolink,
        _ => LinkKind::Reference,
    };
    let destination_span = match kind {
        LinkKind::Reference => None,
        LinkKind::Autolink => Some(span.start + 1..span.end.saturating_sub(1).max(span.start + 1)),
        _ => locate(text, &span, "](", destination),
    };
    Some(Link { kind, span, destination_span, destination: destination.to_string() })
}

/// The span of `destination` in a link or a definition: after the last `bracket` that may precede
/// it.
pub(super) fn locate(text: &str, span: &Span, bracket: &str, destination: &str) -> Option<Span> {
    let source = text.get(span.clone())?;
    let mut search = source.len();
    loop {
        let found = source.get(..search)?.rfind(bracket)?;
        let after = source.get(found + bracket.len()..)?;
        let lead = after.len() - after.trim_start().trim_start_matches('<').len();
        let start = found + bracket.len() + lead;
        let rest = source.get(start..)?;
        if rest.starts_with(destination) {
            return Some(span.start + start..span.start + start + destination.len());
        }
        // With escapes and entities, the source differs: find its own end.
        if rest.starts_with(|first: char| destination.starts_with(first)) || found == 0 {
            let end = rest
                .find(|c: char| c.is_whitespace() || matches!(c, ')' | '>'))
                .unwrap_or(rest.len());
            return Some(span.start + start..span.start + start + end);
        }
        search = found;
    }
}
