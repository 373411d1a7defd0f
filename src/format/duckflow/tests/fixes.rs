//! `--fix` never changes what a reply does.

use super::super::reply;
use super::findings;

const HEAD: &str = "[REASONING]\nr\n\n[CONFIDENCE] 0.9\n[MOOD] 0.9\n[FOCUS] 0.9\n[STAMINA] 0.9\n\n";

/// What the reply does, before a safe fix and after each.
#[track_caller]
fn stays(text: &str) {
    let actions = |text: &str| format!("{:?}", reply::read(text).actions);
    for finding in findings(text) {
        for fix in finding.fixes.iter().filter(|fix| fix.safe) {
            let fixed = crate::text::apply(text, &fix.edits).unwrap();
            assert_eq!(actions(&fixed), actions(text), "{}: {text}", finding.rule.code);
        }
    }
}

/// The findings with this code, and whether one of their fixes is safe.
fn reported(text: &str, code: &str) -> Vec<(String, bool)> {
    findings(text)
        .iter()
        .filter(|finding| finding.rule.code == code)
        .map(|finding| {
            (text[finding.span.clone()].to_owned(), finding.fixes.iter().any(|fix| fix.safe))
        })
        .collect()
}

/// A second vital would be a duplicate, and text below one belongs to no section.
#[test]
fn words_in_the_reasoning_stay_text() {
    let vitals = "[CONFIDENCE] 0.9\n[MOOD] 0.9\n[FOCUS] 0.9\n[STAMINA] 0.9\n";
    let end = "[ACTION_0_TYPE] finish\n";
    for line in
        ["[mood] 0.5 日本", "[mood] 0.5", "    [MOOD] 0.5", "[confidence]: 0.5", "[MOOD]: 🦆"]
    {
        for eol in ["\n", "\r\n"] {
            let only = vitals.replace("[MOOD] 0.9\n", "").replace("[CONFIDENCE] 0.9\n", "");
            for text in [
                format!("[REASONING]\nI think:\n{line}\n\n{vitals}{end}"),
                format!("[REASONING]\nI think:\n{line}\nand more.\n\n{only}{end}"),
            ] {
                let text = text.replace('\n', eol);
                let codes = ["marker-case", "indented-marker", "dressed-marker"];
                let found: Vec<_> = codes
                    .iter()
                    .flat_map(|code| reported(&text, &format!("duckflow/{code}")))
                    .collect();
                assert!(
                    !found.is_empty() && found.iter().all(|(_, safe)| !safe),
                    "{text} {found:?}"
                );
            }
        }
    }
    // All vitals of a reply can be written wrongly.
    let lower = format!("[REASONING]\nr\n\n{}{end}", vitals.to_lowercase());
    let found = reported(&lower, "duckflow/marker-case");
    assert!(found.len() == 4 && found.iter().all(|(_, safe)| *safe), "{found:?}");
}

#[test]
fn an_indented_end_of_content_is_moved() {
    for indent in ["    ", "\t", "      "] {
        for eol in ["\n", "\r\n"] {
            let end = format!("{indent}[ACTION_0_CONTENT_END]\n");
            let text = format!(
                "{HEAD}[ACTION_0_TYPE] create_file\n[ACTION_0_PATH] a.py\n[ACTION_0_CONTENT_START]\n日本\n{end}\n[ACTION_1_TYPE] finish\n[ACTION_1_RESULT] done\n"
            )
            .replace('\n', eol);
            let found = findings(&text);
            let [finding] = &found[..] else { panic!("{found:#?}") };
            assert_eq!(finding.fixes[0].title, "Remove the indentation");
            let fixed = crate::text::apply(&text, &finding.fixes[0].edits).unwrap();
            assert_eq!(fixed, text.replace(indent, ""));
            assert!(findings(&fixed).is_empty(), "{fixed}");
        }
    }
}

