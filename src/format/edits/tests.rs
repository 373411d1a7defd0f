//! LLMD-1 for bare replies: recognising and reading them, and that an edited reply reads the same
//! as a new one.

use std::fs;
use std::path::{Path, PathBuf};

use super::{FORMAT, Reply};
use crate::config::Config;
use crate::edit::Dialect;
use crate::format::{Format, Model};
use crate::growth;
use crate::source::Source;
use crate::text::Edit;

const BLOCK: &str = "src/a.rs\n<<<<<<< SEARCH\nlet a = 1;\n=======\nlet a = 2;\n>>>>>>> REPLACE\n";

fn is_reply(text: &str) -> bool {
    (FORMAT.recognise)(None, &Source::new(text))
}

fn paths(text: &str) -> Vec<(Option<String>, Dialect)> {
    Reply::read(&Source::new(text))
        .draft
        .resolve(&|_| false)
        .blocks
        .into_iter()
        .map(|block| (block.path.map(|path| path.text), block.dialect))
        .collect()
}

#[test]
fn llmd_01_a_bare_reply_in_any_dialect() {
    let fenced = "Sure.\n\nsrc/a.rs\n```rust\n<<<<<<< SEARCH\nlet a = 1;\n=======\nlet a = 2;\n>>>>>>> REPLACE\n```\n";
    let diff = "Here:\n\n```diff\n--- a/src/a.rs\n+++ b/src/a.rs\n@@ -1 +1 @@\n-let a = 1;\n+let a = 2;\n```\n";
    let patch =
        "*** Begin Patch\n*** Update File: src/a.rs\n@@\n-let a = 1;\n+let a = 2;\n*** End Patch\n";
    let headed = format!("## Changes\n\n### `src/a.rs`\n\n{}", BLOCK.replacen("src/a.rs\n", "", 1));
    let cut_off = "src/a.rs\n<<<<<<< SEARCH\nlet a = 1;\n=======\nlet a";
    for (text, dialect) in [
        (BLOCK, Dialect::SearchReplace),
        (fenced, Dialect::SearchReplace),
        (diff, Dialect::UnifiedDiff),
        (patch, Dialect::ApplyPatch),
        (&*headed, Dialect::SearchReplace),
        (cut_off, Dialect::SearchReplace),
    ] {
        for text in [
            text.to_owned(),
            text.replace('\n', "\r\n"),
            format!("\u{feff}Done.\n\n{text}"),
            format!("日本 🦆\n\n{text}"),
        ] {
            assert!(is_reply(&text), "{text}");
            assert_eq!(paths(&text), [(Some("src/a.rs".to_owned()), dialect)], "{text}");
        }
    }
}

#[test]
fn llmd_01_text_about_blocks_is_not_a_reply() {
    let quoted: String = BLOCK.lines().map(|line| format!("> {line}\n")).collect();
    let longer =
        format!("Write blocks so:\n\n````markdown\nFirst say why.\n\n```rust\n{BLOCK}```\n````\n");
    let told = format!("```\nThis is a block:\n\n{BLOCK}```\n");
    let placeholder = BLOCK.replace("src/a.rs", "path/to/file.rs");
    let sample =
        "file.py\n<<<<<< SEARCH\n[Original code]\n=======\n[Modified code]\n>>>>>> REPLACE\n";
    for text in [
        quoted,
        longer,
        told,
        placeholder,
        sample.to_owned(),
        format!("commit 32c99ef5\nAuthor: 日本 <a@b.c>\nDate: now\n\n    Change a\n\n{BLOCK}"),
        format!("\u{feff}Commit: 32c99ef55ca0\r\nAuthor: a\r\n\r\n{BLOCK}"),
        format!("# How edits are written\n\n{BLOCK}"),
        format!("Intro\n\n# Formats\n\n## Blocks\n\n{BLOCK}"),
        format!("---\nname: x\n---\n\n{BLOCK}"),
        format!("A head is `<<<<<<< SEARCH`, then comes the old text.\n\n{BLOCK}"),
        BLOCK.lines().map(|line| format!("    {line}\n")).collect(),
        "<<<<<<< HEAD\na\n=======\nb\n>>>>>>> main\n".to_owned(),
        "Text.\n\n```diff\n- a\n+ b\n```\n\n--- a\n+++ b\n".to_owned(),
        "Title\n=======\n\n<<<<<<< SEARCH\n".to_owned(),
    ] {
        assert!(!is_reply(&text), "{text}");
    }
}

