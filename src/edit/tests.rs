//! The effect of blocks on a file, and the changes that they must never make.

use proptest::prelude::*;

use super::*;
use crate::edit::batch::Request;
use crate::growth;

mod laws;

/// The result of applying a reply, or why it failed.
fn applied(before: &str, reply: &str) -> Result<String, Vec<Reason>> {
    let blocks = read(reply);
    let batch = apply(Some(before), &blocks.iter().collect::<Vec<_>>(), Request::default());
    let reasons: Vec<Reason> = batch
        .results
        .iter()
        .filter_map(|result| result.as_ref().err())
        .map(|refused| refused.reason)
        .collect();
    if reasons.is_empty() { Ok(batch.text.unwrap()) } else { Err(reasons) }
}

fn block(search: &str, replace: &str) -> String {
    format!("f.md\n<<<<<<< SEARCH\n{search}=======\n{replace}>>>>>>> REPLACE\n")
}

#[track_caller]
fn makes(before: &str, search: &str, replace: &str, after: &str) {
    assert_eq!(applied(before, &block(search, replace)).as_deref(), Ok(after));
}

#[track_caller]
fn refuses(before: &str, search: &str, replace: &str, reason: Reason) {
    assert_eq!(applied(before, &block(search, replace)), Err(vec![reason]));
}

#[test]
fn llmd_12_lines_match_exactly_then_without_trailing_whitespace_then_without_indentation() {
    makes("a\nb\nc\n", "b\n", "B\n", "a\nB\nc\n");
    makes("a  \nb\n", "a\nb\n", "a\nB\n", "a  \nB\n");
    makes(
        "class A:\n    def f():\n        pass\n",
        "def f():\n    pass\n",
        "def f():\n    x\n    y\n",
        "class A:\n    def f():\n        x\n        y\n",
    );
    makes(
        "if a {\n\tb();\n}\n",
        "if a {\n    b();\n}\n",
        "if a {\n    c();\n    b();\n}\n",
        "if a {\n\tc();\n\tb();\n}\n",
    );
}

#[test]
fn llmd_13_text_in_two_places_is_ambiguous() {
    refuses("a\nb\na\n", "a\n", "A\n", Reason::Ambiguous);
    refuses(
        "undefined,\nundefined,\nundefined,\n",
        "undefined,\nundefined,\n",
        "x\n",
        Reason::Ambiguous,
    );
    let twice = block("a\n", "1\n") + &block("a\n", "2\n");
    assert_eq!(applied("a\nb\na\n", &twice).as_deref(), Ok("1\nb\n2\n"));
}

#[test]
fn llmd_14_applied_blocks_are_recognised() {
    refuses("a\nB\nc\n", "b\n", "B\n", Reason::AlreadyApplied);
    refuses("import a\nimport b\n", "import a\n", "import a\nimport b\n", Reason::AlreadyApplied);
    let chain = block("a\n", "b\n") + &block("b\n", "c\n");
    assert_eq!(applied("a\n", &chain).as_deref(), Ok("c\n"));
}

#[test]
fn a_diff_may_change_the_last_line_break_alone() {
    let open = "\\ No newline at end of file\n";
    let adds = format!("--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n one\n-two\n{open}+two\n");
    let takes = format!("--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n one\n-two\n+two\n{open}");
    for (before, diff, after) in [
        ("one\ntwo", &adds, "one\ntwo\n"),
        ("one\r\ntwo", &adds, "one\r\ntwo\r\n"),
        ("one\ntwo\n", &takes, "one\ntwo"),
    ] {
        assert_eq!(applied(before, diff).as_deref(), Ok(after), "{before:?}");
        assert_eq!(applied(after, diff), Err(vec![Reason::AlreadyApplied]), "{after:?}");
    }
}

