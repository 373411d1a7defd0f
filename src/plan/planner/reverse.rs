//! Reverses blocks: restores a file to its state before them. A block may not show everything that
//! it replaced, so the result is checked: applying the block to it must give exactly the current
//! file.

use std::collections::HashMap;
use std::sync::Arc;

use super::{Operation, Planner, likely, named};
use crate::edit::batch::{Request, apply};
use crate::edit::{self, Block, Lines, Split};
use crate::plan::doubt::Kind;
use crate::plan::{Applied, FileChange, Reason, Refusal, Strategy, path};

/// The block that restores what this one replaced; `None` if the block doesn't show it.
fn reversed(block: &Block) -> Option<Block> {
    let whole = matches!(block.operation, edit::Operation::Edit | edit::Operation::Move(_))
        && block.error.is_none()
        && !block.all;
    // If both sides are equal, only the end of the file changed.
    let told = block
        .splits
        .iter()
        .all(|split| !split.replace.trim().is_empty() && split.search != split.replace);
    let swap = |split: &Split| Split {
        search: split.replace.clone(),
        replace: split.search.clone(),
        ..split.clone()
    };
    let operation = edit::Operation::Edit;
    (whole && told).then(|| Block {
        splits: block.splits.iter().map(swap).collect(),
        anchors: Vec::new(),
        operation,
        ..block.clone()
    })
}

/// The file that a block names, and its new name.
type Names = (Option<String>, Option<String>);

/// The new name that a block gives a file.
fn new_name(block: &Block) -> Option<&str> {
    if let edit::Operation::Move(to) = &block.operation { Some(to) } else { None }
}

/// Whether a block only renames a file.
fn is_bare(block: &Block) -> bool {
    block.splits.iter().all(|split| split.search.is_empty() && split.replace.is_empty())
}

/// The content of a file that a block creates without a SEARCH text.
fn created(block: &Block) -> Option<&str> {
    let nothing = block.splits.iter().all(|split| split.search.is_empty());
    let creates = matches!(block.operation, edit::Operation::Create | edit::Operation::Edit)
        && nothing
        && block.anchors.is_empty()
        && block.hint.is_none_or(|line| line == 0);
    block
        .splits
        .first()
        .filter(|_| creates && block.error.is_none())
        .map(|split| split.replace.as_str())
}

