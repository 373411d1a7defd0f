//! HTML blocks: how they start and end (CommonMark, "HTML blocks", start conditions 1 to 7).

use super::line::is_blank;

/// The end condition of an open HTML block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum HtmlEnd {
    /// A line that contains one of these strings (ignoring case).
    Text(&'static [&'static [u8]]),
    /// The next blank line.
    Blank,
}

impl HtmlEnd {
    pub(super) fn is_in(self, line: &[u8]) -> bool {
        match self {
            Self::Blank => is_blank(line),
            Self::Text(ends) => ends.iter().any(|end| contains_ignoring_case(line, end)),
        }
    }
}

/// The HTML block that `content` starts (no indentation, begins with `<`). Condition 7 can't
/// interrupt a paragraph.
pub(super) fn html_start(content: &[u8], in_paragraph: bool) -> Option<HtmlEnd> {
    let after = content.strip_prefix(b"<")?;
    if after.starts_with(b"!--") {
        return Some(HtmlEnd::Text(&[b"-->"]));
    }
    if after.starts_with(b"?") {
        return Some(HtmlEnd::Text(&[b"?>"]));
    }
    if after.starts_with(b"![CDATA[") {
        return Some(HtmlEnd::Text(&[b"]]>"]));
    }
    if after.first() == Some(&b'!') && after.get(1).is_some_and(u8::is_ascii_alphabetic) {
        return Some(HtmlEnd::Text(&[b">"]));
    }
    let (closing, name_at) = match after.strip_prefix(b"/") {
        Some(rest) => (true, rest),
        None => (false, after),
    };
    let length = name_at.iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
    let (name, next) = name_at.split_at_checked(length)?;
    let lower = name.to_ascii_lowercase();
    if !closing
        && RAW.contains(&lower.as_slice())
        && matches!(next.first(), None | Some(b' ' | b'\t' | b'>'))
    {
        return Some(HtmlEnd::Text(&[b"</script>", b"</pre>", b"</style>", b"</textarea>"]));
    }
    let ends_name =
        matches!(next.first(), None | Some(b' ' | b'\t' | b'>')) || next.starts_with(b"/>");
    if ends_name && BLOCK.binary_search_by(|tag| tag.as_bytes().cmp(&lower)).is_ok() {
        return Some(HtmlEnd::Blank);
    }
    let rest = if in_paragraph { None } else { tag_end(name_at, closing) };
    rest.is_some_and(is_blank).then_some(HtmlEnd::Blank)
}

/// The rest after a complete open or closing tag; `at` begins with the tag's name.
fn tag_end(at: &[u8], closing: bool) -> Option<&[u8]> {
    if !at.first()?.is_ascii_alphabetic() {
        return None;
    }
    let length =
        at.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'-').count();
    let mut rest = at.get(length..)?;
    if closing {
        return skip_blanks(rest).strip_prefix(b">");
    }
    loop {
        let next = skip_blanks(rest);
        if let Some(end) = next.strip_prefix(b"/>").or_else(|| next.strip_prefix(b">")) {
            return Some(end);
        }
        let first = next.first()?;
        if next.len() == rest.len()
            || !(first.is_ascii_alphabetic() || matches!(first, b'_' | b':'))
        {
            return None;
        }
        let name = next
            .iter()
            .take_while(|byte| byte.is_ascii_alphanumeric() || b"_.:-".contains(byte))
            .count();
        rest = next.get(name..)?;
        if let Some(value) = skip_blanks(rest).strip_prefix(b"=") {
            let value = skip_blanks(value);
            rest = match value.first()? {
                quote @ (b'"' | b'\'') => {
                    let end = memchr::memchr(*quote, value.get(1..)?)?;
                    value.get(end + 2..)?
                }
                _ => {
                    let end = value.iter().take_while(|byte| !b" \t\"'=<>`".contains(byte)).count();
                    if end == 0 {
                        return None;
                    }
                    value.get(end..)?
                }
            };
        }
    }
}

fn skip_blanks(bytes: &[u8]) -> &[u8] {
    let blanks = bytes.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    bytes.get(blanks..).unwrap_or_default()
}

fn contains_ignoring_case(line: &[u8], text: &[u8]) -> bool {
    line.windows(text.len()).any(|window| window.eq_ignore_ascii_case(text))
}

const RAW: [&[u8]; 4] = [b"script", b"pre", b"style", b"textarea"];

const BLOCK: [&str; 62] = [
    "address",
    "article",
    "aside",
    "base",
    "basefont",
    "blockquote",
    "body",
    "caption",
    "center",
    "col",
    "colgroup",
    "dd",
    "details",
    "dialog",
    "dir",
    "div",
    "dl",
    "dt",
    "fieldset",
    "figcaption",
    "figure",
    "footer",
    "form",
    "frame",
    "frameset",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "head",
    "header",
    "hr",
    "html",
    "iframe",
    "legend",
    "li",
    "link",
    "main",
    "menu",
    "menuitem",
    "nav",
    "noframes",
    "ol",
    "optgroup",
    "option",
    "p",
    "param",
    "search",
    "section",
    "summary",
    "table",
    "tbody",
    "td",
    "tfoot",
    "th",
    "thead",
    "title",
    "tr",
    "track",
    "ul",
];
