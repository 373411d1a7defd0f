//! How the original parsers and agentmd read replies. If they differ, the case gives the reason.

use serde_json::{Map, Value, json};

use super::super::reply;

/// A reply, the original's result, and agentmd's result.
pub struct Case {
    pub name: &'static str,
    pub text: &'static str,
    /// The reference parser.
    spec: &'static str,
    /// The author's newer parser; `None`: the same.
    later: Option<&'static str>,
    /// The fallback chain of the specification; `None`: the same.
    chain: Option<&'static str>,
    agentmd: &'static str,
    /// Why agentmd differs from any of them; empty if it does not.
    why: &'static str,
}

#[rustfmt::skip]
pub const CASES: &[Case] = &[
    Case {
        name: "mismatched_end",
        text: "[ACTION_0_TYPE] create_file\n[ACTION_0_CONTENT_START]\ncode\n[ACTION_1_CONTENT_END]\n",
        spec: r##"{"reasoning": "", "vitals": {}, "actions": [["create_file", {}, null]]}"##,
        later: None,
        chain: None,
        agentmd: r##"markers "" [] create_file {} Some("code")"##,
        why: "The original drops content whose end has another index; DUCK-7 keeps it.",
    },
    Case {
        name: "recovery_example",
        text: "[REASONING]\nSome reasoning text\n\n[CONFIDEN  # Typo - skip this line\n[MOOD] 0.8  # Continue parsing\n\n[ACTION_0_TYPE] create_file\n[ACTION_0_PA  # Incomplete - skip\n[ACTION_0_CONTENT_START]\ncode here\n[ACTION_0_CONTENT_END]  # Content still captured\n",
        spec: r##"{"reasoning": "Some reasoning text\n\n[CONFIDEN  # Typo - skip this line", "vitals": {"mood": 0.8}, "actions": [["create_file", {}, "code here"]]}"##,
        later: Some(r##"{"reasoning": "Some reasoning text\n\n[CONFIDEN  # Typo - skip this line", "vitals": {}, "actions": [["create_file", {}, "code here"]]}"##),
        chain: None,
        agentmd: r##"markers "Some reasoning text" [mood=0.8] create_file {} Some("code here")"##,
        why: "The original leaves the malformed marker in the reasoning; DUCK-8 skips the line. Its later reader takes a comment behind a number for a part of it; DUCK-4 allows one.",
    },
    Case {
        name: "vital_word",
        text: "[REASONING]\nr\n[CONFIDENCE] high\n[MOOD] 85%\n[FOCUS] -0.5\n[STAMINA] 1.2.3\n",
        spec: r##"{"reasoning": "r\n[CONFIDENCE] high", "vitals": {"mood": 85.0}, "actions": []}"##,
        later: Some(r##"{"reasoning": "r", "vitals": {"focus": -0.5}, "actions": []}"##),
        chain: None,
        agentmd: r##"markers "r" [mood=85,focus=-0.5]"##,
        why: "The original takes a vital that is no number for reasoning, and one that is negative for nothing; DUCK-4 knows the marker. Its later reader goes without a percentage; DUCK-4 reads the number and complains.",
    },
    Case {
        name: "vital_range",
        text: "[REASONING]\nr\n[CONFIDENCE] 7\n[MOOD] .5\n[FOCUS] 1\n[STAMINA] 0.9/1.0\n",
        spec: r##"{"reasoning": "r", "vitals": {"confidence": 7.0, "mood": 0.5, "focus": 1.0, "stamina": 0.9}, "actions": []}"##,
        later: Some(r##"{"reasoning": "r", "vitals": {"confidence": 7.0, "mood": 0.5, "focus": 1.0}, "actions": []}"##),
        chain: None,
        agentmd: r##"markers "r" [confidence=7,mood=0.5,focus=1,stamina=0.9]"##,
        why: "The later reader goes without a number that has something behind it; DUCK-4 reads the number and complains.",
    },
    Case {
        name: "unknown_section",
        text: "[REASONING]\nr\n[PLANNING]\nplan text\n[NOTES]\nnote\n[CONFIDENCE] 0.5\n",
        spec: r##"{"reasoning": "r\n[PLANNING]\nplan text\n[NOTES]\nnote", "vitals": {"confidence": 0.5}, "actions": []}"##,
        later: None,
        chain: None,
        agentmd: r##"markers "r" [confidence=0.5] planning="plan text" notes="note""##,
        why: "The original has no sections but the reasoning; DUCK-3 has.",
    },
    Case {
        name: "planning_after",
        text: "[REASONING]\nr\n[CONFIDENCE] 0.5\n[PLANNING]\nplan text\n",
        spec: r##"{"reasoning": "r", "vitals": {"confidence": 0.5}, "actions": []}"##,
        later: None,
        chain: None,
        agentmd: r##"markers "r" [confidence=0.5] planning="plan text""##,
        why: "",
    },
    Case {
        name: "dup_reasoning",
        text: "[REASONING]\na\n[MOOD] 0.1\n[REASONING]\nb\n",
        spec: r##"{"reasoning": "a\nb", "vitals": {"mood": 0.1}, "actions": []}"##,
        later: None,
        chain: None,
        agentmd: r##"markers "b" [mood=0.1]"##,
        why: "The original joins both texts; by DUCK-9 the last one is used.",
    },
    Case {
        name: "reasoning_inline",
        text: "[REASONING] inline text\nmore\n",
        spec: r##"{"reasoning": "more", "vitals": {}, "actions": []}"##,
        later: None,
        chain: None,
        agentmd: r##"markers "inline text\nmore" []"##,
        why: "The original loses what stands in the line of the marker; DUCK-3 keeps it.",
    },
    Case {
        name: "lowercase",
        text: "[reasoning]\nr\n[confidence] 0.5\n[action_0_type] finish\n",
        spec: r##"{"reasoning": "", "vitals": {}, "actions": []}"##,
        later: None,
        chain: Some(r##"{"reasoning": "r", "vitals": {}, "actions": []}"##),
        agentmd: r##"flexible "r" []"##,
        why: "The readers of markers find nothing; by DUCK-14 the chain goes on, as the original's does.",
    },
    Case {
        name: "leading_ws",
        text: "  [REASONING]\nr\n  [CONFIDENCE] 0.5\n",
        spec: r##"{"reasoning": "", "vitals": {}, "actions": []}"##,
        later: None,
        chain: Some(r##"{"reasoning": "  [REASONING]\nr\n  [CONFIDENCE] 0.5", "vitals": {}, "actions": []}"##),
        agentmd: r##"markers "r" [confidence=0.5]"##,
        why: "The original knows markers at the very start of a line only; DUCK-1 allows three blanks.",
    },
    Case {
        name: "gap_idx",
        text: "[ACTION_0_TYPE] a\n[ACTION_2_TYPE] b\n",
        spec: r##"{"reasoning": "", "vitals": {}, "actions": [["a", {}, null], ["b", {}, null]]}"##,
        later: None,
        chain: None,
        agentmd: r##"markers "" [] a {} None b {} None"##,
        why: "",
    },
    Case {
        name: "dup_type",
        text: "[ACTION_0_TYPE] a\n[ACTION_0_TYPE] b\n",
        spec: r##"{"reasoning": "", "vitals": {}, "actions": [["b", {}, null]]}"##,
        later: None,
        chain: None,
        agentmd: r##"markers "" [] b {} None"##,
        why: "",
    },
    Case {
        name: "missing_type",
        text: "[ACTION_0_PATH] x\n",
        spec: r##"{"reasoning": "", "vitals": {}, "actions": []}"##,
        later: None,
        chain: Some(r##"{"reasoning": "", "vitals": {}, "actions": []}"##),
        agentmd: r##"flexible "" []"##,
        why: "",
    },
    Case {
        name: "param_digit",
        text: "[ACTION_0_TYPE] a\n[ACTION_0_PATH2] x\n[ACTION_0_path] y\n",
        spec: r##"{"reasoning": "", "vitals": {}, "actions": [["a", {}, null]]}"##,
        later: Some(r##"{"reasoning": "", "vitals": {}, "actions": [["a", {"path2": "x", "path": "y\n"}, null]]}"##),
        chain: None,
        agentmd: r##"markers "" [] a {path2="x" path="y"} None"##,
        why: "The original knows keys in capitals only; DUCK-5 knows digits and lower case. Its later reader leaves the line break in the value; DUCK-5 trims.",
    },
    Case {
        name: "empty_param",
        text: "[ACTION_0_TYPE] a\n[ACTION_0_PATH]\n[ACTION_0_PATH] x\n",
        spec: r##"{"reasoning": "", "vitals": {}, "actions": [["a", {"path": "x"}, null]]}"##,
        later: Some(r##"{"reasoning": "", "vitals": {}, "actions": [["a", {"path": "x\n"}, null]]}"##),
        chain: None,
        agentmd: r##"markers "" [] a {path="x"} None"##,
        why: "The later reader leaves the line break in the value; DUCK-5 trims.",
    },
    Case {
        name: "two_contents",
        text: "[ACTION_0_TYPE] a\n[ACTION_0_CONTENT_START]\n1\n[ACTION_0_CONTENT_END]\n[ACTION_0_CONTENT_START]\n2\n[ACTION_0_CONTENT_END]\n",
        spec: r##"{"reasoning": "", "vitals": {}, "actions": [["a", {}, "2"]]}"##,
        later: None,
        chain: None,
        agentmd: r##"markers "" [] a {} Some("2")"##,
        why: "",
    },
    Case {
        name: "fenced_wrapped",
        text: "```\n[REASONING]\nr\n[CONFIDENCE] 0.5\n```\n",
        spec: r##"{"reasoning": "r", "vitals": {"confidence": 0.5}, "actions": []}"##,
        later: None,
        chain: None,
        agentmd: r##"markers "r" [confidence=0.5]"##,
        why: "",
    },
    Case {
        name: "json_direct",
        text: "{\"reasoning\":\"r\",\"confidence\":0.85,\"actions\":[{\"type\":\"create_file\",\"path\":\"t.py\",\"content\":\"x\"}]}",
        spec: r##"{"reasoning": "", "vitals": {}, "actions": []}"##,
        later: None,
        chain: Some(r##"{"reasoning": "r", "vitals": {}, "actions": [["create_file", {"path": "t.py", "content": "x"}, "x"]]}"##),
        agentmd: r##"json "r" [confidence=0.85] create_file {path="t.py"} Some("x")"##,
        why: "The readers of markers find nothing; the chain reads vitals from `duck_vitals` alone, and leaves the content among the parameters; DUCK-15 does neither.",
    },
    Case {
        name: "json_in_prose",
        text: "Sure!\n```json\n{\"reasoning\":\"r\",\"actions\":[{\"name\":\"response\",\"parameters\":{\"message\":\"hi\"}}]}\n```\n",
        spec: r##"{"reasoning": "", "vitals": {}, "actions": []}"##,
        later: None,
        chain: Some(r##"{"reasoning": "r", "vitals": {}, "actions": [["", {"name": "response", "parameters": {"message": "hi"}}, null]]}"##),
        agentmd: r##"json "r" [] response {message="hi"} None"##,
        why: "The readers of markers find nothing; the chain does not know `name` and `parameters`; DUCK-15 does.",
    },
    Case {
        name: "empty",
        text: "",
        spec: r##"{"reasoning": "", "vitals": {}, "actions": []}"##,
        later: None,
        chain: Some(r##"{"reasoning": "", "vitals": {}, "actions": []}"##),
        agentmd: r##"flexible "" []"##,
        why: "",
    },
    Case {
        name: "trailing_nl_content",
        text: "[ACTION_0_TYPE] a\n[ACTION_0_CONTENT_START]\n\nx\n\n[ACTION_0_CONTENT_END]\n",
        spec: r##"{"reasoning": "", "vitals": {}, "actions": [["a", {}, "\nx\n"]]}"##,
        later: None,
        chain: None,
        agentmd: r##"markers "" [] a {} Some("\nx\n")"##,
        why: "",
    },
    Case {
        name: "empty_content",
        text: "[ACTION_0_TYPE] a\n[ACTION_0_CONTENT_START]\n[ACTION_0_CONTENT_END]\n",
        spec: r##"{"reasoning": "", "vitals": {}, "actions": [["a", {}, ""]]}"##,
        later: None,
        chain: None,
        agentmd: r##"markers "" [] a {} Some("")"##,
        why: "",
    },
];

fn shown(text: &str) -> String {
    let reply = reply::read(text);
    let vitals: Vec<String> =
        reply.vitals.iter().map(|(name, value)| format!("{name}={value}")).collect();
    let mut out = format!("{} {:?} [{}]", reply.source.name(), reply.reasoning, vitals.join(","));
    for (name, content) in &reply.sections {
        out.push_str(&format!(" {name}={content:?}"));
    }
    for action in &reply.actions {
        let parameters: Vec<String> =
            action.parameters.iter().map(|(name, value)| format!("{name}={value:?}")).collect();
        out.push_str(&format!(
            " {} {{{}}} {:?}",
            action.kind,
            parameters.join(" "),
            action.content
        ));
    }
    out
}

/// agentmd's result, in the shape of the original's columns.
fn facts(text: &str) -> Value {
    let reply = reply::read(text);
    let vitals: Map<String, Value> =
        reply.vitals.iter().map(|(name, number)| (name.clone(), json!(number))).collect();
    let actions = reply.actions.iter().map(|action| {
        let parameters: Map<String, Value> =
            action.parameters.iter().map(|(name, value)| (name.clone(), json!(value))).collect();
        json!([action.kind, parameters, action.content])
    });
    json!({ "reasoning": reply.reasoning, "vitals": vitals, "actions": actions.collect::<Vec<_>>() })
}

#[test]
fn every_reply_is_read_as_the_statements_require() {
    for Case { name, text, agentmd, .. } in CASES {
        assert_eq!(shown(text), *agentmd, "{name}");
    }
}

#[test]
fn every_difference_from_the_original_has_a_reason() {
    for case in CASES {
        let read = |column: &str| serde_json::from_str::<Value>(column).unwrap();
        let columns = [Some(case.spec), case.later, case.chain];
        let differs = columns.into_iter().flatten().any(|column| read(column) != facts(case.text));
        assert_eq!(differs, !case.why.is_empty(), "{}: {}", case.name, case.why);
    }
}

#[test]
fn line_breaks_change_nothing_but_themselves() {
    for Case { name, text, agentmd, .. } in CASES {
        let found = shown(&text.replace('\n', "\r\n")).replace("\\r\\n", "\\n");
        assert_eq!(found, *agentmd, "{name}");
    }
}
