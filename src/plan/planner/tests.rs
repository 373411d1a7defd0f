//! Plans of blocks.

use super::*;
use crate::world::Memory;

fn plan(blocks: &[(&str, Operation)]) -> Plan {
    let world = Memory::default().with("/w/a", "old\n").with("/w/dir/b", "\u{feff}b");
    let mut planner = Planner::new(&world, Path::new("/w"));
    for (number, (written, operation)) in blocks.iter().enumerate() {
        planner.take(number as u64, written, *operation);
    }
    planner.finish()
}

fn changes(plan: &Plan) -> Vec<(&str, Option<&str>, Option<&str>, bool)> {
    plan.changes
        .iter()
        .map(|file| (file.name.as_str(), file.before.as_deref(), file.after.as_deref(), file.risky))
        .collect()
}

#[test]
fn replaced_text_keeps_the_line_endings_of_the_file() {
    for (old, new, expected) in [
        ("a\r\nb\r\n", "x\ny\n", "x\r\ny\r\n"),
        ("a\nb\n", "x\r\ny", "x\ny"),
        ("a\r\nb\n", "x\ny\n", "x\ny\n"),
        ("a\r\n", "x\ny\r\n", "x\ny\r\n"),
        ("a", "x\r\n", "x\r\n"),
        ("a\r\n", "x", "x"),
        ("a\r\n", "x\r\n", "x\r\n"),
    ] {
        assert_eq!(with_breaks_of(old, new), expected, "{old:?} {new:?}");
    }
}

#[test]
fn messages_about_refused_edits_say_what_to_do() {
    use crate::edit::{batch::Refused, lines::Lines, nearest::nearest};
    let near = nearest(
        &Lines::new("import time\nprint(time.time())\n"),
        &Lines::new("import time\nprint(time.tyme())\n"),
    );
    assert!(near.is_some());
    let copy = "copy the lines as they are now in the file";
    for (reason, candidates, nearest, advice) in [
        (edit::Reason::NotFound, vec![], near, copy),
        (edit::Reason::NotFound, vec![], None, copy),
        (edit::Reason::Ambiguous, vec![1, 4], None, "add the lines around the place you mean"),
        (edit::Reason::Overlap, vec![1], None, "combine them into one block"),
        (edit::Reason::WhitespaceOnlySearch, vec![], None, "copy the lines to replace into it"),
        (
            edit::Reason::EmptySearchOnNonemptyFile,
            vec![],
            None,
            "copy the line before the new text",
        ),
        (edit::Reason::FileMissing, vec![], None, "correct the path"),
    ] {
        let refused = Refused { candidates, nearest, ..Refused::because(reason) };
        let message = describe(&refused, "clock.py");
        assert!(message.contains(advice) && message.contains("`clock.py`"), "{message}");
    }
}

/// Messages are only cut off after the difference that the author looks for.
#[test]
fn missing_text_is_reported_with_the_words_that_differ() {
    use crate::edit::{batch::Refused, lines::Lines, nearest::nearest};
    for (file, search, expected) in [
        (
            "import time\nprint(time.time())\n",
            "print(time.tyme())\n",
            "line 2 has `time`, not `tyme`",
        ),
        ("return (a - b) >= every\n", "return (a - b) > every\n", "line 1 has `>=`, not `>`"),
        ("let a = b\n", "let mut a = b\n", "line 1 has `let a`, not `let mut a`"),
        ("let mut a = b\n", "let a = b\n", "line 1 has `let mut a`, not `let a`"),
        ("a, b = b, a  # swap\n", "a, b = b, a\n", "line 1 has `a  # swap`, not `a`"),
        ("ein Größe für alle\n", "ein Größen für alle\n", "line 1 has `Größe`, not `Größen`"),
        (
            "one two\nthree fuor\nfive sxi\n",
            "one two\nthree four\nfive six\n",
            "line 2 has `fuor`, not `four`, and 1 more line differs",
        ),
        (
            "if a:\n    b  = c\nelse:\n",
            "if a:\n  b = c\nelze:\n",
            "line 3 has `else`, not `elze`, and 1 more line differs",
        ),
        ("f(a, b)\n", "f(a,b)\n", "line 1 differs in whitespace"),
        ("one two\nthree four\nfive\n", "one two\nfive\n", "the nearest are lines 1 to 3 (66 %)"),
    ] {
        let near = nearest(&Lines::new(file), &Lines::new(search)).expect(search);
        let refused = Refused { nearest: Some(near), ..Refused::because(edit::Reason::NotFound) };
        let expected = format!(
            "the SEARCH text isn't in `f`: {expected}; copy the lines as they are now in the file"
        );
        assert_eq!(describe(&refused, "f"), expected);
    }
    let same = nearest(&Lines::new("a = 1\nb = 2\n"), &Lines::new("b = 2\n"));
    let refused = Refused { nearest: same, ..Refused::because(edit::Reason::NotFound) };
    assert_eq!(
        describe(&refused, "f"),
        "line 2 of `f` has the text to replace, but isn't below the line that `@@` names; correct that line"
    );
    let (have, want) = (format!("{}a", "x".repeat(80)), format!("{}b", "x".repeat(80)));
    let near = nearest(&Lines::new(&have), &Lines::new(&want)).expect("it is similar");
    let x = "x".repeat(15);
    assert_eq!(near.differences[0].pieces(), Some((format!("…{x}a"), format!("…{x}b"))));
}

