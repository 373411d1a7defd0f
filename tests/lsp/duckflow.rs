//! Replies in the real server: lenses, actions, and the edits for file actions.

use serde_json::{Value, json};
use tower_lsp::gen_lsp_types::*;

use crate::client::{Client, Setup};
use crate::profile;
use crate::text;

const REPLY: &str = "[REASONING]\n🦆 日本\n\n[ACTION_0_TYPE] create_file\n[ACTION_0_PATH] new/ü.py\n[ACTION_0_CONTENT_START]\nprint('🦆')\n\n[ACTION_0_CONTENT_END]\n\n[ACTION_1_TYPE] edit_file\n[ACTION_1_PATH] a.py\n[ACTION_1_CONTENT_START]\none\n日本 zwei\n[ACTION_1_CONTENT_END]\n\n[ACTION_2_TYPE] delete_file\n[ACTION_2_PATH] gone.py\n\n[ACTION_3_TYPE] run_command\n[ACTION_3_COMMAND] rm -rf .\n";

fn annotated() -> Value {
    profile::with(
        profile::push(),
        "/workspace/workspaceEdit",
        "changeAnnotationSupport",
        json!({ "groupsOnLabel": true }),
    )
}

fn start(capabilities: Value) -> Client {
    let mut client =
        Setup::new(&format!("//- r.md\n{REPLY}\n//- a.py\none\n日本 two\nthree\n//- gone.py\nx\n"))
            .capabilities(capabilities)
            .start();
    client.open("r.md");
    client
}

fn lenses(client: &mut Client) -> Vec<CodeLens> {
    let params = json!({ "textDocument": client.document("r.md") });
    client.request::<CodeLensRequest>(params).expect("lenses")
}

fn titles(client: &mut Client) -> Vec<String> {
    lenses(client).into_iter().map(|lens| lens.command.expect("a command").title).collect()
}

fn run(client: &mut Client, title: &str) -> Result<Value, crate::client::RpcError> {
    let lens = lenses(client)
        .into_iter()
        .find(|lens| lens.command.as_ref().is_some_and(|command| command.title == title))
        .expect("the lens");
    let command = lens.command.expect("a command");
    client.ask(
        "workspace/executeCommand",
        json!({ "command": command.command, "arguments": command.arguments }),
    )
}

fn actions(client: &mut Client, word: &str) -> Vec<Value> {
    let at = client.text("r.md").find(word).expect("the word");
    let params = json!({ "textDocument": client.document("r.md"), "range": client.range("r.md", at..at), "context": { "diagnostics": [] } });
    let found = client.ask("textDocument/codeAction", params).expect("actions");
    serde_json::from_value(found).expect("a list")
}

/// Applies an edit as an editor would: changes are made in order, in open buffers or on disk.
pub fn apply(client: &mut Client, edit: &Value) {
    let path = |client: &Client, uri: &str| {
        client.path("").join(percent(
            uri.strip_prefix(&client.uri(""))
                .expect("a file of the workspace")
                .trim_start_matches('/'),
        ))
    };
    let changes = edit["changes"]
        .as_object()
        .into_iter()
        .flatten()
        .map(|(uri, edits)| json!({ "textDocument": { "uri": uri }, "edits": edits }));
    let all: Vec<Value> = edit["documentChanges"]
        .as_array()
        .cloned()
        .unwrap_or_default()
        .into_iter()
        .chain(changes)
        .collect();
    for change in all {
        match change["kind"].as_str() {
            Some("create") => {
                let path = path(client, change["uri"].as_str().expect("a URI"));
                let folder = path.parent().expect("a folder");
                // Some clients empty an existing file when asked to create it, and some make a
                // folder only for an explicit `create`.
                assert_eq!(change["options"]["ignoreIfExists"] == true, folder.is_dir());
                std::fs::create_dir_all(folder).expect("a folder");
                assert!(!path.exists());
                std::fs::write(path, "").expect("a new file");
            }
            Some("delete") => {
                std::fs::remove_file(path(client, change["uri"].as_str().expect("a URI")))
                    .expect("a file that goes")
            }
            Some(other) => panic!("unknown operation: {other}"),
            None => {
                let path = path(client, change["textDocument"]["uri"].as_str().expect("a URI"));
                let before = std::fs::read_to_string(&path).expect("the file");
                let encoding = client.encoding();
                let edits = change["edits"].as_array().expect("edits").iter().map(|edit| {
                    let range = serde_json::from_value(edit["range"].clone()).expect("a range");
                    (
                        text::span(&before, range, encoding).expect("a place in the text"),
                        edit["newText"].as_str().expect("the new text").to_owned(),
                    )
                });
                std::fs::write(path, text::apply(&before, edits.collect()))
                    .expect("a file that changes");
            }
        }
    }
}

