//! The gate between a plan and the files: takes changes without consent out of the plan, and shows
//! them.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::{Path, PathBuf};

use super::doubt::{self, Ask, Consent, Doubt};
use super::{FileChange, Plan, Reason, Refusal, Strategy};
use crate::world::World;

/// The limit, in bytes, for repeating a diff that another block of the same file already shows.
const MOST_REPEATED: usize = 8 << 20;

/// The conditions that a plan must meet.
pub struct Gate<'a> {
    pub world: &'a dyn World,
    pub root: &'a Path,
    pub consent: &'a Consent,
    /// Files with other hard links aren't written.
    pub refuses_links: bool,
}

impl Gate<'_> {
    /// Takes changes out of the plan that lack consent or can't be made. A block is applied as a
    /// whole, so every change that shares a block with such a change goes too.
    pub fn keep(&self, plan: &mut Plan) {
        let Self { world, root, consent, .. } = *self;
        for change in &mut plan.changes {
            let found = doubt::of(world, root, change);
            change.doubts.extend(found);
            change.doubts.retain(|doubt| !consent.covers(doubt.kind));
        }
        for refusal in &mut plan.refusals {
            // Ask all questions about a file at once.
            let Some((ask, file)) = refusal.ask.as_mut().zip(refusal.file.as_ref()) else {
                continue;
            };
            let path = super::path::inside(world, root, file);
            let more = path
                .map(|path| doubt::of(world, root, &FileChange::new(path, file, None, None)))
                .unwrap_or_default();
            ask.doubts.extend(more.into_iter().filter(|doubt| !consent.covers(doubt.kind)));
        }
        let groups = groups(&plan.changes);
        let moved: HashSet<&PathBuf> =
            plan.changes.iter().filter_map(|change| change.like.as_ref()).collect();
        // One of several hard links can be deleted, since the others keep the content. Moving the
        // file would break the link.
        let linked = |change: &FileChange| {
            let stays =
                change.before.is_some() && (change.after.is_some() || moved.contains(&change.path));
            self.refuses_links && stays && world.protection(&change.path).linked
        };
        let mut stopped: HashMap<usize, Stop> = HashMap::new();
        for (change, group) in plan.changes.iter().zip(&groups) {
            if linked(change) {
                stopped.insert(*group, Stop { linked: true, ..Stop::of(change) });
            } else if !change.doubts.is_empty() {
                stopped
                    .entry(*group)
                    .or_insert_with(|| Stop::of(change))
                    .doubts
                    .extend(&change.doubts);
            }
        }
        if stopped.is_empty() {
            return;
        }
        let (out, kept): (Vec<_>, Vec<_>) = std::mem::take(&mut plan.changes)
            .into_iter()
            .zip(groups)
            .partition(|(_, group)| stopped.contains_key(group));
        plan.changes = kept.into_iter().map(|(change, _)| change).collect();
        let mut blocks: BTreeMap<u64, (usize, String)> = BTreeMap::new();
        let mut room = MOST_REPEATED;
        for (change, group) in &out {
            let diff = change.diff();
            let mut own = change.blocks.clone();
            own.sort_unstable();
            own.dedup();
            for block in own {
                let shown = blocks.entry(block).or_insert((*group, String::new()));
                // The first block of a file shows the diff; the others repeat it up to the limit.
                let first = change.blocks.first() == Some(&block);
                if first || diff.len() <= room {
                    room -= if first { 0 } else { diff.len() };
                    shown.1.push_str(&diff);
                }
            }
        }
        plan.applied.retain(|applied| {
            applied.strategy == Strategy::AlreadyApplied || !blocks.contains_key(&applied.block)
        });
        let refusals = blocks
            .into_iter()
            .filter_map(|(block, (group, diff))| Some(stopped.get(&group)?.refusal(block, diff)));
        plan.refusals.extend(refusals);
    }
}

/// Why a group of changes isn't made.
struct Stop {
    file: String,
    what: String,
    linked: bool,
    doubts: BTreeSet<Doubt>,
}

impl Stop {
    fn of(change: &FileChange) -> Self {
        let whats: Vec<&str> = change.doubts.iter().map(|doubt| doubt.what).collect();
        Self {
            file: change.name.clone(),
            what: whats.join(", and "),
            linked: false,
            doubts: BTreeSet::new(),
        }
    }

    fn refusal(&self, block: u64, diff: String) -> Refusal {
        if self.linked {
            return Refusal::new(block, Some(&self.file), Reason::HardLink, hard_link(&self.file));
        }
        let ask = Ask { doubts: self.doubts.iter().copied().collect(), diff };
        let message = format!("`{}` {}", self.file, self.what);
        Refusal {
            ask: Some(Box::new(ask)),
            ..Refusal::new(block, Some(&self.file), Reason::NeedsConfirmation, message)
        }
    }
}

/// For each change, its group: changes that share a block, directly or through others.
fn groups(changes: &[FileChange]) -> Vec<usize> {
    let mut of_block: HashMap<u64, usize> = HashMap::new();
    let mut parents: Vec<usize> = Vec::new();
    fn top(parents: &[usize], mut group: usize) -> usize {
        while let Some(parent) = parents.get(group).copied().filter(|parent| *parent != group) {
            group = parent;
        }
        group
    }
    for (index, change) in changes.iter().enumerate() {
        parents.push(index);
        for block in &change.blocks {
            let other = *of_block.entry(*block).or_insert(index);
            let (one, other) = (top(&parents, index), top(&parents, other));
            // Point to the first one, which keeps chains short.
            if let Some(parent) = parents.get_mut(one.max(other)) {
                *parent = one.min(other);
            }
        }
    }
    (0..changes.len()).map(|index| top(&parents, index)).collect()
}

/// The message about a file that can't be written because it has other hard links.
pub fn hard_link(name: &str) -> String {
    format!(
        "`{name}` has other hard links, which a write would change or break; replace it with a copy first (`cp`, then `mv`)"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::Memory;

    fn change(name: &str, blocks: &[u64]) -> FileChange {
        FileChange {
            blocks: blocks.to_vec(),
            ..FileChange::new(Path::new("/w").join(name), name, Some("a\n"), Some("b\n"))
        }
    }

    #[test]
    fn changes_that_share_a_block_with_a_doubt_are_removed_too() {
        let world = Memory::default();
        let changes = vec![
            change("a", &[1]),
            change("b", &[2, 3]),
            change("c", &[3, 4]),
            change(".env", &[4]),
            change("e", &[5]),
        ];
        let mut plan = Plan { changes, ..Plan::default() };
        let gate = |consent: Consent, plan: &mut Plan| {
            Gate { world: &world, root: Path::new("/w"), consent: &consent, refuses_links: true }
                .keep(plan);
        };
        let mut allowed = plan.clone();
        gate(Consent::to_all(), &mut allowed);
        assert_eq!((allowed.changes.len(), allowed.refusals.len()), (5, 0));
        gate(Consent::default(), &mut plan);
        assert_eq!(
            plan.changes.iter().map(|change| change.name.as_str()).collect::<Vec<_>>(),
            ["a", "e"]
        );
        let refused: Vec<_> =
            plan.refusals.iter().map(|refusal| (refusal.block, refusal.file.as_deref())).collect();
        assert_eq!(refused, [2, 3, 4].map(|block| (block, Some(".env"))));
        let shown: Vec<_> = plan
            .refusals
            .iter()
            .map(|refusal| refusal.ask.as_ref().map(|ask| ask.diff.matches("diff --git").count()))
            .collect();
        assert_eq!(shown, [Some(1), Some(2), Some(2)]);
    }
}
