//! `textDocument/semanticTokens`: of a range, of the whole document, and the changes to them. The
//! tokens of an unchanged part of a document are kept with it.

use std::collections::HashMap;
use std::sync::Arc;

use parking_lot::Mutex;
use tower_lsp::gen_lsp_types::{Range, TextDocumentIdentifier};

use super::direct::Asked;
use super::json;
use super::places::Places;
use super::pool::Cancellation;
use super::session::Snapshot;
use super::uri::Key;
use crate::answer::Highlight;
use crate::format::Context;
use crate::ide::semantic_tokens::{self, MOST, Own};
use crate::markdown::highlight::TOKEN_TYPES;
use crate::source::Stretch;
use crate::text::Encoding;

/// A token as the protocol counts it, without modifiers: lines and characters after the one before,
/// length, type.
type Token = [u32; 4];

/// The tokens of a part of a document; the first is relative to the part's start.
#[derive(Debug)]
struct Piece {
    own: Own,
    encoding: Encoding,
    tokens: Vec<Token>,
    /// The line of the last token, from the part's first one.
    last: u32,
}

/// A part with its first line.
type Part = (u32, Arc<Piece>);

/// Only the last one: there is one client.
#[derive(Default)]
struct Slot(Mutex<Option<Arc<Piece>>>);

/// The tokens of a document, and their result ID.
#[derive(Debug, Default)]
struct Answered {
    id: u64,
    pieces: Vec<Part>,
}

/// The last tokens sent for each document.
#[derive(Debug, Default)]
pub(super) struct Sent(Mutex<HashMap<Key, Answered>>);

impl Sent {
    pub(super) fn forget(&self, key: &Key) {
        self.0.lock().remove(key);
    }
}