#[test]
fn each_block_sees_the_changes_of_earlier_ones() {
    let found = plan(&[
        ("new", Operation::Create("1")),
        ("./new", Operation::Replace("2")),
        ("a", Operation::Delete),
        ("a", Operation::Replace("x")),
    ]);
    assert_eq!(
        changes(&found),
        [("new", None, Some("2"), false), ("a", Some("old\n"), None, true)]
    );
    let refused: Vec<_> =
        found.refusals.iter().map(|refusal| (refusal.block, refusal.reason)).collect();
    assert_eq!(refused, [(3, Reason::FileMissing)]);
    let gone = plan(&[("new", Operation::Create("1")), ("new", Operation::Delete)]);
    assert_eq!((changes(&gone), gone.applied.len()), (vec![], 2));
}

#[test]
fn changes_that_lose_content_are_risky() {
    assert_eq!(
        changes(&plan(&[("a", Operation::Create("new"))])),
        [("a", Some("old\n"), Some("new"), true)]
    );
    assert_eq!(
        changes(&plan(&[("a", Operation::Replace("new"))])),
        [("a", Some("old\n"), Some("new"), false)]
    );
    let same = plan(&[("a", Operation::Create("old\n"))]);
    assert_eq!((changes(&same), same.applied[0].strategy), (vec![], Strategy::AlreadyApplied));
}

#[test]
fn a_file_is_moved_with_its_edits_or_not_at_all() {
    let moved = |reply: &str| {
        let world = Memory::default().with("/w/a", "old\n").with("/w/b", "other\n");
        let mut planner = Planner::new(&world, Path::new("/w"));
        let blocks = edit::read(reply);
        planner.take_blocks(&(1..).zip(&blocks).collect::<Vec<_>>());
        planner.finish()
    };
    let patch = |from: &str, to: &str, old: &str| {
        format!(
            "*** Begin Patch\n*** Update File: {from}\n*** Move to: {to}\n@@\n-{old}\n+new\n*** End Patch\n"
        )
    };
    let found = moved(&patch("a", "dir/c", "old"));
    assert_eq!(
        changes(&found),
        [("a", Some("old\n"), None, false), ("dir/c", None, Some("new\n"), false)]
    );
    assert_eq!(
        changes(&moved(&patch("a", "b", "old")))[1],
        ("b", Some("other\n"), Some("new\n"), true)
    );
    let stays = moved(&patch("a", "dir/c", "gone"));
    assert_eq!((changes(&stays), stays.refusals.len()), (vec![], 1));
    assert_eq!(moved(&patch("gone", "dir/c", "old")).refusals[0].reason, Reason::FileMissing);
    assert_eq!(moved(&patch("a", "../c", "old")).refusals[0].reason, Reason::PathOutsideRoot);
    let bare = moved("diff --git a/a b/c\nsimilarity index 100%\nrename from a\nrename to c\n");
    assert_eq!(
        changes(&bare),
        [("a", Some("old\n"), None, false), ("c", None, Some("old\n"), false)]
    );
    let again = moved(
        "*** Begin Patch\n*** Update File: gone\n*** Move to: b\n@@\n-old\n+other\n*** End Patch\n",
    );
    assert_eq!((changes(&again), again.applied[0].strategy), (vec![], Strategy::AlreadyApplied));
}