fn percent(uri: &str) -> String {
    percent_encoding::percent_decode_str(uri).decode_utf8().expect("UTF-8").into_owned()
}

fn read(client: &Client, name: &str) -> Option<String> {
    std::fs::read_to_string(client.path(name)).ok()
}

#[test]
fn a_lens_has_the_client_apply_all_file_actions_in_one_edit() {
    for encodings in [&["utf-16"][..], &["utf-8"], &["utf-32"]] {
        let mut client = start(profile::encoded(annotated(), encodings));
        assert_eq!(
            titles(&mut client),
            [
                "Apply 3 changes in 3 files",
                "Create new/ü.py",
                "Replace all of a.py",
                "Delete gone.py"
            ]
        );
        let places: Vec<u32> =
            lenses(&mut client).iter().map(|lens| lens.range.start.line).collect();
        assert_eq!(places, [3, 3, 10, 17]);
        assert_eq!(run(&mut client, "Apply 3 changes in 3 files"), Ok(Value::Null));
        let asked: Vec<_> = client
            .asked
            .iter()
            .filter(|asked| asked.method == "workspace/applyEdit")
            .map(|asked| asked.params["edit"].clone())
            .collect();
        let [edit] = asked.as_slice() else { panic!("{asked:?}") };
        let kinds: Vec<_> = edit["documentChanges"]
            .as_array()
            .unwrap()
            .iter()
            .map(|change| change["kind"].as_str().unwrap_or("edit"))
            .collect();
        assert_eq!(kinds, ["create", "edit", "edit", "delete"]);
        let confirm = |id: &str| edit["changeAnnotations"][id]["needsConfirmation"].clone();
        assert_eq!(
            (confirm("delete"), confirm("create"), confirm("replace")),
            (json!(true), Value::Null, Value::Null)
        );
        apply(&mut client, &edit.clone());
        assert_eq!(read(&client, "new/ü.py").as_deref(), Some("print('🦆')\n"));
        assert_eq!(read(&client, "a.py").as_deref(), Some("one\n日本 zwei"));
        assert_eq!(read(&client, "gone.py"), None);
        assert_eq!(titles(&mut client), [""; 0]);
    }
}

#[test]
fn an_action_carries_the_edit_itself() {
    let mut client = start(annotated());
    let found = actions(&mut client, "[ACTION_1_PATH]");
    let titles: Vec<_> = found.iter().map(|action| action["title"].as_str().unwrap()).collect();
    assert_eq!(titles, ["Apply 3 changes in 3 files", "Replace all of a.py"]);
    assert_eq!(found[1]["kind"], "refactor");
    // The smallest edit: it doesn't touch what the old and new text share.
    let edit = &found[1]["edit"]["documentChanges"][0];
    assert_eq!(
        (&edit["textDocument"]["version"], &edit["edits"][0]["newText"]),
        (&Value::Null, &json!("zwei"))
    );
    let edit = found[1]["edit"].clone();
    apply(&mut client, &edit);
    assert_eq!(read(&client, "a.py").as_deref(), Some("one\n日本 zwei"));
}

