//! Findings in documents, statement by statement.

use std::path::Path;

use super::{CODE, HEAD, LOG, MISSION, document};
use crate::config::Config;
use crate::document::Document;
use crate::format::Context;
use crate::ide;
use crate::rule::{Diagnostic, Severity};
use crate::text::apply;
use crate::world::Memory;

const PATH: &str = "/w/docs/project.llmd";

fn world() -> Memory {
    Memory::default()
        .with("/w/src/lib.py", "def f():\n    return 1\n\n\ndef g():\n    return 1\n")
        .with("/w/docs/meta.md", "")
        .in_folder("/w")
}

fn check(text: &str, world: &Memory) -> Vec<Diagnostic> {
    let config = Config::default();
    let document = Document::new(text, Some(Path::new(PATH)), &config);
    ide::diagnostics::diagnostics(
        &document,
        &Context::new(document.source(), Some(Path::new(PATH)), world, &config),
    )
}

fn codes(text: &str) -> Vec<&'static str> {
    check(text, &world()).iter().map(|finding| finding.rule.code).collect()
}

/// The only finding in the text.
#[track_caller]
fn one(text: &str, code: &str) -> Diagnostic {
    let mut found = check(text, &world());
    assert_eq!(
        found.iter().map(|finding| finding.rule.code).collect::<Vec<_>>(),
        [code],
        "{found:#?}\n{text}"
    );
    found.remove(0)
}

/// The text after the first fix of its only finding.
#[track_caller]
fn mended(text: &str, code: &str) -> String {
    for eol in ["\r\n", "\n"] {
        let text = text.replace('\n', eol);
        let finding = one(&text, code);
        let fix = finding.fixes.first().unwrap_or_else(|| panic!("{code} has no fix"));
        let mended = apply(&text, &fix.edits).unwrap();
        assert_eq!(codes(&mended), [""; 0], "{mended}");
        assert_eq!(
            mended.matches("\r\n").count() * (eol.len() - 1),
            mended.matches('\n').count() * (eol.len() - 1),
            "{mended:?}"
        );
        if eol == "\n" {
            return mended;
        }
    }
    String::new()
}

fn swap(text: &str, old: &str, new: &str) -> String {
    assert!(text.contains(old), "{old:?}");
    text.replacen(old, new, 1)
}

#[test]
fn llmd_06_entries_begin_with_their_heading() {
    let code = "llmd/entry-heading";
    let answer = "**Human:** x\n\n**Assistant:** y\n";
    for heading in ["#### Entry 2", "## Entry 2", "### entry 2", " ### Entry 2", "###Entry 2: 日本"]
    {
        let fixed = mended(&document(&format!("{heading}\n\n{answer}")), code);
        assert!(fixed.contains("\n### Entry 2\n"), "{fixed}");
    }
    let fixed = mended(&document(answer), code);
    assert!(fixed.contains("### Entry 2\n\n**Human:** x"), "{fixed}");
    let fixed = mended(&HEAD.replace("### Entry 1\n\n", ""), code);
    assert_eq!(fixed.replace('\r', ""), HEAD);
}

#[test]
fn llmd_06_a_user_in_the_answer_isnt_read_as_a_speaker() {
    let code = "llmd/entry-heading";
    for name in ["**User:**", "**user**:", "**You:**", "**Human**:"] {
        let text = document(&format!("{name} like this\n\n{CODE}"));
        let found = check(&text, &world());
        let found = found.iter().find(|found| found.rule.code == code).unwrap();
        let fixed = apply(&text, &found.fixes[0].edits).unwrap();
        assert_eq!(codes(&fixed).iter().filter(|found| **found == code).count(), 0);
        assert!(fixed.contains("### Entry 2\n\n**Human:** like this"), "{fixed}");
    }
    // Nothing depends on it, or it's content.
    for content in [
        "**User:** who signs in\n".to_owned(),
        format!("```\n**User:** x\n```\n\n{CODE}"),
        format!("- **User:** x\n\n{CODE}"),
        format!("**Users:** x\n\n{CODE}"),
    ] {
        assert_eq!(codes(&document(&content)), [""; 0], "{content}");
    }
}