#[test]
fn lines_that_are_added_without_context_are_added_once() {
    let insert = |line: usize, text: &str| Block {
        hint: Some(line),
        ..Block::of(Dialect::Strings, "", text)
    };
    let at_end = |text: &str| insert(LAST_LINE, text);
    let diff =
        read("--- a/f\n+++ b/f\n@@ -0,0 +1 @@\n+the first line\n@@ -1,0 +3 @@\n+the third line\n");
    for (blocks, after) in [
        (vec![insert(0, "import sys\n")], "import sys\na\nb\n"),
        (vec![insert(1, "import sys\n")], "a\nimport sys\nb\n"),
        (vec![insert(2, "import sys\n")], "a\nb\nimport sys\n"),
        (vec![at_end("the last line\n")], "a\nb\nthe last line\n"),
        (
            vec![insert(0, "import sys\n"), insert(1, "the second line\n")],
            "import sys\na\nthe second line\nb\n",
        ),
        (diff, "the first line\na\nthe third line\nb\n"),
        (read(&patch("@@\n+the last line\n")), "a\nb\nthe last line\n"),
        (read(&patch("@@ a\n+the second line\n")), "a\nthe second line\nb\n"),
    ] {
        let blocks: Vec<&Block> = blocks.iter().collect();
        let once = apply(Some("a\nb\n"), &blocks, Request::default());
        assert_eq!(once.text.as_deref(), Some(after));
        let twice = apply(Some(after), &blocks, Request::default());
        assert_eq!(twice.text.as_deref(), Some(after));
        assert!(twice.is_complete());
    }
    // A line with few letters may be meant to occur twice.
    let end = insert(1, "end\n");
    let batch = apply(Some("a\nend\n"), &[&end], Request::default());
    assert_eq!(batch.text.as_deref(), Some("a\nend\nend\n"));
}

#[test]
fn a_change_in_two_dialects_is_one_change() {
    let diff = |hunk: &str| read(&format!("--- a/f.md\n+++ b/f.md\n{hunk}"));
    let other =
        |search: &str, replace: &str| vec![Block::of(Dialect::SearchReplace, search, replace)];
    let call = |old: &str, new: &str| vec![Block::of(Dialect::Strings, old, new)];
    let both = |before: &str, first: Vec<Block>, second: Vec<Block>| {
        let blocks: Vec<&Block> = first.iter().chain(&second).collect();
        let batch = apply(Some(before), &blocks, Request::default());
        let reasons: Vec<Option<Reason>> =
            batch.results.iter().map(|result| result.as_ref().err().map(|it| it.reason)).collect();
        (reasons, batch.text.unwrap())
    };
    let once = vec![None, Some(Reason::AlreadyApplied)];
    for (before, first, second, after) in [
        (
            "a\nb\nc\n",
            diff("@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n"),
            other("b\nc\n", "B\nc\n"),
            "a\nB\nc\n",
        ),
        (
            "a\r\n値😀\r\nc\r\n",
            diff("@@ -1,3 +1,3 @@\n a\n-値😀\n+値🎉\n c\n"),
            other("a\n値😀\n", "a\n値🎉\n"),
            "a\r\n値🎉\r\nc\r\n",
        ),
        // A part of a line, and the whole of it.
        (
            "a\nthe old way\n",
            call("old", "new"),
            other("the old way\n", "the new way\n"),
            "a\nthe new way\n",
        ),
        (
            "a\nthe old way\n",
            other("the old way\n", "the new way\n"),
            call("old", "new"),
            "a\nthe new way\n",
        ),
        // Added lines that could begin one line earlier.
        (
            "fn a() {\n}\n\nfn c() {\n}\n",
            diff("@@ -1,5 +1,8 @@\n fn a() {\n }\n+\n+fn b() {\n+}\n \n fn c() {\n }\n"),
            other("fn c() {\n", "fn b() {\n}\n\nfn c() {\n"),
            "fn a() {\n}\n\nfn b() {\n}\n\nfn c() {\n}\n",
        ),
    ] {
        assert_eq!(both(before, first, second), (once.clone(), after.to_owned()));
    }
    let first = || diff("@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n");
    let (reasons, _) = both("a\nb\nc\n", first(), other("b\n", "bb\n"));
    assert_eq!(reasons, [None, Some(Reason::Overlap)]);
    let (reasons, _) = both("a\nb\nc\n", first(), other("b\nc\n", "B\nC\n"));
    assert_eq!(reasons, [None, Some(Reason::Overlap)]);
    // The rest of a change is applied.
    let longer = other("b\nc\nd\n", "B\nc\nD\n");
    assert_eq!(
        both("a\nb\nc\nd\n", first(), longer),
        (vec![None, None], "a\nB\nc\nD\n".to_owned())
    );
    // Text that occurs twice is still ambiguous.
    let (reasons, _) =
        both("a\nb\na\n", other("a\n", "A\n"), vec![Block::of(Dialect::Tags, "a\n", "A\n")]);
    assert_eq!(reasons, [Some(Reason::Ambiguous); 2]);
}

