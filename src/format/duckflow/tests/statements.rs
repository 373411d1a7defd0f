//! The numbered statements about reading and checking Duckflow, unless another test is named after
//! them.

use super::super::reply::{self, ReplySource};
use super::super::vocabulary;
use crate::rule::Severity;

const VITALS: &str = "[CONFIDENCE] 0.9\n[MOOD] 0.8\n[FOCUS] 0.95\n[STAMINA] 0.7\n";

/// The code, severity and characters of every finding.
fn findings(text: &str) -> Vec<(&'static str, Severity, String)> {
    super::findings(text)
        .iter()
        .map(|finding| (finding.rule.code, finding.severity, text[finding.span.clone()].to_owned()))
        .collect()
}

#[track_caller]
fn found(text: &str, expected: &[(&'static str, Severity, &str)]) {
    let found = findings(text);
    let found: Vec<_> =
        found.iter().map(|(code, severity, part)| (*code, *severity, part.as_str())).collect();
    assert_eq!(found, expected, "{text}");
}

/// A valid reply with these actions.
fn around(actions: &str) -> String {
    format!("[REASONING]\nr\n{VITALS}{actions}")
}

#[test]
fn duck_03_reasoning_is_trimmed_and_other_sections_are_never_merged_into_it() {
    let text = format!(
        "[REASONING] first\nsecond\n\nthird  \n\n[PLANNING] p\n[NOTES]\nn\n[FORECAST]\nrain\n{VITALS}[ACTION_0_TYPE] finish\n[ACTION_0_RESULT] done\n"
    );
    let reply = reply::read(&text);
    assert_eq!(reply.reasoning, "first\nsecond\n\nthird");
    let sections: Vec<_> =
        reply.sections.iter().map(|(name, content)| (name.as_str(), content.as_str())).collect();
    assert_eq!(sections, [("planning", "p"), ("notes", "n"), ("forecast", "rain")]);
    found(&text, &[("duckflow/unknown-section", Severity::Info, "[FORECAST]")]);
}

#[test]
fn duck_09_the_last_duplicate_is_used_and_reported() {
    let text = "[REASONING]\nold\n[REASONING]\nnew\n[CONFIDENCE] 0.1\n[CONFIDENCE] 0.9\n[MOOD] 0.8\n[FOCUS] 0.95\n[STAMINA] 0.7\n\
                [ACTION_0_TYPE] read_file\n[ACTION_0_TYPE] create_file\n[ACTION_0_PATH] a.txt\n[ACTION_0_PATH] b.txt\n\
                [ACTION_0_CONTENT_START]\nold\n[ACTION_0_CONTENT_END]\n[ACTION_0_CONTENT_START]\nnew\n[ACTION_0_CONTENT_END]\n\
                [ACTION_1_TYPE] finish\n[ACTION_1_RESULT] done\n";
    let reply = reply::read(text);
    assert_eq!(reply.reasoning, "new");
    assert_eq!(
        reply.vitals.iter().find(|(name, _)| name == "confidence").map(|(_, value)| *value),
        Some(0.9)
    );
    let action = &reply.actions[0];
    assert_eq!((action.kind.as_str(), action.content.as_deref()), ("create_file", Some("new")));
    assert_eq!(action.parameters, [("path".to_owned(), "b.txt".to_owned())]);
    let duplicates = findings(text);
    let duplicates =
        duplicates.iter().map(|(code, severity, part)| (*code, *severity, part.trim()));
    let expected = [
        "[REASONING]",
        "[CONFIDENCE]",
        "[ACTION_0_TYPE]",
        "[ACTION_0_PATH]",
        "[ACTION_0_CONTENT_START]",
    ];
    assert_eq!(
        duplicates.collect::<Vec<_>>(),
        expected.map(|part| ("duckflow/duplicate", Severity::Error, part))
    );
}

#[test]
fn duck_10_actions_are_sorted_and_gaps_are_reported() {
    let finish =
        |index: u64| format!("[ACTION_{index}_TYPE] finish\n[ACTION_{index}_RESULT] done\n");
    let reply = reply::read(&around(
        "[ACTION_5_TYPE] finish\n[ACTION_5_RESULT] last\n[ACTION_2_TYPE] read_file\n[ACTION_2_PATH] a\n",
    ));
    assert_eq!(reply.actions.iter().map(|action| action.index).collect::<Vec<_>>(), [2, 5]);
    let orders = [
        (
            around(&format!("[ACTION_0_TYPE] run_command\n[ACTION_0_COMMAND] ls\n{}", finish(2))),
            true,
        ),
        (around(&finish(1)), true),
        (
            around(&format!("[ACTION_1_TYPE] run_command\n[ACTION_1_COMMAND] ls\n{}", finish(0))),
            true,
        ),
        (around(&finish(0)), false),
    ];
    for (text, wrong) in orders {
        let found = findings(&text);
        let order = found.iter().any(|(code, severity, _)| {
            (*code, *severity) == ("duckflow/action-order", Severity::Error)
        });
        assert_eq!(order, wrong, "{text}: {found:?}");
    }
    let zeros = findings(&around("[ACTION_00_TYPE] finish\n[ACTION_00_RESULT] done\n"));
    assert!(
        zeros.iter().all(|(code, severity, _)| (*code, *severity)
            == ("duckflow/leading-zero", Severity::Warning)),
        "{zeros:?}"
    );
    assert!(!zeros.is_empty());
}

#[test]
fn duck_11_the_required_parts_of_a_reply() {
    let finish = "[ACTION_0_TYPE] finish\n[ACTION_0_RESULT] done\n";
    found(&around(finish), &[]);
    found(
        &format!("[REASONING]\nr\n[MOOD] 0.8\n[FOCUS] 0.95\n[STAMINA] 0.7\n{finish}"),
        &[("duckflow/missing-vital", Severity::Warning, "[STAMINA]")],
    );
    found(
        &format!("{VITALS}[REASONING]\nr\n{finish}"),
        &[("duckflow/reasoning-first", Severity::Warning, "[REASONING]")],
    );
    let empty = findings(VITALS);
    assert!(
        empty
            .iter()
            .any(|(code, severity, _)| (*code, *severity) == ("duckflow/empty", Severity::Error)),
        "{empty:?}"
    );
}

#[test]
fn duck_12_the_parameters_of_each_type_of_action() {
    let needs = [
        ("create_file", "PATH", "[ACTION_0_CONTENT_START]\n\n[ACTION_0_CONTENT_END]\n"),
        ("edit_file", "PATH", "[ACTION_0_CONTENT_START]\n\n[ACTION_0_CONTENT_END]\n"),
        ("delete_file", "PATH", ""),
        ("read_file", "PATH", ""),
        ("run_command", "COMMAND", ""),
        ("search_code", "QUERY", ""),
    ];
    let last = "[ACTION_1_TYPE] finish\n[ACTION_1_RESULT] done\n";
    for (kind, name, content) in needs {
        let found = findings(&around(&format!("[ACTION_0_TYPE] {kind}\n{content}{last}")));
        assert_eq!(
            found.iter().map(|(code, severity, _)| (*code, *severity)).collect::<Vec<_>>(),
            [("duckflow/missing-parameter", Severity::Warning)],
            "{kind}"
        );
        assert!(
            vocabulary::action_type(kind).is_some_and(|action| action.required.contains(&name)),
            "{kind}"
        );
    }
    found(
        &around("[ACTION_0_TYPE] finish\n"),
        &[("duckflow/missing-parameter", Severity::Warning, "finish")],
    );
    let misspelt = around(&format!("[ACTION_0_TYPE] run_comand\n[ACTION_0_COMMAND] ls\n{last}"));
    found(&misspelt, &[("duckflow/unknown-action", Severity::Hint, "run_comand")]);
    let misspelt = around(&format!(
        "[ACTION_0_TYPE] run_command\n[ACTION_0_COMMAND] ls\n[ACTION_0_TIMEOUTS] 3\n{last}"
    ));
    found(&misspelt, &[("duckflow/unknown-parameter", Severity::Hint, "TIMEOUTS")]);
    let words = around(&format!(
        "[ACTION_0_TYPE] run_command\n[ACTION_0_COMMAND] ls\n[ACTION_0_TIMEOUT] soon\n{last}"
    ));
    assert_eq!(
        findings(&words).iter().map(|(code, _, part)| (*code, part.as_str())).collect::<Vec<_>>(),
        [("duckflow/not-a-number", "soon")]
    );
    found(
        &around(&format!("[ACTION_0_TYPE] create_file\n[ACTION_0_PATH] a\n{last}")),
        &[("duckflow/missing-content", Severity::Hint, "create_file")],
    );
    let unused = findings(&around(&format!(
        "[ACTION_0_TYPE] run_command\n[ACTION_0_COMMAND] ls\n[ACTION_0_CONTENT_START]\nx\n[ACTION_0_CONTENT_END]\n{last}"
    )));
    assert_eq!(
        unused.iter().map(|(code, severity, _)| (*code, *severity)).collect::<Vec<_>>(),
        [("duckflow/unused-content", Severity::Warning)]
    );
    let after = findings(&around(
        "[ACTION_0_TYPE] finish\n[ACTION_0_RESULT] done\n[ACTION_1_TYPE] run_command\n[ACTION_1_COMMAND] ls\n",
    ));
    assert_eq!(
        after.iter().map(|(code, severity, _)| (*code, *severity)).collect::<Vec<_>>(),
        [("duckflow/after-finish", Severity::Warning)]
    );
    let open = findings(&around("[ACTION_0_TYPE] run_command\n[ACTION_0_COMMAND] ls\n"));
    assert_eq!(
        open.iter().map(|(code, severity, _)| (*code, *severity)).collect::<Vec<_>>(),
        [("duckflow/no-finish", Severity::Hint)]
    );
}

#[test]
fn duck_14_one_reading_after_another() {
    let sources = [
        ("  {\"reasoning\": \"r\", \"actions\": []}", ReplySource::Json),
        ("```json\n{\"reasoning\": \"r\"}\n```\n", ReplySource::Json),
        ("{ no JSON }\n[REASONING]\nr\n", ReplySource::Markers),
        (
            "Here it is: {\"reasoning\": \"a } in a text\", \"actions\": [{\"type\": \"finish\"}]} and more }",
            ReplySource::Json,
        ),
        ("[1, 2]", ReplySource::Flexible),
        ("42", ReplySource::Flexible),
        ("", ReplySource::Flexible),
    ];
    for (text, source) in sources {
        assert_eq!(reply::read(text).source, source, "{text}");
    }
    assert_eq!(reply::read(sources[3].0).reasoning, "a } in a text");
    let lines: Vec<String> = (1..=12).map(|number| format!("line {number}")).collect();
    let prose = reply::read(&format!(
        "{}\n\nconfidence: 0.7\n\n```python\nx = 1\n```\n\n```\ny\n```\n",
        lines.join("\n\n")
    ));
    assert_eq!(prose.source, ReplySource::Flexible);
    assert!(
        prose.reasoning.contains("line 10") && !prose.reasoning.contains("line 11"),
        "{}",
        prose.reasoning
    );
    assert_eq!(prose.vitals, [("confidence".to_owned(), 0.7)]);
    assert_eq!(
        prose.actions.iter().map(|action| (action.index, action.kind.as_str())).collect::<Vec<_>>(),
        [(0, "unknown"), (1, "unknown")]
    );
}

#[test]
fn duck_16_content_keeps_its_line_breaks_and_markers_take_none() {
    let text = around(
        "[ACTION_0_TYPE] create_file\n[ACTION_0_PATH] a.txt\n[ACTION_0_CONTENT_START]\none\ntwo\n[ACTION_0_CONTENT_END]\n[ACTION_1_TYPE] finish\n[ACTION_1_RESULT] done\n",
    );
    let windows = text.replace('\n', "\r\n");
    let (unix, windows) = (reply::read(&text), reply::read(&windows));
    assert_eq!(unix.actions[0].content.as_deref(), Some("one\ntwo"));
    assert_eq!(windows.actions[0].content.as_deref(), Some("one\r\ntwo"));
    assert_eq!(windows.actions[0].parameters, unix.actions[0].parameters);
    assert_eq!((windows.reasoning, windows.vitals), (unix.reasoning, unix.vitals));
}
