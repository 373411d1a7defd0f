//! A finding as the JSON of an LSP `Diagnostic`, written without making one first: a key press may
//! write hundreds.

use tower_lsp::gen_lsp_types::{DiagnosticTag, Uri};

use super::convert;
use super::session::Snapshot;
use crate::ide::diagnostics::Rest;
use crate::rule::{Diagnostic, Fix};
use crate::source::Line;
use crate::text::Span;

/// Columns in longer lines, in bytes, are looked up in the rope, which remembers counts.
const LONGEST_LINE: usize = 2048;

/// Writes the findings of one document.
pub(super) struct Writer<'s> {
    snapshot: &'s Snapshot,
    /// The last line that was looked up: the places of a finding are near each other.
    line: Option<Line>,
    /// Its text, if columns need it.
    text: String,
}

impl<'s> Writer<'s> {
    pub(super) fn new(snapshot: &'s Snapshot) -> Self {
        Self { snapshot, line: None, text: String::new() }
    }

    /// Appends a finding: the same text as that of [`convert::to_diagnostic`].
    pub(super) fn write(&mut self, found: &Diagnostic, out: &mut String) {
        let start = out.len();
        let client = &self.snapshot.client;
        out.push_str(r#"{"range":"#);
        self.range(&found.span, out);
        out.push_str(r#","severity":"#);
        number(u32::from(convert::severity(found.severity)), out);
        out.push_str(r#","code":"#);
        text(found.rule.code, out);
        if client.code_description {
            out.push_str(r#","codeDescription":{"href":"#);
            text(&found.rule.url(), out);
            out.push('}');
        }
        out.push_str(r#","source":"agentmd","message":"#);
        text(&found.message, out);
        if client.diagnostic_tags && found.unnecessary {
            out.push_str(r#","tags":["#);
            number(u32::from(DiagnosticTag::Unnecessary), out);
            out.push(']');
        }
        if client.related_information {
            self.related(found, out);
        }
        if client.diagnostic_data && !found.fixes.is_empty() {
            out.push_str(r#","data":{"fixes":["#);
            separated(&found.fixes, out, |fix, out| self.fix(fix, out));
            out.push_str("]}");
        }
        out.push('}');
        debug_assert_eq!(
            out.get(start..),
            serde_json::to_string(&convert::to_diagnostic(self.snapshot, found)).ok().as_deref()
        );
    }

    /// Appends the finding that stands for those over the limit.
    pub(super) fn write_rest(&mut self, rest: &Rest, out: &mut String) {
        let rest = convert::rest(self.snapshot, rest);
        out.push_str(&serde_json::to_string(&rest).unwrap_or_default());
    }

    fn related(&mut self, found: &Diagnostic, out: &mut String) {
        let mut first = true;
        for related in &found.related {
            let before = out.len();
            out.push_str(if first {
                r#","relatedInformation":[{"location":"#
            } else {
                r#",{"location":"#
            });
            if related.path.is_some() {
                let location = self.snapshot.location(related.path.as_deref(), &related.span);
                let Some(location) = location else {
                    out.truncate(before);
                    continue;
                };
                out.push_str(&serde_json::to_string(&location).unwrap_or_default());
            } else {
                let Uri(uri) = &self.snapshot.open.uri;
                out.push_str(r#"{"uri":"#);
                text(uri, out);
                out.push_str(r#","range":"#);
                self.range(&related.span, out);
                out.push('}');
            }
            out.push_str(r#","message":"#);
            text(&related.message, out);
            out.push('}');
            first = false;
        }
        if !first {
            out.push(']');
        }
    }

    fn fix(&mut self, fix: &Fix, out: &mut String) {
        out.push_str(r#"{"title":"#);
        text(&fix.title, out);
        out.push_str(if fix.safe {
            r#","safe":true,"edits":["#
        } else {
            r#","safe":false,"edits":["#
        });
        separated(&fix.edits, out, |edit, out| {
            out.push_str(r#"{"range":"#);
            self.range(&edit.span, out);
            out.push_str(r#","newText":"#);
            text(&edit.text, out);
            out.push('}');
        });
        out.push_str("]}");
    }

    fn range(&mut self, span: &Span, out: &mut String) {
        out.push_str(r#"{"start":"#);
        self.position(span.start, out);
        out.push_str(r#","end":"#);
        self.position(span.end, out);
        out.push('}');
    }

    fn position(&mut self, offset: usize, out: &mut String) {
        let source = self.snapshot.source();
        let offset = offset.min(source.len());
        if self.line.as_ref().is_none_or(|line| !line.contains(offset)) {
            self.line = Some(source.line_at(offset));
            self.text.clear();
        }
        let Some(line) = &self.line else { return };
        let column = if line.is_ascii() {
            offset - line.start()
        } else if line.span().len() > LONGEST_LINE {
            source.position(offset, self.snapshot.encoding()).column as usize
        } else {
            if self.text.is_empty() {
                self.text.push_str(&source.slice(line.span()));
            }
            let end = self.text.floor_char_boundary(offset - line.start());
            self.snapshot.encoding().count(self.text.get(..end).unwrap_or_default())
        };
        out.push_str(r#"{"line":"#);
        number(line.number as u32, out);
        out.push_str(r#","character":"#);
        number(column as u32, out);
        out.push('}');
    }
}

fn separated<T>(items: &[T], out: &mut String, mut write: impl FnMut(&T, &mut String)) {
    for (index, item) in items.iter().enumerate() {
        if index > 0 {
            out.push(',');
        }
        write(item, out);
    }
}

fn number(number: u32, out: &mut String) {
    out.push_str(itoa::Buffer::new().format(number));
}

/// A JSON string.
fn text(text: &str, out: &mut String) {
    if text.bytes().any(|byte| byte < b' ' || matches!(byte, b'"' | b'\\')) {
        out.push_str(&serde_json::to_string(text).unwrap_or_default());
        return;
    }
    out.push('"');
    out.push_str(text);
    out.push('"');
}
