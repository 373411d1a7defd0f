//! `markers → parse → convert → parse` is a fixpoint, including by way of JSON.

use proptest::prelude::*;

use super::super::reply::{self, Action, Reply, ReplySource};
use super::super::{parse, write};
use crate::config::Config;
use crate::format::Context;
use crate::source::Source;
use crate::world::Memory;

const PIECES: &[&str] = &[
    "[REASONING]\n",
    "[REASONING] inline\n",
    "[PLANNING]\n",
    "[NOTES]\n",
    "[SUMMARY] of all\n",
    "[CONFIDENCE] 0.9\n",
    "[MOOD] 85%\n",
    "[ENERGY] 0.25 # low\n",
    "[ACTION_0_TYPE] create_file\n",
    "[ACTION_0_PATH] a b.rs\n",
    "[ACTION_0_path2] y\n",
    "[ACTION_0_CONTENT_START]\n",
    "[ACTION_0_CONTENT_END]\n",
    "[ACTION_0_CONTENT_END] # done\r\n",
    "[ACTION_3_TYPE] finish\n",
    "[ACTION_3_RESULT]\n",
    "[ACTION_3_CONTENT_START]\r\n",
    "[ACTION_3_CONTENT_END]\n",
    "[ACTION_1_TYPE]\n",
    "[reasoning]\n",
    "[CONFIDEN\n",
    "  [NOTES] \n",
    "text\n",
    "  code 🦆\r\n",
    "日本\u{301}\n",
    "\n",
    "\r",
    " ",
    "```\n",
    "\u{feff}",
];

fn text() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(PIECES), 0..24).prop_map(|pieces| pieces.concat())
}

fn answer(text: &str) -> serde_json::Value {
    parse::parse(&Context::new(&Source::new(text), None, &Memory::default(), &Config::default()))
}

/// The reply in JSON: sections in any order, actions without numbers, and mistakes that markers have
/// as well.
fn sorted(mut reply: Reply) -> Reply {
    reply.sections.sort();
    for (action, index) in reply.actions.iter_mut().zip(0..) {
        action.index = index;
    }
    reply.source = ReplySource::Json;
    reply.mistakes.clear();
    reply
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, ..ProptestConfig::default() })]

    #[test]
    fn duck_15_markers_parse_convert_parse_is_a_fixpoint(text in text()) {
        let first = reply::marked(&text);
        let wanted = write::canonical(&first);
        let written = write::markers(&first).expect("what was read from markers can be written with markers");
        prop_assert_eq!(&reply::marked(&written), &wanted);
        prop_assert_eq!(write::markers(&wanted), Ok(written));
        let json = write::json(&wanted).unwrap();
        prop_assert_eq!(sorted(reply::read(&json.to_string())), sorted(wanted.clone()));
        // Without its number, content may contain a line that ends it.
        if let Ok(text) = write::markers(&reply::read(&json.to_string())) {
            prop_assert_eq!(sorted(reply::marked(&text)), sorted(wanted));
        }
    }

    #[test]
    fn parsing_always_returns_a_result(text in text()) {
        let read = answer(&text);
        let keys: Vec<&str> = read.as_object().unwrap().keys().map(String::as_str).collect();
        prop_assert_eq!(keys, ["format", "source", "reasoning", "vitals", "sections", "actions", "errors"]);
        let indices: Vec<u64> = read["actions"].as_array().unwrap().iter().map(|action| action["index"].as_u64().unwrap()).collect();
        prop_assert!(indices.is_sorted());
    }
}

fn one(name: &str, value: &str, content: Option<&str>) -> Reply {
    let action = Action {
        index: 0,
        kind: "create_file".to_owned(),
        parameters: vec![(name.to_owned(), value.to_owned())],
        content: content.map(str::to_owned),
    };
    Reply { actions: vec![action], ..Reply::default() }
}