/// In a fence or a block, it's content.
#[test]
fn llmd_06_a_speaker_in_content_isnt_misspelled() {
    for content in [
        "```\n**Assistant:** Here.\n```\n",
        "app.py\n<<<<<< SEARCH\n**Assistant:** Here.\n=======\nx\n>>>>>> REPLACE\n",
    ] {
        let text = HEAD.replace("**Assistant:** ok", content)
            + "### Entry 2\n\n**Human:** more\n\n**Assistant:** ok\n";
        let found = check(&text, &world());
        let found = found.iter().find(|found| found.rule.code == "llmd/missing-assistant").unwrap();
        assert!(found.message.starts_with("entry without an answer"), "{}", found.message);
    }
}

#[test]
fn a_document_without_mistakes_is_silent() {
    assert_eq!(codes(HEAD), [""; 0]);
    assert_eq!(codes(&document(&format!("{CODE}\n{MISSION}\n{LOG}"))), [""; 0]);
    assert_eq!(
        codes(&document(&format!("{CODE}\n{MISSION}\n{LOG}")).replace('\n', "\r\n")),
        [""; 0]
    );
    assert_eq!(codes(&format!("\u{feff}{}", document(CODE))), [""; 0]);
}

#[test]
fn llmd_02_the_first_line_names_the_project() {
    assert_eq!(
        one(&swap(HEAD, "# Project: T\n\n", ""), "llmd/missing-title").severity,
        Severity::Error
    );
    assert_eq!(
        one(&swap(HEAD, "# Project: T", "# Project:"), "llmd/missing-title").severity,
        Severity::Error
    );
    assert!(
        mended(&swap(HEAD, "# Project: T", "# project - T"), "llmd/missing-title")
            .starts_with("# Project: T\n")
    );
    assert_eq!(one(&format!("Words.\n\n{HEAD}"), "llmd/late-title").severity, Severity::Warning);
    assert!(
        mended(&format!("Words.\n\n{HEAD}"), "llmd/late-title")
            .starts_with("# Project: T\n\nWords.\n")
    );
    assert_eq!(codes(&format!("\u{feff}\n\n{HEAD}")), [""; 0]);
    let empty = apply("", &one("", "llmd/missing-title").fixes[0].edits).unwrap();
    assert_eq!(codes(&empty), [""; 0]);
    assert_eq!(empty.lines().filter(|line| line.starts_with('#')).count(), 7);
}

#[test]
fn llmd_03_missing_sections() {
    for (from, to) in
        [("## Meta", "## Mission"), ("## Mission", "## Code"), ("## Changelog", "## Conv")]
    {
        let (start, end) = (HEAD.find(from).unwrap(), HEAD.find(to).unwrap());
        let text = format!("{}{}", &HEAD[..start], &HEAD[end..]);
        let whole = mended(&text, "llmd/missing-section");
        assert!(whole.find(from) < whole.find(to), "{whole}");
    }
    let text = HEAD.split("## Conversation").next().unwrap();
    assert!(mended(text, "llmd/missing-section").contains("### Entry 1"));
}

#[test]
fn llmd_03_meta_may_be_included() {
    let (start, end) = (HEAD.find("## Meta").unwrap(), HEAD.find("## Mission").unwrap());
    let with = |include: &str| format!("{}{include}\n\n{}", &HEAD[..start], &HEAD[end..]);
    assert_eq!(codes(&with("{% include 'meta.md' %}")), [""; 0]);
    assert_eq!(codes(&with("{% include \"../docs/meta.md\" %}")), [""; 0]);
    assert_eq!(
        mended(&with("{% include 'mta.md' %}"), "llmd/include-not-found"),
        with("{% include 'meta.md' %}")
    );
}

#[test]
fn llmd_03_sections_out_of_order_duplicate_or_unknown() {
    let changelog = "## Changelog\n\n- Created\n\n";
    let late = format!("{}\n{changelog}", swap(HEAD, changelog, ""));
    assert_eq!(mended(&late, "llmd/section-order").trim_end(), HEAD.trim_end());
    let early = swap(&swap(HEAD, changelog, ""), "## Mission", &format!("{changelog}## Mission"));
    assert_eq!(mended(&early, "llmd/section-order"), HEAD);
    let twice = swap(HEAD, "## Code Context", "## Mission\n\nBe quick.\n\n## Code Context");
    assert!(mended(&twice, "llmd/duplicate-section").contains("Be small.\n\nBe quick."));
    assert_eq!(
        one(&swap(HEAD, "## Mission", "## Notes\n\nNone.\n\n## Mission"), "llmd/unknown-section")
            .severity,
        Severity::Info
    );
    assert_eq!(mended(&swap(HEAD, "## Mission", "## Misson"), "llmd/unknown-section"), HEAD);
}