fn patch(hunk: &str) -> String {
    format!("*** Begin Patch\n*** Update File: f.py\n{hunk}*** End Patch\n")
}

#[test]
fn a_patch_never_changes_lines_above_its_anchor() {
    let file = "def a():\n    return 1\n\ndef b():\n    return 2\n\ndef c():\n    return 3\n";
    let missing = |hunk: &str| {
        assert_eq!(applied(file, &patch(hunk)), Err(vec![Reason::NotFound]), "{hunk}");
    };
    // The only place is above; the anchor is missing; one of two nested anchors is missing.
    missing("@@ def b():\n-    return 1\n+    return 9\n");
    missing("@@ def d():\n-    return 1\n+    return 9\n");
    missing("@@ class A:\n@@ def a():\n-    return 1\n+    return 9\n");
    missing("@@ def d():\n-    return 1\n+    return 3\n");
    missing("@@ def b():\n-    return 1\n+    return 3\n");
    for (hunk, old, new) in [
        ("@@ def b():\n-    return 2\n+    return 9\n", "return 2", "return 9"),
        // Numbers and dots are hints, and the lines may repeat the anchor.
        ("@@ -4,2 +4,2 @@ def d():\n-    return 2\n+    return 9\n", "return 2", "return 9"),
        ("@@ ... @@\n-    return 2\n+    return 9\n", "return 2", "return 9"),
        ("@@ lines 4-5 @@\n-    return 2\n+    return 9\n", "return 2", "return 9"),
        ("@@ def b():\n def b():\n-    return 2\n+    return 9\n", "return 2", "return 9"),
        ("@@ def b():\n-def b():\n+def b(x):\n     return 2\n", "def b():", "def b(x):"),
        // In another order than the file's.
        (
            "@@ def c():\n-    return 3\n+    return 8\n@@ def b():\n-    return 2\n+    return 9\n",
            "return 2\n\ndef c():\n    return 3",
            "return 9\n\ndef c():\n    return 8",
        ),
    ] {
        let after = file.replace(old, new);
        assert_eq!(applied(file, &patch(hunk)).as_deref(), Ok(after.as_str()), "{hunk}");
        let again = applied(&after, &patch(hunk)).unwrap_err();
        assert!(again.iter().all(|reason| *reason == Reason::AlreadyApplied), "{hunk}");
    }
    // Of several places, the author can choose one.
    assert_eq!(
        applied("x()\ny()\nx()\n", &patch("@@ def d():\n-x()\n+z()\n")),
        Err(vec![Reason::Ambiguous])
    );
    // It was already applied, and the old text also occurs above.
    let after = file.replace("return 2", "return 9").replace("return 1", "return 2");
    assert_eq!(
        applied(&after, &patch("@@ def b():\n-    return 2\n+    return 9\n")),
        Err(vec![Reason::AlreadyApplied])
    );
}

