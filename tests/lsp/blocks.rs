//! Edit blocks in the real server: lenses, actions, and updates when a target changes.

use serde_json::{Value, json};
use tower_lsp::gen_lsp_types::*;

use crate::client::{Client, Setup};
use crate::duckflow::apply;
use crate::profile;
use crate::text;

/// Seven blocks: one that matches, one that depends on it, one already applied, one with two
/// matches, one without any, one with a fuzzy match, and one that creates a file.
const REPLY: &str = "Here are the edits. 🦆\n\na.rs\n<<<<<<< SEARCH\nfn one() {}\n=======\nfn uno() {}\n>>>>>>> REPLACE\n\na.rs\n<<<<<<< SEARCH\nfn uno() {}\n=======\nfn eins() {}\n>>>>>>> REPLACE\n\na.rs\n<<<<<<< SEARCH\nfn zwei() {}\n=======\nfn two() {}\n>>>>>>> REPLACE\n\nb.rs\n<<<<<<< SEARCH\nsame();\n=======\nother();\n>>>>>>> REPLACE\n\nb.rs\n<<<<<<< SEARCH\nlet number = compute_number(17);\nlet name = missing(number, 2, 3);\n=======\nlet x = 1;\n>>>>>>> REPLACE\n\nc.rs\n<<<<<<< SEARCH\nfn first_function(value: u32) -> u32 {\n    let double = value * 2;\n    doubled + 1\n=======\nfn first_function(value: u32) -> u32 {\n    let double = value * 2;\n    doubled + 2\n>>>>>>> REPLACE\n\nnew/d.rs\n<<<<<<< SEARCH\n=======\nfn d() {}\n>>>>>>> REPLACE\n";
const FILES: &str = "//- a.rs\nfn one() {}\n\nfn two() {}\n//- b.rs\nsame();\nlet number = compute_number(71);\nlet name = lookup(number);\nsame();\n//- c.rs\nfn first_function(value: u32) -> u32 {\n    let doubled = value * 2;\n    doubled + 1\n}\n";

fn able() -> Value {
    let with = profile::with;
    let annotated = with(
        profile::push(),
        "/workspace/workspaceEdit",
        "changeAnnotationSupport",
        json!({ "groupsOnLabel": true }),
    );
    let told = with(
        with(annotated, "/workspace", "codeLens", json!({ "refreshSupport": true })),
        "/workspace",
        "inlayHint",
        json!({ "refreshSupport": true }),
    );
    let shows = with(told, "/window", "showDocument", json!({ "support": true }));
    with(shows, "/textDocument/codeAction", "disabledSupport", json!(true))
}

fn start(capabilities: Value) -> Client {
    let mut client =
        Setup::new(&format!("//- r.md\n{REPLY}\n{FILES}")).capabilities(capabilities).start();
    client.open("r.md");
    client
}

fn lenses(client: &mut Client) -> Vec<(u32, Command)> {
    let params = json!({ "textDocument": client.document("r.md") });
    let found = client.request::<CodeLensRequest>(params).expect("lenses");
    found
        .into_iter()
        .map(|lens| (lens.range.start.line, lens.command.expect("a command")))
        .collect()
}

fn titles(client: &mut Client) -> Vec<String> {
    lenses(client).into_iter().map(|(_, command)| command.title).collect()
}

fn run(client: &mut Client, title: &str) -> Result<Value, crate::client::RpcError> {
    let (_, command) =
        lenses(client).into_iter().find(|(_, command)| command.title == title).expect("the lens");
    client.ask(
        "workspace/executeCommand",
        json!({ "command": command.command, "arguments": command.arguments }),
    )
}

fn applied(client: &Client) -> Vec<Value> {
    client
        .asked
        .iter()
        .filter(|asked| asked.method == "workspace/applyEdit")
        .map(|asked| asked.params.clone())
        .collect()
}

fn actions(client: &mut Client, word: &str) -> Vec<Value> {
    let at = client.text("r.md").find(word).expect("the word");
    let params = json!({ "textDocument": client.document("r.md"), "range": client.range("r.md", at..at), "context": { "diagnostics": [] } });
    serde_json::from_value(client.ask("textDocument/codeAction", params).expect("actions"))
        .expect("a list")
}

