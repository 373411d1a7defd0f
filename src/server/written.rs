//! Findings in the client's form. The JSON of an unchanged part of a document is kept with it, so
//! that a key press writes only the findings that it affects and copies the others.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use parking_lot::Mutex;
use rustc_hash::FxHasher;
use tower_lsp::gen_lsp_types::{Diagnostic, Position, Uri};

use super::convert;
use super::finding::Writer;
use super::message::Message;
use super::session::Snapshot;
use super::workspace_diagnostics::result_id;
use crate::ide::diagnostics::{Piece, Shown, Which};
use crate::rule::Severity;
use crate::rule::kept::Kept;

/// A list of findings as JSON, without its brackets, with an identity for comparison: lists with
/// the same text have the same one.
#[derive(Debug, Default)]
pub(super) struct Written {
    json: Message,
    pub id: u64,
}

/// The findings of a part, written for one client while the part is at one position.
struct Part {
    key: Key,
    json: Arc<str>,
    /// The end of each finding in `json`, after its comma.
    ends: Vec<usize>,
    ids: Vec<u64>,
    /// The sum of `ids`.
    id: u64,
    /// The last choice of some of them, with the sum of their `ids`.
    chosen: Mutex<Option<Chosen>>,
}

type Chosen = (Which, Arc<str>, u64);

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

/// Only the last one: there is one client, and a part has one position.
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
        if self.begin(!item.is_empty(), id_of(item)) {
            self.json.push_str(item);
        }
    }

    fn begin(&mut self, any: bool, id: u64) -> bool {
        if any {
            if !self.json.is_empty() {
                self.json.push_str(",");
            }
            self.id = self.id.wrapping_add(id);
        }
        any
    }

    fn copy(&mut self, part: &Part, which: &Which) {
        if *which == Which::Range(0..part.ends.len()) {
            // Without the last comma.
            let all = 0..part.json.len().saturating_sub(1);
            if self.begin(!all.is_empty(), part.id) {
                self.json.share(&part.json, all);
            }
            return;
        }
        let (json, id) = part.choose(which);
        if self.begin(!json.is_empty(), id) {
            self.json.share(&json, 0..json.len());
        }
    }

    /// Appends the answer to a request for them; `known` is what the client has.
    pub(super) fn answer(self, known: Option<&str>, out: &mut Message) {
        let result = result_id(self.id);
        if known == Some(result.as_str()) {
            out.push_str(&format!(r#"{{"kind":"unchanged","resultId":"{result}"}}"#));
        } else {
            out.push_str(&format!(r#"{{"kind":"full","resultId":"{result}","items":["#));
            out.append(self.json);
            out.push_str("]}");
        }
    }

    /// The notification that publishes them.
    pub(super) fn publication(self, uri: &Uri, version: Option<i32>) -> Message {
        let uri = serde_json::to_string(uri).unwrap_or_default();
        let version = version.map(|version| format!(r#""version":{version},"#)).unwrap_or_default();
        let before = format!(
            r#"{{"jsonrpc":"2.0","method":"textDocument/publishDiagnostics","params":{{"uri":{uri},{version}"diagnostics":["#
        );
        self.json.within(before, "]}}")
    }
}

/// The answer for a document that isn't open.
pub(super) const NO_ANSWER: &str = r#"{"kind":"full","items":[]}"#;

impl Part {
    /// Some of its findings as one text: after most key presses, the same as before.
    fn choose(&self, which: &Which) -> (Arc<str>, u64) {
        let mut chosen = self.chosen.lock();
        if let Some((known, json, id)) = &*chosen
            && known == which
        {
            return (Arc::clone(json), *id);
        }
        let (mut json, mut id) = (String::new(), 0_u64);
        which.for_each(|index| {
            let start = index.checked_sub(1).map_or(Some(0), |before| self.end(before));
            let item = start.zip(self.end(index)).and_then(|(a, b)| self.json.get(a..b));
            if let Some((item, own)) = item.zip(self.ids.get(index)) {
                json.push_str(item);
                id = id.wrapping_add(*own);
            }
        });
        // The last comma.
        json.pop();
        let json: Arc<str> = json.into();
        *chosen = Some((which.clone(), Arc::clone(&json), id));
        (json, id)
    }

    fn end(&self, index: usize) -> Option<usize> {
        self.ends.get(index).copied()
    }
}

/// The findings of a part, from its cache if that is up to date.
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
    let (mut json, mut ends, mut ids) = (String::new(), Vec::new(), Vec::new());
    let mut writer = Writer::new(snapshot);
    for (index, mut item) in found.all(start).enumerate() {
        let severity = found.rule(index).and_then(|rule| severities.get(rule).copied().flatten());
        item.severity = severity.unwrap_or(item.severity);
        let before = json.len();
        writer.write(&item, &mut json);
        ids.push(json.get(before..).map_or(0, id_of));
        json.push(',');
        ends.push(json.len());
    }
    let id = ids.iter().fold(0, |sum: u64, id| sum.wrapping_add(*id));
    let part = Arc::new(Part { key, json: json.into(), ends, ids, id, chosen: Mutex::default() });
    *slot.0.lock() = Some(Arc::clone(&part));
    part
}