#[test]
fn llmd_01_comments_in_blocks_are_not_titles() {
    let text = "src/a.py\n<<<<<<< SEARCH\n# one\n=======\n# two\n>>>>>>> REPLACE\n";
    assert!(is_reply(text));
    assert_eq!(paths(text).len(), 1);
}

fn markdown(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir()
            && !path.ends_with("target")
            && !path.ends_with(".git")
            && !path.ends_with("node_modules")
        {
            markdown(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "md") {
            found.push(path);
        }
    }
}

#[test]
fn documentation_is_not_read_as_replies() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    markdown(root, &mut files);
    // Next to the repository, on machines that have them.
    markdown(&root.join("../shared/specs"), &mut files);
    markdown(&root.join("../shared/design"), &mut files);
    assert!(files.len() > 100);
    // Except the replies that tests apply.
    let is_reply = |path: &Path| {
        path.components().any(|part| part.as_os_str() == "edits" || part.as_os_str() == "drive")
    };
    for path in files.iter().filter(|path| !is_reply(path)) {
        let Ok(text) = fs::read_to_string(path) else { continue };
        assert_ne!(
            Format::of(Some(path), &Source::new(&text), &Config::default()).name,
            "edits",
            "{}",
            path.display()
        );
    }
}

#[test]
fn an_edited_reply_reads_the_same_as_a_new_one() {
    let comment =
        "b.py\n```python\n<<<<<<< SEARCH\n# one\nx\n=======\n# two\n>>>>>>> REPLACE\n```\n";
    let whole = format!(
        "Intro\n\n{BLOCK}\n## More\n\n{comment}\n### c.rs\n\n<<<<<<< SEARCH\nc\n=======\nd\n>>>>>>> REPLACE\n\n*** Begin Patch\n*** Delete File: d.rs\n*** End Patch\n"
    );
    let mut random = 1_u64;
    let mut next = |below: usize| {
        random =
            random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(random >> 33).unwrap_or_default() % below.max(1)
    };
    let pieces = [
        "",
        "#",
        "# x\n",
        "<",
        "<<<<<<< SEARCH\n",
        ">>>>>>> REPLACE\n",
        "=======\n",
        "```\n",
        "a.rs\n",
        "*** Begin Patch\n",
        "\n",
        "日",
    ];
    for _ in 0..60 {
        let mut source = Source::new(&whole);
        Reply::read(&source);
        for _ in 0..12 {
            let (a, b) = (next(source.len() + 1), next(12));
            source = source
                .edit(&Edit::replace(a..(a + b).min(source.len()), pieces[next(pieces.len())]));
            let text = source.slice(0..source.len()).into_owned();
            let fresh = Source::new(&text);
            assert_eq!(Reply::read(&source), Reply::read(&fresh), "{text}");
            assert_eq!(
                (FORMAT.recognise)(None, &source),
                (FORMAT.recognise)(None, &fresh),
                "{text}"
            );
        }
    }
}

