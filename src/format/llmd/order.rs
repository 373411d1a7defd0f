//! Sorts the sections of a document. The largest ones stay in place: a conversation of a megabyte
//! isn't moved for a changelog of ten lines.

use super::layout::{Layout, SectionKind};
use crate::source::Source;
use crate::text::{Edit, Span};

/// A section with the unknown ones that follow it.
struct Piece {
    rank: SectionKind,
    span: Span,
}

/// More sections are not sorted.
const MOST: usize = 64;
/// Longer ones are not moved.
const LONGEST: usize = 4 << 20;

/// The edits that sort the sections; `None` if they are sorted, or can't be moved.
pub(super) fn sort(layout: &Layout, source: &Source) -> Option<Vec<Edit>> {
    let open = layout.unclosed.is_some()
        || layout.files.iter().flat_map(|file| &file.fences).any(|fence| !fence.closed);
    let mut pieces: Vec<Piece> = Vec::new();
    for section in &layout.sections {
        let span = section.heading.span.start..section.body.end;
        match pieces.last_mut() {
            Some(last) if section.kind == SectionKind::Unknown => last.span.end = span.end,
            _ => pieces.push(Piece { rank: section.kind, span }),
        }
    }
    // Text before the first known section stays first.
    let pieces = if pieces.first().is_some_and(|first| first.rank == SectionKind::Unknown) {
        pieces.split_off(1)
    } else {
        pieces
    };
    if open || pieces.len() > MOST || pieces.is_sorted_by_key(|piece| piece.rank) {
        return None;
    }
    let kept = heaviest(&pieces);
    let eol = source.line_break();
    let mut moved: Vec<usize> = (0..pieces.len()).filter(|index| !kept.contains(index)).collect();
    moved.sort_by_key(|index| pieces.get(*index).map(|piece| piece.rank));
    let end = pieces.last()?.span.end;
    let mut edits: Vec<Edit> = Vec::new();
    for index in moved {
        let piece = pieces.get(index).filter(|piece| piece.span.len() <= LONGEST)?;
        edits.push(Edit::delete(piece.span.clone()));
        let text = source.slice(piece.span.clone());
        let behind =
            kept.iter().filter_map(|kept| pieces.get(*kept)).find(|kept| kept.rank > piece.rank);
        let (at, text) = match behind {
            Some(behind) => (behind.span.start, format!("{}{eol}{eol}", text.trim_end())),
            None => {
                let lead = if source.slice(end.saturating_sub(1)..end) == "\n" {
                    eol.to_owned()
                } else {
                    eol.repeat(2)
                };
                (end, format!("{lead}{}{eol}", text.trim_end()))
            }
        };
        match edits.iter_mut().find(|edit| edit.span == (at..at)) {
            Some(edit) => edit.text.push_str(&text),
            None => edits.push(Edit::insert(at, text)),
        }
    }
    edits.sort_by_key(|edit| (edit.span.start, edit.span.end));
    Some(edits)
}

/// The heaviest increasing sequence of pieces, as indices.
fn heaviest(pieces: &[Piece]) -> Vec<usize> {
    let mut best: Vec<(usize, Vec<usize>)> = Vec::new();
    for (index, piece) in pieces.iter().enumerate() {
        let before = best.iter().filter(|(_, chain)| {
            chain
                .last()
                .and_then(|last| pieces.get(*last))
                .is_some_and(|last| last.rank <= piece.rank)
        });
        let (weight, mut chain) =
            before.max_by_key(|(weight, _)| *weight).cloned().unwrap_or_default();
        chain.push(index);
        best.push((weight + piece.span.len(), chain));
    }
    best.into_iter().max_by_key(|(weight, _)| *weight).map(|(_, chain)| chain).unwrap_or_default()
}