fn named(found: &[Value]) -> Vec<&str> {
    found.iter().map(|action| action["title"].as_str().expect("a title")).collect()
}

fn read(client: &Client, name: &str) -> String {
    std::fs::read_to_string(client.path(name)).expect("the file")
}

const ALL: &str = "Apply 3 of 7 changes in 2 files";

#[test]
fn llmd_19_every_block_shows_its_state() {
    for encoding in ["utf-8", "utf-16", "utf-32"] {
        let mut client = start(profile::encoded(able(), &[encoding]));
        let found = lenses(&mut client);
        let shown: Vec<(u32, &str)> =
            found.iter().map(|(line, command)| (*line, command.title.as_str())).collect();
        let expected = [
            (3, ALL),
            (3, "Apply 1 change to a.rs"),
            (10, "Apply 1 change to a.rs"),
            (17, "Already applied"),
            (24, "2 matches: lines 1, 4"),
            (31, "No match: nearest line 2 (77 %)"),
            (39, "Apply fuzzy match, 96 % (line 1)"),
            (50, "Create new/d.rs"),
        ];
        assert_eq!(shown, expected);
    }
}

#[test]
fn a_lens_and_an_action_apply_what_their_titles_promise() {
    let mut limited = able();
    limited["workspace"]["workspaceEdit"]["resourceOperations"] = json!([]);
    let mut client = start(limited);
    let (all, create) = ("Apply 2 of 7 changes to a.rs", "Create new/d.rs");
    let found = titles(&mut client);
    assert!(found.first().is_some_and(|title| title == all), "{found:?}");
    assert!(!found.iter().any(|title| title == create), "{found:?}");
    let offered = actions(&mut client, "fn d()");
    let create = offered.iter().find(|action| action["title"] == create).expect("the action");
    assert!(create.get("disabled").is_some(), "{create}");
    assert!(named(&offered).contains(&all), "{offered:?}");
    assert_eq!(run(&mut client, all), Ok(Value::Null));
    let asked = applied(&client);
    let [asked] = asked.as_slice() else { panic!("{asked:?}") };
    assert_eq!(asked["label"], "Apply 2 changes to a.rs");
}

#[test]
fn llmd_14_all_matching_blocks_are_applied_in_one_edit() {
    let mut client = start(able());
    assert_eq!(run(&mut client, ALL), Ok(Value::Null));
    let asked = applied(&client);
    let [asked] = asked.as_slice() else { panic!("{asked:?}") };
    assert_eq!(asked["label"], "Apply 3 changes in 2 files");
    apply(&mut client, &asked["edit"]);
    assert_eq!(
        (read(&client, "a.rs").as_str(), read(&client, "new/d.rs").as_str()),
        ("fn eins() {}\n\nfn two() {}\n", "fn d() {}\n")
    );
    assert_eq!(
        read(&client, "b.rs"),
        "same();\nlet number = compute_number(71);\nlet name = lookup(number);\nsame();\n"
    );
    let after = titles(&mut client);
    assert_eq!(after.iter().filter(|title| *title == "Already applied").count(), 4, "{after:?}");
}

#[test]
fn a_block_that_depends_on_another_includes_it() {
    let mut client = start(able());
    let found = actions(&mut client, "fn eins");
    assert_eq!(named(&found), ["Apply 1 change to a.rs, with the block before it", ALL]);
    apply(&mut client, &found[0]["edit"].clone());
    assert_eq!(read(&client, "a.rs"), "fn eins() {}\n\nfn two() {}\n");
}

#[test]
fn llmd_13_each_match_has_its_own_action() {
    for (title, expected) in [
        (
            "Apply at line 1",
            "other();\nlet number = compute_number(71);\nlet name = lookup(number);\nsame();\n",
        ),
        (
            "Apply at line 4",
            "same();\nlet number = compute_number(71);\nlet name = lookup(number);\nother();\n",
        ),
        (
            "Apply to all 2 places",
            "other();\nlet number = compute_number(71);\nlet name = lookup(number);\nother();\n",
        ),
    ] {
        let mut client = start(able());
        let found = actions(&mut client, "other();");
        assert_eq!(
            named(&found),
            ["Apply at line 1", "Apply at line 4", "Apply to all 2 places", ALL]
        );
        let action =
            found.iter().find(|action| action["title"] == title).expect("the action").clone();
        assert_eq!(action["kind"], "quickfix");
        apply(&mut client, &action["edit"]);
        assert_eq!(read(&client, "b.rs"), expected);
    }
}