#[test]
fn findings_and_lenses_agree_on_blocks_in_the_same_file() {
    use crate::format::{Context, Model};
    use crate::plan::choice::Goal;
    use crate::plan::standing::State;
    use crate::rule::Report;
    use crate::world::Memory;

    let block = |search: &str, replace: &str| {
        format!("a.rs\n<<<<<<< SEARCH\n{search}=======\n{replace}>>>>>>> REPLACE\n\n")
    };
    let told = |file: &str, text: &str| {
        let world =
            Memory::default().in_folder("/w").with("/w/a.rs", file).with("/w/reply.md", text);
        let (source, config) = (Source::new(text), Config::default());
        let path = Path::new("/w/reply.md");
        let cx = Context::new(&source, Some(path), &world, &config);
        let reply = Reply::read(&source);
        let mut report = Report::default();
        reply.check(&cx, &mut report);
        let states: Vec<String> = reply
            .standings(&cx, Goal::Workspace)
            .into_iter()
            .map(|standing| match standing.state {
                State::Fits(_) => "fits".to_owned(),
                State::Likely(_) => "likely".to_owned(),
                State::Done => "done".to_owned(),
                State::Refused(refusal) => refusal.reason.name().to_owned(),
            })
            .collect();
        let mut codes: Vec<String> =
            report.diagnostics.iter().map(|found| found.rule.code.to_owned()).collect();
        codes.sort();
        (states.join(" "), codes.join(" "))
    };
    let is = |file: &str, text: &str, states: &str, codes: &str| {
        assert_eq!(told(file, text), (states.to_owned(), codes.to_owned()), "{text}")
    };
    // Two blocks for two places; the same block twice; two that overlap; two dividers; a block
    // whose REPLACE text contains the next one's SEARCH text; blocks that are already applied.
    is("x\ny\nx\n", &[block("x\n", "1\n"), block("x\n", "2\n")].concat(), "fits fits", "");
    is(
        "x\ny\n",
        &[block("x\n", "1\n"), block("x\n", "1\n")].concat(),
        "fits done",
        "edit/already-applied",
    );
    is(
        "a\nb\nc\n",
        &[block("a\nb\n", "1\n"), block("b\nc\n", "2\n")].concat(),
        "fits overlap",
        "edit/search-not-found",
    );
    is(
        "x\ny\n",
        "a.rs\n<<<<<<< SEARCH\nx\n=======\n=======\n1\n>>>>>>> REPLACE\n",
        "likely",
        "edit/ambiguous-divider",
    );
    is("x\ny\n", &[block("y\n", "y\nx\n"), block("x\n", "1\n")].concat(), "fits fits", "");
    is(
        "new\ny\n",
        &[block("old\n", "new\n"), block("what was here before\n", "")].concat(),
        "done done",
        "edit/already-applied edit/already-applied",
    );
}

/// For random replies, the editor shows for every block what `apply` does with it.
#[test]
fn lenses_show_what_apply_does() {
    use crate::format::{Context, Model};
    use crate::plan::choice::Goal;
    use crate::plan::standing::State;
    use crate::plan::{Planner, Strategy};
    use crate::world::Memory;
    use std::collections::BTreeMap;

    let seed = std::env::var("PROPTEST_RNG_SEED")
        .ok()
        .and_then(|seed| seed.parse().ok())
        .unwrap_or(20_261_122_u64);
    let mut random = seed;
    let mut next = |below: usize| {
        random =
            random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(random >> 33).unwrap_or_default() % below.max(1)
    };
    let lines = [
        "let a = 1;\n",
        "let b = 2;\n",
        "let c = 3;\n",
        "    let a = 1;\n",
        "// the end of it all\n",
        "\n",
        "fn main() {\n",
        "}\n",
    ];
    let names = [
        "a.rs",
        "./a.rs",
        "src/b.rs",
        "gone.rs",
        "../x.rs",
        "Update `src/b.rs`:",
        "### a.rs",
        "",
        "a.rs and `src/b.rs`:",
        "sub",
    ];
    for _ in 0..400 {
        let mut text =
            |most: usize| (0..=next(most)).map(|_| lines[next(lines.len())]).collect::<String>();
        let (a, b) = (text(6), text(6));
        let mut reply = String::new();
        for _ in 0..=next(4) {
            let name = names[next(names.len())];
            let mut text = |most: usize| {
                (0..next(most + 1)).map(|_| lines[next(lines.len())]).collect::<String>()
            };
            let (old, new) = (text(2), text(2));
            let piece = match next(9) {
                0..=3 => format!(
                    "{name}\n```rust\n<<<<<<< SEARCH\n{old}=======\n{new}>>>>>>> REPLACE\n```\n\n"
                ),
                4 => format!("{name}\n<<<<<<< SEARCH\n{old}=======\n{new}"),
                5 => format!("{name}\n```rust\n{new}```\n\n"),
                6 => format!(
                    "*** Begin Patch\n*** Update File: a.rs\n@@\n{}{}*** End Patch\n\n",
                    signed(&old, '-'),
                    signed(&new, '+')
                ),
                7 => format!(
                    "<write_to_file>\n<path>src/b.rs</path>\n<content>\n{new}</content>\n</write_to_file>\n\n"
                ),
                _ => format!(
                    "<invoke name=\"Edit\">\n<parameter name=\"file_path\">a.rs</parameter>\n<parameter name=\"old_string\">{}</parameter>\n<parameter name=\"new_string\">{}</parameter>\n</invoke>\n\n",
                    old.trim_end(),
                    new.trim_end()
                ),
            };
            reply.push_str(&piece);
        }
        let world = Memory::default()
            .in_folder("/w")
            .with("/w/a.rs", &a)
            .with("/w/src/b.rs", &b)
            .with("/w/sub/x", "")
            .with("/w/reply.md", &reply);
        let (source, config) = (Source::new(&reply), Config::default());
        let cx = Context::new(&source, Some(Path::new("/w/reply.md")), &world, &config);
        let model = Reply::read(&source);
        let said: BTreeMap<u64, String> = model
            .standings(&cx, Goal::Workspace)
            .into_iter()
            .map(|standing| {
                let state = match standing.state {
                    State::Fits(_) => "fits".to_owned(),
                    State::Likely(_) => "asked".to_owned(),
                    State::Done => "done".to_owned(),
                    State::Refused(refusal)
                        if matches!(
                            refusal.reason.name(),
                            "needs_confirmation" | "split_ambiguous"
                        ) =>
                    {
                        "asked".to_owned()
                    }
                    State::Refused(refusal) => refusal.reason.name().to_owned(),
                };
                (standing.number, state)
            })
            .collect();
        let blocks = model.resolved(&cx).blocks;
        let mut planner = Planner::new(&world, Path::new("/w")).keeping_files(true);
        planner.take_blocks(&(1..).zip(&blocks).collect::<Vec<_>>());
        let plan = planner.finish();
        let mut does: BTreeMap<u64, String> = BTreeMap::new();
        for applied in &plan.applied {
            let what = match applied.strategy {
                Strategy::AlreadyApplied => "done",
                Strategy::NoOp => "no_op",
                _ => "fits",
            };
            does.insert(applied.block, what.to_owned());
        }
        for refusal in &plan.refusals {
            let asked = matches!(refusal.reason.name(), "needs_confirmation" | "split_ambiguous");
            does.insert(
                refusal.block,
                if asked { "asked" } else { refusal.reason.name() }.to_owned(),
            );
        }
        assert_eq!(said, does, "{seed}\n--- a.rs\n{a}--- src/b.rs\n{b}--- reply\n{reply}");
    }
}