#[test]
fn llmd_04_headings_of_an_answer_are_content() {
    assert_eq!(
        codes(&document("## Mission\n\nWords.\n\n## Steps\n\n### One\n\n# Project: other\n")),
        [""; 0]
    );
    assert_eq!(codes(&document("```\n## Mission\n### Entry 7\n```\n")), [""; 0]);
    assert_eq!(
        codes(&document(&swap(CODE, "x = 2", "## Mission\n```\n### Entry 9\n**Human:** no"))),
        [""; 0]
    );
}

#[test]
fn llmd_05_a_file_of_the_context_is_one_fence() {
    assert!(
        mended(&swap(HEAD, "```python\nx = 1\n```\n", ""), "llmd/file-fence")
            .contains("### app.py\n\n```\n```\n")
    );
    assert!(
        mended(&swap(HEAD, "```python\nx = 1\n```\n", "x = 1\n"), "llmd/file-fence")
            .contains("```\nx = 1\n```\n")
    );
    let two = swap(HEAD, "x = 1\n```\n", "x = 1\n```\n\n```python\ny = 1\n```\n");
    assert!(
        mended(&two, "llmd/file-fence")
            .contains("````python\nx = 1\n```\n\n```python\ny = 1\n````\n")
    );
    let again = swap(HEAD, "## Changelog", "### `app.py`\n\n```\n```\n\n## Changelog");
    assert_eq!(one(&again, "llmd/duplicate-file").related.len(), 1);
    assert_eq!(mended(&swap(HEAD, "x = 1\n```\n", "x = 1\n"), "llmd/unclosed-fence"), HEAD);
    let torn = swap(HEAD, "x = 1\n", "Run:\n\n```sh\nx\n```\n\nDone.\n");
    assert!(
        mended(&torn, "llmd/unclosed-fence")
            .contains("````python\nRun:\n\n```sh\nx\n```\n\nDone.\n````\n")
    );
}

#[test]
fn llmd_06_entries_are_numbered_and_both_speak() {
    let second = "### Entry 2\n\n**Human:** more\n\n**Assistant:** no\n\n";
    let text = |name: &str| {
        format!(
            "{}{}### Entry 3\n\n**Human:** last\n",
            document(""),
            second.replace("Entry 2", name)
        )
    };
    assert_eq!(codes(&text("Entry 2")), [""; 0]);
    for name in ["Entry two", "Entry 1.5", "Entry 2-3", "Entry 1.2.3"] {
        assert_eq!(mended(&text(name), "llmd/entry-number"), text("Entry 2"), "{name}");
    }
    let all = text("Entry 2").replace("Entry 3", "Entry 9");
    assert_eq!(mended(&all, "llmd/entry-number"), text("Entry 2"));
    for written in ["**Human**:", "Human:", "**human:**", "### User:", "__Human:__"] {
        assert_eq!(
            mended(&swap(&document(""), "**Human:**", written), "llmd/missing-human"),
            document(""),
            "{written}"
        );
    }
    assert_eq!(
        one(&swap(&document(""), "**Human:** do it\n\n", ""), "llmd/missing-human").severity,
        Severity::Error
    );
    assert_eq!(
        mended(
            &swap(&text("Entry 2"), "**Assistant:** no", "Assistant: no"),
            "llmd/missing-assistant"
        ),
        text("Entry 2")
    );
    mended(&swap(&text("Entry 2"), "**Assistant:** no\n\n", ""), "llmd/missing-assistant");
    let turned = swap(
        &document(""),
        "**Human:** do it\n\n**Assistant:** ok",
        "**Assistant:** ok\n\n**Human:** do it",
    );
    one(&turned, "llmd/missing-human");
}