#[test]
fn no_edit_splits_a_line_break() {
    let file = "x = 1\r\ny = 2\r\nz = 3\r\n";
    let made = |file: &str, old: &str, new: &str| {
        let block = Block::of(Dialect::Strings, old, new);
        let batch = apply(Some(file), &[&block], Request::default());
        batch.results[0].as_ref().map_err(|refused| refused.reason)?;
        Ok::<_, Reason>(batch.text.unwrap_or_default())
    };
    for (old, new, after) in [
        ("\ny = 2", "", "x = 1\r\nz = 3\r\n"),
        ("\ny = 2", "\nw = 0\ny = 2", "x = 1\r\nw = 0\r\ny = 2\r\nz = 3\r\n"),
        ("\ny = 2\n", "\n", "x = 1\r\nz = 3\r\n"),
        ("y = 2\n", "", "x = 1\r\nz = 3\r\n"),
        ("y = 2\r\n", "", "x = 1\r\nz = 3\r\n"),
        ("\r\ny = 2", "", "x = 1\r\nz = 3\r\n"),
        ("2\nz = 3", "4", "x = 1\r\ny = 4\r\n"),
    ] {
        assert_eq!(made(file, old, new).as_deref(), Ok(after), "{old:?} {new:?}");
    }
    // The same text with either break is two places.
    assert_eq!(made("a\ny = 2\r\nb\r\ny = 2\r\n", "\ny = 2", ""), Err(Reason::Ambiguous));
    assert_eq!(made("a\ny = 2\r\nz\r\n", "\ny = 2", "").as_deref(), Ok("a\r\nz\r\n"));
    // A block never splits a line break.
    assert!(!made(file, "y = 2\r", "w").is_ok_and(|text| text.contains("w\n")));
}

#[test]
fn llmd_15_empty_sides() {
    assert_eq!(applied("", &block("", "new\n")).as_deref(), Ok("new\n"));
    refuses("a\n", "", "new\n", Reason::EmptySearchOnNonemptyFile);
    refuses("new\r\n", "", "new\n", Reason::AlreadyApplied);
    makes("a\nb\nc\n", "b\n", "", "a\nc\n");
    makes("a\nb", "b\n", "", "a\n");
    refuses("a\n", "a\n", "a\n", Reason::NoOp);
    refuses("a\n\n\n", "\n", "x\n", Reason::WhitespaceOnlySearch);
}

#[test]
fn llmd_11_a_block_without_an_end_swallows_nothing() {
    let reply = format!("f.md\n<<<<<<< SEARCH\nx\n=======\ny\n\n{}", block("a\n", "A\n"));
    let blocks = read(&reply);
    assert_eq!(
        blocks.iter().map(|block| block.error).collect::<Vec<_>>(),
        [Some(Reason::UnterminatedBlock), None]
    );
    assert_eq!(applied("a\n", &reply), Err(vec![Reason::UnterminatedBlock]));
}

#[test]
fn llmd_16_the_file_decides_where_a_block_is_divided() {
    let merged = "<<<<<<< HEAD\nours\n=======\ntheirs\n>>>>>>> branch\n";
    makes(&format!("a\n{merged}z\n"), merged, "both\n", "a\nboth\nz\n");
    makes("# Title\n\ntext\n", "# Title\n", "Title\n=======\n", "Title\n=======\n\ntext\n");
}

#[test]
fn line_breaks_and_the_end_of_the_file_stay() {
    makes("a\r\nb\r\n", "b\n", "B\nC\n", "a\r\nB\r\nC\r\n");
    makes("a\r\nb\nc\r\n", "b\n", "B\n", "a\r\nB\nc\r\n");
    makes("a\nb", "b\n", "b\nc\n", "a\nb\nc");
    makes("\u{feff}a\nb\n", "a\n", "A\n", "\u{feff}A\nb\n");
}

#[test]
fn lines_that_are_not_shown_are_kept_and_never_lost() {
    let file = "fn f() {\n  a();\n  b();\n}\n";
    refuses(
        file,
        "fn f() {\n  a();\n  b();\n}\n",
        "fn f() {\n  // ... existing code ...\n}\n",
        Reason::ElisionInReplace,
    );
    refuses(file, "fn f() {\n  ...\n  b();\n", "fn g() {\n  b();\n", Reason::ElisionUnpaired);
    refuses(
        file,
        "fn f() {\n  ...\n  b();\n",
        "fn g() {\n  ...\n  b();\n",
        Reason::NeedsConfirmation,
    );
}

