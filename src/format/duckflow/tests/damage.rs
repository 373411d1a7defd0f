//! Replies as models damage them: every damage is found, and its fix restores the reply.

use super::super::plan::meant;
use super::findings;
use crate::format::tests::repaired;

const GOOD: &str = "[REASONING]\nAll is well 🦆.\n\n[CONFIDENCE] 0.9\n[MOOD] 0.8\n[FOCUS] 0.95\n[STAMINA] 0.7\n\n\
    [ACTION_0_TYPE] create_file\n[ACTION_0_PATH] a.txt\n[ACTION_0_CONTENT_START]\n日本\n[ACTION_0_CONTENT_END]\n\n\
    [ACTION_1_TYPE] create_file\n[ACTION_1_PATH] b.txt\n[ACTION_1_CONTENT_START]\nb\n[ACTION_1_CONTENT_END]\n\n\
    [ACTION_2_TYPE] finish\n[ACTION_2_RESULT] done\n";

#[track_caller]
fn restored(old: &str, new: &str, code: &str) {
    assert!(GOOD.contains(old), "{old}");
    for eol in ["\n", "\r\n"] {
        let (good, bad) = (GOOD.replace('\n', eol), GOOD.replacen(old, new, 1).replace('\n', eol));
        let found = findings(&bad);
        let codes: Vec<_> = found.iter().map(|finding| finding.rule.code).collect();
        assert!(codes.iter().all(|found| *found == code) && !codes.is_empty(), "{codes:?}\n{bad}");
        assert_eq!(repaired(&bad, findings), good, "{bad}");
    }
}

#[test]
fn the_reply_is_good() {
    assert!(findings(GOOD).is_empty());
}

#[test]
fn a_misspelt_end_of_content_is_replaced() {
    for end in [
        "[ACTION_0_CONTENT_STOP]",
        "[ACTION_0_CONTENTEND]",
        "[ACTION_0_CONTENT_EDN]",
        "[ACTION_0_END]",
        "[/ACTION_0_CONTENT]",
        "[END]",
        "ACTION_0_CONTENT_END]",
        "ACTION_0_CONTENT_END",
        "<ACTION_0_CONTENT_END>",
        "[ACTION_O_CONTENT_END]",
        "[ACTION_N_CONTENT_END]",
        "[ACTION 0 CONTENT END]",
        "[action_0_content_end]",
    ] {
        restored("[ACTION_0_CONTENT_END]", end, "duckflow/unclosed-content");
    }
    restored("\n[ACTION_0_CONTENT_END]", "[ACTION_0_CONTENT_END]", "duckflow/unclosed-content");
    restored("\n[ACTION_0_CONTENT_END]", "", "duckflow/unclosed-content");
}

#[test]
fn the_end_of_another_action_is_not_taken() {
    // Without its type, the second action doesn't begin for every reader.
    let bad = GOOD.replacen("[ACTION_0_CONTENT_END]\n", "", 1);
    for (old, new) in [
        ("[ACTION_1_TYPE]", "**[ACTION_1_TYPE]**"),
        ("[ACTION_1_TYPE]", "[action_1_type]"),
        ("[ACTION_1_TYPE]", "ACTION_1_TYPE:"),
    ] {
        let bad = bad.replacen(old, new, 1);
        assert_eq!(repaired(&bad, findings), GOOD, "{bad}");
    }
    let contents = super::contents(&bad);
    assert_eq!(contents.iter().map(|(_, text)| text.trim()).collect::<Vec<_>>(), ["日本", "b"]);
}

#[test]
fn a_wrong_index_is_corrected_where_it_is() {
    restored("[ACTION_0_CONTENT_END]", "[ACTION_1_CONTENT_END]", "duckflow/end-index");
    restored("[ACTION_1_CONTENT_START]", "[ACTION_0_CONTENT_START]", "duckflow/end-index");
}

#[test]
fn the_index_of_an_end_is_not_corrected_blindly() {
    let safe = |text: &str| {
        let found = findings(text);
        let mut found = found.iter().filter(|finding| finding.rule.code == "duckflow/end-index");
        found.next().map(|finding| finding.fixes.iter().any(|fix| fix.safe))
    };
    let wrong = GOOD.replacen("[ACTION_0_CONTENT_END]", "[ACTION_7_CONTENT_END]", 1);
    assert_eq!(safe(&wrong), Some(true));
    // More content follows, or other markers are in the content.
    assert_eq!(
        safe(&wrong.replacen("[ACTION_7_CONTENT_END]\n", "[ACTION_7_CONTENT_END]\nc\n", 1)),
        Some(false)
    );
    assert_eq!(safe(&wrong.replacen("日本", "日本\n[MOOD] 0.5", 1)), Some(false));
    let start = GOOD.replacen("[ACTION_1_CONTENT_START]", "[ACTION_0_CONTENT_START]", 1);
    assert_eq!(safe(&start), Some(false));
}

