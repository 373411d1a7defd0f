//! Findings in the client's form. What was written of an unchanged part of a document is kept with
//! it, so that a key press writes the findings that it touched and copies the others.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use parking_lot::Mutex;
use rustc_hash::FxHasher;
use tower_lsp::gen_lsp_types::{Diagnostic, Position, Uri};

use super::convert;
use super::finding::Writer;
use super::session::Snapshot;
use super::workspace_diagnostics::result_id;
use crate::ide::diagnostics::{Piece, Shown, Which};
use crate::rule::Severity;
use crate::rule::kept::Kept;

/// A list of findings as JSON, without its brackets, with an identity for comparison: lists with
/// the same text have the same one.
#[derive(Debug, Default)]
pub(super) struct Written {
    json: String,
    pub id: u64,
}

/// The findings of a part, written for one client while the part is at one position.
struct Part {
    key: Key,
    json: String,
    /// The end of each finding in `json`, after its comma.
    ends: Vec<usize>,
    ids: Vec<u64>,
    /// The sum of `ids`.
    id: u64,
}

/// What a written part depends on besides the part.
#[derive(PartialEq)]
struct Key {
    at: Position,
    severities: Arc<[Option<Severity>]>,
    uri: Uri,
    /// The client's capabilities.
    client: [bool; 4],
    encoding: crate::text::Encoding,
}

/// The last one only: there is one client, and a part has one position.
#[derive(Default)]
struct Slot(Mutex<Option<Arc<Part>>>);

pub(super) fn written_item(item: &Diagnostic) -> String {
    serde_json::to_string(item).unwrap_or_default()
}

fn id_of(json: &str) -> u64 {
    let mut hasher = FxHasher::default();
    json.hash(&mut hasher);
    hasher.finish()
}

impl Written {
    pub(super) fn new(snapshot: &Snapshot, shown: &Shown) -> Self {
        let mut written = Self::default();
        let (mut writer, mut item) = (Writer::new(snapshot), String::new());
        for piece in &shown.pieces {
            match piece {
                Piece::One(one) => {
                    item.clear();
                    writer.write(one, &mut item);
                    written.add(&item);
                }
                Piece::Kept { found, start, severities, which } => {
                    written.copy(&part(snapshot, found, *start, severities), which)
                }
            }
        }
        if let Some(rest) = &shown.rest {
            item.clear();
            writer.write_rest(rest, &mut item);
            written.add(&item);
        }
        written
    }

    /// Adds a finding.
    pub(super) fn add(&mut self, item: &str) {
        self.push(item, id_of(item));
    }

    fn push(&mut self, json: &str, id: u64) {
        if json.is_empty() {
            return;
        }
        if !self.json.is_empty() {
            self.json.push(',');
        }
        self.json.push_str(json);
        self.id = self.id.wrapping_add(id);
    }

    fn copy(&mut self, part: &Part, which: &Which) {
        match which {
            Which::Range(range) if *range == (0..part.ends.len()) => {
                self.push(part.json.strip_suffix(',').unwrap_or_default(), part.id)
            }
            which => which.for_each(|index| {
                let start = index.checked_sub(1).map_or(Some(0), |before| part.end(before));
                let item = start.zip(part.end(index)).and_then(|(a, b)| part.json.get(a..b));
                let item = item.and_then(|item| item.strip_suffix(','));
                if let Some((item, id)) = item.zip(part.ids.get(index)) {
                    self.push(item, *id);
                }
            }),
        }
    }

    /// Appends the answer to a request for them; `known` is what the client has.
    pub(super) fn answer(&self, known: Option<&str>, out: &mut String) {
        let result = result_id(self.id);
        let unchanged = known == Some(result.as_str());
        out.push_str(if unchanged {
            r#"{"kind":"unchanged","resultId":""#
        } else {
            r#"{"kind":"full","resultId":""#
        });
        out.push_str(&result);
        if unchanged {
            out.push_str(r#""}"#);
        } else {
            out.reserve(self.json.len() + 16);
            out.push_str(r#"","items":["#);
            out.push_str(&self.json);
            out.push_str("]}");
        }
    }

    /// The notification that publishes them.
    pub(super) fn publication(&self, uri: &Uri, version: Option<i32>) -> String {
        let uri = serde_json::to_string(uri).unwrap_or_default();
        let version = version.map(|version| format!(r#""version":{version},"#)).unwrap_or_default();
        format!(
            r#"{{"jsonrpc":"2.0","method":"textDocument/publishDiagnostics","params":{{"uri":{uri},{version}"diagnostics":[{}]}}}}"#,
            self.json
        )
    }
}

/// The answer for a document that isn't open.
pub(super) const NO_ANSWER: &str = r#"{"kind":"full","items":[]}"#;

impl Part {
    fn end(&self, index: usize) -> Option<usize> {
        self.ends.get(index).copied()
    }
}

/// The findings of a part, as they were written or written now.
fn part(
    snapshot: &Snapshot,
    found: &Kept,
    start: usize,
    severities: &Arc<[Option<Severity>]>,
) -> Arc<Part> {
    let client = &snapshot.client;
    let at = convert::position(snapshot, start);
    let (uri, encoding) = (&snapshot.open.uri, client.encoding);
    let flags = [
        client.related_information,
        client.code_description,
        client.diagnostic_tags,
        client.diagnostic_data,
    ];
    let slot = found.memo().get::<Slot>();
    let known = slot.0.lock().clone();
    let same = |part: &Arc<Part>| {
        let key = &part.key;
        key.at == at
            && key.uri == *uri
            && key.client == flags
            && key.encoding == encoding
            && key.severities == *severities
    };
    if let Some(part) = known.filter(same) {
        return part;
    }
    let key = Key { at, severities: severities.clone(), uri: uri.clone(), client: flags, encoding };
    let mut part = Part { key, json: String::new(), ends: Vec::new(), ids: Vec::new(), id: 0 };
    let mut writer = Writer::new(snapshot);
    for (index, mut item) in found.all(start).enumerate() {
        let severity = found.rule(index).and_then(|rule| severities.get(rule).copied().flatten());
        item.severity = severity.unwrap_or(item.severity);
        let before = part.json.len();
        writer.write(&item, &mut part.json);
        let id = part.json.get(before..).map_or(0, id_of);
        part.json.push(',');
        part.ends.push(part.json.len());
        part.ids.push(id);
        part.id = part.id.wrapping_add(id);
    }
    let part = Arc::new(part);
    *slot.0.lock() = Some(Arc::clone(&part));
    part
}