#[test]
fn llmd_07_markers_of_other_lengths_and_places() {
    for (head, divider, end) in [(7, 7, 7), (5, 7, 5), (6, 5, 6), (9, 9, 9)] {
        let block = format!(
            "app.py\n{} SEARCH\nx = 1\n{}\nx = 2\n{} REPLACE\n",
            "<".repeat(head),
            "=".repeat(divider),
            ">".repeat(end)
        );
        assert_eq!(mended(&document(&block), "edit/marker-length"), document(CODE));
        assert_eq!(one(&document(&block), "edit/marker-length").severity, Severity::Hint);
    }
    let long = CODE.replace("<<<<<<", &"<".repeat(12)).replace(">>>>>>", &">".repeat(12));
    assert_eq!(one(&document(&long), "edit/marker-length").severity, Severity::Warning);
    for spelling in ["<<<<<< search", "<<<<<<SEARCH", "<<<<<< ORIGINAL"] {
        assert_eq!(
            mended(&document(&swap(CODE, "<<<<<< SEARCH", spelling)), "edit/marker-spelling"),
            document(CODE),
            "{spelling}"
        );
    }
    let indented: String = CODE
        .lines()
        .map(|line| {
            if line.starts_with(['<', '=', '>']) {
                format!("   {line}\n")
            } else {
                format!("{line}\n")
            }
        })
        .collect();
    assert_eq!(codes(&document(&indented)), [""; 0]);
    assert_eq!(
        mended(&document(&swap(CODE, "=======", " =======")), "edit/marker-indent"),
        document(CODE)
    );
    assert_eq!(codes(&document(&swap(CODE, "SEARCH", "SEARCH  "))), [""; 0]);
}

#[test]
fn llmd_08_names_are_paired() {
    assert_eq!(
        mended(&document(&swap(CODE, "REPLACE", "CHANGELOG")), "edit/mismatched-end"),
        document(CODE)
    );
    assert_eq!(
        mended(&document(&swap(CODE, "SEARCH", "SAERCH")), "edit/unknown-marker"),
        document(CODE)
    );
    assert_eq!(
        mended(&document(&swap(CODE, "REPLACE", "REPALCE")), "edit/unknown-marker"),
        document(CODE)
    );
    assert_eq!(
        mended(&document(&swap(CODE, "=======\n", "")), "edit/missing-divider"),
        document(CODE)
    );
    let divided = swap(LOG, "- Added a\n", "- Added a\n=======\n");
    assert_eq!(mended(&document(&divided), "llmd/changelog-divider"), document(LOG));
    one(&document(&swap(CODE, "<<<<<< SEARCH\n", "")), "edit/unopened-block");
    // A Git conflict in an example isn't reported.
    assert_eq!(codes(&document("```\n<<<<<<< HEAD\na\n=======\nb\n>>>>>>> topic\n```\n")), [""; 0]);
}

#[test]
fn llmd_09_blocks_of_a_human_are_not_applied() {
    let text =
        swap(&document(""), "do it\n", &format!("do it\n\n{}", swap(CODE, "x = 1", "absent")));
    assert_eq!(one(&text, "edit/quoted-block").severity, Severity::Info);
    let fenced = document(&format!("```python\n{CODE}```\n"));
    assert_eq!(codes(&fenced), [""; 0]);
}

#[test]
fn llmd_10_a_block_names_its_file() {
    assert_eq!(mended(&document(&swap(CODE, "app.py\n", "")), "edit/missing-path"), document(CODE));
    let second = CODE.replace("x = 1", "x = 2").replace("x = 2\n>", "x = 3\n>");
    let both = |path: &str| document(&format!("{CODE}\n{path}{}", second.replace("app.py\n", "")));
    assert_eq!(mended(&both(""), "edit/missing-path"), both("app.py\n"));
    assert_eq!(
        mended(&document(&swap(CODE, "app.py\n", "app.py\n\n")), "edit/path-gap")
            .matches("app.py\n<<<<<<")
            .count(),
        1
    );
    let fenced = document(&format!("app.py\n```python\n{}```\n", CODE.replace("app.py\n", "")));
    assert_eq!(mended(&fenced, "edit/path-gap"), document(&format!("```python\n{CODE}```\n")));
    for written in ["`app.py`", "**app.py**", "app.py:", "File: app.py", "### app.py", "./app.py"] {
        assert_eq!(codes(&document(&swap(CODE, "app.py", written))), [""; 0], "{written}");
    }
    assert_eq!(
        mended(&document(&swap(CODE, "app.py", "ap.py")), "edit/unknown-file"),
        document(CODE)
    );
    assert_eq!(
        mended(&document(&swap(CODE, "app.py", "src/app.py")), "edit/unknown-file"),
        document(CODE)
    );
    let library = "src/lib.py\n<<<<<< SEARCH\ndef f():\n=======\ndef h():\n>>>>>> REPLACE\n";
    assert_eq!(codes(&document(library)), [""; 0]);
    assert_eq!(
        mended(&document(&swap(library, "lib", "lbi")), "edit/unknown-file"),
        document(library)
    );
    let new = "new.py\n<<<<<< SEARCH\n=======\ny = 1\n>>>>>> REPLACE\n";
    assert_eq!(one(&document(new), "edit/new-file").severity, Severity::Warning);
    mended(&document(new), "edit/new-file");
}

