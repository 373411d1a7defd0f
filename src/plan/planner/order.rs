//! The order in which the blocks of a reply are planned.

use std::collections::HashMap;

use crate::edit;

/// The blocks, grouped by file. A block that moves a file concerns two files, so it stays in place.
pub(super) fn by_file<'a>(
    blocks: &[(u64, &'a edit::Block)],
    path: &dyn Fn(&edit::Block) -> Option<String>,
    is_move: &dyn Fn(&edit::Block) -> bool,
) -> Vec<(u64, &'a edit::Block)> {
    let mut ordered = Vec::with_capacity(blocks.len());
    for run in blocks.chunk_by(|a, b| !is_move(a.1) && !is_move(b.1)) {
        let mut places: HashMap<Option<String>, usize> = HashMap::new();
        let mut files: Vec<Vec<(u64, &edit::Block)>> = Vec::new();
        // Invalid blocks don't separate the others.
        let is_readable = |numbered: &&(u64, &edit::Block)| numbered.1.error.is_none();
        let readable = run.iter().filter(is_readable).copied();
        for numbered in readable {
            let place = *places.entry(path(numbered.1)).or_insert_with(|| {
                files.push(Vec::new());
                files.len() - 1
            });
            files.get_mut(place).into_iter().for_each(|file| file.push(numbered));
        }
        ordered.extend(
            files
                .into_iter()
                .flatten()
                .chain(run.iter().filter(|numbered| !is_readable(numbered)).copied()),
        );
    }
    ordered
}

/// Puts a file that is deleted before the one that takes its place: its name differs only in case.
pub(super) fn deletes_first(
    blocks: &mut [(u64, &edit::Block)],
    path: &dyn Fn(&edit::Block) -> Option<String>,
) {
    let deletes =
        |block: &edit::Block| block.error.is_none() && block.operation == edit::Operation::Delete;
    if !blocks.iter().any(|(_, block)| deletes(block)) {
        return;
    }
    // The files with each name in lower case, and the number of their blocks.
    let mut names: HashMap<String, HashMap<String, usize>> = HashMap::new();
    for name in blocks.iter().filter_map(|(_, block)| path(block)) {
        *names.entry(name.to_lowercase()).or_default().entry(name).or_default() += 1;
    }
    let first = |block: &edit::Block| {
        let name = path(block).unwrap_or_default();
        let twins = names.get(&name.to_lowercase());
        deletes(block) && twins.is_some_and(|twins| twins.len() > 1 && twins.get(&name) == Some(&1))
    };
    blocks.sort_by_cached_key(|(_, block)| !first(block));
}