#[test]
fn a_fuzzy_match_needs_confirmation_or_its_own_title() {
    let mut client = start(able());
    let found = actions(&mut client, "double");
    assert_eq!(named(&found)[0], "Apply fuzzy match, 96 % (line 1)");
    assert_eq!(found[0]["edit"]["changeAnnotations"]["likely"]["needsConfirmation"], true);
    // Without confirmations, the title of the action says that the match is fuzzy.
    let mut bare = start(profile::push());
    let found = actions(&mut bare, "double");
    assert_eq!(found[0]["edit"]["changeAnnotations"], Value::Null);
    apply(&mut bare, &found[0]["edit"].clone());
    assert_eq!(
        read(&bare, "c.rs"),
        "fn first_function(value: u32) -> u32 {\n    let doubled = value * 2;\n    doubled + 2\n}\n"
    );
}

#[test]
fn llmd_12_a_block_without_a_match_is_disabled_with_the_reason() {
    let mut client = start(able());
    let found = actions(&mut client, "let name = missing");
    let reason = found[0]["disabled"]["reason"].as_str().expect("a reason");
    assert!(
        reason.starts_with(
            "the SEARCH text isn't in `b.rs`: line 2 has `71`, not `17`, and 1 more line differs"
        ),
        "{reason}"
    );
    let mut bare = start(profile::push());
    assert_eq!(named(&actions(&mut bare, "let name = missing")), [ALL]);
}

#[test]
fn a_file_with_unsaved_changes_is_not_changed_again() {
    let mut client = start(able());
    assert_eq!(run(&mut client, ALL), Ok(Value::Null));
    // The editor has the new text in a buffer that it hasn't opened with the server, and the disk
    // has the old text.
    let after = titles(&mut client);
    assert!(after.iter().filter(|title| *title == "Already applied").count() >= 3, "{after:?}");
    client.replace(
        "r.md",
        "a.rs\n<<<<<<< SEARCH\nfn two() {}\n=======\nfn second() {}\n>>>>>>> REPLACE\n",
    );
    let refused = run(&mut client, "Apply 1 change to a.rs").unwrap_err();
    assert!(refused.message.starts_with("`a.rs` has unsaved changes"), "{refused:?}");
    client.write("a.rs", "fn eins() {}\n\nfn two() {}\n");
    assert_eq!(run(&mut client, "Apply 1 change to a.rs"), Ok(Value::Null));
}

#[test]
fn an_action_reports_its_changes() {
    let mut client = start(able());
    let found = actions(&mut client, "fn one");
    let command = found[0]["command"].clone();
    assert_eq!(command["command"], "agentmd.applied");
    client
        .ask(
            "workspace/executeCommand",
            json!({ "command": command["command"], "arguments": command["arguments"] }),
        )
        .expect("an answer");
    assert_eq!(titles(&mut client)[1], "Already applied");
    assert_eq!(found[0]["disabled"], Value::Null);
    let again = actions(&mut client, "fn eins");
    assert!(
        again[0]["disabled"]["reason"]
            .as_str()
            .is_some_and(|reason| reason.contains("unsaved changes")),
        "{again:?}"
    );
}

/// A document with blocks for itself and for files.
const PROJECT: &str = "# Project: T 🦆\n\n## Meta: LLMD\n\n## Mission\n\nBe small.\n\n## Code Context\n\n### app.py\n\n```python\nx = 1\ny = 2\n```\n\n## Changelog\n\n- Created\n\n## Conversation Thread\n\n### Entry 1\n\n**Human:** do it\n\n**Assistant:** ok\n\napp.py\n<<<<<< SEARCH\nx = 1\n=======\nx = 2\n>>>>>> REPLACE\n\napp.py\n<<<<<< SEARCH\nx = 2\n=======\nx = 3\n>>>>>> REPLACE\n\n<<<<<< SEARCH_MISSION\nBe small.\n=======\nBe big.\n>>>>>> REPLACE_MISSION\n\n<<<<<< CHANGELOG\nGrown\n>>>>>> CHANGELOG\n";