#[test]
fn llmd_11_an_unclosed_block_swallows_nothing() {
    let cut = swap(CODE, ">>>>>> REPLACE\n", "");
    assert_eq!(mended(&document(&cut), "edit/unterminated-block"), document(CODE));
    let log = "<<<<<< CHANGELOG\nDone\n>>>>>> CHANGELOG\n";
    assert_eq!(
        mended(&document(&format!("{cut}\n{log}")), "edit/unterminated-block"),
        document(&format!("{CODE}\n{log}"))
    );
    let next = "src/lib.py\n<<<<<< SEARCH\ndef f():\n=======\ndef h():\n>>>>>> REPLACE\n";
    assert_eq!(
        mended(&document(&format!("{cut}\n{next}")), "edit/unterminated-block"),
        document(&format!("{CODE}\n{next}"))
    );
    let fenced = |block: &str| document(&format!("```\n{block}```\n\nAnd so on.\n"));
    assert_eq!(mended(&fenced(&cut), "edit/unterminated-block"), fenced(CODE));
    let text = format!("{}### Entry 2\n\n**Human:** x\n", document(&cut));
    assert_eq!(codes(&text), ["edit/unterminated-block"]);
}

#[test]
fn llmd_12_missing_and_similar_text() {
    let block = |search: &str, replace: &str| {
        document(&format!("src/lib.py\n<<<<<< SEARCH\n{search}=======\n{replace}>>>>>> REPLACE\n"))
    };
    assert_eq!(codes(&block("def f():  \n", "def h():\n")), [""; 0]);
    let shifted = one(&block("  def f():\n", "  def h():\n"), "edit/loose-match");
    assert_eq!(shifted.severity, Severity::Hint);
    assert_eq!(
        mended(&block("  def f():\n", "  def h():\n"), "edit/loose-match"),
        block("def f():\n", "def h():\n")
    );
    let near = one(
        &block("def ff():\n    return 1\n\n", "def ff():\n    return 2\n\n"),
        "edit/search-not-found",
    );
    assert_eq!((near.related.len(), near.related[0].span.clone()), (1, 0..22));
    assert!(near.message.contains("line 1 has `f`, not `ff`"), "{}", near.message);
    let mended = mended(
        &block("def ff():\n    return 1\n\n", "def ff():\n    return 2\n\n"),
        "edit/search-not-found",
    );
    assert_eq!(mended, block("def f():\n    return 1\n\n", "def f():\n    return 2\n\n"));
    assert_eq!(
        one(&block("nothing of this kind is anywhere\n", "x\n"), "edit/search-not-found").fixes,
        []
    );
    // Part of a line isn't replaced.
    let part = one(&block("f():\n", "h():\n"), "edit/search-not-found");
    assert!(part.message.contains("line 1"), "{}", part.message);
    one(&block(" \n", "x\n"), "edit/search-not-found");
}

#[test]
fn llmd_13_both_matches_are_named() {
    let block = |search: &str, replace: &str| {
        document(&format!("src/lib.py\n<<<<<< SEARCH\n{search}=======\n{replace}>>>>>> REPLACE\n"))
    };
    let text = block("    return 1\n", "    return 2\n");
    let found = one(&text, "edit/ambiguous-search");
    assert!(found.message.contains("lines 2, 6"), "{}", found.message);
    assert_eq!((found.severity, found.related.len(), found.fixes.len()), (Severity::Error, 2, 2));
    let places: Vec<_> = found.related.iter().map(|related| related.span.clone()).collect();
    assert_eq!(places, [9..21, 33..45]);
    for (fix, expected) in
        found.fixes.iter().zip(["def f():\n    return 1\n", "def g():\n    return 1\n"])
    {
        let mended = apply(&text, &fix.edits).unwrap();
        assert_eq!(mended, block(expected, &expected.replace('1', "2")));
        assert_eq!(codes(&mended), [""; 0]);
    }
}