#[test]
fn a_value_below_its_marker_is_moved() {
    restored("[CONFIDENCE] 0.9", "[CONFIDENCE]\n0.9", "duckflow/vital-not-number");
    restored("[STAMINA] 0.7", "[STAMINA]\n\n0.7", "duckflow/vital-not-number");
    restored(
        "[ACTION_0_TYPE] create_file",
        "[ACTION_0_TYPE]\ncreate_file",
        "duckflow/unknown-action",
    );
    restored("[ACTION_0_PATH] a.txt", "[ACTION_0_PATH]\na.txt", "duckflow/continued-value");
}

#[test]
fn markers_on_one_line_are_divided() {
    let vitals = "[CONFIDENCE] 0.9\n[MOOD] 0.8\n[FOCUS] 0.95\n[STAMINA] 0.7";
    for between in [" ", ", ", " | ", "; ", " / ", "\t"] {
        restored(vitals, &vitals.replace('\n', between), "duckflow/same-line");
    }
    restored("create_file\n[ACTION_0_PATH]", "create_file [ACTION_0_PATH]", "duckflow/same-line");
    restored(
        "a.txt\n[ACTION_0_CONTENT_START]",
        "a.txt [ACTION_0_CONTENT_START]",
        "duckflow/same-line",
    );
}

#[test]
fn mentions_of_markers_in_text_are_text() {
    for text in [
        "[ACTION_2_RESULT] I set [MOOD] 0.5 and [ACTION_0_PATH] a",
        "[ACTION_2_RESULT] `[ACTION_0_CONTENT_END]`, see [NOTES](a)",
    ] {
        let text = GOOD.replacen("[ACTION_2_RESULT] done", text, 1);
        assert!(findings(&text).is_empty(), "{text}");
    }
}

#[test]
fn a_sign_before_a_value_is_removed() {
    for sign in ["= ", ": ", "-> ", ":= ", "=> ", "- "] {
        for (old, value) in [
            ("[MOOD] 0.8", "0.8"),
            ("[ACTION_0_PATH] a.txt", "a.txt"),
            ("[ACTION_0_TYPE] create_file", "create_file"),
        ] {
            restored(
                old,
                &old.replacen(value, &format!("{sign}{value}"), 1),
                "duckflow/value-sign",
            );
        }
    }
    restored("[ACTION_0_PATH] a.txt", "[ACTION_0_PATH] =a.txt", "duckflow/value-sign");
    // Text may begin with a sign.
    let text = GOOD.replacen("[ACTION_2_RESULT] done", "[ACTION_2_RESULT] -> done", 1);
    assert!(findings(&text).is_empty(), "{text}");
}

#[test]
fn a_marker_without_its_brackets_or_with_its_value_in_them_is_found() {
    for (old, new) in [
        ("[ACTION_0_PATH] a.txt", "[ACTION_0_PATH: a.txt]"),
        ("[ACTION_0_PATH] a.txt", "[ACTION_0_PATH=a.txt]"),
        ("[ACTION_0_PATH] a.txt", "ACTION_0_PATH: a.txt"),
        ("[ACTION_0_PATH] a.txt", "ACTION_0_PATH] a.txt"),
        ("[ACTION_0_PATH] a.txt", "<ACTION_0_PATH> a.txt"),
        ("[ACTION_0_PATH] a.txt", "{ACTION_0_PATH} a.txt"),
        ("[ACTION_0_PATH] a.txt", "**ACTION_0_PATH:** a.txt"),
        ("[ACTION_0_TYPE] create_file", "- ACTION_0_TYPE = create_file"),
        ("[ACTION_0_CONTENT_START]", "(ACTION_0_CONTENT_START)"),
        ("[MOOD] 0.8", "MOOD: 0.8"),
        ("[MOOD] 0.8", "[MOOD: 0.8]"),
        ("[MOOD] 0.8", "<MOOD> 0.8"),
        ("[MOOD] 0.8", "[[MOOD]] 0.8"),
        ("[MOOD] 0.8", "[ MOOD ] 0.8"),
        ("[MOOD] 0.8", "[MOOD:] 0.8"),
        ("[MOOD] 0.8", "\\[MOOD\\] 0.8"),
        ("[MOOD] 0.8", "【MOOD】0.8"),
        ("[ACTION_0_PATH] a.txt", "\\[ACTION_0_PATH\\] a.txt"),
        ("[ACTION_0_PATH] a.txt", "[/ACTION_0_PATH] a.txt"),
        ("[ACTION_0_PATH] a.txt", "[ACTION_0_PATH a.txt]"),
        ("[REASONING]\nAll", "REASONING:\nAll"),
        ("[REASONING]\nAll", "[REASONING:]\nAll"),
        ("[REASONING]\nAll", "\\[REASONING\\]\nAll"),
    ] {
        restored(old, new, "duckflow/dressed-marker");
    }
    // In the reasoning it's a word.
    let text = GOOD.replacen("All is well", "MOOD: 0.5 is low", 1);
    assert!(findings(&text).is_empty(), "{text}");
}