fn project(capabilities: Value) -> Client {
    let mut client = Setup::new(&format!("//- r.md\n{PROJECT}\n//- app.py\nx = 1\ny = 2\n"))
        .capabilities(capabilities)
        .start();
    client.open("r.md");
    client
}

#[test]
fn llmd_19_the_four_blocks_of_a_document_go_to_its_own_parts() {
    let mut client = project(able());
    let expected = [
        "Apply 4 changes of this entry to context",
        "Apply 2 changes of this entry to app.py in the workspace",
        "Apply 1 change to app.py in Code Context",
        "Apply 1 change to app.py in the workspace",
        "Apply 1 change to app.py in Code Context",
        "Apply 1 change to app.py in the workspace",
        "Apply to this document",
        "Apply to this document",
    ];
    assert_eq!(titles(&mut client), expected);
    assert_eq!(run(&mut client, expected[0]), Ok(Value::Null));
    let asked = applied(&client);
    let [asked] = asked.as_slice() else { panic!("{asked:?}") };
    let change = &asked["edit"]["documentChanges"][0];
    assert_eq!(change["textDocument"]["version"], client.version("r.md"));
    // Small edits, one for each part.
    assert_eq!(change["edits"].as_array().map(Vec::len), Some(3));
    apply(&mut client, &asked["edit"]);
    let after = read(&client, "r.md");
    assert_eq!(
        after,
        PROJECT.replacen("Be small.", "Be big.", 1).replacen("x = 1", "x = 3", 1).replacen(
            "- Created",
            "- Created\n- Grown",
            1
        ) + "\n"
    );
    client.replace("r.md", &after);
    let done = titles(&mut client);
    assert_eq!(done.iter().filter(|title| *title == "Already applied").count(), 2, "{done:?}");
}

#[test]
fn llmd_19_the_same_blocks_go_to_the_files_of_the_workspace() {
    let mut client = project(able());
    assert_eq!(
        run(&mut client, "Apply 2 changes of this entry to app.py in the workspace"),
        Ok(Value::Null)
    );
    let edit = applied(&client)[0]["edit"].clone();
    apply(&mut client, &edit);
    assert_eq!(read(&client, "app.py"), "x = 3\ny = 2\n");
    assert!(
        hover(&mut client, "x = 3").ends_with("\n````"),
        "a fence longer than those in the diff"
    );
    let marked = hover(&mut client, "<<<<<< SEARCH\nx = 2");
    assert!(marked.contains("-x = 2\n+x = 3") && marked.contains("**SEARCH**"), "{marked}");
    let links = client
        .request::<DocumentLinkRequest>(json!({ "textDocument": client.document("r.md") }))
        .expect("links");
    let mut places: Vec<_> =
        links.iter().map(|link| (link.range.start.line, link.range.start.character)).collect();
    places.dedup();
    assert_eq!(places.len(), links.len());
    let found = actions(&mut client, "x = 3");
    assert!(
        named(&found)
            .contains(&"Apply 1 change to app.py in Code Context, with the block before it"),
        "{:?}",
        named(&found)
    );
}

fn hover(client: &mut Client, word: &str) -> String {
    let at = client.text("r.md").find(word).expect("the word");
    let params =
        json!({ "textDocument": client.document("r.md"), "position": client.position("r.md", at) });
    let hover = client.request::<HoverRequest>(params).expect("a hover");
    match hover.contents {
        Contents::MarkupContent(markup) => markup.value,
        other => panic!("{other:?}"),
    }
}

