//! Selection: the sides of a block, the block, what the speaker says, the entry.

use super::Project;
use crate::format::Context;
use crate::format::blocks::check::next_line;
use crate::text::Span;

/// Stretches around `offset` that are worth selecting as one.
pub(super) fn selections(project: &Project, cx: &Context, offset: usize) -> Vec<Span> {
    let mut found = Vec::new();
    if let Some(entry) = project.entry_at(offset) {
        found.push(entry.heading.span.start..entry.body.end);
        found.extend([&entry.human, &entry.assistant].into_iter().flatten().cloned());
    }
    if let Some(file) = project.file_at(offset) {
        found.extend(
            file.fences.iter().flat_map(|fence| [fence.span.clone(), fence.content.clone()]),
        );
    }
    if let Some(placed) = project.block_at(offset).or_else(|| project.path_at(offset)) {
        found.extend([placed.whole(), placed.block.span()]);
        found.extend(placed.own_path().map(|path| path.span.clone()));
        let marks: Vec<Span> =
            placed.written.marks().map(|mark| mark.shifted(placed.start).line).collect();
        for pair in marks.windows(2) {
            if let [before, after] = pair {
                found.push(next_line(cx.source, before.end).min(after.start)..after.start);
            }
        }
    }
    found.retain(|span| span.start <= offset && offset <= span.end && !span.is_empty());
    found
}
