//! Duckflow replies: `check --strict`, `parse`, `convert`.

use super::Folder;

const REPLY: &str = "[REASONING]\nAll tests pass.\n\n[CONFIDENCE] 0.9\n[MOOD] 0.8\n[FOCUS] 0.9\n[STAMINA] 0.7\n\n[ACTION_0_TYPE] create_file\n[ACTION_0_PATH] é.py\n[ACTION_0_CONTENT_START]\nprint(\"🦆\")\n\n[ACTION_0_CONTENT_END]\n\n[ACTION_1_TYPE] finish\n[ACTION_1_RESULT] Done.\n";

#[test]
fn strict_raises_findings_that_a_parser_would_reject() {
    let folder = Folder::with(&[("reply.md", &REPLY.replace("[MOOD] 0.8\n", ""))]);
    let severity = |arguments: &[&str]| {
        let answer = folder.run(&[&["check", "--format", "json"], arguments].concat());
        (
            answer.status,
            answer.json()["files"][0]["diagnostics"][0]["severity"].as_str().map(str::to_owned),
        )
    };
    assert_eq!(severity(&[]), (0, Some("warning".to_owned())));
    assert_eq!(severity(&["--strict"]), (1, Some("error".to_owned())));
    // Other warnings also fail the call, but stay warnings.
    folder.write("reply.md", REPLY.replace("é.py", "/é.py"));
    assert_eq!(severity(&["--strict"]), (1, Some("warning".to_owned())));
    // Severities from the settings aren't raised.
    folder.write("reply.md", REPLY.replace("[MOOD] 0.8\n", ""));
    folder.write("agentmd.toml", "[rules]\n\"duckflow/missing-vital\" = \"info\"\n");
    assert_eq!(severity(&["--strict"]), (0, Some("info".to_owned())));
}

#[test]
fn parse_is_a_filter_for_replies_of_all_kinds() {
    let folder = Folder::empty();
    let parse = |arguments: &[&str], text: &str| {
        folder.run_with(&[&["parse"], arguments, &["-"]].concat(), text.as_bytes())
    };
    let answer = parse(&[], REPLY);
    assert_eq!((answer.status, answer.err.as_str(), answer.out.lines().count()), (0, "", 1));
    assert_eq!(
        answer.json(),
        serde_json::json!({
            "format": "duckflow", "source": "markers", "reasoning": "All tests pass.",
            "vitals": { "confidence": 0.9, "mood": 0.8, "focus": 0.9, "stamina": 0.7 }, "sections": {},
            "actions": [
                { "index": 0, "type": "create_file", "params": { "path": "é.py" }, "content": "print(\"🦆\")\n" },
                { "index": 1, "type": "finish", "params": { "result": "Done." }, "content": null },
            ],
            "errors": [],
        })
    );
    assert_eq!(parse(&[], "{\"reasoning\":\"r\",\"actions\":[]}").json()["source"], "json");
    assert_eq!(parse(&["--as", "duckflow"], "Sure, no problem.").json()["source"], "flexible");
    assert_eq!(parse(&["--as", "duckflow"], "").json()["errors"].as_array().unwrap().len(), 3);
    assert_eq!(parse(&["--as", "duckflow"], "[1, 2]").status, 0);
    let broken = parse(&[], "[REASONING]\nr\n[CONFIDENCE] high\n");
    assert_eq!((broken.status, &broken.json()["errors"][0]["line"]), (0, &serde_json::json!(3)));
}

#[test]
fn duck_15_convert_round_trip() {
    let folder = Folder::with(&[("reply.md", REPLY)]);
    let json = folder.run(&["convert", "reply.md", "--to", "json"]);
    assert_eq!((json.status, json.err.as_str()), (0, ""));
    let back = folder.run_with(&["convert", "-", "--to", "duckflow"], json.out.as_bytes());
    assert_eq!((back.status, back.out.as_str()), (0, REPLY));
    folder.write("out.md", &back.out);
    assert_eq!(folder.run(&["check", "--strict", "out.md"]).status, 0);
}

#[test]
fn duck_15_convert_loses_nothing_silently() {
    let folder = Folder::empty();
    let convert =
        |text: &str| folder.run_with(&["convert", "-", "--to", "duckflow"], text.as_bytes());
    let answer = convert(&format!("Sure!\n\n{REPLY}"));
    assert_eq!((answer.status, answer.out.as_str()), (0, REPLY));
    assert!(answer.err.contains("line 1 belongs to no part, and is left out"), "{}", answer.err);
    for (text, reason) in [
        ("Sure!", "it is not a Duckflow reply"),
        ("[REASONING]\nr\n[ACTION_0_PATH] x\n", "action 0 has no type"),
        (
            "{\"actions\":[{\"type\":\"create_file\",\"content\":\"a\\n[ACTION_0_CONTENT_END]\\nb\"}]}",
            "`[ACTION_0_CONTENT_END]`, where it would end",
        ),
    ] {
        let answer = convert(text);
        assert_eq!((answer.status, answer.out.as_str()), (1, ""));
        assert!(answer.err.contains(reason), "{}", answer.err);
    }
}