#[test]
fn quoted_actions_stay_text() {
    let codes = ["indented-marker", "dressed-marker", "marker-case", "malformed-marker"];
    for (before, after) in [
        ("    ", ""),
        ("\t", ""),
        ("> ", ""),
        ("- ", ""),
        ("* ", ""),
        ("1. ", ""),
        ("`", "`"),
        ("**", "**"),
        ("# ", ""),
        ("", ":"),
    ] {
        for end in ["\n", "\r\n", "\r"] {
            for word in ["日本🦆", "names the action", "delete_file"] {
                let quoted = format!(
                    "{before}[ACTION_1_TYPE]{after} {word}\n{before}[ACTION_1_PATH]{after} a.py\n"
                );
                let done = "[ACTION_0_TYPE] run_command\n[ACTION_0_COMMAND] make\n";
                for text in [
                    format!("{HEAD}{done}{quoted}"),
                    format!("{}{quoted}\n{done}", HEAD.replace("r\n\n", "r 🦆\n")),
                    format!("[REASONING]\n日本\n{quoted}\n[MOOD] 0.5\n{done}"),
                ] {
                    let text = text.replace('\n', end);
                    let found: Vec<_> = codes
                        .iter()
                        .flat_map(|code| reported(&text, &format!("duckflow/{code}")))
                        .collect();
                    assert_eq!(found.len(), 2, "{text}: {found:?}");
                    stays(&text);
                }
            }
        }
    }
}

#[test]
fn lower_case_and_unclosed_actions_stay_text() {
    for quoted in [
        "[action_1_type] delete_file\n[action_1_path] a.py\n",
        "[ACTION 1 TYPE] delete_file\n[ACTION-1-PATH] a.py\n",
        "[ACTION_1_TYPE\n[ACTION_0_PATH # 🦆\n",
    ] {
        for end in ["\n", "\r\n", "\r"] {
            let done = "[ACTION_0_TYPE] run_command\n[ACTION_0_COMMAND] make\n";
            stays(&format!("{HEAD}{done}{quoted}").replace('\n', end));
            stays(&format!("{HEAD}[NOTES]\nThis is quoted:\n{quoted}{done}").replace('\n', end));
        }
    }
}

#[test]
fn sections_in_a_value_stay_text() {
    for line in
        ["**[NOTES]**", "[notes]", "    [NOTES] 🦆", "**[MOOD]:** 0.5", "[NOTES]: all is well"]
    {
        for end in ["\n", "\r\n"] {
            let text =
                format!("{HEAD}[ACTION_0_TYPE] finish\n[ACTION_0_RESULT] ok\n{line}\nmore\n");
            stays(&text.replace('\n', end));
        }
    }
    let text = format!("{}[ACTION_0_TYPE] finish\n", HEAD.replace("[MOOD]", "**[MOOD]:**"));
    assert_eq!(reported(&text, "duckflow/dressed-marker"), [("**[MOOD]:**".to_owned(), true)]);
}

#[test]
fn a_duplicate_before_text_is_not_removed_by_itself() {
    let action = "[ACTION_0_TYPE] run_command\n[ACTION_0_COMMAND] rm -rf build\n";
    for end in ["\n", "\r\n", "\r"] {
        for (second, stray) in [
            ("[ACTION_0_TYPE] run_command\n", "日本 🦆\n"),
            ("[MOOD] 0.9\n", "\n\nafter some time\n"),
            ("[ACTION_0_TYPE] run_command\n", "    [ACTION_1_TYPE] finish\n"),
        ] {
            let finish = "\n[ACTION_1_TYPE] finish\n[ACTION_1_RESULT] ok\n";
            let text =
                |stray: &str| format!("{HEAD}{action}{second}{stray}{finish}").replace('\n', end);
            let found = reported(&text(stray), "duckflow/duplicate");
            assert!(matches!(found.as_slice(), [(_, false)]), "{found:?}");
            stays(&text(stray));
            let found = reported(&text("\n"), "duckflow/duplicate");
            assert!(matches!(found.as_slice(), [(_, true)]), "{found:?}");
            stays(&text("\n"));
        }
        let content = "[ACTION_0_CONTENT_START]\nx\n[ACTION_0_CONTENT_END]\n";
        let twice =
            format!("{HEAD}[ACTION_0_TYPE] create_file\n{content}[ACTION_0_PATH] a\n{content}");
        stays(&format!("{twice}text\n").replace('\n', end));
        let found = reported(&twice.replace('\n', end), "duckflow/duplicate");
        assert!(matches!(found.as_slice(), [(_, true)]), "{found:?}");
    }
}