impl Planner<'_> {
    /// Reverses edit blocks, the last one first.
    pub(super) fn take_back_blocks(&mut self, blocks: &[(u64, &Block)]) {
        let strict = self.strict;
        let path = |block: &Block| {
            (named(block, strict).map(str::to_owned), new_name(block).map(str::to_owned))
        };
        let mut files: HashMap<Names, Vec<(u64, &Block)>> = HashMap::new();
        for (number, block) in blocks {
            files.entry(path(block)).or_default().push((*number, block));
        }
        for (_, block) in blocks.iter().rev() {
            let written = path(block);
            match (&written, files.remove(&written).unwrap_or_default()) {
                ((Some(written), Some(to)), own) if !own.is_empty() => {
                    self.take_back_move(written, to, &own)
                }
                ((Some(written), None), own) if !own.is_empty() => {
                    self.take_back_all(written, &own)
                }
                (_, own) => own.iter().for_each(|(number, _)| {
                    self.refuse(*number, None, Reason::MissingPath, Reason::MissingPath.message())
                }),
            }
        }
    }

    /// The blocks of one file.
    fn take_back_all(&mut self, written: &str, blocks: &[(u64, &Block)]) {
        let (applied, refused) = (self.plan.applied.len(), self.plan.refusals.len());
        for (number, block) in blocks.iter().rev() {
            self.take_back(*number, written, &[*block]);
        }
        let new = self.plan.refusals.get(refused..).unwrap_or_default();
        if new.is_empty()
            || new.iter().any(|refusal| refusal.reason != Reason::Edit(edit::Reason::NotFound))
        {
            return;
        }
        // If all of them can be applied in order, the file is still in its state before them.
        let found =
            path::inside(self.world, self.root, written).and_then(|path| self.file(path, written));
        let Some(file) = found
            .ok()
            .and_then(|index| self.files.get(index))
            .filter(|file| file.after == file.before)
        else {
            return;
        };
        let edits: Vec<&Block> = blocks.iter().map(|(_, block)| *block).collect();
        let batch = apply(
            file.after.as_deref(),
            &edits,
            Request { sequential: true, ..Request::default() },
        );
        if batch.results.iter().all(Result::is_ok) {
            self.plan.refusals.truncate(refused);
            self.plan.applied.truncate(applied);
            let already = |(number, _): &(u64, &Block)| Applied {
                block: *number,
                file: written.to_owned(),
                strategy: Strategy::AlreadyApplied,
                line: 0,
                similarity: 1.0,
            };
            self.plan.applied.extend(blocks.iter().map(already));
        }
    }

    /// Gives a file its old name and its old content.
    fn take_back_move(&mut self, written: &str, to: &str, blocks: &[(u64, &Block)]) {
        let mut place = |written: &str| {
            path::inside(self.world, self.root, written).and_then(|path| self.file(path, written))
        };
        let (old, new) = match place(written).and_then(|old| Ok((old, place(to)?))) {
            Ok(places) => places,
            Err(refused) => return self.refuse_all(blocks, written, &refused),
        };
        let text = |index: usize| self.files.get(index).and_then(|file| file.after.clone());
        let (before, now) = (text(old), text(new));
        let edits: Vec<&Block> = blocks.iter().map(|(_, block)| *block).collect();
        let request = Request {
            sequential: true,
            confirmed: self.consent.covers(Kind::Fuzzy),
            ..Request::default()
        };
        let moved = |strategy: Strategy| {
            blocks.iter().map(move |(block, _)| Applied {
                block: *block,
                file: written.to_owned(),
                strategy,
                line: 0,
                similarity: 1.0,
            })
        };
        let now = match (before, now) {
            (None, Some(now)) => now,
            (None, None) => {
                return self.refuse_all(
                    blocks,
                    to,
                    &(Reason::FileMissing, format!("`{to}` doesn't exist; correct the path")),
                );
            }
            (Some(_), Some(_)) => {
                let message = format!(
                    "`{written}` and `{to}` both exist, so it's unknown which content belongs to which name"
                );
                return self.refuse_all(blocks, written, &(Reason::NotReversible, message));
            }
            (Some(before), None) => {
                // If all edits can be made, the file is already in its earlier state.
                if apply(Some(&before), &edits, request).results.iter().all(Result::is_ok) {
                    return self.plan.applied.extend(moved(Strategy::AlreadyApplied));
                }
                return self.refuse_all(
                    blocks,
                    to,
                    &(Reason::FileMissing, format!("`{to}` doesn't exist; correct the path")),
                );
            }
        };
        let changing: Vec<&Block> = edits.iter().copied().filter(|block| !is_bare(block)).collect();
        let backwards: Option<Vec<Block>> =
            changing.iter().rev().map(|block| reversed(block)).collect();
        let text = backwards.and_then(|backwards| {
            let batch = apply(Some(&now), &backwards.iter().collect::<Vec<_>>(), request);
            let text = batch.text.filter(|_| batch.results.iter().all(Result::is_ok))?;
            let again = apply(Some(&text), &changing, request);
            (again.results.iter().all(Result::is_ok) && again.text.as_ref() == Some(&now))
                .then_some(text)
        });
        let Some(text) = text else {
            return self.refuse_all(
                blocks,
                written,
                &(
                    Reason::NotReversible,
                    format!("the content of `{written}` before the move is unknown"),
                ),
            );
        };
        let executable = self.files.get(new).is_some_and(|file| file.executable);
        let numbers: Vec<u64> = blocks.iter().map(|(number, _)| *number).collect();
        let like = self.files.get(new).and_then(FileChange::origin);
        for (index, after) in [(old, Some(text)), (new, None)] {
            if let Some(file) = self.files.get_mut(index) {
                file.like = like.clone().filter(|_| after.is_some());
                file.executable |= executable && after.is_some();
                file.after = after;
                file.blocks.extend(&numbers);
            }
        }
        self.plan.applied.extend(moved(Strategy::Move));
    }

    /// Reverses an action.
    pub(super) fn take_back_action(&mut self, number: u64, written: &str, operation: Operation) {
        match operation {
            Operation::Create(text) => self.take_back_file(number, written, text),
            Operation::Edit(edits) => {
                self.take_back(number, written, &edits.iter().collect::<Vec<_>>())
            }
            Operation::Replace(_) | Operation::Delete => self.untold(number, written),
        }
    }

    /// Deletes a file that still has the content that it was created with.
    fn take_back_file(&mut self, number: u64, written: &str, text: &str) {
        let found =
            path::inside(self.world, self.root, written).and_then(|path| self.file(path, written));
        let file = match found.map(|index| self.files.get_mut(index)) {
            Ok(Some(file)) => file,
            Ok(None) => return,
            Err((reason, message)) => return self.refuse(number, Some(written), reason, message),
        };
        let strategy = match file.after.as_deref() {
            None => Strategy::AlreadyApplied,
            Some(now) if now == text => Strategy::Delete,
            Some(_) => {
                let message = format!("`{written}` was changed after it was created");
                return self.refuse(number, Some(written), Reason::NotReversible, message);
            }
        };
        file.after = None;
        file.blocks.push(number);
        self.plan.applied.push(Applied {
            block: number,
            file: written.to_owned(),
            strategy,
            line: 0,
            similarity: 1.0,
        });
    }

    /// Reverses the edits of one file: all or none.
    fn take_back(&mut self, number: u64, written: &str, blocks: &[&Block]) {
        if let [block] = blocks
            && let Some(text) = created(block)
        {
            return self.take_back_file(number, written, text);
        }
        let Some(backwards) =
            blocks.iter().rev().map(|block| reversed(block)).collect::<Option<Vec<Block>>>()
        else {
            return self.untold(number, written);
        };
        let found =
            path::inside(self.world, self.root, written).and_then(|path| self.file(path, written));
        let file = match found.map(|index| self.files.get_mut(index)) {
            Ok(Some(file)) => file,
            Ok(None) => return,
            Err((reason, message)) => return self.refuse(number, Some(written), reason, message),
        };
        let request = Request {
            sequential: true,
            confirmed: self.consent.covers(Kind::Fuzzy),
            ..Request::default()
        };
        let batch = apply(file.after.as_deref(), &backwards.iter().collect::<Vec<_>>(), request);
        let text = batch.text.as_deref().map(|text| Arc::new(Lines::new(text)));
        let mut done = Vec::new();
        for (result, edit) in batch.results.iter().zip(&backwards) {
            match result {
                Ok(applied) => done.push(applied),
                Err(refused) if refused.is_settled() => {}
                Err(refused) => {
                    let ask = || likely::ask(file, text.as_ref(), edit, request);
                    let refusal = likely::refusal(number, written, edit, refused, ask);
                    let message = refusal.message.replace("SEARCH", "REPLACE");
                    return self.plan.refusals.push(Refusal { message, ..refusal });
                }
            }
        }
        let Some(last) = done.last() else {
            return self.plan.applied.push(Applied {
                block: number,
                file: written.to_owned(),
                strategy: Strategy::AlreadyApplied,
                line: 0,
                similarity: 1.0,
            });
        };
        let again = apply(batch.text.as_deref(), blocks, request);
        if !again.is_complete() || again.text != file.after || batch.text.is_none() {
            return self.untold(number, written);
        }
        let (strategy, line, similarity) = (Strategy::Edit(last.tier), last.line, last.score);
        file.after = batch.text;
        file.blocks.push(number);
        self.plan.applied.push(Applied {
            block: number,
            file: written.to_owned(),
            strategy,
            line,
            similarity,
        });
    }

    fn untold(&mut self, number: u64, written: &str) {
        let message = format!("the content of `{written}` before this block is unknown");
        self.refuse(number, Some(written), Reason::NotReversible, message);
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use crate::edit;
    use crate::plan::{Plan, Planner, Reason};
    use crate::world::{Memory, World};

    fn run(world: &dyn World, reply: &str, backwards: bool) -> Plan {
        let blocks = edit::read(reply);
        let mut planner = Planner::new(world, Path::new("/w")).backwards(backwards);
        planner.take_blocks(&(1..).zip(&blocks).collect::<Vec<_>>());
        planner.finish()
    }

    /// The result of the reply for a file, and the result of reversing it.
    #[track_caller]
    fn there_and_back(before: &str, reply: &str) -> Result<(), Reason> {
        let there = run(&Memory::default().with("/w/a.txt", before), reply, false);
        assert!(there.refusals.is_empty(), "{there:?}");
        let after = there.changes[0].after.clone().unwrap();
        let back = run(&Memory::default().with("/w/a.txt", &after), reply, true);
        if let Some(refusal) = back.refusals.first() {
            assert!(back.changes.is_empty() || back.changes[0].after.as_deref() != Some(before));
            return Err(refusal.reason);
        }
        assert_eq!(back.changes[0].after.as_deref(), Some(before));
        Ok(())
    }

    fn block(search: &str, replace: &str) -> String {
        format!("a.txt\n<<<<<<< SEARCH\n{search}=======\n{replace}>>>>>>> REPLACE\n\n")
    }

    #[test]
    fn edits_are_reversed_byte_for_byte() {
        assert_eq!(there_and_back("one\ntwo\nthree\n", &block("two\n", "zwei\n")), Ok(()));
        assert_eq!(there_and_back("one\r\ntwo\r\nthree", &block("two\n", "zwei\nund\n")), Ok(()));
        assert_eq!(
            there_and_back("    one\n    two\n", &block("one\ntwo\n", "one\nzwei\n")),
            Ok(())
        );
        // The second depends on the first.
        assert_eq!(
            there_and_back("one\ntwo\n", &(block("one\n", "eins\n") + &block("eins\n", "uno\n"))),
            Ok(())
        );
        let diff =
            "```diff\n--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,3 @@\n one\n-two\n+zwei\n three\n```\n";
        assert_eq!(there_and_back("one\ntwo\nthree\n", diff), Ok(()));
    }

    #[test]
    fn missing_content_is_not_invented() {
        // Deleted text has no place.
        assert_eq!(there_and_back("one\ntwo\n", &block("two\n", "")), Err(Reason::NotReversible));
        // The final line break may have existed or not.
        let open = "--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n\\ No newline at end of file\n+two\n";
        assert_eq!(there_and_back("one\ntwo", open), Err(Reason::NotReversible));
        // The new text then occurs twice.
        assert_eq!(
            there_and_back("one\ntwo\nzwei\n", &block("two\n", "zwei\n")),
            Err(Reason::Ambiguous)
        );
    }

    #[test]
    fn a_moved_file_gets_its_name_and_text_back() {
        let reply = "*** Begin Patch\n*** Update File: a.txt\n*** Move to: b/c.txt\n@@\n-one\n+eins\n@@\n-two\n+zwei\n*** End Patch\n";
        let there = run(&Memory::default().with("/w/a.txt", "one\ntwo\n"), reply, false);
        assert_eq!(there.changes[1].after.as_deref(), Some("eins\nzwei\n"));
        let back = run(&Memory::default().with("/w/b/c.txt", "eins\nzwei\n"), reply, true);
        let shown: Vec<_> = back
            .changes
            .iter()
            .map(|change| (change.name.as_str(), change.after.as_deref()))
            .collect();
        assert_eq!(
            (shown, back.refusals.len()),
            (vec![("a.txt", Some("one\ntwo\n")), ("b/c.txt", None)], 0)
        );
        let bare = "diff --git a/a.txt b/c.txt\nsimilarity index 100%\nrename from a.txt\nrename to c.txt\n";
        let back = run(&Memory::default().with("/w/c.txt", "x\n"), bare, true);
        assert_eq!(
            back.changes.iter().map(|change| change.after.as_deref()).collect::<Vec<_>>(),
            [Some("x\n"), None]
        );
        // Already reversed, replaced or changed.
        let again = run(&Memory::default().with("/w/a.txt", "one\ntwo\n"), reply, true);
        assert!(again.changes.is_empty() && again.refusals.is_empty(), "{again:?}");
        let both = run(
            &Memory::default().with("/w/a.txt", "x\n").with("/w/b/c.txt", "eins\nzwei\n"),
            reply,
            true,
        );
        assert_eq!((both.changes.len(), both.refusals[0].reason), (0, Reason::NotReversible));
        let other = run(&Memory::default().with("/w/b/c.txt", "mine\n"), reply, true);
        assert_eq!((other.changes.len(), other.refusals[0].reason), (0, Reason::NotReversible));
    }

    #[test]
    fn unchanged_created_files_are_deleted() {
        let reply = block("", "new\n");
        let back = |text: &str| run(&Memory::default().with("/w/a.txt", text), &reply, true);
        assert_eq!(back("new\n").changes[0].after, None);
        assert_eq!(back("mine\n").refusals[0].reason, Reason::NotReversible);
        assert!(run(&Memory::default().with("/w/b", ""), &reply, true).changes.is_empty());
    }
}