#[test]
fn a_sibling_does_not_match_for_deleted_lines() {
    let file = "def total(items):\n    result = 0\n    for item in items:\n        result += item.price\n    return result\n";
    let search = "def count(items):\n    result = 0\n    for item in items:\n        result += item.number\n    return result\n";
    refuses(file, search, "def count(items):\n    return len(items)\n", Reason::NotFound);
}

#[test]
fn changed_lines_must_match_exactly() {
    let file = "fn load(path: &str) {\n    let text = read(path);\n    let lines = text.lines();\n    count(lines)\n}\n";
    let blurred = file.replace("let text", "let texts");
    // A typo in a line that stays needs consent; in a line that goes, the block is refused.
    refuses(
        file,
        &blurred,
        &blurred.replace("count(lines)", "lines.count()"),
        Reason::NeedsConfirmation,
    );
    refuses(
        file,
        &blurred,
        &blurred.replace("let texts = read(path);", "let text = load(path);"),
        Reason::NotFound,
    );
}

#[test]
fn the_nearest_lines_are_reported() {
    let (file, search) = (
        Lines::new("a\nthe list of all\nthings that count\nb\n"),
        Lines::new("teh list of all\nthings that count\n"),
    );
    let found = nearest::nearest(&file, &search).unwrap();
    assert_eq!(found.lines, 1..3);
    assert!(found.similarity > 0.8 && found.similarity < 1.0, "{}", found.similarity);
    let difference = &found.differences[0];
    assert_eq!(
        (difference.want.as_deref(), difference.have.as_deref()),
        (Some("teh list of all"), Some("the list of all"))
    );
}

#[test]
fn a_reply_may_have_several_dialects_and_content_is_data() {
    let diff = "--- a/x.rs\n+++ b/x.rs\n@@ -1 +1 @@\n-a\n+b\n";
    let patch = "*** Begin Patch\n*** Update File: y.rs\n@@\n-a\n+b\n*** End Patch\n";
    let dialects = |text: &str| read(text).iter().map(|block| block.dialect).collect::<Vec<_>>();
    let mixed = format!(
        "{}\n{diff}\n```\n<path>z.rs</path>\n<old_text>a</old_text><new_text>b</new_text>\n",
        block("a\n", "b\n")
    );
    assert_eq!(dialects(&mixed), [Dialect::SearchReplace, Dialect::UnifiedDiff, Dialect::Tags]);
    // A document about patches is edited.
    assert_eq!(dialects(&block(patch, diff)), [Dialect::SearchReplace]);
    assert_eq!(
        dialects("{\"path\": \"a\", \"old_str\": \"<<<<<<< SEARCH\\n\", \"new_str\": \"\"}"),
        [Dialect::Strings]
    );
}

#[test]
fn a_diff_with_outdated_context_is_located_by_its_changes() {
    let file = "fn open() {\n    let limit = 10;\n    wait(limit);\n}\n\n// How long to wait.\nconst WAIT: u64 = 30;\n\nfn close() {\n    stop();\n}\n";
    let diff = |hunk: &str| format!("--- a/f.rs\n+++ b/f.rs\n@@ -1,4 +1,4 @@\n{hunk}");
    let asks = |hunk: &str| {
        assert_eq!(applied(file, &diff(hunk)), Err(vec![Reason::NeedsConfirmation]), "{hunk}")
    };
    let refuses =
        |hunk: &str| assert_eq!(applied(file, &diff(hunk)), Err(vec![Reason::NotFound]), "{hunk}");
    asks(
        " // The time to wait.\n-const WAIT: u64 = 30;\n+const WAIT: u64 = 60;\n \n fn close() {\n",
    );
    // Another function doesn't match, and deleted lines must match exactly.
    refuses(" fn shut() {\n-    stop();\n+    halt();\n }\n");
    refuses(
        " // The time to wait.\n-const WAIT: u64 = 20;\n+const WAIT: u64 = 60;\n \n fn close() {\n",
    );
    // New lines need their neighbours.
    refuses(" fn open() {\n     let limit = 10;\n     count(limit);\n+    count(2);\n }\n");
}