#[test]
fn an_open_file_is_edited_at_its_version() {
    let mut client = start(annotated());
    client.open("a.py");
    client.edit("a.py", 0..3, "uno");
    client.edit("a.py", 0..0, "# 🦆\n");
    let found = actions(&mut client, "[ACTION_1_PATH]");
    let edit = &found[1]["edit"]["documentChanges"][0];
    assert_eq!(edit["textDocument"]["version"], client.version("a.py"));
    let before = client.text("a.py").to_owned();
    let range = serde_json::from_value(edit["edits"][0]["range"].clone()).unwrap();
    let span = text::span(&before, range, client.encoding()).unwrap();
    assert_eq!(
        text::apply(
            &before,
            vec![(span, edit["edits"][0]["newText"].as_str().unwrap().to_owned())]
        ),
        "one\n日本 zwei"
    );
}

#[test]
fn without_confirmations_a_deletion_is_offered_only_by_itself() {
    let mut client = start(profile::push());
    assert_eq!(
        titles(&mut client),
        [
            "Apply 2 of 3 changes in 2 files",
            "Create new/ü.py",
            "Replace all of a.py",
            "Delete gone.py"
        ]
    );
    let found = actions(&mut client, "gone.py");
    let delete = found.iter().find(|action| action["title"] == "Delete gone.py").unwrap();
    assert_eq!(delete["edit"]["changeAnnotations"], Value::Null);
}

#[test]
fn a_client_that_cannot_create_files_is_offered_only_edits() {
    let mut bare = profile::with(profile::push(), "/workspace", "workspaceEdit", json!({}));
    let mut client = start(bare.clone());
    assert_eq!(titles(&mut client), ["Replace all of a.py"]);
    assert_eq!(actions(&mut client, "new/ü.py"), [Value::Null; 0]);
    let edit = actions(&mut client, "[ACTION_1_PATH]")[0]["edit"].clone();
    assert_eq!(
        (&edit["documentChanges"], edit["changes"].as_object().map(serde_json::Map::len)),
        (&Value::Null, Some(1))
    );
    apply(&mut client, &edit);
    assert_eq!(read(&client, "a.py").as_deref(), Some("one\n日本 zwei"));
    // A client that shows disabled actions gets one with the reason.
    bare = profile::with(bare, "/textDocument/codeAction", "disabledSupport", json!(true));
    let mut client = start(bare);
    let found = actions(&mut client, "new/ü.py");
    assert!(
        found[0]["disabled"]["reason"].as_str().unwrap().contains("agentmd apply"),
        "{found:?}"
    );
    assert_eq!(found[0]["edit"], Value::Null);
}

#[test]
fn a_client_that_names_operations_but_not_their_form_gets_them() {
    let operations = json!({ "resourceOperations": ["rename", "create", "delete"] });
    let mut client =
        start(profile::with(profile::push(), "/workspace", "workspaceEdit", operations));
    let found = actions(&mut client, "new/ü.py");
    let create = found.iter().find(|action| action["title"] == "Create new/ü.py").unwrap();
    assert_eq!(create["edit"]["documentChanges"][0]["kind"], "create");
}

#[test]
fn a_client_that_applies_no_edits_has_no_lenses() {
    let mut capabilities = profile::push();
    capabilities["workspace"]["applyEdit"] = json!(false);
    let mut client = start(capabilities);
    assert_eq!(client.server.code_lens_provider, None);
    assert_eq!(client.server.execute_command_provider, None);
    let given = json!({ "uri": client.uri("r.md"), "blocks": [0] });
    let refused = client
        .ask(
            "workspace/executeCommand",
            json!({ "command": "agentmd.apply", "arguments": [given] }),
        )
        .unwrap_err();
    assert!(refused.message.contains("agentmd apply"), "{refused:?}");
}

#[test]
fn a_lens_of_another_version_does_nothing() {
    let mut client = start(annotated());
    let command = lenses(&mut client)[0].command.clone().unwrap();
    client.edit("r.md", 0..0, "\n");
    let ran = client.ask(
        "workspace/executeCommand",
        json!({ "command": command.command, "arguments": command.arguments }),
    );
    assert!(ran.unwrap_err().message.contains("has changed"));
    assert!(client.asked.iter().all(|asked| asked.method != "workspace/applyEdit"));
}