#[test]
fn llmd_14_blocks_see_the_results_of_earlier_blocks() {
    let second = CODE.replace("x = 2", "x = 3").replace("x = 1", "x = 2");
    assert_eq!(codes(&document(&format!("{CODE}\n{second}"))), [""; 0]);
    assert_eq!(
        codes(&document(&format!("{second}\n{CODE}"))).first(),
        Some(&"edit/search-not-found")
    );
    // A block of an earlier entry may not be applied yet, or be outdated.
    let entry = |number: u64, block: &str| {
        format!("### Entry {number}\n\n**Human:** more\n\n**Assistant:** yes\n\n{block}\n")
    };
    assert_eq!(codes(&format!("{}{}", document(CODE), entry(2, &second))), [""; 0]);
    let past = document(&CODE.replace("x = 1", "y = 1"));
    assert_eq!(codes(&format!("{past}{}", entry(2, CODE))), [""; 0]);
    let done = one(&swap(&document(CODE), "x = 1\n```", "x = 2\n```"), "edit/already-applied");
    assert_eq!((done.severity, done.unnecessary), (Severity::Hint, true));
    let four = [CODE, &second, MISSION, LOG].join("\n");
    assert_eq!(codes(&document(&four)), [""; 0]);
    let mission = one(&swap(&document(MISSION), "Be small.", "Be big."), "edit/already-applied");
    assert!(mission.unnecessary);
    let logged =
        swap(&document(LOG), "- Created\n", "- Created\n- Improved\n  - Added a\n  - Added b\n");
    assert!(one(&logged, "edit/already-applied").unnecessary);
}

#[test]
fn llmd_15_empty_sides() {
    let block = |search: &str, replace: &str| {
        document(&format!("app.py\n<<<<<< SEARCH\n{search}=======\n{replace}>>>>>> REPLACE\n"))
    };
    assert_eq!(one(&block("", "y = 1\n"), "edit/empty-search").severity, Severity::Warning);
    assert_eq!(
        mended(&block("", "y = 1\n"), "edit/empty-search"),
        block("x = 1\n", "x = 1\ny = 1\n")
    );
    assert_eq!(codes(&swap(&block("", "y = 1\n"), "x = 1\n", "")), [""; 0]);
    assert_eq!(codes(&block("x = 1\n", "")), [""; 0]);
    assert_eq!(one(&block("", ""), "edit/no-op").severity, Severity::Warning);
    assert_eq!(one(&block("x = 1\n", "x = 1\n"), "edit/no-op").severity, Severity::Hint);
    assert_eq!(
        one(&block("x = 1\n", "x = 2\n# ... rest as before\n"), "edit/elided-text").severity,
        Severity::Error
    );
}

#[test]
fn llmd_16_two_readings_of_one_block() {
    let title = |content: &str| swap(HEAD, "x = 1\n", content);
    let block = "app.py\n<<<<<< SEARCH\nTitle\n=======\nwords\n=======\nother\n>>>>>> REPLACE\n";
    assert_eq!(
        codes(&format!("{}{block}", title("Title\n=======\nwords\n"))),
        ["edit/ambiguous-divider"]
    );
    assert_eq!(codes(&format!("{}{block}", title("Title\nno more\n"))), [""; 0]);
}

#[test]
fn llmd_17_the_whole_mission() {
    assert_eq!(codes(&document(MISSION)), [""; 0]);
    let part = swap(&swap(MISSION, "Be small.", "small"), "Be big.", "big");
    assert_eq!(one(&document(&part), "llmd/mission-part").severity, Severity::Warning);
    assert_eq!(mended(&document(&part), "llmd/mission-part"), document(MISSION));
    let absent = swap(MISSION, "Be small.", "Be tiny.");
    assert_eq!(one(&document(&absent), "llmd/mission-not-found").severity, Severity::Error);
    assert_eq!(mended(&document(&absent), "llmd/mission-not-found"), document(MISSION));
}