#[test]
fn a_call_with_other_line_breaks_needs_consent() {
    let file = "fn main() {\n    let user = fetch(identifier, Options { timeout: 5000 });\n    print(user);\n}\n";
    let search = "    let user = fetch(\n        identifier,\n        Options { timeout: 5000 },\n    );\n    print(user);\n";
    let reply = block(
        search,
        &search.replace("        identifier,\n", "        identifier,\n        token,\n"),
    );
    assert_eq!(applied(file, &reply), Err(vec![Reason::NeedsConfirmation]));
    let blocks = read(&reply);
    let batch = apply(Some(file), &[&blocks[0]], Request { confirmed: true, ..Request::default() });
    let made = "fn main() {\n    let user = fetch(\n        identifier,\n        token,\n        Options { timeout: 5000 },\n    );\n    print(user);\n}\n";
    assert_eq!(batch.text.as_deref(), Some(made));
}

fn line() -> impl Strategy<Value = String> {
    prop::sample::select(vec![
        "a",
        "b",
        "  a",
        "\ta",
        "",
        "}",
        "x = 1",
        "// ...",
        "日本",
        "a \u{301}",
        "=======",
        "# t",
    ])
    .prop_map(str::to_owned)
}

fn text() -> impl Strategy<Value = String> {
    (prop::collection::vec(line(), 0..12), prop::sample::select(vec!["\n", "\r\n"]), any::<bool>())
        .prop_map(|(lines, eol, last)| {
            let mut text = lines.join(eol);
            if last && !text.is_empty() {
                text.push_str(eol);
            }
            text
        })
}

proptest! {
    #[test]
    fn text_before_and_after_the_place_is_kept(before in text(), search in text(), replace in text()) {
        let block = Block::of(Dialect::SearchReplace, search.clone(), replace);
        let batch = apply(Some(&before), &[&block], Request { confirmed: true, ..Request::default() });
        let [result] = batch.results.as_slice() else { unreachable!() };
        let Ok(applied) = result else {
            prop_assert_eq!(batch.text.as_deref(), Some(before.as_str()));
            return Ok(());
        };
        let (target, after) = (Lines::new(&before), batch.text.unwrap_or_default());
        prop_assert!(before.trim().is_empty() || after.starts_with(&before[..target.line(applied.line).start]));
        // At these tiers the place has as many lines as the SEARCH text.
        let end = target.line(applied.line + Lines::new(&search).len()).start;
        if applied.tier <= Tier::InnerBlanks && !before.trim().is_empty() && !search.trim().is_empty() {
            prop_assert!(after.ends_with(&before[end..]), "{:?} {:?}", after, applied);
        }
    }

    #[test]
    fn a_block_cut_from_the_text_is_found_or_doubtful(lines in prop::collection::vec(line(), 1..12), start in 0..12usize, length in 1..5usize) {
        let text = lines.join("\n") + "\n";
        let start = start.min(lines.len() - 1);
        let end = (start + length).min(lines.len());
        let search = lines[start..end].join("\n") + "\n";
        prop_assume!(!search.trim().is_empty());
        let block = Block::of(Dialect::SearchReplace, search, "NEW LINE\n");
        let batch = apply(Some(&text), &[&block], Request::default());
        match &batch.results[0] {
            Ok(applied) => {
                prop_assert_eq!(applied.tier, Tier::Exact);
                let expected = [&lines[..start], &["NEW LINE".to_owned()], &lines[end..]].concat().join("\n") + "\n";
                prop_assert_eq!(batch.text, Some(expected));
            }
            Err(refused) => prop_assert_eq!(refused.reason, Reason::Ambiguous),
        }
    }

    #[test]
    fn reading_never_panics_and_spans_stay_inside(text in "(<{3,8} ?(SEARCH|HEAD)?|={5,8}|>{3,8} ?(REPLACE)?|[a-z.]{0,6}|```|@@|[-+ ]x|\\*\\*\\* (Begin Patch|Update File: a)|\n|\r\n| ){0,40}") {
        for block in read(&text) {
            prop_assert!(text.get(block.span.clone()).is_some());
            prop_assert!(!block.splits.is_empty());
        }
    }
}