#[test]
fn a_fence_around_content_is_removed() {
    restored("日本\n", "```text\n日本\n```\n", "duckflow/fenced-content");
    restored("日本\n", "~~~\n日本\n~~~\n", "duckflow/fenced-content");
    for (old, new) in [
        ("日本\n", "```text\n日本\n```\nand\n```\nmore\n```\n"),
        ("日本\n", "```text\n日本\n"),
        ("日本\n", "```\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n```\n"),
        ("a.txt\n[ACTION_0_CONTENT_START]\n日本", "a.md\n[ACTION_0_CONTENT_START]\n```\n日本\n```"),
    ] {
        let text = GOOD.replacen(old, new, 1);
        assert!(findings(&text).is_empty(), "{text}");
    }
}

#[test]
fn the_end_of_a_sentence_is_no_part_of_a_path() {
    for path in ["a.txt,", "a.txt.", "a.txt;"] {
        restored(
            "[ACTION_0_PATH] a.txt",
            &format!("[ACTION_0_PATH] {path}"),
            "duckflow/quoted-path",
        );
    }
}

#[test]
fn a_misspelt_type_is_replaced() {
    for key in ["TYEP", "TYP", "TYPES", "KTYPE"] {
        let new = format!("[ACTION_0_{key}] create_file");
        restored("[ACTION_0_TYPE] create_file", &new, "duckflow/missing-type");
    }
}

#[test]
fn quoted_values_keep_their_backticks() {
    let text = GOOD.replacen("[ACTION_0_PATH] a.txt", "[ACTION_0_PATH] `a.txt`", 1);
    let found = findings(&text);
    assert!(found[0].message.contains("`` `a.txt` ``"), "{}", found[0].message);
}

/// Whether any fix of these findings is safe; `None` without such a finding.
fn is_safe(text: &str, code: &str) -> Option<bool> {
    let found = findings(text).into_iter().filter(|finding| finding.rule.code == code);
    found.map(|finding| finding.fixes.iter().any(|fix| fix.safe)).reduce(|one, other| one || other)
}

#[test]
fn words_of_a_sentence_never_become_markers_by_a_safe_fix() {
    let without =
        |text: &str| GOOD.replacen("[MOOD] 0.8\n", "", 1).replacen("All is well", text, 1);
    for (text, code) in [
        ("I fell from [MOOD] 0.8 to 0.3 today", "duckflow/same-line"),
        ("**MOOD** 3 ducks are sad", "duckflow/dressed-marker"),
        ("[MOOD: 0.2 was yesterday]", "duckflow/dressed-marker"),
    ] {
        assert_ne!(is_safe(&without(text), code), Some(true), "{text}");
    }
    let sign = |sign: &str| GOOD.replacen("[FOCUS] 0.95", &format!("[FOCUS] {sign} 0.95"), 1);
    assert_eq!(is_safe(&sign("="), "duckflow/value-sign"), Some(true));
    assert_eq!(is_safe(&sign("-"), "duckflow/value-sign"), Some(false));
    let below = GOOD.replacen("[MOOD] 0.8", "[MOOD]\nnan", 1);
    assert_ne!(is_safe(&below, "duckflow/vital-not-number"), Some(true));
}

#[test]
fn folders_in_brackets_are_parts_of_a_path() {
    let path = GOOD.replacen("a.txt", "src/[NOTES]/page.tsx", 1);
    assert_eq!(is_safe(&path, "duckflow/same-line"), None);
}

#[test]
fn punctuation_is_removed_safely_only_after_a_single_path() {
    let path = |path: &str| GOOD.replacen("a.txt", path, 1);
    assert_eq!(is_safe(&path("a.txt,"), "duckflow/quoted-path"), Some(true));
    assert_eq!(is_safe(&path("a.py, b.py."), "duckflow/quoted-path"), Some(false));
}

#[test]
fn names_of_actions_without_a_sign_are_words() {
    for text in ["ACTION_0_TYPE create_file makes the file", "ACTION_1_PATH names b.txt"] {
        assert_eq!(findings(&GOOD.replacen("All is well", text, 1)), [], "{text}");
    }
}

#[test]
fn only_misspelt_types_are_meant_to_change_files() {
    for other in ["create_dir", "create_folder", "write_file", "edit_title", "move_file", "finish"]
    {
        assert_eq!(meant(other), None, "{other}");
    }
    for (kind, known) in
        [("creat_file", "create_file"), ("create_flie", "create_file"), ("editfile", "edit_file")]
    {
        assert_eq!(meant(kind), Some(known));
    }
}