#[test]
fn duck_15_lossy_conversions_are_refused() {
    let refused = |reply: &Reply| write::markers(reply).unwrap_err();
    assert!(
        refused(&one("path", "a", Some("x\n[ACTION_0_CONTENT_END]\ny")))
            .contains("`[ACTION_0_CONTENT_END]`, where it would end")
    );
    assert!(
        refused(&one("file-name", "a", None))
            .contains("`file-name` of action 0 cannot be a marker")
    );
    assert!(refused(&one("type", "a", None)).contains("is not `type`"));
    assert!(refused(&one("result", "a\n[NOTES] b", None)).contains("`[NOTES]`"));
    assert!(
        refused(&Reply { reasoning: "a\n[CONFIDEN\nb".to_owned(), ..Reply::default() })
            .contains("the reasoning has a line that is a marker")
    );
    assert!(
        refused(&Reply { vitals: vec![("energy".to_owned(), -1.0)], ..Reply::default() })
            .contains("`energy`")
    );
    assert!(
        write::json(&one("content", "a", None))
            .unwrap_err()
            .contains("would be taken for its content")
    );
    for content in [
        "",
        "\n",
        "a",
        "a\n",
        "a\r",
        "a\r\n",
        "\r",
        "[REASONING]\n[ACTION_1_CONTENT_END]",
        "[ACTION_0_CONTENT_START]",
    ] {
        let reply = one("path", "[NOTES]\nb", Some(content));
        assert_eq!(reply::marked(&write::markers(&reply).unwrap()), reply, "{content:?}");
    }
}

#[test]
fn duck_15_json_of_all_shapes_becomes_markers() {
    let json = r#"{"thought":"t","vitals":{"MOOD":0.5},"reasoning":"r","actions":[{"name":"response","parameters":{"message":"hi"},"thought":"why"},{"action":"create_file","path":"a","content":"x\ny"}]}"#;
    let written = write::markers(&reply::read(json)).unwrap();
    assert_eq!(
        written,
        "[REASONING]\nr\n\n[THOUGHT]\nt\n\n[MOOD] 0.5\n\n[ACTION_0_TYPE] response\n[ACTION_0_THOUGHT] why\n[ACTION_0_MESSAGE] hi\n\n[ACTION_1_TYPE] create_file\n[ACTION_1_PATH] a\n[ACTION_1_CONTENT_START]\nx\ny\n[ACTION_1_CONTENT_END]\n"
    );
}

#[test]
fn the_answer_of_parse_is_a_contract() {
    let read = answer(
        "[REASONING]\nr\n[CONFIDENCE] high\n[MOOD] 0.5\n[NOTES] n\n[ACTION_1_TYPE] finish\n[ACTION_1_RESULT] done\n[ACTION_0_CONTENT_START]\n",
    );
    insta::assert_snapshot!(serde_json::to_string_pretty(&read).unwrap());
    let prose = answer("Confidence: 0.7\n```\nx\n```\n");
    assert_eq!(prose["source"], "flexible");
    let steps: Vec<&str> = prose["errors"]
        .as_array()
        .unwrap()
        .iter()
        .map(|error| error["message"].as_str().unwrap())
        .collect();
    assert_eq!(
        steps,
        [
            "the text has no markers with content",
            "the text has no JSON object that contains a reply",
            "Used flexible extraction fallback"
        ]
    );
    assert!(
        prose["errors"]
            .as_array()
            .unwrap()
            .iter()
            .all(|error| error["code"] == parse::FALLBACK && error["line"] == 1)
    );
}

#[test]
fn duck_17_sym_ops_is_recognised() {
    let read = answer(">> Done.\n::c0.95 ::s0.9 ::m0.6 ::f0.9\n\n::finish\n");
    assert!(
        read["errors"]
            .as_array()
            .unwrap()
            .iter()
            .any(|error| error["message"].as_str().unwrap().contains("Sym-Ops"))
    );
}

/// What would be dropped, or written differently, is reported.
#[test]
fn duck_15_mistakes_of_json() {
    for (json, messages) in [
        (
            r#"{"reasoning":"r","actions":{"type":"create_file","path":"a","content":"x"}}"#,
            &["`actions` is an object, not a list"][..],
        ),
        (
            r#"{"actions":[{"path":"a"},"finish",{"type":"create_file","path":"b","content":["x"]}]}"#,
            &[
                "action 0 has no `type`",
                "action 1 is text, not an object",
                "the content of action 2 is a list, not text",
            ],
        ),
        (
            r#"{"vitals":{"confidence":"high","mood":7,"focus":"0.5"},"actions":[]}"#,
            &["`confidence` is text, not a number", "`mood` is 7, but must be from 0 to 1"],
        ),
        (r#"{"reasoning":"r","mood":0.5,"actions":[{"name":"finish"}]}"#, &[]),
    ] {
        let read = answer(json);
        let errors = read["errors"].as_array().unwrap();
        let found: Vec<&str> =
            errors.iter().map(|error| error["message"].as_str().unwrap()).collect();
        assert_eq!(found, messages, "{json}");
    }
}