fn signed(text: &str, sign: char) -> String {
    text.lines().map(|line| format!("{sign}{line}\n")).collect()
}

#[test]
fn a_reply_has_an_outline_folds_and_colours() {
    use crate::format::{Context, Model};
    use crate::world::Memory;

    let text = "Do it. 🦆\r\n\r\nsrc/a.rs\r\n<<<<<<< SEARCH\r\na\r\nb\r\n=======\r\n# c\r\n>>>>>>> REPLACE\r\n";
    let source = Source::new(text);
    let (world, config) = (Memory::default(), Config::default());
    let cx = Context::new(&source, None, &world, &config);
    let reply = Reply::read(&source);
    let shown = |span: std::ops::Range<usize>| text.get(span).unwrap().to_owned();
    let symbols: Vec<_> = reply
        .symbols(&cx)
        .into_iter()
        .map(|symbol| (symbol.name, shown(symbol.selection)))
        .collect();
    assert_eq!(symbols, [("src/a.rs".to_owned(), "<<<<<<< SEARCH".to_owned())]);
    let folds: Vec<_> = reply.folds(&cx).into_iter().map(|fold| shown(fold.span)).collect();
    assert_eq!(folds.len(), 3, "{folds:?}");
    assert!(
        folds[1].starts_with("<<<<<<< SEARCH")
            && !folds[1].contains("=======")
            && folds[2].contains("# c"),
        "{folds:?}"
    );
    let colours: Vec<_> = reply
        .highlights(&cx, 0..text.len())
        .into_iter()
        .map(|found| (shown(found.span), found.kind))
        .collect();
    let expected = [
        ("src/a.rs", "string"),
        ("<<<<<<< SEARCH", "keyword"),
        ("=======", "keyword"),
        (">>>>>>> REPLACE", "keyword"),
    ];
    assert_eq!(colours, expected.map(|(text, kind)| (text.to_owned(), kind)));
    // A line in a block that looks like a heading isn't one.
    let document = crate::document::Document::new(text, None, &config);
    assert_eq!(crate::ide::symbols::symbols(&document, &cx).len(), 1);
}