#[test]
fn hover_shows_the_diff_or_the_nearest_match() {
    let mut client = start(able());
    let uri = client.uri("a.rs");
    assert_eq!(
        hover(&mut client, "fn one"),
        format!(
            "[a.rs:1]({uri}#L1): found exactly.\n\n```diff\n@@ -1,3 +1,3 @@\n-fn one() {{}}\n+fn uno() {{}}\n \n fn two() {{}}\n```"
        )
    );
    // Only what the block itself changes.
    assert!(hover(&mut client, "fn eins").contains("-fn uno() {}\n+fn eins() {}"));
    assert_eq!(hover(&mut client, "fn zwei"), format!("[a.rs]({uri}): applied already."));
    let nowhere = hover(&mut client, "let name = missing");
    assert!(
        nowhere.contains("(`not_found`)")
            && nowhere
                .contains("-let number = compute_number(17);\n+let number = compute_number(71);"),
        "{nowhere}"
    );
    assert!(hover(&mut client, "same();").contains("[b.rs:4]"));
    assert!(hover(&mut client, "double").contains("It's only applied if you confirm it."));
}

#[test]
fn hints_links_and_definitions_lead_to_the_lines() {
    let mut client = start(able());
    let all = client.range("r.md", 0..REPLY.len());
    let params = json!({ "textDocument": client.document("r.md"), "range": all });
    let hints = client.request::<InlayHintRequest>(params).expect("hints");
    let labels: Vec<_> = hints
        .iter()
        .map(|hint| (hint.position.line, serde_json::to_value(&hint.label).expect("a label")))
        .collect();
    let expected = [
        (3, " → a.rs:1"),
        (10, " → a.rs:1"),
        (39, " → c.rs:1–3? (96 %)"),
        (50, " → new/d.rs, a new file"),
    ];
    assert_eq!(labels, expected.map(|(line, label)| (line, json!(label))));
    let links = client
        .request::<DocumentLinkRequest>(json!({ "textDocument": client.document("r.md") }))
        .expect("links");
    let targets: Vec<String> = links
        .into_iter()
        .map(|link| link.target.expect("a target").0.rsplit_once('/').expect("a path").1.to_owned())
        .collect();
    assert_eq!(targets, ["a.rs#L1", "a.rs#L1", "a.rs", "b.rs#L1", "b.rs#L2", "c.rs#L1"]);
    let at = client.text("r.md").find("same();").expect("the word");
    let params =
        json!({ "textDocument": client.document("r.md"), "position": client.position("r.md", at) });
    let Some(DefinitionResponse::DefinitionLinkList(found)) =
        client.request::<DefinitionRequest>(params)
    else {
        panic!("no definition")
    };
    let lines: Vec<u32> = found.iter().map(|link| link.target_selection_range.start.line).collect();
    assert_eq!(lines, [0, 3]);
}

#[test]
fn a_lens_without_anything_to_apply_shows_the_place() {
    let mut client = start(able());
    assert_eq!(run(&mut client, "No match: nearest line 2 (77 %)"), Ok(Value::Null));
    let shown = client
        .asked
        .iter()
        .find(|asked| asked.method == "window/showDocument")
        .expect("a question")
        .params
        .clone();
    assert_eq!(
        (&shown["uri"], &shown["selection"]["start"]["line"]),
        (&json!(client.uri("b.rs")), &json!(1))
    );
    // If the editor cannot show documents, the error names the line.
    let mut bare = start(profile::push());
    let refused = run(&mut bare, "No match: nearest line 2 (77 %)").unwrap_err();
    assert!(refused.message.contains("b.rs, line 2"), "{refused:?}");
}

#[test]
fn an_open_buffer_takes_precedence_over_the_disk() {
    let mut client = start(able());
    assert!(titles(&mut client).contains(&"Already applied".to_owned()));
    client.open("a.rs");
    client.edit("a.rs", 0..0, "// 🦆\n");
    client.wait_for_question("workspace/codeLens/refresh");
    client.wait_for_question("workspace/inlayHint/refresh");
    assert!(hover(&mut client, "fn one").starts_with("[a.rs:2]"));
    let found = actions(&mut client, "fn one");
    let edit = &found[0]["edit"]["documentChanges"][0];
    assert_eq!(edit["textDocument"]["version"], client.version("a.rs"));
    let range = serde_json::from_value(edit["edits"][0]["range"].clone()).expect("a range");
    let span = text::span(client.text("a.rs"), range, client.encoding()).expect("a place");
    assert_eq!(
        (span, &edit["edits"][0]["newText"]),
        ("// 🦆\nfn ".len().."// 🦆\nfn one".len(), &json!("uno"))
    );
}