#[test]
fn vitals_that_the_reference_parser_does_not_read() {
    let text = |line: &str| {
        format!(
            "{}[ACTION_0_TYPE] finish\n[ACTION_0_RESULT] ok\n",
            HEAD.replace("[FOCUS] 0.9", line)
        )
    };
    for (line, part) in [
        ("[FOCUS]0.9", "[FOCUS]"),
        ("[FOCUS] +0.9", "+"),
        ("[FOCUS]+0.9", "[FOCUS]"),
        ("[FOCUS] -0.0", "-"),
        ("[FOCUS]0.9 # 🦆 日本", "[FOCUS]"),
    ] {
        for end in ["\n", "\r\n"] {
            let text = text(line).replace('\n', end);
            assert_eq!(
                reported(&text, "duckflow/vital-not-number"),
                [(part.to_owned(), true)],
                "{line}"
            );
            assert_eq!(findings(&text).len(), 1, "{line}");
            stays(&text);
            let fixed = crate::text::apply(&text, &findings(&text)[0].fixes[0].edits).unwrap();
            assert!(findings(&fixed).is_empty(), "{fixed}");
        }
    }
    for line in ["[FOCUS] 0.9", "[FOCUS]\t0.9", "[FOCUS]  .9", "[FOCUS]\u{a0}0.9"] {
        assert!(findings(&text(line)).is_empty(), "{line}");
    }
}

#[test]
fn the_number_that_is_read_is_not_made_permanent() {
    let text = |value: &str| {
        format!(
            "{}[ACTION_0_TYPE] finish\n[ACTION_0_RESULT] ok\n",
            HEAD.replace("[FOCUS] 0.9", &format!("[FOCUS] {value}"))
        )
    };
    for (value, read, meant) in [
        ("1e-1", "as 1", Some("0.1")),
        ("0,95", "as 0", Some("0.95")),
        ("1/2", "as 1", Some("0.5")),
        ("1E-2 # 🦆", "as 1", Some("0.01")),
        ("0e", "as 0", None),
        ("1/0", "as 1", None),
    ] {
        let text = text(value);
        let found = findings(&text);
        let [finding] = found.as_slice() else { panic!("{value}: {found:?}") };
        assert_eq!(finding.rule.code, "duckflow/vital-text");
        assert!(finding.message.contains(read), "{value}: {}", finding.message);
        let fixed: Vec<_> = finding
            .fixes
            .iter()
            .map(|fix| crate::text::apply(&text, &fix.edits).unwrap())
            .collect();
        let expected: Vec<_> = meant
            .iter()
            .map(|meant| {
                text.replace(value, &value.replacen(value.split(' ').next().unwrap(), meant, 1))
            })
            .collect();
        assert_eq!(fixed, expected);
    }
    let found = findings(&text("0.9/1.0"));
    assert!(found[0].message.contains("remove it"), "{found:?}");
}

/// Only one of two lines can be the section: the fix of both would make a duplicate.
#[test]
fn two_sections_that_were_meant_are_not_both_made() {
    let both =
        format!("{HEAD}### [PLANNING]\nfirst\n### [PLANNING]\nsecond\n[ACTION_0_TYPE] finish\n");
    let found = reported(&both, "duckflow/dressed-marker");
    assert!(found.len() == 2 && found.iter().all(|(_, safe)| !safe), "{found:?}");
    let one = both.replace("### [PLANNING]\nsecond\n", "");
    assert!(reported(&one, "duckflow/dressed-marker").iter().all(|(_, safe)| *safe));
}

/// Without the zeros, it would be the same marker.
#[test]
fn a_duplicate_may_be_written_with_zeros() {
    let text =
        format!("{HEAD}[ACTION_0_TYPE] create_file\n[ACTION_0_PATH] a\n[ACTION_00_TYPE] finish\n");
    assert_eq!(reported(&text, "duckflow/duplicate").len(), 1);
}