#[test]
fn llmd_18_a_changelog_block_has_text() {
    assert_eq!(
        one(&document("<<<<<< CHANGELOG\n\n>>>>>> CHANGELOG\n"), "llmd/empty-changelog").severity,
        Severity::Error
    );
    assert_eq!(codes(&document(LOG)), [""; 0]);
}

#[test]
fn llmd_20_paths_that_lead_outside() {
    for path in ["../out.py", "/etc/passwd", ".git/config", "C:\\x.py", "src"] {
        let block = swap(CODE, "app.py", path);
        assert_eq!(codes(&document(&block)), ["edit/unsafe-path"], "{path}");
    }
    let sentence = swap(CODE, "app.py", "It is in the folder.");
    assert_eq!(codes(&document(&sentence)), ["edit/missing-path"]);
}

#[test]
fn llmd_21_the_pieces_of_a_document_are_the_document() {
    for text in [
        document(&format!("{CODE}{MISSION}{LOG}")),
        HEAD.replace('\n', "\r\n"),
        "\u{feff}# x\n".to_owned(),
        String::new(),
    ] {
        let printed: String =
            super::layout(&text).pieces().map(|piece| text[piece].to_owned()).collect();
        assert_eq!(printed, text);
    }
}

#[test]
fn a_block_without_lines_lacks_its_divider() {
    let block = "app.py\n<<<<<< SEARCH\n>>>>>> REPLACE\n";
    assert!(codes(&document(block)).contains(&"edit/missing-divider"));
}

#[test]
fn many_blocks_are_located_in_linear_time_whether_or_not_they_fit() {
    let line = |at: usize| format!("    value_{at} = make_{}('{at}')\n", at * 7 % 1000);
    let block = |search: String| {
        format!("src/a.py\n<<<<<< SEARCH\n{search}=======\n    new = 1\n>>>>>> REPLACE\n\n")
    };
    let fits = |at: usize| block(line(at));
    let lacks = |at: usize| block(line(at + 1_000_000) + &line(at + 2_000_000));
    let loose = |at: usize| block(line(at).trim_start().to_owned());
    type Blocks<'a> = &'a dyn Fn(usize) -> String;
    let cases: [(&str, Blocks); 4] = [
        ("blocks that fit", &fits),
        ("blocks that don't fit", &lacks),
        ("both in turn", &|at| if at % 2 == 0 { fits(at) } else { lacks(at) }),
        ("blocks with other indentation", &loose),
    ];
    for (what, of) in cases {
        let input = |count: usize| {
            let file: String = (0..count).map(line).collect();
            let blocks: String = (0..count).map(of).collect();
            let context = format!("## Code Context\n\n### src/a.py\n\n```\n{file}```\n\n");
            document(&blocks)
                .replacen("## Changelog", &format!("{context}## Changelog"), 1)
                .replacen("## Code Context\n\n### app.py\n\n```python\nx = 1\n```\n\n", "", 1)
        };
        crate::growth::is_linear(what, 600, input, |text| {
            assert_eq!(check(&text, &Memory::default()).is_empty(), what == "blocks that fit");
        });
    }
}

#[test]
fn text_moves_into_an_empty_section() {
    // Nothing or only blank lines between the first heading and the next one.
    for gap in ["", "\n", "\n\n"] {
        let text = swap(HEAD, "## Mission\n\nBe small.\n\n", &format!("## Mission\n{gap}"));
        let text =
            swap(&text, "## Changelog", "## Mission\n\nRing at 日本 🦆 noon.\n\n## Changelog");
        for eol in ["\n", "\r\n"] {
            let text = text.replace('\n', eol);
            let found = check(&text, &world());
            let finding = found.iter().find(|one| one.rule.code == "llmd/duplicate-section");
            let fix = &finding.expect("a duplicate").fixes[0];
            let mended = apply(&text, &fix.edits).unwrap();
            let expected = "## Mission\n\nRing at 日本 🦆 noon.\n\n".replace('\n', eol);
            assert!(
                mended.contains(&expected) && mended.contains(&format!("\n## Code Context{eol}")),
                "{mended:?}"
            );
            assert_eq!(codes(&mended), [""; 0], "{mended}");
        }
    }
}