#[test]
fn many_blocks_in_fences_are_read_in_time() {
    let fenced = |count: usize| format!("```rust\n{BLOCK}```\n\n").repeat(count);
    let hunks = |count: usize| {
        format!(
            "```\n*** Begin Patch\n*** Update File: a.rs\n{}*** End Patch\n```\n",
            "@@\n-a\n+b\n".repeat(count)
        )
    };
    let heads = |count: usize| "*** Begin Patch\n".repeat(count);
    let cases: [(usize, &dyn Fn(usize) -> String); 3] =
        [(4000, &fenced), (20_000, &hunks), (50_000, &heads)];
    for (size, input) in cases {
        let what = input(1);
        growth::is_linear(
            &what,
            size,
            |count| (count, Source::new(&input(count))),
            |(count, source)| {
                let found = Reply::read(&source).written().count();
                assert!(found >= count || what.starts_with('*'), "{found}");
            },
        );
    }
}

#[test]
fn many_unclosed_blocks_are_checked_in_time() {
    use crate::format::Context;
    use crate::rule::Report;
    use crate::world::Memory;
    let (world, config) = (Memory::default().with("/w/a.py", "x\n"), Config::default());
    for block in [
        "a.py\n<<<<<<< SEARCH\n",
        "a.py\n<<<<<<< SEARCH\nx\n=======\n",
        "<<<<<<< SEARCH\nx\n=======\n",
        "a.py\n<<<<<<< SEARCH\nq\n=======\nr\n",
    ] {
        growth::is_linear(
            block,
            10_000,
            |count| (count, Source::new(&block.repeat(count))),
            |(count, source)| {
                let cx = Context::new(&source, Some(Path::new("/w/reply.md")), &world, &config);
                let mut report = Report::default();
                Reply::read(&source).check(&cx, &mut report);
                assert!(report.diagnostics.len() >= count / 2, "{}", report.diagnostics.len());
            },
        );
    }
}

/// The findings of a reply, each with the text after its first fix.
fn findings(files: &[(&str, &str)], text: &str) -> Vec<(&'static str, String, Option<String>)> {
    use crate::format::Context;
    use crate::rule::Report;
    use crate::world::Memory;

    let mut world = Memory::default().in_folder("/w").with("/w/reply.md", text);
    for (path, content) in files {
        world = world.with(format!("/w/{path}"), content);
    }
    let (source, config) = (Source::new(text), Config::default());
    let cx = Context::new(&source, Some(Path::new("/w/reply.md")), &world, &config);
    let mut report = Report::default();
    Reply::read(&source).check(&cx, &mut report);
    let found = report.diagnostics.iter().map(|found| {
        let fixed = found.fixes.first().map(|fix| crate::text::apply(text, &fix.edits).unwrap());
        (found.rule.code, found.message.clone(), fixed)
    });
    found.collect()
}

fn codes(files: &[(&str, &str)], text: &str) -> Vec<&'static str> {
    findings(files, text).into_iter().map(|(code, ..)| code).collect()
}

const FILES: [(&str, &str); 3] = [("a.py", "one\ntwo\n"), ("b.py", "one\n"), ("e.py", "")];

fn patch(sections: &str) -> String {
    format!("*** Begin Patch\n{sections}*** End Patch\n")
}

fn edit_of(path: &str) -> String {
    format!("\n{path}\n<<<<<<< SEARCH\none\n=======\n1\n>>>>>>> REPLACE\n")
}

#[test]
fn operations_on_whole_files_change_something() {
    for text in [
        patch("*** Delete File: a.py\n"),
        patch("*** Update File: a.py\n*** Move to: c.py\n"),
        patch("*** Add File: n.py\n"),
        patch("*** Update File: a.py\n@@\n-one\n+1\n*** Delete File: b.py\n"),
        "<dyad-rename from=\"a.py\" to=\"c.py\"></dyad-rename>\n".to_owned(),
        "```diff\ndiff --git a/e.py b/e.py\ndeleted file mode 100644\nindex 1..0\n```\n".to_owned(),
    ] {
        assert_eq!(codes(&FILES, &text), Vec::<&str>::new(), "{text}");
    }
}