#[test]
fn a_change_on_disk_is_noticed() {
    let mut client = start(able());
    assert_eq!(titles(&mut client)[0], ALL);
    client.write("b.rs", "let number = compute_number(17);\nlet name = missing(number, 2, 3);\n");
    client.wait_for_question("workspace/codeLens/refresh");
    let after = titles(&mut client);
    assert!(after.contains(&"Apply 4 of 7 changes in 3 files".to_owned()), "{after:?}");
}

#[test]
fn unrelated_changes_refresh_no_lenses() {
    let mut client = start(able());
    titles(&mut client);
    client.write("other.md", "# Other\n");
    client.open_with("other.md", "# Other\n");
    client.edit("other.md", 0..0, "x");
    client.sync();
    std::thread::sleep(std::time::Duration::from_millis(300));
    client.sync();
    assert!(!client.asked.iter().any(|asked| asked.method == "workspace/codeLens/refresh"));
}

#[test]
fn many_changes_cause_one_refresh() {
    let mut client = start(able());
    titles(&mut client);
    client.open("a.rs");
    // The server may not get to read all changes in one go, so one good round is enough.
    let told = (0..8).map(|_| {
        titles(&mut client);
        client.asked.clear();
        client.hold();
        for _ in 0..40 {
            client.edit("a.rs", 0..0, "/");
        }
        client.release();
        client.wait_for_question("workspace/codeLens/refresh");
        std::thread::sleep(std::time::Duration::from_millis(300));
        client.sync();
        let told = client.asked.iter().filter(|asked| asked.method == "workspace/codeLens/refresh");
        told.count()
    });
    assert!(told.into_iter().any(|told| told <= 3));
}

#[test]
fn a_refused_edit_is_retried_once() {
    let mut client = start(able());
    client.applies = false;
    let refused = run(&mut client, ALL).unwrap_err();
    assert!(refused.message.contains("stale_version"), "{refused:?}");
    assert_eq!(applied(&client).len(), 2);
}

#[test]
fn every_editor_gets_an_edit_that_it_understands() {
    for (name, capabilities) in profile::captured() {
        let mut client = start(capabilities.clone());
        if capabilities["textDocument"]["codeAction"]["codeActionLiteralSupport"].is_null() {
            continue;
        }
        let found = actions(&mut client, "fn one");
        assert_eq!(named(&found)[0], "Apply 1 change to a.rs", "{name}");
        let action = match found[0]["edit"].is_null() {
            true => client.ask("codeAction/resolve", found[0].clone()).expect("an action"),
            false => found[0].clone(),
        };
        let edit = action["edit"].clone();
        let annotated =
            !capabilities["workspace"]["workspaceEdit"]["changeAnnotationSupport"].is_null();
        assert_eq!(edit["changeAnnotations"].is_object(), annotated, "{name}");
        apply(&mut client, &edit);
        assert_eq!(read(&client, "a.rs"), "fn uno() {}\n\nfn two() {}\n", "{name}");
    }
}

/// Helix shows no lenses, so its actions also include one that applies all blocks.
#[test]
fn llmd_19_without_lenses_all_blocks_are_offered_everywhere() {
    let lensed = profile::with(able(), "/textDocument", "codeLens", json!({}));
    let mut client = start(lensed);
    assert_eq!(
        named(&actions(&mut client, "Here are")),
        [""; 0],
        "a lens is above the first block"
    );
    let mut client = start(able());
    assert_eq!(named(&actions(&mut client, "Here are")), [ALL]);
    for (name, capabilities) in
        profile::captured().into_iter().filter(|(name, _)| name.starts_with("helix"))
    {
        let mut client = start(capabilities);
        let found = actions(&mut client, "Here are");
        assert_eq!(named(&found), [ALL], "{name}");
        // An action without data is returned unchanged.
        assert_eq!(
            client.ask("codeAction/resolve", found[0].clone()).expect("the action"),
            found[0],
            "{name}"
        );
        // A single block is offered everywhere, too.
        client.replace("r.md", "Read this.\n\na.rs\n<<<<<<< SEARCH\nfn one() {}\n=======\nfn uno() {}\n>>>>>>> REPLACE\n");
        assert_eq!(named(&actions(&mut client, "Read this")), ["Apply 1 change to a.rs"], "{name}");
    }
}
