//! A finding as the JSON of an LSP `Diagnostic`, written without making one first: a key press may
//! write hundreds.

use tower_lsp::gen_lsp_types::{DiagnosticTag, Uri};

use super::convert;
use super::json::{number, separated, text};
use super::places::Places;
use super::session::Snapshot;
use crate::ide::diagnostics::Rest;
use crate::rule::{Diagnostic, Fix};

/// Writes the findings of one document.
pub(super) struct Writer<'s> {
    snapshot: &'s Snapshot,
    places: Places<'s>,
}

impl<'s> Writer<'s> {
    pub(super) fn new(snapshot: &'s Snapshot) -> Self {
        Self { snapshot, places: Places::new(snapshot.source(), snapshot.encoding()) }
    }

    /// Appends a finding: the same text as that of [`convert::to_diagnostic`].
    pub(super) fn write(&mut self, found: &Diagnostic, out: &mut String) {
        let start = out.len();
        let client = &self.snapshot.client;
        out.push_str(r#"{"range":"#);
        self.places.range(&found.span, out);
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

    /// Appends the finding that summarizes those over the limit.
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
                self.places.range(&related.span, out);
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
            self.places.range(&edit.span, out);
            out.push_str(r#","newText":"#);
            text(&edit.text, out);
            out.push('}');
        });
        out.push_str("]}");
    }
}