#[test]
fn an_edit_that_the_client_refuses_is_an_error() {
    let mut client = start(annotated());
    client.applies = false;
    assert!(run(&mut client, "Create new/ü.py").unwrap_err().message.contains("did not apply"));
    let wrong = client
        .ask("workspace/executeCommand", json!({ "command": "agentmd.apply", "arguments": ["x"] }));
    assert_eq!(wrong.unwrap_err().code, -32602);
}

#[test]
fn llmd_20_nothing_outside_the_workspace_is_offered() {
    let block = |path: &str| {
        format!(
            "[ACTION_0_TYPE] create_file\n[ACTION_0_PATH] {path}\n[ACTION_0_CONTENT_START]\nx\n[ACTION_0_CONTENT_END]\n"
        )
    };
    let mut client = start(annotated());
    for path in ["../x", "/tmp/x", "a/../../x", ".git/hooks/pre-commit", "C:\\x", "~/x"] {
        client.replace("r.md", &block(path));
        assert_eq!(titles(&mut client), [""; 0], "{path}");
        assert_eq!(actions(&mut client, "PATH"), [Value::Null; 0], "{path}");
    }
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("/tmp", client.path("out")).unwrap();
        client.replace("r.md", &block("out/x"));
        assert_eq!(titles(&mut client), [""; 0]);
    }
    client.replace("r.md", &block("in/x"));
    assert_eq!(titles(&mut client), ["Create in/x"]);
}

#[test]
fn edits_do_not_count_a_byte_order_mark_on_disk() {
    let reply = "[ACTION_0_TYPE] edit_file\n[ACTION_0_PATH] m.py\n[ACTION_0_CONTENT_START]\nabd\n[ACTION_0_CONTENT_END]\n";
    let mut client = Setup::new(&format!("//- r.md\n{reply}")).capabilities(annotated()).start();
    client.write("m.py", "\u{feff}abc");
    client.open("r.md");
    let found = actions(&mut client, "PATH");
    let edit = &found[0]["edit"]["documentChanges"][0]["edits"][0];
    // The editor has removed the mark, so it applies the edit to the rest.
    let range = serde_json::from_value(edit["range"].clone()).unwrap();
    let span = text::span("abc", range, client.encoding()).unwrap();
    assert_eq!(
        text::apply("abc", vec![(span, edit["newText"].as_str().unwrap().to_owned())]),
        "abd"
    );
}

#[test]
fn content_added_at_the_end_is_added_to_the_last_line() {
    for (line_break, shown) in [("\n", "\n"), ("\r\n", "\r\n")] {
        let content = ["one", "two", ""].join(line_break);
        let reply = format!(
            "[ACTION_0_TYPE] edit_file\n[ACTION_0_PATH] m.py\n[ACTION_0_CONTENT_START]\n{content}\n[ACTION_0_CONTENT_END]\n"
        );
        let mut client = Setup::new("//- r.md\nx\n").capabilities(annotated()).start();
        client.write("m.py", format!("one{line_break}"));
        client.open_with("r.md", &reply);
        let edit =
            actions(&mut client, "PATH")[0]["edit"]["documentChanges"][0]["edits"][0].clone();
        assert_eq!(
            edit["range"],
            json!({ "start": { "line": 0, "character": 3 }, "end": { "line": 1, "character": 0 } })
        );
        assert_eq!(edit["newText"], format!("{shown}two{shown}"));
    }
}

#[test]
fn markers_are_completed_as_they_are_typed() {
    let mut client = start(profile::push());
    let triggers = client
        .server
        .completion_provider
        .as_ref()
        .and_then(|provider| provider.trigger_characters.clone())
        .unwrap_or_default();
    assert!(["[", "_"].iter().all(|typed| triggers.contains(&(*typed).to_owned())));
    let end = client.text("r.md").len();
    client.edit("r.md", end..end, "\n[");
    let at = client.text("r.md").len();
    let params = client.at("r.md", at);
    let found = client.ask("textDocument/completion", params).expect("completions");
    let labels: Vec<_> =
        found.as_array().unwrap().iter().map(|item| item["label"].as_str().unwrap()).collect();
    assert!(
        labels.contains(&"[CONFIDENCE]") && labels.contains(&"[ACTION_4_TYPE] finish"),
        "{labels:?}"
    );
}