/// Answers with all tokens, or with the changes since the result `previous`.
pub(super) fn ask(asked: &Asked, document: &TextDocumentIdentifier, previous: Option<String>) {
    let sent = Arc::clone(&asked.backend.tokens);
    asked.of(document, move |snapshot, cancellation, out| {
        let pieces = pieces(snapshot, cancellation);
        if cancellation.is_cancelled() {
            return out.push_str("null");
        }
        let mut sent = sent.0.lock();
        let old = sent.remove(&snapshot.open.key).unwrap_or_default();
        let new = Answered { id: old.id + 1, pieces };
        out.push_str(r#"{"resultId":""#);
        out.push_str(itoa::Buffer::new().format(new.id));
        out.push('"');
        if previous.is_some_and(|previous| previous == old.id.to_string()) {
            out.push_str(r#","edits":["#);
            write_edit(&old.pieces, &new.pieces, out);
        } else {
            out.push_str(r#","data":["#);
            write_all(&after(0, &new.pieces), out);
        }
        out.push_str("]}");
        sent.insert(snapshot.open.key.clone(), new);
    });
}

/// The tokens that touch a range.
pub(super) fn write_range(
    snapshot: &Snapshot,
    cancellation: &Cancellation,
    range: Range,
    out: &mut String,
) {
    let span = snapshot.span(range);
    let found = snapshot.with(&|| cancellation.is_cancelled(), |document, cx| {
        semantic_tokens::highlights(document, cx, span)
    });
    let (tokens, _) = encode(snapshot, &found, 0);
    out.push_str(r#"{"data":["#);
    write_all(&tokens, out);
    out.push_str("]}");
}

/// The tokens of the whole document, the first [`MOST`].
fn pieces(snapshot: &Snapshot, cancellation: &Cancellation) -> Vec<Part> {
    snapshot.with(&|| cancellation.is_cancelled(), |document, cx| {
        let mut found = Vec::new();
        let mut left = MOST;
        let own = semantic_tokens::own_of_stretches(document, cx);
        for (stretch, own) in cx.source.stretches().zip(own) {
            if cancellation.is_cancelled() || left == 0 {
                break;
            }
            let line = cx.source.line_at(stretch.start).number as u32;
            let mut piece = piece(snapshot, cx, stretch, own, line);
            if piece.tokens.len() > left {
                let tokens = piece.tokens.iter().take(left).copied().collect();
                let (encoding, last) = (piece.encoding, piece.last);
                piece = Arc::new(Piece { own: Own::default(), encoding, tokens, last });
            }
            left -= piece.tokens.len();
            found.push((line, piece));
        }
        found
    })
}

/// The tokens of a part, from its cache if that is up to date.
fn piece(snapshot: &Snapshot, cx: &Context, stretch: Stretch, own: Own, line: u32) -> Arc<Piece> {
    let encoding = snapshot.encoding();
    let slot = stretch.memo().get::<Slot>();
    let known = slot.0.lock().clone();
    if let Some(piece) = known.filter(|piece| piece.own == own && piece.encoding == encoding) {
        return piece;
    }
    let found = semantic_tokens::of_stretch(cx, stretch, own.clone());
    let (tokens, last) = encode(snapshot, &found, line);
    let piece = Arc::new(Piece { own, encoding, tokens, last });
    if !(cx.cancelled)() {
        *slot.0.lock() = Some(Arc::clone(&piece));
    }
    piece
}

/// Highlights as tokens, the first relative to line `line`; also the line of the last, from there.
fn encode(snapshot: &Snapshot, highlights: &[Highlight], line: u32) -> (Vec<Token>, u32) {
    let mut places = Places::new(snapshot.source(), snapshot.encoding());
    let mut tokens = Vec::with_capacity(highlights.len());
    let first = line;
    let (mut line, mut column) = (line, 0);
    for highlight in highlights {
        let (start, end) =
            (places.position(highlight.span.start), places.position(highlight.span.end));
        let kind = TOKEN_TYPES.iter().position(|kind| *kind == highlight.kind);
        let Some(kind) = kind.and_then(|kind| u32::try_from(kind).ok()) else { continue };
        let same = start.line == line;
        if end.line != start.line || end.column <= start.column || same && start.column < column {
            continue;
        }
        let after = if same { start.column - column } else { start.column };
        tokens.push([start.line - line, after, end.column - start.column, kind]);
        (line, column) = (start.line, start.column);
    }
    (tokens, line - first)
}

/// The tokens of consecutive parts; the one before them is on line `line`.
fn after(mut line: u32, pieces: &[Part]) -> Vec<Token> {
    let count = pieces.iter().map(|(_, piece)| piece.tokens.len()).sum();
    let mut found = Vec::with_capacity(count);
    for (start, piece) in pieces {
        if let Some(([lines, column, length, kind], tokens)) = piece.tokens.split_first() {
            found.push([start + lines - line, *column, *length, *kind]);
            found.extend_from_slice(tokens);
            line = start + piece.last;
        }
    }
    found
}

fn write_all(tokens: &[Token], out: &mut String) {
    out.reserve(tokens.len() * 10);
    json::separated(tokens, out, |token, out| {
        for number in token {
            json::number(*number, out);
            out.push(',');
        }
        out.push('0');
    });
}

/// Writes the range in which two answers differ, in whole tokens, if they do.
fn write_edit(old: &[Part], new: &[Part], out: &mut String) {
    let same = |(a, b): &(&Part, &Part)| Arc::ptr_eq(&a.1, &b.1);
    let before = old.iter().zip(new).take_while(|pair| pair.0.0 == pair.1.0 && same(pair)).count();
    let (shared, old, new) = (
        old.get(..before).unwrap_or_default(),
        old.get(before..).unwrap_or_default(),
        new.get(before..).unwrap_or_default(),
    );
    let mut behind = old.iter().rev().zip(new.iter().rev()).take_while(same).count();
    // The first token after the change is relative to the one before it, which may have moved.
    while behind > 0 {
        behind -= 1;
        if old.get(old.len() - behind - 1).is_some_and(|(_, piece)| !piece.tokens.is_empty()) {
            break;
        }
    }
    let line = shared.iter().rev().find(|(_, piece)| !piece.tokens.is_empty());
    let line = line.map_or(0, |(start, piece)| start + piece.last);
    let old = after(line, old.get(..old.len() - behind).unwrap_or_default());
    let new = after(line, new.get(..new.len() - behind).unwrap_or_default());
    if old == new {
        return;
    }
    let start = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let rest = old.len().min(new.len()) - start;
    let (olds, news) = (old.iter().rev(), new.iter().rev());
    let end = olds.zip(news).take(rest).take_while(|(a, b)| a == b).count();
    let first: usize = shared.iter().map(|(_, piece)| piece.tokens.len()).sum();
    let count = |tokens: usize| u32::try_from(tokens * 5).unwrap_or(u32::MAX);
    out.push_str(r#"{"start":"#);
    json::number(count(first + start), out);
    out.push_str(r#","deleteCount":"#);
    json::number(count(old.len() - end - start), out);
    out.push_str(r#","data":["#);
    write_all(new.get(start..new.len() - end).unwrap_or_default(), out);
    out.push_str("]}");
}