#[test]
fn llmd_14_an_applied_chain_is_recognised_as_a_whole() {
    let blocks = read(
        "a.rs\n<<<<<<< SEARCH\none\n=======\ntwo\n>>>>>>> REPLACE\n\na.rs\n<<<<<<< SEARCH\ntwo\n=======\nthree\n>>>>>>> REPLACE\n\na.rs\n<<<<<<< SEARCH\nfour\n=======\nfive\n>>>>>>> REPLACE\n",
    );
    let blocks: Vec<&Block> = blocks.iter().collect();
    let reasons = |text: &str| -> Vec<Option<Reason>> {
        apply(Some(text), &blocks, Request::default())
            .results
            .iter()
            .map(|result| result.as_ref().err().map(|refused| refused.reason))
            .collect()
    };
    assert_eq!(reasons("one\nfour\n"), [None; 3]);
    assert_eq!(reasons("three\nfive\n"), [Some(Reason::AlreadyApplied); 3]);
    assert_eq!(reasons("other\n"), [Some(Reason::NotFound); 3]);
}

/// Many blocks without a match, among others that match: blocks that depend on those are still
/// found.
#[test]
fn dependent_blocks_are_found_after_many_missing_ones() {
    let lines: Vec<String> =
        (0..4000).map(|index| format!("    line_{index}(argument_{});\n", index * 7)).collect();
    let text = lines.concat();
    let of = |search: &str, replace: &str| Block::of(Dialect::SearchReplace, search, replace);
    let mut blocks = Vec::new();
    for index in 0..400 {
        let old = &lines[index * 10];
        // Every other block deletes the line after it.
        let (search, replace) = if index % 2 == 0 {
            (old.clone(), format!("{old}    made_{index}(here);\n"))
        } else {
            (format!("{old}{}", lines[index * 10 + 1]), old.clone())
        };
        blocks.extend([
            of(&search, &replace),
            of(&format!("    nothing_{index}(like_it);\n    at_all_{index}();\n"), "x\n"),
        ]);
    }
    // A part of a line changes; a later block looks for the whole line.
    blocks.extend([
        of("line_5(argument_35)\n", "renewed_5(argument_35)\n"),
        of("nothing_like_it_either();\n", "x\n"),
    ]);
    let resting = [
        of("    renewed_5(argument_35);\n", "    again();\n"),
        of("    made_100(here);\n", "    changed(here);\n"),
        of(&format!("{}{}", lines[10], lines[12]), "    seam();\n"),
        of("made_200(here)\n", "made_200(there)\n"),
    ];
    let all: Vec<&Block> = blocks.iter().chain(&resting).collect();
    // Parts of lines need consent.
    let batch = apply(Some(&text), &all, Request { confirmed: true, ..Request::default() });
    let kinds: Vec<bool> = batch.results.iter().map(Result::is_ok).collect();
    assert!(kinds[..802].chunks(2).all(|pair| pair == [true, false]));
    assert_eq!(kinds[802..], [true; 4], "{:?}", &batch.results[802..]);
    let after = batch.text.unwrap();
    assert!(
        after.contains("    again();\n")
            && after.contains("    changed(here);\n")
            && after.contains("    seam();\n")
            && after.contains("    made_200(there);\n")
    );
}

fn equal_hunks(count: usize, anchored: bool, found: bool) -> (String, Vec<Block>) {
    let text: String =
        (0..count).map(|n| format!("def f{n}():\n    x = 1\n    return x\n\n")).collect();
    let old = if found { "x = 1" } else { "y = 3" };
    let hunks: String = (0..count)
        .map(|n| {
            let anchor = if anchored { format!(" def f{n}():") } else { String::new() };
            format!("@@{anchor}\n-    {old}\n+    x = 2\n     return x\n")
        })
        .collect();
    (text, read(&patch(&hunks)))
}

