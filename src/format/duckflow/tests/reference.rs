//! What the original parsers make of replies, and what agentmd does. Where they differ, the statement says why.

use super::super::reply;

/// A reply: its name, its text, and what agentmd reads.
const CASES: &[(&str, &str, &str)] = &[
    // The reference drops content whose end has another index; DUCK-7 keeps it.
    (
        "mismatched_end",
        "[ACTION_0_TYPE] create_file\n[ACTION_0_CONTENT_START]\ncode\n[ACTION_1_CONTENT_END]\n",
        r#"markers "" [] create_file {} Some("code")"#,
    ),
    // The reference leaves the malformed marker in the reasoning; DUCK-8 skips the line.
    (
        "recovery_example",
        "[REASONING]\nSome reasoning text\n\n[CONFIDEN  # Typo - skip this line\n[MOOD] 0.8  # Continue parsing\n\n[ACTION_0_TYPE] create_file\n[ACTION_0_PA  # Incomplete - skip\n[ACTION_0_CONTENT_START]\ncode here\n[ACTION_0_CONTENT_END]  # Content still captured\n",
        r#"markers "Some reasoning text" [mood=0.8] create_file {} Some("code here")"#,
    ),
    // The reference takes a vital that is no number for reasoning; DUCK-4 knows the marker.
    ("vital_word", "[REASONING]\nr\n[CONFIDENCE] high\n[MOOD] 85%\n[FOCUS] -0.5\n[STAMINA] 1.2.3\n", r#"markers "r" [mood=85,focus=-0.5]"#),
    (
        "vital_range",
        "[REASONING]\nr\n[CONFIDENCE] 7\n[MOOD] .5\n[FOCUS] 1\n[STAMINA] 0.9/1.0\n",
        r#"markers "r" [confidence=7,mood=0.5,focus=1,stamina=0.9]"#,
    ),
    // The reference has no other sections; DUCK-3 has.
    (
        "unknown_section",
        "[REASONING]\nr\n[PLANNING]\nplan text\n[NOTES]\nnote\n[CONFIDENCE] 0.5\n",
        r#"markers "r" [confidence=0.5] planning="plan text" notes="note""#,
    ),
    ("planning_after", "[REASONING]\nr\n[CONFIDENCE] 0.5\n[PLANNING]\nplan text\n", r#"markers "r" [confidence=0.5] planning="plan text""#),
    // The reference joins both; by DUCK-9 the last one counts.
    ("dup_reasoning", "[REASONING]\na\n[MOOD] 0.1\n[REASONING]\nb\n", r#"markers "b" [mood=0.1]"#),
    // The reference loses what stands in the line of the marker; DUCK-3 keeps it.
    ("reasoning_inline", "[REASONING] inline text\nmore\n", r#"markers "inline text\nmore" []"#),
    ("lowercase", "[reasoning]\nr\n[confidence] 0.5\n[action_0_type] finish\n", r#"flexible "r" []"#),
    // Up to three blanks may stand before a marker: DUCK-1.
    ("leading_ws", "  [REASONING]\nr\n  [CONFIDENCE] 0.5\n", r#"markers "r" [confidence=0.5]"#),
    ("gap_idx", "[ACTION_0_TYPE] a\n[ACTION_2_TYPE] b\n", r#"markers "" [] a {} None b {} None"#),
    ("dup_type", "[ACTION_0_TYPE] a\n[ACTION_0_TYPE] b\n", r#"markers "" [] b {} None"#),
    ("missing_type", "[ACTION_0_PATH] x\n", r#"flexible "" []"#),
    // Keys may hold digits and lower case: DUCK-5.
    ("param_digit", "[ACTION_0_TYPE] a\n[ACTION_0_PATH2] x\n[ACTION_0_path] y\n", r#"markers "" [] a {path2="x" path="y"} None"#),
    ("empty_param", "[ACTION_0_TYPE] a\n[ACTION_0_PATH]\n[ACTION_0_PATH] x\n", r#"markers "" [] a {path="x"} None"#),
    (
        "two_contents",
        "[ACTION_0_TYPE] a\n[ACTION_0_CONTENT_START]\n1\n[ACTION_0_CONTENT_END]\n[ACTION_0_CONTENT_START]\n2\n[ACTION_0_CONTENT_END]\n",
        r#"markers "" [] a {} Some("2")"#,
    ),
    ("fenced_wrapped", "```\n[REASONING]\nr\n[CONFIDENCE] 0.5\n```\n", r#"markers "r" [confidence=0.5]"#),
    // The reference reads the vitals only from `duck_vitals`, and leaves the content among the parameters; DUCK-15.
    (
        "json_direct",
        r#"{"reasoning":"r","confidence":0.85,"actions":[{"type":"create_file","path":"t.py","content":"x"}]}"#,
        r#"json "r" [confidence=0.85] create_file {path="t.py"} Some("x")"#,
    ),
    // The reference does not know `name` and `parameters`; DUCK-15.
    (
        "json_in_prose",
        "Sure!\n```json\n{\"reasoning\":\"r\",\"actions\":[{\"name\":\"response\",\"parameters\":{\"message\":\"hi\"}}]}\n```\n",
        r#"json "r" [] response {message="hi"} None"#,
    ),
    ("empty", "", r#"flexible "" []"#),
    ("trailing_nl_content", "[ACTION_0_TYPE] a\n[ACTION_0_CONTENT_START]\n\nx\n\n[ACTION_0_CONTENT_END]\n", r#"markers "" [] a {} Some("\nx\n")"#),
    ("empty_content", "[ACTION_0_TYPE] a\n[ACTION_0_CONTENT_START]\n[ACTION_0_CONTENT_END]\n", r#"markers "" [] a {} Some("")"#),
];

fn shown(text: &str) -> String {
    let reply = reply::read(text);
    let vitals: Vec<String> = reply.vitals.iter().map(|(name, value)| format!("{name}={value}")).collect();
    let mut out = format!("{} {:?} [{}]", reply.source.name(), reply.reasoning, vitals.join(","));
    for (name, content) in &reply.sections {
        out.push_str(&format!(" {name}={content:?}"));
    }
    for action in &reply.actions {
        let parameters: Vec<String> = action.parameters.iter().map(|(name, value)| format!("{name}={value:?}")).collect();
        out.push_str(&format!(" {} {{{}}} {:?}", action.kind, parameters.join(" "), action.content));
    }
    out
}

#[test]
fn every_reply_of_the_original_is_read_as_the_statements_say() {
    for (name, text, expected) in CASES {
        assert_eq!(shown(text), *expected, "{name}");
    }
}

#[test]
fn line_breaks_change_nothing_but_themselves() {
    for (name, text, expected) in CASES {
        let found = shown(&text.replace('\n', "\r\n")).replace("\\r\\n", "\\n");
        assert_eq!(found, *expected, "{name}");
    }
}