#[test]
fn blocks_see_the_files_that_earlier_blocks_leave() {
    let moved = patch("*** Update File: a.py\n*** Move to: c.py\n@@\n-two\n+2\n");
    let renamed =
        |from: &str, to: &str| format!("<dyad-rename from=\"{from}\" to=\"{to}\"></dyad-rename>\n");
    let git = "```diff\ndiff --git a/a.py b/c.py\nsimilarity index 100%\nrename from a.py\nrename to c.py\n```\n";
    for text in [
        moved.clone() + &edit_of("c.py"),
        moved.clone() + &edit_of("./c.py"),
        renamed("a.py", "c.py") + &edit_of("c.py"),
        renamed("a.py", "c.py") + &renamed("c.py", "d.py") + &edit_of("d.py"),
        renamed("a.py", "t.py") + &renamed("b.py", "a.py") + &edit_of("a.py") + &edit_of("t.py"),
        git.to_owned() + &edit_of("c.py"),
        // Two hunks of one file.
        patch("*** Update File: a.py\n*** Move to: c.py\n@@\n-one\n+1\n@@\n-two\n+2\n"),
        renamed("a.py", "c.py") + "\n" + &patch("*** Add File: a.py\n+x\n"),
        patch("*** Delete File: b.py\n*** Update File: a.py\n*** Move to: b.py\n")
            + &edit_of("b.py"),
    ] {
        assert_eq!(codes(&FILES, &text), Vec::<&str>::new(), "{text}");
    }
    for (text, code) in [
        (moved.clone() + &edit_of("a.py"), "edit/unknown-file"),
        (patch("*** Delete File: a.py\n") + &edit_of("a.py"), "edit/unknown-file"),
        (moved + &edit_of("c.py").replace("one", "no such line"), "edit/search-not-found"),
        (patch("*** Add File: a.py\n+x\n"), "edit/file-exists"),
        (patch("*** Update File: a.py\n*** Move to: b.py\n"), "edit/file-exists"),
        (
            patch(
                "*** Delete File: b.py\n*** Add File: b.py\n+x\n*** Update File: a.py\n*** Move to: b.py\n",
            ),
            "edit/file-exists",
        ),
    ] {
        assert_eq!(codes(&FILES, &text), [code], "{text}");
    }
}

#[test]
fn what_apply_refuses_is_reported() {
    let block = edit_of("a.py");
    let versions = "\nn.py\n```python\nx=1\ny=1\n```\n\nOr:\n\nn.py\n```python\nx=2\ny=1\n```\n";
    let message =
        serde_json::json!({ "role": "assistant", "content": block, "stop_reason": "max_tokens" });
    for (text, count) in [
        (block.clone() + versions, 2),
        (block.clone() + "\n" + &patch("*** Add File: n.py\nx\n"), 1),
        (block.clone() + "\nDo not write this:\n" + &edit_of("b.py"), 1),
        (message.to_string(), 1),
        (r#"{"command":"insert","path":"a.py","insert_line":9,"insert_text":"x"}"#.to_owned(), 1),
    ] {
        assert_eq!(codes(&FILES, &text), vec!["edit/unreadable"; count], "{text}");
    }
    let nameless = edit_of("a.py").replace("a.py", "Like this.");
    assert_eq!(codes(&FILES, &nameless), ["edit/missing-path"]);
}

#[test]
fn an_end_marker_must_match_its_head() {
    for (head, end, wrong) in [
        ("<<<<<<< ORIGINAL", ">>>>>>> UPDATED", Some(">>>>>>> REPLACE")),
        ("<<<<<<< SEARCH", ">>>>>>> REPLACE", Some(">>>>>>> UPDATED")),
        ("<<<<<< SEARCH", ">>>>>> REPLACE", None),
        ("------- SEARCH", "+++++++ REPLACE", None),
    ] {
        let block = |end: &str| format!("a.py\n{head}\none\n=======\n1\n{end}");
        let open = findings(&FILES, &block(""));
        let [(code, message, fixed)] = open.as_slice() else { panic!("{open:?}") };
        assert_eq!(*code, "edit/unterminated-block");
        assert!(message.ends_with(&format!("`{end}`")), "{message}");
        assert_eq!(fixed.as_deref(), Some(&*block(&format!("{end}\n"))), "{head}");
        let Some(wrong) = wrong else { continue };
        let found = findings(&FILES, &block(wrong));
        let [(code, message, fixed)] = found.as_slice() else { panic!("{found:?}") };
        let word = |line: &str| line.rsplit(' ').next().unwrap().to_owned();
        assert_eq!(*code, "edit/mismatched-end");
        assert!(message.contains(&format!("begins with `{}`", word(head))), "{message}");
        assert_eq!(fixed.as_deref(), Some(&*block(end)));
    }
    let open = findings(&FILES, "*** Begin Patch\n*** Update File: a.py\n@@\n-one\n+1\n");
    assert!(open.iter().all(|(_, message, fixed)| !message.contains("REPLACE") && fixed.is_none()));
}