#[test]
fn equal_hunks_of_a_patch_are_in_the_order_of_the_file() {
    for anchored in [false, true] {
        let (text, blocks) = equal_hunks(5, anchored, true);
        let all: Vec<&Block> = blocks.iter().collect();
        let batch = apply(Some(&text), &all, Request::default());
        assert_eq!(batch.text.as_deref(), Some(text.replace("x = 1", "x = 2").as_str()));
        let again = apply(batch.text.as_deref(), &all, Request::default());
        assert_eq!(again.text, batch.text);
        // With fewer hunks than places, the choice of places is ambiguous.
        let batch = apply(Some(&text), &all[..4], Request::default());
        assert_eq!(batch.is_complete(), anchored);
    }
}

#[test]
fn equal_hunks_are_found_in_linear_time() {
    for (anchored, found) in [(false, true), (true, true), (false, false)] {
        let input = |count: usize| equal_hunks(count, anchored, found);
        growth::is_linear("equal hunks", 1_000, input, |(text, blocks)| {
            let all: Vec<&Block> = blocks.iter().collect();
            let batch = apply(Some(&text), &all, Request::default());
            assert_eq!(batch.is_complete(), found);
        });
        // One place too few.
        let few = |count: usize| {
            let (text, mut blocks) = equal_hunks(count, anchored, found);
            blocks.pop();
            (text, blocks)
        };
        growth::is_linear("too few equal hunks", 1_000, few, |(text, blocks)| {
            apply(Some(&text), &blocks.iter().collect::<Vec<_>>(), Request::default());
        });
    }
}

/// Part of many equal lines, in linear time.
#[test]
fn equal_lines_are_searched_in_linear_time() {
    let input = |lines: usize| {
        let search = "word\n".repeat(lines / 2) + "other\n" + &"word\n".repeat(10);
        ("word\n".repeat(lines), Block::of(Dialect::SearchReplace, search, "x\n"))
    };
    growth::is_linear("equal lines", 60_000, input, |(text, block)| {
        let batch = apply(Some(&text), &[&block], Request::default());
        assert_eq!(
            batch.results[0].as_ref().map_err(|refused| refused.reason),
            Err(Reason::NotFound)
        );
    });
}

#[test]
fn a_rewritten_file_keeps_its_mark_and_its_line_breaks() {
    for operation in [Operation::Write, Operation::Replace, Operation::Create] {
        let made = |text: &str, new: &str| {
            let block = Block { operation: operation.clone(), ..Block::of(Dialect::Tags, "", new) };
            apply(Some(text), &[&block], Request { overwrites: true, ..Request::default() })
                .text
                .unwrap()
        };
        assert_eq!(made("\u{feff}a\nb\n", "c 🦆\n"), "\u{feff}c 🦆\n", "{operation:?}");
        assert_eq!(made("\u{feff}a\n", "\u{feff}c\n"), "\u{feff}c\n", "{operation:?}");
        // Mixed line endings are ambiguous.
        assert_eq!(made("a\r\nb\n", "c\nd\n"), "c\nd\n", "{operation:?}");
        if operation != Operation::Create {
            assert_eq!(made("a\r\nb\r\n", "c\nd\n"), "c\r\nd\r\n", "{operation:?}");
        }
    }
}

#[test]
fn a_file_is_created_once() {
    let create =
        |new: &str| Block { operation: Operation::Create, ..Block::of(Dialect::Tags, "", new) };
    let reasons = |text: Option<&str>, blocks: &[&Block]| -> Vec<Option<Reason>> {
        apply(text, blocks, Request::default())
            .results
            .into_iter()
            .map(|result| result.err().map(|refused| refused.reason))
            .collect()
    };
    let (a, b) = (create("a\n"), create("b\n"));
    assert_eq!(reasons(None, &[&a]), [None]);
    assert_eq!(
        reasons(Some("a\n"), &[&a, &b]),
        [Some(Reason::AlreadyApplied), Some(Reason::FileExists)]
    );
    // An empty file has nothing to lose, and a reply may replace a file that it created.
    assert_eq!(reasons(Some(" \n"), &[&a]), [None]);
    assert_eq!(reasons(None, &[&a, &b]), [None, None]);
}