#[test]
fn every_block_with_a_path_outside_the_root_is_refused() {
    let world = Memory::default().with("/w/a.rs", "old\n");
    let block = |path: &str, search: &str| {
        format!("{path}\n<<<<<<< SEARCH\n{search}\n=======\nnew\n>>>>>>> REPLACE\n\n")
    };
    let blocks =
        edit::read(&[block("../x", "one"), block("../x", "two"), block("a.rs", "old")].concat());
    let mut planner = Planner::new(&world, Path::new("/w"));
    planner.take_blocks(&(1..).zip(&blocks).collect::<Vec<_>>());
    let plan = planner.finish();
    let refused: Vec<_> =
        plan.refusals.iter().map(|refusal| (refusal.block, refusal.reason)).collect();
    assert_eq!(
        (refused, plan.applied.len()),
        (vec![(1, Reason::PathOutsideRoot), (2, Reason::PathOutsideRoot)], 1)
    );
}

#[cfg(unix)]
#[test]
fn a_file_keeps_one_name_regardless_of_other_attempts() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    std::fs::write(root.join("a"), "old\n").unwrap();
    std::os::unix::fs::symlink("a", root.join("link")).unwrap();
    let world = crate::world::Disk::default();
    let mut planner = Planner::new(&world, root);
    planner.take(1, "a", Operation::Replace("1"));
    for number in 2..5 {
        planner.take(number, "link", Operation::Replace("2"));
    }
    let plan = planner.finish();
    assert_eq!(changes(&plan), [("a", Some("old\n"), Some("1"), false)]);
    assert_eq!(
        plan.refusals.iter().map(|refusal| refusal.reason).collect::<Vec<_>>(),
        [Reason::Ambiguous; 3]
    );
}

#[test]
fn a_byte_order_mark_stays() {
    assert_eq!(
        changes(&plan(&[("dir/b", Operation::Replace("c"))])),
        [("dir/b", Some("\u{feff}b"), Some("\u{feff}c"), false)]
    );
}

#[test]
fn a_file_is_not_a_folder() {
    let found = plan(&[
        ("dir", Operation::Create("")),
        ("x", Operation::Create("")),
        ("x/y", Operation::Create("")),
        ("n/b/c", Operation::Create("")),
        ("n/b", Operation::Create("")),
    ]);
    let refused: Vec<_> =
        found.refusals.iter().map(|refusal| (refusal.block, refusal.reason)).collect();
    assert_eq!(refused, [(0, Reason::NotAFile), (2, Reason::NotAFile), (4, Reason::NotAFile)]);
}

#[test]
fn refusals_explain_missing_files_and_listings() {
    let world = Memory::default().with("/w/a", "old\n");
    let told = |blocks: &[edit::Block]| {
        let mut planner = Planner::new(&world, Path::new("/w"));
        planner.take_blocks(&(1..).zip(blocks).collect::<Vec<_>>());
        planner.finish().refusals.into_iter().map(|refusal| refusal.message).collect::<Vec<_>>()
    };
    let patch = |sections: &str| edit::read(&format!("*** Begin Patch\n{sections}*** End Patch\n"));
    let gone = ["an earlier block deletes or moves `a`; remove one of the two"];
    for first in ["*** Delete File: a\n", "*** Update File: a\n*** Move to: c\n"] {
        for then in ["@@\n-old\n+new\n", "*** Move to: d\n"] {
            assert_eq!(told(&patch(&format!("{first}*** Update File: a\n{then}"))), gone);
        }
    }
    let listing = edit::Block {
        operation: edit::Operation::Listing { extent: edit::Extent::Unsaid },
        path: Some(edit::Path { text: "t.py".to_owned(), span: 0..0, inherited: false }),
        ..edit::Block::of(edit::Dialect::WholeFile, "", "x = '''\n<<<<<<< SEARCH\n'''\n")
    };
    assert_eq!(
        told(&[listing]),
        ["the listing of `t.py` has markers of edits, so it may be edits of other files"]
    );
}
